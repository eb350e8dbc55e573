"""Studies of this computer: their places, their progress, and the programs in their folders."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from negoplatform.app.catalogue.trust import open_trust
from negoplatform.app.study.study_archive import STUDIES
from negoplatform.app.study.study_data import STUDY_DATA, VISITS, StudyData, visit_logs
from negoplatform.app.study.study_folder import STUDY_FILE, StudyFolder, load_study, study_files
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.eventlog.file_lock import is_being_written
from negoplatform.eventlog.visit_log import VisitRecord, read_visit
from negoplatform.formats.strict_json import StrictModel, parse_json, read_text, validate_json
from negoplatform.plugins.code_file_trust_hash import CodeFile, agent_code_file
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.study.stages import CallStage
from negoplatform.study.study_file import cell_name
from negoplatform.study.visit_events import Assigned, VisitEnded, VisitHeader

STATION_FILE = "station.json"
STATION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")

MOST_FOLDERS = 30
"""Maximum number of opened folders that are stored."""


class StationModel(StrictModel):
    """Stored facts about this computer: its name, and the folders of studies that were opened on it."""

    station: str = ""
    folders: Annotated[list[str], Field(max_length=MOST_FOLDERS)] = Field(default_factory=list)


def read_station(data_dir: Path) -> StationModel:
    """Return the stored facts about this computer; its default name is its network name."""
    path = data_dir / STATION_FILE
    found = StationModel()
    try:
        text = read_text(path)
        parse_json(text, path)
        found = validate_json(StationModel, text, path)
    except NegoError:
        pass  # none yet, or not readable: the network name serves, and the next start writes it again
    if STATION.fullmatch(found.station):
        return found
    usual = re.sub(r"[^A-Za-z0-9_-]", "-", platform.node().split(".")[0]).strip("-_")[:40]
    return found.model_copy(update={"station": usual or "computer"})


def write_station(data_dir: Path, found: StationModel) -> None:
    """Store the facts about this computer.

    Raises:
        NegoError: If they cannot be written.
    """
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NegoError(f"{data_dir} cannot be written ({error.strerror}).") from None
    text = json.dumps(found.model_dump(), indent=2, ensure_ascii=False) + "\n"
    atomic_write(data_dir / STATION_FILE, text.encode("utf-8", "replace"), replace=True)


def keep_station(data_dir: Path, name: str) -> str:
    """Store the name of this computer, and return it without surrounding spaces.

    Raises:
        NegoError: If it is not a valid name, or cannot be written.
    """
    name, stored = check_station(name), read_station(data_dir)
    if stored.station != name or not (data_dir / STATION_FILE).exists():
        write_station(data_dir, stored.model_copy(update={"station": name}))
    return name


def check_station(name: str) -> str:
    """Return the name of a computer without surrounding spaces.

    Raises:
        NegoError: If it is not a valid name.
    """
    name = name.strip()
    if not STATION.fullmatch(name):
        raise NegoError("The name of a computer has 1 to 40 letters, digits, - or _, such as pc03.")
    return name


def remember_folder(data_dir: Path, root: Path) -> None:
    """Remember a folder that was opened, so that its study is listed.

    Raises:
        NegoError: If that cannot be written.
    """
    found, name = read_station(data_dir), str(root.resolve())
    if root.resolve().parent == (data_dir / STUDIES).resolve() or found.folders[:1] == [name]:
        return
    folders = [name, *(other for other in found.folders if other != name)][:MOST_FOLDERS]
    write_station(data_dir, found.model_copy(update={"folders": folders}))


@dataclass(frozen=True, slots=True)
class ListedStudy:
    """Study in the list.

    Args:
        root: Its folder.
        folder: The study; None if it cannot be read.
        problem: Why it cannot be read; empty if it can.
        untrusted: Its programs that are not trusted on this computer yet.
    """

    root: Path
    folder: StudyFolder | None
    problem: str = ""
    untrusted: tuple[CodeFile, ...] = ()


@dataclass(frozen=True, slots=True)
class CellCount:
    """Number of participants of a cell on this computer.

    Args:
        cell: The name of the cell.
        finished: The number of visits that were finished.
        begun: The number of visits with this cell, finished or not.
    """

    cell: str
    finished: int
    begun: int


@dataclass(frozen=True, slots=True)
class UnfinishedVisit:
    """Visit without an end, which no running program is writing.

    Args:
        path: Its log.
        header: Its first line.
        last_utc: The time of its last event.
        step: The step that was entered last; empty if none was.
    """

    path: Path
    header: VisitHeader
    last_utc: str
    step: str


def list_studies(data_dir: Path, report: Callable[[str], object]) -> list[ListedStudy]:
    """Return the studies of the user's folder, the program and the opened folders, in this order.

    Args:
        data_dir: The user's folder.
        report: Called with a sentence if it is not known which files are trusted.
    """
    opened = [Path(name) for name in read_station(data_dir).folders]
    roots = [*_folders_in(data_dir / STUDIES), *opened, *_folders_in(bundled(STUDIES))]
    unique = {root.resolve(): root for root in reversed(roots) if (root / STUDY_FILE).is_file()}
    listed = [_listed(root, data_dir, report) for root in reversed(unique.values())]
    return [one for one in listed if not _is_installed_copy(one, listed)]


def _is_installed_copy(one: ListedStudy, listed: Sequence[ListedStudy]) -> bool:
    """Return whether a study of the program is listed as an installed one too, with the same content."""
    shipped = bundled(STUDIES).resolve()
    if one.folder is None or one.root.resolve().parent != shipped:
        return False
    return any(
        other.folder is not None
        and other.root.resolve().parent != shipped
        and (other.folder.study.label, other.folder.study.sha256)
        == (one.folder.study.label, one.folder.study.sha256)
        for other in listed
    )


def _folders_in(place: Path) -> list[Path]:
    return sorted(path.parent for path in place.glob(f"*/{STUDY_FILE}") if path.parent.name[:1] != ".")


def _listed(root: Path, data_dir: Path, report: Callable[[str], object]) -> ListedStudy:
    try:
        folder = load_study(root, data_dir)
        return ListedStudy(root, folder, untrusted=untrusted_files(folder, report))
    except NegoError as error:
        return ListedStudy(root, None, str(error))


def untrusted_files(folder: StudyFolder, report: Callable[[str], object]) -> tuple[CodeFile, ...]:
    """Return the programs in a study's folder that are not trusted on this computer yet.

    These are all files of Python, and programs that the study calls. The program's own studies are trusted.

    Raises:
        InputFileError: If a file cannot be read.
    """
    if bundled(STUDIES).resolve() in folder.root.resolve().parents:
        return ()
    called = {
        (folder.root / stage.program[0]).resolve()
        for stage in folder.study.model.all_stages()
        if isinstance(stage, CallStage) and stage.program is not None
    }
    files = [
        # Their commands for trying a study run agents inside the program.
        agent_code_file(path, in_program=True)
        for path in study_files(folder.root)
        if path.suffix.lower() in (".py", ".pyw") or path.resolve() in called
    ]
    if not files:
        return ()
    with open_trust(folder.data_dir, report) as trust:
        return tuple(file for file in files if not trust.is_trusted(file))


def trust_files(data_dir: Path, files: Iterable[CodeFile], report: Callable[[str], object]) -> None:
    """Trust programs of a study from now on.

    Raises:
        NegoError: If one has changed since it was shown.
    """
    with open_trust(data_dir, report) as trust:
        for file in files:
            trust.add(file)


def cell_counts(folder: StudyFolder, data: StudyData) -> list[CellCount]:
    """Return the participants of each cell; logs that cannot be read are left out."""
    begun = dict.fromkeys((cell_name(cell) for cell in folder.study.model.cells()), 0)
    finished = dict(begun)
    for record in data.records():
        cell = None if isinstance(record, InputFileError) else _cell_of(record)
        if cell is None or cell not in begun:
            continue
        begun[cell] += 1
        finished[cell] += _how(record) == "finished"
    return [CellCount(name, finished[name], begun[name]) for name in begun]


def _cell_of(record: VisitRecord) -> str | None:
    return next((cell_name(event.cell) for event in record.events if isinstance(event, Assigned)), None)


def _how(record: VisitRecord | InputFileError) -> str | None:
    if isinstance(record, InputFileError):
        return None
    return next((event.how for event in record.events if isinstance(event, VisitEnded)), None)


def unfinished_visits(data_dir: Path) -> list[UnfinishedVisit]:
    """Return the visits that were interrupted, newest first; logs that cannot be read are left out.

    Tests are left out too; they can go on with their code.
    """
    found = [
        _unfinished(log)
        for visits in (data_dir / STUDY_DATA).glob(f"*/{VISITS}")
        for log in visit_logs(visits)
    ]
    return sorted((one for one in found if one is not None), key=lambda one: one.last_utc, reverse=True)


def _unfinished(log: Path) -> UnfinishedVisit | None:
    try:
        record = read_visit(log)
    except InputFileError:
        return None
    if not record.events or _how(record) is not None or is_being_written(log):
        return None
    steps = [event.step for event in record.events if event.type == "STAGE_ENTERED"]
    return UnfinishedVisit(log, record.header, record.events[-1].t_utc, (steps or [""])[-1])


def study_of(visit: UnfinishedVisit, studies: Sequence[ListedStudy]) -> ListedStudy | None:
    """Return the study of a visit, exactly as it was; None if it is not here."""
    return next(
        (one for one in studies if one.folder is not None and one.folder.study.sha256 == visit.header.sha256),
        None,
    )
