"""Session time on the wall: steady, and stopped while the session stands still."""

from __future__ import annotations

import time
from collections.abc import Callable


class LiveClock:
    """Seconds of session time, by a clock that no change of the time of day moves. Made standing still.

    Args:
        t: Where it stands.
        steady: Seconds from any beginning that never go back.
    """

    def __init__(self, t: float = 0.0, *, steady: Callable[[], float] = time.monotonic) -> None:
        self._steady = steady
        self._stood_at: float | None = t
        self.zero = steady() - t

    def __call__(self) -> float:
        return self._steady() - self.zero if self._stood_at is None else self._stood_at

    def stop(self) -> None:
        """Session time stands still from now on."""
        if self._stood_at is None:
            self._stood_at = self._steady() - self.zero

    def go_on(self) -> None:
        """Session time goes on from where it stood."""
        if self._stood_at is not None:
            self.zero = self._steady() - self._stood_at
            self._stood_at = None
