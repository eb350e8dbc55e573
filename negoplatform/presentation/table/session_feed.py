"""What a table has told its window so far, and what time it is there: no Tk."""

from __future__ import annotations

import time
from queue import Empty

from negoplatform.app.session.live_session import LiveTable, Update
from negoplatform.core.state import Phase


class Feed:
    """The newest update, and the session's time.

    Args:
        table: The table whose updates are taken.
    """

    def __init__(self, table: LiveTable) -> None:
        self._updates = table.updates
        self._standing_still_at: float | None = None
        self.newest: Update | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more will arrive."""
        return self.newest is not None and self.newest.finished

    @property
    def paused(self) -> bool:
        """Whether the session stands still."""
        return self.newest is not None and bool(self.newest.frozen) and not self.over

    @property
    def held(self) -> bool:
        """Whether the session stands still while the participant reads."""
        return self.newest is not None and self.newest.held and not self.over

    @property
    def stands_still(self) -> str:
        """Why the session stands still; empty if it does not."""
        return self.newest.frozen if self.newest is not None and self.paused else ""

    @property
    def running(self) -> bool:
        """Whether the game has not ended, or has not even begun."""
        return self.newest is None or not (self.over or self.newest.view.state.phase is Phase.CLOSING)

    @property
    def now(self) -> float:
        """Session time in seconds: 0 before anything arrived; it stands still while the session does."""
        if self.newest is None:
            return 0.0
        still = self._standing_still_at
        return time.monotonic() - self.newest.zero if still is None else still

    def take(self) -> Update | None:
        """The next update that waits, if there is one; it is the newest from now on."""
        try:
            update = self._updates.get_nowait()
        except Empty:
            return None
        self.newest = update
        if not (update.frozen or update.held):
            self._standing_still_at = None
        elif self._standing_still_at is None:
            self._standing_still_at = time.monotonic() - update.zero
        return update
