"""P2: decisions survive a power cut; a disk whose n-th write or sync fails costs nothing at all."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import NoReturn

from negoplatform.core.events import Event, EventType
from negoplatform.domain.errors import FileProblem, LogFailed
from negoplatform.eventlog.disk import LOG_NAME, Disk
from negoplatform.eventlog.guard import GuardedLog
from negoplatform.eventlog.reader import read_log, read_sound_part
from negoplatform.eventlog.replay import replay
from negoplatform.eventlog.writer import LogWriter
from tests.eventlog.logs import header_for
from tests.torture.playing import Players, endless_game
from tests.torture.rows import Row, Tally

CUTS = 600
"""Power cuts at random moments."""

ACTS = 40
"""Acts of a session on a disk whose n-th call fails; each of its calls fails once in every way."""

DECISIONS = frozenset(
    {
        EventType.GAME_START,
        EventType.SEND_OFFER,
        EventType.FORMAL_ACCEPT,
        EventType.FORMAL_QUIT,
        EventType.GAME_END,
        EventType.RESUMED,
    }
)
"""What must not be lost, by the promise and not by the code; and with each all that was written before it."""


class Left(StrEnum):
    """What a power cut leaves of what was not synced."""

    NOTHING = "nothing"
    A_PART = "a part"
    ZEROS = "zeros"
    LATER_BYTES = "zeros, and bytes behind them"


class PowerCut(BaseException):
    """The program ends in the middle of a call of the system."""


def run(scale: float) -> Row:
    """Cuts the power at random moments; then lets every single call fail."""
    tally, random = Tally(), Random("P2")
    endless_game()
    cuts = max(20, round(CUTS * scale))
    for number in range(cuts):
        with tempfile.TemporaryDirectory() as folder, tally.trying(f"power cut {number}"):
            _cut_power(Path(folder), list(Left)[number % len(Left)], random, tally)
    failures = tally.runs
    for call in ("write", "fsync"):
        every = 1 if scale >= 1 else max(1, round(ACTS * 2 * (0.2 / scale) / 20))
        for way in Way:
            _fail_each(call, way, every, random, tally)
    tally.remarks.append(
        f"{cuts} power cuts, and {tally.runs - failures} sessions in which one write or sync failed, each "
        "with a fallback folder, without one but with room again, and given up."
    )
    return tally.row("P2", "power cut; n-th write, n-th sync failing", counts=["lost"])


class PowerDisk(Disk):
    """A disk that remembers what it would hold if the power were cut now.

    Args:
        calls: After how many writes and syncs the power is cut.
    """

    def __init__(self, calls: int) -> None:
        self._calls = calls
        self._paths: dict[int, Path] = {}
        self._files: dict[int, int] = {}
        self._synced: dict[Path, bytes] = {}
        self._named: set[Path] = set()

    def open(self, path: Path, flags: int) -> int:
        """As always."""
        file = super().open(path, flags)
        self._paths[file] = path
        self._files[file] = os.fstat(file).st_ino
        return file

    def write(self, file: int, data: bytes) -> int:
        """Writes, unless the power is cut before, or in the middle."""
        if self._is_cut():
            super().write(file, data[: len(data) // 2])
            raise PowerCut
        return super().write(file, data)

    def fsync(self, file: int) -> None:
        """What the file holds now is what it will hold."""
        if self._is_cut():
            raise PowerCut
        path = self._paths[file]
        self._synced[path] = path.read_bytes()

    def sync_folder(self, folder: Path) -> None:
        """The names in the folder will be there."""
        if self._is_cut():
            raise PowerCut
        self._named |= set(folder.iterdir())

    def _is_cut(self) -> bool:
        self._calls -= 1
        return self._calls < 0

    def lose_power(self, left: Left, random: Random) -> None:
        """Puts on the real disk what this one would hold now, and closes what the program had open."""
        for file, number in self._files.items():
            with contextlib.suppress(OSError):
                if os.fstat(file).st_ino == number:
                    os.close(file)
        for path in set(self._paths.values()):
            if path not in self._named or path.parent not in self._named:
                path.unlink(missing_ok=True)
            elif path.exists():
                path.write_bytes(_left_of(path.read_bytes(), self._synced.get(path, b""), left, random))


def _left_of(written: bytes, synced: bytes, left: Left, random: Random) -> bytes:
    """What a file holds after the power cut: all that was synced, and of the rest what is said."""
    rest = written[len(synced) :] if written.startswith(synced) else b""
    place = random.randint(0, len(rest))
    match left:
        case Left.NOTHING:
            return synced
        case Left.A_PART:
            return synced + rest[:place]
        case Left.ZEROS:
            return synced + rest[:place] + bytes(len(rest) - place)
        case Left.LATER_BYTES:
            return synced + bytes(place) + rest[place:]


@dataclass(slots=True)
class Kept:
    """What a program was told is kept.

    Args:
        events: All of it, in order.
        safe: How many of them must survive a power cut.
    """

    events: list[Event] = field(default_factory=list)
    safe: int = 0

    def wrote(self, event: Event) -> None:
        """An event was written; if it is a decision, it is safe, and so is what stands above it."""
        self.events.append(event)
        if event.type in DECISIONS:
            self.safe = len(self.events)


def _cut_power(folder: Path, left: Left, random: Random, tally: Tally) -> None:
    """Two power cuts, one after the other: the second may hit the recovery from the first."""
    tally.runs += 1
    path, kept = folder / "sessions" / "session" / LOG_NAME, Kept()
    for _ in range(2):
        disk = PowerDisk(random.randint(0, 60))
        if path.exists():
            disk._named |= {path, path.parent}
            disk._synced[path] = path.read_bytes()
        try:
            _play(path, disk, kept, random)
        except PowerCut:
            disk.lose_power(left, random)
        except FileProblem as problem:
            tally.expect(left is Left.LATER_BYTES or not kept.safe, f"{left}: the log is refused: {problem}")
            break
        if not _look(path, kept, left, tally):
            break


def _play(path: Path, disk: Disk, kept: Kept, random: Random) -> NoReturn:
    """Starts or takes up the session, and plays until the power is cut."""
    torn_bytes = 0
    past: tuple[Event, ...] = ()
    if path.exists():
        opened = LogWriter.reopen(path, disk=disk)
        log, past, torn_bytes = opened.writer, opened.log.events, opened.torn_bytes
        # What was lost without having been promised did not happen.
        kept.events[:] = past
        kept.safe = len(past)
    else:
        log = LogWriter(path.parent, header_for(endless_game()), disk=disk)

    def write(event: Event) -> None:
        log.write(event)
        kept.wrote(event)

    players = Players(write, random)
    players.take_up(past, torn_bytes)
    while True:
        players.act()
        if random.random() < 0.05:
            log.sync()
            kept.safe = len(kept.events)


def _look(path: Path, kept: Kept, left: Left, tally: Tally) -> bool:
    """Looks for what must have survived; whether the log can be gone on with."""
    if not path.exists():
        tally.lost += kept.safe
        tally.expect(not kept.safe, f"{left}: the log is gone with {kept.safe} events.")
        return False
    try:
        part = read_sound_part(path)
    except FileProblem as problem:
        tally.lost += kept.safe
        tally.expect(not kept.safe, f"{left}: the log cannot be read: {problem}")
        return False
    same = sum(one == other for one, other in zip(part.events, kept.events, strict=False))
    lost = max(0, kept.safe - same)
    tally.lost += lost
    tally.expect(not lost, f"{left}: {lost} of {kept.safe} synced events are lost.")
    tally.expect(list(part.events) == kept.events[: len(part.events)], f"{left}: there are other events.")
    return True


class Way(StrEnum):
    """What is there when a call has failed."""

    FALLBACK = "a fallback folder"
    ROOM_AGAIN = "room again after a while"
    GIVEN_UP = "nothing, and somebody gives up"


class FailingDisk(Disk):
    """A disk of which one call fails; a write that fails may have written a part first.

    Args:
        call: ``write`` or ``fsync``.
        number: Which of them fails; 1 is the first.
        folder: The folder in which it fails; elsewhere all is well.
    """

    def __init__(self, call: str, number: int, folder: Path) -> None:
        self._call = call
        self._number = number
        self._folder = folder
        self._here: set[int] = set()
        self.made = 0
        self.broken = False

    def open(self, path: Path, flags: int) -> int:
        """As always."""
        file = super().open(path, flags)
        if path.is_relative_to(self._folder):
            self._here.add(file)
        else:
            self._here.discard(file)
        return file

    def write(self, file: int, data: bytes) -> int:
        """Writes, or half of it and then nothing."""
        if self._fails("write", file):
            super().write(file, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(file, data)

    def fsync(self, file: int) -> None:
        """Syncs, or fails."""
        if self._fails("fsync", file):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def sync_folder(self, folder: Path) -> None:
        """Nothing: that folders are synced is tried with power cuts."""

    def _fails(self, call: str, file: int) -> bool:
        if call != self._call or file not in self._here:
            return False
        self.made += 1
        if self.made == self._number:
            self.broken = True
        return self.broken


def _fail_each(call: str, way: Way, every: int, random: Random, tally: Tally) -> None:
    """One session for each call that can fail, until the session is over before it does."""
    number = 1 + random.randrange(every)
    while True:
        with tempfile.TemporaryDirectory() as folder:
            going_on = False
            with tally.trying(f"{call} {number}, {way}"):
                going_on = _fail(call, number, way, Path(folder), tally)
            if not going_on:
                return
        number += every


def _fail(call: str, number: int, way: Way, folder: Path, tally: Tally) -> bool:
    """A session whose n-th call fails; whether there were so many calls."""
    disk = FailingDisk(call, number, folder / "sessions")
    name = f"{call} {number}, {way}"
    try:
        log = LogWriter(folder / "sessions" / "session", header_for(endless_game()), disk=disk)
    except LogFailed as error:
        tally.runs += 1
        tally.expect(str(error).endswith("."), f"{name}: {error}")
        left = list((folder / "sessions").iterdir())
        tally.expect(not left, f"{name}: {left} was left though no session began.")
        return True
    guard = GuardedLog(log, fallbacks=[folder / "fallback"] if way is Way.FALLBACK else [])
    asked: list[LogFailed] = []
    guard.on_stuck = _patience(disk, way, asked)
    kept, failed = _short_session(guard)
    if not disk.broken and not asked and not guard.moves:
        return False
    tally.runs += 1
    tally.expect(failed is (way is Way.GIVEN_UP), f"{name}: the session {'failed' if failed else 'went on'}.")
    tally.expect(bool(asked) is (way is not Way.FALLBACK) or bool(guard.moves), f"{name}: nobody was told.")
    found = read_log(guard.path)
    lost = len(kept) - sum(one == other for one, other in zip(kept, found.events, strict=False))
    tally.lost += lost
    tally.expect(not lost, f"{name}: {lost} events are lost.")
    tally.expect(list(found.events) == kept, f"{name}: the log holds what nobody was told.")
    replay(found)
    return True


def _patience(disk: FailingDisk, way: Way, asked: list[LogFailed]) -> Callable[[LogFailed], bool]:
    def on_stuck(error: LogFailed) -> bool:
        asked.append(error)
        if way is Way.ROOM_AGAIN and len(asked) > disk.made % 3:
            disk.broken = False
        return way is Way.ROOM_AGAIN and len(asked) < 20

    return on_stuck


def _short_session(guard: GuardedLog) -> tuple[list[Event], bool]:
    """Plays to an agreement; what was acknowledged, and whether the log was given up."""
    kept: list[Event] = []

    def write(event: Event) -> None:
        guard.write(event)
        kept.append(event)

    players = Players(write, Random("a short session"))
    failed = False
    try:
        players.take_up((), 0)
        for _ in range(ACTS):
            players.act()
            if guard.sync_due is not None and guard.sync_due - time.monotonic() < 0.04:
                guard.sync()
        players.end()
    except LogFailed:
        failed = True
    try:
        guard.close()
    except LogFailed:
        failed = True
    return kept, failed
