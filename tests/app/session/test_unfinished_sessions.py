"""Unfinished sessions that are found when the program starts."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from shutil import copytree

import pytest

from negoplatform.app.session.log_proofs import PROOFS_FILE, LogProof, LogProofs, append_proof
from negoplatform.app.session.unfinished_sessions import find_unfinished
from negoplatform.core.events import EndedBy
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.disk_calls import LOG_NAME, MOVED_NAME, Disk
from negoplatform.eventlog.failover import FailoverLog
from negoplatform.eventlog.reader import read_log, read_sound_part
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.log_header import Occupant
from negoplatform.testing import TrialTable
from tests.eventlog.logs import header_for

BEGAN = datetime.fromisoformat("2026-06-03T12:02:11.000+00:00")

Play = Callable[[TrialTable], object]


def talk(table: TrialTable) -> None:
    """Play a game that is interrupted in the middle."""
    table.human.says("Hello")
    table.wait(75)
    table.agent.says("Good day")


def finish(table: TrialTable) -> None:
    """Play a game to its end."""
    talk(table)
    table.human.quits()


def read_log_hash(log: Path) -> str:
    return log.read_bytes()[-67:-3].decode()


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    """Folder of sessions."""
    return tmp_path / "sessions"


@pytest.fixture
def leave(sessions: Path, game: GameSpec) -> Callable[..., Path]:
    """Function that writes the folder of a session, played as given and begun so many seconds later."""

    def left(
        name: str, play: Play = talk, *, later: float = 0, person: bool = True, view: str = "complete"
    ) -> Path:
        header = replace(header_for(game), session_id=name, view=view)
        if not person:
            robot = Occupant("agent", "Robin", agent="fair", file="fair.py", sha256="0" * 64)
            header = replace(header, seats=SeatMap((seat, robot) for seat in game.seats))
        at = (BEGAN + timedelta(seconds=later)).isoformat()
        log = LogWriter(sessions / name, header, at=lambda: at)
        play(TrialTable(game, log=log))
        log.close()
        return sessions / name

    return left


def test_a_session_without_an_end_is_found_with_what_an_experimenter_asks_about(
    sessions: Path, leave: Callable[..., Path]
) -> None:
    leave("interrupted")
    leave("ended", finish)

    found = find_unfinished(sessions)

    assert [session.path for session in found] == [sessions / "interrupted" / LOG_NAME]
    assert found[0].session_id == "interrupted"
    assert found[0].game == "Resource exchange"
    assert found[0].participant == "P-SECRET-07"
    assert found[0].agent_names == ("Robin",)
    assert found[0].last_event_at == BEGAN
    assert found[0].last_event_at.tzinfo is not None
    assert found[0].seconds == 75
    assert found[0].damage == ""


def test_of_one_participant_only_their_own_are_found_and_what_they_left_damaged(
    sessions: Path, leave: Callable[..., Path]
) -> None:
    leave("20260603-rent-P-SECRET-07-1")
    leave("20260603-rent-P-SECRET-07-2", finish)
    leave("20260603-rent-P-SECRET-7-3")
    strange = leave("20260603-rent-P-SECRET-07-4", later=-10) / LOG_NAME
    strange.write_bytes(b"no log\n" * 9)

    found = find_unfinished(sessions, participant="P-SECRET-07")
    of_another = find_unfinished(sessions, participant="P-SECRET-7")
    of_nobody = find_unfinished(sessions, participant="SECRET")

    assert sorted((left.path.parent.name, bool(left.damage)) for left in found) == [
        ("20260603-rent-P-SECRET-07-1", False),
        ("20260603-rent-P-SECRET-07-4", True),
    ]
    assert of_another == []  # the folder's name has it, the log does not
    assert [left.path.parent.name for left in of_nobody] == ["20260603-rent-P-SECRET-07-4"]


def test_the_newest_comes_first(sessions: Path, leave: Callable[..., Path]) -> None:
    for name, later in (("b", 20), ("c", 30), ("a", 10)):
        leave(name, later=later)

    assert [session.session_id for session in find_unfinished(sessions)] == ["c", "b", "a"]


def test_a_session_that_had_ended_by_its_receipt_is_not_offered_for_resuming(
    sessions: Path, leave: Callable[..., Path], tmp_path: Path
) -> None:
    cut, other = leave("cut", play=finish), leave("other")
    log = cut / LOG_NAME
    append_proof(tmp_path, LogProof(log, "P-SECRET-07", len(read_log(log).events), read_log_hash(log)))
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-2]))

    found = find_unfinished(sessions, proofs=LogProofs.of_data_folder(tmp_path))

    damage = {session.path.parent: session.damage for session in found}
    assert damage.keys() == {cut, other}
    assert damage[other] == ""
    assert "proofs.txt at line 1 notes" in damage[cut]
    assert "lines are missing at its end" in damage[cut]


@pytest.mark.parametrize("content", [None, b"", b"\xff\x00 no receipts", b"\t\t\t\t" + b"a" * 64])
def test_receipts_that_say_nothing_or_are_not_there_stop_no_session(
    sessions: Path, leave: Callable[..., Path], tmp_path: Path, content: bytes | None
) -> None:
    leave("one")
    if content is None:
        (tmp_path / PROOFS_FILE).mkdir()
    else:
        (tmp_path / PROOFS_FILE).write_bytes(content)

    [found] = find_unfinished(sessions, proofs=LogProofs.of_data_folder(tmp_path))

    assert found.damage == ""


def test_a_torn_last_line_hides_no_session(sessions: Path, leave: Callable[..., Path]) -> None:
    log = leave("torn") / LOG_NAME
    log.write_bytes(log.read_bytes()[:-7])

    found = find_unfinished(sessions)

    assert [(session.session_id, session.damage) for session in found] == [("torn", "")]


def test_sessions_of_agents_alone_and_exported_ones_are_nobodys_to_resume(
    sessions: Path, leave: Callable[..., Path]
) -> None:
    leave("robots", person=False)
    leave("exported", view="public")

    assert find_unfinished(sessions) == []


def test_a_session_that_a_program_is_writing_is_left_alone(sessions: Path, game: GameSpec) -> None:
    log = LogWriter(sessions / "running", header_for(game))
    talk(TrialTable(game, log=log))

    while_it_runs = find_unfinished(sessions)
    log.close()

    assert while_it_runs == []
    assert len(find_unfinished(sessions)) == 1


def test_damage_inside_is_named_and_stops_nothing(sessions: Path, leave: Callable[..., Path]) -> None:
    leave("sound")
    hurt = leave("hurt", later=60) / LOG_NAME
    data = hurt.read_bytes()
    hurt.write_bytes(data.replace(b"Hello", b"Hullo"))
    headless = leave("headless", later=30) / LOG_NAME
    headless.write_bytes(b"x" + headless.read_bytes()[1:])

    found = {session.path.parent.name: session for session in find_unfinished(sessions)}

    assert set(found) == {"sound", "hurt", "headless"}
    assert found["sound"].damage == ""
    assert found["hurt"].participant == "P-SECRET-07"
    assert "damaged (line 3)" in found["hurt"].damage
    assert f"negoplatform log verify {hurt.parent}" in found["hurt"].damage
    assert found["headless"].game == "headless"
    assert "damaged (line 1)" in found["headless"].damage


def test_what_is_no_session_is_passed_over(sessions: Path, leave: Callable[..., Path]) -> None:
    leave("sound")
    (sessions / "empty").mkdir()
    (sessions / "a file").write_text("hello", encoding="utf-8")
    (sessions / "no log" / LOG_NAME).mkdir(parents=True)
    (sessions / "nothing").mkdir()
    (sessions / "nothing" / LOG_NAME).touch()
    (sessions / "loop").symlink_to(sessions / "loop")

    assert [session.session_id for session in find_unfinished(sessions)] == ["sound"]


def test_a_session_that_never_began_is_none(sessions: Path, game: GameSpec) -> None:
    LogWriter(sessions / "header", header_for(game)).close()

    assert find_unfinished(sessions) == []


def test_no_folder_of_sessions_holds_none(tmp_path: Path) -> None:
    assert find_unfinished(tmp_path / "nowhere") == []


def test_words_about_an_end_are_no_end(sessions: Path, leave: Callable[..., Path]) -> None:
    def play(table: TrialTable) -> None:
        talk(table)
        table.human.says('"type":"GAME_END"')
        table.session.note(NoteKind.WARNING_SHOWN, about="x", nested={"type": "GAME_END"})

    leave("talks", play)

    assert len(find_unfinished(sessions)) == 1


def test_an_end_far_before_the_last_words_is_an_end(sessions: Path, leave: Callable[..., Path]) -> None:
    def play(table: TrialTable) -> None:
        table.start()
        table.session.end(EndedBy.ABORTED, "The end of it.")
        for _ in range(80):
            table.session.note(NoteKind.WARNING_SHOWN, about="goodbye " * 125)

    log = leave("long", play) / LOG_NAME

    assert b"GAME_END" not in log.read_bytes()[-66_000:]
    assert find_unfinished(sessions) == []


class FilledUp(Disk):
    """Disk that can become full for the file that was opened first."""

    def __init__(self) -> None:
        self.first: int | None = None
        self.full = False

    def write(self, file: int, data: bytes) -> int:
        """Write some bytes, or fail if the disk is full for this file."""
        self.first = self.first or file
        if self.full and file == self.first:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(file, data)


def move(sessions: Path, elsewhere: Path, game: GameSpec) -> tuple[Path, Path]:
    """Return the paths of a log before and after it moved because its disk was full."""
    disk = FilledUp()
    log = FailoverLog(LogWriter(sessions / "session", header_for(game), disk=disk), fallbacks=[elsewhere])
    table = TrialTable(game, log=log)
    talk(table)
    disk.full = True
    table.human.says("Still here?")
    log.close()
    return sessions / "session" / LOG_NAME, log.path


@pytest.mark.parametrize("noted", [True, False])
def test_a_log_that_moved_is_unfinished_only_where_it_goes_on(
    sessions: Path, tmp_path: Path, game: GameSpec, noted: bool
) -> None:
    old, new = move(sessions, tmp_path / "elsewhere", game)
    if not noted:
        (old.parent / MOVED_NAME).unlink()

    found = find_unfinished(sessions, tmp_path / "elsewhere")

    assert [(session.path, session.damage) for session in found] == [(new, "")]


def test_a_note_leads_to_a_log_wherever_it_went(sessions: Path, tmp_path: Path, game: GameSpec) -> None:
    _, new = move(sessions, tmp_path / "elsewhere", game)

    assert [session.path for session in find_unfinished(sessions)] == [new]


def test_a_log_that_goes_on_where_nobody_can_look_is_not_resumed_where_it_was(
    sessions: Path, tmp_path: Path, game: GameSpec
) -> None:
    old, new = move(sessions, tmp_path / "elsewhere", game)
    new.unlink()

    found = find_unfinished(sessions)

    assert [session.path for session in found] == [old]
    assert str(new) in found[0].damage
    assert "connect that disk" in found[0].damage


def test_hundreds_of_finished_sessions_are_passed_over(sessions: Path, leave: Callable[..., Path]) -> None:
    ended = leave("ended", finish)
    for number in range(300):
        copytree(ended, sessions / f"ended-{number}")
    leave("interrupted")

    assert [session.session_id for session in find_unfinished(sessions)] == ["interrupted"]


def test_a_note_that_is_empty_says_where_was_looked(
    sessions: Path, tmp_path: Path, leave: Callable[..., Path]
) -> None:
    (leave("session") / MOVED_NAME).touch()

    [found] = find_unfinished(sessions, tmp_path / "elsewhere")

    assert f"it is not in {sessions}, {tmp_path / 'elsewhere'}" in found.damage


def test_notes_that_lead_in_a_circle_are_told(sessions: Path, leave: Callable[..., Path]) -> None:
    alone, one, two = leave("alone"), leave("one"), leave("two")
    for old, new in ((alone, alone), (one, two), (two, one)):
        (old / MOVED_NAME).write_text(f"The log goes on in\n{new / LOG_NAME}\n", encoding="utf-8")

    found = find_unfinished(sessions)

    assert {session.path.parent for session in found} == {alone, one, two}
    assert all("delete that file" in session.damage for session in found)


def test_a_log_that_moved_before_its_first_event_is_found(
    sessions: Path, tmp_path: Path, game: GameSpec
) -> None:
    disk = FilledUp()
    log = FailoverLog(LogWriter(sessions / "s", header_for(game), disk=disk), fallbacks=[tmp_path / "two"])
    disk.full = True
    talk(TrialTable(game, log=log))
    log.close()
    (sessions / "s" / MOVED_NAME).unlink()

    assert [session.path for session in find_unfinished(sessions, tmp_path / "two")] == [log.path]


def test_a_copy_of_a_folder_hides_neither(sessions: Path, leave: Callable[..., Path]) -> None:
    copytree(leave("x"), sessions / "x-2")

    assert {session.path.parent.name for session in find_unfinished(sessions)} == {"x", "x-2"}


@pytest.mark.parametrize("junk", [b"junk\n", b"junk"])
def test_a_damaged_continuation_does_not_hide_the_good_one(
    sessions: Path, leave: Callable[..., Path], junk: bytes
) -> None:
    leave("x")
    copytree(sessions / "x", sessions / "x-2")
    with (sessions / "x-2" / LOG_NAME).open("ab") as file:
        file.write(junk)

    found = {session.path.parent.name: session.damage for session in find_unfinished(sessions)}

    assert found["x"] == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
@pytest.mark.timeout(30)
def test_pipes_devices_and_odd_times_stop_no_search(sessions: Path, leave: Callable[..., Path]) -> None:
    leave("sound")
    (sessions / "pipe").mkdir()
    os.mkfifo(sessions / "pipe" / LOG_NAME)
    (sessions / "zero").mkdir()
    (sessions / "zero" / LOG_NAME).symlink_to("/dev/zero")
    os.mkfifo(leave("note-pipe") / MOVED_NAME)
    (leave("note-zero") / MOVED_NAME).symlink_to("/dev/zero")
    for name, target in (("long", "/" + "x" * 5_000), ("nul", "/a\0b"), ("huge", "/" + "x/" * 50_000)):
        (leave(name) / MOVED_NAME).write_text(f"on in\n{target}\n", encoding="utf-8")

    found = {session.path.parent.name: session for session in find_unfinished(sessions)}

    assert set(found) == {"sound", "note-pipe", "note-zero", "long", "nul", "huge"}
    assert [name for name, session in found.items() if not session.damage] == ["sound"]


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "yesterday"])
def test_a_time_of_day_that_cannot_be_told_is_that_of_the_file(
    sessions: Path, game: GameSpec, at: str
) -> None:
    log = LogWriter(sessions / "odd", header_for(game), at=lambda: at)
    talk(TrialTable(game, log=log))
    log.close()
    os.utime(log.path, (1_000, 1_000))

    [found] = find_unfinished(sessions)

    assert found.damage == ""


def test_whatever_goes_wrong_with_one_log_the_others_are_found(
    sessions: Path, leave: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    leave("sound")
    odd = leave("odd") / LOG_NAME

    def look(path: Path) -> object:
        if path == odd:
            raise OverflowError
        return read_sound_part(path)

    monkeypatch.setattr("negoplatform.app.session.unfinished_sessions.read_sound_part", look)

    found = {session.path.parent.name: session.damage for session in find_unfinished(sessions)}

    assert found["sound"] == ""
    assert "export-clean" in found["odd"]
