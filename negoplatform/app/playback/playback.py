"""Recorded session that can be viewed event by event, forwards and backwards."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from negoplatform.core.events import Announced, Event, EventType, Note
from negoplatform.core.fold import fold, initial_state
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.market_order_facts import (
    ADD_ORDER,
    ASSET_MOVEMENT,
    CONTRACT_FULFILLED,
    DELETE_ORDER,
    UPDATE_ORDER,
)
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.mechanisms.trading_facts import TRANSACTION_CONFIRMATION
from negoplatform.core.record.notes_and_tasks_proposals import ProposerKind, StateProposal
from negoplatform.core.state import State
from negoplatform.core.visibility import (
    EXPERIMENTER,
    Observer,
    View,
    ViewProjector,
    observer_of,
    restricted_start,
    visible_event,
    visible_game,
)
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SYSTEM
from negoplatform.eventlog.file_lock import is_being_written
from negoplatform.eventlog.observer_export import filter_log, observer_named
from negoplatform.eventlog.reader import SessionLog, ValidPrefix, read_sound_part
from negoplatform.eventlog.replay import steps
from negoplatform.formats.log_header import Header
from negoplatform.plugins.game_state_loader import with_matching_state_plugin

CHECKPOINT_INTERVAL = 64
"""Distance of stored states; the states between are folded from them again, in less than a millisecond."""


class TimelineMarkKind(StrEnum):
    """Kind of event that stands out on a timeline; ticks, typing and drafting do not."""

    START = "start"
    MESSAGE = "message"
    OFFER = "offer"
    EXPRESSION = "expression"
    ACCEPT = "accept"
    QUIT = "quit"
    ACT = "act"
    """An act of a seat in another kind of game than bargaining."""
    ANNOUNCEMENT = "announcement"
    """A fact that the game or its mechanism announced."""
    TRADE = "trade"
    """A settled trade."""
    REFUSAL = "refusal"
    PROPOSAL = "proposal"
    """A seat, a wizard or the platform proposed a change of the record."""
    ASSISTANT = "assistant"
    """An assistant proposed a change of the record."""
    COMMAND = "command"
    """A principal gave a command, or it was taken."""
    ADVICE = "advice"
    """Advice to a person, or its end."""
    FAILURE = "failure"
    RESUMED = "resumed"
    NOTE = "note"
    END = "end"


UNMARKED = frozenset({EventType.TIME, EventType.TYPING, EventType.OFFER_IN_PROGRESS})

FOLLOWING = frozenset({ADD_ORDER, UPDATE_ORDER, DELETE_ORDER, ASSET_MOVEMENT})
"""Facts that only say what an order or a trade changed; they do not stand out either."""

MARKS: Mapping[str, TimelineMarkKind] = MappingProxyType(
    {
        EventType.GAME_START: TimelineMarkKind.START,
        EventType.SEND_MESSAGE: TimelineMarkKind.MESSAGE,
        EventType.SEND_OFFER: TimelineMarkKind.OFFER,
        EventType.SEND_EXPRESSION: TimelineMarkKind.EXPRESSION,
        EventType.FORMAL_ACCEPT: TimelineMarkKind.ACCEPT,
        EventType.FORMAL_QUIT: TimelineMarkKind.QUIT,
        EventType.ACTION_REFUSED: TimelineMarkKind.REFUSAL,
        EventType.STATE_PROPOSED: TimelineMarkKind.PROPOSAL,
        EventType.AGENT_FAILED: TimelineMarkKind.FAILURE,
        EventType.RESUMED: TimelineMarkKind.RESUMED,
        EventType.NOTE: TimelineMarkKind.NOTE,
        EventType.GAME_END: TimelineMarkKind.END,
        CONTRACT_FULFILLED: TimelineMarkKind.TRADE,
        TRANSACTION_CONFIRMATION: TimelineMarkKind.TRADE,
    }
)


_PROPOSAL_MARKS: Mapping[ProposerKind, TimelineMarkKind] = MappingProxyType(
    {
        ProposerKind.ASSISTANT: TimelineMarkKind.ASSISTANT,
        ProposerKind.PRINCIPAL: TimelineMarkKind.COMMAND,
    }
)

_NOTE_MARKS: Mapping[NoteKind, TimelineMarkKind] = MappingProxyType(
    {
        NoteKind.COMMAND_TAKEN: TimelineMarkKind.COMMAND,
        NoteKind.ADVISED: TimelineMarkKind.ADVICE,
        NoteKind.ADVICE_ANSWERED: TimelineMarkKind.ADVICE,
    }
)


def mark_of(event: Event) -> TimelineMarkKind | None:
    """Return an event's kind of mark on a timeline; None if it does not stand out."""
    if event.type in UNMARKED or event.type in FOLLOWING:
        return None
    match event.payload:
        case StateProposal(proposer=proposer) if proposer.kind in _PROPOSAL_MARKS:
            return _PROPOSAL_MARKS[proposer.kind]
        case Note(kind=kind) if kind in _NOTE_MARKS:
            return _NOTE_MARKS[kind]
    own = TimelineMarkKind.ANNOUNCEMENT if isinstance(event.payload, Announced) else TimelineMarkKind.ACT
    return MARKS.get(event.type, own)


@dataclass(frozen=True, slots=True)
class ObservedEvent:
    """Event as one observer sees it, with its position in the log.

    Args:
        position: The number of events up to and including this one: 1 for the first.
        event: The event.
        at: Wall-clock time, ISO 8601 UTC, for people.
        mark: Its kind of mark on a timeline; None if it does not stand out.
    """

    position: int
    event: Event
    at: str
    mark: TimelineMarkKind | None


@dataclass(frozen=True, slots=True)
class _ObserverIndex:
    """Index of the log as one observer sees it."""

    header: Header
    observed_events: list[ObservedEvent]
    positions: dict[TimelineMarkKind, list[int]]
    viewer: ViewProjector

    def add(self, seen: Event, position: int, at: str) -> None:
        """Add an event as the observer sees it."""
        mark = mark_of(seen)
        self.observed_events.append(ObservedEvent(position, seen, at, mark))
        if mark is not None:
            self.positions.setdefault(mark, []).append(position)


class Playback:
    """Log with the state after each of its events.

    A *position* counts the events that have happened: 0 before the first, ``len(events)`` after the last.

    Args:
        log: The sound part of the log.
        problem: The fault behind it; None if there is none.
        checkpoints: Every ``CHECKPOINT_INTERVAL``-th state, from the one before the first event on.
    """

    def __init__(self, log: SessionLog, problem: InputFileError | None, checkpoints: Iterable[State]) -> None:
        self.log = log
        self.problem = problem
        self._events = list(log.events)
        self._checkpoints = list(checkpoints)
        self._mechanism = mechanism_of(log.header.game.mechanism)
        self._times = [event.t for event in log.events]
        self._written_at = list(log.times)
        self._last = (0, self._checkpoints[0])
        self._indexes: dict[Observer, _ObserverIndex] = {}

    @classmethod
    def open(cls, path: Path, games: Iterable[GameSpec] = ()) -> Playback:
        """Open the log in a file or in a session's folder; takes a second or two for ten thousand events.

        A log that is damaged is shown up to the damage, and :attr:`problem` describes the damage.

        Args:
            path: The file or the folder.
            games: Available games: a typed state is rebuilt with the code that came with its game.

        Raises:
            InputFileError: If there is no log, or not even its first line is sound.
        """
        part = read_sound_part(path)
        game = with_matching_state_plugin(part.header.game, games)
        part = replace(part, header=replace(part.header, game=game))
        checkpoints, sound, problem = [_start(part)], 0, _problem_of(part)
        try:
            for step in steps(part):
                sound += 1
                if sound % CHECKPOINT_INTERVAL == 0:
                    checkpoints.append(step.state)
        except InputFileError as unlawful:
            problem = unlawful
        log = SessionLog(part.path, part.header, part.events[:sound], part.times[:sound])
        return cls(log, problem, checkpoints)

    # The log

    @property
    def header(self) -> Header:
        """The log's header: game, seats and their occupants, seed and so on."""
        return self.log.header

    @property
    def game(self) -> GameSpec:
        """The game, as logged."""
        return self.log.header.game

    @property
    def events(self) -> Sequence[Event]:
        """All events of the sound part."""
        return self._events

    @property
    def seconds(self) -> float:
        """The session time of the last event."""
        return self._times[-1] if self._times else 0.0

    @property
    def observers(self) -> tuple[Observer, ...]:
        """The observers that the log can be viewed as; the one who sees most comes first."""
        if self.header.view != "complete":
            return (observer_named(self.header.view, self.game),)
        game = self.game
        above = (*game.principals, SYSTEM) if game.principals else ()
        return EXPERIMENTER, *(observer_of(game, name) for name in (*game.seats, *above))

    # The state

    def state_at(self, position: int) -> State:
        """Return the whole state at a position.

        Raises:
            IndexError: If there is no such position.
        """
        if not 0 <= position <= len(self.events):
            raise IndexError(f"there is no position {position} in a log of {len(self.events)} events")
        known, state = self._last
        checkpoint = position // CHECKPOINT_INTERVAL
        if not checkpoint * CHECKPOINT_INTERVAL <= known <= position:
            known, state = checkpoint * CHECKPOINT_INTERVAL, self._checkpoints[checkpoint]
        state = fold(self.events[known:position], state, self._mechanism)
        # Playback moves forward one event at a time, so the next state is usually one step away.
        self._last = (position, state)
        return state

    def view_at(self, position: int, observer: Observer) -> View:
        """Return an observer's view at a position.

        Raises:
            IndexError: If there is no such position.
            NegoError: If the log was exported for another observer.
        """
        return self._index_for(observer).viewer.view(self.state_at(position))

    # Times

    def time_at(self, position: int) -> float:
        """Return the session time in seconds at which a position is reached."""
        return self._times[position - 1] if position > 0 else 0.0

    def position_at(self, t: float) -> int:
        """Return the number of events up to a session time, including those at exactly this time."""
        return bisect_right(self._times, t)

    # An observer's view

    def header_for(self, observer: Observer) -> Header:
        """Return the header as an observer may see it: no seed, agents, codes or preferences of others."""
        return self._index_for(observer).header

    def observed_events(self, observer: Observer) -> Sequence[ObservedEvent]:
        """Return the events that an observer may see."""
        return self._index_for(observer).observed_events

    def markers(
        self, observer: Observer, marks: Iterable[TimelineMarkKind] = tuple(TimelineMarkKind)
    ) -> tuple[ObservedEvent, ...]:
        """Return the observed events that stand out on a timeline, of all kinds or some."""
        wanted = frozenset(marks)
        return tuple(moment for moment in self.observed_events(observer) if moment.mark in wanted)

    def observed_event_at(self, position: int, observer: Observer) -> ObservedEvent | None:
        """Return the last event up to a position that an observer may see; None before the first."""
        moments = self.observed_events(observer)
        at = bisect_right(moments, position, key=_position)
        return moments[at - 1] if at else None

    def step(self, position: int, observer: Observer, by: int = 1) -> int:
        """Return the position that is ``by`` of the observer's events further on; negative: back."""
        moments = self.observed_events(observer)
        if by < 0:
            at = bisect_left(moments, position, key=_position) + by
            return moments[at].position if at >= 0 else 0
        at = bisect_right(moments, position, key=_position) + by - 1
        if at < len(moments):
            return moments[at].position
        return max(position, moments[-1].position) if moments else position

    def next_marked(self, position: int, marks: Iterable[TimelineMarkKind], observer: Observer) -> int | None:
        """Return the next position with a mark of these kinds; None if there is none."""
        seen = self._index_for(observer).positions
        found: list[int] = []
        for mark in marks:
            places = seen.get(mark, ())
            at = bisect_right(places, position)
            found += places[at : at + 1]
        return min(found, default=None)

    def previous_marked(
        self, position: int, marks: Iterable[TimelineMarkKind], observer: Observer
    ) -> int | None:
        """Return the last position before this one with a mark of these kinds; None if there is none."""
        seen = self._index_for(observer).positions
        found: list[int] = []
        for mark in marks:
            places = seen.get(mark, ())
            at = bisect_left(places, position)
            found += places[max(0, at - 1) : at]
        return max(found, default=None)

    def _index_for(self, observer: Observer) -> _ObserverIndex:
        if observer not in self._indexes:
            if observer not in self.observers:
                raise NegoError(
                    f"This log was exported for {self.header.view!r}; another view cannot be made from it."
                )
            self._indexes[observer] = self._build_index(observer)
        return self._indexes[observer]

    def _build_index(self, observer: Observer) -> _ObserverIndex:
        view = "complete" if observer.raw else observer.seat or "public"
        if self.header.view == "complete":
            header = filter_log(replace(self.log, events=(), times=()), view).header
        else:
            header = self.header
        index = _ObserverIndex(header, [], {}, ViewProjector(observer, visible_game(self.game, observer)))
        for position, (event, at) in enumerate(zip(self._events, self._written_at, strict=True), start=1):
            seen = visible_event(event, observer)
            if seen is not None:
                index.add(seen, position, at)
        return index


class LivePlayback(Playback):
    """Session in progress with the state after each of its events so far, for the observer of its header.

    Args:
        header: The header as the observer may see it.
    """

    def __init__(self, header: Header) -> None:
        log = SessionLog(Path(), header, (), ())
        self._newest = _start(log)
        super().__init__(log, None, [self._newest])

    def append(self, event: Event) -> bool:
        """Add the next event; return False, and change nothing, for one that is known already."""
        if self._events and event.seq <= self._events[-1].seq:
            return False
        self._newest = fold((event,), self._newest, self._mechanism)
        self._events.append(event)
        self._times.append(event.t)
        self._written_at.append("")  # the time of day is in the log alone
        if len(self._events) % CHECKPOINT_INTERVAL == 0:
            self._checkpoints.append(self._newest)
        for observer, index in self._indexes.items():
            seen = visible_event(event, observer)
            if seen is not None:
                index.add(seen, len(self._events), "")
        return True

    def state_at(self, position: int) -> State:
        """Return the state at a position; the newest one without folding.

        Raises:
            IndexError: If there is no such position.
        """
        return self._newest if position == len(self._events) else super().state_at(position)


def _position(moment: ObservedEvent) -> int:
    return moment.position


def _start(log: SessionLog) -> State:
    """Return the state before the first event of a log."""
    game, view = log.header.game, log.header.view
    state = initial_state(
        game, mechanism_of(game.mechanism), log.header.session_id, log.header.initial_record
    )
    if view == "complete":
        return state
    return restricted_start(state, observer_named(view, game))


def _problem_of(part: ValidPrefix) -> InputFileError | None:
    """Return the fault behind the sound part of a log; None if there is none."""
    if part.problem is not None or not part.torn_bytes:
        return part.problem
    why = "this last line is cut off"
    if is_being_written(part.path):
        why = "this last line is still being written; open the log again when the session is over"
    return InputFileError(part.path, f"line {part.lines + 1}", why)
