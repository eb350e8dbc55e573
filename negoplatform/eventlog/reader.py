"""Strict reader of log files, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import BinaryIO

from negoplatform.core.events import Event
from negoplatform.domain.errors import InputFileError
from negoplatform.eventlog.disk_calls import LOG_NAME, open_regular
from negoplatform.eventlog.hash_chain import extract_hash, strip_verified_hash
from negoplatform.eventlog.log_file_io import redirect_target
from negoplatform.formats.events import decode_event, encode_event
from negoplatform.formats.log_header import Header, check_schema, decode_header
from negoplatform.formats.strict_json import LOG_LIMITS, parse_json

LONGEST_HEADER = 4_000_000
"""Bytes of a first line; a game file has at most a quarter of it."""

LONGEST_LINE = 1_000_000
"""Bytes of any other line. Longer ones are refused and not read to their end."""

HASH_MISMATCH = (
    "its hash does not fit what is before it, so something was changed, added, removed or moved here "
    "or just above"
)


@dataclass(frozen=True, slots=True)
class SessionLog:
    """Content of a log.

    Args:
        path: The file.
        header: Its first line.
        events: The events, in order, seq 1, 2, 3 … (an exported log may have gaps).
        times: Wall-clock time of each event.
    """

    path: Path
    header: Header
    events: tuple[Event, ...]
    times: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ValidPrefix(SessionLog):
    """The sound lines of a log, from its first to its last or to the first damaged one.

    Args:
        length: Their length in bytes.
        last_hash: The hash in the last of them.
        torn_bytes: Bytes behind them that are a last line cut off.
        problem: The fault of the line behind them, unless it is only cut off.
    """

    length: int = 0
    last_hash: str = ""
    torn_bytes: int = 0
    problem: InputFileError | None = None

    @property
    def lines(self) -> int:
        """Number of lines, with the header."""
        return len(self.events) + 1


def log_file(path: Path) -> Path:
    """Return the log file for a path that is the file or its folder.

    Raises:
        InputFileError: If there is none.
    """
    try:
        if path.is_dir():
            path = path / LOG_NAME
        there = path.is_file()
    except OSError as error:
        raise InputFileError(path, "", f"the log cannot be read ({error.strerror})") from None
    if not there:
        further = redirect_target(path)
        why = (
            "there is no such session log"
            if further is None
            else f"the log is not here; it goes on in {further}"
        )
        raise InputFileError(path, "", why)
    return path


def read_log(path: Path) -> SessionLog:
    """Return the log in a file or a session's folder.

    Raises:
        InputFileError: With the line and the reason, if any part of it is not sound.
    """
    part = read_whole_part(path)
    if part.torn_bytes:
        raise InputFileError(
            part.path,
            f"line {part.lines + 1}",
            "this last line is cut off; the lines before it are whole, and negoplatform log repair sets "
            "the rest aside",
        )
    return SessionLog(part.path, part.header, part.events, part.times)


def read_whole_part(path: Path) -> ValidPrefix:
    """Return the complete lines of a log, of which only the last may be cut off, as a crash leaves it.

    Raises:
        InputFileError: With the line and the reason, if any other part of it is not sound.
    """
    part = read_sound_part(path)
    if part.problem is not None:
        raise part.problem
    return part


def read_sound_part(path: Path) -> ValidPrefix:
    """Return the lines of a log up to the first damaged one.

    Raises:
        InputFileError: If not even its first line is sound.
    """
    path = log_file(path)
    try:
        with open_regular(path) as file:
            return scan(file, path)
    except OSError as error:
        raise InputFileError(path, "", f"the log cannot be read ({error.strerror})") from None


def scan(file: BinaryIO, path: Path) -> ValidPrefix:
    """Return the sound part of an open log; see :func:`read_sound_part`."""
    lines = _LineReader(file, path)
    header = lines.header()
    events: list[Event] = []
    times: list[str] = []
    part = ValidPrefix(path, header, (), ())
    try:
        for where, line in lines.bodies():
            event, at = decode_event(line, path, where)
            _check_order(event, events[-1] if events else None, header, path, where)
            events.append(event)
            times.append(at)
            lines.accept_line()
    except InputFileError as problem:
        part = replace(part, problem=problem)
    return replace(
        part,
        events=tuple(events),
        times=tuple(times),
        length=lines.length,
        last_hash=lines.last_hash,
        torn_bytes=lines.torn_bytes,
    )


class _LineReader:
    """Lines of an open log, each checked against the chain and returned without its hash.

    Args:
        file: The log.
        path: Its path, for error messages.
    """

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file = file
        self._path = path
        self._running = sha256()
        self._line = b""
        self.length = 0
        self.last_hash = ""
        self.torn_bytes = 0

    def header(self) -> Header:
        """Return the first line, which has to be complete."""
        line = self._file.readline(LONGEST_HEADER + 1)
        if len(line) > LONGEST_HEADER:
            raise InputFileError(self._path, "line 1", "it is too long to be the first line of a session log")
        if not line:
            raise InputFileError(
                self._path,
                "line 1",
                "the file is empty: the program was ended before it wrote the first line, or this was cut",
            )
        if not line.endswith(b"\n"):
            raise InputFileError(
                self._path, "line 1", "this first line is cut off, so there is no session in this log"
            )
        check_schema(line, self._path)
        header = decode_header(self._body(line, "line 1"), self._path)
        self.accept_line()
        return header

    def bodies(self) -> Iterator[tuple[str, bytes]]:
        """Yield the other lines with their positions, up to one that is cut off at the end."""
        for number in count(2):
            line = self._file.readline(LONGEST_LINE + 1)
            if not line:
                return
            where = f"line {number}"
            if len(line) > LONGEST_LINE:
                raise InputFileError(self._path, where, "it is too long to be a line of a session log")
            if not line.endswith(b"\n"):
                self.torn_bytes = len(line)
                return
            yield where, self._body(line, where)

    def accept_line(self) -> None:
        """Count the line that was returned last among the sound ones."""
        self.length += len(self._line)
        self.last_hash = extract_hash(self._line)

    def _body(self, line: bytes, where: str) -> bytes:
        self._line = line
        body = strip_verified_hash(line, self._running)
        if body is None:
            raise InputFileError(self._path, where, HASH_MISMATCH)
        return body


def _check_order(event: Event, previous: Event | None, header: Header, path: Path, where: str) -> None:
    seq, t = (previous.seq, previous.t) if previous else (0, 0.0)
    in_order = event.seq == seq + 1 if header.view == "complete" else event.seq > seq
    if not in_order:
        raise InputFileError(path, where, f"event {event.seq} is in the place of event {seq + 1}")
    if event.t < t:
        raise InputFileError(path, where, f"its time, {event.t:g} s, is before the event above it, {t:g} s")


def is_readable(line: bytes) -> bool:
    """Return whether a reader would accept a line, as far as that depends on its size."""
    nested = line.count(b"{") + line.count(b"[")
    if nested <= LOG_LIMITS.max_depth and len(line) <= LOG_LIMITS.max_keys:
        return True  # nearly always, and quick to check
    try:
        parse_json(line, "the line", limits=LOG_LIMITS)
    except InputFileError:
        return False
    return True


LINE_FRAME = 200
"""Bytes of a line, at most, that are not the event's: its wall-clock time and its hash."""


def fits_a_line(event: Event) -> bool:
    """Return whether a log can hold an event."""
    line = encode_event(event, "")
    return len(line) <= LONGEST_LINE - LINE_FRAME and is_readable(line)
