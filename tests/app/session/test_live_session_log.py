"""Live session whose log cannot be written: it pauses, moves, or continues; and clocks that jump."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from threading import Event as Flag

import pytest

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.participant_seat import SessionUpdate
from negoplatform.app.session.session_clock import ClockMonitor
from negoplatform.app.session.session_plan import ResumePoint, SessionPlan
from negoplatform.core.events import EventType, Message, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.disk_calls import Disk
from negoplatform.eventlog.failover import FailoverLog
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.replay import replay
from negoplatform.eventlog.writer import LogWriter
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.responder import SeatAssignment
from negoplatform.plugins.agent_loader import AgentPlugin
from tests.games import coins_only
from tests.hosting.updates import Told

pytestmark = pytest.mark.timeout(60)


class Faulty(Disk):
    """Disk that is full while a test sets its flag."""

    def __init__(self) -> None:
        self.full = Flag()

    def write(self, file: int, data: bytes) -> int:
        if self.full.is_set():
            raise OSError(28, "No space left on device")
        return super().write(file, data)


class Quiet(NegotiationAgent):
    """Agent that does nothing."""


def sitting() -> SessionPlan:
    plugin = AgentPlugin("quiet", "Quiet", Path("quiet.py"), "", "")
    casting = SeatAssignment(lambda: AgentRunner(Quiet(), Random(1)), AgentBudget(restarts=0))
    seated = PreparedAgent(plugin, {}, AgentTiming(), "Robin", casting)
    return SessionPlan(
        game=coins_only(
            deadline_seconds=600.0,
            time_tick_seconds=0.5,
            closing_seconds=0.1,  # no time for last words
            help_pauses=True,
        ),
        seed=1,
        human_seat="human",
        participant="P1",
        agents=SeatMap({"agent": seated}),
    )


class Live:
    """Live session with a real log, whose participant a test controls."""

    def __init__(
        self,
        log: FailoverLog,
        played: SessionPlan,
        watch: ClockMonitor | None = None,
        resumed: ResumePoint | None = None,
    ) -> None:
        self.log = log
        self.errors: list[BaseException] = []
        self.table = LiveSession(
            played, log=log, report=self.errors.append, clock_monitor=watch, resume_point=resumed
        )
        self.told = Told(self.table)
        self.participant = ParticipantController(self.table.participant_seat)
        self.table.start()

    def says(self, text: str) -> None:
        self.participant.send_message(Message(text))

    def until_said(self, text: str) -> SessionUpdate:
        return self.told.wait_for(lambda told: told.event is not None and told.event.get_text() == text)

    def finished(self) -> SessionLog:
        """Quit the session and return its log, which replays."""
        self.participant.formal_quit()
        self.told.wait_for(lambda told: told.finished)
        log = read_log(self.log.path)
        replay(log)
        return log


Open = Callable[..., Live]


@pytest.fixture
def disk() -> Faulty:
    return Faulty()


@pytest.fixture
def live(tmp_path: Path, disk: Faulty) -> Iterator[Open]:
    opened: list[Live] = []

    def make(*, fallback: bool = False, watch: ClockMonitor | None = None) -> Live:
        played = sitting()
        writer = LogWriter(tmp_path / "sessions" / "one", played.header(), disk=disk)
        fallbacks = [tmp_path / "elsewhere"] if fallback else []
        opened.append(Live(FailoverLog(writer, fallbacks=fallbacks), played, watch))
        return opened[-1]

    yield make
    for one in opened:
        disk.full.clear()
        one.table.stop()


def notes(log: SessionLog, kind: NoteKind) -> list[dict[str, object]]:
    payloads = [event.payload for event in log.events]
    return [dict(told.data) for told in payloads if isinstance(told, Note) and told.kind is kind]


def test_a_full_disk_freezes_the_session_and_it_goes_on_when_there_is_room(live: Open, disk: Faulty) -> None:
    table = live()
    table.says("Before")
    table.until_said("Before")

    disk.full.set()
    table.says("During")
    frozen = table.told.wait_for(lambda told: bool(told.frozen))
    assert "No space left" in frozen.frozen
    disk.full.clear()
    after = table.until_said("During")
    log = table.finished()

    (note,) = notes(log, NoteKind.SESSION_FROZEN)
    assert isinstance(note["seconds"], float)
    assert after.frozen == ""
    assert after.time_origin > frozen.time_origin
    assert [event.get_text() for event in log.events if event.get_text()] == ["Before", "During"]


def test_session_time_stands_still_while_the_session_is_frozen(live: Open, disk: Faulty) -> None:
    table = live()
    table.says("Before")
    table.until_said("Before")
    disk.full.set()
    table.told.wait_for(lambda told: bool(told.frozen))
    began = time.monotonic()
    time.sleep(2.5)
    disk.full.clear()
    table.says("After")
    after = table.until_said("After")
    stood = time.monotonic() - began

    assert after.event is not None
    (note,) = notes(table.finished(), NoteKind.SESSION_FROZEN)
    assert isinstance(note["seconds"], float)
    assert note["seconds"] >= 2.4
    assert after.event.t < stood, "the pause is no part of session time"


def test_session_time_stands_still_while_the_participant_reads(live: Open) -> None:
    table = live()
    table.says("Before")
    table.until_said("Before")
    began = time.monotonic()

    table.participant.pause("rules")
    table.told.wait_for(lambda told: told.paused)
    time.sleep(1.5)
    table.participant.unpause()
    table.told.wait_for(lambda told: not told.paused)
    table.says("After")
    after = table.until_said("After")
    lasted = time.monotonic() - began

    assert after.event is not None
    log = table.finished()
    (note,) = notes(log, NoteKind.SESSION_PAUSED)
    assert note["page"] == "rules"
    assert isinstance(note["seconds"], float)
    assert note["seconds"] >= 1.4
    assert after.event.t < lasted, "the pause is no part of session time"


def test_walking_away_while_one_reads_ends_the_game_and_lets_time_go_on(live: Open) -> None:
    table = live()
    table.participant.pause("help")

    log = table.finished()

    assert len(notes(log, NoteKind.SESSION_PAUSED)) == 1


def test_a_log_that_cannot_be_written_goes_on_elsewhere_and_says_so(
    live: Open, disk: Faulty, tmp_path: Path
) -> None:
    table = live(fallback=True)
    table.says("Before")
    table.until_said("Before")
    first = table.log.path

    def fails_here(file: int, data: bytes) -> int:
        if os.fstat(file).st_ino == first.stat().st_ino:
            raise OSError(28, "No space left on device")
        return Disk.write(disk, file, data)

    disk.write = fails_here  # type: ignore[method-assign]
    table.says("During")
    table.until_said("During")
    log = table.finished()

    (move,) = notes(log, NoteKind.LOG_MOVED)
    assert log.path.is_relative_to(tmp_path / "elsewhere")
    assert (move["old"], move["new"]) == (str(first), str(log.path))
    assert [event.get_text() for event in log.events if event.get_text()] == ["Before", "During"]


def edit_in_place(path: Path) -> None:
    """Change bytes of a log; its length stays."""
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"#####")


def test_a_log_that_is_edited_goes_on_whole_in_another_file_and_says_so(live: Open) -> None:
    table = live()
    table.says("Before")
    table.until_said("Before")
    first = table.log.path

    edit_in_place(first)
    table.says("During")
    table.until_said("During")
    table.told.wait_for(lambda told: told.event is not None and told.event.type == EventType.TIME)
    log = table.finished()

    (move,) = notes(log, NoteKind.LOG_MOVED)
    sentence = f"{first} was changed by another program while the session was running."
    assert move == {"old": str(first), "new": str(log.path), "reason": sentence}
    assert [str(error) for error in table.errors] == [f"{sentence} The log goes on in {log.path}."]
    assert [event.get_text() for event in log.events if event.get_text()] == ["Before", "During"]
    assert b"#####" in first.read_bytes()


@pytest.mark.parametrize("ends", ["by its game", "by the window"])
def test_a_log_that_is_edited_after_its_last_line_is_whole_in_another_file(
    live: Open, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    table = live()
    table.says("Before")
    table.until_said("Before")
    first = table.log.path
    close = FailoverLog.close

    def edit_and_close(log: FailoverLog) -> None:
        edit_in_place(first)
        close(log)

    monkeypatch.setattr(FailoverLog, "close", edit_and_close)
    if ends == "by its game":
        table.finished()
    else:
        table.table.stop()
        table.told.wait_for(lambda told: told.finished)

    assert table.log.path != first
    assert "Before" in [event.get_text() for event in read_log(table.log.path).events]
    assert [str(error) for error in table.errors] == [
        f"{first} was changed by another program while the session was running. "
        f"The log goes on in {table.log.path}."
    ]


def test_the_window_may_be_closed_while_the_session_is_frozen(live: Open, disk: Faulty) -> None:
    table = live()
    table.says("Before")
    table.until_said("Before")
    disk.full.set()
    table.told.wait_for(lambda told: bool(told.frozen))

    table.table.stop()
    end = table.told.wait_for(lambda told: told.finished)

    assert end.error_message
    assert [e.get_text() for e in read_log(table.log.path).events if e.get_text()] == ["Before"]


def test_a_jump_of_the_time_of_day_changes_nothing_and_is_noted(live: Open) -> None:
    moved = [0.0]
    watch = ClockMonitor(wall=lambda: time.time() + moved[0])
    table = live(watch=watch)
    table.says("Before")
    table.until_said("Before")

    moved[0] = -86_400.0
    table.says("After")
    table.until_said("After")
    table.told.wait_for(lambda told: told.event is not None and told.event.type == EventType.TIME)
    log = table.finished()

    (note,) = notes(log, NoteKind.CLOCK_JUMP)
    assert note["seconds"] == pytest.approx(-86_400.0, abs=1.0)
    times = [event.t for event in log.events]
    assert times == sorted(times)


def test_a_session_goes_on_from_its_log_at_the_time_at_which_it_stood(live: Open, tmp_path: Path) -> None:
    table = live()
    table.says("Before")
    table.until_said("Before")
    table.told.wait_for(lambda told: told.event is not None and told.event.type == EventType.TIME)
    table.table.stop()
    table.told.wait_for(lambda told: told.finished)

    reopened = LogWriter.reopen(table.log.path)
    again = Live(
        FailoverLog(reopened.writer), sitting(), resumed=ResumePoint(reopened.log.events, reopened.torn_bytes)
    )
    view = again.told.wait_for(lambda told: told.event is None).view
    again.says("After")
    after = again.until_said("After")
    log = again.finished()

    stood = reopened.log.events[-1].t
    assert [event.get_text() for event in view.state.transcript if event.get_text()] == ["Before"]
    assert after.event is not None
    assert stood <= after.event.t < stood + 5
    assert EventType.RESUMED in {event.type for event in log.events}


def test_a_session_that_is_resumed_leaves_another_one_alone(live: Open, tmp_path: Path) -> None:
    one = live()
    one.says("In one")
    one.until_said("In one")
    one.table.stop()
    one.told.wait_for(lambda told: told.finished)
    played = sitting()
    other = Live(FailoverLog(LogWriter(tmp_path / "sessions" / "other", played.header())), played)
    other.says("In the other")
    other.until_said("In the other")

    reopened = LogWriter.reopen(one.log.path)
    again = Live(FailoverLog(reopened.writer), sitting(), resumed=ResumePoint(reopened.log.events))
    again.says("Again in one")
    again.until_said("Again in one")
    first, second = again.finished(), other.finished()

    assert [e.get_text() for e in first.events if e.get_text()] == ["In one", "Again in one"]
    assert [e.get_text() for e in second.events if e.get_text()] == ["In the other"]
    assert EventType.RESUMED not in {event.type for event in second.events}
