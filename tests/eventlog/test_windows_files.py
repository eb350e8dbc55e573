"""Logs on Windows: drives that disappear, programs that read a log while it is written, any folder name."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import string
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from negoplatform.core.events import Accepted, Event, EventType, Message
from negoplatform.domain.errors import LogWriteError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog import disk_calls, log_file_io
from negoplatform.eventlog.disk_calls import LOG_NAME, MOVED_NAME, Disk
from negoplatform.eventlog.failover import FailoverLog, check_free_space
from negoplatform.eventlog.file_lock import is_being_written
from negoplatform.eventlog.log_file_io import redirect_target
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.writer import LogWriter
from tests.eventlog.logs import header_for
from tests.wine import RUNS_UNDER_WINE

HELLO = Event(1, 0.0, EventType.SEND_MESSAGE, "human", Message("Hello,\r\nשלום"))
ACCEPT = Event(2, 1.0, EventType.FORMAL_ACCEPT, "human", Accepted(1))

WINDOWS = pytest.mark.skipif(os.name != "nt", reason="files and drives of Windows")

TORN = b'{"seq":3,\r\x1a"t'
"""End of a log with the bytes that Windows takes for the end of a line and of a text."""

FOLDERS = ["Messdaten Gärtner", "נתונים", "実験 2", "Ω & (copy) %TEMP% '1'"]


def free_letter() -> str:
    """Return the letter of a drive that is not there, and that no test of another worker takes meanwhile."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    letters = string.ascii_uppercase[::-1][worker % 4 :: 4]
    return next(f"{letter}:" for letter in letters if not Path(f"{letter}:/").exists())


def define_drive(letter: str, folder: Path | None) -> None:
    """Give a folder the letter of a drive, as ``subst`` does; None: remove the drive."""
    if RUNS_UNDER_WINE:  # its own function changes the list of drives, but no path leads there
        link = f"{os.environ['WINEPREFIX']}/dosdevices/{letter.lower()}"
        behind = "" if folder is None else _output("winepath", "-u", str(folder)).strip()
        _output("start", "/wait", "/unix", *(["/bin/ln", "-s", behind] if behind else ["/bin/rm"]), link)
    elif sys.platform == "win32":
        remove_definition = 2
        flags = remove_definition if folder is None else 0
        assert ctypes.windll.kernel32.DefineDosDeviceW(flags, letter, None if folder is None else str(folder))
    assert Path(f"{letter}/").exists() is (folder is not None)


def _output(*command: str) -> str:
    return subprocess.run(
        command, check=True, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ).stdout


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[tuple[Path, Callable[[], None]]]:
    """Drive of its own, and the function that removes it."""
    letter, folder = free_letter(), tmp_path / "behind the drive"
    folder.mkdir()
    removed: list[str] = []

    def remove() -> None:
        if not removed:
            removed.append(letter)
            define_drive(letter, None)

    define_drive(letter, folder)
    yield Path(f"{letter}/"), remove
    remove()


@WINDOWS
def test_a_session_continues_elsewhere_when_its_drive_disappears(
    drive: tuple[Path, Callable[[], None]], tmp_path: Path, game: GameSpec
) -> None:
    root, remove = drive
    writer = LogWriter(root / "sessions" / "one", header_for(game))
    log = FailoverLog(writer, fallbacks=[tmp_path / "fallback"])
    log.write(HELLO)
    remove()

    log.write(ACCEPT)
    log.close()

    assert log.path == tmp_path / "fallback" / "one" / LOG_NAME
    assert read_log(log.path).events == (HELLO, ACCEPT)
    [move] = log.take_relocations()
    assert move.reason.endswith(".")
    assert str(writer.path) in move.reason


@WINDOWS
def test_a_session_without_another_place_stops_with_a_sentence_when_its_drive_disappears(
    drive: tuple[Path, Callable[[], None]], game: GameSpec
) -> None:
    root, remove = drive
    log = FailoverLog(LogWriter(root / "sessions" / "one", header_for(game)))
    log.write(HELLO)
    remove()

    with pytest.raises(LogWriteError) as stopped:
        log.write(ACCEPT)
    log.close()

    assert str(stopped.value).endswith(".")
    assert "\n" not in str(stopped.value)


@WINDOWS
def test_a_drive_that_is_not_there_is_named(game: GameSpec) -> None:
    folder = Path(f"{free_letter()}/data/sessions")

    with pytest.raises(NegoError, match=f"^There is no drive {folder.drive} for "):
        check_free_space(folder)
    with pytest.raises(LogWriteError, match=r"^The session cannot be recorded in "):
        LogWriter(folder / "one", header_for(game))


@WINDOWS
def test_an_open_log_can_be_read_and_copied_but_not_taken_away(tmp_path: Path, game: GameSpec) -> None:
    log = LogWriter(tmp_path / "session", header_for(game))
    log.write(HELLO)

    assert read_log(log.path).events == (HELLO,)
    shutil.copyfile(log.path, tmp_path / "by python")
    subprocess.run(
        ["cmd", "/c", "copy", str(log.path), str(tmp_path / "by cmd")],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )
    for take_away in (
        log.path.unlink,
        lambda: log.path.rename(tmp_path / "moved"),
        lambda: (tmp_path / "by python").replace(log.path),
        lambda: shutil.rmtree(log.path.parent),
    ):
        with pytest.raises(PermissionError):
            take_away()
    log.write(ACCEPT)
    log.close()

    first = (tmp_path / "by cmd").read_bytes()
    assert read_log(log.path).events == (HELLO, ACCEPT)
    assert log.path.read_bytes().startswith(first)
    assert first.count(b"\n") == 2


def test_a_log_is_being_written_as_long_as_it_is_open_and_looking_does_not_disturb(
    tmp_path: Path, game: GameSpec
) -> None:
    log = LogWriter(tmp_path / "session", header_for(game))

    looks = [is_being_written(log.path) for _ in range(20)]
    log.write(HELLO)
    with pytest.raises(LogWriteError, match="is being written by another NegoPlatform"):
        LogWriter.reopen(log.path)
    log.write(ACCEPT)
    log.close()

    assert all(looks)
    assert not is_being_written(log.path)
    assert read_log(log.path).events == (HELLO, ACCEPT)


@pytest.mark.parametrize("name", FOLDERS)
def test_a_session_is_recorded_moved_and_resumed_in_folders_of_any_name(
    name: str, tmp_path: Path, game: GameSpec
) -> None:
    writer = LogWriter(tmp_path / name / "sessions" / "one", header_for(game))
    log = FailoverLog(writer, fallbacks=[tmp_path / f"{name} fallback"])
    log.write(HELLO)
    writer.failed = True
    log.write(ACCEPT)
    log.close()
    with log.path.open("ab") as file:
        file.write(TORN)

    reopened = LogWriter.reopen(log.path)
    reopened.writer.close()

    assert log.path.is_relative_to(tmp_path / f"{name} fallback")
    assert redirect_target(writer.path) == log.path
    assert reopened.log.events == (HELLO, ACCEPT)
    assert reopened.torn_file is not None
    assert reopened.torn_file.read_bytes() == TORN


def test_a_path_that_is_too_long_for_windows_is_refused_with_its_length(
    tmp_path: Path, game: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_calls, "_IS_WINDOWS", True)
    monkeypatch.setattr(Path, "mkdir", refuse_as_missing)
    folder = tmp_path / ("n" * 250) / "session"

    with pytest.raises(LogWriteError) as refused:
        LogWriter(folder, header_for(game))
    with pytest.raises(LogWriteError) as unrelated:
        LogWriter(tmp_path / "session", header_for(game))

    assert f"its path has {len(str(folder))} characters" in str(refused.value)
    assert str(unrelated.value).endswith("(It is missing).")


def refuse_as_missing(*_: object, **__: object) -> None:
    raise FileNotFoundError(errno.ENOENT, "It is missing")


def test_a_quota_that_is_used_up_is_no_invalid_argument(
    tmp_path: Path, game: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_calls, "_IS_WINDOWS", True)
    log = LogWriter(tmp_path / "session", header_for(game), disk=UsedUpQuota())

    with pytest.raises(LogWriteError) as refused:
        log.write(HELLO)
    log.close()

    assert "(the disk or the quota may be full); everything before is kept." in str(refused.value)
    assert read_log(log.path).events == ()


class UsedUpQuota(Disk):
    """Disk that takes a first line and half of the second, and reports what Windows reports then."""

    def __init__(self) -> None:
        self.calls = 0

    def write(self, file: int, data: bytes) -> int:
        self.calls += 1
        if self.calls > 1:
            os.write(file, data[: len(data) // 2])
            raise OSError(errno.EINVAL, "Invalid argument")
        return super().write(file, data)


def test_no_line_of_a_log_or_a_redirect_ends_with_a_carriage_return(tmp_path: Path, game: GameSpec) -> None:
    writer = LogWriter(tmp_path / "sessions" / "one", header_for(game))
    log = FailoverLog(writer, fallbacks=[tmp_path / "fallback"])
    log.write(HELLO)
    writer.failed = True
    log.write(ACCEPT)
    log.close()

    contents = [path.read_bytes() for path in (writer.path, log.path, writer.path.with_name(MOVED_NAME))]

    assert [content.count(b"\n") for content in contents] == [2, 3, 2]
    assert not any(b"\r" in content for content in contents)


def test_a_log_can_be_written_where_the_system_numbers_open_files_in_another_way(
    tmp_path: Path, game: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_file_io, "_is_recognizable", lambda path, file: False)
    monkeypatch.setattr(log_file_io, "_identity", lambda found: (id(found), 0))
    log = LogWriter(tmp_path / "session", header_for(game))

    log.write(ACCEPT._replace(seq=1))
    log.close()

    assert len(read_log(log.path).events) == 1
