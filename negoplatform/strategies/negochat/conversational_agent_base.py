"""Conversation of the agents of this family: sentences, offers, signatures, notes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from negoplatform.agent_api.actions import Action, FormalAccept, ProposeChange, Schedule, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Expression, MessageSubtype
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer
from negoplatform.language.generation import offer_in_words, title_in_words, value_in_words
from negoplatform.strategies.conversation_helpers import ASKS, time_left
from negoplatform.strategies.negochat.bid_space import Bid, BidTerms
from negoplatform.strategies.negochat.message_builder import NegoChatMessageBuilder
from negoplatform.strategies.negochat.negotiation_model_builder import NegotiationModel
from negoplatform.strategies.negochat.opponent_intent import OpponentMessage

SIGN_DELAY_MS = 1500
"""Milliseconds between sending the agreed terms and accepting them formally."""

BINDING_SECONDS = 2.0
"""Seconds after the decision for a formal accept in which it sends nothing that would replace the offer."""

MAX_REPEATED_PARTIAL_OFFERS = 2
"""Times that the same partial offer is made in a turn, at most."""

MAX_REMINDERS = 3
"""Reminders in all, at most, that it has accepted an offer and waits for the other to do so."""

Script = list[Action]
M = MessageSubtype


class ConversationalAgent(NegotiationAgent):
    """Agent that can say, offer, accept, sign and note down; a subclass decides what and when."""

    model: NegotiationModel
    _messages: NegoChatMessageBuilder

    def reset(self) -> None:
        """Reset the state of the last negotiation."""
        self._sent: Counter[Offer] = Counter()
        self._noted_belief: dict[str, Any] = {}
        self._accepted_offer_id: int | None = None
        self._bound_until = 0.0
        self._reminder_count = 0

    def say(self, ctx: AgentContext, kind: str, subtype: MessageSubtype, **slots: object) -> Script:
        """Return a sentence of a kind that it has not yet said twice; nothing if there is none left."""
        return self._messages.say(kind, subtype, ctx.rng, slots)

    def offer(self, ctx: AgentContext, offer: Offer) -> Script:
        """Return an offer, unless it is on the table already, or is a partial one made too often.

        A repeated partial offer does not replace a whole one of the other, which may still be accepted.
        """
        stands = ctx.current_offer_sender == ctx.seat and ctx.current_offer == offer
        complete = ctx.game.is_complete(offer)
        binding = self._accepted_offer_id == ctx.current_offer_id and ctx.elapsed_time < self._bound_until
        often = 1 if ctx.game.is_complete(ctx.current_offer) else MAX_REPEATED_PARTIAL_OFFERS
        if not offer.terms or stands or binding or (not complete and self._sent[offer] >= often):
            return []
        if complete and ctx.utility(offer) < ctx.reservation_value:
            return []
        self._sent[offer] += 1
        return [SendOffer(offer)]

    def accept(self, ctx: AgentContext) -> Script:
        """Formally accept the offer on the table."""
        words = self.say(ctx, "accept_offer", M.OFFER_ACCEPT)
        return [*self.show_expression(Expression.HAPPY), *words, *self.formally_accept(ctx)]

    def formally_accept(self, ctx: AgentContext, *, reminder_sent: bool = False) -> Script:
        """Return a formal accept of the offer on the table, once; nothing if it cannot be accepted.

        Args:
            ctx: The context.
            reminder_sent: Whether it has just asked the other to do the same.
        """
        if not ctx.can_formally_accept() or self._accepted_offer_id == ctx.current_offer_id:
            return []
        self._reminder_count = int(reminder_sent)
        self._accepted_offer_id, self._bound_until = ctx.current_offer_id, ctx.elapsed_time + BINDING_SECONDS
        return [FormalAccept()]

    def has_accepted_standing_offer(self, ctx: AgentContext) -> bool:
        """Return whether it has formally accepted the offer on the table, and the other has not yet."""
        return self._accepted_offer_id is not None and self._accepted_offer_id == ctx.current_offer_id

    def remind(self, ctx: AgentContext) -> Script:
        """Say that only the other's formal accept is missing; three times in all for one offer."""
        if self._reminder_count >= MAX_REMINDERS:
            return []
        self._reminder_count += 1
        return self.say(ctx, "yours_missing", M.TIMING)

    def sign_agreement(self, ctx: AgentContext, bid: Bid, kind: str = "all_agreed") -> Script:
        """Sign a complete agreement: say so, send it as one offer and accept it."""
        offer = self.model.space.offer(bid)
        words = [*self.show_expression(Expression.HAPPY), *self.say(ctx, kind, M.OFFER_PROPOSE)]
        if ctx.current_offer == offer and ctx.can_formally_accept():
            return [*words, *self.formally_accept(ctx, reminder_sent=True)]
        return [*words, *self.offer(ctx, offer), Schedule(SIGN_DELAY_MS, self._confirm)]

    def show_expression(self, expression: Expression) -> Script:
        """Return an emotion."""
        return self._messages.show(expression)

    def offer_text(self, ctx: AgentContext, offer: Offer) -> str:
        """Return an offer in the agent's language."""
        return offer_in_words(offer, ctx.game, ctx.seat, language=self.settings.language)

    def terms_text(self, ctx: AgentContext, terms: BidTerms) -> str:
        """Return some terms in the agent's language."""
        return self.offer_text(ctx, self.model.space.offer(terms))

    def title(self, ctx: AgentContext, issue: int) -> str:
        """Return the name of an issue within a sentence."""
        return title_in_words(ctx.issues[issue], self.settings.language)

    def state_preferred_term(self, ctx: AgentContext, kind: str, issue: int, level: int) -> Script:
        """State its preferred term of an issue, or that the other may have it all if that is nothing."""
        term, title = self.model.space.levels(issue)[level], self.title(ctx, issue)
        if isinstance(term, Allocation) and not term.of(ctx.seat):
            return self.say(ctx, "issue_yours", M.CLARIFICATION, issue=title)
        if isinstance(term, Allocation):
            words = self.terms_text(ctx, {issue: level})
        else:
            words = value_in_words(term, ctx.issues[issue], self.settings.language)
        return self.say(ctx, kind, M.CLARIFICATION, issue=title, terms=words)

    def note_belief(self, ctx: AgentContext, **more: object) -> Script:
        """Note its belief, if that has changed since the last note, and further data."""
        summary = self._belief_summary()
        if summary == self._noted_belief:
            return []
        self._noted_belief = summary
        return [ProposeChange({"notes": {ctx.seat: {"belief": summary, **more}}})]

    def reset_turn(self) -> None:
        """Allow offers of the last turn to be sent again."""
        self._sent.clear()

    def _confirm(self, ctx: AgentContext) -> Script:
        return self.formally_accept(ctx, reminder_sent=True) if self.has_own_complete_offer(ctx) else []

    def request_formal_offer(self, ctx: AgentContext, message: OpponentMessage) -> Script:
        """Ask for a formal offer: a text about a deal is none before it is sent as one."""
        subtype = M.OFFER_REQUEST_POS
        if not message.offers:
            issue = self.title(ctx, self.model.space.issue(message.about[0])) if message.about else ""
            kind = "ask_for_offer" if message.doubt is None or not issue else ASKS[message.doubt]
            return self.say(ctx, kind, subtype, issue=issue)
        first, *more = [self.offer_text(ctx, offer) for offer in message.offers]
        if more:
            return self.say(ctx, "ask_either", subtype, first=first, second=more[0])
        return self.say(ctx, "send_as_offer", subtype, offer=first)

    def own_terms(self, ctx: AgentContext) -> Offer:
        """Return its own latest terms, issue by issue, as they were sent."""
        return ctx.board.latest.get(ctx.seat, EMPTY_OFFER)

    def has_own_terms(self, ctx: AgentContext, offer: Offer) -> bool:
        """Return whether all terms of an offer are its own latest ones."""
        own = self.own_terms(ctx)
        return all(own.get(issue) == term for issue, term in offer.terms)

    def restate_last_offer(self, ctx: AgentContext) -> Script:
        """Repeat its last offer in words."""
        last = ctx.get_last_offer()
        if last is None:
            return self.say(ctx, "confusion_no_offer", M.CLARIFICATION)
        return self.say(ctx, "confusion", M.CLARIFICATION, offer=self.offer_text(ctx, last["offer"]))

    def state_time_left(self, ctx: AgentContext) -> Script:
        """State how much time is left."""
        kind, slots = time_left(ctx, self.settings.language)
        return self.say(ctx, kind, M.TIMING_INFO, **slots)

    def _belief_summary(self) -> dict[str, Any]:
        belief = self.model.belief
        likely = {kind.name: round(p, 3) for kind, p in zip(belief.types, belief.posterior, strict=True)}
        return {"type": belief.type.name, "posterior": likely}

    def has_own_complete_offer(self, ctx: AgentContext) -> bool:
        """Return whether a complete offer of its own is on the table."""
        return ctx.current_offer_sender == ctx.seat and ctx.game.is_complete(ctx.current_offer)

    def as_bid(self, offer: Offer) -> Bid:
        """Return a complete offer as a bid."""
        terms = self.model.space.terms(offer)
        return tuple(terms[issue] for issue in range(len(terms)))
