"""P2: decisions survive a power cut; a disk whose n-th write or sync fails causes no loss at all."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import NoReturn

from negoplatform.core.events import Event, EventType
from negoplatform.domain.errors import InputFileError, LogWriteError
from negoplatform.eventlog.disk_calls import LOG_NAME, Disk
from negoplatform.eventlog.failover import FailoverLog
from negoplatform.eventlog.reader import read_log, read_sound_part
from negoplatform.eventlog.replay import replay
from negoplatform.eventlog.writer import LogWriter
from tests.eventlog.disks import PowerCut, TestDisk, Way
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
"""Events that must not be lost, by the promise and not by the code; nor must any event before them."""


class Left(StrEnum):
    """Remains of unsynced data after a power cut."""

    NOTHING = "nothing"
    A_PART = "a part"
    ZEROS = "zeros"
    LATER_BYTES = "zeros, and bytes behind them"


def run(scale: float) -> Row:
    """Cut the power at random moments; then let every single call fail."""
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


def _left_of(unsynced: bytes, left: Left, random: Random) -> bytes:
    """Return the remains of written but unsynced data after a power cut."""
    place = random.randint(0, len(unsynced))
    match left:
        case Left.NOTHING:
            return b""
        case Left.A_PART:
            return unsynced[:place]
        case Left.ZEROS:
            return unsynced[:place] + bytes(len(unsynced) - place)
        case Left.LATER_BYTES:
            return bytes(place) + unsynced[place:]


def _cut_at(call: int) -> TestDisk:
    """Return a disk whose power is cut at one of its calls."""

    def fails(number: int, name: str, path: Path) -> bool:
        if number >= call:
            raise PowerCut
        return False

    return TestDisk(fails)


@dataclass(slots=True)
class Kept:
    """Events whose storage was confirmed to a program.

    Args:
        events: All of them, in order.
        safe: The number of them that must survive a power cut.
    """

    events: list[Event] = field(default_factory=list)
    safe: int = 0

    def wrote(self, event: Event) -> None:
        """Record an event that was written; a decision is safe, and so are all events before it."""
        self.events.append(event)
        if event.type in DECISIONS:
            self.safe = len(self.events)


def _cut_power(folder: Path, left: Left, random: Random, tally: Tally) -> None:
    """Cut the power twice: the second cut may hit the recovery from the first."""
    tally.runs += 1
    path, kept = folder / "sessions" / "session" / LOG_NAME, Kept()
    for _ in range(2):
        disk = _cut_at(random.randint(1, 61))
        try:
            _play(path, disk, kept, random)
        except PowerCut:
            disk.end_program()
            disk.cut_power(lambda unsynced: _left_of(unsynced, left, random))
        except InputFileError as problem:
            tally.expect(left is Left.LATER_BYTES or not kept.safe, f"{left}: the log is refused: {problem}")
            break
        if not _look(path, kept, left, tally):
            break


def _play(path: Path, disk: Disk, kept: Kept, random: Random) -> NoReturn:
    """Start or resume the session, and play until the power is cut."""
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
    """Look for the events that must have survived; return whether the log can be continued."""
    if not path.exists():
        tally.lost += kept.safe
        tally.expect(not kept.safe, f"{left}: the log is gone with {kept.safe} events.")
        return False
    try:
        part = read_sound_part(path)
    except InputFileError as problem:
        tally.lost += kept.safe
        tally.expect(not kept.safe, f"{left}: the log cannot be read: {problem}")
        return False
    same = sum(one == other for one, other in zip(part.events, kept.events, strict=False))
    lost = max(0, kept.safe - same)
    tally.lost += lost
    tally.expect(not lost, f"{left}: {lost} of {kept.safe} synced events are lost.")
    tally.expect(list(part.events) == kept.events[: len(part.events)], f"{left}: there are other events.")
    return True


class Breakage:
    """Failures of a disk's calls: one call fails, and all later ones of its kind until the disk is repaired.

    Args:
        call: ``write`` or ``fsync``.
        number: The number of the call that fails; 1 is the first.
        folder: The folder in which it fails; elsewhere no call fails.
    """

    def __init__(self, call: str, number: int, folder: Path) -> None:
        self._call = call
        self._number = number
        self._folder = folder
        self.made = 0
        self.broken = False

    def __call__(self, number: int, call: str, path: Path) -> bool:
        if call != self._call or not path.is_relative_to(self._folder):
            return False
        self.made += 1
        if self.made == self._number:
            self.broken = True
        return self.broken


def _fail_each(call: str, way: Way, every: int, random: Random, tally: Tally) -> None:
    """Play one session for each call that can fail, until the session is over before it does."""
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
    """Play a session whose n-th call fails; return whether there were as many calls."""
    breakage = Breakage(call, number, folder / "sessions")
    disk = TestDisk(breakage)
    name = f"{call} {number}, {way}"
    try:
        log = LogWriter(folder / "sessions" / "session", header_for(endless_game()), disk=disk)
    except LogWriteError as error:
        tally.runs += 1
        tally.expect(str(error).endswith("."), f"{name}: {error}")
        left = list((folder / "sessions").iterdir())
        tally.expect(not left, f"{name}: {left} was left though no session began.")
        return True
    guard = FailoverLog(log, fallbacks=[folder / "fallback"] if way is Way.FALLBACK else [])
    asked: list[LogWriteError] = []
    guard.on_unwritable = _patience(breakage, way, asked)
    kept, failed = _short_session(guard)
    if not breakage.broken and not asked and not guard.relocations:
        return False
    tally.runs += 1
    tally.expect(failed is (way is Way.GIVEN_UP), f"{name}: the session {'failed' if failed else 'went on'}.")
    tally.expect(
        bool(asked) is (way is not Way.FALLBACK) or bool(guard.relocations), f"{name}: nobody was told."
    )
    found = read_log(guard.path)
    lost = len(kept) - sum(one == other for one, other in zip(kept, found.events, strict=False))
    tally.lost += lost
    tally.expect(not lost, f"{name}: {lost} events are lost.")
    tally.expect(list(found.events) == kept, f"{name}: the log holds what nobody was told.")
    replay(found)
    return True


def _patience(breakage: Breakage, way: Way, asked: list[LogWriteError]) -> Callable[[LogWriteError], bool]:
    def on_stuck(error: LogWriteError) -> bool:
        asked.append(error)
        if way is Way.ROOM_AGAIN and len(asked) > breakage.made % 3:
            breakage.broken = False
        return way is Way.ROOM_AGAIN and len(asked) < 20

    return on_stuck


def _short_session(guard: FailoverLog) -> tuple[list[Event], bool]:
    """Play to an agreement; return the acknowledged events, and whether the log was given up."""
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
    except LogWriteError:
        failed = True
    try:
        guard.close()
    except LogWriteError:
        failed = True
    return kept, failed
