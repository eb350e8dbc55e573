"""MiCRO: a concession of one bid for each new bid of the other side.

D. de Jonge (2022), "An Analysis of the Linear Bilateral ANAC Domains Using the MiCRO Benchmark Strategy",
Proceedings of IJCAI 2022, 223-229.
"""

from bisect import bisect_left

from pydantic import BaseModel, Field

from negoplatform.agent_api import Bidder, IndexStrategy, keeps


class MiCRO(Bidder):
    """Makes a new, smaller demand for each new offer from the other side, and none otherwise.

    It goes down its bids from the best, one by one. If it has made no more different proposals than the
    other, it makes its next one; otherwise it repeats one of its own at random. It accepts any offer at least
    as good as the lowest bid that it is ready to make now. It never goes below its reservation value.

    Of bids of equal utility those that the other has already made come first; the rest come in an order that
    never varies. Of a game with more than 20,000 outcomes it walks a sample (see ``Bids``). At a table of
    several it counts the offers of the seat that has made the fewest. A partial offer is not counted unless
    the game allows partial deals; it is answered with a proposal that keeps its terms, if there is one among
    those that may be made then.
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
        self.place = 0
        self.own = {}  # in the order in which they were made
        self.heard = {}

    def on_game_start(self, ctx, event):
        self.others = ctx.game.others(ctx.seat)
        return super().on_game_start(ctx, event)

    def hear(self, ctx, sender, offer):
        """Note an offer under its points, to prefer it to other bids with as many."""
        self.heard.setdefault(ctx.utility(offer), {})[offer] = None

    def next_bid(self, ctx, answered):
        new = self.new_bid(ctx)
        if new is not None:
            self.own[new] = None
            return new
        own = list(self.own)
        keeping = [bid for bid in own if keeps(bid, answered)]
        return ctx.rng.choice(keeping or own) if own else None

    def least(self, ctx):
        lowest = self.new_bid(ctx)
        if lowest is None:
            lowest = next(reversed(self.own), None)
        return ctx.least_points if lowest is None else ctx.utility(lowest)

    def new_bid(self, ctx):
        """Return the next new bid; None if the others have not made enough for one, or if all are made."""
        if len(self.own) > min(self.distinct_offers(seat) for seat in self.others):
            return None
        if not self.descending_bids:  # it may have to answer an offer before it has made one
            self.descending_bids = list(self.bids.downwards(ctx.least_points))
        while self.place < len(self.descending_bids) and self.descending_bids[self.place] in self.own:
            self.place += 1
        if self.place == len(self.descending_bids):
            return None
        following = self.descending_bids[self.place]
        equal = self.heard.get(ctx.utility(following), ())
        if following in equal:
            return following
        return next((bid for bid in equal if bid not in self.own), following)

    def index_strategy(self, outcomes):
        """Return the same decisions by indices of outcomes."""
        return MiCROByIndex(outcomes)


class MiCROByIndex(IndexStrategy):
    """MiCRO by indices of outcomes, for two seats."""

    def __init__(self, outcomes):
        super().__init__(outcomes)
        first = bisect_left(outcomes.ranked_points, outcomes.reservation_value)
        self.descending = outcomes.ranked[first:][::-1]

    def reset(self, rng):
        super().reset(rng)
        self.place = 0
        self.own = {}  # in the order in which they were made
        self.heard = {}
        self.distinct = set()
        self.following = None  # the next new bid, in a list of its own, until something changes

    def hear(self, index):
        self.following = None
        self.distinct.add(index)
        self.heard.setdefault(self.outcomes.points[index], {})[index] = None

    def next_bid(self, now, made):
        (new,) = self.following or self.find_following()
        if new is not None:
            self.following = None
            self.own[new] = None
            return new
        return self.rng.choice(list(self.own)) if self.own else None

    def least(self, now, made):
        (lowest,) = self.following or self.find_following()
        if lowest is None:
            lowest = next(reversed(self.own), None)
        return self.outcomes.reservation_value if lowest is None else self.outcomes.points[lowest]

    def find_following(self):
        self.following = [self.new_bid()]
        return self.following

    def new_bid(self):
        own, descending = self.own, self.descending
        if len(own) > len(self.distinct):
            return None
        place = self.place
        while place < len(descending) and descending[place] in own:
            place += 1
        self.place = place
        if place == len(descending):
            return None
        following = descending[place]
        equal = self.heard.get(self.outcomes.points[following])
        if not equal or following in equal:
            return following
        return next((bid for bid in equal if bid not in own), following)
