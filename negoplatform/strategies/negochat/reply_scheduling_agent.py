"""Turn-taking of the agents of this family: the time and subject of answers, and the signing of a deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from negoplatform.agent_api.actions import (
    Schedule,
    SendExpression,
    ShowTyping,
)
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, Expression, MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.strategies.conversation_helpers import is_asked
from negoplatform.strategies.negochat.conversational_agent_base import Script
from negoplatform.strategies.negochat.decision_hooks import DecisionHooks
from negoplatform.strategies.negochat.message_builder import NegoChatMessageBuilder
from negoplatform.strategies.negochat.negotiation_model_builder import (
    NegotiationModel,
    NegotiationModelOptions,
    build_negotiation_model,
)
from negoplatform.strategies.negochat.opponent_intent import (
    ANSWERS,
    COURTESIES,
    OpponentIntent,
    OpponentMessage,
    interpret_message,
)
from negoplatform.strategies.negochat.response_timing import (
    DEFAULT_PACE_BOUNDS,
    PACE_BOUNDS_BY_CULTURE,
    ResponseTiming,
    jittered,
)

HURRY_SECONDS = 30
"""Seconds before the end at which it says that time is short."""

MAX_TURN_DELAY = 3.0
"""Most seconds between the beginning of a turn and its action."""

MAX_REPEATED_ANSWERS = 3
"""Answers to the same offer in a turn, at most; the last ones in words alone."""

MAX_CONSECUTIVE_COURTESIES = 3
"""Courtesies that are answered in a row; two polite agents would otherwise never stop."""

EXPRESSION_COOLDOWN_SECONDS = 10
"""Seconds after an answer to a face in which it answers no other."""

EXPRESSION_REPLIES = {
    Expression.HAPPY: ("face_happy", Expression.HAPPY),
    Expression.SAD: ("face_sad", Expression.SAD),
    Expression.ANGRY: ("face_angry", Expression.SURPRISED),
    Expression.SURPRISED: ("face_surprised", Expression.NEUTRAL),
}

M = MessageSubtype


class ReplySchedulingAgent(DecisionHooks):
    """Agent that answers after a delay, all events at once, prompts in silence, and hurries at the end.

    An offer takes precedence over messages. A subclass decides the answers. Its settings hold the fields of
    ``NegotiationModelOptions``, and ``reply_seconds``, ``follow_pace``, ``silence_seconds``,
    ``later_silence_seconds``, ``reminders``, ``language``, ``style`` and ``quiet``.
    """

    opening_seconds: float = 4.0
    deadline_announced = False
    """Whether it has said that time is short."""

    def reset(self) -> None:
        """Reset the state of the last negotiation."""
        super().reset()
        self._offers: list[Offer] = []
        self._pending_message: OpponentMessage | None = None
        self._answer_scheduled = False
        self._has_opened = False
        self.deadline_announced = False
        self._is_over = False
        self._turn = 1
        self._expressions_allowed_from = 0.0
        self._offer_counts: Counter[Offer] = Counter()
        self._answered_position: object = None
        self._courtesy_count = 0

    # Events

    def check_game(self, game: GameSpec) -> None:
        """Check that its tables, types and shares fit the game.

        Raises:
            AgentError: If they do not.
        """
        others = game.others(self.agent_id)
        seen = [game.preferences[other].utility for other in others if other in game.preferences]
        self._build_model(game, self.agent_id, Random(0), seen[0] if len(others) == 1 and seen else None)

    def on_game_start(self, ctx: AgentContext, event: Event) -> Script:  # noqa: ARG002 - the signature of handlers
        """Build the model of the game, greet, and open a little later."""
        settings = self.settings
        two = len(ctx.game.seats) == 2
        seen = ctx.get_opponent_utility if two and ctx.opponent_preferences_visible else None
        self.model: NegotiationModel = self._build_model(ctx.game, ctx.seat, ctx.rng, seen)
        self._messages = NegoChatMessageBuilder(settings.language, settings.style, quiet=settings.quiet)
        pace = PACE_BOUNDS_BY_CULTURE.get(settings.culture, DEFAULT_PACE_BOUNDS)
        self._timing = ResponseTiming(
            settings.reply_seconds,
            settings.silence_seconds,
            settings.follow_pace,
            settings.later_silence_seconds,
            settings.reminders,
            pace,
        )
        self.begin(ctx)
        return [
            *self.note_belief(ctx, equipment=self.model.summary),
            *self.show_expression(Expression.HAPPY),
            *self.say(ctx, "greeting", M.GREETING),
            Schedule(1000 * jittered(self.opening_seconds, ctx.rng), self._open_negotiation),
        ]

    def on_send_offer(self, ctx: AgentContext, event: Event) -> Script:
        """Note an offer, which is answered a little later."""
        self._timing.record_other_action(ctx.elapsed_time)
        self._timing.prompts = 0
        if not is_asked(ctx, event):
            return []
        self._offers.append(event.get_offer())
        return self._schedule_answer(ctx)

    def on_send_message(self, ctx: AgentContext, event: Event) -> Script:
        """Note a message; of several the weightiest is answered, of ties the newest."""
        self._timing.record_other_action(ctx.elapsed_time)
        if not is_asked(ctx, event):
            return []
        reading = ctx.reading
        assert reading is not None  # there was a message just now
        message = interpret_message(reading, self.own_terms(ctx))
        answered = message.subtype is M.TIMING and self._timing.prompts > 0
        if message.subtype is M.TIMING_INFO:
            self._timing.record_wait_request()
        if message.intent is OpponentIntent.NOTHING or answered:
            return []  # it has just asked for time itself
        if message.intent >= OpponentIntent.INFORMAL_OFFER:
            self._timing.prompts = 0
        if self._pending_message is None or message.intent >= self._pending_message.intent:
            self._pending_message = message
        return self._schedule_answer(ctx)

    def on_send_expression(self, ctx: AgentContext, event: Event) -> Script:
        """Answer a face with one, and with words if it has not just done so."""
        self._timing.record_other_action(ctx.elapsed_time)
        shown = EXPRESSION_REPLIES.get(event.payload.expression)
        if shown is None or self._is_over or self.settings.quiet or not is_asked(ctx, event):
            return []
        if ctx.elapsed_time < self._expressions_allowed_from or self._answer_scheduled:
            return []
        self._expressions_allowed_from = ctx.elapsed_time + EXPRESSION_COOLDOWN_SECONDS
        kind, face = shown
        return [SendExpression(face, delay_ms=500), *self.say(ctx, kind, M.GENERIC_POS)]

    def on_offer_in_progress(self, ctx: AgentContext, event: Event) -> Script:  # noqa: ARG002 - the signature of handlers
        """Note that the other builds an offer, which is no silence."""
        self._timing.record_activity(ctx.elapsed_time)
        return []

    def on_formal_accept(self, ctx: AgentContext, event: Event) -> Script:  # noqa: ARG002 - the signature of handlers
        """Confirm its own accepted proposal, or look at another's."""
        self._timing.record_other_action(ctx.elapsed_time)
        return self.formally_accept(ctx) if self._can_accept(ctx) else []

    def on_action_refused(self, ctx: AgentContext, event: Event) -> Script:
        """Look at the present offer after its own accept came too late: perhaps it is as good."""
        late = event.payload.action == EventType.FORMAL_ACCEPT
        return self.formally_accept(ctx) if late and self._can_accept(ctx) else []

    def on_time(self, ctx: AgentContext, event: Event) -> Script:  # noqa: ARG002 - the signature of handlers
        """Handle turns, silence, and the end of the time."""
        if ctx.remaining_time == 0:
            return []
        if (
            ctx.remaining_time is not None
            and ctx.remaining_time <= HURRY_SECONDS
            and not self.deadline_announced
        ):
            self.deadline_announced = True
            self._enter_turn(ctx)
            return self._make_final_offer(ctx)
        if self._enter_turn(ctx) and not self._answer_scheduled and self._has_opened:
            # Not at once: two agents that act on the same tick would overtake each other.
            return [Schedule(1000 * ctx.rng.uniform(0, MAX_TURN_DELAY), self._take_turn)]
        if self._has_opened and not self._answer_scheduled and self._timing.is_prompt_due(ctx.elapsed_time):
            self._timing.prompts += 1
            if self.has_accepted_standing_offer(ctx):
                return self._record_action(ctx, self.remind(ctx))
            words = self.repeat_proposal(ctx, "repeat_in_silence", M.TIMING) or self.say(
                ctx, "idle_prompt", M.TIMING
            )
            return self._record_action(ctx, words)
        return []

    def on_game_end(self, ctx: AgentContext, event: Event) -> Script:
        """Say goodbye."""
        self._is_over = True
        deal = bool(event.get_offer())
        words = self.say(ctx, "farewell_deal" if deal else "farewell_no_deal", M.FAREWELL)
        face = SendExpression(Expression.HAPPY if deal else Expression.SAD)
        return [face, *words] if words else []

    # Answers

    def _take_turn(self, ctx: AgentContext) -> Script:
        """Begin a turn: look at the other's offer again, or reconsider its own proposal."""
        if self._answer_scheduled or ctx.remaining_time == 0 or self.has_accepted_standing_offer(ctx):
            return []
        self._enter_turn(ctx)
        other_waits = ctx.current_offer_sender not in (None, ctx.seat)
        if other_waits:
            return self._record_action(ctx, self._answer_offer(ctx, ctx.current_offer))
        return self._record_action(ctx, self._accept_last_offer(ctx) or self.act_on_new_turn(ctx))

    def _accept_last_offer(self, ctx: AgentContext) -> Script:
        """Return to the other's last whole offer, if it is good enough by now and no longer on the table."""
        others = ctx.game.others(ctx.seat)
        last = ctx.get_last_offer(others[0]) if len(others) == 1 else None
        if last is None or not last["complete"] or ctx.utility(last["offer"]) < ctx.reservation_value:
            return []
        bid = self.as_bid(last["offer"])
        return self.sign_agreement(ctx, bid, "accept_offer") if self.evaluate_offer(ctx, bid) else []

    def _schedule_answer(self, ctx: AgentContext) -> Script:
        if self._answer_scheduled or self._is_over:
            return []
        self._answer_scheduled = True
        pause = 1000 * self._timing.response_delay(ctx.remaining_time, ctx.rng)
        typing: Script = [] if self.settings.quiet else [ShowTyping(max(1, round(pause)))]
        return [*typing, Schedule(pause, self._answer)]

    def _answer(self, ctx: AgentContext) -> Script:
        """Answer all pending messages once: the last offer, or without one the weightiest message."""
        offers, words = self._offers, self._pending_message
        self._answer_scheduled, self._offers, self._pending_message = False, [], None
        if ctx.remaining_time == 0:
            return []
        self._enter_turn(ctx)
        if offers:
            self._has_opened, self._courtesy_count = True, 0
            return self._record_action(ctx, self._answer_offer(ctx, offers[-1]))
        if words is None:
            return []
        script = [] if self._is_ignored_courtesy(words) else self._answer_words(ctx, words)
        if not script:
            self._timing.record_unanswered_message()
        return self._record_action(ctx, script)

    def _answer_offer(self, ctx: AgentContext, offer: Offer) -> Script:
        if self.position() != self._answered_position:
            self._offer_counts.clear()
        again = self._offer_counts[offer]
        self._offer_counts[offer] += 1
        script = self._answer_new_offer(ctx, offer, again)
        self._answered_position = self.position()
        return script

    def _answer_new_offer(self, ctx: AgentContext, offer: Offer, again: int) -> Script:
        on_table = ctx.current_offer_sender != ctx.seat and ctx.current_offer == offer
        may_be_bound = on_table and ctx.can_formally_accept() and ctx.utility(offer) >= ctx.reservation_value
        if not ctx.game.is_complete(offer):
            if may_be_bound and self.is_acceptable(ctx):
                return self.accept(ctx)
            asked = self.model.space.terms(offer)
            if self.has_agreed(asked):
                return self.answer_agreed_terms(ctx, asked) if again < MAX_REPEATED_ANSWERS else []
            return self._repeat_refusal(ctx, again) if again else self.answer_partial_offer(ctx, asked)
        bid = self.as_bid(offer)
        if may_be_bound and self.is_agreed(bid):
            return self.accept(ctx)
        good, learned = self.evaluate_offer(ctx, bid), self.note_belief(ctx)
        if good and may_be_bound:
            return [*learned, *self.accept(ctx)]
        if again:
            return self._repeat_refusal(ctx, again)
        return [*learned, *self.answer_complete_offer(ctx, bid)]

    def _repeat_refusal(self, ctx: AgentContext, times: int) -> Script:
        """Repeat the refusal of the same offer while its own position is the same; in the end stay silent."""
        stands = self.position_text(ctx)
        kind = self.unchanged_kind if stands else "reject_offer"
        return self.say(ctx, kind, M.OFFER_REJECT, terms=stands) if times < MAX_REPEATED_ANSWERS else []

    def _answer_words(self, ctx: AgentContext, message: OpponentMessage) -> Script:
        match message.intent:
            case OpponentIntent.ACCEPT if any(
                not self.has_own_terms(ctx, offer) for offer in message.offers[:1]
            ):
                return self.request_formal_offer(ctx, message)  # "yes, but": the rest is no yes
            case OpponentIntent.ACCEPT:
                return self._answer_verbal_acceptance(ctx, message)
            case OpponentIntent.CONDITIONAL_ACCEPT:
                return self.say(ctx, "ask_whether_yes", M.CLARIFICATION)
            case OpponentIntent.REJECT:
                return self.answer_rejection(ctx)
            case OpponentIntent.COMPROMISE:
                return self.answer_compromise(ctx, self._issues(message))
            case OpponentIntent.INFORMAL_OFFER:
                return self.request_formal_offer(ctx, message)
            case OpponentIntent.QUERY:
                return self.answer_query(ctx, self._issues(message), least=message.least)
            case OpponentIntent.PROPOSAL:
                return self._open_negotiation(ctx) or self.repeat_proposal(
                    ctx, "repeat_asked", M.CLARIFICATION
                )
            case OpponentIntent.EXPLANATION:
                return self.restate_last_offer(ctx)
            case OpponentIntent.TIME_LEFT:
                return self.state_time_left(ctx)
            case _ if message.subtype is M.GREETING:
                # Before it opens, the opening is the answer.
                return self.say(ctx, "greeting_back", M.GREETING) if self._has_opened else []
            case _:
                kind = ANSWERS.get(message.subtype, "ask_for_offer")
                answer = self.say(ctx, kind, M.CONFIRMATION)
                return answer or self.say(ctx, "ask_what_to_change", M.CONFIRMATION)

    def _answer_verbal_acceptance(self, ctx: AgentContext, message: OpponentMessage) -> Script:
        """Answer a yes in words, which counts for the terms of that moment: about later ones, ask."""
        if self.has_accepted_standing_offer(ctx):
            return self.remind(ctx)
        if not self._has_opened:
            return self._open_negotiation(ctx)  # a yes to nothing
        if message.agent_terms != self.own_terms(ctx):
            return self.say(ctx, "ask_whether_yes", M.CLARIFICATION)
        if self.has_own_complete_offer(ctx):
            self.record_verbal_acceptance(ctx)
            return [
                *self.say(ctx, "offer_agreed", M.CONFIRMATION),
                *self.formally_accept(ctx, reminder_sent=True),
            ]
        return self.answer_acceptance(ctx)

    def _issues(self, message: OpponentMessage) -> list[int]:
        return [self.model.space.issue(name) for name in message.about]

    def _build_model(
        self, game: GameSpec, seat: Seat, rng: Random, seen: Callable[[Offer], Points] | None
    ) -> NegotiationModel:
        """Return the model of a game by its settings; ``seen``: the other's points, where visible."""
        settings = self.settings
        choices = NegotiationModelOptions(
            tables=settings.tables,
            thresholds=settings.thresholds,
            types=settings.types,
            use_visible=settings.use_visible,
            turn_seconds=settings.turn_seconds,
            culture=settings.culture,
            prior=settings.prior,
            precision=settings.precision,
        )
        return build_negotiation_model(game, seat, choices, rng, seen)

    def _is_ignored_courtesy(self, message: OpponentMessage) -> bool:
        """Return whether a message is a mere courtesy, and it has answered enough of these in a row."""
        is_polite = message.intent is OpponentIntent.SMALL_TALK and message.subtype in COURTESIES
        self._courtesy_count = self._courtesy_count + 1 if is_polite else 0
        return self._courtesy_count > MAX_CONSECUTIVE_COURTESIES

    def _open_negotiation(self, ctx: AgentContext) -> Script:
        if self._has_opened or (self._answer_scheduled and self._offers) or ctx.remaining_time == 0:
            return []
        self._has_opened = True
        self._enter_turn(ctx)
        return self._record_action(ctx, self.opening(ctx))

    def _make_final_offer(self, ctx: AgentContext) -> Script:
        """Make its best complete proposal when time is short, as a partial one can no longer be a deal."""
        self._has_opened = True
        if self.has_accepted_standing_offer(ctx):
            return self._record_action(ctx, self.remind(ctx))
        proposal = self.final_proposal(ctx)
        if proposal is None:
            return self._record_action(ctx, self.say(ctx, "no_deal_here", M.TIMING_INFO))
        return self._record_action(ctx, [*self.say(ctx, "hurry", M.TIMING_INFO), *self.offer(ctx, proposal)])

    def _can_accept(self, ctx: AgentContext) -> bool:
        if not ctx.can_formally_accept() or ctx.get_agent_utility() < ctx.reservation_value:
            return False
        self._enter_turn(ctx)
        if ctx.current_offer_sender == ctx.seat:
            return self.has_own_complete_offer(ctx)
        agreed = ctx.game.is_complete(ctx.current_offer) and self.is_agreed(self.as_bid(ctx.current_offer))
        return agreed or self.is_acceptable(ctx)

    def _enter_turn(self, ctx: AgentContext) -> bool:
        """Enter the turn of this moment; return whether it is a new one."""
        turn = self.model.turn_at(ctx.elapsed_time)
        new, self._turn = turn != self._turn, turn
        if new:
            self._offer_counts.clear()
            self.reset_turn()
        self.set_turn(turn)
        return new

    def _record_action(self, ctx: AgentContext, script: Script) -> Script:
        if script:
            self._timing.record_own_action(ctx.elapsed_time, ctx.rng)
        return script
