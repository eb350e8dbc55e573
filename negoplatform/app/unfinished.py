"""Sessions that a person was in the middle of when the program ended: what the start window asks about."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from negoplatform.core.events import EventType
from negoplatform.domain.errors import FileProblem
from negoplatform.eventlog.disk import LOG_NAME
from negoplatform.eventlog.lock import is_being_written
from negoplatform.eventlog.logfile import noted_move
from negoplatform.eventlog.reader import WholePart, read_sound_part

TAILS = (4_096, 65_536)
"""Bytes from the end in which a finished session has its end: mostly within the first, else within the
second. Where the last words are longer than that, the whole log is read and tells it too."""

END = f'"type":"{EventType.GAME_END}"'.encode()
"""How the end of a game is written. No text can hold it, as the quotes in a text are escaped."""

MOVED_NUMBER = re.compile(r"-[2-9]$")
"""What is put behind a session's name where a folder of that name was there already."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A session without an end, which no running program is writing.

    Args:
        path: Its log.
        session_id: Its id; empty if the log does not tell it.
        game: The game's title; the folder's name if the log does not tell it.
        participant: The participant's code; empty if the log does not tell it.
        last_event_at: When its last event happened, in the reader's time of day.
        seconds: Session time of that event.
        damage: Why it cannot be taken up, in a sentence, and what to do; empty if it can.
    """

    path: Path
    session_id: str
    game: str
    participant: str
    last_event_at: datetime
    seconds: float
    damage: str = ""


def find_unfinished(sessions: Path, *elsewhere: Path) -> list[Unfinished]:
    """The unfinished sessions in a folder of sessions, newest first.

    Nothing that lies there stops the search: what is no session is passed over, and a damaged log is named
    with what is wrong with it. A log without one event is of no session that began, and one that went on in
    another place is looked for there.

    Args:
        sessions: Where sessions are recorded.
        elsewhere: Where a log may have gone on that could no longer be written there.
    """
    found = []
    seen: set[Path] = set()
    waiting = list(_logs(sessions))
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        try:
            if _ended(path) or is_being_written(path):
                continue
            left = _look_at(path, elsewhere)
        except OSError:
            continue
        if isinstance(left, Unfinished):
            found.append(left)
        else:
            waiting += left
    return sorted(found, key=lambda session: session.last_event_at, reverse=True)


def _logs(sessions: Path) -> Iterator[Path]:
    try:
        with os.scandir(sessions) as entries:
            for entry in entries:
                yield Path(entry.path) / LOG_NAME
    except OSError:
        # No folder yet, or none that can be looked into: then there is nothing that could be resumed.
        return


def _ended(path: Path) -> bool:
    """Whether the last lines of a log hold the end of its game."""
    with path.open("rb", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        for length in TAILS:
            file.seek(max(0, size - length))
            tail = file.read(length)
            if any(_is_end(line) for line in tail.split(b"\n") if END in line):
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


def _look_at(path: Path, elsewhere: Sequence[Path]) -> Unfinished | list[Path]:
    """What there is to say about a log that seems to have no end, or the logs in which it goes on.

    Nothing at all, if nobody would resume it.
    """
    try:
        part = read_sound_part(path)
    except FileProblem as problem:
        return _unreadable(path, problem) if path.stat().st_size else []
    people = [who for who in part.header.seats.values() if who.kind == "human"]
    over = any(event.type == EventType.GAME_END for event in part.events)
    if over or not people or part.header.view != "complete" or not (part.events or part.problem):
        return []
    if further := _further(part, elsewhere):
        return further
    return Unfinished(
        path=path,
        session_id=part.header.session_id,
        game=part.header.game.title,
        participant=people[0].participant or "",
        last_event_at=_time_of_day(part),
        seconds=part.events[-1].t if part.events else 0.0,
        damage=_away(path) if part.problem is None else _damage(path, part.problem),
    )


def _unreadable(path: Path, problem: FileProblem) -> Unfinished:
    """A log that does not even tell whose it is."""
    return Unfinished(path, "", path.parent.name, "", _last_written(path), 0.0, _damage(path, problem))


def _damage(path: Path, problem: FileProblem) -> str:
    place = f" ({problem.where})" if problem.where else ""
    return (
        f"It cannot be resumed, because its log is damaged{place}: {problem.reason}. "
        f"What can be done says: negoplatform log verify {path.parent}"
    )


def _away(path: Path) -> str:
    """Why a log cannot be taken up that went on where nobody can look now; empty if it did not."""
    return "".join(
        f"It cannot be resumed, because its log goes on in {place}, which is not there now; "
        "connect that disk and start the program again."
        for place in [noted_move(path)]
        if place is not None and not place.is_file()
    )


def _further(part: WholePart, elsewhere: Sequence[Path]) -> list[Path]:
    """The logs that begin with this one and go on.

    The note that a log leaves where it moved away from cannot be relied on: it moved because nothing could
    be written there.
    """
    folder = part.path.parent
    name = MOVED_NUMBER.sub("", folder.name)
    names = [name, *(f"{name}-{number}" for number in range(2, 10))]
    places = [place / other / LOG_NAME for place in (folder.parent, *elsewhere) for other in names]
    noted = noted_move(part.path)
    others = dict.fromkeys([*places] if noted is None else [noted, *places])
    return [other for other in others if other != part.path and _continues(other, part)]


def _continues(other: Path, part: WholePart) -> bool:
    """Whether a log begins with the sound lines of a part, and goes on later than it."""
    try:
        here, there = part.path.stat(), other.stat()
        if there.st_size < part.length or (there.st_size, there.st_mtime_ns) <= (
            part.length,
            here.st_mtime_ns,
        ):
            return False
        with part.path.open("rb") as mine, other.open("rb") as theirs:
            return mine.read(part.length) == theirs.read(part.length)
    except OSError:
        return False


def _time_of_day(part: WholePart) -> datetime:
    """The wall-clock time of the last event, as the clock on the wall here would have shown it."""
    try:
        found = datetime.fromisoformat(part.times[-1])
    except (ValueError, IndexError):
        return _last_written(part.path)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone()


def _last_written(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime).astimezone()
