"""A session that is ready to be played at a live table: who plays what, its log, and what is kept of it."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs

from negoplatform.app.session.agent_setup import STARTING
from negoplatform.app.session.live_session import LiveTable, Past
from negoplatform.app.session.session_keeper import SessionKeeper
from negoplatform.app.session.session_plan import Sitting
from negoplatform.core.events import Event
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.disk import LOG_NAME, is_ours
from negoplatform.eventlog.failover import GuardedLog, check_free_space
from negoplatform.eventlog.reader import LONGEST_HEADER
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.log_header import decode_header
from negoplatform.plugins.paths import APP_NAME, at_home, user_folder_if_any

SESSIONS = "sessions"
"""The folder of the user's folder in which every session has one of its own."""

LONGEST_START = 3600.0
"""Seconds; a start takes some."""

ELSEWHERE = "NegoPlatform-sessions"
"""The same in a folder in which other things lie too."""


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session that is ready to be played.

    Args:
        sitting: Who plays what.
        log: Where its events go.
        keeper: Keeps what outlives it.
        past: What it goes on from; None: it is new.
    """

    sitting: Sitting
    log: GuardedLog
    keeper: SessionKeeper
    past: Past | None = None

    @property
    def kept(self) -> Mapping[str, Any] | None:
        """What the participant had prepared and not sent; None in a new session."""
        return None if self.past is None else self.keeper.draft

    def discard(self) -> None:
        """Take everything of a session away that never began: its log, what is kept of it, and its agents."""
        self.sitting.dismiss()
        self.log.discard()
        self.keeper.forget()

    def table(
        self,
        report: Callable[[BaseException], object],
        witness: Callable[[Event], object] = lambda _event: None,
    ) -> LiveTable:
        """The table at which it is played; a witness is given every event, whoever may see it."""
        return LiveTable(
            self.sitting,
            log=self.log,
            report=report,
            keeper=self.keeper,
            resumed=self.past,
            witness=witness,
        )


def open_session(sitting: Sitting, data_dir: Path, report: Callable[[BaseException], object]) -> OpenSession:
    """A new session, with a log in a new folder of its own.

    Raises:
        NegoError: If it cannot be recorded, or the disk has too little room; then no agent is left waiting.
    """
    sessions = data_dir / SESSIONS
    _clear_starts(sessions)
    try:
        check_free_space(sessions)
        writer = sitting.log_in(sessions)
    except NegoError:
        sitting.dismiss()
        raise
    sitting.gather_output(writer.path.parent)
    return opened(sitting, writer, data_dir, report)


def is_newcomer(session: OpenSession, data_dir: Path) -> bool:
    """Whether no earlier session of the same participant's code is kept."""
    own, code = session.log.path.parent.name, session.sitting.participant
    kept = (data_dir / SESSIONS).glob(f"*-{code}-*/{LOG_NAME}")
    return not any(log.parent.name != own and _is_of(log, code) for log in kept)


def _is_of(log: Path, participant: str) -> bool:
    """Whether a log is of a participant's session; one that cannot be read is, as its folder's name says."""
    try:
        with log.open("rb") as lines:
            header = decode_header(lines.readline(LONGEST_HEADER), log)
    except (OSError, NegoError):
        return True
    return any(occupant.participant == participant for _, occupant in header.seats.items())


def _clear_starts(sessions: Path) -> None:
    """Takes away what agents printed whose program was killed while they began.

    Nothing that began within the hour: another window may be beginning right now. And nothing on Windows,
    where what belongs to a session stays there too.
    """
    if os.name == "nt":
        return
    for printed in sessions.glob(STARTING):
        with suppress(OSError):
            if time.time() - printed.lstat().st_mtime > LONGEST_START:
                printed.unlink()


def opened(
    sitting: Sitting,
    writer: LogWriter,
    data_dir: Path,
    report: Callable[[BaseException], object],
    past: Past | None = None,
) -> OpenSession:
    """A session whose log is open."""
    keeper = SessionKeeper(data_dir, sitting.session_id, lambda sentence: report(NegoError(sentence)))
    keeper.begin(sitting, writer.path)
    # Last the usual place: a session that was resumed elsewhere may find room there again.
    log = GuardedLog(writer, fallbacks=[*fallback_folders(data_dir), data_dir / SESSIONS])
    return OpenSession(sitting, log, keeper, past)


def fallback_folders(data_dir: Path) -> list[Path]:
    """Where a log goes on that can no longer be written in its own folder, in the order to try.

    The folder for temporary files comes last, as it may be emptied when the computer starts; everybody may
    write there, so one that somebody else has put there is left alone.
    """
    state = at_home(lambda: platformdirs.user_state_path(APP_NAME, appauthor=False))
    of_their_own = [(user_folder_if_any(), SESSIONS), (state, SESSIONS), (at_home(Path.home), ELSEWHERE)]
    folders = [folder / name for folder, name in of_their_own if folder is not None]
    temporary = Path(tempfile.gettempdir()) / ELSEWHERE
    if is_ours(temporary):
        folders.append(temporary)
    return [folder for folder in dict.fromkeys(folders) if folder != data_dir / SESSIONS]
