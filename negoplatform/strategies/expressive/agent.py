"""Agent composed of four policies: offers, words, faces and behaviour."""

from __future__ import annotations

from negoplatform.agent_api.actions import Action, FormalAccept, Schedule
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, Expression, MessageSubtype
from negoplatform.core.mechanisms.bargaining import is_bindable
from negoplatform.domain.offer import Offer
from negoplatform.language import DialogueAct
from negoplatform.strategies.conversation_helpers import is_asked
from negoplatform.strategies.expressive.agent_state import ExpressiveAgentState, Policies
from negoplatform.strategies.expressive.emotion_policy import FAIR_THRESHOLD
from negoplatform.strategies.expressive.speech_act_responses import answer, ask_favour, ledger_note
from negoplatform.strategies.expressive.typed_text_responses import answer_text

EXPRESSION_COOLDOWN_SECONDS = 15.0
"""Seconds between two answers to faces, since two agents would otherwise make faces forever."""

BUSY_RETRY_MS = 3_000
"""Milliseconds for which a new activity waits while an answer is under way."""

RESUME_OFFERS_MS = 8_000
"""Milliseconds after small talk until it resumes the interrupted offers."""

MAX_STALLED_TURNS = 3
"""Answers without any news after which it waits for news."""

SILENCE_KEEPING_SUBTYPES = (
    MessageSubtype.TIMING,
    MessageSubtype.TIMING_INFO,
    MessageSubtype.OFFER_PROPOSE,
    MessageSubtype.OFFER_REJECT,
)
"""Speech acts that do not break a silence: prompts, and messages that go with an offer."""

KIND_BY_EXPRESSION = {
    Expression.HAPPY: "face_happy",
    Expression.SAD: "face_sad",
    Expression.SCARED: "face_sad",
    Expression.ANGRY: "face_angry",
    Expression.DISGUSTED: "face_angry",
    Expression.CONTEMPT: "face_angry",
    Expression.SURPRISED: "face_surprised",
}
"""Kinds of message that answer a face."""


class ExpressiveAgent(NegotiationAgent):
    """Agent that negotiates, talks and shows emotions as its four policies decide.

    An agent of the IAGO family (Mell and Gratch): a subclass composes its policies in :meth:`policies`.
    The policies live as long as the agent does, so their data, such as a ledger of favours, lasts from one
    game to the next.
    """

    state: ExpressiveAgentState | None = None
    """State in this game; None before its start."""

    _policies: Policies | None = None

    def policies(self) -> Policies:
        """Return the agent's policies; called once."""
        return Policies()

    def reset(self) -> None:
        """Reset the state of the last negotiation, but keep the favours."""
        self.state = None
        self._quiet_until = 0.0

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:  # noqa: ARG002 - a handler
        """Greet; ask, or speak of favours; open if no other seat does."""
        state = self._get_state(ctx)
        opening = state.policies.behaviour.opening(ctx.rng)
        return [
            *state.show(state.policies.faces.when_agreed()),
            *state.say(ctx, "greeting", flushable=False),
            Schedule(1000 * opening / 2, self._start_conversation),
            Schedule(1000 * opening, self._open),
        ]

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Accept, complete, or refuse and propose something else."""
        state, offer = self._record_activity(ctx), event.get_offer()
        state.wait_requested = False
        news = state.record_offer(ctx, event.sender, offer)
        if self._is_acceptable(ctx):
            return self._accept(ctx)
        if not is_asked(ctx, event):
            return []
        if not is_bindable(ctx.game, offer):
            return self._answer_partial_offer(ctx, offer)
        return self._refuse(ctx, offer, news=news)

    def on_formal_accept(self, ctx: AgentContext, event: Event) -> list[Action]:  # noqa: ARG002
        """Answer a formal accept of the offer on the table: the agent's own, or one that it can accept."""
        state = self._record_activity(ctx)
        own = ctx.current_offer_sender == ctx.seat and ctx.get_agent_utility() >= ctx.reservation_value
        if not (own and ctx.can_formally_accept()) and not self._is_acceptable(ctx):
            return []
        state.accepted_offer_id = ctx.current_offer_id
        return [FormalAccept()]

    def on_action_refused(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Answer a refusal of an acceptance that came too late: perhaps the newer offer is as good."""
        return (
            [FormalAccept()]
            if event.payload.action == EventType.FORMAL_ACCEPT and self._is_acceptable(ctx)
            else []
        )

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Answer a message."""
        state, message = self._record_activity(ctx), event.payload
        if state.is_over:
            return []
        state.wait_requested = False
        if message.subtype not in SILENCE_KEEPING_SUBTYPES:
            state.prompts = 0
        if not is_asked(ctx, event):
            return []
        if message.subtype is MessageSubtype.GENERIC:
            words = answer_text(ctx, state, event.sender)
        else:
            act = DialogueAct(message.subtype, 1.0, message.preference, message.batna)
            words = answer(ctx, state, event.sender, act)
        sender = ctx.current_offer_sender
        waits = state.opening_due if sender is None else sender != ctx.seat
        return [*words, Schedule(RESUME_OFFERS_MS, self._resume_offers, flushable=True)] if waits else words

    def on_send_expression(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Answer a face with a face, and sometimes with words."""
        state, shown = self._get_state(ctx), event.get_expression()
        quiet = (
            ctx.elapsed_time < state.last_activity
            or ctx.elapsed_time - state.last_expression_reply < EXPRESSION_COOLDOWN_SECONDS
        )
        state.record_activity(ctx)
        if shown is None or quiet or state.is_over or not is_asked(ctx, event):
            return []
        state.last_expression_reply = ctx.elapsed_time
        face = state.show(state.policies.faces.to_face(shown))
        words = state.say(ctx, KIND_BY_EXPRESSION[shown]) if shown in KIND_BY_EXPRESSION else []
        return [*face, *words]

    def on_offer_in_progress(self, ctx: AgentContext, event: Event) -> list[Action]:  # noqa: ARG002
        """Wait for the offer that the other is building."""
        self._record_activity(ctx).record_draft(ctx)
        return []

    def on_time(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Prompt after silence, and hurry at the end."""
        if event.payload.elapsed < self._quiet_until:
            return []
        return self._tick(ctx)

    def on_game_end(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Say goodbye, and settle favours."""
        state, deal = self._get_state(ctx), event.get_offer()
        state.is_over = True
        gain = state.deals.gain(ctx.utility(deal)) if deal.terms else None
        state.ledger.close_round(gain, state.policies.offers.demand)
        faces = state.policies.faces
        face = state.show(faces.when_agreed() if deal.terms else faces.without_deal())
        words = state.say(ctx, "farewell_deal" if deal.terms else "farewell_no_deal", flushable=False)
        return [*face, *words]

    # Initiative

    def _start_conversation(self, ctx: AgentContext) -> list[Action]:
        state = self._get_state(ctx)
        if ctx.elapsed_time < state.last_activity:
            return [Schedule(BUSY_RETRY_MS, self._start_conversation)]
        if state.ledger.decide_return(state.tables):
            return [
                *state.say(ctx, "favor_return"),
                *ledger_note(ctx, state),
                *state.propose(ctx, "introduce_offer"),
            ]
        if state.ledger.should_request(state.tables):
            return ask_favour(ctx, state)
        has_information = (
            ctx.opponent_preferences_visible or state.offers_received or state.preferences_received
        )
        if state.policies.behaviour.asks and not has_information:
            return state.say(ctx, "pref_request")
        return []

    def _open(self, ctx: AgentContext) -> list[Action]:
        state = self._get_state(ctx)
        if ctx.current_offer_sender is not None:
            return []
        if ctx.elapsed_time < state.last_activity or state.is_draft_pending(ctx.elapsed_time):
            return [Schedule(BUSY_RETRY_MS, self._open)]
        state.opening_due = True
        return state.propose(ctx, "introduce_offer")

    def _resume_offers(self, ctx: AgentContext) -> list[Action]:
        """Resume offers that small talk interrupted: its own offer, or the answer to one of the other's."""
        state = self._get_state(ctx)
        if ctx.elapsed_time < state.last_activity:
            return [Schedule(BUSY_RETRY_MS, self._resume_offers, flushable=True)]
        if (
            ctx.current_offer_sender == ctx.seat
            or state.stalled_turns > MAX_STALLED_TURNS
            or self._is_acceptable(ctx)
        ):
            return []
        if state.is_draft_pending(ctx.elapsed_time):
            return []
        return state.propose(ctx, "counter_offer" if ctx.current_offer_sender else "introduce_offer")

    def _tick(self, ctx: AgentContext) -> list[Action]:
        state, now, left = self._get_state(ctx), ctx.elapsed_time, ctx.remaining_time
        behaviour = state.policies.behaviour
        if left is not None and left <= behaviour.hurry:
            return self._make_final_offer(ctx) if left > 0 else []
        due = state.last_activity + behaviour.silence(state.prompts, asked_to_wait=state.wait_requested)
        if now >= due and not state.is_draft_pending(now):
            state.prompts += 1
            return self._prompt(ctx)
        late = float("inf") if left is None else now + left - behaviour.hurry
        self._quiet_until = min(max(due, now), late)
        return []

    def _prompt(self, ctx: AgentContext) -> list[Action]:
        state = self._get_state(ctx)
        if ctx.current_offer_sender != ctx.seat:
            return state.propose(ctx, "introduce_offer", asked=True)
        if state.verbally_accepted_id == ctx.current_offer_id:
            return state.remind(ctx, "offer_agreed")
        if state.prompts > 1 and not is_bindable(ctx.game, ctx.current_offer):
            return state.propose(ctx, "introduce_offer")
        return state.say(ctx, "idle_prompt_offer" if state.prompts % 2 else "idle_prompt")

    def _make_final_offer(self, ctx: AgentContext) -> list[Action]:
        """Make the final offer shortly before the end, or accept an acceptable one.

        If the final offer is not accepted either, return to the best that the other has offered.
        """
        state, left = self._get_state(ctx), ctx.remaining_time or 0.0
        if self._is_acceptable(ctx) and ctx.current_offer_sender != ctx.seat:
            return self._accept(ctx)
        if state.final_proposals > 1 or state.is_draft_pending(ctx.elapsed_time):
            return []
        offers = state.policies.offers
        if not state.final_proposals:
            state.final_proposals = 1
            return state.propose(ctx, "hurry", offers.final(ctx, state), asked=True)
        if left > state.policies.behaviour.hurry / 2 or not state.best_received.terms:
            return []
        state.final_proposals = 2
        taken = offers.accepts(ctx, state, state.best_received)
        return state.propose(ctx, "take_yours", state.best_received, asked=True) if taken else []

    # Answers to offers

    def _is_acceptable(self, ctx: AgentContext) -> bool:
        """Return whether the offer on the table may be accepted, and is good enough."""
        state = self._get_state(ctx)
        if not ctx.can_formally_accept() or ctx.get_agent_utility() < ctx.reservation_value:
            return False
        return ctx.current_offer_id != state.accepted_offer_id and state.policies.offers.accepts(
            ctx, state, ctx.current_offer
        )

    def _accept(self, ctx: AgentContext) -> list[Action]:
        state = self._get_state(ctx)
        state.accepted_offer_id = ctx.current_offer_id
        face = state.show(state.policies.faces.when_agreed())
        return [*face, *state.say(ctx, "accept_offer"), FormalAccept()]

    def _answer_partial_offer(self, ctx: AgentContext, part: Offer) -> list[Action]:
        """Return an answer to a partial offer."""
        state = self._get_state(ctx)
        whole = state.policies.offers.completion(ctx, state, part)
        if whole is None:
            state.policies.offers.give_way(0.5)
            return state.propose(ctx, "counter_offer")
        return state.propose(ctx, "complete_offer", whole)

    def _refuse(self, ctx: AgentContext, offer: Offer, *, news: bool) -> list[Action]:
        """Return a refusal of a whole offer, with a proposal."""
        state = self._get_state(ctx)
        offers, before = state.policies.offers, state.policies.offers.demand
        wanted = state.deals.gain(offers.wanted(ctx, state))
        fairness = state.deals.gain(ctx.utility(offer)) / wanted if wanted else 1.0
        offers.give_way()
        state.stalled_turns = 0 if news or offers.demand < before else state.stalled_turns + 1
        if self._is_acceptable(ctx):
            return self._accept(ctx)
        if state.stalled_turns > MAX_STALLED_TURNS:
            return []
        no = state.say(ctx, "reject_offer") if state.offers_received % 2 and fairness < FAIR_THRESHOLD else []
        face = state.show(state.policies.faces.to_offer(fairness))
        return [*face, *no, *state.propose(ctx, "counter_offer")]

    def _record_activity(self, ctx: AgentContext) -> ExpressiveAgentState:
        """Return the state, updated after an action of another seat."""
        self._quiet_until = 0.0
        state = self._get_state(ctx)
        state.record_activity(ctx)
        return state

    def _get_state(self, ctx: AgentContext) -> ExpressiveAgentState:
        if self.state is None:
            self._policies = self._policies or self.policies()
            self.state = ExpressiveAgentState(ctx, self._policies)
        return self.state
