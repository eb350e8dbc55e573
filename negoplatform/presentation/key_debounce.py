"""Detection of deliberate key presses, as opposed to a held key or a trembling finger. No Tk."""

from __future__ import annotations

MIN_VISIBLE_SECONDS = 1.0
"""Seconds for which something has to be visible before it can have been read and judged."""

REPEAT_MS = 20
"""Milliseconds within which X11 releases and presses a held key again; no finger is as fast."""


class KeyDebounce:
    """Debouncer for a key whose first press shows something that the next press may confirm."""

    def __init__(self) -> None:
        self._down = False
        self._released_ms: int | None = None
        self._shown_at = float("-inf")

    def on_shown(self, now: float) -> None:
        """Record that something appeared that a press may confirm; ``now`` in seconds of any clock."""
        self._shown_at = now

    def reset(self) -> None:
        """Forget the key's state, because its release will not be reported."""
        self._down, self._released_ms = False, None

    def on_release(self, ms: int) -> None:
        """Record a release of the key; ``ms`` is the time of the event."""
        self._released_ms = ms

    def is_confirmation(self, ms: int, now: float) -> bool:
        """Record a press; return whether it is a new press, after what appeared could be read."""
        return self.is_new_press(ms) and self.has_been_visible(now)

    def is_new_press(self, ms: int) -> bool:
        """Record a press; return whether it is a new press rather than the repetition of a held key."""
        held = self._down and (self._released_ms is None or abs(ms - self._released_ms) <= REPEAT_MS)
        self._down, self._released_ms = True, None
        return not held

    def has_been_visible(self, now: float) -> bool:
        """Return whether what appeared has been visible long enough to be read."""
        return now - self._shown_at >= MIN_VISIBLE_SECONDS
