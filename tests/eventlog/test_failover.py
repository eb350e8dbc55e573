"""Failover: a session continues elsewhere, or pauses, but never runs without a log."""

from __future__ import annotations

import contextlib
import errno
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from negoplatform.core.events import Accepted, EndedBy, Ending, Event, EventType, Message
from negoplatform.domain.errors import InputFileError, LogWriteError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.eventlog.disk_calls import MOVED_NAME
from negoplatform.eventlog.failover import FailoverLog, check_free_space
from negoplatform.eventlog.file_lock import is_being_written
from negoplatform.eventlog.reader import read_log, read_whole_part
from negoplatform.eventlog.writer import DEFERRED_SYNC_TYPES, LogWriter
from negoplatform.testing import TrialTable
from tests.eventlog.disks import PowerCut, TestDisk
from tests.eventlog.logs import AT, header_for
from tests.games import coins_only

HELLO = Event(1, 0.0, EventType.SEND_MESSAGE, "human", Message("Hello"))
ACCEPT = Event(2, 1.0, EventType.FORMAL_ACCEPT, "human", Accepted(1))
GAME_OVER = Event(2, 1.0, EventType.GAME_END, PLATFORM, Ending(EndedBy.TIMEOUT))
BYE = Event(3, 2.0, EventType.SEND_MESSAGE, "human", Message("Bye"))

Fails = Callable[[int, str, Path], bool]


@pytest.fixture
def disk() -> TestDisk:
    return TestDisk()


@pytest.fixture
def log(tmp_path: Path, game: GameSpec, disk: TestDisk) -> FailoverLog:
    """Log with two folders to fall back on."""
    writer = LogWriter(tmp_path / "one" / "session", header_for(game), at=lambda: AT, disk=disk)
    return FailoverLog(writer, fallbacks=[tmp_path / "two", tmp_path / "three"])


def below(*folders: Path, name: str = "") -> Fails:
    """Return a rule by which every call on files in these folders fails, or every one of that name."""
    return lambda _, call, path: name in call and any(path.is_relative_to(folder) for folder in folders)


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_log_that_cannot_be_written_goes_on_in_the_fallback_with_all_that_was_said(
    log: FailoverLog, disk: TestDisk, tmp_path: Path, call: str
) -> None:
    log.write(HELLO)
    old = log.path
    disk.fails = below(tmp_path / "one", name=call)

    log.write(ACCEPT)
    log.write(BYE)
    log.close()

    assert log.path == tmp_path / "two" / "session" / "events.jsonl"
    assert read_log(log.path).events == (HELLO, ACCEPT, BYE)
    [move] = log.take_relocations()
    assert (move.old, move.new) == (old, log.path)
    assert str(old) in move.reason
    assert log.take_relocations() == []
    assert str(log.path) in (old.parent / MOVED_NAME).read_text(encoding="utf-8")
    assert not is_being_written(old)


def test_the_old_log_ends_with_the_last_line_before_the_move(
    log: FailoverLog, disk: TestDisk, tmp_path: Path
) -> None:
    log.write(HELLO)
    old = log.path
    disk.fails = below(tmp_path / "one", name="write")

    log.write(ACCEPT)

    assert read_log(old).events == (HELLO,)


def test_a_log_that_was_moved_is_not_gone_on_with_where_it_was(
    log: FailoverLog, disk: TestDisk, tmp_path: Path
) -> None:
    old = log.path
    disk.fails = below(tmp_path / "one", name="write")
    log.write(HELLO)

    for name in (old.parent, old):
        with pytest.raises(
            InputFileError, match=r"the log goes on elsewhere; moved\.txt beside it says where"
        ):
            LogWriter.reopen(name)


def test_a_note_that_a_full_disk_has_left_empty_is_written_at_the_end(
    log: FailoverLog, disk: TestDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = log.path.with_name(MOVED_NAME)
    monkeypatch.setattr("negoplatform.eventlog.writer.write_redirect", lambda _old, _new: note.touch())
    disk.fails = below(tmp_path / "one", name="write")
    log.write(HELLO)
    assert note.read_text(encoding="utf-8") == ""

    log.close()

    assert str(log.path) in note.read_text(encoding="utf-8")


def test_where_nothing_can_be_left_behind_the_log_goes_on_all_the_same(
    log: FailoverLog, disk: TestDisk, tmp_path: Path
) -> None:
    (log.path.parent / MOVED_NAME).mkdir()
    disk.fails = below(tmp_path / "one", name="write")

    log.write(HELLO)
    log.close()

    assert read_log(log.path).events == (HELLO,)


def test_words_that_cannot_be_synced_are_brought_to_the_disk_elsewhere(
    log: FailoverLog, disk: TestDisk, tmp_path: Path
) -> None:
    log.write(HELLO)
    disk.fails = below(tmp_path / "one", name="fsync")

    log.sync()

    assert log.sync_due is None
    disk.cut_power()
    assert read_log(log.path).events == (HELLO,)
    assert log.path.is_relative_to(tmp_path / "two")


def test_words_are_brought_to_the_disk_elsewhere_at_the_close_too(
    log: FailoverLog, disk: TestDisk, tmp_path: Path
) -> None:
    log.write(HELLO)
    disk.fails = below(tmp_path / "one", name="fsync")

    log.close()

    disk.cut_power()
    assert read_log(log.path).events == (HELLO,)


def test_a_fallback_that_cannot_be_written_either_is_passed_over_and_left_empty(
    log: FailoverLog, disk: TestDisk, tmp_path: Path
) -> None:
    log.write(HELLO)
    disk.fails = below(tmp_path / "one", tmp_path / "two", name="write")

    log.write(ACCEPT)

    assert log.path.is_relative_to(tmp_path / "three")
    assert list((tmp_path / "two").iterdir()) == []


def test_a_fallback_with_room_for_the_log_so_far_alone_is_passed_over_and_left_empty(
    log: FailoverLog, disk: TestDisk, tmp_path: Path
) -> None:
    log.write(HELLO)

    def fails(_: int, call: str, path: Path) -> bool:
        if call != "write" or path.is_relative_to(tmp_path / "three"):
            return False
        return path.is_relative_to(tmp_path / "one") or path.read_bytes().count(b"\n") == 2

    disk.fails = fails
    log.write(ACCEPT)

    assert log.path.is_relative_to(tmp_path / "three")
    assert list((tmp_path / "two").iterdir()) == []
    assert read_log(log.path).events == (HELLO, ACCEPT)


def test_a_session_moves_on_as_often_as_it_has_to(log: FailoverLog, disk: TestDisk, tmp_path: Path) -> None:
    log.write(HELLO)
    disk.fails = below(tmp_path / "one", name="write")
    log.write(ACCEPT)
    disk.fails = below(tmp_path / "one", tmp_path / "two", name="write")

    log.write(BYE)

    assert read_log(log.path).events == (HELLO, ACCEPT, BYE)
    assert [move.new.parent.parent.name for move in log.relocations] == ["two", "three"]


def test_a_session_whose_name_is_taken_in_the_fallback_gets_another(
    log: FailoverLog, disk: TestDisk, tmp_path: Path
) -> None:
    (tmp_path / "two" / "session").mkdir(parents=True)
    disk.fails = below(tmp_path / "one", name="write")

    log.write(HELLO)

    assert log.path == tmp_path / "two" / "session-2" / "events.jsonl"


@pytest.mark.parametrize(("taken", "place"), [(8, "two/session-9"), (9, "three/session")])
def test_nine_names_are_tried_in_a_fallback(
    log: FailoverLog, disk: TestDisk, tmp_path: Path, taken: int, place: str
) -> None:
    for name in ["session", *(f"session-{number}" for number in range(2, taken + 1))]:
        (tmp_path / "two" / name).mkdir(parents=True)
    disk.fails = below(tmp_path / "one", name="write")

    log.write(HELLO)

    assert log.path.parent == tmp_path / place


def test_a_log_without_events_is_removed_and_takes_no_more(log: FailoverLog, tmp_path: Path) -> None:
    log.discard()

    assert log.closed
    assert not (tmp_path / "one" / "session").exists()


def test_a_log_has_ended_also_when_more_is_said_after_the_end(log: FailoverLog) -> None:
    ended = []
    for event in (HELLO, GAME_OVER, BYE):
        log.write(event)
        ended.append(log.ended)

    assert ended == [False, True, True]


def test_words_are_due_on_the_disk_soon_and_not_at_once(log: FailoverLog) -> None:
    before = time.monotonic()
    log.write(HELLO)

    assert log.sync_due is not None
    assert before < log.sync_due <= time.monotonic() + 0.1


def test_a_session_that_is_stuck_waits_and_goes_on_where_it_was(
    log: FailoverLog, disk: TestDisk, tmp_path: Path
) -> None:
    log.write(HELLO)
    disk.fails = below(tmp_path, name="write")
    told: list[str] = []

    def wait(error: LogWriteError) -> bool:
        told.append(str(error))
        if len(told) == 3:
            disk.fails = lambda *_: False
        return True

    log.on_unwritable = wait
    log.write(ACCEPT)

    assert len(told) == 3
    assert all("No space left on device" in sentence for sentence in told)
    assert log.relocations == []
    assert read_log(log.path).events == (HELLO, ACCEPT)
    assert log.path.is_relative_to(tmp_path / "one")


def test_a_file_whose_sync_failed_is_not_gone_on_with_but_copied_beside_itself(
    game: GameSpec, disk: TestDisk, tmp_path: Path
) -> None:
    log = FailoverLog(LogWriter(tmp_path / "session", header_for(game), at=lambda: AT, disk=disk))
    log.write(HELLO)
    disk.fails = below(tmp_path, name="fsync")

    def mend(_: LogWriteError) -> bool:
        disk.fails = lambda *_: False
        return True

    log.on_unwritable = mend
    log.write(ACCEPT)

    assert log.path == tmp_path / "session-2" / "events.jsonl"
    disk.cut_power()
    assert read_log(log.path).events == (HELLO, ACCEPT)


def test_a_session_that_is_given_up_says_why_and_asks_no_more(
    log: FailoverLog, disk: TestDisk, tmp_path: Path
) -> None:
    log.write(HELLO)
    disk.fails = below(tmp_path, name="write")
    asked: list[LogWriteError] = []

    def give_up(error: LogWriteError) -> bool:
        asked.append(error)
        return False

    log.on_unwritable = give_up
    with pytest.raises(LogWriteError, match=re.escape(str(log.path))):
        log.write(ACCEPT)
    with pytest.raises(LogWriteError):
        log.write(ACCEPT)
    log.close()

    assert len(asked) == 1
    assert read_log(log.path).events == (HELLO,)


# Every call that fails, in turn


def play(table: TrialTable, log: FailoverLog) -> None:
    """Play a talk with nine decisions; the messages between them are synced as the session's loop would."""
    table.human.says("Hello")
    log.sync()
    table.agent.offers(coins=3)
    table.agent.says("That is my offer.")
    table.human.offers(coins=2)
    table.human.says("And this is mine.")
    table.human.types()
    log.sync()
    offer = table.agent.offers(coins=1)
    table.human.accepts(offer)
    table.agent.says("Well …")
    table.agent.accepts(offer)
    table.human.says("Thank you!")
    table.play_out()


def acknowledged(tmp_path: Path, disk: TestDisk) -> tuple[FailoverLog | None, TrialTable | None]:
    """Play a session on a disk as far as possible; return its log and its table."""
    try:
        writer = LogWriter(tmp_path / "one" / "s", header_for(coins_only()), at=lambda: AT, disk=disk)
    except LogWriteError:
        return None, None
    log = FailoverLog(writer, fallbacks=[tmp_path / "two"])
    table = TrialTable(coins_only(), log=log)
    try:
        play(table, log)
    except LogWriteError:
        with contextlib.suppress(LogWriteError):
            log.close()
    return log, table


def check_nothing_is_lost(log: FailoverLog | LogWriter, table: TrialTable) -> None:
    """Check that the log holds every decision that was shown before a power cut, and all earlier events."""
    kept = list(read_whole_part(log.path).events)
    shown = table.events
    decided = [i for i, event in enumerate(shown) if event.type not in DEFERRED_SYNC_TYPES]
    upto = decided[-1] + 1 if decided else 0
    assert kept[:upto] == shown[:upto]
    # One more is possible: it was written, and the end came before it was shown.
    assert kept[: len(shown)] == shown[: len(kept)]
    assert len(kept) <= len(shown) + 1


def number_of_calls(tmp_path: Path) -> int:
    disk = TestDisk()
    acknowledged(tmp_path / "clean", disk)
    return disk.calls


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
def test_whichever_call_fails_no_decision_that_was_shown_is_lost(tmp_path: Path, lasting: bool) -> None:
    calls = number_of_calls(tmp_path)
    assert calls > 25
    checked = 0
    for n in range(1, calls + 1):
        first = tmp_path / str(n) / "one"

        def fails(number: int, name: str, path: Path, n: int = n, first: Path = first) -> bool:
            return path.is_relative_to(first) and number >= n if lasting else number == n

        disk = TestDisk(fails)
        log, table = acknowledged(tmp_path / str(n), disk)
        disk.cut_power()

        if log is None or table is None:
            assert not (first / "s").exists()
            continue
        check_nothing_is_lost(log, table)
        assert table.state.ending is not None, "the session went on elsewhere"
        checked += 1
    assert checked > 15


def test_whenever_the_whole_computer_fails_no_decision_that_was_shown_is_lost(tmp_path: Path) -> None:
    checked = 0
    for n in range(1, number_of_calls(tmp_path) + 1):
        disk = TestDisk(lambda number, *_, n=n: number >= n)
        log, table = acknowledged(tmp_path / str(n), disk)
        disk.cut_power()

        if log is not None and table is not None:
            check_nothing_is_lost(log, table)
            checked += 1
    assert checked > 15


@pytest.mark.parametrize(
    "left",
    [lambda _: b"", lambda unsynced: unsynced[: len(unsynced) // 2], lambda unsynced: bytes(len(unsynced))],
    ids=["nothing", "the half", "zeros"],
)
def test_whenever_the_power_is_cut_every_decision_that_was_shown_is_found_again(
    tmp_path: Path, left: Callable[[bytes], bytes]
) -> None:
    found = set()
    for n in range(1, number_of_calls(tmp_path) + 1):

        def fails(number: int, name: str, path: Path, n: int = n) -> bool:
            if number == n:
                raise PowerCut
            return False

        disk = TestDisk(fails)
        table = None
        with contextlib.suppress(PowerCut):
            writer = LogWriter(tmp_path / str(n), header_for(coins_only()), at=lambda: AT, disk=disk)
            log = FailoverLog(writer)
            table = TrialTable(coins_only(), log=log)
            play(table, log)
        disk.end_program()
        disk.cut_power(left)

        if table is not None:
            reopened = LogWriter.reopen(writer.path)
            reopened.writer.close()
            check_nothing_is_lost(writer, table)
            found.add(len(reopened.log.events))
    assert len(found) > 8


# Room on the disk


def test_a_disk_with_room_is_fine_also_for_folders_that_are_not_there_yet(tmp_path: Path) -> None:
    check_free_space(tmp_path / "not" / "yet", least=1)


def test_a_disk_without_room_is_said_in_one_sentence_with_what_is_needed(tmp_path: Path) -> None:
    with pytest.raises(NegoError, match=r"Only \d+ MB are free .* and 1000000000000 MB are needed"):
        check_free_space(tmp_path, least=10**18)


def test_a_disk_that_does_not_say_how_much_room_it_has_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def says_nothing(_: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(shutil, "disk_usage", says_nothing)

    with pytest.raises(NegoError, match=r"free space of .* cannot be found out \(Input/output error\)"):
        check_free_space(tmp_path)
