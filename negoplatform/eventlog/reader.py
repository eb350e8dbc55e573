"""Reading a log: strictly, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from negoplatform.core.events import Event
from negoplatform.domain.errors import FileProblem
from negoplatform.eventlog.writer import LOG_NAME
from negoplatform.formats.events import decode_event
from negoplatform.formats.header import Header, decode_header


@dataclass(frozen=True, slots=True)
class SessionLog:
    """What a log holds.

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


def log_file(path: Path) -> Path:
    """The log file that a person means by naming it, or its folder.

    Raises:
        FileProblem: If there is none.
    """
    if path.is_dir():
        path = path / LOG_NAME
    if not path.is_file():
        raise FileProblem(path, "", "there is no such session log")
    return path


def read_log(path: Path) -> SessionLog:
    """The log in a file or a session's folder.

    Raises:
        FileProblem: With the line and the reason, if anything in it is not sound.
    """
    path = log_file(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileProblem(path, "", f"the log cannot be read ({error.strerror})") from None
    lines = data.split(b"\n")
    if lines[-1]:
        raise FileProblem(
            path, f"line {len(lines)}", "this last line is cut off; the lines before it are whole"
        )
    header = decode_header(lines[0], path)
    events, times = [], []
    previous: Event | None = None
    for number, line in enumerate(lines[1:-1], start=2):
        where = f"line {number}"
        event, at = decode_event(line, path, where)
        _check_order(event, previous, header, path, where)
        events.append(event)
        times.append(at)
        previous = event
    return SessionLog(path, header, tuple(events), tuple(times))


def _check_order(event: Event, previous: Event | None, header: Header, path: Path, where: str) -> None:
    seq, t = (previous.seq, previous.t) if previous else (0, 0.0)
    in_order = event.seq == seq + 1 if header.view == "complete" else event.seq > seq
    if not in_order:
        raise FileProblem(path, where, f"event {event.seq} stands where event {seq + 1} belongs")
    if event.t < t:
        raise FileProblem(path, where, f"its time, {event.t:g} s, is before the event above it, {t:g} s")
