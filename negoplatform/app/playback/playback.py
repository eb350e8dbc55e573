"""A recorded session, to be looked at event by event, forwards and backwards."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from negoplatform.core.events import Event, EventType
from negoplatform.core.fold import fold, initial_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import State
from negoplatform.core.visibility import EXPERIMENTER, Observer, View, Viewer, visible_event, visible_game
from negoplatform.domain.errors import FileProblem, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.export import observer_named, seen_by
from negoplatform.eventlog.file_lock import is_being_written
from negoplatform.eventlog.reader import SessionLog, WholePart, read_sound_part
from negoplatform.eventlog.replay import steps
from negoplatform.formats.log_header import Header
from negoplatform.plugins.game_state_plugin import with_state_at_hand

BETWEEN_CHECKPOINTS = 64
"""Of so many states one is kept; the others are folded anew from it, which takes less than a millisecond."""


class Mark(StrEnum):
    """What stands out on a timeline; ticks, typing and drafting do not."""

    START = "start"
    MESSAGE = "message"
    OFFER = "offer"
    EXPRESSION = "expression"
    ACCEPT = "accept"
    QUIT = "quit"
    ANNOUNCEMENT = "announcement"
    """An event of a type that the game or its mechanism registered."""
    REFUSAL = "refusal"
    PROPOSAL = "proposal"
    """A change of the record was proposed."""
    FAILURE = "failure"
    RESUMED = "resumed"
    NOTE = "note"
    END = "end"


UNMARKED = frozenset({EventType.TIME, EventType.TYPING, EventType.OFFER_IN_PROGRESS})

MARKS: Mapping[str, Mark] = MappingProxyType(
    {
        EventType.GAME_START: Mark.START,
        EventType.SEND_MESSAGE: Mark.MESSAGE,
        EventType.SEND_OFFER: Mark.OFFER,
        EventType.SEND_EXPRESSION: Mark.EXPRESSION,
        EventType.FORMAL_ACCEPT: Mark.ACCEPT,
        EventType.FORMAL_QUIT: Mark.QUIT,
        EventType.ACTION_REFUSED: Mark.REFUSAL,
        EventType.STATE_PROPOSED: Mark.PROPOSAL,
        EventType.AGENT_FAILED: Mark.FAILURE,
        EventType.RESUMED: Mark.RESUMED,
        EventType.NOTE: Mark.NOTE,
        EventType.GAME_END: Mark.END,
    }
)


def mark_of(event: Event) -> Mark | None:
    """What an event is on a timeline; None if it does not stand out."""
    return None if event.type in UNMARKED else MARKS.get(event.type, Mark.ANNOUNCEMENT)


@dataclass(frozen=True, slots=True)
class Moment:
    """An event, as one observer sees it, with its place in the log.

    Args:
        position: How many events of the log have happened once this one has: 1 for the first.
        event: The event.
        at: Wall-clock time, ISO 8601 UTC, for people.
        mark: What it is on a timeline; None if it does not stand out.
    """

    position: int
    event: Event
    at: str
    mark: Mark | None


@dataclass(frozen=True, slots=True)
class _Seen:
    """What one observer sees of the whole log."""

    header: Header
    moments: tuple[Moment, ...]
    positions: Mapping[Mark, tuple[int, ...]]
    viewer: Viewer


class Playback:
    """A log, and the state after each of its events.

    A *position* counts the events that have happened: 0 before the first, ``len(events)`` after the last.

    Args:
        log: The log, as far as it is sound.
        problem: What is wrong behind that; None if nothing is.
        checkpoints: Every so many-th state, from the one before the first event on.
    """

    def __init__(self, log: SessionLog, problem: FileProblem | None, checkpoints: Iterable[State]) -> None:
        self.log = log
        self.problem = problem
        self._checkpoints = tuple(checkpoints)
        self._mechanism = mechanism_of(log.header.game.mechanism)
        self._times = [event.t for event in log.events]
        self._last = (0, self._checkpoints[0])
        self._seen: dict[Observer, _Seen] = {}

    @classmethod
    def open(cls, path: Path, games: Iterable[GameSpec] = ()) -> Playback:
        """The log in a file or in a session's folder; takes a second or two for ten thousand events.

        A log that is damaged is shown up to the damage, and :attr:`problem` says what is wrong there.

        Args:
            path: The file or the folder.
            games: Games that are at hand: a typed state is rebuilt with the code that came with its game.

        Raises:
            FileProblem: If there is no log, or not even its first line is sound.
        """
        part = read_sound_part(path)
        game = with_state_at_hand(part.header.game, games)
        part = replace(part, header=replace(part.header, game=game))
        checkpoints, sound, problem = [_start(part)], 0, _problem_of(part)
        try:
            for step in steps(part):
                sound += 1
                if sound % BETWEEN_CHECKPOINTS == 0:
                    checkpoints.append(step.state)
        except FileProblem as unlawful:
            problem = unlawful
        log = SessionLog(part.path, part.header, part.events[:sound], part.times[:sound])
        return cls(log, problem, checkpoints)

    # What there is

    @property
    def header(self) -> Header:
        """Game, seats, who sits there, seed and so on, as the log holds them."""
        return self.log.header

    @property
    def game(self) -> GameSpec:
        """The game, as the log holds it."""
        return self.log.header.game

    @property
    def events(self) -> tuple[Event, ...]:
        """All events that are shown."""
        return self.log.events

    @property
    def seconds(self) -> float:
        """The session time of the last event."""
        return self._times[-1] if self._times else 0.0

    @property
    def observers(self) -> tuple[Observer, ...]:
        """Those as whom the log can be looked at, the one who sees most first."""
        if self.header.view != "complete":
            return (observer_named(self.header.view, self.game),)
        return EXPERIMENTER, *(Observer(seat) for seat in self.game.seats)

    # The state

    def state_at(self, position: int) -> State:
        """The whole state after so many events.

        Raises:
            IndexError: If there are not so many.
        """
        if not 0 <= position <= len(self.events):
            raise IndexError(f"there is no position {position} in a log of {len(self.events)} events")
        known, state = self._last
        checkpoint = position // BETWEEN_CHECKPOINTS
        if not checkpoint * BETWEEN_CHECKPOINTS <= known <= position:
            known, state = checkpoint * BETWEEN_CHECKPOINTS, self._checkpoints[checkpoint]
        state = fold(self.events[known:position], state, self._mechanism)
        # Playing goes forward one event at a time, so the next state is mostly one step away.
        self._last = (position, state)
        return state

    def view_at(self, position: int, observer: Observer) -> View:
        """What an observer saw after so many events.

        Raises:
            IndexError: If there are not so many.
            NegoError: If the log was exported for somebody else.
        """
        return self._as(observer).viewer.view(self.state_at(position))

    # Times

    def time_at(self, position: int) -> float:
        """The session time at which a position is reached, in seconds."""
        return self._times[position - 1] if position > 0 else 0.0

    def position_at(self, t: float) -> int:
        """How many events have happened by a session time, those at this very time included."""
        return bisect_right(self._times, t)

    # What an observer may know

    def header_for(self, observer: Observer) -> Header:
        """The header without what an observer may not know: seed, agents, codes, others' preferences."""
        return self._as(observer).header

    def moments(self, observer: Observer) -> tuple[Moment, ...]:
        """The events that an observer may see."""
        return self._as(observer).moments

    def markers(self, observer: Observer, marks: Iterable[Mark] = tuple(Mark)) -> tuple[Moment, ...]:
        """Those of them that stand out on a timeline, all kinds or some."""
        wanted = frozenset(marks)
        return tuple(moment for moment in self.moments(observer) if moment.mark in wanted)

    def moment_at(self, position: int, observer: Observer) -> Moment | None:
        """The last event up to a position that an observer may see; None before the first."""
        moments = self.moments(observer)
        at = bisect_right(moments, position, key=_position)
        return moments[at - 1] if at else None

    def step(self, position: int, observer: Observer, by: int = 1) -> int:
        """The position so many of the observer's events further on, or back where ``by`` is negative."""
        moments = self.moments(observer)
        if by < 0:
            at = bisect_left(moments, position, key=_position) + by
            return moments[at].position if at >= 0 else 0
        at = bisect_right(moments, position, key=_position) + by - 1
        if at < len(moments):
            return moments[at].position
        return max(position, moments[-1].position) if moments else position

    def next_of(self, position: int, marks: Iterable[Mark], observer: Observer) -> int | None:
        """The next position at which something of these kinds has happened; None if nothing more does."""
        seen = self._as(observer).positions
        found: list[int] = []
        for mark in marks:
            places = seen.get(mark, ())
            at = bisect_right(places, position)
            found += places[at : at + 1]
        return min(found, default=None)

    def previous_of(self, position: int, marks: Iterable[Mark], observer: Observer) -> int | None:
        """The same backwards: the last such position before this one."""
        seen = self._as(observer).positions
        found: list[int] = []
        for mark in marks:
            places = seen.get(mark, ())
            at = bisect_left(places, position)
            found += places[max(0, at - 1) : at]
        return max(found, default=None)

    def _as(self, observer: Observer) -> _Seen:
        if observer not in self._seen:
            if observer not in self.observers:
                raise NegoError(
                    f"This log was exported for {self.header.view!r}; another view cannot be made from it."
                )
            self._seen[observer] = self._look(observer)
        return self._seen[observer]

    def _look(self, observer: Observer) -> _Seen:
        view = "complete" if observer.raw else observer.seat or "public"
        if self.header.view == "complete":
            header = seen_by(replace(self.log, events=(), times=()), view).header
        else:
            header = self.header
        moments = []
        positions: dict[Mark, list[int]] = {}
        for position, (event, at) in enumerate(zip(self.events, self.log.times, strict=True), start=1):
            seen = visible_event(event, observer)
            if seen is not None:
                mark = mark_of(seen)
                moments.append(Moment(position, seen, at, mark))
                if mark is not None:
                    positions.setdefault(mark, []).append(position)
        return _Seen(
            header,
            tuple(moments),
            {mark: tuple(places) for mark, places in positions.items()},
            Viewer(observer, visible_game(self.game, observer)),
        )


def _position(moment: Moment) -> int:
    return moment.position


def _start(log: SessionLog) -> State:
    """The state before the first event of a log."""
    game, view = log.header.game, log.header.view
    state = initial_state(game, mechanism_of(game.mechanism))
    if view == "complete":
        return state
    return state._replace(private=state.private.only([view]), typed=state.typed.only([view]))


def _problem_of(part: WholePart) -> FileProblem | None:
    """What is wrong behind the sound part of a log."""
    if part.problem is not None or not part.torn_bytes:
        return part.problem
    why = "this last line is cut off"
    if is_being_written(part.path):
        why = "this last line is still being written; open the log again when the session is over"
    return FileProblem(part.path, f"line {part.lines + 1}", why)
