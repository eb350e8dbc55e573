"""Sessions that were running when the program ended, which the start window offers to resume."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from negoplatform.app.session.log_proofs import LogProofs
from negoplatform.core.events import EventType
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.eventlog.disk_calls import LOG_NAME, MOVED_NAME, open_regular
from negoplatform.eventlog.failover import original_name, relocated_names
from negoplatform.eventlog.file_lock import is_being_written
from negoplatform.eventlog.log_file_io import LogRedirect, read_redirect, redirect_target
from negoplatform.eventlog.reader import ValidPrefix, read_sound_part

TAIL_SIZES = (4_096, 65_536)
"""Bytes at the end of a log that are searched for the end of its game: mostly the first number is enough,
else the second. Where the last messages are longer than that, the whole log is read."""

GAME_END_MARKER = f'"type":"{EventType.GAME_END}"'.encode()
"""Text of the end of a game in a log. No message can contain it, as quotes in a text are escaped."""


@dataclass(frozen=True, slots=True)
class UnfinishedSession:
    """Session without an end, which no running program is writing.

    Args:
        path: Its log.
        session_id: Its id; empty if unknown.
        game: The game's title; the folder's name if unknown.
        participant: The participant's code; empty if unknown.
        last_event_at: The time of its last event, in the reader's time zone.
        seconds: The session time of that event.
        damage: Why it cannot be resumed, in a sentence, and what to do; empty if it can.
        game_name: The game's name in files; empty if unknown.
        agent_names: The names of the agents, as the participant reads them.
        mechanism: The mechanism of its game.
    """

    path: Path
    session_id: str
    game: str
    participant: str
    last_event_at: datetime
    seconds: float
    damage: str = ""
    game_name: str = ""
    agent_names: tuple[str, ...] = ()
    mechanism: str = BARGAINING


def find_unfinished(
    sessions: Path, *elsewhere: Path, participant: str | None = None, proofs: LogProofs | None = None
) -> list[UnfinishedSession]:
    """Return the unfinished sessions in a folder of sessions, newest first.

    No file stops the search: other files are skipped, and a damaged log is returned
    with a description of the damage. A log without any event belongs to no session that was started, and a
    log that was continued in another place is looked for there.

    Args:
        sessions: The folder of all sessions.
        elsewhere: Folders in which a log may have been continued that could no longer be written there.
        proofs: The proofs of sessions that had ended: one of these without an end was cut.
        participant: A code: only that participant's sessions are returned, from folders whose names have
            it, together with logs in such folders whose participant is unknown; None: all are.
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
            left, further = _inspect(path, elsewhere, proofs or LogProofs())
        except FileNotFoundError:
            continue
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one log, the others are looked at
            left, further = _uninspectable_session(path, error), []
        waiting += further
        # A log whose first line cannot be read has a code only in its folder's name.
        if left is not None and (participant is None or left.participant in (participant, "")):
            found.append(left)
    return sorted(found, key=lambda session: session.last_event_at, reverse=True)


def _logs(sessions: Path) -> Iterator[Path]:
    try:
        with os.scandir(sessions) as entries:
            for entry in entries:
                yield Path(entry.path) / LOG_NAME
    except OSError:
        # The folder does not exist or cannot be read: nothing could be resumed.
        return


def _has_ended(path: Path) -> bool:
    """Return whether the last lines of a log contain the end of its game."""
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
    """Return whether a line with the marker is the end of a game: a note or a proposal may hold any value."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("type") == EventType.GAME_END


def _inspect(
    path: Path, elsewhere: Sequence[Path], proofs: LogProofs
) -> tuple[UnfinishedSession | None, list[Path]]:
    """Return the unfinished session of a log, if it is one; and the logs that continue it.

    A redirect note that leads to a log decides alone. There may be none: the log moved because nothing could
    be written where it was.
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
    people = [part.header.seats[seat] for seat in part.header.people]
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
        damage=_cut_message(part, proofs) or _redirect_lost_message(path, note, elsewhere)
        if part.problem is None
        else _damage_message(path, part.problem),
        game_name=part.header.game.name,
        mechanism=part.header.game.mechanism,
        agent_names=tuple(who.name for who in part.header.seats.values() if who.kind == "agent"),
    )
    return left, damaged


def _uninspectable_session(path: Path, error: Exception) -> UnfinishedSession | None:
    """Return the session of a log that cannot be examined; None if there may be no log."""
    why = error.strerror if isinstance(error, OSError) else type(error).__name__
    try:
        there = path.is_file()
    except (OSError, ValueError):
        there = isinstance(error, PermissionError)
    problem = InputFileError(path, "", f"the log cannot be read ({why})")
    return _unreadable_session(path, _damage_message(path, problem)) if there else None


def _unreadable_session(path: Path, damage: str) -> UnfinishedSession:
    """Return the session of a log whose header is unknown."""
    return UnfinishedSession(path, "", path.parent.name, "", _last_written(path), 0.0, damage)


def _damage_message(path: Path, problem: InputFileError) -> str:
    place = f" ({problem.where})" if problem.where else ""
    return (
        f"It cannot be resumed, because its log is damaged{place}: {problem.reason}. "
        f"What can be done says: negoplatform log verify {path.parent}; "
        f"its sound part is had with: negoplatform log export-clean {path.parent} OUT"
    )


def _cut_message(part: ValidPrefix, proofs: LogProofs) -> str:
    """Return why a session cannot be resumed that had ended, by its proof; empty if it has none."""
    try:
        proofs.check_unfinished(part)
    except NegoError as problem:
        return str(problem)
    return ""


def _redirect_cycle_message(path: Path) -> str:
    return (
        f"It cannot be resumed, because {path.with_name(MOVED_NAME)} says that it goes on in a log that "
        "leads back to it; delete that file where the log is longest and start the program again."
    )


def _redirect_lost_message(path: Path, note: LogRedirect | None, elsewhere: Sequence[Path]) -> str:
    """Return why a log cannot be resumed that was continued in an unknown place; empty if it was not."""
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
    """Return whether there is a file, as far as can be found out."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _is_redirect_cycle(path: Path, target: Path) -> bool:
    """Return whether the redirect notes that begin at a log form a cycle."""
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
    """Return the sound and the damaged logs that begin with a log and continue it.

    Args:
        part: The sound lines of the log.
        elsewhere: Other folders to search.
        may_be_equal: Whether a log with the same lines counts too: a note says that the log moved.
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
    """Return another log if it begins with the sound lines of this one and continues it, else None."""
    try:
        if redirect_target(path) == part.path or path.stat().st_size < part.length:
            return None
        with open_regular(part.path) as mine, open_regular(path) as theirs:
            if mine.read(part.length) != theirs.read(part.length):
                return None
        other = read_sound_part(path)
    except Exception:  # noqa: BLE001 - an unreadable file must not hide a log
        return None
    longer = other.length > part.length or (may_be_equal and other.length == part.length)
    return other if longer else None


def _time_of_day(part: ValidPrefix) -> datetime:
    """Return the wall-clock time of the last event in the reader's time zone."""
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
