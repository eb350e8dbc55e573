"""Search for everything about one person in a folder: visits, sessions, and files that name them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from negoplatform.app.session.session_start import SESSIONS
from negoplatform.app.study.collect import DIFFERING, study_roots
from negoplatform.app.study.collection_file import COLLECTION_FILE
from negoplatform.app.study.receipts import RECEIPTS
from negoplatform.app.study.study_archive import STUDIES
from negoplatform.app.study.study_data import PLACES, VISITS
from negoplatform.app.support.key_value_store import FILE_NAME
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.log_file_io import redirect_target
from negoplatform.eventlog.visit_log import VISIT_LOG_NAME
from negoplatform.study.assignment import withdrawal_code
from negoplatform.study.partners import partner_code

CRASH_FILE = re.compile(r"crash-.*\.txt")

LINE_FILES = frozenset({".csv", ".txt", ".html", ".tsv"})
"""Endings of files from which single lines, or records of a table, are removed."""

TABLES = frozenset({".csv", ".tsv"})
"""Endings of tables, whose first line has the names of the columns."""


@dataclass(frozen=True, slots=True)
class FoundVisit:
    """Visit of a person.

    Args:
        root: The folder of the study's data.
        folder: The folder of the visit.
        study: The name of the study.
        code: The participant's code.
        visit: The id of the visit; empty if its first line is damaged.
        withdrawal: The withdrawal code; empty if its first line is damaged.
        cell: The cell; empty before the assignment.
        sessions: The ids and the folders of its sessions.
        is_copy: Whether it is a differing copy, in addition to the one in use.
        is_test: Whether it is test data.
    """

    root: Path
    folder: Path
    study: str
    code: str
    visit: str
    withdrawal: str
    cell: str
    sessions: tuple[tuple[str, str], ...]
    is_copy: bool
    is_test: bool = False

    @property
    def names(self) -> set[str]:
        """Names that only this person has: those of the visit and its sessions, and the withdrawal code."""
        own = {self.visit, self.withdrawal, self.folder.name}
        return {name for name in own.union(*self.sessions) if name}


class FileTreatment(Enum):
    """Treatment of a file that names a person."""

    DELETE = "delete"
    LINES = "lines"
    STORE = "store"
    COLLECTION = "collection"
    PLACE = "place"
    UNKNOWN = "unknown"


@dataclass
class PersonFiles:
    """Data about one person in some folders.

    Args:
        visits: Their visits.
        folders: Folders of their sessions.
        files: Files that name them, with what is done with each.
        copies: Folders from which visits were collected, which may still have them.
    """

    visits: list[FoundVisit] = field(default_factory=list)
    folders: dict[Path, None] = field(default_factory=dict)
    files: dict[Path, FileTreatment] = field(default_factory=dict)
    copies: dict[str, None] = field(default_factory=dict)


class PersonNames:
    """Recognition of texts that name a person.

    Args:
        visits: The person's visits.
        others: The names of all other visits and sessions.
    """

    def __init__(self, visits: list[FoundVisit], others: set[str]) -> None:
        self._own = {name for visit in visits for name in visit.names}
        self._others = others - self._own
        own = {code for visit in visits for code in (visit.code, partner_code(visit.code))}
        codes = "|".join(re.escape(code) for code in sorted(own))
        self._code = re.compile(rf"(?<![\w-])(?:{codes})(?![\w-])", re.IGNORECASE)

    def own_in(self, text: str) -> bool:
        """Return whether a text contains a name that only this person has."""
        return any(name in text for name in self._own)

    def found_in(self, text: str) -> bool:
        """Return whether a text names the person.

        The code alone is enough unless the text also names a visit or a session of another person, because
        another study may have the same codes.
        """
        if self.own_in(text):
            return True
        return self._code.search(text) is not None and not any(name in text for name in self._others)


def find_visits(data: Path, who: str, study: str | None) -> tuple[list[FoundVisit], set[str]]:
    """Return the visits of a person, and the names of the visits and sessions of all others.

    Args:
        data: A folder, such as a data folder.
        who: The participant's code, or the withdrawal code.
        study: The name of the study; None: any.
    """
    found, others = [], set()
    for root in study_roots(data):
        for visit in _visits_in(root):
            is_meant = who.casefold() in (visit.code.casefold(), visit.withdrawal)
            if is_meant and study in (None, visit.study):
                found.append(visit)
            else:
                others |= visit.names
        others |= {path.name for path in (root / SESSIONS).glob("*/")}
    others |= {path.name for path in (data / SESSIONS).glob("*/")}
    return found, others


def _visits_in(root: Path) -> Iterator[FoundVisit]:
    for folder in [*sorted((root / VISITS).glob("*/")), *sorted((root / DIFFERING / VISITS).glob("*/"))]:
        log = folder / VISIT_LOG_NAME
        if not log.is_file():
            continue
        # Read line by line, without checking the hash chain: data can also be deleted if the log is damaged.
        lines = [_object(line) for line in log.read_bytes().splitlines()]
        header = lines[0] if lines and "visit" in lines[0] else {}
        code = str(header.get("code", folder.name.rpartition("-")[0]))
        seed = header.get("seed")
        cells = [event.get("cell") for event in lines if event.get("type") == "ASSIGNED"]
        sessions = [
            (str(event.get("session", "")), str(event.get("folder", "")))
            for event in lines
            if event.get("type") == "SESSION_OPENED"
        ]
        yield FoundVisit(
            root=root,
            folder=folder,
            study=str(header.get("study", root.name.partition("-")[0])),
            code=code,
            visit=str(header.get("visit", "")),
            withdrawal=withdrawal_code(seed, code) if isinstance(seed, int) else "",
            cell="-".join(str(level) for level in cells[0].values()) if cells and cells[0] else "",
            sessions=tuple(sessions),
            is_copy=folder.parent.parent.name == DIFFERING,
            is_test=header.get("is_test") is True,
        )


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def search_person(data: Path, names: PersonNames, found: PersonFiles) -> None:
    """Add everything in a folder that names a person, apart from the visits.

    Args:
        data: The folder.
        names: Recognises the person.
        found: What was found so far, with the visits.

    Raises:
        NegoError: If a file cannot be read.
    """
    roots = list(study_roots(data))
    logs = [folder for root in roots for folder in (root / SESSIONS, root / DIFFERING / SESSIONS)]
    skipped = {root / VISITS for root in roots} | {root / DIFFERING for root in roots} | set(logs)
    skipped |= {data / SESSIONS, data / STUDIES}
    for place in [*logs, data / SESSIONS]:
        for folder in sorted(place.glob("*/")):
            if _is_session_of(folder, names):
                found.folders[folder] = None
                further = redirect_target(folder / LOG_NAME)
                if further is not None and further.is_file() and _is_session_of(further.parent, names):
                    found.folders[further.parent] = None
    for path in _files(data, skipped):
        treatment = _treatment(path, names)
        if treatment is not None:
            found.files[path] = treatment


def _is_session_of(folder: Path, names: PersonNames) -> bool:
    """Return whether a session belongs to the person: by its folder, or by the visit in its first line."""
    if names.own_in(folder.name):
        return True
    log = folder / LOG_NAME
    if not log.is_file():
        return False
    with log.open("rb") as file:
        header = _object(file.readline())
    study = header.get("study")
    return isinstance(study, dict) and names.own_in(str(study.get("visit", "")))


def _files(folder: Path, skipped: set[Path]) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or path in skipped:
            continue
        if path.is_dir():
            yield from _files(path, skipped)
        elif path.is_file():
            yield path


def _treatment(path: Path, names: PersonNames) -> FileTreatment | None:
    """Return what is done with a file; None if it does not name the person."""
    if path.name in (f"{FILE_NAME}-wal", f"{FILE_NAME}-shm"):
        return None  # they are part of the store
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise NegoError(f"{path} cannot be read ({error.strerror}).") from None
    if path.name == FILE_NAME:
        return FileTreatment.STORE
    if names.own_in(path.name):
        return FileTreatment.DELETE
    if not _is_found(path, text, names):
        return None
    if path.name == COLLECTION_FILE:
        return FileTreatment.COLLECTION
    if PLACES in path.parts and text.strip() and names.own_in(text):
        return FileTreatment.PLACE
    is_damaged_store = path.name.startswith(f"{FILE_NAME}.damaged")
    if CRASH_FILE.fullmatch(path.name) or path.parent.name == RECEIPTS or is_damaged_store:
        return FileTreatment.DELETE
    return FileTreatment.LINES if path.suffix in LINE_FILES else FileTreatment.UNKNOWN


def _is_found(path: Path, text: str, names: PersonNames) -> bool:
    """Return whether a file names the person; of tables and lists, each record is checked by itself."""
    if path.suffix in LINE_FILES and not CRASH_FILE.fullmatch(path.name):
        return any(names.found_in(record) for record in records_of(path, text))
    return names.found_in(text)


def records_of(path: Path, text: str) -> Iterator[str]:
    """Yield the records of a file with their line breaks; records of tables may have more in cells."""
    # A table without a closing quote is damaged, and is read line by line.
    is_table = path.suffix in TABLES and text.count('"') % 2 == 0
    record = ""
    for line in _lines(text):
        record += line
        if not is_table or record.count('"') % 2 == 0:
            yield record
            record = ""


def _lines(text: str) -> Iterator[str]:
    r"""Yield lines that end with ``\n``: a table's other line breaks are parts of its cells."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end
