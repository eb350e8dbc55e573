"""Log of a visit: one file, hash-chained like a session's log, with its own events.

Every line is on the disk when its event takes effect: the events of a visit are few, and each is a decision.
Events that follow from one another are written with one sync, and all of them are refused if that fails.
If another program has changed the file, all lines are written to a new file of the same name.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from negoplatform.domain.errors import InputFileError, LogWriteError, NegoError
from negoplatform.eventlog.disk_calls import DISK, Disk, open_regular
from negoplatform.eventlog.hash_chain import RollingHash, add_hash, extract_hash, strip_verified_hash
from negoplatform.eventlog.log_file_io import LogFile
from negoplatform.eventlog.reader import LONGEST_HEADER
from negoplatform.eventlog.recovery import save_torn_end
from negoplatform.study.study import Study
from negoplatform.study.visit_events import (
    AnyVisitEvent,
    VisitHeader,
    decode_visit_event,
    decode_visit_header,
    encode_visit_line,
)
from negoplatform.study.visit_state import VisitState, fold_visit, initial_visit

VISIT_LOG_NAME = "visit.jsonl"

LARGEST_VISIT_LOG = 50_000_000
"""Maximum size of a visit's log in bytes."""


@dataclass(frozen=True, slots=True)
class VisitRecord:
    """Content of a visit's log.

    Args:
        path: The file.
        header: Its first line.
        events: Its events.
        last_hash: The hash of its last complete line.
        torn_bytes: The number of bytes of a torn last line.
    """

    path: Path
    header: VisitHeader
    events: tuple[AnyVisitEvent, ...]
    last_hash: str
    torn_bytes: int = 0


class VisitLog:
    """Writer of a visit's log.

    Args:
        file: The open file.
        running: The hash of all bytes so far.
    """

    def __init__(self, file: LogFile, running: RollingHash) -> None:
        self._file = file
        self._running = running
        self._damage: LogWriteError | None = None
        self._closed = False

    @classmethod
    def create(
        cls, folder: Path, header: VisitHeader, *, durable: bool = True, disk: Disk = DISK
    ) -> VisitLog:
        """Create a log in a new folder.

        Raises:
            LogWriteError: If the folder exists or cannot be written.
        """
        line, running = add_hash(encode_visit_line(header), sha256())
        file = LogFile.create(folder, line, durable=durable, disk=disk, name=VISIT_LOG_NAME)
        log = cls(file, running)
        log.durable = durable
        return log

    durable = True
    """Whether each line is on the disk before its event takes effect."""

    @classmethod
    def resume(cls, path: Path, *, disk: Disk = DISK) -> tuple[VisitLog, VisitRecord]:
        """Open a log for continuing it; a torn last line is set aside in a file next to it.

        Raises:
            InputFileError: If the log is damaged; then it is not changed.
            LogWriteError: If it is being written, or cannot be.
        """
        file = LogFile.open(path, disk=disk)
        try:
            record, running = _parse(file.contents(), path)
            if record.torn_bytes:
                length = file.length - record.torn_bytes
                save_torn_end(file.contents(length), path, disk)
                file.truncate(length)
        except BaseException:
            file.close()
            raise
        return cls(file, running), record

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    def write(self, *events: AnyVisitEvent) -> None:
        """Write events with one sync; all of them are on the disk on return.

        Raises:
            LogWriteError: If they could not be written; then no part of them stays.
        """
        lines, running = b"", self._running
        for event in events:
            line, running = add_hash(encode_visit_line(event), running)
            lines += line
        try:
            self._append(lines)
        except LogWriteError as error:
            if not self._file.lost:
                raise
            self._recreate(error)
            self._append(lines)
        self._running = running

    def close(self) -> None:
        """Compare the file with what was written, and close it; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            self._file.check(whole=True)
        except LogWriteError as error:
            # If even that fails, the damaged file stays, and is refused when the visit is to be resumed.
            with suppress(LogWriteError):
                self._recreate(error)
        finally:
            self._file.close()

    def take_damage(self) -> LogWriteError | None:
        """Return how the file was last found to be changed, once; None if it was not."""
        found, self._damage = self._damage, None
        return found

    def _append(self, lines: bytes) -> None:
        self._file.append(lines)
        if self.durable:
            try:
                self._file.flush()
            except NegoError:
                self._file.undo_append(len(lines))
                raise

    def _recreate(self, error: LogWriteError) -> None:
        self._file = self._file.recreate()
        self._damage = error


def read_visit(path: Path) -> VisitRecord:
    """Return the content of a visit's log, or of the log in a visit's folder.

    Raises:
        InputFileError: If it cannot be read or is damaged; a torn last line is left out.
    """
    if path.is_dir():
        path = path / VISIT_LOG_NAME
    try:
        with open_regular(path) as file:
            data = file.read(LARGEST_VISIT_LOG + 1)
    except OSError as error:
        raise InputFileError(path, "", f"the log cannot be read ({error.strerror})") from None
    if len(data) > LARGEST_VISIT_LOG:
        raise InputFileError(path, "", "the log is too large for a visit")
    return _parse(data, path)[0]


def _parse(data: bytes, path: Path) -> tuple[VisitRecord, RollingHash]:
    running: RollingHash = sha256()
    header: VisitHeader | None = None
    events: list[AnyVisitEvent] = []
    last_hash, end = "", 0
    for number, line in enumerate(BytesIO(data), start=1):
        where = f"line {number}"
        if not line.endswith(b"\n"):
            break
        if number == 1 and len(line) > LONGEST_HEADER:
            raise InputFileError(path, where, "this is no log of a visit")
        plain = strip_verified_hash(line, running)
        if plain is None:
            reason = "this line, or one before it, was changed after it was written (its hash does not match)"
            raise InputFileError(path, where, reason)
        if header is None:
            header = decode_visit_header(plain, path)
        else:
            events.append(decode_visit_event(plain, path, where))
        last_hash, end = extract_hash(line), end + len(line)
    if header is None:
        raise InputFileError(path, "line 1", "there is no complete line in this log")
    return VisitRecord(path, header, tuple(events), last_hash, len(data) - end), running


def replay_visit(study: Study, record: VisitRecord) -> VisitState:
    """Return the state at the end of a visit's log.

    Raises:
        InputFileError: If the log belongs to another study, or an event cannot follow.
    """
    if record.header.sha256 != study.sha256:
        raise InputFileError(
            record.path,
            "line 1",
            f"this visit belongs to another version of the study ({record.header.sha256[:8]}… there, "
            f"{study.sha256[:8]}… here)",
        )
    state = initial_visit(study, record.header)
    for number, event in enumerate(record.events, start=2):
        try:
            state = fold_visit(state, event)
        except NegoError as error:
            raise InputFileError(record.path, f"line {number}", str(error).rstrip(".")) from None
    return state
