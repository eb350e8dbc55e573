"""Base class of agents that only bid and accept."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
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
from negoplatform.agent_api.index_strategy import IndexedOutcomes, IndexStrategy
from negoplatform.core.events import Event, Expression, MessageSubtype
from negoplatform.core.mechanisms.bargaining import is_bindable
from negoplatform.domain.errors import AgentError
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points

STALEMATE_LIMIT = 300
"""Answers in a row to offers that bring nothing new, after which a bidder leaves a game without deadline."""

BID_DELAY_MS = 500.0
"""Milliseconds of the pause before a bid."""

OPENING_MS = 1500.0
"""Milliseconds until the first of several seats opens, as with two."""

GREETING = "Hello!"
"""Greeting of an agent that does not open at once."""


class Answer(StrEnum):
    """Answer of a bidder to an offer, besides a bid."""

    ACCEPT = "accept"
    """Acceptance of the offer."""
    LEAVE = "leave"
    """Walking away."""
    OTHERS_FIRST = "others_first"
    """An answer once the others have had the time to; only at a table of several."""


class Bidder(NegotiationAgent):
    """Agent that accepts each offer or answers it with one bid; a subclass overrides two or three methods.

    It opens with a bid and then only answers: never more than one of its offers is pending, and it breaks a
    silence only where :meth:`bids_again` says so. In a game with turns it bids and accepts only in its own.
    Its own formal accept follows when another seat accepts its offer. It leaves a game without a deadline
    after 300 answers in a row to offers that have all been made before.

    At a table of several it answers an offer when it is next (``AnswerOrder``), or when those before it are
    silent.

    As an adviser it answers each offer of the others at once, whatever has become of its advice before, and
    says so when the time has made the offer on the table acceptable.

    Settings: ``quiet`` (true: offers and acceptances alone, no messages and no faces). In a game without talk
    every bidder is quiet. A quiet bidder decides the same, but :meth:`comment` is not called.
    """

    greeting = "Hello! Let us see what suits us both."
    """Message with its first bid, if it opens; otherwise it greets with :data:`GREETING`."""
    refusals: tuple[str, ...] = ("That is not enough for me.",)
    """Messages that go with its bids, one after the other."""
    comment_subtype = MessageSubtype.OFFER_PROPOSE
    """Speech act of these messages."""
    completion: str | None = "A start. With the rest like this?"
    """Message with a bid that keeps all terms of a partial offer; None: the same as with any other bid."""

    leaves_stalemate = True
    """Whether it leaves a game without a deadline in which no new offers come any more."""

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
        self._received_by_id: dict[tuple[Seat, int], Offer] = {}
        self._pending_after_id: int | None = None
        self._may_be_dropped = False
        self._comment_count = 0
        self._repeated_offers = 0
        self._order = AnswerOrder(at_once=self.is_adviser)

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

    def bids_again(self, ctx: AgentContext) -> bool:
        """Return whether a new bid replaces its own offer, which no other seat has answered yet.

        Asked at every tick of the clock while its own offer is on the table. The bid is dropped if another
        seat moves first, whose new offer it would replace. In a game with limited offers, which all seats
        share, it uses up one of them.
        """
        return False

    def index_strategy(self, outcomes: IndexedOutcomes) -> IndexStrategy | None:
        """Return the same decisions by indices of outcomes; None: they are made by this object alone.

        The fast path of ``simulate`` asks for it once and plays games of two such bidders with it: the
        results must be the same. A class that overrides a method of the one that returns it has none.
        """
        return None

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
            return [*self._greet(ctx, GREETING), Schedule(OPENING_MS + delay, self._open)]
        opening = self._offer(ctx, EMPTY_OFFER)
        return [*self._greet(ctx, self.greeting if opening else GREETING), *opening]

    def _greet(self, ctx: AgentContext, words: str) -> list[Action]:
        return self._say(ctx, words, MessageSubtype.GREETING)

    def _open(self, ctx: AgentContext) -> list[Action]:
        """Open at a table of several, unless another seat has done so."""
        if ctx.current_offer_sender is not None:
            return []
        return [replace(step, delay_ms=0) for step in self._offer(ctx, EMPTY_OFFER)]

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Note that another seat speaks, which is no silence."""
        self._forget_dropped()
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
        offer: Offer = event.payload.offer
        answer = self.answer_to_offer(ctx, event.sender, offer)
        if isinstance(answer, Offer):
            if self.quiet or not ctx.game.rules.talk:
                return [SendOffer(answer, delay_ms=BID_DELAY_MS)]
            return [*self._comment_on(ctx, offer, answer), SendOffer(answer, delay_ms=BID_DELAY_MS)]
        match answer:
            case None:
                return []
            case Answer.ACCEPT:
                if not self._order.may_speak(ctx):
                    return [FormalAccept()]
                face = [SendExpression(Expression.HAPPY)] if self._speaks(ctx) else []
                words = self._say(ctx, "I can agree to that.", MessageSubtype.OFFER_ACCEPT)
                return [*face, *words, FormalAccept()]
            case Answer.LEAVE:
                return [*self._say(ctx, "We are going round in circles. I leave it here."), FormalQuit()]
            case Answer.OTHERS_FIRST:
                return [Schedule(OTHERS_FIRST_MS, self._answer_late)]

    def answer_to_offer(self, ctx: AgentContext, sender: Seat, offer: Offer) -> Offer | Answer | None:
        """Decide about an offer of another seat, which is on the table now.

        The fast path of ``simulate`` calls this as well; it holds all that a bidder decides about an offer.

        Returns:
            The bid to answer with, another answer, or None: it does nothing.
        """
        if self._may_be_dropped:
            self._forget_dropped()
        several = len(ctx.seats) > 2  # with two, nothing of the order of answers applies
        if several:
            self._order.record_activity(ctx, sender)
        if ctx.current_offer_is_bindable:
            self._record_offer(sender, offer)
            self.hear(ctx, sender, offer)
        # As in _may_accept, of another seat's offer.
        if (
            ctx.can_formally_accept()
            and ctx.get_agent_utility() >= max(self.least(ctx), ctx.least_points)
            and (not several or self._order.may_accept(ctx))
        ):
            self._note_acceptance(ctx)
            return Answer.ACCEPT
        if (
            self._repeated_offers > STALEMATE_LIMIT
            and self.leaves_stalemate
            and not ctx.game.rules.has_deadline
        ):
            return Answer.LEAVE
        if several and self._order.waits_for_others(ctx):
            return Answer.OTHERS_FIRST
        return self._choose_bid(ctx, offer) if not several or self._order.may_answer(ctx) else None

    def on_formal_accept(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Confirm an accepted offer that is its own or enough; answer it if it is next."""
        self._order.record_activity(ctx, event.sender)
        if self._may_accept(ctx):
            return self._accept(ctx)
        # In a game with turns, that acceptance may have passed the turn to the agent.
        return self._bid(ctx, ctx.current_offer) if ctx.turn == ctx.seat else self._answer_late(ctx)

    def on_time(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Bid again in a silence, or answer an offer that the seats before this one leave unanswered."""
        if ctx.remaining_time == 0 or ctx.current_offer_sender is None:
            return []
        if ctx.current_offer_sender == ctx.seat:
            bid = self.bid_in_silence(ctx)
            return [] if bid is None else [SendOffer(bid, delay_ms=BID_DELAY_MS, flushable=True)]
        if self.is_adviser:
            return self._accept(ctx) if self._may_accept(ctx) else []
        if len(ctx.game.seats) == 2 or self._pending_after_id == self._newest_id(ctx):
            return []
        return self._accept(ctx) if self._may_accept(ctx) else self._answer_late(ctx)

    def bid_in_silence(self, ctx: AgentContext) -> Offer | None:
        """Return a bid in place of its own offer on the table, at a tick of the clock; None: it waits."""
        if not self._order.may_offer_again(ctx) or not self.bids_again(ctx):
            return None
        bid = self._choose_bid(ctx, EMPTY_OFFER)
        self._may_be_dropped = self._may_be_dropped or bid is not None
        return bid

    def _forget_dropped(self) -> None:
        """Forget a pending bid that another seat's move has dropped."""
        if self._may_be_dropped:
            self._pending_after_id, self._may_be_dropped = None, False

    def _answer_late(self, ctx: AgentContext) -> list[Action]:
        """Answer the offer on the table, once this seat is next; only where there are more than two seats."""
        if len(ctx.game.seats) == 2 or not self._may_refuse(ctx) or not self._order.may_answer(ctx):
            return []
        return self._bid(ctx, ctx.current_offer)

    def on_game_end(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Say goodbye."""
        agreed = event.payload.is_signed_by(ctx.seat)
        words = "Thank you. I am glad that we agree." if agreed else "A pity. Perhaps another time."
        return self._say(ctx, words, MessageSubtype.FAREWELL)

    def _record_offer(self, sender: Seat, offer: Offer) -> None:
        # Mostly the very object that came before: comparing offers costs more than all the rest.
        if self._received_by_id.get((sender, id(offer))) is offer:
            self._repeated_offers += 1
            return
        self._received_by_id[sender, id(offer)] = offer
        known = self._received_offers.setdefault(sender, set())
        self._repeated_offers = self._repeated_offers + 1 if offer in known else 0
        known.add(offer)

    def _is_acceptable(self, ctx: AgentContext) -> bool:
        if ctx.current_offer_sender == ctx.seat:
            return True
        return ctx.get_agent_utility() >= max(self.least(ctx), ctx.least_points)

    def _may_accept(self, ctx: AgentContext) -> bool:
        return ctx.can_formally_accept() and self._is_acceptable(ctx) and self._order.may_accept(ctx)

    def _may_refuse(self, ctx: AgentContext) -> bool:
        """Return whether there is an offer of another seat on the table that is not good enough."""
        enough = ctx.can_formally_accept() and self._is_acceptable(ctx)
        return ctx.current_offer_sender not in (None, ctx.seat) and not enough

    def _accept(self, ctx: AgentContext) -> list[Action]:
        self._note_acceptance(ctx)
        return [FormalAccept()]

    def _note_acceptance(self, ctx: AgentContext) -> None:
        self._order.record_acceptance(ctx)
        self._pending_after_id = None

    def _bid(self, ctx: AgentContext, answered: Offer) -> list[Action]:
        """Return a comment and a bid; nothing if it makes none."""
        return [
            action
            for step in self._offer(ctx, answered)
            for action in (*self._comment_on(ctx, answered, step.offer), step)
        ]

    def _offer(self, ctx: AgentContext, answered: Offer) -> list[SendOffer]:
        bid = self._choose_bid(ctx, answered)
        return [] if bid is None else [SendOffer(bid, delay_ms=BID_DELAY_MS)]

    def _choose_bid(self, ctx: AgentContext, answered: Offer) -> Offer | None:
        """Return the bid to make.

        None if one is pending, another seat has the turn, no offers are left, or it makes none.
        """
        if not ctx.may_move():
            return None
        last_id = self._newest_id(ctx)
        if self._pending_after_id == last_id:
            return None
        bid = self.next_bid(ctx, answered)
        if bid is None or ctx.utility(bid) < ctx.least_points:
            return None
        self._pending_after_id, self._may_be_dropped = last_id, False
        return bid

    def _newest_id(self, ctx: AgentContext) -> int:
        """Return the number of the offer after which one bid is made: its own; as an adviser, anybody's."""
        return (ctx.current_offer_id if self.is_adviser else ctx.own_offer_id) or 0

    def _comment_on(self, ctx: AgentContext, answered: Offer, bid: Offer) -> list[Action]:
        if not self._speaks(ctx) or answered == EMPTY_OFFER:
            return []
        kept = self.completion is not None and not is_bindable(ctx.game, answered) and keeps(bid, answered)
        return self._say(ctx, (kept and self.completion) or self.comment(ctx), self.comment_subtype)

    def _speaks(self, ctx: AgentContext) -> bool:
        return not self.quiet and ctx.game.rules.talk

    def _say(
        self, ctx: AgentContext, words: str, subtype: MessageSubtype = MessageSubtype.GENERIC
    ) -> list[Action]:
        return [SendMessage(words, subtype)] if self._speaks(ctx) else []
