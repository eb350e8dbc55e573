"""Scheduler of timed calls: one heap, ordered by (time, priority, sequence)."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from enum import IntEnum
from itertools import count
from typing import Any


class Priority(IntEnum):
    """Order of calls at one instant: at the deadline the game is over before any seat acts."""

    PLATFORM = 0
    SEAT = 1


class TimerHandle(list[Any]):
    """Call that is due at a time, unless it is cancelled before.

    A list, as the documentation of ``heapq`` proposes for entries that can be cancelled: time, priority,
    sequence number and call. The call is None once it was made or cancelled.
    """

    __slots__ = ()

    @property
    def when(self) -> float:
        """Session time (s) at which the call is due."""
        due: float = self[0]
        return due

    @property
    def callback(self) -> Callable[[], None] | None:
        """The call; None once it was made or cancelled."""
        call: Callable[[], None] | None = self[3]
        return call

    @property
    def pending(self) -> bool:
        """Whether the call is still to be made."""
        return self[3] is not None

    def cancel(self) -> None:
        """Cancel the call."""
        self[3] = None


class Scheduler:
    """Queue of calls with due times; the owner of the clock passes in the time."""

    def __init__(self) -> None:
        self._heap: list[TimerHandle] = []
        self._sequence = count()

    def call_at(self, t: float, call: Callable[[], None], priority: Priority = Priority.SEAT) -> TimerHandle:
        """Schedule ``call`` for session time ``t`` (seconds, rounded to the millisecond)."""
        # The sequence number is unique, so the calls of two entries are never compared.
        entry = TimerHandle((round(t, 3), priority, next(self._sequence), call))
        heapq.heappush(self._heap, entry)
        return entry

    def next_due(self) -> float | None:
        """Return when the next entry is due; None if there is none."""
        heap = self._heap
        while heap and heap[0][3] is None:
            heapq.heappop(heap)
        return heap[0][0] if heap else None

    def pop_next(self) -> tuple[float, Callable[[], None]] | None:
        """Take out the next entry; return its session time (s) and its call, or None if there is none."""
        heap = self._heap
        while heap:
            entry = heapq.heappop(heap)
            when, _, _, call = entry
            if call is not None:
                entry[3] = None
                return when, call
        return None

    def run_next(self, now: float) -> bool:
        """Call the next entry if it is due by now; return whether there was one."""
        due = self.next_due()
        if due is None or due > now:
            return False
        if (entry := self.pop_next()) is not None:
            entry[1]()
        return True

    def clear(self) -> None:
        """Discard all entries."""
        self._heap.clear()
