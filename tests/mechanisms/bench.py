"""Sessions that are played by given moves, cut off anywhere, and resumed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.events import Event, EventType
from negoplatform.core.session import ActionOrigin
from negoplatform.core.state import State
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.writer import NoLog
from tests.mechanisms.moves import Move, Play, TriedAct
from tests.resumed_events import renumbered


class MemoryLog(NoLog):
    """Log in memory."""

    def __init__(self, events: Sequence[Event] = ()) -> None:
        self.events = list(events)

    def write(self, event: Event) -> None:
        """Append the event."""
        self.events.append(event)


class TriedMove(NamedTuple):
    """A move with its session time, and the number of events before it."""

    move: Move
    at: float
    events: int


class Bench:
    """A session without agents whose seats perform moves; started, or resumed after some events.

    Args:
        game: The game.
        events: The events after which it is resumed; none: it is new.
    """

    def __init__(self, game: GameSpec, events: Sequence[Event] = ()) -> None:
        self.errors: list[BaseException] = []
        self.tried: list[TriedMove] = []
        self._log = MemoryLog(events)
        self._clock = VirtualClock()
        if events:
            self._clock.advance_to(events[-1].t)
        self._runner = SessionRunner(
            game, seed=1, clock=self._clock, log=self._log, report=self.errors.append
        )
        self._runner.resume(events)

    @property
    def events(self) -> list[Event]:
        """All events."""
        return self._log.events

    @property
    def state(self) -> State:
        """Current state."""
        return self._runner.session.state

    def wait_until(self, t: float) -> None:
        """Let time pass."""
        while (due := self._runner.next_due()) is not None and due <= t:
            self._clock.advance_to(due)
            self._runner.run_one_due()
        self._clock.advance_to(max(t, self._clock()))

    def perform(self, moves: Sequence[Move]) -> None:
        """Perform moves, one after the other."""
        for move in moves:
            self.tried.append(TriedMove(move, self._clock(), len(self.events)))
            if isinstance(move, float):
                self.wait_until(round(self._clock() + move, 3))
                continue
            act = move if isinstance(move, TriedAct) else move(self.state)
            self.act(act)

    def act(self, act: TriedAct) -> Event | None:
        """Try an act; return its event, or None if it was refused."""
        try:
            return self._runner.session.act(act.seat, act.type, act.payload, ActionOrigin(to=act.to))
        except Refused:
            return None


def played(play: Play) -> Bench:
    """Return the session after all moves."""
    bench = Bench(play.game)
    bench.perform(play.moves)
    assert bench.errors == []
    return bench


def resumed(play: Play, whole: Bench, cut: int) -> Bench:
    """Return a session that is cut off after some events of a whole one, resumed, and played on."""
    again = Bench(play.game, whole.events[:cut])
    # Facts that the log lacks are completed before the resumption is recorded.
    at = next(event.seq for event in again.events if event.type == EventType.RESUMED)
    for tried in whole.tried:
        if isinstance(tried.move, float):
            again.wait_until(round(tried.at + tried.move, 3))
        elif tried.events >= cut:  # else the act is in the log, and its facts were completed on resuming
            again.wait_until(tried.at)
            again.perform([_shifted(tried.move, at)])
    assert again.errors == []
    return again


def _shifted(move: Move, at: int) -> Move:
    """Return a move that names events by their numbers with a resumption at a number."""
    if not isinstance(move, TriedAct):
        return move
    payload = renumbered(move.payload, lambda seq: seq + 1 if seq is not None and seq >= at else seq)
    return move._replace(payload=payload)
