"""Session on the wall clock while the computer's clocks are disturbed; imported when they already are."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from negoplatform.app.session.agent_setup import prepare_in_process
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.core.events import EndedBy, EventType, Message, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.failover import FailoverLog
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.replay import replay
from tests.hosting.updates import Told
from tests.torture.clocks import Clocks, Trouble
from tests.torture.frozen import count_lost
from tests.torture.rows import Tally
from tests.torture.sessions import shipped_agents, shipped_games

DEADLINE = 3.0
"""Seconds of a session."""


def play(trouble: Trouble, clocks: Clocks, folder: Path) -> Tally:
    """Play one session; the disturbance comes in the middle of it."""
    tally, name = Tally(runs=1), trouble.name
    with tally.trying(name):
        table, log = _table(folder)
        begun = time.monotonic()
        clocks.at = begun + DEADLINE / 2
        table.start()
        while time.monotonic() < begun + DEADLINE - 0.2:
            ParticipantController(table.participant_seat).send_message(Message("Still here."))
            time.sleep(0.1)
        time.sleep(max(0.0, begun + DEADLINE + 1.0 - time.monotonic()))
        table.stop(30.0)
        took = time.monotonic() - begun
        found = read_log(log.path)
        told = Told(table)
        told.look(lambda _update: False)  # all of it
        tally.lost = count_lost(told, found)
        tally.expect(bool(told.updates) and not tally.lost, f"{name}: {tally.lost} events are lost.")
        _judge_times(name, found, took, tally)
        _judge_notes(trouble, found, tally)
    return tally


def _table(folder: Path) -> tuple[LiveSession, FailoverLog]:
    """Return a table without a given clock, so that it uses the program's own."""
    game = next(game for game in shipped_games() if game.name == "practice")
    game = replace(game, rules=replace(game.rules, deadline_seconds=DEADLINE, time_tick_seconds=0.5))
    plugin = next(agent for agent in shipped_agents() if agent.name == "boulware")
    sitting = SessionPlan(
        game=game,
        seed=1,
        human_seat="human",
        participant="P01",
        agents=SeatMap({"agent": prepare_in_process(plugin, "agent", plugin.settings, game=game, seed=1)}),
    )
    log = FailoverLog(sitting.create_log(folder))
    return LiveSession(sitting, log=log, report=lambda error: None), log


def _judge_times(name: str, found: SessionLog, took: float, tally: Tally) -> None:
    """Check that the session lasted exactly as long as it should."""
    ending = replay(found).state.ending
    times = [event.t for event in found.events]
    tally.expect(all(one <= after for one, after in pairwise(times)), f"{name}: time went back.")
    tally.expect(ending is not None and ending.ended_by is EndedBy.TIMEOUT, f"{name}: it ended by {ending}.")
    end = next((event.t for event in found.events if event.type == EventType.GAME_END), -1.0)
    tally.expect(DEADLINE <= end <= took, f"{name}: a deadline of {DEADLINE} s came at {end} s.")
    ticks = [event.t for event in found.events if event.type == EventType.TIME]
    early = [t for number, t in enumerate(ticks, start=1) if t < min(DEADLINE, 0.5 * number)]
    tally.expect(not early, f"{name}: ticks came early, at {early}.")


def _judge_notes(trouble: Trouble, found: SessionLog, tally: Tally) -> None:
    """Check that the log has a note of each disturbance, and that its time of day moved with it."""
    name, moved = trouble.name, trouble.jump + trouble.slept
    notes = [event.payload for event in found.events if isinstance(event.payload, Note)]
    told = [(note.kind, note.data["seconds"]) for note in notes if "seconds" in note.data]
    steps = _steps(found)
    if not moved:
        tally.expect(not notes, f"{name}: {[note.kind for note in notes]} was noted.")
        tally.expect(not steps, f"{name}: the time of day moved by {steps}.")
        return
    tally.expect(len(steps) == 1 and abs(steps[0] - moved) < 1, f"{name}: the time of day moved by {steps}.")
    kind = NoteKind.CLOCK_JUMP if trouble.jump else NoteKind.SUSPENDED
    noticed = len(told) == 1 and told[0][0] == kind and abs(told[0][1] - moved) < 1
    tally.harm(noticed, f"{name}: noted was {told}.")


def _steps(found: SessionLog) -> list[float]:
    """Return all moves of the log's time of day against session time, in seconds."""
    read = [
        datetime.fromisoformat(at).timestamp() - event.t
        for at, event in zip(found.times, found.events, strict=True)
    ]
    return [after - before for before, after in pairwise(read) if abs(after - before) > 1]
