"""The writer: what is written is whole, and what cannot be written is said."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from negoplatform.core.events import Event, EventType, Message
from negoplatform.domain.errors import LogFailed
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.writer import LOG_NAME, LogWriter
from negoplatform.formats.events import encode_event
from negoplatform.formats.header import encode_header
from negoplatform.testing import TrialTable
from tests.eventlog.logs import AT, header_for

HELLO = Event(1, 0.0, EventType.SEND_MESSAGE, "human", Message("Hello"))
BYE = Event(2, 1.0, EventType.SEND_MESSAGE, "human", Message("Bye"))

Write = Callable[[int, bytes], int]


@pytest.fixture
def log(tmp_path: Path, game: GameSpec) -> LogWriter:
    return LogWriter(tmp_path / "session", header_for(game), at=lambda: AT)


def test_a_log_is_its_header_and_one_line_per_event(log: LogWriter, game: GameSpec) -> None:
    log.write(HELLO)
    log.write(BYE)
    log.close()

    assert log.path.read_bytes() == (
        encode_header(header_for(game)) + encode_event(HELLO, AT) + encode_event(BYE, AT)
    )


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

    assert writes == [encode_event(HELLO, AT)]
    assert log.path.read_bytes().endswith(writes[0])


def test_a_folder_that_is_there_already_is_left_alone(tmp_path: Path, game: GameSpec) -> None:
    folder = tmp_path / "session"
    folder.mkdir()

    with pytest.raises(LogFailed, match="is there already; every session has a folder of its own"):
        LogWriter(folder, header_for(game))

    assert list(folder.iterdir()) == []


def test_two_sessions_never_share_a_log(log: LogWriter, game: GameSpec) -> None:
    log.write(HELLO)

    with pytest.raises(LogFailed):
        LogWriter(log.path.parent, header_for(game))

    assert log.path.read_bytes().endswith(encode_event(HELLO, AT))


def test_a_place_where_nothing_can_be_written_is_said_in_one_sentence(tmp_path: Path, game: GameSpec) -> None:
    (tmp_path / "file").write_text("no folder")

    with pytest.raises(LogFailed, match=r"cannot be recorded in .*session"):
        LogWriter(tmp_path / "file" / "session", header_for(game))


def full_disk(room: int) -> Write:
    """A disk with room for so many bytes: a short write first, then an error."""
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
        LogFailed, match="cannot be written \\(No space left on device\\); everything before is kept"
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
    with pytest.raises(LogFailed):
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

    with pytest.raises(LogFailed, match="No space left on device"):
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

    with pytest.raises(LogFailed, match="No space left"):
        LogWriter(tmp_path / "session", header_for(game))

    assert len(closed) == 1
    assert (tmp_path / "session" / LOG_NAME).read_bytes() == b""


def test_a_log_is_synced_when_it_is_closed_and_closing_it_twice_is_nothing(
    log: LogWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)

    log.close()
    log.close()

    assert len(synced) == 1


def test_a_log_that_cannot_be_synced_says_so(log: LogWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(file: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)

    with pytest.raises(LogFailed, match="may not be safe on the disk"):
        log.close()


def test_what_could_not_be_written_did_not_happen(
    tmp_path: Path, game: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = LogWriter(tmp_path / "session", header_for(game))
    table = TrialTable(game, log=log)
    table.human.says("Hello")
    before = table.state
    monkeypatch.setattr(os, "write", full_disk(20))

    with pytest.raises(LogFailed):
        table.human.offers(bananas=(4, 0))

    monkeypatch.undo()
    assert table.state is before
    assert [event.type for event in table.events] == ["GAME_START", "SEND_MESSAGE"]
    assert read_log(log.path).events == tuple(table.events)
