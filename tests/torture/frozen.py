"""A live table whose disk is full: it pauses with a message, resumes when it can, and can be left."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from negoplatform.app.session import live_session
from negoplatform.app.session.agent_setup import prepare_in_process
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.participant_seat import SessionUpdate
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.core.events import Message, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.visibility import Observer, visible_event
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.failover import FailoverLog
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.replay import replay
from tests.hosting.updates import LONGEST, Told
from tests.torture.playing import endless_game
from tests.torture.rows import Tally
from tests.torture.sessions import shipped_agents

PAUSE = 0.5
"""Seconds for which there is no space."""


def freeze(folder: Path, fill: Callable[[], None], make_room: Callable[[], None], tally: Tally) -> None:
    """Play at one table on a disk that is full for a while."""
    tally.runs += 1
    with patch.object(live_session, "RETRY_SECONDS", 0.05):
        table, log, told = _frozen(folder, fill)
        frozen = told.updates[-1].frozen
        tally.harm(frozen.endswith(".") and "\n" not in frozen, f"A full disk was told as {frozen!r}.")
        time.sleep(PAUSE)
        make_room()
        thawed = told.wait_for(lambda update: not update.frozen)
        ParticipantController(table.participant_seat).send_message(Message("We go on."))
        told.wait_for(lambda update: update.event is not None and "We go on." in repr(update.event))
        table.stop(LONGEST)
    found = read_log(log.path)
    lost = count_lost(told, found)
    tally.lost += lost
    tally.expect(not lost, f"{lost} events that the window was shown are lost.")
    tally.expect(thawed.error_message == "", f"The table was given up: {thawed.error_message}")
    pauses = [
        (event.t, event.payload.data["seconds"])
        for event in found.events
        if isinstance(event.payload, Note) and event.payload.kind == NoteKind.SESSION_FROZEN
    ]
    tally.expect(len(pauses) == 1, f"{len(pauses)} pauses were noted.")
    for t, seconds in pauses:
        before = max((event.t for event in found.events if event.t < t), default=0.0)
        tally.expect(t - before < seconds, f"Session time went on while it stood still: {before} s, {t} s.")


def leave_frozen(folder: Path, fill: Callable[[], None], make_room: Callable[[], None], tally: Tally) -> None:
    """Leave one table while it is paused: it ends, and its log is complete."""
    tally.runs += 1
    with patch.object(live_session, "RETRY_SECONDS", 0.05):
        table, log, told = _frozen(folder, fill)
        table.stop(LONGEST)
        told.wait_for(lambda update: update.finished)
    make_room()
    lost = count_lost(told, read_log(log.path))
    tally.lost += lost
    tally.harm(not lost, f"{lost} events are lost of a table that was left.")


def warm_up(folder: Path) -> None:
    """Import everything that a table needs."""
    table, _, _ = _begun(folder)
    table.stop(LONGEST)


def count_lost(told: Told, found: SessionLog) -> int:
    """Return how many events a replayable log does not contain exactly as the window received them.

    The numbers alone are not enough: an event that was shown, withdrawn and replaced leaves its number to
    another.
    """
    replay(found)
    observer = Observer(told.seat)
    kept = {event.seq: visible_event(event, observer) for event in found.events}
    shown = [update.event for update in told.updates if update.event is not None]
    return sum(kept.get(event.seq) != event for event in shown)


def _frozen(folder: Path, fill: Callable[[], None]) -> tuple[LiveSession, FailoverLog, Told]:
    """Return a paused table: its disk was filled while messages were sent."""
    table, log, told = _begun(folder)
    fill()
    _talk_until(table, told, lambda update: bool(update.frozen))
    return table, log, told


def _begun(folder: Path) -> tuple[LiveSession, FailoverLog, Told]:
    """Return a table at which the game has started."""
    table, log = _table(folder)
    told = Told(table)
    table.start()
    told.wait_for(lambda update: update.event is not None)
    return table, log, told


def _talk_until(table: LiveSession, told: Told, wanted: Callable[[SessionUpdate], bool]) -> None:
    until = time.monotonic() + LONGEST
    while not told.look(wanted):
        assert time.monotonic() < until, "The disk was never full."
        ParticipantController(table.participant_seat).send_message(Message("A long word. " * 60))
        time.sleep(0.02)


def _table(folder: Path) -> tuple[LiveSession, FailoverLog]:
    plugin = next(agent for agent in shipped_agents() if agent.name == "fair")
    game = endless_game()
    sitting = SessionPlan(
        game=game,
        seed=1,
        human_seat="human",
        participant="P01",
        agents=SeatMap({"agent": prepare_in_process(plugin, "agent", plugin.settings, game=game, seed=1)}),
    )
    log = FailoverLog(sitting.create_log(folder), fallbacks=[folder / "fallback"])
    return LiveSession(sitting, log=log, report=lambda error: None), log
