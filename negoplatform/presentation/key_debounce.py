"""Tells a press of a key that was meant from one that came of a held or a trembling finger. No Tk."""

from __future__ import annotations

UNSEEN_SECONDS = 1.0
"""Nobody has read and judged what appeared so shortly before."""

REPEAT_MS = 20
"""X11 lets a held key go and presses it again within this time; no finger is so quick."""


class SecondPress:
    """Presses of one key, of which the first made something appear, and the next may confirm it."""

    def __init__(self) -> None:
        self._down = False
        self._let_go_ms: int | None = None
        self._shown_at = float("-inf")

    def shown(self, now: float) -> None:
        """Something appeared that a press may confirm; ``now`` in seconds of any clock."""
        self._shown_at = now

    def left(self) -> None:
        """The key is not watched any more; how it comes to be let go will not be seen."""
        self._down, self._let_go_ms = False, None

    def let_go(self, ms: int) -> None:
        """The key came up; ``ms`` is the time that its event bears."""
        self._let_go_ms = ms

    def counts(self, ms: int, now: float) -> bool:
        """The key went down: whether that is a press of its own, of somebody who has seen what appeared."""
        return self.is_press(ms) and self.seen(now)

    def is_press(self, ms: int) -> bool:
        """The key went down: whether that is a press of its own, and no repetition of a held key."""
        held = self._down and (self._let_go_ms is None or abs(ms - self._let_go_ms) <= REPEAT_MS)
        self._down, self._let_go_ms = True, None
        return not held

    def seen(self, now: float) -> bool:
        """Whether what appeared has been there long enough to be read."""
        return now - self._shown_at >= UNSEEN_SECONDS
