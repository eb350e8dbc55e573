"""Places of the assignment, claimed by several programs on one folder at the same time."""

from __future__ import annotations

import os
import struct
import time
from collections import Counter
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from negoplatform.app.study.participant_code import CodeRefused, look_up_code
from negoplatform.app.study.study_data import StudyData, study_data
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.domain.errors import Refused
from negoplatform.eventlog.visit_log import VisitRecord, replay_visit
from negoplatform.formats.windows_file_names import is_device_name
from negoplatform.study.study_file import cell_name
from tests.study.studies import small_study
from tests.study.visits import begin
from tests.torture.forks import fork, gates, reap
from tests.torture.programs import KILLED, Send, SpawnedProgram, start

POSIX = pytest.mark.skipif(os.name != "posix", reason="programs are forked")

ROUNDS = 12 if os.name == "posix" else 2

PLACE = struct.Struct("<I")


def station_blocks(study: dict[str, Any]) -> None:
    study["design"].update(assign="station_blocks")


def assign_all(folder: StudyFolder, codes: list[str]) -> None:
    for code in codes:
        run = begin(folder, code)
        run.consent(["age", "data"])
        run.close()


@POSIX
def test_ten_programs_that_claim_at_the_same_time_get_every_place_once(tmp_path: Path) -> None:
    folder = small_study(tmp_path, station_blocks)

    with gates(1) as (gate,):
        children = []
        for n in range(10):
            codes = [f"P-{n}{i}" for i in range(8)]

            def work(codes: list[str] = codes) -> None:
                gate.wait()
                assign_all(folder, codes)

            children.append(fork(work))
        gate.open()
        assert [reap(child) for child in children] == [0] * 10

    data = study_data(folder, folder.data_dir, is_test=False)
    records = [record for record in data.records() if isinstance(record, VisitRecord)]
    assigned = [state for r in records if (state := replay_visit(folder.study, r).assigned) is not None]
    assert sorted(one.place for one in assigned) == list(range(80))
    by_block = Counter((one.place // 8, cell_name(one.cell)) for one in assigned)
    assert set(by_block.values()) == {2}
    assert len(by_block) == 40


@pytest.mark.skipif(os.name != "nt", reason="a new Python for each program takes long")
def test_programs_that_read_and_claim_places_at_the_same_time_get_each_once(tmp_path: Path) -> None:
    data = StudyData(tmp_path / "study_data" / "x", is_test=False)
    programs = SpawnedProgram.take_ready(3, nothing)
    moment = time.time() + 0.2

    for n, program in enumerate(programs):
        program.begin(partial(claim_at, moment, data, [f"{n:02x}{i:010x}" for i in range(30)]))
    told = [program.read_to_end() for program in programs]

    assert [program.reap() for program in programs] == [0] * 3
    assert sorted(place for each in told for (place,) in PLACE.iter_unpack(each)) == list(range(90))


def test_a_program_that_is_killed_while_it_claims_leaves_no_place_without_a_visit(tmp_path: Path) -> None:
    data, rng = StudyData(tmp_path / "study_data" / "x", is_test=False), Random(4)

    for round_ in range(ROUNDS):
        program = start(partial(claim_for_ever, data, round_ * 10_000), warm=nothing)
        program.read_some()
        time.sleep(rng.uniform(0, 0.05))
        program.kill()
        assert program.reap() == KILLED

    places = sorted(p for p in (data.root / "places" / "pc01" / "all").iterdir() if p.name.isdecimal())
    assert [int(place.name) for place in places] == list(range(len(places)))
    holders = [place.read_text(encoding="utf-8").strip() for place in places]
    assert all(holders)
    assert len(set(holders)) == len(holders)
    assert len(holders) >= ROUNDS


def nothing() -> None:
    """Import this module in a new Python."""


def claim_for_ever(data: StudyData, first: int, send: Send) -> None:
    for n in count(first):
        send(PLACE.pack(data.claim_place(f"{n:012x}", "pc01", "")))


def claim_at(moment: float, data: StudyData, visits: list[str], send: Send) -> None:
    while time.time() < moment:
        pass
    for visit in visits:
        send(PLACE.pack(data.claim_place(visit, "pc01", "")))


def test_a_visit_that_asks_again_keeps_its_place(tmp_path: Path) -> None:
    data = StudyData(tmp_path / "data", is_test=False)

    places = [data.claim_place(visit, "pc01", "") for visit in ("a", "b", "a", "c", "b")]

    assert places == [0, 1, 0, 2, 1]


def test_a_place_that_another_program_has_taken_just_now_is_no_longer_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked = os.link

    def link(claim: Path, place: Path) -> None:
        if place.name == "0000":
            place.write_text("another\n", encoding="utf-8")
        linked(claim, place)

    monkeypatch.setattr(os, "link", link)

    assert StudyData(tmp_path / "data", is_test=False).claim_place("one", "", "") == 1


def test_a_disk_without_links_has_places_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    data = StudyData(tmp_path / "data", is_test=False)

    assert [data.claim_place(visit, "", "") for visit in ("a", "b", "a")] == [0, 1, 0]


@pytest.mark.parametrize(
    ("one", "other"),
    [("", "all"), ("a/b", "a_b"), ("Women", "women"), ("../../x", "x"), ("ä", "ae"), ("a" * 41, "a" * 42)],
)
def test_strata_and_stations_never_share_a_folder_nor_leave_the_data(
    tmp_path: Path, one: str, other: str
) -> None:
    data = StudyData(tmp_path / "data", is_test=False)

    first, second = data.claim_place("a", "", one), data.claim_place("b", "", other)
    data.claim_place("c", one, "s")
    data.claim_place("d", other, "s")

    folders = {path.parent for path in (data.root / "places").rglob("0000")}
    assert (first, second) == (0, 0)
    assert len(folders) == 4
    assert {folder.parent.parent for folder in folders} == {data.root / "places"}
    names = [folder.relative_to(data.root).as_posix().lower() for folder in folders]
    assert len(set(names)) == 4


@pytest.mark.parametrize(
    ("pattern", "codes"),
    [
        ("P-##", [f"P-{n:02}" for n in range(1, 17)]),
        ("Lab2-###", [f"Lab2-{n:03}" for n in range(1, 17)]),
        ("##x#", [f"{n:03}"[:2] + "x" + f"{n:03}"[2] for n in range(1, 17)]),
    ],
)
def test_the_first_codes_of_a_pattern_fill_whole_blocks(
    tmp_path: Path, pattern: str, codes: list[str]
) -> None:
    folder = small_study(tmp_path, lambda study: study["codes"].update(pattern=pattern))
    cells: Counter[str] = Counter()

    for code in codes:
        run = begin(folder, code)
        run.consent(["age", "data"])
        assert run.state.assigned is not None
        cells[cell_name(run.state.assigned.cell)] += 1
        run.close()

    assert set(cells.values()) == {4}


def test_the_last_number_of_a_pattern_is_the_first_code(tmp_path: Path) -> None:
    folder = small_study(tmp_path)

    def place(code: str) -> int:
        run: VisitRun = begin(folder, code)
        run.consent(["age", "data"])
        run.close()
        assert run.state.assigned is not None
        return run.state.assigned.place

    assert [place(code) for code in ("P-01", "P-99", "P-00")] == [0, 98, 99]


def test_a_station_with_the_name_of_a_device_of_windows_has_a_folder(tmp_path: Path) -> None:
    data = StudyData(tmp_path / "data", is_test=False)

    assert [data.claim_place(visit, "aux", "nul") for visit in ("a", "b", "a")] == [0, 1, 0]

    (claimed,) = {path.parent for path in (data.root / "places").rglob("0000")}
    assert not any(is_device_name(part) for part in claimed.parts)


@POSIX
def test_of_programs_that_begin_with_one_code_at_the_same_instant_one_at_most_goes_on(tmp_path: Path) -> None:
    folder = small_study(tmp_path, station_blocks)

    with gates(2) as (gate, end):
        children = []
        for n in range(6):

            def work(n: int = n) -> None:
                gate.wait()
                run = None
                with suppress(Refused):
                    run = begin(folder, "P-01")
                (tmp_path / f"{'refused' if run is None else 'began'}-{n}").touch()
                end.wait()
                if run is not None:
                    run.close()

            children.append(fork(work))
        gate.open()
        while len(list(tmp_path.glob("*-[0-5]"))) < len(children):
            time.sleep(0.01)
        end.open()
        assert [reap(child) for child in children] == [0] * len(children)

    assert len(list(tmp_path.glob("began-*"))) <= 1
    assert len(list(study_data(folder, folder.data_dir, is_test=False).records())) <= 1


def test_a_code_whose_visit_is_open_in_another_window_is_refused_until_that_is_closed(tmp_path: Path) -> None:
    folder = small_study(tmp_path, station_blocks)
    data = study_data(folder, folder.data_dir, is_test=False)
    run = begin(folder, "P-01")

    with pytest.raises(CodeRefused, match="in use in another window right now"):
        look_up_code(folder, data, "p-01")
    with pytest.raises(CodeRefused, match="in use in another window right now"):
        look_up_code(folder, data, "P-01", experimenter=True)
    run.close()

    assert look_up_code(folder, data, "P-01").unfinished is not None
