"""Opening of a session: its plan, its log, and its stored data."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs

from negoplatform.app.catalogue.search_path import keep_user_files_from_agents
from negoplatform.app.session.agent_setup import STARTING_PATTERN
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.participant_sessions import check_not_running, participant_sessions, read_header
from negoplatform.app.session.session_data_autosave import SessionDataAutosave
from negoplatform.app.session.session_plan import ResumePoint, SessionPlan
from negoplatform.core.events import Event
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.disk_calls import LOG_NAME, is_owned_by_user
from negoplatform.eventlog.failover import FailoverLog, check_free_space
from negoplatform.eventlog.writer import LogWriter
from negoplatform.plugins.program_and_user_folders import APP_NAME, path_or_none, user_folder_if_any

SESSIONS = "sessions"
"""Folder of all session folders, in the user's folder."""

LONGEST_START = 3600.0
"""Seconds that preparing a session takes at most."""

FALLBACK_FOLDER = "NegoPlatform-sessions"
"""Name of the same folder where it is among unrelated ones."""


@dataclass(frozen=True, slots=True)
class OpenSession:
    """Session that is ready to be played.

    Args:
        plan: Its plan.
        log: Its log.
        session_data: Its stored data.
        resume_point: The point that it is resumed from; None: it is new.
    """

    plan: SessionPlan
    log: FailoverLog
    session_data: SessionDataAutosave
    resume_point: ResumePoint | None = None

    @property
    def saved_draft(self) -> Mapping[str, Any] | None:
        """The participant's unsent draft; None in a new session."""
        return None if self.resume_point is None else self.session_data.draft

    def discard(self) -> None:
        """Delete a session that was never started: its log, its stored data and its agents.

        Of a session that is resumed, only the agents are released; the log stays as it was.
        """
        self.plan.discard_agents()
        if self.resume_point is not None:
            self.log.close()
            return
        self.log.discard()
        self.session_data.delete()

    def create_live_session(
        self,
        report: Callable[[BaseException], object],
        on_any_event: Callable[[Event], object] = lambda _event: None,
        *,
        has_window: bool = True,
    ) -> LiveSession:
        """Return the live session.

        Args:
            report: Called with an unexpected error, for the crash file.
            on_any_event: Receives every event, whichever seats may see it.
            has_window: Whether the first person's window is in this process.
        """
        return LiveSession(
            self.plan,
            log=self.log,
            report=report,
            persistence=self.session_data,
            resume_point=self.resume_point,
            on_any_event=on_any_event,
            has_window=has_window,
        )


def open_session(plan: SessionPlan, data_dir: Path, report: Callable[[BaseException], object]) -> OpenSession:
    """Open a new session, with a log in a new folder.

    Raises:
        NegoError: If it cannot be recorded, the disk has too little room, or another session of the
            participant's code is running and the plan does not allow that; then all agents are released.
    """
    keep_user_files_from_agents(data_dir)
    sessions = data_dir / SESSIONS
    _remove_stale_output(sessions)
    try:
        check_free_space(sessions)
        writer = plan.create_log(sessions)
        try:
            if plan.study is None and not plan.allows_another:
                found = participant_sessions(plan.participant, sessions, *fallback_folders(data_dir))
                check_not_running(found, writer.path)
        except NegoError:
            writer.discard()
            raise
    except NegoError:
        plan.discard_agents()
        raise
    plan.move_agent_output(writer.path.parent)
    return session_with_log(plan, writer, data_dir, report)


def is_first_session(session: OpenSession, data_dir: Path) -> bool:
    """Return whether there is no earlier session with the same participant's code."""
    own, code = session.log.path.parent.name, session.plan.participant
    kept = (data_dir / SESSIONS).glob(f"*-{code}-*/{LOG_NAME}")
    return not any(log.parent.name != own and _is_session_of(log, code) for log in kept)


def _is_session_of(log: Path, participant: str) -> bool:
    """Return whether a log is of a participant's session; an unreadable log is, by its folder's name."""
    try:
        header = read_header(log)
    except (OSError, NegoError):
        return True
    return any(occupant.participant == participant for _, occupant in header.seats.items())


def _remove_stale_output(sessions: Path) -> None:
    """Delete output files of agents whose program was killed during the start.

    Files of the last hour are kept: another window may be starting right now.
    """
    for printed in sessions.glob(STARTING_PATTERN):
        with suppress(OSError):
            if time.time() - printed.lstat().st_mtime > LONGEST_START:
                printed.unlink()


def session_with_log(
    plan: SessionPlan,
    writer: LogWriter,
    data_dir: Path,
    report: Callable[[BaseException], object],
    resume_point: ResumePoint | None = None,
) -> OpenSession:
    """Return a session whose log is open."""
    session_data = SessionDataAutosave(
        data_dir, plan.session_id, lambda sentence: report(NegoError(sentence))
    )
    session_data.record_start(plan, writer.path)
    # The usual place comes last: a session resumed elsewhere may find room there again.
    log = FailoverLog(writer, fallbacks=[*fallback_folders(data_dir), data_dir / SESSIONS])
    return OpenSession(plan, log, session_data, resume_point)


def fallback_folders(data_dir: Path) -> list[Path]:
    """Return the folders, in order of preference, for a log that can no longer be written in its own folder.

    The folder for temporary files comes last, as it may be emptied when the computer starts; all users may
    write there, so a folder in it that belongs to another user is not used.
    """
    state = path_or_none(lambda: platformdirs.user_state_path(APP_NAME, appauthor=False))
    of_their_own = [
        (user_folder_if_any(), SESSIONS),
        (state, SESSIONS),
        (path_or_none(Path.home), FALLBACK_FOLDER),
    ]
    folders = [folder / name for folder, name in of_their_own if folder is not None]
    temporary = Path(tempfile.gettempdir()) / FALLBACK_FOLDER
    if is_owned_by_user(temporary):
        folders.append(temporary)
    return [folder for folder in dict.fromkeys(folders) if folder != data_dir / SESSIONS]
