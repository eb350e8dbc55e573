"""Validator of the notes about messages on their way, and about advice: who, in answer to what, in order.

The numbers of requests and of advice count up without gaps. A message arrives once, after the one that it
answers, and not before its delay is over.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from negoplatform.core.broker import GET_INFO, GET_OBS_RESPONSE
from negoplatform.core.events import GAME_START, Event, EventType, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.state import NEGOTIATING, State
from negoplatform.domain.command_settings import PrincipalTiming
from negoplatform.domain.joining_settings import AdviceVerdict
from negoplatform.domain.seat_map import PLATFORM, Seat
from negoplatform.formats.log_header import Header
from negoplatform.formats.sent_commands import UNANSWERED_TYPES

_ROUNDING = 0.002
"""Seconds by which times in a log may differ from the exact ones: they are rounded to milliseconds."""


def answered_tick(event: Event) -> str | None:
    """Return the name that got an answer of the platform in an event; None: the event is no such note."""
    match event.payload:
        case Note(kind=NoteKind.MESSAGE_DELIVERED, data=data) if data.get("message") == GET_OBS_RESPONSE:
            name = data.get("recipient")
            return name if isinstance(name, str) else None
    return None


class PluginNoteValidator:
    """Validator of the notes of delivered messages, of advice and of taken commands, event by event.

    Args:
        header: The header of the log.
    """

    def __init__(self, header: Header) -> None:
        self._header = header
        self._started_at = 0.0
        self._delivered: dict[tuple[str, str, int], float] = {}
        """The times of arrivals, by name, message, and the number of the tick or of the event."""
        self._advice: dict[Seat, Event] = {}
        """The open advice by seat."""
        self._advised: dict[Seat, int] = {}
        """The number of pieces of advice by seat."""
        self._turns: set[tuple[str, int | None]] = set()
        self._resumed_at = 0

    def find_violation(
        self,
        state: State,
        event: Event,
        note: Note,
        earlier: Sequence[Event],
        taken_over: Collection[Seat],
    ) -> str:
        """Return why a note could not have been made; empty if it could.

        Args:
            state: The state before it.
            event: The event of the note.
            note: The note.
            earlier: All events before it.
            taken_over: The seats of people that agents have taken.
        """
        check = _CHECKS.get(note.kind)
        if check is None:
            return ""
        cause = None
        if event.cause is not None:
            if not 0 < event.cause < event.seq:
                return f"it answers event {event.cause}, which had not happened"
            cause = earlier[event.cause - 1]
        return check(self, state, event, cause, note.data, taken_over)

    def advance(self, event: Event, note: Note) -> None:
        """Take a note as valid."""
        data = note.data
        if note.kind is NoteKind.MESSAGE_DELIVERED:
            self._delivered[_delivery_key(data, event.cause)] = event.t
        elif note.kind is NoteKind.SEAT_TAKEN_OVER:
            # The agent there is asked what the adviser was asked before.
            seat = data.get("seat")
            self._delivered = {key: t for key, t in self._delivered.items() if key[0] != seat}
        elif note.kind is NoteKind.ADVISED:
            self._advice[data["seat"]], self._advised[data["seat"]] = event, data["number"]
        elif note.kind is NoteKind.ADVICE_ANSWERED:
            self._advice.pop(data["seat"], None)
        elif note.kind is NoteKind.COMMAND_TAKEN:
            self._turns.add((data["seat"], event.cause))

    def follow(self, event: Event) -> None:
        """Take an event that is no note into account."""
        if event.type == GAME_START:
            self._started_at = event.t
        elif event.type == EventType.RESUMED:
            self._resumed_at = event.seq

    # Messages that take their time

    def _delivery_violation(
        self,
        state: State,
        event: Event,
        cause: Event | None,
        data: Mapping[str, Any],
        taken_over: Collection[Seat],
    ) -> str:
        message, sender, recipient = data.get("message"), data.get("sender"), data.get("recipient")
        if message not in (GET_INFO, GET_OBS_RESPONSE):
            return f"no message {message!r:.60} takes its time"
        name, other = (sender, recipient) if message == GET_INFO else (recipient, sender)
        if other != PLATFORM:
            return f"a message {message} is between a plug-in and the platform"
        if isinstance(name, str) and name in state.game.principals:
            return self._tick_violation(name, state.game.principals[name].timing, event, data)
        if name not in state.game.seats:
            return f"there is no {name!r:.60} that a message could be from or for"
        if cause is None:
            return f"it is about no event of which the agent of {name} could have been asked"
        return self._request_violation(str(name), message, event, cause, taken_over)

    def _tick_violation(
        self, name: str, timing: PrincipalTiming, event: Event, data: Mapping[str, Any]
    ) -> str:
        """Return why a message of a principal's tick could not have arrived."""
        if name not in self._header.principals:
            return f"the header names no plug-in for the principal {name!r}"
        message, number = data["message"], data.get("number")
        if type(number) is not int or number < 1:
            return f"ticks are numbered from 1 up, and this has the number {number!r:.60}"
        is_delayed = bool(timing.msg_delay or timing.jitter)
        if (event.cause is not None) is not (is_delayed and message == GET_OBS_RESPONSE):
            return "only the answer to a request that took its time names the event up to which it was seen"
        if message == GET_INFO and not is_delayed:
            return f"the requests of {name} take no time"
        missing = next((n for n in range(1, number) if (name, message, n) not in self._delivered), None)
        if (name, message, number) in self._delivered:
            return f"the message {message} of tick {number} of {name} arrived before"
        if missing is not None:
            return f"the message {message} of tick {missing} of {name} was to arrive first"
        due = self._started_at + (number - 1) * timing.tick_interval + timing.msg_delay
        if message == GET_OBS_RESPONSE and is_delayed:
            seen = self._delivered.get((name, GET_INFO, number))
            if seen is None:
                return f"the request of tick {number} of {name} had not arrived"
            due = seen + timing.msg_delay
        return _too_early(event, due)

    def _request_violation(
        self, name: Seat, message: str, event: Event, cause: Event, taken_over: Collection[Seat]
    ) -> str:
        """Return why a message about an event could not have arrived."""
        delay = 0.0
        if name not in taken_over:
            who = self._header.advisers.get(name, self._header.seats[name])
            if who.kind != "agent" and self._header.study is None:
                return f"the header names neither an agent nor an adviser at {name}"
            timing = who.config.get("timing")
            timing = timing if isinstance(timing, Mapping) else {}
            delay = timing.get("msg_delay") or 0.0
            if who.kind == "agent" and not delay and not timing.get("jitter"):
                return f"the messages of the agent of {name} take no time"
        if cause.sender == name or (cause.to and name not in cause.to):
            return f"the agent of {name} is not asked about event {cause.seq}"
        if (name, message, cause.seq) in self._delivered:
            return f"the message {message} of {name} about event {cause.seq} arrived before"
        sent_at = cause.t
        if message == GET_OBS_RESPONSE:
            seen = self._delivered.get((name, GET_INFO, cause.seq))
            if seen is None:
                return f"the request of {name} about event {cause.seq} had not arrived"
            sent_at = seen
        return _too_early(event, sent_at + delay)

    # Advice

    def _advice_violation(
        self,
        state: State,
        event: Event,  # noqa: ARG002 - the same call for all notes
        cause: Event | None,
        data: Mapping[str, Any],
        taken_over: Collection[Seat],
    ) -> str:
        seat, number, steps = str(data.get("seat")), data.get("number"), data.get("steps")
        if fault := self._adviser_violation(seat, cause):
            return fault
        if seat in taken_over:
            return f"the adviser of {seat} had stopped: an agent has the seat"
        if state.phase is not NEGOTIATING:
            return "no game was running"
        if not isinstance(steps, list | tuple) or not steps:
            return "the steps of advice are a list with at least one"
        if number != self._advised.get(seat, 0) + 1:
            return f"the next advice to {seat} has the number {self._advised.get(seat, 0) + 1}"
        left = self._advice.get(seat)
        if left is not None and left.seq > self._resumed_at:
            return f"the advice in event {left.seq} was still open"
        return ""

    def _answer_violation(
        self,
        state: State,  # noqa: ARG002 - likewise
        event: Event,
        cause: Event | None,
        data: Mapping[str, Any],
        taken_over: Collection[Seat],  # noqa: ARG002 - likewise
    ) -> str:
        seat, number, seconds = str(data.get("seat")), data.get("number"), data.get("seconds")
        if fault := self._adviser_violation(seat, cause):
            return fault
        made = self._advice.get(seat)
        if made is None or made.payload.data["number"] != number:
            return f"no advice with the number {number!r:.60} was open for {seat}"
        if event.cause != made.cause:
            return f"the advice in event {made.seq} answers event {made.cause}"
        if data.get("verdict") not in [*AdviceVerdict]:
            return f"advice does not end by {data.get('verdict')!r:.60}"
        if isinstance(seconds, bool) or not isinstance(seconds, int | float):
            return "it does not say how long the advice was open"
        if not 0 <= seconds <= event.t - made.t + _ROUNDING:
            return f"the advice in event {made.seq} was not open for {seconds:g} s"
        return ""

    def _adviser_violation(self, seat: Seat, cause: Event | None) -> str:
        if seat not in self._header.advisers:
            return f"the header names no adviser of {seat!r:.60}"
        if cause is None:
            return f"it answers no event about which the adviser of {seat} was asked"
        if cause.sender == seat or (cause.to and seat not in cause.to):
            return f"the adviser of {seat} is not asked about event {cause.seq}"
        return ""

    # Commands

    def _turn_violation(
        self,
        state: State,
        event: Event,
        cause: Event | None,
        data: Mapping[str, Any],
        taken_over: Collection[Seat],
    ) -> str:
        name = data.get("seat")
        if name in state.game.principals:
            if name not in self._header.principals:
                return f"the header names no plug-in for the principal {name!r}"
            is_turn = cause is not None and answered_tick(cause) == name
        elif name in state.game.seats:
            is_person = self._header.seats[str(name)].kind != "agent" and name not in taken_over
            if is_person and self._header.study is None:  # a rehearsal has programs in their places
                return f"the header names a person at {name}, who takes no commands"
            is_turn = cause is not None and _is_turn(cause, str(name))
        else:
            return f"there is no {name!r:.60} that could take a command"
        if not is_turn:
            where = "no event" if cause is None else f"event {cause.seq}, which is no turn of its own"
            return f"{name} takes a command at {where}"
        if (name, event.cause) in self._turns:
            return f"{name} took a command at event {event.cause} before"
        return ""


def _is_turn(cause: Event, seat: Seat) -> bool:
    """Return whether an agent is asked about an event, and its seat may take a command then."""
    is_told = cause.sender != seat and (not cause.to or seat in cause.to) and cause.type != EventType.NOTE
    return is_told and cause.type not in UNANSWERED_TYPES


def _too_early(event: Event, due: float) -> str:
    """Return why a message that was due at a session time had not arrived yet; empty if it had."""
    return f"this message takes until {due:.3f} s" if event.t < due - _ROUNDING else ""


def _delivery_key(data: Mapping[str, Any], cause: int | None) -> tuple[str, str, int]:
    """Return the key of a delivered message: the name, the message, and the tick or the event."""
    name = data["sender"] if data["message"] == GET_INFO else data["recipient"]
    return name, data["message"], data.get("number", cause)


_Check = Callable[[PluginNoteValidator, State, Event, Event | None, Mapping[str, Any], Collection[Seat]], str]

_CHECKS: Mapping[NoteKind, _Check] = {
    NoteKind.MESSAGE_DELIVERED: PluginNoteValidator._delivery_violation,
    NoteKind.ADVISED: PluginNoteValidator._advice_violation,
    NoteKind.ADVICE_ANSWERED: PluginNoteValidator._answer_violation,
    NoteKind.COMMAND_TAKEN: PluginNoteValidator._turn_violation,
}
