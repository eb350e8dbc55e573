"""Writer: complete lines, and an error for each that cannot be written."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from threading import Thread
from types import MappingProxyType

import pytest

from negoplatform.core.events import NOTHING, Accepted, Event, EventType, Message, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.errors import LogWriteError, Refused
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.observer_export import join_lines
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.writer import DEFERRED_SYNC_TYPES, LogWriter
from negoplatform.formats.events import encode_event
from negoplatform.formats.log_header import encode_header
from negoplatform.testing import TrialTable
from tests.eventlog.disks import TestDisk
from tests.eventlog.logs import AT, header_for

HELLO = Event(1, 0.0, EventType.SEND_MESSAGE, "human", Message("Hello"))
BYE = Event(2, 1.0, EventType.SEND_MESSAGE, "human", Message("Bye"))

ACCEPT = Event(3, 2.0, EventType.FORMAL_ACCEPT, "human", Accepted(1))

Write = Callable[[int, bytes], int]


@pytest.fixture
def log(tmp_path: Path, game: GameSpec) -> LogWriter:
    return LogWriter(tmp_path / "session", header_for(game), at=lambda: AT)


def test_a_log_is_its_header_and_one_line_per_event(log: LogWriter, game: GameSpec) -> None:
    log.write(HELLO)
    log.write(BYE)
    log.close()

    lines = [encode_header(header_for(game)), encode_event(HELLO, AT), encode_event(BYE, AT)]
    assert log.path.read_bytes() == join_lines(lines)


def test_the_hash_of_a_line_is_that_of_everything_before_it(log: LogWriter) -> None:
    log.write(HELLO)
    log.write(BYE)

    for end in [place.end() for place in re.finditer(b"\n", log.path.read_bytes())]:
        above = log.path.read_bytes()[:end]
        assert json.loads(above.splitlines()[-1])["hash"] == sha256(above[:-67]).hexdigest()
    assert log.last_hash == json.loads(log.path.read_bytes().splitlines()[-1])["hash"]


def test_a_log_is_for_its_owner_alone(log: LogWriter) -> None:
    assert log.path.stat().st_mode & 0o077 == 0 or os.name != "posix"


def test_every_event_is_one_raw_write_that_is_there_at_once(
    log: LogWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes: list[bytes] = []
    real = os.write

    def watch(file: int, data: bytes) -> int:
        writes.append(data)
        return real(file, data)

    monkeypatch.setattr(os, "write", watch)

    log.write(HELLO)

    assert len(writes) == 1
    assert writes[0].startswith(encode_event(HELLO, AT)[:-2])
    assert log.path.read_bytes().endswith(writes[0])


def test_a_folder_that_is_there_already_is_left_alone(tmp_path: Path, game: GameSpec) -> None:
    folder = tmp_path / "session"
    folder.mkdir()

    with pytest.raises(LogWriteError, match="is there already; every session has a folder of its own"):
        LogWriter(folder, header_for(game))

    assert list(folder.iterdir()) == []


def test_two_sessions_never_share_a_log(log: LogWriter, game: GameSpec) -> None:
    log.write(HELLO)

    with pytest.raises(LogWriteError):
        LogWriter(log.path.parent, header_for(game))

    assert read_log(log.path).events == (HELLO,)


def test_a_place_where_nothing_can_be_written_is_said_in_one_sentence(tmp_path: Path, game: GameSpec) -> None:
    (tmp_path / "file").write_text("no folder")

    with pytest.raises(LogWriteError, match=r"cannot be recorded in .*session"):
        LogWriter(tmp_path / "file" / "session", header_for(game))


def full_disk(room: int) -> Write:
    """Return a write to a disk with room for so many bytes: a short write first, then an error."""
    real, left = os.write, [room]

    def write(file: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(28, "No space left on device")
        written = real(file, data[: left[0]])
        left[0] -= written
        return written

    return write


@pytest.mark.parametrize("room", [0, 1, 30])
def test_a_write_that_fails_leaves_no_half_line_and_loses_nothing(
    log: LogWriter, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    log.write(HELLO)
    monkeypatch.setattr(os, "write", full_disk(room))

    with pytest.raises(
        LogWriteError, match="cannot be written \\(No space left on device\\); everything before is kept"
    ):
        log.write(BYE)

    monkeypatch.undo()
    assert read_log(log.path).events == (HELLO,)


def test_a_short_write_is_carried_on(log: LogWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:7]))

    log.write(HELLO)

    monkeypatch.undo()
    assert read_log(log.path).events == (HELLO,)


def test_after_the_disk_has_room_again_the_log_goes_on_where_it_was(
    log: LogWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.write(HELLO)
    monkeypatch.setattr(os, "write", full_disk(10))
    with pytest.raises(LogWriteError):
        log.write(BYE)
    monkeypatch.undo()

    log.write(BYE)

    assert read_log(log.path).events == (HELLO, BYE)


def test_a_failure_is_said_even_if_the_half_line_cannot_be_taken_back(
    log: LogWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_truncate(file: int, length: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "write", full_disk(10))
    monkeypatch.setattr(os, "ftruncate", no_truncate)

    with pytest.raises(LogWriteError, match="No space left on device"):
        log.write(HELLO)


def test_a_header_that_cannot_be_written_leaves_no_open_file(
    tmp_path: Path, game: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[int] = []
    real = os.close

    def close(file: int) -> None:
        closed.append(file)
        real(file)

    monkeypatch.setattr(os, "write", full_disk(100))
    monkeypatch.setattr(os, "close", close)

    with pytest.raises(LogWriteError, match="No space left"):
        LogWriter(tmp_path / "session", header_for(game))

    assert len(closed) == 1
    assert not (tmp_path / "session").exists(), "so the same name can be tried again"


def test_a_log_is_synced_when_it_is_closed_and_closing_it_twice_is_nothing(
    log: LogWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.write(HELLO)
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)

    log.close()
    log.close()

    assert len(synced) == 1


def test_a_log_that_cannot_be_synced_says_so(log: LogWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(file: int) -> None:
        raise OSError(5, "Input/output error")

    log.write(HELLO)
    monkeypatch.setattr(os, "fsync", fail)

    with pytest.raises(LogWriteError, match="may not be safe on the disk"):
        log.close()


def test_what_could_not_be_written_did_not_happen(
    tmp_path: Path, game: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = LogWriter(tmp_path / "session", header_for(game))
    table = TrialTable(game, log=log)
    table.human.says("Hello")
    before = table.state
    monkeypatch.setattr(os, "write", full_disk(20))

    with pytest.raises(LogWriteError):
        table.human.offers(bananas=(4, 0))

    monkeypatch.undo()
    assert table.state is before
    assert [event.type for event in table.events] == ["GAME_START", "SEND_MESSAGE"]
    assert read_log(log.path).events == tuple(table.events)


# Contents of the disk over time


@pytest.fixture
def disk() -> TestDisk:
    return TestDisk()


@pytest.fixture
def kept(tmp_path: Path, game: GameSpec, disk: TestDisk) -> LogWriter:
    """Log on a disk that records the synced bytes."""
    return LogWriter(tmp_path / "kept", header_for(game), at=lambda: AT, disk=disk)


def test_a_new_log_is_on_the_disk_with_its_header(kept: LogWriter, disk: TestDisk) -> None:
    assert kept.sync_due is None
    disk.cut_power()

    assert read_log(kept.path).events == ()


def test_a_decision_is_on_the_disk_when_it_is_written_and_so_are_the_words_before_it(
    kept: LogWriter, disk: TestDisk
) -> None:
    kept.write(HELLO)
    kept.write(BYE)
    kept.write(ACCEPT)

    disk.cut_power()

    assert read_log(kept.path).events == (HELLO, BYE, ACCEPT)
    assert kept.sync_due is None


def test_words_are_due_to_be_synced_within_a_tenth_of_a_second_of_the_first(kept: LogWriter) -> None:
    before = time.monotonic()
    kept.write(HELLO)
    due = kept.sync_due
    kept.write(BYE)

    assert due is not None
    assert kept.sync_due == due
    assert due - before < 0.1 + (time.monotonic() - before)


def test_words_are_on_the_disk_once_they_are_synced(kept: LogWriter, disk: TestDisk) -> None:
    kept.write(HELLO)
    assert disk.synced[kept.path] != kept.path.read_bytes()
    kept.sync()
    calls = disk.calls
    kept.sync()

    assert kept.sync_due is None
    assert disk.calls == calls, "what is on the disk is not synced again"
    disk.cut_power()
    assert read_log(kept.path).events == (HELLO,)


def test_a_simulation_is_synced_at_its_end_alone(tmp_path: Path, game: GameSpec) -> None:
    disk = TestDisk(lambda _, name, __: "sync" in name)
    log = LogWriter(tmp_path / "s", header_for(game), at=lambda: AT, durable=False, disk=disk)

    log.write(HELLO)
    log.write(ACCEPT._replace(seq=2))

    assert log.sync_due is None
    with pytest.raises(LogWriteError, match="may not be safe"):
        log.close()


def test_everything_that_may_decide_something_is_synced_at_once() -> None:
    decisions = {"SEND_OFFER", "FORMAL_ACCEPT", "FORMAL_QUIT", "GAME_START", "GAME_END", "RESUMED"}

    assert set(EventType) - DEFERRED_SYNC_TYPES == decisions


def test_a_type_that_a_mechanism_registers_is_taken_for_a_decision(kept: LogWriter, disk: TestDisk) -> None:
    kept.write(Event(1, 0.0, "order-added", "human", NOTHING))

    assert disk.synced[kept.path] == kept.path.read_bytes()


def test_a_decision_that_cannot_be_synced_did_not_happen_and_the_file_is_no_longer_trusted(
    kept: LogWriter, disk: TestDisk
) -> None:
    kept.write(HELLO)
    before, hash_before = kept.path.read_bytes(), kept.last_hash
    disk.fails = lambda _, name, __: name == "fsync"

    with pytest.raises(LogWriteError, match="may not be safe on the disk"):
        kept.write(ACCEPT._replace(seq=2))

    assert (kept.path.read_bytes(), kept.last_hash) == (before, hash_before)
    assert kept.failed
    disk.fails = lambda *_: False
    with pytest.raises(LogWriteError, match="can no longer be trusted"):
        kept.write(ACCEPT._replace(seq=2))
    with pytest.raises(LogWriteError, match="can no longer be trusted"):
        kept.sync()


def test_words_whose_sync_fails_were_said_all_the_same(kept: LogWriter, disk: TestDisk) -> None:
    kept.write(HELLO)
    disk.fails = lambda _, name, __: name == "fsync"

    with pytest.raises(LogWriteError):
        kept.sync()

    assert kept.failed
    assert read_log(kept.path).events == (HELLO,)


def test_a_half_line_that_could_not_be_taken_back_is_taken_back_before_the_next(
    kept: LogWriter, disk: TestDisk
) -> None:
    disk.fails = lambda _, name, __: name in {"write", "ftruncate"}
    with pytest.raises(LogWriteError):
        kept.write(HELLO)
    assert not kept.path.read_bytes().endswith(b"\n")
    disk.fails = lambda *_: False

    kept.write(HELLO)

    assert read_log(kept.path).events == (HELLO,)


def test_what_is_too_large_for_a_line_is_refused_and_leaves_nothing(log: LogWriter) -> None:
    huge = Note(NoteKind.WARNING_SHOWN, MappingProxyType({"about": "x" * 1_000_000}))
    before = log.path.read_bytes()

    with pytest.raises(Refused, match="too long to be recorded"):
        log.write(Event(1, 0.0, EventType.NOTE, "platform", huge))

    assert log.path.read_bytes() == before


def test_a_log_can_be_written_by_another_thread_than_the_one_that_made_it(log: LogWriter) -> None:
    def write() -> None:
        log.write(HELLO)
        log.close()

    thread = Thread(target=write)
    thread.start()
    thread.join()

    assert read_log(log.path).events == (HELLO,)
