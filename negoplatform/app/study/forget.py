"""Deletion of everything about one person except a line with the date and the cell.

The logs of the person's visits determine what is deleted, so they are deleted last: an interrupted deletion
can be run again and finds the rest. The logs of other people do not change, because every visit and every
session has a hash chain of its own.

1. Sessions, receipts, crash files; lines of proofs, tables and lists; entries of the store.
2. The line in ``forgotten.csv``, once: the visit's folder contains its random number until it is deleted.
3. The visits: each folder is renamed, so that its name no longer has the code, and then deleted.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from secrets import token_hex

from negoplatform.app.study.collect import study_roots
from negoplatform.app.study.collection_file import read_collection, visit_fingerprint, write_collection
from negoplatform.app.study.person_search import (
    TABLES,
    FileTreatment,
    FoundVisit,
    PersonFiles,
    PersonNames,
    find_visits,
    records_of,
    search_person,
)
from negoplatform.app.study.receipts import SIGNATURES_FILE, with_new_totals
from negoplatform.app.study.study_data import FORGOTTEN, VISITS
from negoplatform.app.support.key_value_store import KeyValueStore
from negoplatform.domain.errors import LogWriteError, NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.eventlog.disk_calls import DISK
from negoplatform.eventlog.held_files import retry_while_held
from negoplatform.eventlog.log_file_io import LogFile
from negoplatform.eventlog.visit_log import VISIT_LOG_NAME
from negoplatform.eventlog.writer import wall_clock
from negoplatform.study.partners import PARTNER_SUFFIX

TOMBSTONE = "forgetting"
"""File in the folder of a visit that is being deleted: the number of its line in ``forgotten.csv``."""

RENAMED = ".forgotten-"
"""Beginning of the name of such a folder once it has been renamed."""

FORGOTTEN_PLACE = "forgotten\n"
"""Content of a place whose visit was deleted, so that the place is not assigned again."""

HEADINGS = "date,cell,number\r\n"


@dataclass(frozen=True)
class Forgetting:
    """Deletion that was prepared.

    Args:
        found: What is to be deleted.
        names: Recognises texts that name the person.
    """

    found: PersonFiles
    names: PersonNames

    def lines(self) -> Iterator[str]:
        """Yield what is to be deleted, as sentences."""
        for visit in self.found.visits:
            kept = "a copy of the visit" if visit.is_copy else "the visit"
            if visit.is_test:
                kept = "the simulated or tried-out visit (test data)"
            yield f"delete {kept} {visit.folder} with {len(visit.sessions)} session(s)"
        yield from (f"delete the session {folder}" for folder in self.found.folders)
        for path, treatment in self.found.files.items():
            match treatment:
                case FileTreatment.DELETE:
                    yield f"delete {path}"
                case FileTreatment.LINES:
                    yield f"delete {len(self._records(path))} line(s) of {path}"
                case FileTreatment.STORE:
                    entries = len(_entries(path, self.names))
                    if entries:
                        yield f"delete {entries} entr{'y' if entries == 1 else 'ies'} of {path}"
                case FileTreatment.COLLECTION:
                    yield f"delete the visit from {path}"
                case FileTreatment.PLACE:
                    yield f"keep the place {path}, without the visit that it was given to"
                case FileTreatment.UNKNOWN:
                    yield f"NOT delete {path}, which names the person; check it yourself"

    @property
    def left_over(self) -> list[Path]:
        """Files that name the person and are not changed."""
        return [path for path, what in self.found.files.items() if what is FileTreatment.UNKNOWN]

    @property
    def copies(self) -> list[str]:
        """Folders from which the visits were collected, and in which copies of them are still there."""
        names = {visit.folder.name for visit in self.found.visits}
        return [
            path
            for path in self.found.copies
            if any((root / VISITS / name).exists() for root in study_roots(Path(path)) for name in names)
        ]

    def _records(self, path: Path) -> list[str]:
        records = list(records_of(path, _text(path)))
        if path.suffix in TABLES:
            records = records[1:]
        return [record for record in records if self.names.found_in(record)]

    def carry_out(self) -> None:
        """Delete everything.

        Raises:
            NegoError: If a visit is being written, or something cannot be deleted; then it can be run again.
        """
        for visit in self.found.visits:
            _ensure_not_written(visit)
        try:
            self._carry_out()
        except OSError as error:
            raise NegoError(
                f"{error.filename} cannot be deleted ({error.strerror}). Run the command again."
            ) from None

    def _carry_out(self) -> None:
        numbers = {visit.folder: _number_of(visit) for visit in self.found.visits}
        for folder in self.found.folders:
            retry_while_held(partial(shutil.rmtree, folder))
        for path, treatment in self.found.files.items():
            self._treat(path, treatment)
        for visit in self.found.visits:
            if not visit.is_copy:
                _write_tombstone(visit, numbers[visit.folder])
        for visit in self.found.visits:
            renamed = visit.root / VISITS / f"{RENAMED}{numbers[visit.folder]}"
            retry_while_held(partial(visit.folder.rename, renamed))
            retry_while_held(partial(shutil.rmtree, renamed))
            DISK.sync_folder(renamed.parent)

    def _treat(self, path: Path, treatment: FileTreatment) -> None:
        match treatment:
            case FileTreatment.DELETE:
                retry_while_held(path.unlink)
            case FileTreatment.LINES:
                gone = set(self._records(path))
                rest = "".join(record for record in records_of(path, _text(path)) if record not in gone)
                _replace(path, with_new_totals(rest) if path.name == SIGNATURES_FILE else rest)
            case FileTreatment.PLACE:
                _replace(path, FORGOTTEN_PLACE)
            case FileTreatment.COLLECTION:
                _forget_in_collection(path, self.names)
            case FileTreatment.STORE:
                keys = _entries(path, self.names)
                if keys:
                    _erase(path, keys)
            case FileTreatment.UNKNOWN:
                pass


def prepare_forgetting(folders: Sequence[Path], who: str, study: str | None = None) -> Forgetting:
    """Return what is to be deleted about a person; nothing is changed.

    Args:
        folders: Data folders, collections, or folders of exported tables.
        who: The participant's code, or the withdrawal code.
        study: The name of the study; None if only one study has such a visit.

    Raises:
        NegoError: If there is no such visit, or several studies have one.
    """
    found, others = PersonFiles(), set()
    if not who.strip():
        raise NegoError("Name the code or the withdrawal code of the person.")
    for folder in folders:
        _finish_renamed(folder)
        visits, names = find_visits(folder, who.strip(), study)
        found.visits += visits
        others |= names
    if not found.visits:
        where = ", ".join(str(folder) for folder in folders)
        if who.strip().casefold().endswith(PARTNER_SUFFIX):
            first = who.strip()[: -len(PARTNER_SUFFIX)]
            raise NegoError(
                f"{who.strip()} is a second person, whose games are parts of the participant's visit; name "
                f"{first} to delete them together."
            )
        raise NegoError(f"There is no visit with this code or withdrawal code in {where}.")
    studies = sorted({visit.study for visit in found.visits})
    if len(studies) > 1:
        raise NegoError(f"The studies {' and '.join(studies)} have this code; name one with --study.")
    person = PersonNames(found.visits, others)
    for folder in folders:
        search_person(folder, person, found)
    for visit in found.visits:
        content = read_collection(visit.root)
        for entry in content.visits if content is not None else ():
            if person.own_in(entry.folder):
                outside = [path for path in entry.sources if not _is_in(Path(path), folders)]
                found.copies |= dict.fromkeys(outside)
    return Forgetting(found, person)


def _is_in(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.resolve().is_relative_to(folder.resolve()) for folder in folders)


def _finish_renamed(folder: Path) -> None:
    """Delete renamed folders that an interrupted deletion has left."""
    for root in study_roots(folder):
        for renamed in (root / VISITS).glob(f"{RENAMED}*"):
            shutil.rmtree(renamed)


def _ensure_not_written(visit: FoundVisit) -> None:
    try:
        LogFile.open(visit.folder / VISIT_LOG_NAME, disk=DISK).close()
    except LogWriteError as error:
        raise NegoError(f"The visit {visit.visit} cannot be deleted now: {error}") from None


def _number_of(visit: FoundVisit) -> str:
    """Return the random number of a visit's line in ``forgotten.csv``; the visit's folder keeps it."""
    path = visit.folder / TOMBSTONE
    if not path.is_file():
        atomic_write(path, token_hex(8).encode(), private=True)
    return path.read_text(encoding="utf-8").strip()


def _write_tombstone(visit: FoundVisit, number: str) -> None:
    """Add a line with the date and the cell, and nothing about the person, unless it is there already."""
    path = visit.root / FORGOTTEN
    text = _text(path) if path.is_file() else HEADINGS
    if number not in text:
        _replace(path, f"{text}{wall_clock()[:10]},{visit.cell},{number}\r\n")


def _forget_in_collection(path: Path, names: PersonNames) -> None:
    content = read_collection(path.parent)
    if content is None:
        return
    visits = [
        entry for entry in content.visits if not names.own_in(entry.folder) and not names.own_in(entry.visit)
    ]
    findings = [finding for finding in content.findings if not names.found_in(finding.get("text", ""))]
    gone = {visit_fingerprint(entry.visit) for entry in content.visits if entry not in visits and entry.visit}
    forgotten = sorted({*content.forgotten, *gone})
    update = {"visits": visits, "findings": findings, "forgotten": forgotten}
    write_collection(path.parent, content.model_copy(update=update))


def _entries(path: Path, names: PersonNames) -> list[str]:
    """Return the keys of a store's entries that name the person."""
    with KeyValueStore(path, lambda _sentence: None) as store:
        return [key for key, text in store.read_all().items() if names.found_in(f"{key} {text}")]


def _erase(path: Path, keys: list[str]) -> None:
    sentences: list[str] = []
    with KeyValueStore(path, sentences.append) as store:
        if not store.erase(keys):
            why = f": {sentences[0]}" if sentences else ""
            raise NegoError(f"{path} is in use; close the program on this computer and run it again{why}")


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def _replace(path: Path, text: str) -> None:
    atomic_write(path, text.encode("utf-8", "surrogateescape"), private=True, replace=True)
