"""Session time, and a clock that is advanced by hand."""

from __future__ import annotations

from collections.abc import Callable

Clock = Callable[[], float]
"""Seconds of session time; never goes back."""


class VirtualClock:
    """Clock that stands still until it is advanced."""

    def __init__(self) -> None:
        self._now = 0.0

    def __call__(self) -> float:
        return self._now

    def advance_to(self, t: float) -> None:
        """Advance to a later time; an earlier one changes nothing."""
        self._now = max(self._now, t)
