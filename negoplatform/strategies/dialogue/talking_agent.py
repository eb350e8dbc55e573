"""Base class of agents that talk: they read, wait while the other types, and answer at the pace of typing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from math import ceil

from negoplatform.agent_api.actions import (
    Action,
    FormalAccept,
    ProposeChange,
    Schedule,
    SendExpression,
    SendMessage,
    SendOffer,
)
from negoplatform.agent_api.answer_order import AnswerOrder
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, Expression, MessageSubtype
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.language import Topic
from negoplatform.strategies.dialogue.attention import Attention, seat_after
from negoplatform.strategies.dialogue.conversation_memory import HeardMessage
from negoplatform.strategies.dialogue.dialogue import Dialogue, Script, makes_offer
from negoplatform.strategies.dialogue.message_answers import answer_message, asks_for_move, side_answers
from negoplatform.strategies.dialogue.talk_pace import (
    MAX_TYPING_WAIT,
    TYPING_POLL_MS,
    looking_seconds,
    paced,
    reading_seconds,
)

EXPECTED_MOVE_SECONDS = 3.0
"""Seconds to wait for the usual consequence of a message: an offer, or a formal accept."""

LEAST_READING_SECONDS = 0.6
"""Seconds between the other's newest message or offer and the beginning of an answer, at least."""

LEAST_WAIT_MS = 50
"""Milliseconds for which a due answer is put off, at least."""

ASKING_MOVES = (Topic.TAKE, Topic.GIVE, Topic.SWAP, Topic.FAIRER)
"""Topics of requests that are answered although another message of the same time is answered with words."""

HURRIED_SECONDS = 5.0
"""Seconds before the deadline in which answers begin at once."""

HURRIED_SHARE = 1 / 6
"""Share of the remaining time that an answer may take, at most."""

EXPRESSION_COOLDOWN_SECONDS = 15.0
"""Seconds between two answers to faces, since two agents would otherwise make faces forever."""

EXPECTANT_SUBTYPES = frozenset(
    {MessageSubtype.OFFER_PROPOSE, MessageSubtype.OFFER_ACCEPT, MessageSubtype.OFFER_REJECT}
)
"""Speech acts that an offer or a formal accept usually follows."""

DEFAULT_ACT_DELAY = 1.0
"""Seconds from an event to the first action of a direct answer, unless an agent's settings say otherwise."""

ROUNDING_ERROR = 1e-6
"""Part of a millisecond that is left of the addition of session times, and counts as none."""

MAX_DROPS = 2
"""Times in a row that an answer is dropped because another seat acts; the next one is sent in any case."""

MAX_ANSWERED_MESSAGES = 5
"""Messages that one answer is for, at most: the newest."""

FACE_KINDS = {
    Expression.HAPPY: "face_happy",
    Expression.SAD: "face_sad",
    Expression.SCARED: "face_sad",
    Expression.ANGRY: "face_angry",
    Expression.DISGUSTED: "face_angry",
    Expression.CONTEMPT: "face_angry",
    Expression.SURPRISED: "face_surprised",
}
"""Kinds of message that answer a face."""


@dataclass
class Inbox:
    """Actions of other seats since the agent's last answer.

    Args:
        offers: Their offers, with the seat of each, oldest first.
        messages: Their messages.
        since: The session time from which an answer is due.
    """

    offers: list[tuple[Seat, Offer]] = field(default_factory=list)
    messages: list[HeardMessage] = field(default_factory=list)
    since: float = 0.0

    def __bool__(self) -> bool:
        """Return whether there is anything to answer."""
        return bool(self.offers or self.messages)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """An answer that is being typed.

    Args:
        until: The session time at which its last part is sent.
        steps: Its actions, each with the session time at which it is due.
        inbox: What it answers.
    """

    until: float
    steps: list[tuple[float, Action]]
    inbox: Inbox


class TalkingAgent(NegotiationAgent, ABC):
    """Agent that answers all that arrived since its last answer, at once.

    An answer begins after the time that reading takes, and not while another seat types (ten seconds at
    most). Its messages take the time of typing. If another seat acts meanwhile, the answer is dropped, and
    what it answered is answered again, together with the new action.
    """

    dialogue: Dialogue

    def reset(self) -> None:
        """Reset the state of the last negotiation."""
        self._inbox = Inbox()
        self._drop_count = 0
        self._outgoing: Outgoing | None = None
        self._answer_due = False
        self._typing_until = self._heard_at = 0.0
        self._last_message_at = float("-inf")
        self._faces_from = 0.0
        self.is_over = False
        self.order = AnswerOrder(at_once=self.is_adviser)
        self._attention = Attention()
        self._looked_at: int | None = None

    # What a subclass decides

    @abstractmethod
    def reply(self, ctx: AgentContext, inbox: Inbox) -> Script:
        """Return the answer to all that arrived."""

    def answer_formal_accept(self, ctx: AgentContext, event: Event) -> Script:  # noqa: ARG002 - for subclasses
        """Answer another seat's formal accept, at once."""
        return []

    def hear_offer(self, ctx: AgentContext, sender: Seat, offer: Offer) -> None:
        """Learn from an offer of another seat, at once."""

    def overhear(self, ctx: AgentContext, message: HeardMessage) -> Script:  # noqa: ARG002 - for subclasses
        """Learn from a message that is meant for another seat, without an answer."""
        return []

    def show_face(self, ctx: AgentContext, shown: Expression) -> Expression | None:  # noqa: ARG002
        """Return the face that answers the other's face; None for none."""
        return None

    def record_activity(self, ctx: AgentContext) -> None:
        """Record that another seat has done something."""

    def undo(self, ctx: AgentContext, dropped: Script) -> None:
        """Undo what an answer has changed that was dropped before it was sent."""

    def reading_delay(self, ctx: AgentContext, seconds: float) -> float:  # noqa: ARG002 - for subclasses
        """Return the seconds until an answer begins, from the seconds that reading takes."""
        return seconds

    # Events

    def on_send_message(self, ctx: AgentContext, event: Event) -> Script:
        """Read a message, which is answered a little later."""
        self._recover_dropped(ctx)
        self.record_activity(ctx)
        if self.is_over:
            return []
        self._typing_until = 0.0
        message = self._heard(ctx, event)
        self.order.record_activity(ctx, event.sender)
        if len(ctx.game.seats) > 2:
            greeted = self.dialogue.memory.greeted
            if not self._attention.is_meant(ctx, message, greeted=greeted):
                return [*self.overhear(ctx, message), *self._schedule_dropped(ctx)]
        self._inbox.messages.append(message)
        seconds = reading_seconds(message.text)
        if message.subtype in EXPECTANT_SUBTYPES or message.reading.subtype in EXPECTANT_SUBTYPES:
            seconds = max(seconds, EXPECTED_MOVE_SECONDS)
        return self._schedule_answer(ctx, seconds)

    def on_send_offer(self, ctx: AgentContext, event: Event) -> Script:
        """Look at an offer, which is answered a little later."""
        self._recover_dropped(ctx)
        self.record_activity(ctx)
        offer = event.get_offer()
        self.dialogue.memory.record_offer(event.sender, offer)
        self.order.record_activity(ctx, event.sender)
        self._attention.record_move()
        self.hear_offer(ctx, event.sender, offer)
        if self.is_over:
            return []
        self._inbox.offers.append((event.sender, offer))
        return self._schedule_answer(ctx, looking_seconds(offer))

    def on_formal_accept(self, ctx: AgentContext, event: Event) -> Script:
        """Answer a formal accept at once; look at the offer if that has passed this seat the turn."""
        self._recover_dropped(ctx)
        self.record_activity(ctx)
        self.order.record_activity(ctx, event.sender)
        self._attention.record_move()
        answer = self.answer_formal_accept(ctx, event) or self.look_at_table(ctx)
        return answer or (self._schedule_dropped(ctx) if len(ctx.game.seats) > 2 else [])

    def look_at_table(self, ctx: AgentContext) -> Script:
        """Look at another seat's offer on the table, once, when it is this seat that is to answer it.

        In a game with turns, an acceptance may have passed this seat the turn. At a table of several, the
        seats before it may have accepted the offer, or be silent.
        """
        sender, offer_id = ctx.current_offer_sender, ctx.current_offer_id
        waits = ctx.turn == ctx.seat or len(ctx.game.seats) > 2
        if not waits or self.is_over or sender in (None, ctx.seat) or ctx.remaining_time == 0:
            return []
        if self._looked_at == offer_id or self._inbox.offers or not self.order.may_answer(ctx):
            return []
        self._inbox.offers.append((sender, ctx.current_offer))
        return self._schedule_answer(ctx, looking_seconds(ctx.current_offer))

    def note_answer(self, ctx: AgentContext) -> None:
        """Note that this seat has answered the offer on the table, so that it does not look at it again."""
        self._looked_at = ctx.current_offer_id

    def on_send_expression(self, ctx: AgentContext, event: Event) -> Script:
        """Answer a face with a face, and sometimes with words."""
        self.record_activity(ctx)
        shown = event.get_expression()
        if shown is None or self.is_over or not is_asked(ctx, event):
            return []
        if ctx.elapsed_time < self._faces_from or self._answer_due or self._is_speaking(ctx):
            return []
        self._faces_from = ctx.elapsed_time + EXPRESSION_COOLDOWN_SECONDS
        face = self.show_face(ctx, shown)
        # Of several, it is not plain whose face is meant for whom: a face is the answer.
        kind = FACE_KINDS.get(shown, "") if len(ctx.game.seats) == 2 else ""
        words = self.dialogue.message(ctx, kind, flushable=True) if kind else []
        if face is not None:
            words = [SendExpression(face), *words]
        return self.speak(ctx, words, at_once=True)

    def on_typing(self, ctx: AgentContext, event: Event) -> None:
        """Note that another seat types."""
        self.order.record_activity(ctx, event.sender)
        self._typing_until = ctx.elapsed_time + event.payload.duration_ms / 1000

    def on_offer_in_progress(self, ctx: AgentContext, event: Event) -> None:
        """Note that another seat builds an offer, which is no silence."""
        self.order.record_activity(ctx, event.sender)
        self.record_activity(ctx)

    # Turns

    def speak(
        self, ctx: AgentContext, script: Script, inbox: Inbox | None = None, *, at_once: bool = False
    ) -> Script:
        """Return a script at the pace of typing, and note when it ends.

        Args:
            ctx: The context.
            script: The script.
            inbox: What it answers; None for an initiative of its own.
            at_once: Whether it is the direct answer to an event, which begins only after ``act_delay``.
        """
        script = self.dialogue.with_recipients(ctx, script) if script else script
        if ctx.turn not in (None, ctx.seat) or ctx.remaining_offers == 0:
            # An offer would be refused, and its introduction would be for nothing.
            script = _without_offer(script)
        if not script:
            return []
        if self._drop_count >= MAX_DROPS and inbox is not None:
            # Another seat that writes all the time would otherwise never get an answer.
            script = [_lasting(action) for action in script]
            self._drop_count = 0
        if any(isinstance(action, SendMessage) and not action.flushable for action in script):
            # What cannot be unsaid takes the other answers with it: they would be lost alone.
            script = [
                _lasting(action) if _is_answer(action) or isinstance(action, ProposeChange) else action
                for action in script
            ]
        if any(isinstance(action, FormalAccept) and action.flushable for action in script):
            # An acceptance that is dropped takes its words with it.
            script = [_droppable(action) for action in script]
        if self.is_over and self._is_speaking(ctx):
            self._last_message_at = float("-inf")  # the end of the game has cancelled what was being typed
        pace = ctx.game.rules.counterpart.pace
        begin = ctx.elapsed_time + (self._act_delay * pace if at_once else 0.0)
        quiet = (begin - self._last_message_at) / pace
        timed, seconds = paced(script, quiet, self.dialogue.turns_to_another)
        end = begin + seconds * pace
        if any(isinstance(action, SendMessage) for action in script):
            self._last_message_at = end
        if seconds:
            self._outgoing = Outgoing(end, _with_due_times(timed, begin, pace), inbox or Inbox())
        return timed

    @property
    def _act_delay(self) -> float:
        """Seconds from an event to the first action of a direct answer."""
        timing = self.get_config("timing", {})
        return float(timing.get("act_delay", DEFAULT_ACT_DELAY))

    def _is_speaking(self, ctx: AgentContext) -> bool:
        # At that very time its last part may still be waiting to be sent.
        return self._outgoing is not None and ctx.elapsed_time <= self._outgoing.until

    @property
    def is_busy(self) -> bool:
        """Whether an answer is due."""
        return self._answer_due

    def is_speaking(self, ctx: AgentContext) -> bool:
        """Return whether an answer is due or being typed."""
        return self._answer_due or self._is_speaking(ctx)

    def typing_left(self, ctx: AgentContext) -> float:
        """Return the seconds until the message that is being typed is sent; 0 if there is none."""
        return max(0.0, self._outgoing.until - ctx.elapsed_time) if self._outgoing is not None else 0.0

    def _schedule_answer(self, ctx: AgentContext, seconds: float) -> Script:
        self._heard_at = ctx.elapsed_time
        if self._answer_due:
            return []
        self._answer_due = True
        self._inbox.since = ctx.elapsed_time
        seconds = self.reading_delay(ctx, seconds)
        if ctx.remaining_time is not None:
            seconds = min(seconds, ctx.remaining_time * HURRIED_SHARE)
        return [Schedule(1000 * seconds * ctx.game.rules.counterpart.pace, self._answer)]

    def _schedule_dropped(self, ctx: AgentContext) -> Script:
        """Answer again what the action of a third seat, which needs no answer itself, has just dropped."""
        return self._schedule_answer(ctx, LEAST_READING_SECONDS) if self._inbox else []

    def _answer_after(self, seconds: float) -> Schedule:
        # Session time is in milliseconds: a shorter wait would be none, again and again.
        return Schedule(max(LEAST_WAIT_MS, 1000 * seconds), self._answer)

    def _answer(self, ctx: AgentContext) -> Script:
        """Answer what arrived; wait while another seat types."""
        if self.is_over or ctx.remaining_time == 0:
            return []
        pace = ctx.game.rules.counterpart.pace
        fresh = self._heard_at + LEAST_READING_SECONDS * pace - ctx.elapsed_time
        if fresh > 0 and (ctx.remaining_time is None or ctx.remaining_time > HURRIED_SECONDS):
            return [self._answer_after(fresh)]
        if self._is_speaking(ctx):
            assert self._outgoing is not None
            return [self._answer_after(self._outgoing.until - ctx.elapsed_time)]
        waited = ctx.elapsed_time - self._inbox.since
        if ctx.elapsed_time < self._typing_until and waited < MAX_TYPING_WAIT:
            return [Schedule(TYPING_POLL_MS, self._answer)]
        self._answer_due = False
        inbox, self._inbox = self._inbox, Inbox()
        script = self.reply(ctx, inbox) if inbox else []
        if not any(isinstance(action, SendOffer | FormalAccept) for action in script):
            for message in inbox.messages if script else ():
                self._attention.record_answer(message.sender)
        return self.speak(ctx, script, inbox)

    def _recover_dropped(self, ctx: AgentContext) -> None:
        """Put back what an answer was for that another seat's action has just dropped."""
        outgoing = self._outgoing
        if outgoing is None or ctx.elapsed_time >= outgoing.until:
            return
        waiting: Script = [action for due, action in outgoing.steps if due > ctx.elapsed_time]
        dropped: Script = [
            action
            for action in waiting
            if isinstance(action, SendMessage | SendOffer | FormalAccept) and action.flushable
        ]
        if not dropped:
            return
        # What is sent in any case is still being typed: the next answer waits for it.
        lasting = [step for step in outgoing.steps if step[0] > ctx.elapsed_time and step[1] not in dropped]
        words = [due for due, action in lasting if isinstance(action, SendMessage)]
        self._outgoing = Outgoing(words[-1], lasting, Inbox()) if words else None
        self._drop_count += 1
        for action in dropped:
            if isinstance(action, SendMessage):
                self.dialogue.sentences.discard(action.text)
                self.dialogue.memory.greeted &= action.subtype is not MessageSubtype.GREETING
        self.undo(ctx, dropped)
        if words:
            self._last_message_at = words[-1]
            return  # a part of the answer is sent in any case
        if any(isinstance(action, SendMessage) for _, action in outgoing.steps if action not in waiting):
            return  # a part of the answer has been sent
        self._last_message_at = float("-inf")
        self._inbox.offers = [*outgoing.inbox.offers, *self._inbox.offers]
        self._inbox.messages = [*outgoing.inbox.messages, *self._inbox.messages]

    def _heard(self, ctx: AgentContext, event: Event) -> HeardMessage:
        reading = ctx.reading
        assert reading is not None  # there was a message just now
        typed = event.payload.subtype is MessageSubtype.GENERIC
        return HeardMessage(
            event.sender,
            event.get_text(),
            event.payload.subtype,
            reading,
            ctx.topics if typed else (),
            self.own_terms(ctx),
            ctx.current_offer_id,
            event.to,
            ctx.address,
        )

    @staticmethod
    def has_arrived(ctx: AgentContext, message: HeardMessage) -> bool:
        """Return whether one of several has sent the offer that a message announced, or another one."""
        return len(ctx.game.seats) > 2 and ctx.current_offer_id != message.offer_id

    def own_terms(self, ctx: AgentContext) -> Offer:
        """Return its own latest terms, issue by issue, as they were sent."""
        return ctx.board.latest.get(ctx.seat, EMPTY_OFFER)


def whole_milliseconds(seconds: float) -> int:
    """Return a positive number of seconds in milliseconds, rounded up.

    Session time has whole milliseconds: a call that is due after a part of one comes at the same time again.
    """
    return max(1, ceil(1000 * seconds - ROUNDING_ERROR))


def _with_due_times(timed: Script, begin: float, pace: float) -> list[tuple[float, Action]]:
    """Return the actions of a timed script that are performed in order, with their session times."""
    at = begin
    steps: list[tuple[float, Action]] = []
    for action in timed:
        if not isinstance(action, Schedule):
            at += getattr(action, "delay_ms", 0) * pace / 1000
            steps.append((at, action))
    return steps


def _lasting(action: Action) -> Action:
    if isinstance(action, SendMessage | SendOffer | ProposeChange):
        return replace(action, flushable=False)
    return action


def _droppable(action: Action) -> Action:
    return replace(action, flushable=True) if isinstance(action, SendMessage | SendOffer) else action


def answer_inbox(agent: TalkingAgent, ctx: AgentContext, inbox: Inbox) -> Script:
    """Return the answers to messages: to the last one that concerns the deal, and what else is asked."""
    messages = inbox.messages[-MAX_ANSWERED_MESSAGES:]
    main = next((message for message in reversed(messages) if asks_for_move(message)), messages[-1])
    moved, answers = False, [list[Action]() for _ in messages]
    # A value of no deal is stated, and a favour promised, before an offer is chosen that must agree with it.
    order = sorted(range(len(messages)), key=lambda i: (not _binds(messages[i]), messages[i] is not main))
    for i in order:
        message = messages[i]
        asks = asks_for_move(message)
        if message is main or not asks or (not moved and message.mention(*ASKING_MOVES)):
            script = answer_message(agent, ctx, message)  # type: ignore[arg-type]
            answers[i] = _without_offer(script) if moved else script
            moved = moved or makes_offer(script)
        else:
            answers[i] = side_answers(agent, ctx, message)  # type: ignore[arg-type]
    # An offer comes last, so that all words come with it.
    return [step for answer in sorted(answers, key=makes_offer) for step in answer]


def _binds(message: HeardMessage) -> bool:
    """Return whether the answer may bind what is offered: a value of no deal, or the promise of a favour."""
    asked = (MessageSubtype.BATNA_REQUEST, MessageSubtype.FAVOR_REQUEST)
    return (
        message.subtype in asked or message.reading.has(*asked) or message.mention(Topic.LOWEST) is not None
    )


def _without_offer(script: Script) -> Script:
    """Return a script without its offers and the messages that introduce them."""
    return [
        action for action in script if not isinstance(action, SendOffer | SendMessage) or _is_answer(action)
    ]


def _is_answer(action: Action) -> bool:
    """Return whether an action is a message that introduces no offer."""
    return isinstance(action, SendMessage) and action.subtype is not MessageSubtype.OFFER_PROPOSE


def is_asked(ctx: AgentContext, event: Event) -> bool:
    """Return whether this seat should answer: of several the next one, as all answers would be a flood.

    An event that is addressed is for its recipients, and a face that answers an offer for the offer's maker.
    """
    if event.to:
        return ctx.seat in event.to
    maker = ctx.current_offer_sender
    if event.type == EventType.SEND_EXPRESSION and maker not in (None, event.sender):
        return maker == ctx.seat
    return seat_after(ctx, event.sender) == ctx.seat
