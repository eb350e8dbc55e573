"""Concession by the clock alone.

Faratin, Sierra and Jennings (1998), "Negotiation decision functions for autonomous agents", Robotics and
Autonomous Systems 24, 159-182.

At time t of a deadline T the agent has conceded the share alpha(t) of the way from its best outcome to its
reservation value, or to its worst outcome where that is worth more. The paper has two families, with the
exponent beta and the share k that is conceded at the start:

- polynomial: ``alpha(t) = k + (1 - k) * (t / T) ** (1 / beta)``;
- exponential: ``alpha(t) = exp((1 - t / T) ** beta * ln(k))``, for k above 0.

With an exponent below 1 the polynomial concedes late (Boulware), with 1 linearly, above 1 early (conceder).
The exponential with the same exponent waits longer before it concedes. No agent offers or accepts less than
its reservation value.
"""

from math import exp, log
from typing import Literal

from pydantic import BaseModel, Field, model_validator

from negoplatform.agent_api import Bidder, IndexStrategy, MessageSubtype

__all__ = ["Boulware", "Conceder", "Linear"]

NO_DEADLINE_SECONDS = 600
"""Deadline that the agent assumes in a game without one."""

TOLERANCE = 1e-9
"""Share of the range by which a bid may miss the target, so that rounding does not exclude an exact hit."""

MOST_KNOWN_MOMENTS = 100_000
"""Moments of which the target is kept for the games that follow."""


def exponent_field(usual):
    return Field(
        usual, gt=0, title="Concession exponent", description="Below 1 it gives in late, above 1 early."
    )


class TimeDependent(Bidder):
    """Concedes by the clock, whatever the other does.

    While no other seat answers its offer, it makes a lower one as soon as its target has sunk below that
    offer; not where the number of offers is limited, as that would use up the others'. At a table of several
    it answers an offer when it is next, or when those before it are silent.
    """

    default_name = "Robin"
    """Name where the settings give none."""

    class Settings(BaseModel):
        exponent: float = exponent_field(1.0)
        k: float = Field(
            0.0, ge=0, le=1, title="Given up at the start", description="As a share of its range."
        )
        family: Literal["polynomial", "exponential"] = Field(
            "polynomial",
            title="Curve",
            description="Exponential waits longer; it needs something given up at the start.",
        )
        quiet: bool = Field(False, title="Offers only", description="No words and no faces.")

        @model_validator(mode="after")
        def exponential_begins_above_zero(self):
            if self.family == "exponential" and not self.k:
                raise ValueError("the family exponential needs a setting 'k' above 0, such as 0.05")
            return self

    greeting = "Hello! Here is what I have in mind."
    refusals = (
        "That is not enough for me.",
        "I would need more than that.",
        "Not yet. This is what I ask for now.",
        "I cannot take that. Here is mine.",
        "That leaves me with too little.",
        "No, but this would do.",
    )
    comment_subtype = MessageSubtype.OFFER_REJECT
    completion = None
    leaves_stalemate = False

    def configure(self, config):
        super().configure(config)
        self.exponent, self.k = self.settings.exponent, self.settings.k

    def get_name(self):
        return self.get_config("name", self.default_name)

    def on_game_start(self, ctx, event):
        self.deadline = ctx.game.rules.deadline_seconds or NO_DEADLINE_SECONDS
        self.demanded = None, 0
        return super().on_game_start(ctx, event)

    def least(self, ctx):
        target = self.target(ctx)
        self.demanded = ctx, target
        return target

    def next_bid(self, ctx, answered):
        asked_in, target = self.demanded
        if asked_in is not ctx:  # mostly the question of the same moment comes before
            target = self.target(ctx)
        return None if self.bids.highest < target else self.bids.near(target, ctx.rng)

    def bids_again(self, ctx):
        if ctx.remaining_offers is not None:
            return False
        return ctx.utility(self.bids.near(self.target(ctx), ctx.rng)) < ctx.get_agent_utility()

    def on_game_end(self, ctx, event):
        """Say nothing more."""
        return []

    def target(self, ctx):
        """Return the points that the agent demands now, never below its reservation value."""
        time = (
            ctx.progress if ctx.remaining_offers is not None else min(1.0, ctx.elapsed_time / self.deadline)
        )
        return self.target_at(time, self.bids.highest, max(self.bids.lowest, ctx.least_points))

    def target_at(self, time, best, worst):
        """Return the points demanded at a time, 0 to 1, between the points of its best and worst outcome."""
        return max(best - (self.conceded(time) + TOLERANCE) * (best - worst), worst)

    def conceded(self, time):
        """Return the share of the way from best to worst that is conceded at a time, all from 0 to 1."""
        if self.settings.family == "exponential":
            return exp((1 - time) ** self.exponent * log(self.k))
        return self.k + (1 - self.k) * time ** (1 / self.exponent)

    def index_strategy(self, outcomes):
        """Return the same decisions by indices of outcomes."""
        return ByTime(self, outcomes)


class ByTime(IndexStrategy):
    """Concession by the clock in closed form.

    The target and its nearest outcomes depend on the moment alone: they are computed once for each, and serve
    all opponents and all games.
    """

    def __init__(self, agent, outcomes):
        super().__init__(outcomes)
        self.agent = agent
        self.deadline = outcomes.rules.deadline_seconds or NO_DEADLINE_SECONDS
        self.most_offers = outcomes.rules.deadline_offers
        self.breaks_silence = self.most_offers is None
        self.worst = max(outcomes.lowest, outcomes.reservation_value)
        self.known = {}

    def moment(self, now, made):
        """Return the target, and the first and the last place of the outcomes nearest to it."""
        most = self.most_offers
        if len(self.known) >= MOST_KNOWN_MOMENTS:
            self.known.clear()
        time = min(1.0, now / self.deadline if most is None else made / most)
        target = self.agent.target_at(time, self.outcomes.highest, self.worst)
        found = self.known[now if most is None else made] = (target, *self.outcomes.span(target))
        return found

    def least(self, now, made):
        moment = self.known.get(now if self.most_offers is None else made)
        return (moment or self.moment(now, made))[0]

    def next_bid(self, now, made):
        moment = self.known.get(now if self.most_offers is None else made)
        target, start, end = moment or self.moment(now, made)
        if self.outcomes.highest < target:
            return None
        return self.outcomes.ranked[start if end - start == 1 else self.rng.randrange(start, end)]

    def clock_span(self, now):
        return None if self.most_offers is not None else self.known.get(now) or self.moment(now, 0)

    def bids_again(self, now, made, own):
        _, start, end = self.known.get(now) or self.moment(now, made)
        place = start if end - start == 1 else self.rng.randrange(start, end)
        return self.outcomes.points[self.outcomes.ranked[place]] < self.outcomes.points[own]


class Boulware(TimeDependent):
    """Holds out for long and gives in late: concession by the clock with exponent 0.2."""

    default_name = "Jules"

    class Settings(TimeDependent.Settings):
        exponent: float = exponent_field(0.2)


class Linear(TimeDependent):
    """Gives way at a steady pace: concession by the clock with exponent 1."""

    default_name = "Tal"


class Conceder(TimeDependent):
    """Gives way early: concession by the clock with exponent 5."""

    default_name = "Mika"

    class Settings(TimeDependent.Settings):
        exponent: float = exponent_field(5.0)
