"""Log files removed while they are written, disks that fill up again, and the permissions of files."""

from __future__ import annotations

import mmap
import os
import shutil
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from negoplatform.core.events import Accepted, Event, EventType, Message
from negoplatform.domain.errors import LogWriteError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog import log_file_io
from negoplatform.eventlog.disk_calls import MOVED_NAME
from negoplatform.eventlog.failover import FailoverLog
from negoplatform.eventlog.log_file_io import LogFile, redirect_target
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.writer import LogWriter
from tests.eventlog.disks import TestDisk
from tests.eventlog.logs import AT, header_for

HELLO = Event(1, 0.0, EventType.SEND_MESSAGE, "human", Message("Hello"))
ACCEPT = Event(2, 1.0, EventType.FORMAL_ACCEPT, "human", Accepted(1))
BYE = Event(3, 2.0, EventType.SEND_MESSAGE, "human", Message("Bye"))


@pytest.fixture
def disk() -> TestDisk:
    return TestDisk()


@pytest.fixture
def log(tmp_path: Path, game: GameSpec, disk: TestDisk) -> FailoverLog:
    """Log with one folder to fall back on."""
    writer = LogWriter(tmp_path / "one" / "session", header_for(game), at=lambda: AT, disk=disk)
    return FailoverLog(writer, fallbacks=[tmp_path / "two"])


def replace(path: Path) -> None:
    """Put another file in a log's place, as some editors and sync programs do."""
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


def link(path: Path) -> None:
    """Move a log to another folder, and put a link in its place."""
    other = path.parents[2] / "moved"
    path.rename(other)
    path.symlink_to(other)


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be taken away there")
@pytest.mark.parametrize(
    "take_away",
    [
        lambda path: path.unlink(),
        lambda path: shutil.rmtree(path.parent),
        lambda path: path.parent.rename(path.parent.with_name("away")),
        lambda path: os.truncate(path, 10),
        replace,
        link,
    ],
    ids=["deleted", "folder deleted", "moved", "cut", "replaced", "linked"],
)
@pytest.mark.parametrize("synced", [False, True], ids=["before the sync", "when all was synced"])
def test_a_log_that_is_taken_away_while_it_is_written_goes_on_beside_itself(
    log: FailoverLog, tmp_path: Path, take_away: Callable[[Path], object], synced: bool
) -> None:
    log.write(HELLO)
    if synced:
        log.sync()
    take_away(log.path)

    log.write(ACCEPT)
    log.close()

    assert log.path.parent.parent == tmp_path / "one"
    assert read_log(log.path).events == (HELLO, ACCEPT)
    [move] = log.take_relocations()
    assert "while the session was running" in move.reason
    assert not log.path.with_name(MOVED_NAME).exists()


def edit(path: Path, at: int = 30) -> None:
    """Change bytes of a log in place; its length stays."""
    with path.open("r+b") as file:
        file.seek(at)
        file.write(b"#####")


def edit_and_set_the_times_back(path: Path) -> None:
    """Edit a log and restore its modification time."""
    before = path.stat()
    edit(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def edit_mapped(path: Path) -> None:
    """Edit a log in memory that is mapped to it."""
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        mapped[30:35] = b"#####"


def fill_with_zeros(path: Path) -> None:
    """Overwrite all of a log."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.write(bytes(size))


def append(path: Path) -> None:
    """Append to a log."""
    with path.open("ab") as file:
        file.write(b"more\n")


EDITS = pytest.mark.parametrize(
    "change", [edit, edit_and_set_the_times_back, edit_mapped, fill_with_zeros, append]
)


@EDITS
@pytest.mark.parametrize("when", ["before a decision", "before a sync", "before the close"])
def test_a_log_that_is_edited_while_it_is_written_goes_on_whole_beside_the_damaged_file(
    log: FailoverLog, tmp_path: Path, change: Callable[[Path], object], when: str
) -> None:
    log.write(HELLO)
    if when != "before a sync":
        log.sync()
    if when == "before the close":
        log.write(ACCEPT)
    old = log.path
    change(old)
    damaged = old.read_bytes()

    if when != "before the close":
        log.write(ACCEPT)
        log.write(BYE)
    log.close()

    assert log.path == tmp_path / "one" / "session-2" / "events.jsonl"
    assert read_log(log.path).events[:2] == (HELLO, ACCEPT)
    assert old.read_bytes().startswith(damaged)
    assert redirect_target(old) == log.path
    [move] = log.take_relocations()
    assert move.reason == f"{old} was changed by another program while the session was running."
    assert str(move) == f"{move.reason} The log goes on in {log.path}."


@pytest.mark.parametrize("change", [edit, edit_mapped])
def test_a_log_that_is_edited_and_cannot_go_on_anywhere_takes_no_further_line(
    log: FailoverLog, disk: TestDisk, change: Callable[[Path], object]
) -> None:
    log.write(HELLO)
    log.sync()
    change(log.path)
    damaged = log.path.read_bytes()
    disk.fails = lambda _, name, path: name == "open"
    told: list[str] = []

    def wait(error: LogWriteError) -> bool:
        told.append(str(error))
        return len(told) < 3

    log.on_unwritable = wait
    with pytest.raises(LogWriteError, match="was changed by another program"):
        log.write(ACCEPT)

    assert told == [f"{log.path} was changed by another program while the session was running."] * 3
    assert log.path.read_bytes() == damaged


@pytest.fixture
def long_log(log: FailoverLog, monkeypatch: pytest.MonkeyPatch) -> FailoverLog:
    """Log that is longer than what a sync compares."""
    monkeypatch.setattr(log_file_io, "COMPARED_BYTES", 1_000)
    for number in range(1, 31):
        log.write(HELLO._replace(seq=number))
    log.sync()
    assert log.path.stat().st_size > 5_000
    return log


@pytest.mark.skipif(os.name != "posix", reason="only the time of a change of the file cannot be set back")
def test_an_edit_of_a_long_log_is_found_by_the_next_sync_although_its_time_was_set_back(
    long_log: FailoverLog,
) -> None:
    first = long_log.path
    time.sleep(0.02)  # where the system's clock ticks slowly, the edit has another time
    edit_and_set_the_times_back(first)

    long_log.write(ACCEPT._replace(seq=31))

    assert long_log.path != first
    assert len(read_log(long_log.path).events) == 31


@pytest.mark.parametrize("syncs", [1, 20])
def test_an_edit_of_a_long_log_without_a_trace_is_found_part_by_part_or_at_the_close(
    long_log: FailoverLog, monkeypatch: pytest.MonkeyPatch, syncs: int
) -> None:
    monkeypatch.setattr(LogFile, "_current_times", lambda _self: (0, 0))
    long_log.sync()
    first = long_log.path
    edit(first, at=5_000)

    for number in range(31, 31 + syncs):
        long_log.write(ACCEPT._replace(seq=number))
    before_the_close = long_log.path
    long_log.close()

    assert (before_the_close == first) == (syncs == 1)
    assert long_log.path != first
    assert len(read_log(long_log.path).events) == 30 + syncs


def test_a_sync_of_a_long_log_that_nobody_has_touched_reads_a_part_of_it(
    long_log: FailoverLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    compare = LogFile._holds_written

    def count(file: LogFile, start: int, end: int) -> bool:
        read.append(end - start)
        return compare(file, start, end)

    monkeypatch.setattr(LogFile, "_holds_written", count)

    long_log.write(ACCEPT._replace(seq=31))
    long_log.sync()

    assert sum(read) == 2_000


def test_a_log_whose_mode_was_changed_is_not_taken_for_edited(long_log: FailoverLog) -> None:
    first = long_log.path
    first.chmod(0o640)

    long_log.write(ACCEPT._replace(seq=31))
    long_log.close()

    assert long_log.path == first


@pytest.mark.parametrize("durable", [True, False])
def test_a_log_that_is_closed_by_itself_is_compared_whole(
    tmp_path: Path, game: GameSpec, monkeypatch: pytest.MonkeyPatch, durable: bool
) -> None:
    monkeypatch.setattr(log_file_io, "COMPARED_BYTES", 100)
    monkeypatch.setattr(LogFile, "_current_times", lambda _self: (0, 0))
    writer = LogWriter(tmp_path / "session", header_for(game), at=lambda: AT, durable=durable)
    writer.write(HELLO)
    edit(writer.path, at=1_000)

    with pytest.raises(LogWriteError, match="was changed by another program"):
        writer.close()


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be deleted there")
def test_a_log_that_was_deleted_when_all_was_synced_is_missed_at_the_close(log: FailoverLog) -> None:
    decision = ACCEPT._replace(seq=1)
    log.write(decision)
    log.path.unlink()

    log.close()

    assert read_log(log.path).events == (decision,)


@pytest.mark.skipif(os.name != "posix", reason="POSIX modes")
def test_what_a_session_leaves_is_for_its_owner_alone(
    log: FailoverLog, disk: TestDisk, tmp_path: Path
) -> None:
    old = log.path
    disk.fails = lambda _, name, path: name == "write" and path.is_relative_to(tmp_path / "one")
    log.write(HELLO)

    places = [old.parent.parent, old.parent, log.path.parent.parent, log.path.parent]
    assert [stat.S_IMODE(place.stat().st_mode) for place in places] == [0o700] * 4
    assert stat.S_IMODE(old.with_name(MOVED_NAME).stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="POSIX modes")
def test_in_a_folder_for_temporary_files_what_is_a_link_is_passed_over(
    disk: TestDisk, game: GameSpec, tmp_path: Path
) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp").chmod(0o1777)
    (tmp_path / "trap").mkdir()
    (tmp_path / "tmp" / "sessions").symlink_to(tmp_path / "trap")
    writer = LogWriter(tmp_path / "one" / "session", header_for(game), at=lambda: AT, disk=disk)
    log = FailoverLog(writer, fallbacks=[tmp_path / "tmp" / "sessions"])
    disk.fails = lambda _, name, path: path.is_relative_to(tmp_path / "one")

    with pytest.raises(LogWriteError):
        log.write(HELLO)

    assert list((tmp_path / "trap").iterdir()) == []


def test_a_full_fallback_is_named_and_the_first_place_is_tried_again(
    log: FailoverLog, disk: TestDisk, tmp_path: Path
) -> None:
    disk.fails = lambda _, name, path: name == "write" and path.is_relative_to(tmp_path / "one")
    log.write(HELLO)
    disk.fails = lambda _, name, __: name == "write"
    told: list[str] = []

    def wait(error: LogWriteError) -> bool:
        told.append(str(error))
        if len(told) == 2:
            disk.fails = lambda _, name, path: name == "write" and path.is_relative_to(tmp_path / "two")
        return True

    log.on_unwritable = wait
    log.write(ACCEPT)

    assert all(str(tmp_path / "two") in sentence for sentence in told)
    assert log.path.is_relative_to(tmp_path / "one")
    assert read_log(log.path).events == (HELLO, ACCEPT)


def test_where_there_is_room_for_a_copy_and_for_no_more_no_folder_is_left_however_often_it_is_tried(
    log: FailoverLog, disk: TestDisk, tmp_path: Path
) -> None:
    log.write(HELLO)
    first = log.path
    disk.fails = lambda _, name, path: name == "write" and path.stat().st_size > 0
    told: list[str] = []

    def wait(error: LogWriteError) -> bool:
        told.append(str(error))
        return len(told) < 30

    log.on_unwritable = wait
    with pytest.raises(LogWriteError):
        log.write(ACCEPT)

    assert len(told) == 30
    assert all(str(first) in sentence for sentence in told)
    assert list((tmp_path / "two").iterdir()) == []
    assert log.relocations == []


def test_whoever_wants_to_know_is_told_once_that_a_log_is_closed(log: FailoverLog) -> None:
    told: list[tuple[bool, bool]] = []
    log.on_close = lambda: told.append((log.closed, log.ended))

    log.write(HELLO)
    log.close()
    log.close()

    assert told == [(True, False)]
