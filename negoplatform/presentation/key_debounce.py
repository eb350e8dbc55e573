"""Tells a press of a key that was meant from one that came of a held or a trembling finger. No Tk."""

from __future__ import annotations

MIN_VISIBLE_SECONDS = 1.0
"""Nobody has read and judged what appeared so shortly before."""

REPEAT_MS = 20
"""X11 lets a held key go and presses it again within this time; no finger is so quick."""


class KeyDebounce:
    """Presses of one key, of which the first made something appear, and the next may confirm it."""

    def __init__(self) -> None:
        self._down = False
        self._released_ms: int | None = None
        self._shown_at = float("-inf")

    def on_shown(self, now: float) -> None:
        """Something appeared that a press may confirm; ``now`` in seconds of any clock."""
        self._shown_at = now

    def reset(self) -> None:
        """The key is not watched any more; how it comes to be let go will not be seen."""
        self._down, self._released_ms = False, None

    def on_release(self, ms: int) -> None:
        """The key came up; ``ms`` is the time that its event bears."""
        self._released_ms = ms

    def is_confirmation(self, ms: int, now: float) -> bool:
        """The key went down: whether that is a press of its own, of somebody who has seen what appeared."""
        return self.is_new_press(ms) and self.has_been_visible(now)

    def is_new_press(self, ms: int) -> bool:
        """The key went down: whether that is a press of its own, and no repetition of a held key."""
        held = self._down and (self._released_ms is None or abs(ms - self._released_ms) <= REPEAT_MS)
        self._down, self._released_ms = True, None
        return not held

    def has_been_visible(self, now: float) -> bool:
        """Whether what appeared has been there long enough to be read."""
        return now - self._shown_at >= MIN_VISIBLE_SECONDS
