"""Playback clock: play, pause, speed, and shortened silences."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import pairwise

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds of session time per second."""

LONGEST_SILENCE = 3.0
"""Seconds of session time to which long silences are shortened."""


class PlaybackClock:
    """Current time of a playback.

    Long silences are not skipped but played faster, so that each time is reached exactly once, and the
    line on the timeline never stops.

    Args:
        times: The session times of the events that an observer can see.
        end: The session time of the last event.
        now: Monotonic seconds, such as ``time.monotonic``.
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
        """Position in playing time at the last play, pause, seek or change of speed."""
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
        """The speed, one of :data:`SPEEDS`."""
        return self._speed

    @property
    def longest_silence(self) -> float | None:
        """Seconds to which silences are shortened; None: they are not."""
        return self._longest

    def play(self) -> None:
        """Start or continue; restart if it is at the end."""
        self._rebase()
        if self._from >= self._played[-1]:
            self._from = 0.0
        self._playing = True

    def pause(self) -> None:
        """Pause."""
        self._rebase()
        self._playing = False

    def seek(self, t: float) -> None:
        """Go to the nearest possible session time, and continue playing if it was playing."""
        playing = self.playing
        self._rebase()
        self._from = _interpolate(self._knots, self._played, min(self._end, max(0.0, t)))
        self._playing = playing

    def run_at(self, speed: float) -> None:
        """Change the speed.

        Raises:
            ValueError: If it is none of :data:`SPEEDS`.
        """
        if speed not in SPEEDS:
            raise ValueError(f"a playback runs at one of {SPEEDS}, not at {speed}")
        self._rebase()
        self._speed = speed

    def limit_silences(self, longest: float | None = LONGEST_SILENCE) -> None:
        """Shorten silences to a number of seconds (at speed 1); None: leave them as they were."""
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
        """Return the position in playing time."""
        gone = (self._now() - self._since) * self._speed if self._playing else 0.0
        return min(self._played[-1], self._from + gone)

    def _rebase(self) -> None:
        """Make the present position the base for further playing."""
        self._from, self._since = self._playing_time(), self._now()


def _interpolate(known: list[float], other: list[float], value: float) -> float:
    """Map a value between two increasing lists whose items correspond, by linear interpolation."""
    at = bisect_right(known, value)
    if at == len(known):
        return other[-1]
    low, high = known[at - 1], known[at]
    return other[at - 1] + (other[at] - other[at - 1]) * (value - low) / (high - low)
