"""Recognition of acts that are sent twice by one gesture: a held key, a double click, a button and a key."""

from __future__ import annotations

import time
from collections.abc import Callable

REPEAT_SECONDS = 2.0
"""An act that equals the one before it within this time is a repeat."""


class RepeatFilter:
    """The last act of one kind, and when it was asked for.

    Args:
        lasting: Whether a repeat starts the time anew. Then a held key never gets through again; otherwise it
            does every ``REPEAT_SECONDS``.
        now: A monotonic clock in seconds.
    """

    def __init__(self, *, restart_on_repeat: bool, now: Callable[[], float] = time.monotonic) -> None:
        self._restart_on_repeat = restart_on_repeat
        self._now = now
        self._last: object = None
        self._at = float("-inf")

    def is_repeat(self, act: object) -> bool:
        """Return whether ``act`` repeats the one before it, and remember it."""
        now = self._now()
        repeated = act == self._last and now - self._at < REPEAT_SECONDS
        if self._restart_on_repeat or not repeated:
            self._last, self._at = act, now
        return repeated
