"""The clock of a playback: play, pause, faster, and long silences made short."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import pairwise

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds of session time in one second."""

LONGEST_SILENCE = 3.0
"""Seconds of session time that a silence takes at most, where long ones are made short."""


class PlaybackClock:
    """Where in a session a playback is.

    Long silences are not jumped over but run through faster, so that a time is reached exactly once, and the
    line on the timeline never stands still.

    Args:
        times: The session times of what an observer can see happen; between them nothing happens.
        end: The session time of the last event.
        now: Seconds that only grow, such as ``time.monotonic``.
    """

    def __init__(self, times: Iterable[float], end: float, *, now: Callable[[], float]) -> None:
        self._now = now
        self._end = max(0.0, end)
        self._knots = sorted({0.0, self._end, *(t for t in times if 0 <= t <= self._end)})
        self._longest: float | None = None
        self._played = self._knots
        self._speed = 1.0
        self._playing = False
        self._from = 0.0
        """Where it was, in playing time, when its way of going last changed."""
        self._since = now()

    @property
    def time(self) -> float:
        """The session time that is shown, in seconds, from 0 to the end."""
        return _interpolate(self._played, self._knots, self._playing_time())

    @property
    def playing(self) -> bool:
        """Whether time moves; at the end it stops by itself."""
        return self._playing and self._playing_time() < self._played[-1]

    @property
    def speed(self) -> float:
        """One of :data:`SPEEDS`."""
        return self._speed

    @property
    def longest_silence(self) -> float | None:
        """Seconds that a silence takes at most; None: as long as it was."""
        return self._longest

    def play(self) -> None:
        """Goes on; from the start again if it is at the end."""
        self._rebase()
        if self._from >= self._played[-1]:
            self._from = 0.0
        self._playing = True

    def pause(self) -> None:
        """Stands still."""
        self._rebase()
        self._playing = False

    def seek(self, t: float) -> None:
        """Goes to a session time, or to the nearest that there is; plays on if it was playing."""
        playing = self.playing
        self._rebase()
        self._from = _interpolate(self._knots, self._played, min(self._end, max(0.0, t)))
        self._playing = playing

    def run_at(self, speed: float) -> None:
        """Changes the speed.

        Raises:
            ValueError: If it is none of :data:`SPEEDS`.
        """
        if speed not in SPEEDS:
            raise ValueError(f"a playback runs at one of {SPEEDS}, not at {speed}")
        self._rebase()
        self._speed = speed

    def limit_silences(self, longest: float | None = LONGEST_SILENCE) -> None:
        """Lets no silence take more than so many seconds (at speed 1), or lets each take its time (None)."""
        t = self.time
        playing = self.playing
        self._longest = longest
        self._played = [0.0]
        for before, after in pairwise(self._knots):
            gap = after - before
            self._played.append(self._played[-1] + (gap if longest is None else min(gap, longest)))
        self.seek(t)
        self._playing = playing

    def _playing_time(self) -> float:
        """Where it is, in playing time."""
        gone = (self._now() - self._since) * self._speed if self._playing else 0.0
        return min(self._played[-1], self._from + gone)

    def _rebase(self) -> None:
        """Takes what has been played so far as the place to go on from."""
        self._from, self._since = self._playing_time(), self._now()


def _interpolate(known: list[float], other: list[float], value: float) -> float:
    """What corresponds to a value where two rising lists correspond item by item."""
    at = bisect_right(known, value)
    if at == len(known):
        return other[-1]
    low, high = known[at - 1], known[at]
    return other[at - 1] + (other[at] - other[at - 1]) * (value - low) / (high - low)
