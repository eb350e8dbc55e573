"""Rehearsal: simulated people go through a study without a window; all of their data is test data.

The data is the same for any number of processes, apart from ids, hashes and times of day: what a person does
follows from the seed and the code. Only the assignment by ``station_blocks`` and quotas depend on earlier
visits, so people of one station stay in one process, and a study with a quota has one process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random
from shutil import rmtree

from negoplatform.app.rehearsal.rehearsal_people import PeopleModel
from negoplatform.app.rehearsal.simulated_person import SimulatedPerson, SimulatedVisit
from negoplatform.app.study.participant_code import KnownCode, rehearsal_codes
from negoplatform.app.study.study_data import REHEARSALS, StudyData
from negoplatform.app.study.study_folder import StudyFolder, load_study
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.held_files import retry_while_held

USUAL_STATIONS = 1
"""Number of stations of a study that names none."""

SAFE_PATH = "PYTHONSAFEPATH"
"""Environment variable with which Python does not put the working folder on the module search path."""


@dataclass(frozen=True, slots=True)
class ExpectedPerson:
    """Simulated person of a rehearsal before the visit.

    Args:
        code: The code.
        station: The computer at which the person sits.
        language: The language of the person.
    """

    code: str
    station: str
    language: str


def rehearse(
    folder: StudyFolder,
    data: StudyData,
    people: PeopleModel,
    *,
    participants: int,
    seed: int,
    report: Callable[[BaseException], object],
    jobs: int = 1,
) -> list[SimulatedVisit]:
    """Send simulated people through a study, and return the result of each, in the order of their codes.

    Args:
        folder: The study.
        data: A folder for test data; an earlier rehearsal there is removed.
        people: The kinds of people, and the effects that are planted.
        participants: Their number.
        seed: The seed of everything that they do.
        report: Called with errors of agents; further processes write them into the folder of crashes.
        jobs: Number of processes.

    Raises:
        NegoError: If the data folder is not one for test data, or the study cannot be played.
    """
    prepare_test_data(data)
    expected = expected_people(folder, participants)
    groups = divide(folder, expected, jobs)
    if len(groups) == 1:
        return [_visit(folder, data, people, person, seed=seed, report=report) for person in expected]
    found: dict[str, SimulatedVisit] = {}
    # A forked process of a program with threads may hang, so processes are spawned on every system.
    before = os.environ.get(SAFE_PATH)
    with (
        _safe_path("1"),
        ProcessPoolExecutor(len(groups), get_context("spawn"), _set_safe_path, (before,)) as pool,
    ):
        started = [
            pool.submit(
                _rehearse_group,
                folder.root,
                folder.data_dir,
                data,
                people.model_dump_json(by_alias=True),
                group,
                seed,
            )
            for group in groups
        ]
        try:
            for each in started:
                found |= {visit.code: visit for visit in each.result()}
        except BrokenProcessPool:
            raise NegoError(
                "A process of the rehearsal ended unexpectedly. Try again with --jobs 1."
            ) from None
    return [found[person.code] for person in expected]


@contextmanager
def _safe_path(value: str) -> Iterator[None]:
    """Keep processes that are spawned meanwhile from importing modules of the working folder."""
    before = os.environ.get(SAFE_PATH)
    _set_safe_path(value)
    try:
        yield
    finally:
        _set_safe_path(before)


def _set_safe_path(value: str | None) -> None:
    if value is None:
        os.environ.pop(SAFE_PATH, None)
    else:
        os.environ[SAFE_PATH] = value


def prepare_test_data(data: StudyData) -> None:
    """Remove an earlier rehearsal.

    Raises:
        NegoError: If the folder is not one for test data, holds real data, or cannot be removed.
    """
    if not data.is_test or data.root.parent.name != REHEARSALS:
        raise NegoError("A rehearsal makes test data, which has a folder of its own.")
    if not data.root.exists():
        return
    place = data.root.resolve()
    if place.parent.name != REHEARSALS or place.name != data.root.name:
        raise NegoError(f"{data.root} is a link to {place}, so nothing was replaced. Remove the link.")
    if (real := data.wrong_visit()) is not None:
        raise NegoError(
            f"{real} is not a test visit, so nothing was replaced in {data.root}. Move it away first."
        )
    try:
        retry_while_held(lambda: rmtree(data.root))
    except OSError as error:
        raise NegoError(f"{data.root} cannot be removed ({error.strerror}).") from None


def expected_people(folder: StudyFolder, participants: int) -> list[ExpectedPerson]:
    """Return the people of a rehearsal: the study's codes in order, with stations and languages in turn.

    Raises:
        NegoError: If the study has too few codes.
    """
    model = folder.study.model
    languages, stations = model.languages, model.design.stations or USUAL_STATIONS
    found = []
    for i, code in enumerate(rehearsal_codes(folder, participants)):
        row = folder.plan.get(code)
        planned = row.station if row is not None else ""
        found.append(
            ExpectedPerson(code, planned or f"pc{i % stations + 1:02}", languages[i % len(languages)])
        )
    return found


def divide(folder: StudyFolder, people: Sequence[ExpectedPerson], jobs: int) -> list[list[ExpectedPerson]]:
    """Return the people of each process; the module's docstring says who has to be in the same one."""
    design = folder.study.model.design
    if jobs <= 1 or design.quota is not None or getattr(sys, "frozen", False):
        return [list(people)]
    by_station = "station_blocks" in (design.assign, design.fallback)
    stations = list(dict.fromkeys(person.station for person in people))
    groups: list[list[ExpectedPerson]] = [[] for _ in range(min(jobs, len(people)))]
    for i, person in enumerate(people):
        groups[(stations.index(person.station) if by_station else i) % len(groups)].append(person)
    return [group for group in groups if group]


def _visit(
    folder: StudyFolder,
    data: StudyData,
    people: PeopleModel,
    person: ExpectedPerson,
    *,
    seed: int,
    report: Callable[[BaseException], object],
) -> SimulatedVisit:
    simulated = SimulatedPerson(folder, data, people, Random(f"{seed}/{person.code}"), report)
    columns = folder.codes.rows.get(person.code, {}) if folder.codes is not None else {}
    return simulated.visit(
        KnownCode(person.code, columns, ()), station=person.station, language=person.language
    )


def _rehearse_group(
    root: Path, data_dir: Path, data: StudyData, people: str, group: Sequence[ExpectedPerson], seed: int
) -> list[SimulatedVisit]:
    """Send some of the people through the study, in a process of its own."""
    folder, model = load_study(root, data_dir), PeopleModel.model_validate_json(people)
    report = CrashFolder(data_dir / "crashes").write
    return [_visit(folder, data, model, person, seed=seed, report=report) for person in group]
