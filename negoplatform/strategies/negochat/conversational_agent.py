"""What the agents of this family do at the table: sentences, offers, signatures, notes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from negoplatform.agent_api.actions import Action, FormalAccept, ProposeChange, Schedule, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Expression, MessageSubtype
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer
from negoplatform.language.generation.verbalizer import offer_in_words, title_in_words, value_in_words
from negoplatform.strategies.negochat.bid_space import Bid, Terms
from negoplatform.strategies.negochat.message_builder import Speech
from negoplatform.strategies.negochat.negotiation_model import Equipment
from negoplatform.strategies.negochat.opponent_intent import Heard
from negoplatform.strategies.talk import ASKS, time_left

SIGNED_AFTER_MS = 1500
"""Between sending what is agreed and standing for it."""

BINDING_SECONDS = 2.0
"""For so long after a formal accept was decided it sends nothing that would take the offer's place."""

SENT = 2
"""So often it puts one and the same part on the table in a turn."""

REMINDERS = 3
"""So often in all it says that it has accepted an offer and waits for the other to do so."""

Script = list[Action]
M = MessageSubtype


class Speaker(NegotiationAgent):
    """Says, offers, accepts, signs and notes down; what and when is for a subclass to say."""

    kit: Equipment
    _speech: Speech

    def reset(self) -> None:
        """Forgets the last negotiation."""
        self._sent: Counter[Offer] = Counter()
        self._told: dict[str, Any] = {}
        self._bound: int | None = None
        self._bound_until = 0.0
        self._reminded = 0

    def say(self, ctx: AgentContext, kind: str, subtype: MessageSubtype, **slots: object) -> Script:
        """A sentence of a kind that it has not yet said twice; nothing if there is none left."""
        return self._speech.say(kind, subtype, ctx.rng, slots)

    def offer(self, ctx: AgentContext, offer: Offer) -> Script:
        """An offer, unless it stands on the table anyway, or is a part that it has put there too often.

        A part that it repeats does not take the place of a whole of the other, which it may still accept.
        """
        stands = ctx.current_offer_sender == ctx.seat and ctx.current_offer == offer
        complete = ctx.game.is_complete(offer)
        binding = self._bound == ctx.current_offer_id and ctx.elapsed_time < self._bound_until
        often = 1 if ctx.game.is_complete(ctx.current_offer) else SENT
        if not offer.terms or stands or binding or (not complete and self._sent[offer] >= often):
            return []
        if complete and ctx.utility(offer) < ctx.reservation_value:
            return []
        self._sent[offer] += 1
        return [SendOffer(offer)]

    def accept(self, ctx: AgentContext) -> Script:
        """Formally accepts what is on the table."""
        words = self.say(ctx, "accept_offer", M.OFFER_ACCEPT)
        return [*self.face(Expression.HAPPY), *words, *self.bind(ctx)]

    def bind(self, ctx: AgentContext, *, told: bool = False) -> Script:
        """A formal accept of what is on the table, once; nothing if it cannot be accepted.

        Args:
            ctx: The table.
            told: Whether it has just asked the other to do the same.
        """
        if not ctx.can_formally_accept() or self._bound == ctx.current_offer_id:
            return []
        self._reminded = int(told)
        self._bound, self._bound_until = ctx.current_offer_id, ctx.elapsed_time + BINDING_SECONDS
        return [FormalAccept()]

    def stands_for(self, ctx: AgentContext) -> bool:
        """Whether it has formally accepted what is on the table, and the other has not yet."""
        return self._bound is not None and self._bound == ctx.current_offer_id

    def remind(self, ctx: AgentContext) -> Script:
        """Says that only the other's formal accept is missing; three times in all for one offer."""
        if self._reminded >= REMINDERS:
            return []
        self._reminded += 1
        return self.say(ctx, "yours_missing", M.TIMING)

    def sign(self, ctx: AgentContext, bid: Bid, kind: str = "all_agreed") -> Script:
        """Everything is agreed: says so, sends it as one offer and stands for it."""
        offer = self.kit.space.offer(bid)
        words = [*self.face(Expression.HAPPY), *self.say(ctx, kind, M.OFFER_PROPOSE)]
        if ctx.current_offer == offer and ctx.can_formally_accept():
            return [*words, *self.bind(ctx, told=True)]
        return [*words, *self.offer(ctx, offer), Schedule(SIGNED_AFTER_MS, self._confirm)]

    def face(self, expression: Expression) -> Script:
        """An emotion."""
        return self._speech.show(expression)

    def in_words(self, ctx: AgentContext, offer: Offer) -> str:
        """An offer as it says it."""
        return offer_in_words(offer, ctx.game, ctx.seat, language=self.settings.language)

    def terms_in_words(self, ctx: AgentContext, terms: Terms) -> str:
        """Some terms as it says them."""
        return self.in_words(ctx, self.kit.space.offer(terms))

    def title(self, ctx: AgentContext, issue: int) -> str:
        """An issue as it says it within a sentence."""
        return title_in_words(ctx.issues[issue], self.settings.language)

    def wish(self, ctx: AgentContext, kind: str, issue: int, level: int) -> Script:
        """Says what it would like at an issue; that the other may have it all, if that is nothing."""
        term, title = self.kit.space.levels(issue)[level], self.title(ctx, issue)
        if isinstance(term, Allocation) and not term.of(ctx.seat):
            return self.say(ctx, "issue_yours", M.CLARIFICATION, issue=title)
        if isinstance(term, Allocation):
            words = self.terms_in_words(ctx, {issue: level})
        else:
            words = value_in_words(term, ctx.issues[issue])
        return self.say(ctx, kind, M.CLARIFICATION, issue=title, terms=words)

    def tell_belief(self, ctx: AgentContext, **more: object) -> Script:
        """Notes what the other side may be, if that has changed since it was noted, and whatever else."""
        told = self._belief_told()
        if told == self._told:
            return []
        self._told = told
        return [ProposeChange({"notes": {ctx.seat: {"belief": told, **more}}})]

    def new_turn(self) -> None:
        """What it has sent may be sent again."""
        self._sent.clear()

    def _confirm(self, ctx: AgentContext) -> Script:
        return self.bind(ctx, told=True) if self.own_complete(ctx) else []

    def ask_for_the_offer(self, ctx: AgentContext, heard: Heard) -> Script:
        """Words that speak of a deal are no offer before they were sent as one."""
        subtype = M.OFFER_REQUEST_POS
        if not heard.offers:
            issue = self.title(ctx, self.kit.space.issue(heard.about[0])) if heard.about else ""
            kind = "ask_for_offer" if heard.doubt is None or not issue else ASKS[heard.doubt]
            return self.say(ctx, kind, subtype, issue=issue)
        first, *more = [self.in_words(ctx, offer) for offer in heard.offers]
        if more:
            return self.say(ctx, "ask_either", subtype, first=first, second=more[0])
        return self.say(ctx, "send_as_offer", subtype, offer=first)

    def own_terms(self, ctx: AgentContext) -> Offer:
        """The latest terms of its own, issue by issue, as they were sent."""
        return ctx.board.latest.get(ctx.seat, EMPTY_OFFER)

    def stands_by(self, ctx: AgentContext, offer: Offer) -> bool:
        """Whether it stands for all terms of an offer itself."""
        own = self.own_terms(ctx)
        return all(own.get(issue) == term for issue, term in offer.terms)

    def explain(self, ctx: AgentContext) -> Script:
        """Says once more what it has offered."""
        last = ctx.get_last_offer()
        if last is None:
            return self.say(ctx, "confusion_no_offer", M.CLARIFICATION)
        return self.say(ctx, "confusion", M.CLARIFICATION, offer=self.in_words(ctx, last["offer"]))

    def tell_time(self, ctx: AgentContext) -> Script:
        """Says how much time is left."""
        kind, slots = time_left(ctx, self.settings.language)
        return self.say(ctx, kind, M.TIMING_INFO, **slots)

    def _belief_told(self) -> dict[str, Any]:
        belief = self.kit.belief
        likely = {kind.name: round(p, 3) for kind, p in zip(belief.types, belief.posterior, strict=True)}
        return {"type": belief.type.name, "posterior": likely}

    def own_complete(self, ctx: AgentContext) -> bool:
        """Whether a complete offer of its own is on the table."""
        return ctx.current_offer_sender == ctx.seat and ctx.game.is_complete(ctx.current_offer)

    def as_bid(self, offer: Offer) -> Bid:
        """A complete offer as a bid."""
        terms = self.kit.space.terms(offer)
        return tuple(terms[issue] for issue in range(len(terms)))
