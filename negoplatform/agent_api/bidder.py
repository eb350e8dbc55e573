"""Base class of agents that only bid and accept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from negoplatform.agent_api.actions import (
    Action,
    FormalAccept,
    FormalQuit,
    Schedule,
    SendExpression,
    SendMessage,
    SendOffer,
)
from negoplatform.agent_api.answer_order import OTHERS_FIRST_MS, AnswerOrder
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.bids import Bids, keeps
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, Expression, MessageSubtype
from negoplatform.core.mechanisms.bargaining import is_bindable
from negoplatform.domain.errors import AgentError
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points

STALEMATE_LIMIT = 300
"""Answers in a row to offers that bring nothing new, after which a bidder leaves a game without deadline."""

OPENING_MS = 1500.0
"""Milliseconds until the first of several seats opens, as with two."""

GREETING = "Hello!"
"""Greeting of an agent that does not open at once."""


class Bidder(NegotiationAgent):
    """Agent that accepts each offer or answers it with one bid; a subclass overrides two or three methods.

    It opens with a bid and then only answers: never more than one of its offers is pending, and it never
    breaks a silence. In a game with turns it bids and accepts only in its own. Its own formal accept follows
    when another seat accepts its offer. It leaves a game without a deadline after 300 answers in a row to
    offers that have all been made before.

    At a table of several it answers an offer when it is next (``AnswerOrder``), or when those before it are
    silent.

    Settings: ``quiet`` (true: offers and acceptances alone, no messages and no faces).
    """

    greeting = "Hello! Let us see what suits us both."
    """Message with its first bid, if it opens; otherwise it greets with :data:`GREETING`."""
    refusals: tuple[str, ...] = ("That is not enough for me.",)
    """Messages that go with its bids, one after the other."""
    completion = "A start. With the rest like this?"
    """Message with a bid that keeps all terms of a partial offer."""

    quiet = False
    bids: Bids

    def configure(self, config: dict[str, Any]) -> None:
        """Read the setting ``quiet``.

        Raises:
            AgentError: If it is neither true nor false.
        """
        super().configure(config)
        self.quiet = self.get_config("quiet", False)
        if not isinstance(self.quiet, bool):
            raise AgentError(f"The setting 'quiet' is true or false, not {self.quiet!r}.")

    def reset(self) -> None:
        """Reset the agent's state."""
        self._received_offers: dict[Seat, set[Offer]] = {}
        self._pending_after_id: int | None = None
        self._comment_count = 0
        self._repeated_offers = 0
        self._order = AnswerOrder()

    def least(self, ctx: AgentContext) -> Points:
        """Return the least points that it accepts now; it never accepts less than the reservation value."""
        raise AgentError(f"{type(self).__name__} does not say how little it takes; write least(…, ctx).")

    def next_bid(self, ctx: AgentContext, answered: Offer) -> Offer | None:
        """Return the bid to make now; None, or a bid below the reservation value, makes none.

        Args:
            ctx: The agent's context.
            answered: The offer that it answers; the empty offer at the opening.
        """
        raise AgentError(
            f"{type(self).__name__} does not say what it bids; write next_bid(self, ctx, answered)."
        )

    def hear(self, ctx: AgentContext, sender: Seat, offer: Offer) -> None:
        """Observe an offer that could be a deal, before :meth:`least` is called for it."""

    def comment(self, ctx: AgentContext) -> str:
        """Return the message with a bid that answers an offer."""
        self._comment_count += 1
        return self.refusals[(self._comment_count - 1) % len(self.refusals)]

    def distinct_offers(self, seat: Seat) -> int:
        """Return how many different offers a seat has made that could be a deal."""
        return len(self._received_offers.get(seat, ()))

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Greet and open."""
        self.bids = Bids(ctx)
        if (delay := self._order.opening_delay_ms(ctx)) > 0:
            return [*self._greet(GREETING), Schedule(OPENING_MS + delay, self._open)]
        opening = self._bid(ctx, EMPTY_OFFER)
        return [*self._greet(self.greeting if opening else GREETING), *opening]

    def _greet(self, words: str) -> list[Action]:
        return self._say(words, MessageSubtype.GREETING)

    def _open(self, ctx: AgentContext) -> list[Action]:
        """Open at a table of several, unless another seat has done so."""
        if ctx.current_offer_sender is not None:
            return []
        script = self._bid(ctx, EMPTY_OFFER)
        return [replace(step, delay_ms=0) for step in script if isinstance(step, SendOffer)]

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Note that another seat speaks, which is no silence."""
        self._order.record_activity(ctx, event.sender)
        return []

    def on_typing(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Note that another seat types."""
        self._order.record_activity(ctx, event.sender)
        return []

    def on_offer_in_progress(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Note that another seat builds an offer."""
        self._order.record_activity(ctx, event.sender)
        return []

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Accept, or answer with a bid."""
        self._order.record_activity(ctx, event.sender)
        offer = event.get_offer()
        if is_bindable(ctx.game, offer):
            self._record_offer(event.sender, offer)
            self.hear(ctx, event.sender, offer)
        if self._may_accept(ctx):
            if not self._order.may_speak(ctx):
                return self._accept(ctx)
            face = [] if self.quiet else [SendExpression(Expression.HAPPY)]
            words = self._say("I can agree to that.", MessageSubtype.OFFER_ACCEPT)
            return [*face, *words, *self._accept(ctx)]
        if self._repeated_offers > STALEMATE_LIMIT and not ctx.game.rules.has_deadline:
            return [*self._say("We are going round in circles. I leave it here."), FormalQuit()]
        if self._order.waits_for_others(ctx):
            return [Schedule(OTHERS_FIRST_MS, self._answer_late)]
        return self._bid(ctx, offer) if self._order.may_answer(ctx) else []

    def on_formal_accept(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Confirm an accepted offer that is its own or enough; answer it if it is next."""
        self._order.record_activity(ctx, event.sender)
        if self._may_accept(ctx):
            return self._accept(ctx)
        # In a game with turns, that acceptance may have passed the turn to the agent.
        return self._bid(ctx, ctx.current_offer) if ctx.turn == ctx.seat else self._answer_late(ctx)

    def on_time(self, ctx: AgentContext, event: Event) -> list[Action]:
        """At a table of several, answer an offer that the seats before this one leave unanswered."""
        if len(ctx.game.seats) == 2 or ctx.current_offer_sender is None or ctx.remaining_time == 0:
            return []
        if self._pending_after_id == (ctx.own_offer_id or 0):
            return []
        return self._accept(ctx) if self._may_accept(ctx) else self._answer_late(ctx)

    def _answer_late(self, ctx: AgentContext) -> list[Action]:
        """Answer the offer on the table, once this seat is next; only where there are more than two seats."""
        if len(ctx.game.seats) == 2 or not self._order.may_answer(ctx) or not self._may_refuse(ctx):
            return []
        return self._bid(ctx, ctx.current_offer)

    def on_game_end(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Say goodbye."""
        agreed = event.payload.is_signed_by(ctx.seat)
        words = "Thank you. I am glad that we agree." if agreed else "A pity. Perhaps another time."
        return self._say(words, MessageSubtype.FAREWELL)

    def _record_offer(self, sender: Seat, offer: Offer) -> None:
        known = self._received_offers.setdefault(sender, set())
        self._repeated_offers = self._repeated_offers + 1 if offer in known else 0
        known.add(offer)

    def _is_acceptable(self, ctx: AgentContext) -> bool:
        if ctx.current_offer_sender == ctx.seat:
            return True
        return ctx.get_agent_utility() >= max(self.least(ctx), ctx.reservation_value)

    def _may_accept(self, ctx: AgentContext) -> bool:
        return ctx.can_formally_accept() and self._is_acceptable(ctx) and self._order.may_accept(ctx)

    def _may_refuse(self, ctx: AgentContext) -> bool:
        """Return whether there is an offer of another seat on the table that is not good enough."""
        enough = ctx.can_formally_accept() and self._is_acceptable(ctx)
        return ctx.current_offer_sender not in (None, ctx.seat) and not enough

    def _accept(self, ctx: AgentContext) -> list[Action]:
        self._order.record_acceptance(ctx)
        self._pending_after_id = None
        return [FormalAccept()]

    def _bid(self, ctx: AgentContext, answered: Offer) -> list[Action]:
        """Return a comment and a bid.

        Nothing if a bid is pending already, another seat has the turn, or no offers are left.
        """
        if ctx.turn not in (None, ctx.seat) or ctx.remaining_offers == 0:
            return []
        last = ctx.get_last_offer()
        last_id = last["offer_id"] if last else 0
        if self._pending_after_id == last_id:
            return []
        bid = self.next_bid(ctx, answered)
        if bid is None or ctx.utility(bid) < ctx.reservation_value:
            return []
        self._pending_after_id = last_id
        words: list[Action] = []
        if answered != EMPTY_OFFER:
            kept = not is_bindable(ctx.game, answered) and keeps(bid, answered)
            words = self._say(self.completion if kept else self.comment(ctx), MessageSubtype.OFFER_PROPOSE)
        return [*words, SendOffer(bid, delay_ms=500)]

    def _say(self, words: str, subtype: MessageSubtype = MessageSubtype.GENERIC) -> list[Action]:
        return [] if self.quiet else [SendMessage(words, subtype)]
