"""Delays of a window's beats, during games and during the window's own work."""

from __future__ import annotations


class Beats:
    """Beats of one window, which checks repeatedly whether it still reacts.

    A beat's delay is divided by the use of its time: the time while the window built a screen or showed the
    end is its own, and all other time was taken from the game, if any of it was the game's. A window that
    hangs while a game ends is therefore late in that game.

    Args:
        pause: Seconds from one beat to the time at which the next is due.

    ``played`` contains the delays during games in seconds, by the agent's name; ``own`` those of the window's
    own work. Before the first game all time is the window's.
    """

    def __init__(self, pause: float) -> None:
        self.played: dict[str, list[float]] = {}
        self.own: list[float] = []
        self._pause = pause
        self._name = ""
        self._began: float | None = None
        self._own_since: float | None = 0.0
        self._own_seconds = 0.0
        self._played = False

    def meet(self, name: str, now: float) -> None:
        """Record that the screen for a game with an agent of this name is about to be built."""
        self._name = name
        self.work(now)

    def play(self, now: float) -> None:
        """Count the time from now on as the game's."""
        self._end_own(now)
        self._own_since, self._played = None, True

    def work(self, now: float) -> None:
        """Count the time from now on as the window's own."""
        self._end_own(now)
        self._own_since = now

    def beat(self, now: float) -> None:
        """Record a beat, and begin to wait for the next one."""
        self._end_own(now)
        if self._began is not None:
            self._file(max(0.0, now - self._began - self._pause))
        self._began, self._own_seconds = now, 0.0
        self._played = self._own_since is None

    def _file(self, late: float) -> None:
        if self._own_seconds:
            self.own.append(min(late, self._own_seconds))
        if self._played:
            self.played.setdefault(self._name, []).append(max(0.0, late - self._own_seconds))

    def _end_own(self, now: float) -> None:
        """Count the window's own time so far."""
        if self._own_since is not None:
            self._own_seconds += now - self._own_since
            self._own_since = now
