"""Session time on the wall: steady, and stopped while the session stands still."""

from __future__ import annotations

import time
from collections.abc import Callable


class SessionClock:
    """Seconds of session time, by a clock that no change of the time of day moves. Made standing still.

    It stands still while there is a reason to; the reason at first is that the session has not started.

    Args:
        t: Where it stands.
        steady: Seconds from any beginning that never go back.
    """

    def __init__(self, t: float = 0.0, *, steady: Callable[[], float] = time.monotonic) -> None:
        self._steady = steady
        self._stopped_at: float | None = t
        self._reasons = {""}
        self.time_origin = steady() - t

    def __call__(self) -> float:
        return self._steady() - self.time_origin if self._stopped_at is None else self._stopped_at

    def stop(self, reason: str = "", *, at: float | None = None) -> None:
        """Session time stands still from now on, or at a time that has just come."""
        self._reasons.add(reason)
        if self._stopped_at is None:
            self._stopped_at = self._steady() - self.time_origin if at is None else at

    def resume(self, reason: str = "") -> None:
        """Session time goes on from where it stood, unless there is another reason to stand still."""
        self._reasons.discard(reason)
        if self._stopped_at is not None and not self._reasons:
            self.time_origin = self._steady() - self._stopped_at
            self._stopped_at = None
