"""Session time on a real clock: monotonic, and stopped while the session is.

The monitor compares the computer's other clocks with it, for notes in the log; session time does not follow
them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from negoplatform.core.log_note_kinds import NoteKind

if sys.platform == "win32":
    import ctypes

JUMP_SECONDS = 1.0
"""Smallest step of the time of day between two polls that counts as a jump."""

SLEEP_SECONDS = 1.0
"""Smallest time counted only by the boot clock that counts as a suspend."""

DRIFT_SECONDS = 1.0
"""Smallest difference, added up from small steps, that counts as drift."""


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


class ClockAnomaly(NamedTuple):
    """Anomaly of a clock: the kind of note, and the number of seconds."""

    kind: NoteKind
    seconds: float


def boot_time() -> float:
    """Return seconds that include the computer's sleep, where the system counts them; else monotonic ones."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def awake_time() -> float:
    """Return seconds without the computer's sleep, where the system counts them; else monotonic ones."""
    if sys.platform == "win32":
        # The monotonic clock of Windows continues in a suspend.
        ticks = ctypes.c_ulonglong()
        if ctypes.windll.kernel32.QueryUnbiasedInterruptTime(ctypes.byref(ticks)):
            return ticks.value / 10_000_000
    return time.monotonic()


class ClockMonitor:
    """Comparison of the time of day with monotonic time at every poll.

    Where the system's monotonic clock stops in a suspend, the difference from the boot clock is the length of
    the suspend; where no clock counts that, a suspend appears as a jump of the time of day.

    Args:
        wall: The time of day in seconds.
        steady: Seconds that no change of the time of day affects, and that stop while the computer sleeps.
        boot: The same, going on while the computer sleeps.
    """

    def __init__(
        self,
        *,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = awake_time,
        boot: Callable[[], float] = boot_time,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._boot = boot
        self._last = self._read()
        self._drift = 0.0

    def poll(self) -> Iterator[ClockAnomaly]:
        """Yield the anomalies since the last poll."""
        now, last = self._read(), self._last
        self._last = now
        wall, steady, boot = (after - before for after, before in zip(now, last, strict=True))
        slept = boot - steady
        if slept >= SLEEP_SECONDS:
            yield ClockAnomaly(NoteKind.SUSPENDED, round(slept, 3))
        # Not the larger of both clocks: one that advances in steps, as on Windows, would add up to a drift.
        moved = wall - boot
        if abs(moved) >= JUMP_SECONDS:
            yield ClockAnomaly(NoteKind.CLOCK_JUMP, round(moved, 3))
            return
        self._drift += moved
        if abs(self._drift) >= DRIFT_SECONDS:
            yield ClockAnomaly(NoteKind.CLOCK_DRIFT, round(self._drift, 3))
            self._drift = 0.0

    def _read(self) -> tuple[float, float, float]:
        return self._wall(), self._steady(), self._boot()
