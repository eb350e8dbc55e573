"""Sessions that a person was in the middle of when the program ended: what the start window asks about."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from negoplatform.core.events import EventType
from negoplatform.domain.errors import InputFileError
from negoplatform.eventlog.disk_calls import LOG_NAME, MOVED_NAME, open_regular
from negoplatform.eventlog.failover import original_name, relocated_names
from negoplatform.eventlog.file_lock import is_being_written
from negoplatform.eventlog.log_file_io import LogRedirect, read_redirect, redirect_target
from negoplatform.eventlog.reader import ValidPrefix, read_sound_part

TAIL_SIZES = (4_096, 65_536)
"""Bytes from the end in which a finished session has its end: mostly within the first, else within the
second. Where the last words are longer than that, the whole log is read and tells it too."""

GAME_END_MARKER = f'"type":"{EventType.GAME_END}"'.encode()
"""How the end of a game is written. No text can hold it, as the quotes in a text are escaped."""


@dataclass(frozen=True, slots=True)
class UnfinishedSession:
    """A session without an end, which no running program is writing.

    Args:
        path: Its log.
        session_id: Its id; empty if the log does not tell it.
        game: The game's title; the folder's name if the log does not tell it.
        participant: The participant's code; empty if the log does not tell it.
        last_event_at: When its last event happened, in the reader's time of day.
        seconds: Session time of that event.
        damage: Why it cannot be taken up, in a sentence, and what to do; empty if it can.
        game_name: How files call the game; empty if the log does not tell it.
    """

    path: Path
    session_id: str
    game: str
    participant: str
    last_event_at: datetime
    seconds: float
    damage: str = ""
    game_name: str = ""


def find_unfinished(
    sessions: Path, *elsewhere: Path, participant: str | None = None
) -> list[UnfinishedSession]:
    """The unfinished sessions in a folder of sessions, newest first.

    Nothing that lies there stops the search: what is no session is passed over, and a damaged log is named
    with what is wrong with it. A log without one event is of no session that began, and one that went on in
    another place is looked for there.

    Args:
        sessions: Where sessions are recorded.
        elsewhere: Where a log may have gone on that could no longer be written there.
        participant: A code: only that participant's are looked for, in folders whose names have it, and with
            them logs in such a folder that do not tell whose they are; None: everybody's.
    """
    found = []
    seen: set[Path] = set()
    waiting = [log for log in _logs(sessions) if participant is None or f"-{participant}-" in log.parent.name]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        try:
            left, further = _inspect(path, elsewhere)
        except FileNotFoundError:
            continue
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one log, the others are looked at
            left, further = _uninspectable_session(path, error), []
        waiting += further
        # One that cannot even be read to its first line has no code but in its folder's name.
        if left is not None and (participant is None or left.participant in (participant, "")):
            found.append(left)
    return sorted(found, key=lambda session: session.last_event_at, reverse=True)


def _logs(sessions: Path) -> Iterator[Path]:
    try:
        with os.scandir(sessions) as entries:
            for entry in entries:
                yield Path(entry.path) / LOG_NAME
    except OSError:
        # No folder yet, or none that can be looked into: then there is nothing that could be resumed.
        return


def _has_ended(path: Path) -> bool:
    """Whether the last lines of a log hold the end of its game."""
    with open_regular(path) as file:
        size = file.seek(0, os.SEEK_END)
        for length in TAIL_SIZES:
            file.seek(max(0, size - length))
            tail = file.read(length)
            if any(_is_end(line) for line in tail.split(b"\n") if GAME_END_MARKER in line):
                return True
            if length >= size:
                break
    return False


def _is_end(line: bytes) -> bool:
    """Whether a line with the words of an end in it is one: a note or a proposal may hold any value."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("type") == EventType.GAME_END


def _inspect(path: Path, elsewhere: Sequence[Path]) -> tuple[UnfinishedSession | None, list[Path]]:
    """What there is to say about a log, if anybody would resume it; and where it goes on.

    A note that leads somewhere decides alone. It cannot be relied on: the log moved because nothing could be
    written where it was.
    """
    note = read_redirect(path)
    if note is not None and note.target is not None and _is_file(note.target):
        if not _is_redirect_cycle(path, note.target):
            return None, [note.target]
        return _unreadable_session(path, _redirect_cycle_message(path)), []
    if not _is_file(path) or _has_ended(path) or is_being_written(path):
        return None, []
    try:
        part = read_sound_part(path)
    except InputFileError as problem:
        return (
            _unreadable_session(path, _damage_message(path, problem)) if path.stat().st_size else None
        ), []
    people = [who for who in part.header.seats.values() if who.kind == "human"]
    over = any(event.type == EventType.GAME_END for event in part.events)
    if over or not people or part.header.view != "complete":
        return None, []
    good, damaged = _find_continuations(part, elsewhere, may_be_equal=note is not None)
    if good or not (part.events or part.problem):
        return None, [*good, *damaged]
    left = UnfinishedSession(
        path=path,
        session_id=part.header.session_id,
        game=part.header.game.title,
        participant=people[0].participant or "",
        last_event_at=_time_of_day(part),
        seconds=part.events[-1].t if part.events else 0.0,
        damage=_redirect_lost_message(path, note, elsewhere)
        if part.problem is None
        else _damage_message(path, part.problem),
        game_name=part.header.game.name,
    )
    return left, damaged


def _uninspectable_session(path: Path, error: Exception) -> UnfinishedSession | None:
    """What is left to say about a log that cannot even be looked at; nothing if there may be none."""
    why = error.strerror if isinstance(error, OSError) else type(error).__name__
    try:
        there = path.is_file()
    except (OSError, ValueError):
        there = isinstance(error, PermissionError)
    problem = InputFileError(path, "", f"the log cannot be read ({why})")
    return _unreadable_session(path, _damage_message(path, problem)) if there else None


def _unreadable_session(path: Path, damage: str) -> UnfinishedSession:
    """A log that does not even tell whose it is."""
    return UnfinishedSession(path, "", path.parent.name, "", _last_written(path), 0.0, damage)


def _damage_message(path: Path, problem: InputFileError) -> str:
    place = f" ({problem.where})" if problem.where else ""
    return (
        f"It cannot be resumed, because its log is damaged{place}: {problem.reason}. "
        f"What can be done says: negoplatform log verify {path.parent}; "
        f"its sound part is had with: negoplatform log export-clean {path.parent} OUT"
    )


def _redirect_cycle_message(path: Path) -> str:
    return (
        f"It cannot be resumed, because {path.with_name(MOVED_NAME)} says that it goes on in a log that "
        "leads back to it; delete that file where the log is longest and start the program again."
    )


def _redirect_lost_message(path: Path, note: LogRedirect | None, elsewhere: Sequence[Path]) -> str:
    """Why a log cannot be taken up that went on where nobody can look now; empty if it did not."""
    if note is None:
        return ""
    if note.target is not None:
        return (
            f"It cannot be resumed, because its log goes on in {note.target}, which is not there now; "
            "connect that disk and start the program again."
        )
    searched = ", ".join(str(place) for place in (path.parent.parent, *elsewhere))
    return (
        f"It cannot be resumed, because its log goes on elsewhere, and {path.with_name(MOVED_NAME)} does not "
        f"say where; it is not in {searched}. Look for a folder {path.parent.name} on other disks, or delete "
        "that file if there is none, and start the program again."
    )


def _is_file(path: Path) -> bool:
    """Whether there is a file, as far as anybody can tell."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _is_redirect_cycle(path: Path, target: Path) -> bool:
    """Whether the notes from a log on lead in a circle."""
    passed = {path.resolve()}
    step: Path | None = target
    while step is not None and _is_file(step):
        if step.resolve() in passed:
            return True
        passed.add(step.resolve())
        step = redirect_target(step)
    return False


def _find_continuations(
    part: ValidPrefix, elsewhere: Sequence[Path], *, may_be_equal: bool
) -> tuple[list[Path], list[Path]]:
    """The sound and the damaged logs that begin with this one and go on.

    Args:
        part: The sound lines of this one.
        elsewhere: Where else to look.
        may_be_equal: Whether a log with the same lines goes on with it too: a note says that it moved.
    """
    folder = part.path.parent
    names = [*relocated_names(folder.name), *relocated_names(original_name(folder.name))]
    places = (place / name / LOG_NAME for place in (folder.parent, *elsewhere) for name in names)
    good: list[Path] = []
    damaged: list[Path] = []
    for place in dict.fromkeys(places):
        other = _continuation(place, part, may_be_equal) if place != part.path else None
        if other is not None:
            (good if other.problem is None else damaged).append(place)
    return good, damaged


def _continuation(path: Path, part: ValidPrefix, may_be_equal: bool) -> ValidPrefix | None:
    """Another log, if it begins with the sound lines of this one and goes on; what is no such log is none."""
    try:
        if redirect_target(path) == part.path or path.stat().st_size < part.length:
            return None
        with open_regular(part.path) as mine, open_regular(path) as theirs:
            if mine.read(part.length) != theirs.read(part.length):
                return None
        other = read_sound_part(path)
    except Exception:  # noqa: BLE001 - a log is not hidden by what nobody can read
        return None
    longer = other.length > part.length or (may_be_equal and other.length == part.length)
    return other if longer else None


def _time_of_day(part: ValidPrefix) -> datetime:
    """The wall-clock time of the last event, as the clock on the wall here would have shown it."""
    try:
        found = datetime.fromisoformat(part.times[-1])
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone()
    except (ValueError, IndexError, OverflowError, OSError):
        return _last_written(part.path)


def _last_written(path: Path) -> datetime:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime).astimezone()
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)
