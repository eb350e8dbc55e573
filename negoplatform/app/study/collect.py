"""Collection: the data of studies from several computers in one folder.

Sources are only read. A visit or session that is in the collection already is not copied again; a longer
version of the same log replaces the copy; a different log is kept in the folder ``differing``. A collection
can therefore be repeated at any time, with the same or other sources.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

from negoplatform.app.session.session_start import SESSIONS
from negoplatform.app.study.collection_check import (
    CollectionFinding,
    CollectionFindingKind,
    check_collection,
    decision,
    note,
)
from negoplatform.app.study.collection_file import (
    CollectionModel,
    CollectionSource,
    CollectionVisit,
    read_collection,
    visit_fingerprint,
    write_collection,
)
from negoplatform.app.study.study_data import (
    DECLINED,
    FORGOTTEN,
    REHEARSALS,
    STUDY_DATA,
    VISITS,
    read_days,
    visit_logs,
    write_days,
)
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.held_files import retry_while_held
from negoplatform.eventlog.log_file_io import redirect_target
from negoplatform.eventlog.visit_log import VISIT_LOG_NAME, VisitRecord, read_visit
from negoplatform.eventlog.writer import wall_clock
from negoplatform.study.visit_events import SessionOpened

DIFFERING = "differing"
"""Folder of visits and sessions that differ from others with the same name."""

LABEL = re.compile(r"[\w+.-]*\w")
"""Name and version of a study, which become the name of a folder."""

DEEPEST_SOURCE = 4
"""Maximum depth at which the data of a study is searched for in a given folder."""


@dataclass
class CollectedStudy:
    """Data of one version of a study, as it is collected.

    Args:
        root: Its folder in the collection.
        content: The content of its ``collection.json``.
        findings: What was found.
        visits: Number of visits that were copied.
        sessions: Number of sessions that were copied.
        tests: Number of visits that were left out, because they are test data.
        left_out: Sources with visits that were left out, because the person was forgotten here.
    """

    root: Path
    content: CollectionModel
    findings: list[CollectionFinding] = field(default_factory=list)
    visits: int = 0
    sessions: int = 0
    tests: int = 0
    left_out: set[Path] = field(default_factory=set)

    @property
    def needs_decision(self) -> bool:
        """Whether a finding needs a decision."""
        return any(one.kind is CollectionFindingKind.DECISION for one in self.findings)


def collect(sources: Iterable[Path], into: Path, study: StudyFolder | None = None) -> list[CollectedStudy]:
    """Copy the data of studies into one folder, and check it.

    Args:
        sources: Data folders, folders of one study's data, or folders of such folders.
        into: The folder of the collection, which becomes a data folder.
        study: The study, to compare the visits with; None: only the checks for all studies are made.

    Raises:
        NegoError: If there is no data in a source, or something cannot be read or written.
    """
    found: dict[str, CollectedStudy] = {}
    for source in sources:
        roots = [root for root in study_roots(source) if not _is_inside(root, into / STUDY_DATA)]
        if not roots:
            raise NegoError(f"There is no data of a study in {source}; name a data folder.")
        for root in roots:
            try:
                _collect_root(root, into, found)
            except OSError as error:
                place = error.filename or into
                raise NegoError(f"{place} cannot be read or written ({error.strerror}).") from None
    for label, one in sorted(found.items()):
        _finish(one, study if study is not None and study.study.label == label else None)
    _name_versions(found, into)
    for one in found.values():
        one.content = one.content.model_copy(
            update={"findings": [{"kind": f.kind.value, "text": f.text} for f in one.findings]}
        )
        write_collection(one.root, one.content)
    return [found[label] for label in sorted(found)]


def study_roots(source: Path, deepest: int = DEEPEST_SOURCE) -> Iterator[Path]:
    """Yield the folders with the data of one study each, in a folder or that folder itself."""
    if (source / VISITS).is_dir() or (source / DECLINED).is_file():
        yield source
    elif deepest and source.is_dir():
        for path in sorted(source.iterdir()):
            if path.is_dir() and not path.is_symlink() and not path.name.startswith("."):
                yield from study_roots(path, deepest - 1)


def _is_inside(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


def _collect_root(root: Path, into: Path, found: dict[str, CollectedStudy]) -> None:
    """Copy the data in one folder of a source."""
    is_test = root.resolve().parent.name == REHEARSALS
    touched: dict[str, list[VisitRecord]] = {root.name: []}
    left_out: set[str] = set()
    for log in visit_logs(root / VISITS):
        folder = log.parent
        if not log.is_file() or folder.is_symlink():
            continue
        try:
            record: VisitRecord | None = read_visit(log)
        except InputFileError:
            record = None  # it is copied as it is; the check of the collection reports it
        label = root.name if record is None else f"{record.header.study}-{record.header.version}"
        if not LABEL.fullmatch(label):
            raise InputFileError(log, "line 1", "this is not the name and version of a study")
        one = _study_named(found, label, into)
        if is_test or (record is not None and record.header.is_test):
            one.tests += 1
            continue
        if record is not None and visit_fingerprint(record.header.visit) in one.content.forgotten:
            left_out |= {event.folder for event in record.events if isinstance(event, SessionOpened)}
            one.left_out.add(root)
            continue
        touched.setdefault(label, [])
        if record is not None:
            touched[label].append(record)
        one.visits += _copy(one, folder, VISITS, VISIT_LOG_NAME)
        _note_visit(one, folder, record, root)
    if is_test:
        return
    labels = [label for label, records in touched.items() if records] or [root.name]
    # Sessions belong to the study of the visits next to them: a folder contains one version of a study.
    one = _study_named(found, labels[0], into)
    for folder in sorted((root / SESSIONS).glob("*/")):
        if not folder.is_symlink() and folder.name not in left_out:
            one.sessions += _copy(one, _current_folder(folder), SESSIONS, LOG_NAME, name=folder.name)
    _note_source(one, root, touched.get(labels[0], []))


def _study_named(found: dict[str, CollectedStudy], label: str, into: Path) -> CollectedStudy:
    if label not in found:
        root = into / STUDY_DATA / label
        content = read_collection(root) or CollectionModel.model_validate(
            {"schema": "negoplatform.collection/1", "study": label, "collected_at": wall_clock()}
        )
        found[label] = CollectedStudy(root, content.model_copy(update={"collected_at": wall_clock()}))
        for half in root.glob(".*.part"):
            shutil.rmtree(half)
    return found[label]


def _current_folder(folder: Path) -> Path:
    """Return the folder of a session's log, which is another one if the log was continued there."""
    further = redirect_target(folder / LOG_NAME)
    return folder if further is None or not further.is_file() else further.parent


def _copy(one: CollectedStudy, folder: Path, kind: str, log: str, *, name: str = "") -> bool:
    """Copy a visit or a session unless it is there already; return whether it is new or longer."""
    target = one.root / kind / (name or folder.name)
    data = _content(folder / log)
    if not target.exists():
        _copy_folder(one.root, folder, target)
        return True
    known = _content(target / log)
    if known == data or _goes_on(known, data):
        return False
    if _goes_on(data, known):
        _copy_folder(one.root, folder, target)
        return True
    aside = one.root / DIFFERING / kind / f"{target.name}-{sha256(data).hexdigest()[:8]}"
    if not aside.exists():
        _copy_folder(one.root, folder, aside)
    one.findings.append(
        decision(
            f"The {kind.removesuffix('s')} in {folder} differs from the one in {target}; both are kept, this "
            f"one in {aside}. Decide which is right, and delete the other."
        )
    )
    return False


def _content(log: Path) -> bytes:
    return log.read_bytes() if log.is_file() else b""


def _goes_on(data: bytes, known: bytes) -> bool:
    """Return whether a log has all complete lines of another one, and further lines."""
    complete = known[: known.rfind(b"\n") + 1]
    return len(data) > len(complete) and data.startswith(complete)


def _copy_folder(root: Path, folder: Path, target: Path) -> None:
    """Copy a folder's files so that the copy is either complete or absent."""
    half = root / f".{uuid4().hex}.part"
    half.mkdir(parents=True)
    try:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                copy = half / path.relative_to(folder)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            retry_while_held(lambda: shutil.rmtree(target))
        retry_while_held(lambda: half.rename(target))
    finally:
        shutil.rmtree(half, ignore_errors=True)


def _note_visit(one: CollectedStudy, folder: Path, record: VisitRecord | None, root: Path) -> None:
    """Enter a visit and its source into the collection."""
    visits = {entry.folder: entry for entry in one.content.visits}
    source = str(root.resolve())
    entry = visits.get(folder.name)
    sources = [] if entry is None else entry.sources
    if sources and source not in sources:
        one.findings.append(note(f"The visit {folder.name} is in {sources[0]} and in {source}."))
    visits[folder.name] = CollectionVisit(
        folder=folder.name,
        visit="" if record is None else record.header.visit,
        code=folder.name.rpartition("-")[0] if record is None else record.header.code,
        station="" if record is None else record.header.station,
        sources=sources if source in sources else [*sources, source],
    )
    one.content = one.content.model_copy(update={"visits": [visits[name] for name in sorted(visits)]})


def _note_source(one: CollectedStudy, root: Path, records: list[VisitRecord]) -> None:
    """Enter a source with its counts of people who declined, and of people whose data was deleted there."""
    path = str(root.resolve())
    stations = sorted({record.header.station for record in records if record.header.station})
    fresh = CollectionSource(
        path=path, stations=stations, declined=read_days(root / DECLINED), collected_at=wall_clock()
    )
    # The same stick or share may contain another computer's data next time, under the same path.
    others = [
        known
        for known in one.content.sources
        if known.path != path or (known.stations and stations and not set(known.stations) & set(stations))
    ]
    one.content = one.content.model_copy(update={"sources": [*others, fresh]})
    one.root.mkdir(parents=True, exist_ok=True)
    forgotten = read_days(root / FORGOTTEN)
    if forgotten:
        here = {record.header.visit for record in records}
        gone = [
            entry
            for entry in one.content.visits
            if path in entry.sources
            and entry.visit not in here
            # Without visits, the source is still the one in which they were; nobody else's data is there.
            and (not stations or entry.station in stations)
        ]
        one.findings += [
            decision(
                f"The visit {entry.visit} is no longer in {path}, where the data of "
                f"{len(forgotten)} people was deleted; delete it here too if the person withdrew."
            )
            for entry in gone
        ]


def _finish(one: CollectedStudy, study: StudyFolder | None) -> None:
    """Write the counts of a collection, and check it."""
    days = sorted(day for source in one.content.sources for day in source.declined)
    if days:
        write_days(one.root / DECLINED, days)
    one.findings += [
        decision(
            f"A person who was forgotten here has a visit in {root}, which is left out; forget it there too."
        )
        for root in sorted(one.left_out)
    ]
    if one.tests:
        one.findings.append(note(f"Test visits left out: {one.tests}."))
    one.findings += check_collection(one.root / VISITS, one.root / SESSIONS, study)
    for path in sorted((one.root / DIFFERING).glob("*/*/")):
        if not any(str(path) in finding.text for finding in one.findings):
            one.findings.append(decision(f"{path} differs from the copy in use; delete one of them."))


def _name_versions(found: dict[str, CollectedStudy], into: Path) -> None:
    """Report studies with several versions in the collection."""
    there = sorted(path.name for path in (into / STUDY_DATA).glob("*/") if (path / VISITS).is_dir())
    by_name: dict[str, list[str]] = {}
    for label in there:
        by_name.setdefault(label.partition("-")[0], []).append(label)
    for name, labels in by_name.items():
        for label in labels:
            if len(labels) > 1 and label in found:
                versions = ", ".join(label.removeprefix(f"{name}-") for label in labels)
                found[label].findings.append(
                    decision(
                        f"There are several versions of {name}: {versions}; they are exported separately."
                    )
                )
