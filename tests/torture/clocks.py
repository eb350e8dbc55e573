"""P6: what the computer's clocks do changes nothing in a session, and is noted."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from unittest.mock import patch

from negoplatform.app.clock_watch import ClockWatch
from negoplatform.app.live import LiveTable
from negoplatform.app.participant import Participant
from negoplatform.app.seating import seat_agent
from negoplatform.app.sitting import Sitting
from negoplatform.core.events import EndedBy, Event, EventType, Message, Note
from negoplatform.core.notes import NoteKind
from negoplatform.domain.seat import BySeat
from negoplatform.eventlog.guard import GuardedLog
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.replay import replay
from tests.torture.frozen import Told, count_lost
from tests.torture.playing import Players, endless_game
from tests.torture.rows import Row, Tally
from tests.torture.sessions import shipped_agents, shipped_games

DEADLINE = 3.0
"""Seconds of a session on the wall clock; sessions run side by side, many at a time."""

SIDE_BY_SIDE = 12

ROUNDS = 6
"""Times that every clock trouble is met on the wall clock."""

JUMPS = {
    "nothing": 0.0,
    "an hour forward": 3600.0,
    "an hour back": -3600.0,
    "a day forward": 86_400.0,
    "a day back": -86_400.0,
    "a second and a half back": -1.5,
}
"""What the time of day does, in seconds, in the middle of a session."""

SUSPEND = 600.0
"""Seconds that the computer sleeps."""

SCRIPT = 200
"""Acts of a session whose clock is moved by hand."""


@dataclass(slots=True)
class Clocks:
    """The clocks of a computer with a trouble that comes at some moment.

    Args:
        jump: By how much the time of day is moved then.
        slept: How long the computer sleeps then.
        at: The moment, in steady seconds.
    """

    jump: float
    slept: float
    at: float

    def wall(self) -> float:
        """The time of day."""
        moved = self.jump + self.slept if time.monotonic() >= self.at else 0.0
        return time.time() + moved

    def boot(self) -> float:
        """Seconds that go on while the computer sleeps."""
        return time.monotonic() + (self.slept if time.monotonic() >= self.at else 0.0)

    def text(self) -> str:
        """The time of day as the log holds it for people."""
        moment = datetime.fromtimestamp(0, UTC) + timedelta(seconds=self.wall())
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def run(scale: float) -> Row:
    """The same session at any time of day; then sessions on the wall clock, while it jumps."""
    tally = Tally()
    _by_hand(tally)
    for _ in range(max(1, round(ROUNDS * scale))):
        troubles = [(name, jump, 0.0) for name, jump in JUMPS.items()]
        troubles.append(("a suspend of ten minutes", 0.0, SUSPEND))
        for start in range(0, len(troubles), SIDE_BY_SIDE):
            _side_by_side(troubles[start : start + SIDE_BY_SIDE], tally)
    return tally.row("P6", "time of day moved, computer suspended", counts=["lost", "detected"])


# A clock that is moved by hand


def _by_hand(tally: Tally) -> None:
    """The same session under any time of day is the same, event for event and time for time."""
    usual = _played(lambda: 1_700_000_000.0)
    for name, jump in JUMPS.items():
        tally.runs += 1
        calls = 0

        def wall(jump: float = jump) -> float:
            nonlocal calls
            calls += 1
            return 1_700_000_000.0 + (jump if calls > SCRIPT // 2 else 0.0)

        with tally.trying(name):
            tally.expect(_played(wall) == usual, f"{name}: other events, or at other times.")


def _played(wall: Callable[[], float]) -> list[Event]:
    """What happens in a session while every reading of the time of day gives this."""

    events: list[Event] = []
    with patch("time.time", wall):
        players = Players(events.append, Random("P6"), game=endless_game())
        players.take_up((), 0)
        for _ in range(SCRIPT):
            players.act()
            wall()
        players.end()
    return events


# The wall clock


def _side_by_side(troubles: list[tuple[str, float, float]], tally: Tally) -> None:
    with tempfile.TemporaryDirectory() as folder:
        at = time.monotonic() + DEADLINE / 2
        tables = [
            (name, jump, slept, *_table(Path(folder) / str(i), Clocks(jump, slept, at)))
            for i, (name, jump, slept) in enumerate(troubles)
        ]
        begun = time.monotonic()
        for *_, table, _log in tables:
            table.start()
        while time.monotonic() < begun + DEADLINE - 0.2:
            for *_, table, _log in tables:
                Participant(table).send_message(Message("Still here."))
            time.sleep(0.1)
        time.sleep(max(0.0, begun + DEADLINE + 1.0 - time.monotonic()))
        for *_, table, _log in tables:
            table.stop(30.0)
        took = time.monotonic() - begun
        for name, jump, slept, table, log in tables:
            tally.runs += 1
            with tally.trying(name):
                found = read_log(log.path)
                told = Told(table)
                told.look(lambda _update: False)  # all of it
                lost = count_lost(told, found)
                tally.lost += lost
                tally.expect(bool(told.updates) and not lost, f"{name}: {lost} events are lost.")
                _judge(name, jump, slept, found, took, tally)


def _table(folder: Path, clocks: Clocks) -> tuple[LiveTable, GuardedLog]:
    game = next(game for game in shipped_games() if game.name == "practice")
    game = replace(game, rules=replace(game.rules, deadline_seconds=DEADLINE, time_tick_seconds=0.5))
    plugin = next(agent for agent in shipped_agents() if agent.name == "boulware")
    sitting = Sitting(
        game=game,
        seed=1,
        human_seat="human",
        participant="P01",
        agents=BySeat({"agent": seat_agent(plugin, "agent", plugin.settings, seed=1)}),
    )
    log = GuardedLog(sitting.log_in(folder, at=clocks.text))
    watch = ClockWatch(wall=clocks.wall, boot=clocks.boot)
    return LiveTable(sitting, log=log, report=lambda error: None, watch=watch), log


def _judge(name: str, jump: float, slept: float, found: SessionLog, took: float, tally: Tally) -> None:
    """The session took its time, no more and no less; what the clocks did is in the log."""
    ending = replay(found).state.ending
    times = [event.t for event in found.events]
    tally.expect(all(one <= after for one, after in pairwise(times)), f"{name}: time went back.")
    tally.expect(ending is not None and ending.ended_by is EndedBy.TIMEOUT, f"{name}: it ended by {ending}.")
    end = next((event.t for event in found.events if event.type == EventType.GAME_END), -1.0)
    tally.expect(DEADLINE <= end <= took, f"{name}: a deadline of {DEADLINE} s came at {end} s.")
    ticks = [event.t for event in found.events if event.type == EventType.TIME]
    early = [t for number, t in enumerate(ticks, start=1) if t < min(DEADLINE, 0.5 * number)]
    tally.expect(not early, f"{name}: ticks came early, at {early}.")
    notes = [e.payload for e in found.events if isinstance(e.payload, Note)]
    if jump:
        told = [note.data["seconds"] for note in notes if note.kind == NoteKind.CLOCK_JUMP]
        tally.harm(len(told) == 1 and abs(told[0] - jump) < 1, f"{name}: noted was {told}.")
    elif slept:
        told = [note.data["seconds"] for note in notes if note.kind == NoteKind.SUSPENDED]
        tally.harm(len(told) == 1 and abs(told[0] - slept) < 1, f"{name}: noted was {told}.")
    else:
        kinds = [note.kind for note in notes]
        tally.expect(not kinds, f"{name}: {kinds} was noted.")
