"""What a table has told its window so far, and what time it is there: no Tk."""

from __future__ import annotations

import time
from queue import Empty

from negoplatform.app.session.live_session import LiveSession, SessionUpdate
from negoplatform.core.state import Phase


class SessionFeed:
    """The newest update, and the session's time.

    Args:
        table: The table whose updates are taken.
    """

    def __init__(self, table: LiveSession) -> None:
        self._updates = table.updates
        self._paused_at: float | None = None
        self.newest: SessionUpdate | None = None

    @property
    def finished(self) -> bool:
        """Whether nothing more will arrive."""
        return self.newest is not None and self.newest.finished

    @property
    def paused(self) -> bool:
        """Whether the session stands still."""
        return self.newest is not None and bool(self.newest.frozen) and not self.finished

    @property
    def held(self) -> bool:
        """Whether the session stands still while the participant reads."""
        return self.newest is not None and self.newest.paused and not self.finished

    @property
    def pause_reason(self) -> str:
        """Why the session stands still; empty if it does not."""
        return self.newest.frozen if self.newest is not None and self.paused else ""

    @property
    def running(self) -> bool:
        """Whether the game has not ended, or has not even begun."""
        return self.newest is None or not (self.finished or self.newest.view.state.phase is Phase.CLOSING)

    @property
    def now(self) -> float:
        """Session time in seconds: 0 before anything arrived; it stands still while the session does."""
        if self.newest is None:
            return 0.0
        still = self._paused_at
        return time.monotonic() - self.newest.time_origin if still is None else still

    def next_update(self) -> SessionUpdate | None:
        """The next update that waits, if there is one; it is the newest from now on."""
        try:
            update = self._updates.get_nowait()
        except Empty:
            return None
        self.newest = update
        if not (update.frozen or update.paused):
            self._paused_at = None
        elif self._paused_at is None:
            self._paused_at = time.monotonic() - update.time_origin
        return update
