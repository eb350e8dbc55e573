"""The good part of a damaged log, as a new log of its own."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from negoplatform.domain.errors import FileProblem, NegoError
from negoplatform.eventlog.disk import DISK
from negoplatform.eventlog.reader import SessionLog, read_sound_part
from negoplatform.eventlog.replay import steps


@dataclass(frozen=True, slots=True)
class CleanPart:
    """What of a log is beyond doubt: the bytes are as they should be, and it could have happened so.

    Args:
        path: The log.
        data: Its first lines, byte for byte; because each hash covers only what stands above it, they are
            a sound log.
        lines: How many they are, with the header.
        bytes_left_out: How many bytes stand behind them.
        problem: What is wrong there; None if nothing is, or if only the last line is cut off.
    """

    path: Path
    data: bytes
    lines: int
    bytes_left_out: int
    problem: FileProblem | None


def clean_part(path: Path) -> CleanPart:
    """The good part of a log, or of the log in a session's folder.

    Raises:
        FileProblem: If there is none.
    """
    part = read_sound_part(path)
    lines, against_rules = _lawful_lines(part)
    try:
        whole = part.path.read_bytes()
    except OSError as error:
        raise FileProblem(part.path, "", f"the log cannot be read ({error.strerror})") from None
    data = b"".join(line + b"\n" for line in whole[: part.length].split(b"\n")[:lines])
    return CleanPart(part.path, data, lines, len(whole) - len(data), against_rules or part.problem)


def _lawful_lines(log: SessionLog) -> tuple[int, FileProblem | None]:
    """How many lines the rules allow, and why not the next."""
    lines = 1
    try:
        for _ in steps(log):
            lines += 1
    except FileProblem as problem:
        return lines, problem
    return lines, None


def write_whole(path: Path, data: bytes) -> None:
    """Writes a new file that is there in full, and on the disk, or not at all.

    Raises:
        NegoError: If it is there already, or cannot be written.
    """
    half = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        # For its owner alone, like the log: it holds everybody's preferences.
        with os.fdopen(DISK.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
            file.write(data)
            file.flush()
            DISK.fsync(file.fileno())
        _name(half, path)
        DISK.sync_folder(path.parent)
    except FileExistsError:
        raise NegoError(f"{path} is there already; name a new file.") from None
    except OSError as error:
        raise NegoError(f"{path} cannot be written ({error.strerror}).") from None
    finally:
        with contextlib.suppress(OSError):
            half.unlink()


def _name(half: Path, path: Path) -> None:
    """Gives a finished file its name, unless there is something of that name."""
    try:
        # A link does not replace what is there; renaming does, on most systems.
        path.hardlink_to(half)
    except FileExistsError:
        raise
    except OSError:
        if path.exists() or path.is_symlink():
            raise FileExistsError from None
        half.rename(path)
