"""Turn-taking of the agents of this family: the time and subject of answers, and the signing of a deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from random import Random

from negoplatform.agent_api.actions import FormalAccept, Schedule, SendExpression
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, Expression, MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.language import Topic
from negoplatform.strategies.dialogue.conversation_memory import HeardMessage
from negoplatform.strategies.dialogue.dialogue import makes_offer
from negoplatform.strategies.dialogue.message_answers import side_answers
from negoplatform.strategies.dialogue.offer_wording import Reply
from negoplatform.strategies.dialogue.talk_pace import OFFER_PAUSE_MS, USUAL_TYPING_SECONDS
from negoplatform.strategies.dialogue.talking_agent import Inbox, answer_inbox, whole_milliseconds
from negoplatform.strategies.expressive.emotion_policy import Faces
from negoplatform.strategies.negochat.conversational_agent_base import Script
from negoplatform.strategies.negochat.decision_hooks import DecisionHooks
from negoplatform.strategies.negochat.negotiation_model_builder import (
    NegotiationModel,
    NegotiationModelOptions,
    build_negotiation_model,
)
from negoplatform.strategies.negochat.response_timing import (
    DEFAULT_PACE_BOUNDS,
    PACE_BOUNDS_BY_CULTURE,
    ResponseTiming,
    jittered,
)

HURRY_SECONDS = 30
"""Seconds before the end at which it says that time is short."""

BUSY_RETRY_MS = 1_500
"""Milliseconds for which the opening waits while an answer is under way."""

MAX_TURN_DELAY = 3.0
"""Most seconds between the beginning of a turn and its action."""

MAX_REPEATED_ANSWERS = 3
"""Answers to the same offer in a turn, at most; the last ones in words alone."""


class ReplySchedulingAgent(DecisionHooks):
    """Agent that answers after a delay, all events at once, prompts in silence, and hurries at the end.

    An offer takes precedence over messages. A subclass decides the answers. Its settings are those of
    ``TalkSettings`` and ``NegotiationModelOptions``, and ``reply_seconds``, ``follow_pace``,
    ``silence_seconds``, ``later_silence_seconds``, ``reminders``, ``faces`` and ``quiet``.
    """

    opening_seconds: float = 4.0
    """Seconds after the start until the first proposal is sent, on average."""
    deadline_announced = False
    """Whether it has said that time is short."""

    def reset(self) -> None:
        """Reset the state of the last negotiation."""
        super().reset()
        self._has_opened = False
        self.deadline_announced = False
        self._turn = 1
        self._offer_counts: Counter[Offer] = Counter()
        self._answered_position: object = None
        self._prompted_terms: Offer | None = None

    # Events

    def check_game(self, game: GameSpec) -> None:
        """Check that its tables, types and shares fit the game.

        Raises:
            AgentError: If they do not.
        """
        others = game.others(self.agent_id)
        seen = {other: game.preferences[other].utility for other in others if other in game.preferences}
        self._build_model(game, self.agent_id, Random(0), seen)

    def on_game_start(self, ctx: AgentContext, event: Event) -> Script:  # noqa: ARG002 - the signature of handlers
        """Build the model of the game, greet, and open a little later."""
        settings = self.settings
        seen = {
            other: partial(ctx.get_opponent_utility, seat=other)
            for other in ctx.game.others(ctx.seat)
            if ctx.are_preferences_visible(other)
        }
        self.model: NegotiationModel = self._build_model(ctx.game, ctx.seat, ctx.rng, seen)
        self.begin_dialogue(ctx)
        self._faces = Faces(settings.persona)
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
        words = [] if settings.quiet else self.dialogue.message(ctx, "greeting", flushable=True)
        greeting = [*self.show_expression(Expression.HAPPY), *words]
        opening = jittered(self.opening_seconds, ctx.rng) - USUAL_TYPING_SECONDS
        return [
            *self.note_belief(ctx, equipment=self.model.summary),
            *self.speak(ctx, greeting, at_once=True),
            Schedule(1000 * max(0.0, opening), self._open),
        ]

    def on_send_message(self, ctx: AgentContext, event: Event) -> Script:
        """Read a message, which is answered a little later."""
        script = super().on_send_message(ctx, event)
        if self._inbox.messages and _speaks_of_deal(self._inbox.messages[-1]):
            self._timing.prompts = 0
        return script

    def hear_offer(self, ctx: AgentContext, sender: Seat, offer: Offer) -> None:
        """Note that the other negotiates; an offer of one of several is learned from at once."""
        self._timing.prompts = 0
        self._learn_from_several(ctx, sender, offer)

    def record_activity(self, ctx: AgentContext) -> None:
        """Note an action of the other, which ends a silence."""
        self._timing.record_other_action(ctx.elapsed_time)

    def reading_delay(self, ctx: AgentContext, seconds: float) -> float:
        """Return the seconds until an answer begins, so that it arrives when its settings say."""
        pause = self._timing.response_delay(ctx.remaining_time, ctx.rng)
        typing = OFFER_PAUSE_MS / 1000 if self.settings.quiet else USUAL_TYPING_SECONDS
        return max(pause - typing, seconds if not self.settings.follow_pace else 0.0)

    def speak(
        self, ctx: AgentContext, script: Script, inbox: Inbox | None = None, *, at_once: bool = False
    ) -> Script:
        """Return a script at the pace of typing; the other's pace, and a silence, count from its end."""
        timed = super().speak(ctx, script, inbox, at_once=at_once)
        if timed and (left := self.typing_left(ctx)) > 0:
            self._timing.record_end_of_own_action(ctx.elapsed_time + left)
        return timed

    def on_typing(self, ctx: AgentContext, event: Event) -> None:
        """Note that another seat types, which is no silence."""
        super().on_typing(ctx, event)
        self._timing.record_activity(ctx.elapsed_time)

    def show_face(self, ctx: AgentContext, shown: Expression) -> Expression | None:  # noqa: ARG002
        """Return the face that answers the other's face."""
        if self.settings.quiet or not self.settings.faces:
            return None
        return self._faces.to_face(shown)

    def answer_formal_accept(self, ctx: AgentContext, event: Event) -> Script:  # noqa: ARG002
        """Confirm its own accepted proposal, or look at another's."""
        return self.formally_accept(ctx) if self._can_accept(ctx) else []

    def on_action_refused(self, ctx: AgentContext, event: Event) -> Script:
        """Look at the present offer after its own accept came too late: perhaps it is as good."""
        late = event.payload.action == EventType.FORMAL_ACCEPT
        return self.formally_accept(ctx) if late and self._can_accept(ctx) else []

    def on_time(self, ctx: AgentContext, event: Event) -> Script:  # noqa: ARG002 - the signature of handlers
        """Handle turns, silence, and the end of the time."""
        left = ctx.remaining_time
        if left == 0:
            return []
        if looks := self.look_at_table(ctx):
            return looks
        if self.is_speaking(ctx) and (left is None or left > HURRY_SECONDS / 2):
            return []
        if left is not None and left <= HURRY_SECONDS and not self.deadline_announced:
            if self._accepts_late(ctx):
                return self.formally_accept(ctx)
            if self.order.is_overtaking(ctx, HURRY_SECONDS):
                return []
            self.deadline_announced = True
            self._enter_turn(ctx)
            return self.speak(ctx, self._make_final_offer(ctx), at_once=True)
        if self._enter_turn(ctx) and self._has_opened:
            # Not at once: two agents that act on the same tick would overtake each other.
            return [Schedule(1000 * ctx.rng.uniform(0, MAX_TURN_DELAY), self._take_turn)]
        if len(ctx.game.seats) > 2 and ctx.current_offer_sender not in (None, ctx.seat):
            return []  # it is the maker of the offer who breaks the silence
        asked = self._prompted_terms == self.own_terms(ctx)
        if self._has_opened and self._timing.is_prompt_due(ctx.elapsed_time, again=asked):
            self._timing.prompts += 1
            if self.has_accepted_standing_offer(ctx):
                return self.speak(ctx, self._record_action(ctx, self.remind(ctx)), at_once=True)
            self._prompted_terms = self.own_terms(ctx)
            with self.dialogue.speaking_to(ctx.next_to_answer):
                proposal = [] if _saves_offers(ctx) else self.repeat_proposal(ctx, in_silence=True)
                words = proposal or self.say(ctx, "idle_prompt")
            return self.speak(ctx, self._record_action(ctx, words), at_once=True)
        return []

    def on_game_end(self, ctx: AgentContext, event: Event) -> Script:
        """Say goodbye."""
        self.is_over = True
        deal = event.payload.is_signed_by(ctx.seat)
        words = self.say(ctx, "farewell_deal" if deal else "farewell_no_deal")
        face = SendExpression(Expression.HAPPY if deal else Expression.SAD)
        return self.speak(ctx, [face, *words]) if words else []

    # Answers

    def reply(self, ctx: AgentContext, inbox: Inbox) -> Script:
        """Return the answer to the last offer, or without one to the messages."""
        self._enter_turn(ctx)
        talk: Script = []
        if any(message.mention(Topic.INSULT) for message in inbox.messages):
            insult = self._faces.to_insult()
            talk += [] if insult is None else self.show_expression(insult)
        if inbox.offers:
            self._has_opened = True
            self.dialogue.memory.courtesies = 0
            answer = self._answer_offer(ctx, *inbox.offers[-1])
            accepts = any(isinstance(step, FormalAccept) for step in answer)
            asked = () if self.settings.quiet else inbox.messages
            moves = accepts or makes_offer(answer)
            talk += [
                step
                for message in asked
                for step in side_answers(self, ctx, message, accepts=accepts, moves=moves)
            ]
            if talk or answer or not inbox.messages:
                return self._record_action(ctx, [*talk, *answer])
        script = self._answer_messages(ctx, inbox)
        if not script:
            self._timing.record_unanswered_message()
        return self._record_action(ctx, [*talk, *script] if script else [])

    def _answer_messages(self, ctx: AgentContext, inbox: Inbox) -> Script:
        newest = inbox.messages[-1]
        self.model.belief.observe(newest.sender)
        if newest.subtype is MessageSubtype.GREETING and not self._has_opened:
            return []  # the opening is the answer
        if self.settings.quiet:
            return self._answer_quietly(ctx, newest)
        return answer_inbox(self, ctx, inbox)

    def _answer_quietly(self, ctx: AgentContext, message: HeardMessage) -> Script:
        """Answer only what concerns its proposals, without a word."""
        reading = message.reading
        if reading.subtype is MessageSubtype.OFFER_ACCEPT or reading.accepts:
            return self.answer_acceptance(ctx, message)
        if reading.subtype is MessageSubtype.OFFER_REJECT:
            return self.answer_rejection(ctx, message)
        requests = (MessageSubtype.OFFER_REQUEST_POS, MessageSubtype.OFFER_REQUEST_NEG)
        if reading.halfway or reading.subtype in requests:
            return self.answer_request(ctx, message, fairer=False)
        return []

    def _take_turn(self, ctx: AgentContext) -> Script:
        """Begin a turn: look at the other's offer again, or reconsider its own proposal."""
        if self.is_speaking(ctx) or ctx.remaining_time == 0 or self.has_accepted_standing_offer(ctx):
            return []
        self._enter_turn(ctx)
        sender = ctx.current_offer_sender
        if not self.order.may_answer(ctx) and sender != ctx.seat:
            return []
        if sender not in (None, ctx.seat):
            return self.speak(
                ctx, self._record_action(ctx, self._answer_offer(ctx, sender, ctx.current_offer))
            )
        script = self._accept_last_offer(ctx) or ([] if _saves_offers(ctx) else self.act_on_new_turn(ctx))
        return self.speak(ctx, self._record_action(ctx, script))

    def _accept_last_offer(self, ctx: AgentContext) -> Script:
        """Return to the other's last whole offer, if it is good enough by now and no longer on the table."""
        for other in ctx.game.others(ctx.seat):
            last = ctx.get_last_offer(other)
            if last is None or not last["complete"] or ctx.utility(last["offer"]) < ctx.least_points:
                continue
            bid = self.as_bid(last["offer"])
            self.model.belief.observe(other)
            if self.evaluate_offer(ctx, bid):
                return self.sign_agreement(ctx, bid, "take_yours")
        return []

    def _learn_from_several(self, ctx: AgentContext, sender: Seat, offer: Offer) -> None:
        """Learn from a complete offer of one of several others, also where another seat answers it."""
        if len(ctx.game.seats) > 2 and ctx.game.is_complete(offer) and not self.is_over:
            self.model.belief.observe(sender)
            self.model.belief.observe_offer(self.as_bid(offer), self._turn)

    def may_accept_now(self, ctx: AgentContext) -> bool:
        """Return whether it is time to accept the offer on the table: in the order of the seats, or late."""
        late = ctx.remaining_time is not None and ctx.remaining_time <= HURRY_SECONDS
        return (late and ctx.current_offer_sender != ctx.seat) or super().may_accept_now(ctx)

    def _accepts_late(self, ctx: AgentContext) -> bool:
        """Return whether one of several others has made an offer that is accepted as time is short."""
        theirs = ctx.current_offer_sender not in (None, ctx.seat)
        return len(ctx.game.seats) > 2 and theirs and self._can_accept(ctx)

    def _answer_offer(self, ctx: AgentContext, sender: Seat, offer: Offer) -> Script:
        if len(ctx.game.seats) > 2:
            if ctx.current_offer_sender in (None, ctx.seat) or self.order.is_accepting(ctx):
                return []
            if not self.order.may_answer(ctx):
                return self.accept(ctx) if self._can_accept(ctx) else []
            self.note_answer(ctx)
            sender, offer = ctx.current_offer_sender or sender, ctx.current_offer
            self.model.belief.observe(sender)
        before = self.position()
        if before != self._answered_position:
            self._offer_counts.clear()
        again = self._offer_counts[offer]
        script = self._answer_new_offer(ctx, Reply(sender, offer), again)
        self._answered_position = self.position()
        if self._answered_position != before:
            # Its own answer has changed its position: earlier offers are looked at anew.
            self._offer_counts.clear()
        self._offer_counts[offer] = again + 1
        return script

    def _answer_new_offer(self, ctx: AgentContext, answers: Reply, again: int) -> Script:
        offer = answers.offer
        on_table = ctx.current_offer_sender != ctx.seat and ctx.current_offer == offer
        may_be_bound = on_table and ctx.can_formally_accept() and ctx.utility(offer) >= ctx.least_points
        if not ctx.game.is_complete(offer):
            if may_be_bound and self.is_acceptable(ctx):
                return self.accept(ctx)
            asked = self.model.space.terms(offer)
            if self.has_agreed(asked):
                return self.answer_agreed_terms(ctx, asked) if again < MAX_REPEATED_ANSWERS else []
            return (
                self._repeat_refusal(ctx, again) if again else self.answer_partial_offer(ctx, asked, answers)
            )
        bid = self.as_bid(offer)
        if may_be_bound and self.is_agreed(bid):
            return self.accept(ctx)
        good, learned = self.evaluate_offer(ctx, bid), self.note_belief(ctx)
        if good and may_be_bound:
            return [*learned, *self.accept(ctx)]
        if again:
            return self._repeat_refusal(ctx, again)
        return [*learned, *self.answer_complete_offer(ctx, bid, answers)]

    def _repeat_refusal(self, ctx: AgentContext, times: int) -> Script:
        """Refuse the same offer again while its own position is the same; in the end stay silent."""
        if times >= MAX_REPEATED_ANSWERS:
            return []
        with self.dialogue.speaking_to(ctx.current_offer_sender):
            return self.say(ctx, "react_same") or self.say(ctx, "refuse_plain")

    def answer_acceptance(self, ctx: AgentContext, message: HeardMessage) -> Script:
        """Answer a yes in words, which counts for the terms of that moment: about later ones, ask."""
        if len(ctx.game.seats) > 2 and message.sender in ctx.accepted_by:
            return []  # the words went with the acceptance
        if self.has_accepted_standing_offer(ctx):
            return self.remind(ctx)
        if not self._has_opened:
            return self._open_negotiation(ctx)  # a yes to nothing
        if message.agent_terms != self.own_terms(ctx):
            return self.say(ctx, "ask_whether_yes")
        if self.has_own_complete_offer(ctx):
            self.record_verbal_acceptance(ctx)
            return [*self.say(ctx, "offer_agreed"), *self.formally_accept(ctx, reminder_sent=True)]
        return self.continue_after_yes(ctx)

    def answer_request(self, ctx: AgentContext, message: HeardMessage, *, fairer: bool) -> Script:  # noqa: ARG002
        """Answer a request for a compromise with another value, any other one with its proposal.

        A request for a fairer offer is none for a compromise: the next value of the algorithm may suit the
        other side less.
        """
        if message.reading.halfway:
            return self.answer_compromise(ctx, self._issues(message))
        return self._open_negotiation(ctx) or self.repeat_proposal(ctx)

    def record_wait_request(self, ctx: AgentContext) -> bool:
        """Note that the other needs time; return whether there is any left."""
        self._timing.record_wait_request()
        return ctx.remaining_time is None or ctx.remaining_time > HURRY_SECONDS

    def forget_agreement(self) -> None:
        """Do nothing: what was agreed in words stays proposed until it is refused."""

    def _issues(self, message: HeardMessage) -> list[int]:
        return [self.model.space.issue(name) for name in message.reading.about]

    def _build_model(
        self, game: GameSpec, seat: Seat, rng: Random, seen: Mapping[Seat, Callable[[Offer], Points]]
    ) -> NegotiationModel:
        """Return the model of a game by its settings; ``seen``: the others' points, where visible."""
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
        other = next(iter(seen.values()), None) if len(game.seats) == 2 else None
        return build_negotiation_model(game, seat, choices, rng, other, seen)

    def _open(self, ctx: AgentContext) -> Script:
        if self.is_busy:
            return [Schedule(BUSY_RETRY_MS, self._open)]
        if (left := self.typing_left(ctx)) > 0:
            return [Schedule(whole_milliseconds(left), self._open)]
        return self.speak(ctx, self._open_negotiation(ctx))

    def _open_negotiation(self, ctx: AgentContext) -> Script:
        if self._has_opened or self._inbox.offers or ctx.remaining_time == 0:
            return []
        if len(ctx.game.seats) > 2 and (ctx.current_offer_sender is not None or not ctx.may_move()):
            self._has_opened = True
            return []  # another seat has opened, or does so first
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
            return self._record_action(ctx, self.say(ctx, "no_deal_here"))
        stands = ctx.current_offer_sender == ctx.seat and ctx.current_offer == proposal
        words = self.say(ctx, "hurry_standing") if stands else self.word_whole(ctx, proposal, "final_whole")
        return self._record_action(ctx, [*words, *self.offer(ctx, proposal)])

    def _can_accept(self, ctx: AgentContext) -> bool:
        if not ctx.can_formally_accept() or ctx.get_agent_utility() < ctx.least_points:
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


def _speaks_of_deal(message: HeardMessage) -> bool:
    """Return whether a message accepts, refuses, asks for or words an offer."""
    reading = message.reading
    return bool(
        reading.offers
        or reading.accepts
        or reading.refuses
        or reading.halfway
        or reading.has(
            MessageSubtype.OFFER_ACCEPT,
            MessageSubtype.OFFER_REJECT,
            MessageSubtype.OFFER_PROPOSE,
            MessageSubtype.OFFER_REQUEST_POS,
            MessageSubtype.OFFER_REQUEST_NEG,
        )
    )


def _saves_offers(ctx: AgentContext) -> bool:
    """Return whether the number of offers is limited and the others have not answered the agent's own.

    Each offer in a silence would leave fewer for the others.
    """
    return ctx.remaining_offers is not None and ctx.current_offer_sender == ctx.seat
