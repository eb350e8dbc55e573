"""Recovery: after a crash a log keeps every complete line; the cut-off rest goes to another file."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from threading import Barrier, Thread

import pytest

from negoplatform.core.events import Event, EventType, Message, Resumed
from negoplatform.domain.errors import InputFileError, LogWriteError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.file_lock import is_being_written
from negoplatform.eventlog.observer_export import encode_log, filter_log
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.writer import LogWriter
from negoplatform.testing import TrialTable
from tests.eventlog.disks import TestDisk
from tests.eventlog.logs import AT, recorded


def play(table: TrialTable) -> None:
    table.human.says("Hello")
    table.agent.offers(bananas=(2, 2), grain=(3, 2))
    table.human.says("Hm.")


@pytest.fixture
def path(tmp_path: Path, game: GameSpec) -> Path:
    """Log of four events that was not finished."""
    return recorded(tmp_path, game, play)


def files_beside(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir() if file != path)


NEXT = Event(5, 9.0, EventType.RESUMED, "platform", Resumed())


def test_a_log_that_is_opened_again_goes_on_as_if_it_had_never_been_closed(path: Path) -> None:
    before = read_log(path)

    found = LogWriter.reopen(path.parent, at=lambda: AT)
    found.writer.write(NEXT)
    found.writer.close()

    assert found.log == before
    assert (found.torn_bytes, found.torn_file) == (0, None)
    assert read_log(path).events == (*before.events, NEXT)
    assert files_beside(path) == []


def test_a_last_line_that_is_cut_anywhere_is_set_aside_and_the_log_goes_on(path: Path) -> None:
    data = path.read_bytes()
    start = data.rindex(b"\n", 0, -1) + 1
    for number, cut in enumerate(range(start + 1, len(data), 7), start=1):
        path.write_bytes(data[:cut])

        found = LogWriter.reopen(path, at=lambda: AT)
        found.writer.write(NEXT._replace(seq=4))
        found.writer.close()

        assert found.torn_bytes == cut - start
        assert found.torn_file == path.with_name(f"events.jsonl.torn-{number}")
        assert found.torn_file.read_bytes() == data[start:cut]
        assert len(read_log(path).events) == 4
        assert path.read_bytes().startswith(data[:start])


def test_what_was_cut_off_is_on_the_disk_before_the_log_is_shortened(path: Path) -> None:
    torn = path.read_bytes()[:-9]
    path.write_bytes(torn)
    disk = TestDisk(lambda _, name, file: name == "ftruncate")

    with pytest.raises(LogWriteError, match="cannot be cut off"):
        LogWriter.reopen(path, disk=disk)

    aside = path.with_name("events.jsonl.torn-1")
    assert path.read_bytes() == torn
    assert torn.endswith(disk.synced[aside])
    assert not is_being_written(path)


def test_a_log_that_was_shortened_is_on_the_disk_so(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])
    disk = TestDisk()

    LogWriter.reopen(path, disk=disk).writer.close()

    assert disk.synced[path] == path.read_bytes()


@pytest.mark.parametrize("call", ["open", "write", "fsync", "sync_folder"])
def test_what_cannot_be_set_aside_is_not_cut_off(path: Path, call: str) -> None:
    torn = path.read_bytes()[:-9]
    path.write_bytes(torn)
    disk = TestDisk(lambda _, name, file: name == call and file != path)

    with pytest.raises(LogWriteError, match="so nothing was changed"):
        LogWriter.reopen(path, disk=disk)

    assert path.read_bytes() == torn
    assert files_beside(path) == []


def test_a_log_that_is_damaged_inside_is_not_touched(path: Path) -> None:
    damaged = path.read_bytes().replace(b"Hello", b"Hallo")[:-9]
    path.write_bytes(damaged)

    with pytest.raises(InputFileError, match="line 3: its hash does not fit"):
        LogWriter.reopen(path)

    assert path.read_bytes() == damaged
    assert files_beside(path) == []
    assert not is_being_written(path)


@pytest.mark.parametrize(("length", "reason"), [(40, "this first line is cut off"), (0, "the file is empty")])
def test_a_log_whose_first_line_is_cut_off_holds_no_session(path: Path, length: int, reason: str) -> None:
    path.write_bytes(path.read_bytes()[:length])

    with pytest.raises(InputFileError, match=f"line 1: .*{reason}"):
        LogWriter.reopen(path)


def test_what_one_seat_may_see_of_a_log_cannot_be_gone_on_with(path: Path) -> None:
    path.write_bytes(encode_log(filter_log(read_log(path), "human")))

    with pytest.raises(InputFileError, match="this is what human may see of a log"):
        LogWriter.reopen(path)


def test_a_log_that_may_not_be_written_is_said_so(path: Path) -> None:
    disk = TestDisk(lambda _, name, __: name == "open")

    with pytest.raises(LogWriteError, match="cannot be opened for writing"):
        LogWriter.reopen(path, disk=disk)


# One program at a time


def test_a_log_that_is_being_written_is_not_opened_again(path: Path) -> None:
    writer = LogWriter.reopen(path).writer
    assert is_being_written(path)
    assert is_being_written(path.parent)

    with pytest.raises(LogWriteError, match="is being written by another NegoPlatform"):
        LogWriter.reopen(path)
    writer.close()

    assert not is_being_written(path)
    LogWriter.reopen(path).writer.close()


def test_a_log_that_is_not_there_is_not_being_written(tmp_path: Path) -> None:
    assert not is_being_written(tmp_path / "nowhere")
    assert not is_being_written(tmp_path)


def test_asking_whether_a_log_is_being_written_keeps_nobody_from_opening_it(path: Path) -> None:
    stop, asked, opened = False, 0, 0

    def ask() -> None:
        nonlocal asked
        while not stop:
            is_being_written(path)
            asked += 1

    asking = Thread(target=ask)
    asking.start()
    try:
        while opened < 20 or (not asked and asking.is_alive()):
            LogWriter.reopen(path, durable=False).writer.close()
            opened += 1
    finally:
        stop = True
        asking.join()

    assert opened >= 20
    assert asked > 0


def test_of_many_that_open_a_log_at_once_one_gets_it(path: Path) -> None:
    barrier, got, refused = Barrier(6), [], []

    def start() -> None:
        barrier.wait()
        try:
            got.append(LogWriter.reopen(path).writer)
        except LogWriteError as error:
            refused.append(str(error))

    threads = [Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (len(got), len(refused)) == (1, 5)
    got[0].close()


CHILD = """
import sys, time
from pathlib import Path
from negoplatform.core.events import Event, EventType, Message
from negoplatform.eventlog.writer import LogWriter

writer = LogWriter.reopen(Path(sys.argv[1])).writer
writer.write(Event(5, 9.0, EventType.SEND_MESSAGE, "human", Message("Still here.")))
print("written", flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="This system has no kill -9.")
def test_a_program_that_is_killed_leaves_every_event_and_no_lock(path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(path)], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "written\n"
        assert is_being_written(path)
        with pytest.raises(LogWriteError, match="is being written by another NegoPlatform"):
            LogWriter.reopen(path)
    finally:
        child.kill()
        child.communicate()

    assert not is_being_written(path)
    found = LogWriter.reopen(path)
    found.writer.close()
    assert found.log.events[-1].payload == Message("Still here.")
