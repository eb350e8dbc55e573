"""Folder of the data of a study: visits, sessions, places of the assignment, counts of who declined.

study_data/NAME-VERSION/        data;  rehearsals/NAME-VERSION/ has the same for test visits
  visits/CODE-VISIT/visit.jsonl
  sessions/…/events.jsonl
  places/STATION/STRATUM/0007   holds the id of the visit that has this place
  declined.csv                  a line for each person who did not consent
  forgotten.csv                 a line for each person whose data was deleted
  collection.json               where the data came from, if it was collected
payments/NAME-VERSION/receipts/CODE.html
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from negoplatform.app.session.session_start import SESSIONS
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.eventlog.visit_log import VISIT_LOG_NAME, VisitRecord, read_visit
from negoplatform.eventlog.writer import wall_clock

STUDY_DATA, REHEARSALS = "study_data", "rehearsals"
VISITS, PLACES, PAYMENTS = "visits", "places", "payments"
DECLINED, FORGOTTEN = "declined.csv", "forgotten.csv"

MOST_PLACES = 1_000_000


@dataclass(frozen=True, slots=True)
class StudyData:
    """Data of one version of a study on this computer.

    Args:
        root: The folder.
        is_test: Whether it holds test data only.
    """

    root: Path
    is_test: bool

    @property
    def visits(self) -> Path:
        """Folder of the visits."""
        return self.root / VISITS

    @property
    def sessions(self) -> Path:
        """Folder of the sessions."""
        return self.root / SESSIONS

    @property
    def payments(self) -> Path:
        """Folder of the receipts, apart from the data; of a rehearsal, inside its folder."""
        return self.root / PAYMENTS if self.is_test else self.root.parent.parent / PAYMENTS / self.root.name

    def visit_folder(self, code: str, visit: str) -> Path:
        """Return the folder of a visit."""
        return self.visits / f"{code}-{visit}"

    def records(self) -> Iterator[VisitRecord | InputFileError]:
        """Yield the visits, in the order of their folders; for one that cannot be read, the reason."""
        yield from (_record(log) for log in sorted(self.visits.glob(f"*/{VISIT_LOG_NAME}")))

    def visits_of(self, code: str) -> list[VisitRecord]:
        """Return the visits with a code, whatever its capitals; those of other codes are not read."""
        start = f"{code}-".casefold()
        logs = sorted(self.visits.glob(f"*/{VISIT_LOG_NAME}"))
        records = [_record(log) for log in logs if log.parent.name.casefold().startswith(start)]
        return [
            record
            for record in records
            if isinstance(record, VisitRecord) and record.header.code.casefold() == code.casefold()
        ]

    def claim_place(self, visit: str, station: str, stratum: str) -> int:
        """Return the place of a visit in its stratum: the one that it has, or else the first free one.

        Claiming is one exclusive creation of a file, so two windows never get the same place.

        Raises:
            NegoError: If it cannot be written.
        """
        folder = self.root / PLACES / (station or "all") / (stratum or "all")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for path in folder.iterdir():
                if path.read_text(encoding="utf-8").strip() == visit:
                    return int(path.name)
            for place in range(MOST_PLACES):
                try:
                    file = os.open(folder / f"{place:04}", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
                except FileExistsError:
                    continue
                with os.fdopen(file, "w", encoding="utf-8") as text:
                    text.write(f"{visit}\n")
                    text.flush()
                    os.fsync(text.fileno())
                return place
        except OSError as error:
            raise NegoError(f"{folder} cannot be written ({error.strerror}).") from None
        raise NegoError(f"{folder} holds too many places.")

    def count_declined(self) -> None:
        """Add a line about a person who did not consent: the date, and nothing about the person.

        Raises:
            NegoError: If it cannot be written.
        """
        path = self.root / DECLINED
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            new = not path.exists()
            with path.open("a", encoding="utf-8", newline="") as file:
                file.write(("date\r\n" if new else "") + f"{wall_clock()[:10]}\r\n")
        except OSError as error:
            raise NegoError(f"{path} cannot be written ({error.strerror}).") from None


def read_days(path: Path) -> list[str]:
    """Return the first column of a table of days without its heading; nothing if there is no such file.

    Raises:
        NegoError: If it cannot be read.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    except (OSError, ValueError) as error:
        raise NegoError(f"{path} cannot be read ({error}).") from None
    return [line.partition(",")[0] for line in lines[1:] if line.strip()]


def write_days(path: Path, days: Iterable[str]) -> None:
    """Write a table of days, replacing it.

    Raises:
        NegoError: If it cannot be written.
    """
    text = "".join(f"{line}\r\n" for line in ("date", *days))
    atomic_write(path, text.encode("utf-8"), replace=True)


def _record(log: Path) -> VisitRecord | InputFileError:
    try:
        return read_visit(log)
    except InputFileError as error:
        return error


def study_data(folder: StudyFolder, data_dir: Path, *, is_test: bool) -> StudyData:
    """Return the data of a study; test data is in a folder of its own."""
    return StudyData(data_dir / (REHEARSALS if is_test else STUDY_DATA) / folder.study.label, is_test)
