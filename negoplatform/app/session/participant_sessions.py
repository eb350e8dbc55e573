"""Sessions that a participant's code already has, so that no two people get one code by mistake.

A code whose sessions are over may begin another one: laboratories invite people twice. Only a session that
runs at the same time, in this window or another program, needs permission. Sessions of studies are in
folders of their own and have their own rule, ``codes.reuse``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.failover import relocated_names
from negoplatform.eventlog.file_lock import is_being_written
from negoplatform.eventlog.hash_chain import strip_verified_hash
from negoplatform.eventlog.log_file_io import redirect_target
from negoplatform.eventlog.reader import LONGEST_HEADER
from negoplatform.formats.local_time import local_time
from negoplatform.formats.log_header import Header, decode_header

ALLOW_OPTION = "--another-session"
"""Option of the command line that allows a session while another one is running."""


class SessionIsRunning(NegoError):
    """Refusal of a session because another one with the same participant's code is running."""


@dataclass(frozen=True, slots=True)
class ParticipantSession:
    """Session of a participant's code.

    Args:
        log: Its log.
        session_id: Its id.
        participant: The code, as it was typed then.
        started_at: When it began, in the reader's time zone.
        is_running: Whether a program is writing its log.
    """

    log: Path
    session_id: str
    participant: str
    started_at: datetime
    is_running: bool


def participant_sessions(participant: str, sessions: Path, *elsewhere: Path) -> list[ParticipantSession]:
    """Return the sessions of a code, whatever its capitals: running ones first, then the newest ones.

    Args:
        participant: The code; an empty one has no sessions.
        sessions: The folder of all sessions; unreadable logs are skipped.
        elsewhere: Folders in which a log may have been continued that could no longer be written there.
    """
    if not participant:
        return []
    places = [place for place in elsewhere if place.is_dir()]
    found = [_read_session(log, participant, places) for log in _logs_of(participant, sessions)]
    return sorted(
        (session for session in found if session is not None),
        key=lambda one: (one.is_running, one.started_at),
        reverse=True,
    )


def check_not_running(sessions: Iterable[ParticipantSession], own: Path | None = None) -> None:
    """Check that none of a code's sessions is running but one's own.

    A program creates its own log, and with it the lock, before it looks. So of two programs that begin at the
    same instant at least one sees the other.

    Args:
        sessions: The sessions of the code.
        own: The own log.

    Raises:
        SessionIsRunning: If one is.
    """
    for session in sessions:
        if session.is_running and session.log != own:
            raise SessionIsRunning(
                f"{_still_running_text(session)}; end it first, or allow another one with {ALLOW_OPTION}."
            )


def earlier_session_text(session: ParticipantSession) -> str:
    """Return a sentence for the terminal about a session that a code already has."""
    if session.is_running:
        return _still_running_text(session)
    return f"{session.participant} has had a session before, of {_time_text(session)}: {session.log.parent}"


def _still_running_text(session: ParticipantSession) -> str:
    return (
        f"{session.participant} already has a session of {_time_text(session)}, which is still running "
        f"({session.log.parent})"
    )


def _time_text(session: ParticipantSession) -> str:
    """Return when a session began: ``today 14:03`` or ``2026-11-28 14:03``."""
    when = session.started_at
    day = "today" if when.date() == datetime.now(when.tzinfo).date() else f"{when:%Y-%m-%d}"
    return f"{day} {when:%H:%M}"


def read_header(log: Path) -> Header:
    """Return the header of a log, whatever the lines after it.

    Raises:
        InputFileError: If its first line is no header.
        OSError: If it cannot be read.
    """
    with log.open("rb") as lines:
        line = lines.readline(LONGEST_HEADER)
    return decode_header(strip_verified_hash(line, sha256()) or line, log)


def _logs_of(participant: str, folder: Path) -> Iterator[Path]:
    part = f"-{participant}-".casefold()
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if part in entry.name.casefold():
                yield Path(entry.path) / LOG_NAME


def _read_session(log: Path, participant: str, elsewhere: Sequence[Path]) -> ParticipantSession | None:
    """Return the session of a log; None if it is another participant's or cannot be read."""
    try:
        header = read_header(log)
        codes = [who.participant or "" for who in header.seats.values() if who.kind == "human"]
        code = next((code for code in codes if code.casefold() == participant.casefold()), None)
        if code is None:
            return None
        started = local_time(header.created_at).astimezone()
    except (OSError, ValueError, NegoError):
        return None
    running = next((one for one in _places(log, elsewhere) if is_being_written(one)), None)
    return ParticipantSession(running or log, header.session_id, code, started, running is not None)


def _places(log: Path, elsewhere: Sequence[Path]) -> Iterator[Path]:
    """Yield a log, and the places where it may have been continued."""
    yield log
    if (target := redirect_target(log)) is not None:
        yield target
    for name in relocated_names(log.parent.name):
        yield from (place / name / LOG_NAME for place in elsewhere)
