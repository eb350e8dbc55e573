"""Session time on a real clock: monotonic, and stopped while the session is."""

from __future__ import annotations

import time
from collections.abc import Callable


class SessionClock:
    """Seconds of session time, independent of the time of day. Stopped when created.

    It is stopped while there is a reason; the first reason is that the session has not started.

    Args:
        t: The time at which it starts.
        steady: Monotonic seconds from any origin.
    """

    def __init__(self, t: float = 0.0, *, steady: Callable[[], float] = time.monotonic) -> None:
        self._steady = steady
        self._stopped_at: float | None = t
        self._reasons = {""}
        self.time_origin = steady() - t

    def __call__(self) -> float:
        return self._steady() - self.time_origin if self._stopped_at is None else self._stopped_at

    def stop(self, reason: str = "", *, at: float | None = None) -> None:
        """Stop session time now, or at a time that has just passed."""
        self._reasons.add(reason)
        if self._stopped_at is None:
            self._stopped_at = self._steady() - self.time_origin if at is None else at

    def resume(self, reason: str = "") -> None:
        """Continue session time, unless there is another reason for it to be stopped."""
        self._reasons.discard(reason)
        if self._stopped_at is not None and not self._reasons:
            self.time_origin = self._steady() - self._stopped_at
            self._stopped_at = None
