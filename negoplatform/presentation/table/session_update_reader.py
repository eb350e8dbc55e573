"""Latest update from a live session, and its session time. No Tk."""

from __future__ import annotations

import time
from queue import Empty

from negoplatform.app.session.participant_seat import ParticipantSeat, SessionUpdate
from negoplatform.core.state import Phase


class SessionUpdateReader:
    """Reader of a live session's updates.

    Args:
        table: The participant's seat in the session whose updates are read.
    """

    def __init__(self, table: ParticipantSeat) -> None:
        self._updates = table.updates
        self._paused_at: float | None = None
        self.newest: SessionUpdate | None = None

    @property
    def finished(self) -> bool:
        """Whether no more updates will arrive."""
        return self.newest is not None and self.newest.finished

    @property
    def paused(self) -> bool:
        """Whether the session is frozen because of a failure."""
        return self.newest is not None and bool(self.newest.frozen) and not self.finished

    @property
    def held(self) -> bool:
        """Whether the session is paused while the participant reads."""
        return self.newest is not None and self.newest.paused and not self.finished

    @property
    def pause_reason(self) -> str:
        """Reason why the session is frozen; empty if it is not."""
        return self.newest.frozen if self.newest is not None and self.paused else ""

    @property
    def running(self) -> bool:
        """Whether the game has not ended; true also before it begins."""
        return self.newest is None or not (self.finished or self.newest.view.state.phase is Phase.CLOSING)

    @property
    def now(self) -> float:
        """Session time in seconds; 0 before the first update, and constant while the session is paused."""
        if self.newest is None:
            return 0.0
        still = self._paused_at
        return time.monotonic() - self.newest.time_origin if still is None else still

    def next_update(self) -> SessionUpdate | None:
        """Return the next queued update, which becomes the newest; None if there is none."""
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
