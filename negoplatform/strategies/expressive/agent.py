"""An agent that is made of four policies: offers, words, faces and behaviour."""

from __future__ import annotations

from negoplatform.agent_api.actions import Action, FormalAccept, Schedule
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, Expression, MessageSubtype
from negoplatform.core.mechanisms.bargaining import is_bindable
from negoplatform.domain.offer import Offer
from negoplatform.language import DialogueAct
from negoplatform.strategies.expressive.agent_state import ExpressiveAgentState, Policies
from negoplatform.strategies.expressive.emotion_policy import FAIR_THRESHOLD
from negoplatform.strategies.expressive.free_text import answer_text
from negoplatform.strategies.expressive.speech_act_responses import answer, ask_favour, ledger_note
from negoplatform.strategies.talk import is_asked

EXPRESSION_COOLDOWN_SECONDS = 15.0
"""Seconds between two answers to faces, lest two agents make faces for ever."""

BUSY_RETRY_MS = 3_000
"""So long it waits with what it wants to do while it answers something."""

RESUME_OFFERS_MS = 8_000
"""So long after talk it comes back to the offer that the talk came before."""

MAX_STALLED_TURNS = 3
"""After so many answers that brought nothing new it waits for something new."""

SILENCE_KEEPING_SUBTYPES = (
    MessageSubtype.TIMING,
    MessageSubtype.TIMING_INFO,
    MessageSubtype.OFFER_PROPOSE,
    MessageSubtype.OFFER_REJECT,
)
"""What may be said into a silence without breaking it: prompts, and words that go with an offer."""

KIND_BY_EXPRESSION = {
    Expression.HAPPY: "face_happy",
    Expression.SAD: "face_sad",
    Expression.SCARED: "face_sad",
    Expression.ANGRY: "face_angry",
    Expression.DISGUSTED: "face_angry",
    Expression.CONTEMPT: "face_angry",
    Expression.SURPRISED: "face_surprised",
}
"""What it says to a face."""


class ExpressiveAgent(NegotiationAgent):
    """Negotiates, talks and shows what it feels, as its four policies say.

    An agent of the IAGO family (Mell and Gratch): a subclass says in :meth:`policies` what it is made of.
    Its policies live as long as the agent does, so what they keep, such as a ledger of favours, lasts from
    one game to the next.
    """

    state: ExpressiveAgentState | None = None
    """What it knows in this game; None before its start."""

    _policies: Policies | None = None

    def policies(self) -> Policies:
        """What it is made of; called once."""
        return Policies()

    def reset(self) -> None:
        """Forgets the last negotiation, but no favour."""
        self.state = None
        self._quiet_until = 0.0

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:  # noqa: ARG002 - a handler
        """Greets; asks, or speaks of favours; opens if nobody else does."""
        mind = self._get_state(ctx)
        opening = mind.policies.behaviour.opening(ctx.rng)
        return [
            *mind.show(mind.policies.faces.when_agreed()),
            *mind.say(ctx, "greeting", flushable=False),
            Schedule(1000 * opening / 2, self._start_conversation),
            Schedule(1000 * opening, self._open),
        ]

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Accepts, completes, or says no and proposes something else."""
        mind, offer = self._record_activity(ctx), event.get_offer()
        mind.wait_requested = False
        news = mind.record_offer(ctx, event.sender, offer)
        if self._is_acceptable(ctx):
            return self._accept(ctx)
        if not is_asked(ctx, event):
            return []
        if not is_bindable(ctx.game, offer):
            return self._answer_partial_offer(ctx, offer)
        return self._refuse(ctx, offer, news=news)

    def on_formal_accept(self, ctx: AgentContext, event: Event) -> list[Action]:  # noqa: ARG002
        """The other stands for the offer on the table: the agent's own, or one that it can live with."""
        mind = self._record_activity(ctx)
        own = ctx.current_offer_sender == ctx.seat and ctx.get_agent_utility() >= ctx.reservation_value
        if not (own and ctx.can_formally_accept()) and not self._is_acceptable(ctx):
            return []
        mind.accepted_offer_id = ctx.current_offer_id
        return [FormalAccept()]

    def on_action_refused(self, ctx: AgentContext, event: Event) -> list[Action]:
        """An acceptance that came too late: perhaps the newer offer is as good."""
        return (
            [FormalAccept()]
            if event.payload.action == EventType.FORMAL_ACCEPT and self._is_acceptable(ctx)
            else []
        )

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Answers what was said."""
        mind, said = self._record_activity(ctx), event.payload
        if mind.is_over:
            return []
        mind.wait_requested = False
        if said.subtype not in SILENCE_KEEPING_SUBTYPES:
            mind.prompts = 0
        if not is_asked(ctx, event):
            return []
        if said.subtype is MessageSubtype.GENERIC:
            words = answer_text(ctx, mind, event.sender)
        else:
            words = answer(
                ctx, mind, event.sender, DialogueAct(said.subtype, 1.0, said.preference, said.batna)
            )
        waits = mind.opening_due if ctx.current_offer_sender is None else ctx.current_offer_sender != ctx.seat
        return [*words, Schedule(RESUME_OFFERS_MS, self._resume_offers, flushable=True)] if waits else words

    def on_send_expression(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Answers a face with a face, and sometimes with words."""
        mind, shown = self._get_state(ctx), event.get_expression()
        quiet = (
            ctx.elapsed_time < mind.last_activity
            or ctx.elapsed_time - mind.last_expression_reply < EXPRESSION_COOLDOWN_SECONDS
        )
        mind.record_activity(ctx)
        if shown is None or quiet or mind.is_over or not is_asked(ctx, event):
            return []
        mind.last_expression_reply = ctx.elapsed_time
        face = mind.show(mind.policies.faces.to_face(shown))
        words = mind.say(ctx, KIND_BY_EXPRESSION[shown]) if shown in KIND_BY_EXPRESSION else []
        return [*face, *words]

    def on_offer_in_progress(self, ctx: AgentContext, event: Event) -> list[Action]:  # noqa: ARG002
        """Waits for the offer that the other is building."""
        self._record_activity(ctx).record_draft(ctx)
        return []

    def on_time(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Prompts after silence, and hurries at the end."""
        if event.payload.elapsed < self._quiet_until:
            return []
        return self._tick(ctx)

    def on_game_end(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Says good-bye, and settles favours."""
        mind, deal = self._get_state(ctx), event.get_offer()
        mind.is_over = True
        gain = mind.deals.gain(ctx.utility(deal)) if deal.terms else None
        mind.ledger.close_round(gain, mind.policies.offers.demand)
        faces = mind.policies.faces
        face = mind.show(faces.when_agreed() if deal.terms else faces.without_deal())
        words = mind.say(ctx, "farewell_deal" if deal.terms else "farewell_no_deal", flushable=False)
        return [*face, *words]

    # Of its own accord

    def _start_conversation(self, ctx: AgentContext) -> list[Action]:
        mind = self._get_state(ctx)
        if ctx.elapsed_time < mind.last_activity:
            return [Schedule(BUSY_RETRY_MS, self._start_conversation)]
        if mind.ledger.decide_return(mind.tables):
            return [
                *mind.say(ctx, "favor_return"),
                *ledger_note(ctx, mind),
                *mind.propose(ctx, "introduce_offer"),
            ]
        if mind.ledger.should_request(mind.tables):
            return ask_favour(ctx, mind)
        knows = ctx.opponent_preferences_visible or mind.offers_received or mind.preferences_received
        if mind.policies.behaviour.asks and not knows:
            return mind.say(ctx, "pref_request")
        return []

    def _open(self, ctx: AgentContext) -> list[Action]:
        mind = self._get_state(ctx)
        if ctx.current_offer_sender is not None:
            return []
        if ctx.elapsed_time < mind.last_activity or mind.is_draft_pending(ctx.elapsed_time):
            return [Schedule(BUSY_RETRY_MS, self._open)]
        mind.opening_due = True
        return mind.propose(ctx, "introduce_offer")

    def _resume_offers(self, ctx: AgentContext) -> list[Action]:
        """After talk that came before an offer of its own, or between one of the other's and the answer."""
        mind = self._get_state(ctx)
        if ctx.elapsed_time < mind.last_activity:
            return [Schedule(BUSY_RETRY_MS, self._resume_offers, flushable=True)]
        if (
            ctx.current_offer_sender == ctx.seat
            or mind.stalled_turns > MAX_STALLED_TURNS
            or self._is_acceptable(ctx)
        ):
            return []
        if mind.is_draft_pending(ctx.elapsed_time):
            return []
        return mind.propose(ctx, "counter_offer" if ctx.current_offer_sender else "introduce_offer")

    def _tick(self, ctx: AgentContext) -> list[Action]:
        mind, now, left = self._get_state(ctx), ctx.elapsed_time, ctx.remaining_time
        behaviour = mind.policies.behaviour
        if left is not None and left <= behaviour.hurry:
            return self._make_final_offer(ctx) if left > 0 else []
        due = mind.last_activity + behaviour.silence(mind.prompts, asked_to_wait=mind.wait_requested)
        if now >= due and not mind.is_draft_pending(now):
            mind.prompts += 1
            return self._prompt(ctx)
        late = float("inf") if left is None else now + left - behaviour.hurry
        self._quiet_until = min(max(due, now), late)
        return []

    def _prompt(self, ctx: AgentContext) -> list[Action]:
        mind = self._get_state(ctx)
        if ctx.current_offer_sender != ctx.seat:
            return mind.propose(ctx, "introduce_offer", asked=True)
        if mind.verbally_accepted_id == ctx.current_offer_id:
            return mind.remind(ctx, "offer_agreed")
        if mind.prompts > 1 and not is_bindable(ctx.game, ctx.current_offer):
            return mind.propose(ctx, "introduce_offer")
        return mind.say(ctx, "idle_prompt_offer" if mind.prompts % 2 else "idle_prompt")

    def _make_final_offer(self, ctx: AgentContext) -> list[Action]:
        """Shortly before the end: it takes what it can live with, or makes its final offer; if that is not
        taken either, it comes back to the best that the other has offered.
        """
        mind, left = self._get_state(ctx), ctx.remaining_time or 0.0
        if self._is_acceptable(ctx) and ctx.current_offer_sender != ctx.seat:
            return self._accept(ctx)
        if mind.final_proposals > 1 or mind.is_draft_pending(ctx.elapsed_time):
            return []
        offers = mind.policies.offers
        if not mind.final_proposals:
            mind.final_proposals = 1
            return mind.propose(ctx, "hurry", offers.final(ctx, mind), asked=True)
        if left > mind.policies.behaviour.hurry / 2 or not mind.best_received.terms:
            return []
        mind.final_proposals = 2
        taken = offers.accepts(ctx, mind, mind.best_received)
        return mind.propose(ctx, "take_yours", mind.best_received, asked=True) if taken else []

    # Answers to offers

    def _is_acceptable(self, ctx: AgentContext) -> bool:
        """Whether the offer on the table may be accepted, and is good enough."""
        mind = self._get_state(ctx)
        if not ctx.can_formally_accept() or ctx.get_agent_utility() < ctx.reservation_value:
            return False
        return ctx.current_offer_id != mind.accepted_offer_id and mind.policies.offers.accepts(
            ctx, mind, ctx.current_offer
        )

    def _accept(self, ctx: AgentContext) -> list[Action]:
        mind = self._get_state(ctx)
        mind.accepted_offer_id = ctx.current_offer_id
        face = mind.show(mind.policies.faces.when_agreed())
        return [*face, *mind.say(ctx, "accept_offer"), FormalAccept()]

    def _answer_partial_offer(self, ctx: AgentContext, part: Offer) -> list[Action]:
        """An answer to a partial offer."""
        mind = self._get_state(ctx)
        whole = mind.policies.offers.completion(ctx, mind, part)
        if whole is None:
            mind.policies.offers.give_way(0.5)
            return mind.propose(ctx, "counter_offer")
        return mind.propose(ctx, "complete_offer", whole)

    def _refuse(self, ctx: AgentContext, offer: Offer, *, news: bool) -> list[Action]:
        """A no to a whole offer, with a proposal."""
        mind = self._get_state(ctx)
        offers, before = mind.policies.offers, mind.policies.offers.demand
        wanted = mind.deals.gain(offers.wanted(ctx, mind))
        fairness = mind.deals.gain(ctx.utility(offer)) / wanted if wanted else 1.0
        offers.give_way()
        mind.stalled_turns = 0 if news or offers.demand < before else mind.stalled_turns + 1
        if self._is_acceptable(ctx):
            return self._accept(ctx)
        if mind.stalled_turns > MAX_STALLED_TURNS:
            return []
        no = mind.say(ctx, "reject_offer") if mind.offers_received % 2 and fairness < FAIR_THRESHOLD else []
        face = mind.show(mind.policies.faces.to_offer(fairness))
        return [*face, *no, *mind.propose(ctx, "counter_offer")]

    def _record_activity(self, ctx: AgentContext) -> ExpressiveAgentState:
        """The mind, after somebody has done something."""
        self._quiet_until = 0.0
        mind = self._get_state(ctx)
        mind.record_activity(ctx)
        return mind

    def _get_state(self, ctx: AgentContext) -> ExpressiveAgentState:
        if self.state is None:
            self._policies = self._policies or self.policies()
            self.state = ExpressiveAgentState(ctx, self._policies)
        return self.state
