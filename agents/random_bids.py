"""Bids by chance: the agent that every other one should do better than."""

from pydantic import BaseModel, Field

from negoplatform.agent_api import Bidder


class RandomBids(Bidder):
    """Makes random offers that are good enough for it, and accepts anything that is.

    Good enough is its reservation value, or more where the setting ``least`` says so; it never offers or
    accepts less. All bids that are good enough are equally likely. A partial offer is answered with a bid
    that keeps what it decides, where one of them does.
    """

    class Settings(BaseModel):
        least: float = Field(
            0.0,
            ge=0,
            le=1,
            title="Good enough",
            description="As a share of the way from its worst to its best outcome.",
        )
        quiet: bool = Field(False, title="Offers only", description="No words and no faces.")

    greeting = "Hello! I have many ideas. Here is one."
    refusals = ("Or perhaps like this?", "What about this one?", "Another idea:", "This would suit me too.")

    def get_name(self):
        return self.get_config("name", "Jamie")

    def least(self, ctx):
        asked = self.bids.lowest + self.settings.least * (self.bids.highest - self.bids.lowest)
        return max(asked, ctx.reservation_value)

    def next_bid(self, ctx, answered):
        least = self.least(ctx)
        keeping = list(self.bids.keeping(answered, least)) if answered.terms else []
        return ctx.rng.choice(keeping) if keeping else self.bids.any_from(least, ctx.rng)
