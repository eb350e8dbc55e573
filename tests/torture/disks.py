"""P4: a full or read-only disk stops the session safely with a message; no recorded event is lost."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from negoplatform.core.events import Event
from negoplatform.domain.errors import LogWriteError, NegoError
from negoplatform.eventlog.failover import FailoverLog
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from negoplatform.eventlog.writer import LogWriter
from tests.eventlog.disks import Way
from tests.eventlog.logs import header_for
from tests.torture.forks import ask
from tests.torture.frozen import freeze, leave_frozen, warm_up
from tests.torture.namespaces import can_mount, mount
from tests.torture.playing import Players, endless_game
from tests.torture.rows import Row, Tally
from tests.unprivileged_user import NOBODY, become_ordinary

if sys.platform != "win32":
    import resource

ACTS = 45
"""Acts of the session that is played on every disk."""

TMPFS_RUNS = 60
"""Sessions on a full file system, for each way in which it may go on."""

FROZEN_TABLES = 10
"""Live tables whose disk is full for a while, and as many that are left during that time."""

PAGE = 4096

SMALL_DISK = "NEGOPLATFORM_SMALL_DISK"
"""Environment variable with the mount point of a file system of 1 MB, where this process cannot mount one."""


@dataclass(slots=True)
class Session:
    """Outcome of one session on a disk that is too small.

    Args:
        kept: The events that were acknowledged.
        told: The sentences of the error messages.
        moves: The number of times that the log moved.
        failed: Whether the session had to stop.
        path: The path of its log.
    """

    kept: list[Event] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    moves: int = 0
    failed: bool = False
    path: Path = Path()


def run(scale: float) -> Row:
    """Try limits on the size of files, a real file system of 1 MB, and folders that cannot be written."""
    if os.name == "nt":
        return _run_on_windows(scale)
    random = Random("P4")
    parts: list[tuple[str, Callable[[Path, Tally], None]]] = [
        ("a size limit", lambda folder, tally: _limits(folder, scale, random, tally)),
        ("read-only folders", _read_only),
    ]
    remarks = []
    if can_mount():
        parts.append(("a full file system", lambda folder, tally: _full(folder, scale, random, tally)))
    else:
        remarks.append("No file system could be mounted here: that part was not tried.")
    tally = Tally()
    endless_game()
    _warm_up()
    for name, part in parts:
        with tempfile.TemporaryDirectory() as folder:
            found = ask(partial(_tried, part, Path(folder)))
        remarks.append(f"{name}: {found.runs} sessions.")
        tally.add(found)
        tally.expect(found.harmed > 0, f"{name}: no disk was in any trouble.")
    tally.remarks += remarks
    return tally.row("P4", "full disk, size limit, read-only folder", counts=["lost", "detected"])


def _run_on_windows(scale: float) -> Row:
    """Try a file system of 1 MB; there are no limits on sizes, and no folders that are read-only."""
    tally = Tally()
    _warm_up()
    with tempfile.TemporaryDirectory() as folder, tally.trying("a full file system"):
        _on_full(Path(os.environ[SMALL_DISK]), Path(folder), scale, Random("P4"), tally)
    return tally.row("P4", "full disk", counts=["lost", "detected"])


def _tried(part: Callable[[Path, Tally], None], folder: Path) -> Tally:
    """Return the findings of a part; it may change this process for good, which is a child."""
    tally = Tally()
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    part(folder, tally)
    return tally


def _warm_up() -> None:
    """Import everything in advance: an ordinary user may not be allowed to read the program's files."""
    with tempfile.TemporaryDirectory() as folder:
        session = _play(Path(folder) / "sessions", [], lambda error: False)
        replay(read_log(session.path))
        warm_up(Path(folder) / "live")


# A limit on the size of files, which signals and permissions are no part of


def _limits(folder: Path, scale: float, random: Random, tally: Tally) -> None:
    """Play one session for each write that a limit can hit, in each way."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    become_ordinary()
    sizes = _sizes(folder / "first")
    every = 1 if scale >= 1 else max(1, round(0.3 / scale))
    for way in (Way.ROOM_AGAIN, Way.GIVEN_UP):
        for number in range(random.randrange(every), len(sizes) - 1, every):
            limit = random.randint(sizes[number], sizes[number + 1] - 1)
            with tally.trying(f"limit {limit}, {way}"):
                _limited(folder / f"{way.name}-{number}", limit, way, tally)


def _limited(folder: Path, limit: int, way: Way, tally: Tally) -> None:
    name = f"files of at most {limit} bytes, {way}"
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    asked = 0

    def on_stuck(error: LogWriteError) -> bool:
        nonlocal asked
        asked += 1
        if asked == 3:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        return way is Way.ROOM_AGAIN and asked < 10

    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, most))
    try:
        session = _play(folder, [folder / "fallback"], on_stuck)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    _judge(session, way, name, tally)


def _sizes(folder: Path) -> list[int]:
    """Return the log's length before each of its writes."""
    session = _play(folder, [], lambda error: False)
    lines = session.path.read_bytes().splitlines(keepends=True)
    return [sum(map(len, lines[:count])) for count in range(len(lines) + 1)]


# A real file system that is full


def _full(folder: Path, scale: float, random: Random, tally: Tally) -> None:
    here, there = folder / "full", folder / "other"
    for place in (here, there):
        place.mkdir()
    mount(here, megabytes=1)
    for place in (here, there):
        os.chown(place, NOBODY, NOBODY)
    become_ordinary()
    _on_full(here, there, scale, random, tally)


def _on_full(here: Path, there: Path, scale: float, random: Random, tally: Tally) -> None:
    """Play sessions on a small file system, with a folder on another one."""
    for way in Way:
        for number in range(max(3, round(TMPFS_RUNS * scale))):
            with tally.trying(f"full file system, {way}"):
                _filled(here / str(number), there / f"{way.name}-{number}", way, random, tally)
    for number in range(max(1, round(FROZEN_TABLES * scale))):
        for name, play in (("freeze", freeze), ("leave", leave_frozen)):
            filler = here / "filler"
            with tally.trying(f"a live table on a full file system, {name} {number}"):
                play(here / f"{name}-{number}", partial(_fill, filler, 0), filler.unlink, tally)
            _empty(here)


def _filled(here: Path, there: Path, way: Way, random: Random, tally: Tally) -> None:
    """Play one session on a file system with a few pages left."""
    left = random.randint(0, 5)
    filler, asked = here.parent / "filler", 0
    _fill(filler, left)

    def on_stuck(error: LogWriteError) -> bool:
        nonlocal asked
        asked += 1
        if asked == 3:
            filler.unlink()
        return way is Way.ROOM_AGAIN and asked < 10

    fallbacks = [there] if way is Way.FALLBACK else [here / "fallback"]
    session = _play(here, fallbacks, on_stuck)
    _judge(session, way, f"{left} pages left, {way}", tally)
    _empty(here.parent)


def _empty(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()


def _fill(filler: Path, left: int) -> None:
    """Fill the disk except for some pages."""
    free = shutil.disk_usage(filler.parent).free // PAGE
    with filler.open("wb") as file:
        for _ in range(max(0, free - left)):
            file.write(bytes(PAGE))


# Folders that cannot be written


def _read_only(folder: Path, tally: Tally) -> None:
    become_ordinary()
    for name, attempt in (
        ("a folder for sessions that is read-only", _create_in_read_only),
        ("a log that is read-only", _reopen_read_only_log),
        ("a session's folder that is read-only", _reopen_in_read_only_folder),
    ):
        with tally.trying(name):
            tally.runs += 1
            place = folder / str(tally.runs)
            place.mkdir()
            tally.harm(attempt(place), f"{name}: it was not told in a sentence.")
    with tally.trying("a folder made read-only while a session runs"):
        _made_read_only(folder / "during", tally)


def _create_in_read_only(folder: Path) -> bool:
    folder.chmod(0o500)
    try:
        LogWriter(folder / "session", header_for(endless_game()))
    except LogWriteError as error:
        return _is_sentence(str(error), folder)
    finally:
        folder.chmod(0o700)
    return False


def _reopen_read_only_log(folder: Path) -> bool:
    path = _torn_log(folder)
    path.chmod(0o400)
    return _refuses_to_reopen(path)


def _reopen_in_read_only_folder(folder: Path) -> bool:
    """Return whether the log is refused unchanged: its cut-off end cannot be set aside."""
    path = _torn_log(folder)
    path.parent.chmod(0o500)
    try:
        return _refuses_to_reopen(path)
    finally:
        path.parent.chmod(0o700)


def _torn_log(folder: Path) -> Path:
    session = _play(folder, [], lambda error: False)
    with session.path.open("ab") as file:
        file.write(b'{"seq":')
    return session.path


def _refuses_to_reopen(path: Path) -> bool:
    before = path.read_bytes()
    try:
        LogWriter.reopen(path)
    except LogWriteError as error:
        return _is_sentence(str(error), path.parent) and path.read_bytes() == before
    return False


def _made_read_only(folder: Path, tally: Tally) -> None:
    """Check that the open log can still be written; a new folder next to it could not be created."""
    folder.mkdir()
    log = LogWriter(folder / "session", header_for(endless_game()))
    for place in (folder / "session", folder):
        place.chmod(0o500)
    log.path.chmod(0o400)
    try:
        session = _play_on(FailoverLog(log, fallbacks=[folder / "fallback"]))
    finally:
        for place in (folder, folder / "session"):
            place.chmod(0o700)
    tally.runs += 1
    tally.expect(not session.failed, "A log that was open when its folder became read-only was given up.")
    _nothing_lost(session, "a folder made read-only while a session runs", tally)


# What they share


def _play(folder: Path, fallbacks: list[Path], on_stuck: Callable[[LogWriteError], bool]) -> Session:
    """Play a session; one that cannot even begin has failed."""
    try:
        log = LogWriter(folder / "session", header_for(endless_game()))
    except NegoError as error:
        left = [str(path) for path in folder.rglob("*")] if folder.exists() else []
        assert not left, f"{left} was left though no session began."
        return Session(told=[str(error)], failed=True)
    return _play_on(FailoverLog(log, fallbacks=fallbacks, on_unwritable=on_stuck))


def _play_on(guard: FailoverLog) -> Session:
    session, on_stuck = Session(), guard.on_unwritable

    def told(error: LogWriteError) -> bool:
        session.told.append(str(error))
        return on_stuck(error)

    def write(event: Event) -> None:
        guard.write(event)
        session.kept.append(event)

    guard.on_unwritable = told
    players = Players(write, Random("a session on a small disk"))
    try:
        players.take_up((), 0)
        for _ in range(ACTS):
            players.act()
        players.end()
        guard.close()
    except LogWriteError as error:
        session.failed = True
        session.told.append(str(error))
    finally:
        if session.failed:
            guard._given_up = True
            guard.close()
    moves = guard.take_relocations()
    session.told += [move.reason for move in moves]
    session.moves, session.path = len(moves), guard.path
    return session


def _judge(session: Session, way: Way, name: str, tally: Tally) -> None:
    """Check that a session on a full disk behaved as promised."""
    tally.runs += 1
    began = session.path != Path()
    if not session.told:
        # There was room enough after all: nothing to be noticed.
        tally.expect(not session.failed, f"{name}: the session failed without a word.")
    else:
        tally.harm(all(map(_is_sentence, session.told)), f"{name}: {session.told!r} is no sentence.")
        tally.expect(
            session.failed is (way is Way.GIVEN_UP or not began),
            f"{name}: the session {'stopped' if session.failed else 'went on'} ({session.told[-1]}).",
        )
        moved = session.moves > 0 or way is not Way.FALLBACK or not began
        tally.expect(moved, f"{name}: the log did not move.")
    if began:
        _nothing_lost(session, name, tally)


def _nothing_lost(session: Session, name: str, tally: Tally) -> None:
    found = read_log(session.path)
    same = sum(one == other for one, other in zip(session.kept, found.events, strict=False))
    tally.lost += len(session.kept) - same
    tally.expect(list(found.events) == session.kept, f"{name}: the log is not what was acknowledged.")
    replay(found)


def _is_sentence(text: str, place: Path | None = None) -> bool:
    named = place is None or str(place) in text
    return named and text.endswith(".") and "\n" not in text and "Traceback" not in text
