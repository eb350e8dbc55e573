"""Failures while a log moves: its session and its file stay consistent."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from negoplatform.core.events import Accepted, Event, EventType, Message
from negoplatform.domain.errors import InputFileError, LogWriteError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog import log_file_io, recovery, writer
from negoplatform.eventlog.disk_calls import MOVED_NAME, Disk
from negoplatform.eventlog.failover import FailoverLog, check_free_space
from negoplatform.eventlog.file_lock import release_lock
from negoplatform.eventlog.log_file_io import LogFile, redirect_target
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.writer import LogWriter
from tests.eventlog.disks import TestDisk
from tests.eventlog.logs import AT, header_for
from tests.torture.forks import ask
from tests.unprivileged_user import NOBODY, become_ordinary

HELLO = Event(1, 0.0, EventType.SEND_MESSAGE, "human", Message("Hello"))
ACCEPT = Event(2, 1.0, EventType.FORMAL_ACCEPT, "human", Accepted(1))
BYE = Event(3, 2.0, EventType.SEND_MESSAGE, "human", Message("Bye"))

posix = pytest.mark.skipif(os.name != "posix", reason="how POSIX names and locks files")


@pytest.fixture
def disk() -> TestDisk:
    return TestDisk()


def guarded(folder: Path, game: GameSpec, disk: Disk) -> FailoverLog:
    """Return a log in one folder, with another to fall back on."""
    log = LogWriter(folder / "one" / "session", header_for(game), at=lambda: AT, disk=disk)
    return FailoverLog(log, fallbacks=[folder / "two"])


def full(folder: Path, disk: TestDisk) -> None:
    """Make every write below the first folder fail from now on."""
    disk.fails = lambda _, call, path: call == "write" and path.is_relative_to(folder / "one")


def close_fails(monkeypatch: pytest.MonkeyPatch, log: Path) -> None:
    """Make closing this file report an error once it is closed, as network disks do."""
    close = os.close

    def failing(file: int) -> None:
        is_it = os.path.samestat(os.fstat(file), log.stat())
        close(file)
        if is_it:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "close", failing)


def test_an_error_at_the_close_of_the_old_log_leaves_no_event_that_its_session_does_not_know(
    tmp_path: Path, game: GameSpec, disk: TestDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = guarded(tmp_path, game, disk)
    log.write(HELLO)
    close_fails(monkeypatch, log.path)
    full(tmp_path, disk)

    log.write(ACCEPT)
    log.write(BYE)
    log.close()

    assert read_log(log.path).events == (HELLO, ACCEPT, BYE)


def test_an_error_at_the_close_of_a_log_that_was_synced_is_none(
    tmp_path: Path, game: GameSpec, disk: TestDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = guarded(tmp_path, game, disk)
    log.write(HELLO)
    close_fails(monkeypatch, log.path)

    log.close()

    disk.cut_power()
    assert read_log(log.path).events == (HELLO,)


@posix
def test_a_log_moves_to_and_from_folders_whose_names_are_no_utf8(
    tmp_path: Path, game: GameSpec, disk: TestDisk
) -> None:
    odd = tmp_path / os.fsdecode(b"caf\xe9")
    log = LogWriter(odd / "one" / "session", header_for(game), at=lambda: AT, disk=disk)
    guard = FailoverLog(log, fallbacks=[odd / "two"])
    old = guard.path
    guard.write(HELLO)
    full(odd, disk)

    guard.write(ACCEPT)
    guard.close()

    assert redirect_target(old) == guard.path == odd / "two" / "session" / "events.jsonl"
    assert read_log(guard.path).events == (HELLO, ACCEPT)


def test_an_error_of_our_own_while_a_log_moves_ends_the_session(
    tmp_path: Path, game: GameSpec, disk: TestDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(old: Path, new: Path) -> None:
        raise RuntimeError("a mistake")

    log = guarded(tmp_path, game, disk)
    log.write(HELLO)
    monkeypatch.setattr(writer, "write_redirect", broken)
    full(tmp_path, disk)

    with pytest.raises(LogWriteError, match=r"because of an error in the program \(RuntimeError\)"):
        log.write(ACCEPT)

    assert [move.new for move in log.take_relocations()] == [log.path]


def test_an_error_of_our_own_while_a_line_is_written_leaves_no_doubt_about_the_line(
    tmp_path: Path, game: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(Disk):
        mistaken = False

        def fsync(self, file: int) -> None:
            if self.mistaken:
                raise RuntimeError("a mistake")
            super().fsync(file)

    disk = Broken()
    log = LogWriter(tmp_path / "session", header_for(game), at=lambda: AT, disk=disk)
    log.write(HELLO)
    disk.mistaken = True

    with pytest.raises(LogWriteError, match=r"because of an error in the program \(RuntimeError\)"):
        log.write(ACCEPT)
    with pytest.raises(LogWriteError, match="can no longer be trusted"):
        log.write(BYE)

    disk.mistaken = False
    log.close()
    assert read_log(log.path).events == (HELLO,)


def test_the_note_is_there_before_the_lock_is_given_back(
    tmp_path: Path, game: GameSpec, disk: TestDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = guarded(tmp_path, game, disk)
    old = log.path
    noted = []

    def watched(file: int) -> None:
        noted.append(old.with_name(MOVED_NAME).exists())
        release_lock(file)

    monkeypatch.setattr(log_file_io, "release_lock", watched)
    full(tmp_path, disk)

    log.write(HELLO)

    assert noted == [True]


def test_a_log_that_moved_while_its_lock_was_waited_for_is_not_gone_on_with(
    tmp_path: Path, game: GameSpec, disk: TestDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = guarded(tmp_path, game, disk)
    log.write(HELLO)
    old = log.path

    class Waiting(LogFile):
        @classmethod
        def open(cls, path: Path, *, disk: Disk) -> LogFile:
            full(tmp_path, log_disk)
            log.write(ACCEPT)
            return LogFile.open(path, disk=disk)

    log_disk = disk
    monkeypatch.setattr(recovery, "LogFile", Waiting)

    with pytest.raises(InputFileError, match="the log goes on elsewhere"):
        LogWriter.reopen(old)


@posix
def test_a_copy_that_is_given_up_is_taken_away_before_its_lock_is_given_back(
    tmp_path: Path, game: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = LogWriter(tmp_path / "one" / "session", header_for(game), at=lambda: AT)
    copy = log.copy_to(tmp_path / "two" / "session")
    there = []

    def watched(file: int) -> None:
        there.append(copy.path.exists())
        release_lock(file)

    monkeypatch.setattr(log_file_io, "release_lock", watched)

    copy.discard()

    assert there == [False]
    assert not (tmp_path / "two" / "session").exists()


@pytest.mark.parametrize("error", [OSError(errno.EPIPE, "no terminal"), ValueError("a closed file")])
def test_what_goes_wrong_with_whoever_is_told_that_a_log_is_closed_is_no_fault_of_the_log(
    tmp_path: Path, game: GameSpec, disk: TestDisk, error: Exception
) -> None:
    def told() -> None:
        raise error

    log = guarded(tmp_path, game, disk)
    log.on_close = told
    log.write(HELLO)

    log.close()

    assert log.closed
    assert read_log(log.path).events == (HELLO,)


@posix
def test_a_folder_that_may_not_be_searched_is_told_in_a_sentence(tmp_path: Path, game: GameSpec) -> None:
    shut = tmp_path / "shut"
    shut.mkdir()
    header = header_for(game)
    if os.geteuid() == 0:
        for folder in (tmp_path, *tmp_path.parents[:2]):
            folder.chmod(0o755)
        os.chown(shut, NOBODY, NOBODY)
    shut.chmod(0o600)

    def refusals() -> list[str]:
        become_ordinary()
        told = []
        for act in (
            lambda: check_free_space(shut / "data" / "sessions"),
            lambda: LogWriter(shut / "data" / "sessions" / "session", header),
        ):
            try:
                act()
            except NegoError as error:
                told.append(str(error))
        return told

    space, record = ask(refusals)

    assert space.endswith("cannot be found out (Permission denied).")
    assert record.startswith("The session cannot be recorded in ")
    assert record.endswith("(Permission denied).")


def test_the_names_of_the_data_folder_and_of_the_folder_around_it_are_brought_to_the_disk(
    tmp_path: Path, game: GameSpec
) -> None:
    class Watched(Disk):
        synced: list[Path]

        def sync_folder(self, folder: Path) -> None:
            self.synced.append(folder)
            if folder == tmp_path:
                raise PermissionError(errno.EACCES, "not ours")

    disk = Watched()
    disk.synced = []
    (tmp_path / "data" / "sessions").mkdir(parents=True)

    log = LogWriter(tmp_path / "data" / "sessions" / "one", header_for(game), disk=disk)

    assert [place.relative_to(tmp_path) for place in disk.synced] == [
        Path("data/sessions/one"),
        Path("data/sessions"),
        Path("data"),
        Path(),
    ]
    log.close()
