"""Monitor of the computer's clocks, for notes in the log; session time does not follow these clocks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from negoplatform.core.notes import NoteKind

JUMP_SECONDS = 1.0
"""Smallest step of the time of day between two polls that counts as a jump."""

SLEEP_SECONDS = 1.0
"""Smallest time counted only by the boot clock that counts as a suspend."""

DRIFT_SECONDS = 1.0
"""Smallest difference, added up from small steps, that counts as drift."""


class ClockAnomaly(NamedTuple):
    """Anomaly of a clock: the kind of note, and the number of seconds."""

    kind: NoteKind
    seconds: float


def boot_time() -> float:
    """Return seconds that include the computer's sleep, where the system counts them; else monotonic ones."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class ClockMonitor:
    """Comparison of the time of day with monotonic time at every poll.

    Where the system's monotonic clock stops in a suspend, the difference from the boot clock is the length of
    the suspend; where no clock counts that, a suspend appears as a jump of the time of day.

    Args:
        wall: The time of day in seconds.
        steady: Seconds that no change of the time of day affects.
        boot: The same, going on while the computer sleeps.
    """

    def __init__(
        self,
        *,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
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
        moved = wall - max(boot, steady)
        if abs(moved) >= JUMP_SECONDS:
            yield ClockAnomaly(NoteKind.CLOCK_JUMP, round(moved, 3))
            return
        self._drift += moved
        if abs(self._drift) >= DRIFT_SECONDS:
            yield ClockAnomaly(NoteKind.CLOCK_DRIFT, round(self._drift, 3))
            self._drift = 0.0

    def _read(self) -> tuple[float, float, float]:
        return self._wall(), self._steady(), self._boot()
