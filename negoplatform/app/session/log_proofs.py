"""Proofs of logs: a line for each finished session, in a file that is to be copied elsewhere."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath

from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.eventlog.disk_calls import DISK, Disk, open_regular
from negoplatform.eventlog.failover import original_name
from negoplatform.eventlog.log_file_io import read_redirect
from negoplatform.eventlog.reader import ValidPrefix
from negoplatform.eventlog.writer import wall_clock

PROOFS_FILE = "proofs.txt"
"""Name of the file in the data folder."""

OLD_PROOFS_FILE = "receipts.txt"
"""Earlier name of that file. It is read too, and not written any more."""

LAST_HASH = re.compile(r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{64}(?![0-9A-Fa-f])")
"""Hash in such a line, or in a printed one."""

FOLDERS_SEARCHED = 5
"""Number of folders above a log in which proofs are looked for; the third is usually the data folder."""

LONGEST_PROOF = 20_000
"""Bytes of a line, at most; the rest of a longer one is read as further lines with the same number."""

LARGEST_PROOFS = 100_000_000
"""Bytes of a file of proofs, at most: those of half a million sessions."""

_EVENTS = re.compile(r"([0-9]{1,9}) events")


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


def append_proof(data_dir: Path, proof: LogProof, *, disk: Disk = DISK) -> None:
    """Append a line to the proofs and sync it. Existing lines are never changed.

    Raises:
        OSError: If it cannot be written.
    """
    path = data_dir / PROOFS_FILE
    new = not path.exists()
    file = disk.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0))
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "this is no file", str(path))
        line = _line(data_dir, proof).encode("utf-8", "backslashreplace")
        # In one write, as another program may append now; on a new line after one that a power cut tore.
        whole = line if _at_line_start(file) else b"\n" + line
        if disk.write(file, whole) < len(whole):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        disk.fsync(file)
    finally:
        os.close(file)
    if new:
        disk.sync_folder(data_dir)


@dataclass(frozen=True, slots=True)
class ProofEntry:
    """Line of a file of proofs.

    Args:
        file: The file.
        line: Its number, from 1.
        text: The whole line.
        last_hash: The hash in it, in small letters.
        log: The log as the line names it; empty if a person has written the line.
        events: The number of events in it; None if a person has written the line.
    """

    file: Path
    line: int
    text: str
    last_hash: str
    log: str = ""
    events: int | None = None

    @property
    def place(self) -> Path | None:
        """Path of the log next to the file of proofs; None if the line has none."""
        return self.file.parent / self.log if self.log else None

    def __str__(self) -> str:
        return f"{self.file} at line {self.line}"


def read_proofs(path: Path) -> Iterator[ProofEntry]:
    """Yield the proofs in a file line by line: those of many computers are often joined into one large file.

    Args:
        path: The file; a line without a hash is no proof.

    Raises:
        InputFileError: If it cannot be read, or is larger than any such file.
    """
    number = 1
    try:
        if path.exists() and not path.is_file():
            raise InputFileError(path, "", "this is no file but a folder or a device; name a file")
        with open_regular(path) as file:
            if os.fstat(file.fileno()).st_size > LARGEST_PROOFS:
                raise InputFileError(path, "", "it is too large to hold proofs only; name another file")
            while data := file.readline(LONGEST_PROOF):
                text = data.decode("utf-8", "replace")
                fields = text.rstrip("\n").split("\t")
                events = _EVENTS.fullmatch(fields[3]) if len(fields) == 5 else None
                # A path with a zero byte is none.
                is_named = events is not None and "\0" not in fields[1]
                log, count = (fields[1], int(events[1])) if is_named and events else ("", None)
                for noted in LAST_HASH.findall(text):
                    yield ProofEntry(path, number, text, noted.lower(), log, count)
                number += data.endswith(b"\n")
    except OSError as error:
        raise InputFileError(path, "", f"the file cannot be read ({error.strerror})") from None


def proof_files(log: Path, data_dir: Path | None) -> list[Path]:
    """Return the files of proofs that may name a log: in the folders above it, and in the user's folder."""
    folders = [
        *log.absolute().parents[:FOLDERS_SEARCHED],
        *Path(os.path.realpath(log)).parents[:FOLDERS_SEARCHED],
    ]
    if data_dir is not None:
        folders.append(data_dir.absolute())
    return [
        file
        for folder in dict.fromkeys(folders)
        for name in (PROOFS_FILE, OLD_PROOFS_FILE)
        if os.path.lexists(file := folder / name)
    ]


class LogProofs:
    """Proofs by which logs are checked.

    Args:
        entries: The lines of one or more files.
    """

    def __init__(self, entries: Iterable[ProofEntry] = ()) -> None:
        self.entries = tuple(entries)
        self._by_hash: dict[str, list[ProofEntry]] = defaultdict(list)
        self._by_name: dict[str, list[ProofEntry]] = defaultdict(list)
        for entry in self.entries:
            self._by_hash[entry.last_hash].append(entry)
            if entry.log:
                self._by_name[_last_part(_folder_name(entry.log))].append(entry)

    @classmethod
    def of_data_folder(cls, data_dir: Path) -> LogProofs:
        """Return the proofs of a data folder; what cannot be read of them stops no session."""
        entries: list[ProofEntry] = []
        for name in (PROOFS_FILE, OLD_PROOFS_FILE):
            with suppress(InputFileError):
                entries += read_proofs(data_dir / name)
        return cls(entries)

    def check(self, part: ValidPrefix) -> ProofEntry | None:
        """Return the proof that a log still is as it was when its session ended; None if there is none.

        Raises:
            InputFileError: If a proof names the log, and contains another hash.
        """
        named = self.naming(part)
        for entry in named:
            if entry.last_hash != part.last_hash:
                raise InputFileError(part.path, "", _mismatch(part, entry))
        proofs = named or self._by_hash.get(part.last_hash)
        return proofs[0] if proofs else None

    def check_unfinished(self, part: ValidPrefix) -> None:
        """Check that no proof says that a session without an end had ended.

        Raises:
            NegoError: If one does.
        """
        for entry in self.naming(part):
            raise NegoError(
                f"{part.path}: this session had ended, and {_mismatch(part, entry)}; it cannot go on: put "
                "the log back as it was."
            )

    def naming(self, part: ValidPrefix) -> list[ProofEntry]:
        """Return the proofs that name a log: by its place, by its folder's name, or by its session's id.

        A log that goes on elsewhere is named by its place only: the proof is that of the other.
        """
        name, session_id = part.path.absolute().parent.name, part.header.session_id
        near = [*self._by_name.get(_last_part(name), ()), *self._by_name.get(_last_part(session_id), ())]
        place, has_moved = os.path.realpath(part.path), read_redirect(part.path) is not None
        return [
            entry
            for entry in dict.fromkeys(near)
            if (entry.place is not None and os.path.realpath(entry.place) == place)
            or (not has_moved and _names_session(entry, name, session_id))
        ]


def _names_session(entry: ProofEntry, folder: str, session_id: str) -> bool:
    named = _folder_name(entry.log)
    is_relative = not PurePath(entry.log).is_absolute()
    return (is_relative and named == folder) or f"-{original_name(named)}".endswith(f"-{session_id}")


def _folder_name(log: str) -> str:
    """Return the name of a log's folder, in the notation of any system."""
    return (["", *re.split(r"[/\\]", log)])[-2]


def _last_part(name: str) -> str:
    return original_name(name).rpartition("-")[2]


def _mismatch(part: ValidPrefix, entry: ProofEntry) -> str:
    """Return why a log does not fit the proof that names it."""
    here, then = len(part.events), entry.events
    if then is not None and here != then:
        what = "lines are missing at its end" if here < then else "lines were added at its end"
        return f"{entry} notes {then:,} events for it, and it has {here:,}, so {what}, or it is another log"
    return (
        f"{entry} notes another last hash for it, so it was changed and its hashes were recomputed, or it "
        "is another log"
    )


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
