"""Concession in answer to the other's concessions.

Faratin, Sierra and Jennings (1998), "Negotiation decision functions for autonomous agents", Robotics and
Autonomous Systems 24, 159-182, section 4.3.

The paper imitates values of one issue; here the same formulas imitate offers as a whole, in points of the
agent's own utility. The agent's demand is the distance of its target from its worst bid; the other's demand
is the distance of its offer from the agent's best bid. With the other's demands d(1) … d(n) and a window w,
the answer to the n-th offer changes the agent's own demand

- relative: in proportion to one step of the other, ``d(n - w + 1) / d(n - w)``;
- absolute: by as many points as that step, ``d(n - w + 1) - d(n - w)``, and, as in the paper's random
  absolute tactic, less a random amount of up to ``noise`` of the range from worst to best bid, since two
  imitators would otherwise wait for each other;
- averaged: in proportion to the whole change in the window, ``d(n) / d(n - w)``.

The target is kept between the reservation value and the best bid. Where the paper leaves the choice open:
one side has to begin, so the answer to the first offer concedes the share ``first_step`` of the range, and
at least enough for a lower bid; until the window is full, it reaches back as far as it can.
"""

from typing import Literal

from pydantic import BaseModel, Field, model_validator

from negoplatform.agent_api import Bidder, IndexStrategy

MOST_KNOWN_TARGETS = 100_000
"""Targets of which the nearest outcomes are kept for the games that follow."""


class TitForTat(Bidder):
    """Gives way as the other side gives way, and takes back as the other side takes back.

    It opens with its best bid and accepts what is worth its target. A partial offer that cannot be a deal
    changes nothing; it is answered with a bid that keeps its terms, where one is worth the target.
    At a table of several it imitates the seat that has just made an offer, by that seat's own offers.
    """

    class Settings(BaseModel):
        variant: Literal["relative", "absolute", "averaged"] = Field(
            "relative", title="Kind of imitation", description="How it measures what the other gave up."
        )
        window: int = Field(1, ge=1, le=100, title="Offers to look back", description="How many it compares.")
        noise: float = Field(
            0.0, ge=0, le=1, title="Random step", description="Only for absolute: a share of its range."
        )
        first_step: float = Field(
            0.05, ge=0, le=1, title="First concession", description="As a share of its range."
        )
        quiet: bool = Field(False, title="Offers only", description="No words and no faces.")

        @model_validator(mode="after")
        def noise_is_for_absolute(self):
            if self.noise and self.variant != "absolute":
                raise ValueError(f"the setting 'noise' is for the variant absolute, not for {self.variant}")
            return self

    greeting = "Hello! This is where I start. Come towards me, and I come towards you."
    moved = ("You moved, so I move.", "Thank you. Then I can do this:", "I see you coming closer. So do I.")
    stayed = (
        "You stay, so I stay.",
        "I will move when you do.",
        "Give me a little, and I give you a little.",
    )
    took_back = (
        "You took something back. So do I.",
        "That is less than before. Then I ask for more.",
        "You went back a step. I do the same.",
    )

    def configure(self, config):
        super().configure(config)
        self.variant, self.window = self.settings.variant, self.settings.window
        self.noise, self.first_step = self.settings.noise, self.settings.first_step

    def get_name(self):
        return self.get_config("name", "Sasha")

    def reset(self):
        super().reset()
        self.demands = {}
        self.target = float("inf")
        self.step = None

    def least(self, ctx):
        return self.target

    def next_bid(self, ctx, answered):
        self.begin(ctx.reservation_value)
        if self.bids.highest < self.target:
            return None
        if answered.terms and not ctx.can_formally_accept():
            completed = next(self.bids.keeping(answered, self.target), None)
            if completed is not None:
                return completed
        return self.bids.near(self.target, ctx.rng)

    def begin(self, reservation_value):
        """Begin with its best bid, whether it opens or answers first."""
        if self.target == float("inf"):
            self.target = max(self.bids.highest, reservation_value)

    def hear(self, ctx, sender, offer):
        """Adjust the target to a move of the other at once, whether or not there is time to answer."""
        demands = self.demands.setdefault(sender, [])
        self.answer_demand(ctx.utility(offer), demands, ctx.reservation_value, ctx.rng)

    def answer_demand(self, worth, demands, reservation_value, rng):
        """Adjust the target to an offer with this worth of a seat with these earlier demands."""
        self.begin(reservation_value)
        demands.append(self.bids.highest - worth)
        del demands[: -self.window - 1]
        self.step = demands[-2] - demands[-1] if len(demands) > 1 else None
        asked = self.bids.lowest + self.imitated(self.target - self.bids.lowest, demands, rng)
        self.target = max(min(asked, self.bids.highest), reservation_value)

    def imitated(self, demand, demands, rng):
        """Return the agent's next demand, in points above its worst bid; not yet kept within its limits."""
        width = self.bids.highest - self.bids.lowest
        if len(demands) == 1:
            step = self.target - self.bids.below(self.target)
            return demand - (max(step, self.first_step * width) if self.first_step else 0)
        before, after = demands[0], demands[-1 if self.variant == "averaged" else 1]
        if self.variant == "absolute":
            return demand + (after - before) - rng.uniform(0, self.noise * width)
        if before <= 0:
            # No demand: an offer as good as the agent's best, which the other then took back or repeated.
            return width if after > before else demand
        return demand * after / before

    def comment(self, ctx):
        if self.step is None:
            return "This is a first step of mine. Now yours?"
        self.refusals = self.moved if self.step > 0 else self.took_back if self.step < 0 else self.stayed
        return super().comment(ctx)

    def index_strategy(self, outcomes):
        """Return the same decisions by indices of outcomes."""
        return TitForTatByIndex(self, outcomes)


class TitForTatByIndex(IndexStrategy):
    """The same imitation by indices of outcomes."""

    def __init__(self, agent, outcomes):
        super().__init__(outcomes)
        self.agent, agent.bids = agent, outcomes
        self.first_target = max(outcomes.highest, outcomes.reservation_value)
        self.known = {}  # the outcomes nearest to a target, which comes again with other seeds

    def reset(self, rng):
        super().reset(rng)
        self.agent.target, self.demands = self.first_target, []

    def hear(self, index):
        outcomes = self.outcomes
        self.agent.answer_demand(outcomes.points[index], self.demands, outcomes.reservation_value, self.rng)

    def least(self, now, made):
        return self.agent.target

    def next_bid(self, now, made):
        outcomes, target = self.outcomes, self.agent.target
        if outcomes.highest < target:
            return None
        span = self.known.get(target)
        if span is None:
            if len(self.known) >= MOST_KNOWN_TARGETS:
                self.known.clear()
            span = self.known[target] = outcomes.span(target)
        start, end = span
        return outcomes.ranked[start if end - start == 1 else self.rng.randrange(start, end)]
