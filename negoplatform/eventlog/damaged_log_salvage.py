"""Salvage of the valid part of a damaged log, as a new log."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from negoplatform.domain.errors import InputFileError
from negoplatform.eventlog.reader import SessionLog, read_sound_part
from negoplatform.eventlog.replay import steps


@dataclass(frozen=True, slots=True)
class SalvagedLog:
    """The valid lines of a log: their bytes are intact, and the rules allow their events.

    Args:
        path: The log.
        data: Its first lines, byte for byte; because each hash covers only the bytes above it, they are a
            sound log.
        lines: Their number, with the header.
        bytes_left_out: Bytes behind them.
        problem: The fault there; None if there is none, or if only the last line is cut off.
    """

    path: Path
    data: bytes
    lines: int
    bytes_left_out: int
    problem: InputFileError | None


def salvage(path: Path) -> SalvagedLog:
    """Return the valid part of a log, or of the log in a session's folder.

    Raises:
        InputFileError: If there is none.
    """
    part = read_sound_part(path)
    lines, against_rules = _count_valid_lines(part)
    try:
        whole = part.path.read_bytes()
    except OSError as error:
        raise InputFileError(part.path, "", f"the log cannot be read ({error.strerror})") from None
    data = b"".join(line + b"\n" for line in whole[: part.length].split(b"\n")[:lines])
    return SalvagedLog(part.path, data, lines, len(whole) - len(data), against_rules or part.problem)


def _count_valid_lines(log: SessionLog) -> tuple[int, InputFileError | None]:
    """Return the number of lines that the rules allow, and the fault of the next."""
    lines = 1
    try:
        for _ in steps(log):
            lines += 1
    except InputFileError as problem:
        return lines, problem
    return lines, None
