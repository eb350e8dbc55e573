"""Proofs of logs: a line for each finished session, in a file that is to be copied elsewhere."""

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

PROOFS_FILE = "receipts.txt"
"""Name of the file in the data folder."""

LAST_HASH = re.compile(r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{64}(?![0-9A-Fa-f])")
"""Hash in such a line, or in a printed one."""


@dataclass(frozen=True, slots=True)
class LogProof:
    """Proof of a session's log.

    Args:
        log: The log.
        participant: The participant's code.
        events: The number of its events.
        last_hash: The hash in its last line.
    """

    log: Path
    participant: str
    events: int
    last_hash: str


def append_proof(data_dir: Path, proof: LogProof) -> None:
    """Append a line to the proofs and sync it. Existing lines are never changed.

    Raises:
        OSError: If it cannot be written.
    """
    path = data_dir / PROOFS_FILE
    new = not path.exists()
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.open(path, flags, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "this is no file", str(path))
        line = _line(data_dir, proof).encode("utf-8", "backslashreplace")
        # In one write, as another program may append now; on a new line after one that a power cut tore.
        whole = line if _at_line_start(file) else b"\n" + line
        if os.write(file, whole) < len(whole):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        os.fsync(file)
    finally:
        os.close(file)
    if new:
        DISK.sync_folder(data_dir)


@dataclass(frozen=True, slots=True)
class ProofEntry:
    """Line of a file of proofs.

    Args:
        line: Its number, from 1.
        text: The whole line.
        last_hash: The hash in it, in small letters.
    """

    line: int
    text: str
    last_hash: str


def read_proofs(path: Path) -> Iterator[ProofEntry]:
    """Yield the proofs in a file line by line: those of many computers are often joined into one large file.

    Args:
        path: The file; a line without a hash is no proof.

    Raises:
        InputFileError: If it cannot be read.
    """
    try:
        if path.exists() and not path.is_file():
            raise InputFileError(path, "", "this is no file but a folder or a device; name a file")
        with path.open(encoding="utf-8", errors="replace") as lines:
            for number, text in enumerate(lines, start=1):
                for noted in LAST_HASH.findall(text):
                    yield ProofEntry(number, text, noted.lower())
    except OSError as error:
        raise InputFileError(path, "", f"the file cannot be read ({error.strerror})") from None


def _line(data_dir: Path, proof: LogProof) -> str:
    """Return time, log, code, number of events and hash, separated by tabs."""
    try:
        # A relative path contains no user name, and is valid in a copy of the folder.
        log = proof.log.relative_to(data_dir).as_posix()
    except ValueError:
        log = str(proof.log)
    fields = (wall_clock(), log, proof.participant, f"{proof.events} events", proof.last_hash)
    return "\t".join(" ".join(field.split()) for field in fields) + "\n"


def _at_line_start(file: int) -> bool:
    if os.lseek(file, 0, os.SEEK_END) == 0:
        return True
    os.lseek(file, -1, os.SEEK_END)
    return os.read(file, 1) == b"\n"
