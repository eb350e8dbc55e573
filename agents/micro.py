"""MiCRO: a concession of one bid for each new bid of the other side.

D. de Jonge (2022), "An Analysis of the Linear Bilateral ANAC Domains Using the MiCRO Benchmark Strategy",
Proceedings of IJCAI 2022, 223-229.
"""

from pydantic import BaseModel, Field

from negoplatform.agent_api import Bidder, keeps


class MiCRO(Bidder):
    """Makes a new, smaller demand for each new offer from the other side, and none otherwise.

    It goes down its bids from the best, one by one. If it has made no more different proposals than the
    other, it makes its next one; otherwise it repeats one of its own at random. It accepts any offer at least
    as good as the lowest bid that it is ready to make now. It never goes below its reservation value.

    Bids of equal utility come in an order that never varies. Of a game with more than 20,000 outcomes it
    walks a sample (see ``Bids``). At a table of several it counts the offers of the seat that has made the
    fewest. A partial offer is not counted unless the game allows partial deals; it is answered with a
    proposal that keeps its terms, if there is one among those that may be made then.
    """

    class Settings(BaseModel):
        quiet: bool = Field(False, title="Offers only", description="No words and no faces.")

    greeting = "Hello! Here is what I would like best. A new offer of yours gets a new one of mine."
    refusals = (
        "Here is my answer to that.",
        "That is not enough yet. How about this?",
        "I would rather have it like this.",
        "Step by step. This is where I am now.",
    )

    def get_name(self):
        return self.get_config("name", "Noa")

    def reset(self):
        super().reset()
        self.descending_bids = []
        self.proposals = 0

    def on_game_start(self, ctx, event):
        self.others = ctx.game.others(ctx.seat)
        return super().on_game_start(ctx, event)

    def next_bid(self, ctx, answered):
        self.list_bids(ctx)
        if self.concedes():
            self.proposals += 1
            return self.descending_bids[self.proposals - 1]
        own = self.descending_bids[: self.proposals]
        keeping = [bid for bid in own if keeps(bid, answered)]
        return ctx.rng.choice(keeping or own) if own else None

    def least(self, ctx):
        self.list_bids(ctx)
        if not self.descending_bids:
            return ctx.reservation_value
        made = self.proposals if self.concedes() else max(self.proposals, 1) - 1
        return ctx.utility(self.descending_bids[made])

    def list_bids(self, ctx):
        """List the bids once: it may have to answer an offer before it has made one."""
        if not self.descending_bids:
            self.descending_bids = list(self.bids.downwards(ctx.reservation_value))

    def concedes(self):
        """Return whether the next proposal is a new one."""
        received = min(self.distinct_offers(seat) for seat in self.others)
        return self.proposals <= received and self.proposals < len(self.descending_bids)
