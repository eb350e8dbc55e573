"""Concession by the clock alone.

Faratin, Sierra and Jennings (1998), "Negotiation decision functions for autonomous agents", Robotics and
Autonomous Systems 24, 159-182.

The share of the way from best to worst that is conceded at time t of a deadline T is
``k + (1 - k) * (t / T) ** (1 / exponent)``. With an exponent below 1 it concedes late (Boulware), with
1 linearly, above 1 early (conceder). No agent offers or accepts less than its reservation value.
"""

from dataclasses import replace

from pydantic import BaseModel, Field

from negoplatform.agent_api import (
    OTHERS_FIRST_MS,
    AnswerOrder,
    Bids,
    Expression,
    FormalAccept,
    MessageSubtype,
    NegotiationAgent,
    Schedule,
    SendExpression,
    SendMessage,
    SendOffer,
)

__all__ = ["Boulware", "Conceder", "Linear"]

NO_DEADLINE_SECONDS = 600
"""Deadline that the agent assumes in a game without one."""

REFUSALS = (
    "That is not enough for me.",
    "I would need more than that.",
    "Not yet. This is what I ask for now.",
    "I cannot take that. Here is mine.",
    "That leaves me with too little.",
    "No, but this would do.",
)
"""Messages with a bid that answers an offer, one after the other."""


def exponent_field(usual):
    return Field(
        usual, gt=0, title="Concession exponent", description="Below 1 it gives in late, above 1 early."
    )


OPENING_MS = 1500.0
"""Milliseconds until the first of several seats opens, as with two."""


class TimeDependent(NegotiationAgent):
    """Concedes by the clock, whatever the other does.

    At a table of several it answers an offer when it is next, or when those before it are silent.
    """

    default_name = "Robin"
    """Name where the settings give none."""

    class Settings(BaseModel):
        exponent: float = exponent_field(1.0)
        k: float = Field(
            0.0, ge=0, le=1, title="Given up at the start", description="As a share of its range."
        )
        quiet: bool = Field(False, title="Offers only", description="No words and no faces.")

    def configure(self, config):
        super().configure(config)
        self.exponent, self.k, self.quiet = self.settings.exponent, self.settings.k, self.settings.quiet

    def get_name(self):
        return self.get_config("name", self.default_name)

    def reset(self):
        self.bids = None
        self.bid_after, self.droppable = None, False
        self.refused = 0
        self.order = AnswerOrder()

    def on_game_start(self, ctx, event):
        self.bids = Bids(ctx)
        self.least = ctx.reservation_value
        self.deadline = ctx.game.rules.deadline_seconds or NO_DEADLINE_SECONDS
        if (delay := self.order.opening_delay_ms(ctx)) > 0:
            return [*self.greet("Hello!"), Schedule(OPENING_MS + delay, self.open)]
        opening = self.bid(ctx, self.target(ctx))
        return [*self.greet("Hello! Here is what I have in mind." if opening else "Hello!"), *opening]

    def greet(self, words):
        return self.say(words, MessageSubtype.GREETING)

    def open(self, ctx):
        """Open at a table of several, unless another seat has done so."""
        if ctx.current_offer_sender is not None:
            return []
        return [replace(step, delay_ms=0) for step in self.bid(ctx, self.target(ctx))]

    def on_send_offer(self, ctx, event):
        self.forget_dropped()
        self.order.record_activity(ctx, event.sender)
        target = self.target(ctx)
        if ctx.get_agent_utility() >= target and ctx.can_formally_accept() and self.order.may_accept(ctx):
            if not self.order.may_speak(ctx):
                return self.accept(ctx)
            face = [] if self.quiet else [SendExpression(Expression.HAPPY)]
            return [*face, *self.say("I can agree to that.", MessageSubtype.OFFER_ACCEPT), *self.accept(ctx)]
        if self.order.waits_for_others(ctx):
            return [Schedule(OTHERS_FIRST_MS, self.answer_late)]
        return self.answer(ctx, target) if self.order.may_answer(ctx) else []

    def answer(self, ctx, target):
        """Return a no and a bid; nothing if a bid is pending."""
        bid = self.bid(ctx, target)
        return bid and [*self.refuse(), *bid]

    def answer_late(self, ctx):
        """Answer the offer on the table at a table of several, once this seat is next."""
        several = len(ctx.game.seats) > 2 and ctx.current_offer_sender not in (None, ctx.seat)
        enough = ctx.can_formally_accept() and self.is_enough(ctx)
        if not several or enough or not self.order.may_answer(ctx):
            return []
        return self.answer(ctx, self.target(ctx))

    def on_send_message(self, ctx, event):
        self.forget_dropped()
        self.order.record_activity(ctx, event.sender)
        return []

    def on_typing(self, ctx, event):
        self.order.record_activity(ctx, event.sender)
        return []

    def on_offer_in_progress(self, ctx, event):
        self.order.record_activity(ctx, event.sender)
        return []

    def on_formal_accept(self, ctx, event):
        """Confirm an accepted offer that is its own or enough by now; answer it if it is next."""
        self.order.record_activity(ctx, event.sender)
        if self.may_accept(ctx):
            return self.accept(ctx)
        # In a game with turns, that acceptance may have passed the turn to the agent.
        return self.answer(ctx, self.target(ctx)) if ctx.turn == ctx.seat else self.answer_late(ctx)

    def on_time(self, ctx, event):
        """Offer again while the other is silent, once the target has sunk below the last bid."""
        if ctx.remaining_time == 0:
            return []
        if ctx.current_offer_sender != ctx.seat:
            pending = self.bid_after == (ctx.own_offer_id or 0)
            late = len(ctx.game.seats) > 2 and not pending and self.may_accept(ctx)
            return self.accept(ctx) if late else self.answer_late(ctx)
        if not self.order.may_offer_again(ctx):
            return []
        target = self.target(ctx)
        sunk = ctx.utility(self.bids.near(target, ctx.rng)) < ctx.get_agent_utility()
        # Dropped if the other moves first, as it would replace the other's new offer.
        return self.bid(ctx, target, may_be_dropped=True) if sunk else []

    def target(self, ctx):
        """Return the points that the agent demands now, never below its reservation value."""
        time = (
            ctx.progress if ctx.remaining_offers is not None else min(1.0, ctx.elapsed_time / self.deadline)
        )
        given_up = self.k + (1 - self.k) * time ** (1 / self.exponent)
        asked = self.bids.highest - given_up * (self.bids.highest - self.bids.lowest)
        return max(asked, self.least)

    def may_accept(self, ctx):
        return ctx.can_formally_accept() and self.is_enough(ctx) and self.order.may_accept(ctx)

    def is_enough(self, ctx):
        return ctx.current_offer_sender == ctx.seat or ctx.get_agent_utility() >= self.target(ctx)

    def accept(self, ctx):
        self.order.record_acceptance(ctx)
        self.bid_after = None
        return [FormalAccept()]

    def say(self, words, subtype):
        return [] if self.quiet else [SendMessage(words, subtype)]

    def refuse(self):
        """Return a no, in other words than the last few times."""
        self.refused += 1
        return self.say(REFUSALS[(self.refused - 1) % len(REFUSALS)], MessageSubtype.OFFER_REJECT)

    def bid(self, ctx, target, may_be_dropped=False):
        """Return an offer at the target.

        None is made if one is pending already, if another seat has the turn, if no offers are left, and if no
        outcome is worth as much.
        """
        turn = ctx.turn
        if (turn is not None and turn != ctx.seat) or ctx.remaining_offers == 0:
            return []
        last = ctx.own_offer_id or 0
        if self.bid_after == last or self.bids.highest < target:
            return []
        self.bid_after, self.droppable = last, may_be_dropped
        return [SendOffer(self.bids.near(target, ctx.rng), delay_ms=500, flushable=may_be_dropped)]

    def forget_dropped(self):
        """Forget a pending bid after the other has moved, which drops it."""
        if self.droppable:
            self.bid_after, self.droppable = None, False


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
