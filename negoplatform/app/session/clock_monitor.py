"""Notices what the computer's clocks do, so that the log can say it; session time does not follow them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from negoplatform.core.notes import NoteKind

JUMP_SECONDS = 1.0
"""A step of the time of day by this much between two looks is a jump."""

SLEEP_SECONDS = 1.0
"""So much time that only a sleeping computer lets pass is a suspend."""

DRIFT_SECONDS = 1.0
"""So much difference, gathered in small steps, is drift."""


class ClockAnomaly(NamedTuple):
    """What a clock did: a kind of note, and by how many seconds."""

    kind: NoteKind
    seconds: float


def boot_time() -> float:
    """Seconds that go on while the computer sleeps, where the system counts them; else steady seconds."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class ClockMonitor:
    """Compares the time of day with steady time at every look.

    Where the system's steady clock stands still in a suspend, the difference between the two tells how long
    it slept; where nothing counts that, a suspend shows as a jump of the time of day.

    Args:
        wall: The time of day in seconds.
        steady: Seconds that no change of the time of day moves.
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
        """What has happened since the last look."""
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
