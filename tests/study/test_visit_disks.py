"""Disks that fail while a visit is recorded: a call whose events cannot be written has changed nothing."""

from __future__ import annotations

import errno
import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from shutil import rmtree
from typing import Any

import pytest

from negoplatform.app.study.participant_code import look_up_code
from negoplatform.app.study.study_data import study_data
from negoplatform.app.study.study_folder import StudyFolder, load_study
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.domain.errors import InputFileError, LogWriteError, NegoError, Refused
from negoplatform.eventlog import visit_log
from negoplatform.eventlog.disk_calls import Disk
from negoplatform.eventlog.file_lock import is_being_written
from negoplatform.eventlog.visit_log import VISIT_LOG_NAME, VisitLog, read_visit, replay_visit
from negoplatform.study.visit_events import QuizTried, SessionOpened
from negoplatform.study.visit_state import VisitState
from tests.study.studies import small_study
from tests.study.visits import act, begin, finish


class FullDisk(Disk):
    """Disk without room for a while: writing puts half of the bytes there, or syncing fails.

    Args:
        at: Number of the call that fails, from 1; 0: none.
        call: Which calls are counted, ``write`` or ``fsync``.
    """

    def __init__(self, at: int = 0, call: str = "write") -> None:
        self.at, self.call, self.calls = at, call, 0
        self.broken = False

    def _count(self, call: str) -> bool:
        if call != self.call:
            return False
        self.calls += 1
        self.broken = self.broken or self.calls == self.at
        return self.broken

    def write(self, file: int, data: bytes) -> int:
        if self._count("write"):
            os.write(file, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(file, data)

    def fsync(self, file: int) -> None:
        if self._count("fsync"):
            raise OSError(errno.EIO, "Input/output error")
        super().fsync(file)

    def mend(self) -> None:
        self.broken, self.at = False, 0


def resumed(folder: StudyFolder, path: Path, disk: Disk) -> VisitRun:
    """Return a run whose log is on a disk for tests."""
    log, record = VisitLog.resume(path / VISIT_LOG_NAME, disk=disk)
    state = replay_visit(folder.study, record)
    return VisitRun(folder, study_data(folder, folder.data_dir, is_test=False), log, state)


def seen(state: VisitState) -> tuple[Any, ...]:
    """Return what a participant notices of a state."""
    return (state.n, state.screen, dict(state.answers), dict(state.attempts), state.flags, state.sessions)


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_call_that_cannot_be_written_changes_nothing_and_is_repeated_when_there_is_room(
    tmp_path: Path, call: str
) -> None:
    folder = small_study(tmp_path)
    run = begin(folder)
    path = run._log.path.parent
    run.close()
    disk = FullDisk(call=call)
    run, failures = resumed(folder, path, disk), 0

    while run.state.ended is None:
        before, lines = seen(run.state), (path / VISIT_LOG_NAME).read_bytes()
        disk.at = disk.calls + 1
        chance = Random(run.state.n)
        with pytest.raises(LogWriteError):
            act(run, chance)
        failures += 1
        assert seen(run.state) == before
        disk.mend()
        assert (path / VISIT_LOG_NAME).read_bytes().startswith(lines)
        act(run, Random(before[0]))
        assert run.state.n > before[0]

    run.close()
    record = read_visit(path)
    assert failures > 10
    assert record.torn_bytes == 0
    assert replay_visit(folder.study, record) == run.state
    kinds = Counter(event.type for event in record.events)
    assert kinds["CONSENTED"] == kinds["ASSIGNED"] == kinds["PAID"] == 1
    assert kinds["SESSION_OPENED"] == kinds["SESSION_CLOSED"] == 3
    assert [e.attempt for e in record.events if isinstance(e, QuizTried)] == list(
        range(1, kinds["QUIZ_TRIED"] + 1)
    )


def edit_in_place(path: Path) -> None:
    """Change bytes of a log; its length stays."""
    with path.open("r+b") as file:
        file.seek(20)
        file.write(b"#####")


def swap(path: Path) -> None:
    """Put another file in a log's place."""
    other = path.with_name("other")
    other.write_bytes(b"another")
    other.replace(path)


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be taken away there")
@pytest.mark.parametrize(
    "change",
    [
        edit_in_place,
        swap,
        lambda path: os.truncate(path, 10),
        lambda path: path.write_bytes(path.read_bytes() + b"more\n"),
        lambda path: path.unlink(),
        lambda path: rmtree(path.parent),
    ],
    ids=["edited", "replaced", "cut", "longer", "deleted", "folder deleted"],
)
def test_a_log_that_another_program_changes_is_written_again_and_flagged(
    tmp_path: Path, change: Callable[[Path], object]
) -> None:
    folder = small_study(tmp_path)
    begun = begin(folder)
    begun.close()
    run = resumed(folder, begun.path.parent, Disk())
    told: list[NegoError] = []
    run.on_log_damaged = told.append
    change(run.path)
    was_there = run.path.exists()
    damaged = run.path.read_bytes() if was_there else b""

    run.consent(["age", "data"])
    finish(run)
    run.close()

    record = read_visit(run.path)
    assert replay_visit(folder.study, record) == run.state
    assert [what for _step, what in run.state.flags].count("log_damaged") == 1
    assert len(told) == 1
    kept = sorted(path.name for path in run.path.parent.glob("*.damaged-*"))
    assert kept == (["visit.jsonl.damaged-1"] if was_there else [])
    if was_there:
        assert (run.path.parent / kept[0]).read_bytes().startswith(damaged)


def test_a_log_that_is_changed_before_a_visit_is_left_is_whole_when_the_visit_goes_on(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    begun = begin(folder)
    begun.close()
    run = resumed(folder, begun.path.parent, Disk())
    told: list[NegoError] = []
    run.on_log_damaged = told.append
    run.consent(["age", "data"])
    before = seen(run.state)
    edit_in_place(run.path)

    run.close()
    run.close()

    assert len(told) == 1
    again = resumed(folder, run.path.parent, Disk())
    assert seen(again.state) == before
    again.close()


def test_a_damaged_log_that_cannot_be_written_again_keeps_its_name(
    tmp_path: Path,
) -> None:
    folder = small_study(tmp_path)
    run = begin(folder)
    path = run.path
    run.close()
    disk = FullDisk(at=2)  # the line, then the new file
    run = resumed(folder, path.parent, disk)
    before = seen(run.state)
    edit_in_place(path)
    damaged = path.read_bytes()

    with pytest.raises(LogWriteError, match="cannot be written again"):
        run.consent(["age", "data"])

    assert seen(run.state) == before
    assert path.read_bytes() == damaged
    assert list(path.parent.glob("*.damaged-*")) == []
    disk.mend()
    run.consent(["age", "data"])
    run.close()
    assert replay_visit(folder.study, read_visit(path)) == run.state


def test_a_program_that_ends_on_a_full_disk_leaves_what_was_acknowledged(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    run = begin(folder)
    path = run._log.path.parent
    run.close()
    disk = FullDisk()
    run = resumed(folder, path, disk)
    run.consent(["age", "data"])
    before = seen(run.state)
    disk.at = disk.calls + 1
    with pytest.raises(LogWriteError):
        run.leave()
    run.close()

    again = VisitRun.resume(folder, run.data, path)

    assert again.state.screen == before[1]
    assert again.state.n == before[0] + 1  # RESUMED


def test_a_visit_that_cannot_be_recorded_leaves_nothing_and_can_begin_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_consent(study: dict[str, Any]) -> None:
        study["stages"] = study["stages"][1:]
        study["design"].update(assign="station_blocks")

    folder = small_study(tmp_path, without_consent)
    data = study_data(folder, folder.data_dir, is_test=False)
    first = begin(folder, "P-01")

    def full(_log: VisitLog, *_events: object) -> None:
        raise LogWriteError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(VisitLog, "write", full)
        with pytest.raises(LogWriteError, match="full"):
            begin(folder, "P-02")

    assert [place.name for place in data.visits.iterdir()] == [first._log.path.parent.name]
    second = begin(folder, "P-02")
    assert second.state.assigned is not None
    assert second.state.assigned.place == 1


def test_a_visit_that_was_cut_off_before_it_began_has_the_columns_of_its_code(tmp_path: Path) -> None:
    def strata(study: dict[str, Any]) -> None:
        study["codes"] = {"from": "codes.csv"}
        study["design"]["strata"] = ["group"]

    folder = small_study(tmp_path)
    (folder.root / "codes.csv").write_text("code,group\nA-1,women\nA-2,men\n", encoding="utf-8")
    folder = small_study_with(folder, strata)
    run = begin(folder, "A-2")
    run.consent(["age", "data"])
    assigned, path = run.state.assigned, run._log.path
    run.close()
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])

    again = VisitRun.resume(folder, run.data, path.parent)
    again.consent(["age", "data"])

    assert assigned is not None
    assert again.state.assigned is not None
    assert again.state.columns == {"group": "men"}
    assert (again.state.assigned.cell, again.state.assigned.stratum) == (assigned.cell, "men")


def small_study_with(folder: StudyFolder, change: Callable[[dict[str, Any]], object]) -> StudyFolder:
    """Return a study of the same folder with a changed file."""
    document = json.loads(folder.file.read_text(encoding="utf-8"))
    change(document)
    folder.file.write_text(json.dumps(document), encoding="utf-8")
    return load_study(folder.root, folder.data_dir)


def test_a_code_whose_visit_is_damaged_is_not_used_again(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    run = finish(begin(folder, "P-05"))
    lines = run._log.path.read_bytes().splitlines(keepends=True)
    run._log.path.write_bytes(b"".join(lines).replace(b'"t":0', b'"t":1', 1))

    with pytest.raises(Refused, match="A visit of the code P-05 cannot be read"):
        look_up_code(folder, run.data, "P-05")


def test_a_damaged_visit_is_not_continued_and_is_held_by_nobody(tmp_path: Path) -> None:
    run = finish(begin(small_study(tmp_path)))
    path = run._log.path
    damaged = path.read_bytes().replace(b'"t":0', b'"t":1', 1)
    path.write_bytes(damaged)

    with pytest.raises(InputFileError, match="was changed after it was written"):
        VisitLog.resume(path)

    assert not is_being_written(path)
    assert path.read_bytes() == damaged


def test_the_first_line_of_a_visit_may_be_as_long_as_that_of_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = finish(begin(small_study(tmp_path)))._log.path
    length = len(path.read_bytes().splitlines(keepends=True)[0])

    monkeypatch.setattr(visit_log, "LONGEST_HEADER", length)
    assert read_visit(path).events
    monkeypatch.setattr(visit_log, "LONGEST_HEADER", length - 1)
    with pytest.raises(InputFileError, match="this is no log of a visit"):
        read_visit(path)


def test_a_log_without_a_line_is_no_visit_of_a_code(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    run = begin(folder, "P-05")
    run.close()
    run._log.path.write_bytes(b'{"schema":"negop')

    assert look_up_code(folder, run.data, "P-05").earlier == ()


def test_a_count_that_cannot_be_written_does_not_keep_the_data_of_a_person_who_declined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(small_study(tmp_path))

    def fail(_data: object) -> None:
        raise NegoError("declined.csv cannot be written.")

    monkeypatch.setattr(type(run.data), "count_declined", fail)
    with pytest.raises(NegoError, match=r"declined\.csv"):
        run.decline()

    assert list(run.data.visits.iterdir()) == []
    assert run.state.ended == "declined"


def test_a_session_is_closed_once_although_what_follows_could_not_be_written(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    run = begin(folder)
    rng = Random(1)
    while run.state.step is None or run.step.game is None or run.step.id not in run.state.sessions:
        act(run, rng)
    path = run._log.path.parent
    run.close()
    disk = FullDisk(at=1, call="fsync")
    run = resumed(folder, path, disk)

    with pytest.raises(LogWriteError):
        act(run, Random(5))
    assert isinstance(run.state.sessions[run.step.id], SessionOpened)
    disk.mend()
    step = run.step.id
    act(run, Random(5))

    assert run.step.id != step
