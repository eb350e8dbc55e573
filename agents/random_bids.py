"""Bids by chance: the agent that every other one should do better than."""

from bisect import bisect_left

from pydantic import BaseModel, Field

from negoplatform.agent_api import Bidder, IndexStrategy


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
        return self.least_of(self.bids.lowest, self.bids.highest, ctx.least_points)

    def least_of(self, lowest, highest, reservation_value):
        return max(lowest + self.settings.least * (highest - lowest), reservation_value)

    def next_bid(self, ctx, answered):
        least = self.least(ctx)
        keeping = list(self.bids.keeping(answered, least)) if answered.terms else []
        return ctx.rng.choice(keeping) if keeping else self.bids.any_from(least, ctx.rng)

    def index_strategy(self, outcomes):
        """Return the same decisions by indices of outcomes."""
        return RandomByIndex(self, outcomes)


class RandomByIndex(IndexStrategy):
    """Random bids by indices of outcomes."""

    def __init__(self, agent, outcomes):
        super().__init__(outcomes)
        self.enough = agent.least_of(outcomes.lowest, outcomes.highest, outcomes.reservation_value)
        self.first = bisect_left(outcomes.ranked_points, self.enough)

    def least(self, now, made):
        return self.enough

    def next_bid(self, now, made):
        ranked = self.outcomes.ranked
        return ranked[self.rng.randrange(self.first, len(ranked))] if self.first < len(ranked) else None
