"""Conversation of the agents of this family: sentences, offers, signatures, notes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from negoplatform.agent_api.actions import (
    Action,
    FormalAccept,
    ProposeChange,
    Schedule,
    SendExpression,
    SendOffer,
)
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Expression, MessageSubtype
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.language import DialogueAct
from negoplatform.strategies.dialogue.conversation_memory import HeardMessage
from negoplatform.strategies.dialogue.dialogue import Dialogue
from negoplatform.strategies.dialogue.disclosures import LyingWords, PlainWords
from negoplatform.strategies.dialogue.manner import Honesty
from negoplatform.strategies.dialogue.offer_wording import Reply, introduce, takes_back
from negoplatform.strategies.dialogue.opponent_model import ExpressiveOpponentModel
from negoplatform.strategies.dialogue.talking_agent import TalkingAgent
from negoplatform.strategies.negochat.belief import Belief
from negoplatform.strategies.negochat.bid_space import Bid, BidTerms
from negoplatform.strategies.negochat.negotiation_model_builder import NegotiationModel

SIGN_DELAY_MS = 1500
"""Milliseconds between sending the agreed terms and accepting them formally."""

BINDING_SECONDS = 5.0
"""Seconds after the decision for a formal accept in which it sends nothing that would replace the offer."""

MAX_REPEATED_PARTIAL_OFFERS = 2
"""Times that the same partial offer is made in a turn, at most."""

MAX_REMINDERS = 3
"""Reminders in all, at most, that it has accepted an offer and waits for the other to do so."""

Script = list[Action]


class ConversationalAgent(TalkingAgent):
    """Agent that can say, offer, accept, sign and note down; a subclass decides what and when."""

    model: NegotiationModel
    statements: PlainWords
    keeps_judgement = False
    """Whether an offer that it would accept now is accepted when it is sent: learning may change that."""

    def reset(self) -> None:
        """Reset the state of the last negotiation."""
        super().reset()
        self._sent: Counter[Offer] = Counter()
        self._noted_belief: dict[str, Any] = {}
        self._accepted_offer_id: int | None = None
        self._bound_until = 0.0
        self._reminder_count = 0
        self._others: dict[Seat, ExpressiveOpponentModel] = {}

    def begin_dialogue(self, ctx: AgentContext) -> None:
        """Begin a game: its words, its statements and its models of what the others say they want."""
        how = self.settings
        manner = how.manner()
        if manner.honesty is Honesty.LYING:
            self.statements = LyingWords(manner.voice, language=manner.language)
        else:
            self.statements = PlainWords(
                manner.voice,
                language=manner.language,
                open_about_preferences=manner.honesty is Honesty.HONEST,
            )
        self.statements.begin(ctx)
        self._others = {seat: ExpressiveOpponentModel(ctx, seat) for seat in ctx.game.others(ctx.seat)}
        # What it decides changes its own state, so a decision is never dropped before it is sent.
        self.dialogue = Dialogue(ctx, manner, worth_to_others=self._worth_to_type, flushable=False)

    def say(self, ctx: AgentContext, kind: str, **slots: str) -> Script:
        """Return a message of a kind; nothing if there is none left, or if it is set to be quiet."""
        return [] if self.settings.quiet else self.dialogue.say(ctx, kind, **slots)

    def word_terms(
        self, ctx: AgentContext, terms: BidTerms, *, kind: str, answers: Reply | None = None
    ) -> Script:
        """Return the words for proposed terms: what changes, or where they are new, a message of a kind."""
        if self.settings.quiet or not terms:
            return []
        offer = self.model.space.offer(terms)
        own = self.dialogue.offered_terms(ctx)
        known = all(own.get(issue) is not None for issue, _ in offer.terms)
        if known or takes_back(self.dialogue, ctx, offer):
            return introduce(self.dialogue, ctx, offer, answers=answers)
        return self.dialogue.say(ctx, kind, terms=self.terms_text(ctx, terms))

    def word_whole(self, ctx: AgentContext, offer: Offer, kind: str, answers: Reply | None = None) -> Script:
        """Return the words for a complete offer; one that the other has made before is called theirs."""
        if self.settings.quiet:
            return []
        received = self.dialogue.memory.received.values()
        if any(offer in offers for offers in received):
            kind = "take_yours"
        makers = self.dialogue.memory.received if kind == "take_yours" else {}
        maker = next((seat for seat, offers in makers.items() if offer in offers), None)
        with self.dialogue.speaking_to(maker):
            return introduce(self.dialogue, ctx, offer, answers=answers, kind=kind)

    def _worth_to_type(self, offer: Offer) -> float:
        """Return the points of an offer's terms for the type that it assumes, in no fixed unit."""
        return float(self.model.belief.type.utility.of_terms(self.model.space.terms(offer)))

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
        if complete and ctx.utility(offer) < ctx.least_points:
            return []
        self._sent[offer] += 1
        return [SendOffer(offer)]

    def accept(self, ctx: AgentContext) -> Script:
        """Formally accept the offer on the table."""
        if len(ctx.game.seats) > 2:
            return self._accept_among_several(ctx)
        words = self.dialogue.accept_words(ctx)
        accepts = [FormalAccept(flushable=True) for _action in self.formally_accept(ctx)]
        return [*self.show_expression(Expression.HAPPY), *words, *accepts]

    def _accept_among_several(self, ctx: AgentContext) -> Script:
        """Accept when it is time to; in words, too, if this seat was to answer the offer."""
        speaks = self.order.may_speak(ctx)
        accepts = self.formally_accept(ctx)
        if not accepts or not speaks:
            return accepts
        return [*self.show_expression(Expression.HAPPY), *self.dialogue.accept_words(ctx), *accepts]

    def formally_accept(self, ctx: AgentContext, *, reminder_sent: bool = False) -> Script:
        """Return a formal accept of the offer on the table, once; nothing if it cannot be accepted.

        Args:
            ctx: The context.
            reminder_sent: Whether it has just asked the other to do the same.
        """
        if not ctx.can_formally_accept() or self._accepted_offer_id == ctx.current_offer_id:
            return []
        if not self.may_accept_now(ctx):
            return []
        self.order.record_acceptance(ctx)
        self._reminder_count = int(reminder_sent)
        self._accepted_offer_id, self._bound_until = ctx.current_offer_id, ctx.elapsed_time + BINDING_SECONDS
        return [FormalAccept()]

    def may_accept_now(self, ctx: AgentContext) -> bool:
        """Return whether it is time to accept the offer on the table, in the order of the seats."""
        return self.order.may_accept(ctx)

    def undo(self, ctx: AgentContext, dropped: Script) -> None:  # noqa: ARG002 - the signature of the hook
        """Forget an acceptance that was dropped."""
        if any(isinstance(action, FormalAccept) for action in dropped):
            self._accepted_offer_id, self._bound_until = None, 0.0
            self.order.forget_acceptance()

    def has_accepted_standing_offer(self, ctx: AgentContext) -> bool:
        """Return whether it has formally accepted the offer on the table, and the other has not yet."""
        return self._accepted_offer_id is not None and self._accepted_offer_id == ctx.current_offer_id

    def remind_of_acceptance(self, ctx: AgentContext) -> Script | None:  # noqa: ARG002 - of the layer
        """Return None: after an acceptance it goes on as published."""
        return None

    def remind(self, ctx: AgentContext) -> Script:
        """Say that only the other's formal accept is missing; three times in all for one offer."""
        if self._reminder_count >= MAX_REMINDERS:
            return []
        self._reminder_count += 1
        with self.dialogue.speaking_to(ctx.next_to_answer or ctx.current_offer_sender):
            return [] if self.settings.quiet else self.dialogue.say_acceptance_missing(ctx)

    def sign_agreement(self, ctx: AgentContext, bid: Bid, kind: str = "all_agreed") -> Script:
        """Sign a complete agreement: say so, send it as one offer and accept it."""
        offer = self.model.space.offer(bid)
        words = [*self.show_expression(Expression.HAPPY), *self.word_whole(ctx, offer, kind)]
        if ctx.current_offer == offer and ctx.can_formally_accept():
            return [*words, *self.formally_accept(ctx, reminder_sent=True)]
        return [*words, *self.offer(ctx, offer), Schedule(SIGN_DELAY_MS, self._confirm)]

    def show_expression(self, expression: Expression) -> Script:
        """Return a face."""
        return [] if self.settings.quiet or not self.settings.faces else [SendExpression(expression)]

    def terms_text(self, ctx: AgentContext, terms: BidTerms) -> str:
        """Return some terms as a noun phrase."""
        return self.dialogue.offer_text(ctx, self.model.space.offer(terms))

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

    def _belief_summary(self) -> dict[str, Any]:
        belief = self.model.belief
        if isinstance(belief, Belief):
            return _summary_of(belief)
        return {"by_seat": {seat: _summary_of(one) for seat, one in belief.by_seat.items()}}

    def has_own_complete_offer(self, ctx: AgentContext) -> bool:
        """Return whether a complete offer of its own is on the table."""
        return ctx.current_offer_sender == ctx.seat and ctx.game.is_complete(ctx.current_offer)

    def as_bid(self, offer: Offer) -> Bid:
        """Return a complete offer as a bid."""
        terms = self.model.space.terms(offer)
        return tuple(terms[issue] for issue in range(len(terms)))

    # What the dialogue layer asks for

    def opponent_model(self, seat: Seat) -> ExpressiveOpponentModel:
        """Return its model of what another seat says it wants; its offers are not based on it."""
        return self._others[seat]

    def learn_act(self, ctx: AgentContext, sender: Seat, act: DialogueAct) -> Script:  # noqa: ARG002
        """Remember a statement about the sender's preferences; its offers are not based on it."""
        if act.preference is not None and not act.preference.is_question:
            self._others[sender].update_from_preference(act.preference)
        return []

    def stated_value_of_no_deal(self, ctx: AgentContext) -> Points:
        """Return the value of no deal that it states."""
        return max(ctx.least_points, self.statements.limit(self.model.own.highest))

    def record_stated_limit(self, limit: Points) -> None:
        """Do nothing: its offers are as published."""

    def promise(self) -> str:
        """Return that it makes no promises."""
        return "none"

    def answer_favour(self, ctx: AgentContext, subtype: MessageSubtype) -> Script:
        """Refuse favours, and thank for them."""
        match subtype:
            case MessageSubtype.FAVOR_REQUEST:
                return self.say(ctx, "favor_reject")
            case MessageSubtype.FAVOR_REJECT:
                return self.say(ctx, "favor_refused")
            case _:
                return self.say(ctx, "favor_taken")

    def answer_threat(self, ctx: AgentContext, message: HeardMessage) -> Script:  # noqa: ARG002
        """Answer a threat calmly: it has no offer for it."""
        return self.say(ctx, "threat_answer")

    def answer_announcement(self, ctx: AgentContext, message: HeardMessage) -> Script:
        """Ask for the offer that was announced and has not come."""
        if ctx.current_offer_sender == ctx.seat and ctx.current_offer_id != message.offer_id:
            return []  # it has made an offer itself since then
        if self.has_arrived(ctx, message):
            return []
        return self.say(ctx, "ask_for_offer")

    def offer_deal(self, ctx: AgentContext, deal: Offer, part: Offer, kind: str, **slots: str) -> Script:  # noqa: ARG002 - the signature of the layer
        """Say that it could agree to some terms; it makes no offers but its own."""
        if kind == "take_for":
            return self.say(ctx, kind, **slots)
        return self.dialogue.consider(ctx, part)


def _summary_of(belief: Belief) -> dict[str, Any]:
    """Return the type on which it acts, and the probability of each."""
    likely = {kind.name: round(p, 3) for kind, p in zip(belief.types, belief.posterior, strict=True)}
    return {"type": belief.type.name, "posterior": likely}
