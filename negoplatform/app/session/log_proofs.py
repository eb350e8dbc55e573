"""Receipts: of each session that is over, a line that proves its log, in a file to be copied elsewhere."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from negoplatform.domain.errors import InputFileError
from negoplatform.eventlog.disk_calls import DISK
from negoplatform.eventlog.writer import wall_clock

RECEIPTS = "receipts.txt"
"""The file in the data folder."""

LAST_HASH = re.compile(r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{64}(?![0-9A-Fa-f])")
"""In such a line, or on a printed one."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What is kept of a session.

    Args:
        log: Its log.
        participant: The participant's code.
        events: How many events its log has.
        last_hash: The hash in the last line.
    """

    log: Path
    participant: str
    events: int
    last_hash: str


def append_receipt(data_dir: Path, receipt: Receipt) -> None:
    """Adds a line to the receipts; it is on the disk then. Nothing that stands there is ever changed.

    Raises:
        OSError: If it cannot be kept.
    """
    path = data_dir / RECEIPTS
    new = not path.exists()
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.open(path, flags, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "this is no file", str(path))
        line = _line(data_dir, receipt).encode("utf-8", "backslashreplace")
        # In one piece, as another program may add to it now; behind a line that a power cut tore.
        whole = line if _at_line_start(file) else b"\n" + line
        if os.write(file, whole) < len(whole):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        os.fsync(file)
    finally:
        os.close(file)
    if new:
        DISK.sync_folder(data_dir)


@dataclass(frozen=True, slots=True)
class ReceiptEntry:
    """What a line of the receipts says.

    Args:
        line: Its number, from 1.
        text: All of it.
        last_hash: The hash that was noted, in small letters.
    """

    line: int
    text: str
    last_hash: str


def read_receipts(path: Path) -> Iterator[ReceiptEntry]:
    """What was noted, line by line: receipts of many computers are often put together in one large file.

    Args:
        path: The file; a line without a hash is no receipt.

    Raises:
        FileProblem: If it cannot be read.
    """
    try:
        if path.exists() and not path.is_file():
            raise InputFileError(path, "", "this is no file but a folder or a device; name a file")
        with path.open(encoding="utf-8", errors="replace") as lines:
            for number, text in enumerate(lines, start=1):
                for noted in LAST_HASH.findall(text):
                    yield ReceiptEntry(number, text, noted.lower())
    except OSError as error:
        raise InputFileError(path, "", f"the file cannot be read ({error.strerror})") from None


def _line(data_dir: Path, receipt: Receipt) -> str:
    """Time, log, code, number of events and hash, with tabs between them."""
    try:
        # So it names no account, and fits the copy of the folder too.
        log = receipt.log.relative_to(data_dir).as_posix()
    except ValueError:
        log = str(receipt.log)
    fields = (wall_clock(), log, receipt.participant, f"{receipt.events} events", receipt.last_hash)
    return "\t".join(" ".join(field.split()) for field in fields) + "\n"


def _at_line_start(file: int) -> bool:
    if os.lseek(file, 0, os.SEEK_END) == 0:
        return True
    os.lseek(file, -1, os.SEEK_END)
    return os.read(file, 1) == b"\n"
