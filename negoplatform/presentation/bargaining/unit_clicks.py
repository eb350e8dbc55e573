"""What a click on a column of units gives: one unit, or all of them by a double click. No Tk."""

from __future__ import annotations

from dataclasses import dataclass

from negoplatform.domain.offer import Allocation

DOUBLE_MS, RUN_GAP_MS = 300, 1000
"""No further apart than the first, two clicks are a double click; than the second, clicks are one run."""


@dataclass(frozen=True, slots=True)
class UnitClick:
    """What a click gives.

    Args:
        start: How the units were divided where it counts from.
        units: How many it gives from there; None for all.
        run: The number of the run if it is undone together with others of it, else None.
    """

    start: Allocation
    units: int | None
    run: int | None


class ClickCounter:
    """Clicks on the columns of one issue.

    Only the first two clicks of a run can be a double click, so that nobody who counts by clicks gets all
    at the last one; and whoever goes on after a double click has counted from the first.
    """

    def __init__(self) -> None:
        self._column: object = None
        self._at_ms = 0
        self._start = self._last_allocation = Allocation({})
        self._count = self._run = 0
        self._double = False

    def click(self, column: object, at_ms: int, now: Allocation) -> UnitClick:
        """Return what a click on a column gives; ``now``: how the units are divided."""
        gap = at_ms - self._at_ms
        goes_on = column is self._column and now == self._last_allocation and 0 <= gap <= RUN_GAP_MS
        self._column, self._at_ms = column, at_ms
        if not goes_on:
            self._start, self._double, self._count, self._run = now, False, 1, self._run + 1
            return UnitClick(now, 1, self._run)
        self._count += 1
        if self._count == 2:
            self._double = gap <= DOUBLE_MS
        if not self._double:
            return UnitClick(now, 1, None)
        return UnitClick(self._start, None if self._count == 2 else self._count, self._run)

    def record_allocation(self, now: Allocation) -> None:
        """Take note of what a click has left; a run ends where anything else changes that."""
        self._last_allocation = now
