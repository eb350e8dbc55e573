"""Folder of the data of a study: visits, sessions, places of the assignment, people who declined.

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

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from negoplatform.app.session.session_start import SESSIONS
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.eventlog.disk_calls import DISK
from negoplatform.eventlog.held_files import retry_while_held
from negoplatform.eventlog.reader import LONGEST_HEADER
from negoplatform.eventlog.visit_log import VISIT_LOG_NAME, VisitRecord, read_visit
from negoplatform.eventlog.writer import wall_clock
from negoplatform.formats.windows_file_names import is_device_name

STUDY_DATA, REHEARSALS = "study_data", "rehearsals"
VISITS, PLACES, PAYMENTS = "visits", "places", "payments"
DECLINED, FORGOTTEN = "declined.csv", "forgotten.csv"

MOST_PLACES = 1_000_000

CLAIM = "claim-"
"""Beginning of the name of a file that becomes a place."""

VISIT_ID_LENGTH = 12

NO_LINKS = {errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL, errno.EMLINK}
"""Errors of a file system without hard links."""


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
        """Yield the visits, in the order of their folders; for one that cannot be read, the reason.

        A test visit among data, and a visit among test data, count as visits that cannot be read. A log
        without a complete line is left out: the program was killed before the visit began.
        """
        for log in self._logs():
            record = self._record(log)
            if isinstance(record, VisitRecord) or has_begun(log):
                yield record

    def _logs(self) -> list[Path]:
        return visit_logs(self.visits)

    def _record(self, log: Path) -> VisitRecord | InputFileError:
        try:
            record = read_visit(log)
            self.check_belongs(record)
        except InputFileError as error:
            return error
        return record

    def check_belongs(self, record: VisitRecord) -> None:
        """Check that a visit is a test if this is test data, and only then.

        Raises:
            InputFileError: If it is not.
        """
        if record.header.is_test != self.is_test:
            what = "this visit is not a test" if self.is_test else "this visit is a test"
            place = "test data" if self.is_test else "data"
            raise InputFileError(record.path, "line 1", f"{what} and does not belong among {place}")

    def wrong_visit(self) -> Path | None:
        """Return the folder of a visit that does not belong here; None if there is none."""
        for log in self._logs():
            with suppress(InputFileError):
                if read_visit(log).header.is_test != self.is_test:
                    return log.parent
        return None

    def visits_of(self, code: str) -> list[VisitRecord]:
        """Return the visits with a code, whatever its capitals; those of other codes are not read."""
        start = f"{code}-".casefold()
        records = [self._record(log) for log in self._logs() if log.parent.name.casefold().startswith(start)]
        return [
            record
            for record in records
            if isinstance(record, VisitRecord) and record.header.code.casefold() == code.casefold()
        ]

    def damaged_visit_of(self, code: str) -> InputFileError | None:
        """Return the reason why a visit with a code cannot be read; None if there is no such visit.

        A log without a complete line does not count: the program was killed before the visit began.
        """
        for log in self._logs():
            start, _, visit = log.parent.name.rpartition("-")
            if start.casefold() == code.casefold() and len(visit) == VISIT_ID_LENGTH:
                record = self._record(log)
                if isinstance(record, InputFileError) and has_begun(log):
                    return record
        return None

    def claim_place(self, visit: str, station: str, stratum: str) -> int:
        """Return the place of a visit in its stratum: the one that it has, or else the first free one.

        The file of a place gets its name only after its content, the visit, is written: two programs never
        get the same place, and a program that is killed in between leaves no place without a visit.

        Raises:
            NegoError: If it cannot be written.
        """
        folder = self.root / PLACES / _folder_name(station) / _folder_name(stratum)
        claim = folder / f"{CLAIM}{visit}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            taken: set[int] = set()
            for path in folder.iterdir():
                if not path.name.isdecimal():
                    continue
                taken.add(int(path.name))
                if path.read_text(encoding="utf-8").strip() == visit:
                    return int(path.name)
            with claim.open("w", encoding="utf-8", newline="\n") as text:
                text.write(f"{visit}\n")
                text.flush()
                os.fsync(text.fileno())
            try:
                for place in range(MOST_PLACES):
                    if place not in taken and _link(claim, folder / f"{place:04}"):
                        DISK.sync_folder(folder)
                        return place
            finally:
                # The place has the same content, so another program may be reading it just now. A claim that
                # stays has no effect.
                with suppress(OSError):
                    retry_while_held(lambda: claim.unlink(missing_ok=True))
        except OSError as error:
            raise NegoError(f"{folder} cannot be written ({error.strerror}).") from None
        raise NegoError(f"{folder} holds too many places.")

    def give_back_place(self, visit: str) -> None:
        """Remove the place of a visit that did not begin, as far as the disk allows it."""
        with suppress(OSError):
            for path in (self.root / PLACES).glob("*/*/*"):
                if path.name.isdecimal() and path.read_text(encoding="utf-8").strip() == visit:
                    retry_while_held(path.unlink)

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


def visit_logs(visits: Path) -> list[Path]:
    """Return the logs in a folder of visits, in a fixed order.

    A hidden folder is none of them: it is what is left of a person whose deletion was cut off at its end.
    """
    return sorted(log for log in visits.glob(f"*/{VISIT_LOG_NAME}") if not log.parent.name.startswith("."))


def has_begun(log: Path) -> bool:
    """Return whether a visit has begun: its log has a complete line, or cannot be looked into."""
    try:
        with log.open("rb") as file:
            return file.readline(LONGEST_HEADER).endswith(b"\n") or bool(file.read(1))
    except OSError:
        return True


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


def _link(claim: Path, place: Path) -> bool:
    """Give a claim the name of a place; return whether the place was free."""
    try:
        os.link(claim, place)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
    else:
        return True
    # On a disk without links, such as a memory stick, the file gets its name first and its content
    # afterwards.
    try:
        file = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    except FileExistsError:
        return False
    with os.fdopen(file, "wb") as copy:
        copy.write(claim.read_bytes())
        copy.flush()
        os.fsync(copy.fileno())
    return True


def _folder_name(text: str) -> str:
    """Return the name of a station's or stratum's folder; different texts have different names everywhere."""
    if not text:
        return "all"
    plain = "".join(c for c in text.lower() if c.isascii() and (c.isalnum() or c in "-_"))[:40]
    if plain == text and text != "all" and not is_device_name(text):
        return text
    return f"{plain}-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def study_data(folder: StudyFolder, data_dir: Path, *, is_test: bool) -> StudyData:
    """Return the data of a study; test data is in a folder of its own."""
    return StudyData(data_dir / (REHEARSALS if is_test else STUDY_DATA) / folder.study.label, is_test)
