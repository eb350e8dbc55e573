"""Updates that a live table sends its window, read from its queue by a test."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty

from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.participant_seat import SessionUpdate
from negoplatform.domain.seat_map import Seat

LONGEST = 20.0
"""Seconds to wait for an update that has to come; an upper bound, not a measure."""


class Told:
    """Updates that a table has sent its window, as far as a test has read them.

    Args:
        table: The table.
    """

    def __init__(self, table: LiveSession) -> None:
        self.updates: list[SessionUpdate] = []
        self._table = table

    @property
    def seat(self) -> Seat:
        """The seat of the window."""
        return self._table.seat

    def wait_for(self, wanted: Callable[[SessionUpdate], bool], patience: float = LONGEST) -> SessionUpdate:
        """Return the next update that meets a condition.

        Raises:
            AssertionError: If there is none in so many seconds.
        """
        until = time.monotonic() + patience
        while (left := until - time.monotonic()) > 0:
            try:
                self.updates.append(self._table.updates.get(timeout=left))
            except Empty:
                break
            if wanted(self.updates[-1]):
                return self.updates[-1]
        raise AssertionError("The table did not say what it should.")

    def look(self, wanted: Callable[[SessionUpdate], bool]) -> bool:
        """Return whether an update that is there already meets a condition."""
        while not self._table.updates.empty():
            self.updates.append(self._table.updates.get())
            if wanted(self.updates[-1]):
                return True
        return False
