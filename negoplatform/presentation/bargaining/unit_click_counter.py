"""Number of units that a click on a column gives: one, or all by a double click. No Tk."""

from __future__ import annotations

from dataclasses import dataclass

from negoplatform.domain.offer import Allocation

DOUBLE_MS, RUN_GAP_MS = 300, 1000
"""Maximum time in milliseconds between two clicks of a double click, and between two clicks of a run."""


@dataclass(frozen=True, slots=True)
class UnitClick:
    """Effect of a click.

    Args:
        start: Allocation from which the click counts.
        units: Number of units given from there; None for all.
        run: Number of the run, under which its clicks are undone together; None if the click is undone alone.
    """

    start: Allocation
    units: int | None
    run: int | None


class UnitClickCounter:
    """Counter of clicks on the columns of one issue.

    Only the first two clicks of a run can be a double click, so counting by clicks does not give all units at
    the end; if clicks follow a double click, the whole run counts from its first click.
    """

    def __init__(self) -> None:
        self._column: object = None
        self._at_ms = 0
        self._start = self._last_allocation = Allocation({})
        self._count = self._run = 0
        self._double = False

    def click(self, column: object, at_ms: int, now: Allocation) -> UnitClick:
        """Return the effect of a click on a column; ``now`` is the current allocation."""
        gap = at_ms - self._at_ms
        continues = column is self._column and now == self._last_allocation and 0 <= gap <= RUN_GAP_MS
        self._column, self._at_ms = column, at_ms
        if not continues:
            self._start, self._double, self._count, self._run = now, False, 1, self._run + 1
            return UnitClick(now, 1, self._run)
        self._count += 1
        if self._count == 2:
            self._double = gap <= DOUBLE_MS
        if not self._double:
            return UnitClick(now, 1, None)
        return UnitClick(self._start, None if self._count == 2 else self._count, self._run)

    def record_allocation(self, now: Allocation) -> None:
        """Record the allocation after a click; a run ends when anything else changes it."""
        self._last_allocation = now
