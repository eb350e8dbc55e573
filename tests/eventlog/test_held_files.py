"""Files that another program has open: on Windows they are neither replaced, moved nor deleted meanwhile."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from negoplatform.app.study.study_data import StudyData
from negoplatform.domain.errors import LogWriteError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog import held_files
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.eventlog.held_files import retry_while_held
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.writer import LogWriter
from tests.eventlog.logs import header_for

WINDOWS = pytest.mark.skipif(os.name != "nt", reason="other systems hold no files")


@contextmanager
def held(path: Path, seconds: float) -> Iterator[None]:
    """Have a file open for a while, as a virus scanner has; Python's own files cannot be deleted either."""
    file = path.open("rb")
    timer = threading.Timer(seconds, file.close)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        file.close()


class Held:
    """Change that fails for a while.

    Args:
        times: How often it fails.
        number: The error.
    """

    def __init__(self, times: int, number: int = errno.EACCES) -> None:
        self.times = times
        self.number = number
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        if self.calls <= self.times:
            raise OSError(self.number, os.strerror(self.number))
        return "changed"


def test_a_held_file_is_changed_once_it_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_files, "_HELD_ERRNOS", frozenset({errno.EACCES}))
    change = Held(3)

    assert retry_while_held(change) == "changed"
    assert change.calls == 4


def test_the_pauses_between_two_tries_double_up_to_a_tenth_of_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(held_files, "_HELD_ERRNOS", frozenset({errno.EACCES}))
    monkeypatch.setattr(time, "sleep", pauses.append)

    retry_while_held(Held(6))

    assert pauses == [0.01, 0.02, 0.04, 0.08, 0.1, 0.1]


def test_a_file_that_is_held_for_good_is_reported_with_its_own_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_files, "_HELD_ERRNOS", frozenset({errno.EACCES}))
    monkeypatch.setattr(held_files, "HELD_TIMEOUT", 0.05)
    change = Held(1_000)

    with pytest.raises(PermissionError):
        retry_while_held(change)

    assert 1 < change.calls < 1_000


def test_any_other_error_is_reported_at_once() -> None:
    change = Held(1, errno.ENOSPC)

    with pytest.raises(OSError, match="space"):
        retry_while_held(change)

    assert change.calls == 1


@pytest.mark.skipif(os.name == "nt", reason="there this error may pass")
def test_a_forbidden_change_is_reported_at_once() -> None:
    change = Held(1)

    with pytest.raises(PermissionError):
        retry_while_held(change)

    assert change.calls == 1


@WINDOWS
def test_a_file_that_is_being_read_is_replaced_a_moment_later(tmp_path: Path) -> None:
    path = tmp_path / "draft.json"
    path.write_bytes(b"old")

    with held(path, 0.2):
        atomic_write(path, b"new", replace=True)

    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@WINDOWS
def test_a_file_that_is_read_for_long_stays_and_the_sentence_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_files, "HELD_TIMEOUT", 0.1)
    path = tmp_path / "draft.json"
    path.write_bytes(b"old")

    with held(path, 60), pytest.raises(NegoError) as refused:
        atomic_write(path, b"new", replace=True)

    assert str(refused.value).startswith(f"{path} cannot be written (")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@WINDOWS
def test_a_place_that_others_read_at_that_moment_is_claimed_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_files, "HELD_TIMEOUT", 0.1)
    data = StudyData(tmp_path / "data", is_test=False)
    readers = []
    link = os.link

    def link_and_read(claim: Path, place: Path) -> None:
        link(claim, place)
        # A place and its claim are one file: whoever reads one keeps the other from being deleted.
        readers.append(place.open("rb"))

    monkeypatch.setattr(os, "link", link_and_read)

    places = [data.claim_place(visit, "", "") for visit in ("a", "b")]
    for reader in readers:
        reader.close()

    assert places == [0, 1]
    assert [data.claim_place(visit, "", "") for visit in ("a", "b")] == [0, 1]


@pytest.mark.skipif(sys.platform != "win32", reason="the functions of Windows")
@pytest.mark.parametrize("shared", [False, True], ids=["for itself", "with readers"])
def test_a_log_that_another_program_has_for_itself_is_reopened_once_that_ends(
    tmp_path: Path, game: GameSpec, shared: bool
) -> None:
    LogWriter(tmp_path / "session", header_for(game)).close()
    path = tmp_path / "session" / "events.jsonl"
    close = open_exclusively(path, shared=shared)
    timer = threading.Timer(0.2, close)
    timer.start()

    LogWriter.reopen(path).writer.close()

    timer.join()
    assert read_log(path).events == ()


@pytest.mark.skipif(sys.platform != "win32", reason="the functions of Windows")
def test_a_log_that_another_program_keeps_for_itself_is_refused_with_a_sentence(
    tmp_path: Path, game: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_files, "HELD_TIMEOUT", 0.1)
    LogWriter(tmp_path / "session", header_for(game)).close()
    path = tmp_path / "session" / "events.jsonl"
    close = open_exclusively(path, shared=False)

    with pytest.raises(LogWriteError) as refused:
        LogWriter.reopen(path)
    close()

    assert str(refused.value).startswith(f"{path} cannot be opened for writing (")


def open_exclusively(path: Path, *, shared: bool) -> Callable[[], object]:
    """Open a file so that no other program can write it; return the function that closes it."""
    if sys.platform == "win32":
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateFileW.restype = ctypes.c_void_p
        generic_read, share_read, open_existing = 0x8000_0000, 1, 3
        share = share_read if shared else 0
        handle = kernel.CreateFileW(str(path), generic_read, share, None, open_existing, 0, None)
        assert handle not in (None, ctypes.c_void_p(-1).value)
        return lambda: kernel.CloseHandle(ctypes.c_void_p(handle))
    raise NotImplementedError
