"""What is due when: one heap, ordered by (time, priority, sequence)."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from enum import IntEnum
from itertools import count


class Priority(IntEnum):
    """Who comes first at one instant: at the deadline the game is over before anybody acts."""

    PLATFORM = 0
    SEAT = 1


class TimerHandle:
    """Something that is due at a time, unless it is cancelled before."""

    __slots__ = ("callback", "pending", "when")

    def __init__(self, at: float, call: Callable[[], None]) -> None:
        self.when = at
        self.callback = call
        self.pending = True

    def cancel(self) -> None:
        """It will not be called."""
        self.pending = False


class Scheduler:
    """Calls entries when they are due; whoever owns the clock says what time it is."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, int, TimerHandle]] = []
        self._sequence = count()

    def call_at(self, t: float, call: Callable[[], None], priority: Priority = Priority.SEAT) -> TimerHandle:
        """Makes ``call`` due at session time ``t`` (seconds, rounded to the millisecond)."""
        entry = TimerHandle(round(t, 3), call)
        # The sequence number is unique, so that two entries of one instant are never compared by content.
        heapq.heappush(self._heap, (entry.when, priority, next(self._sequence), entry))
        return entry

    def next_due(self) -> float | None:
        """When the next entry is due; None if nothing waits."""
        heap = self._heap
        while heap and not heap[0][3].pending:
            heapq.heappop(heap)
        return heap[0][0] if heap else None

    def run_next(self, now: float) -> bool:
        """Calls the next entry if it is due by now; whether there was one."""
        due = self.next_due()
        if due is None or due > now:
            return False
        entry = heapq.heappop(self._heap)[3]
        entry.pending = False
        entry.callback()
        return True

    def clear(self) -> None:
        """Forgets everything that waits."""
        self._heap.clear()
