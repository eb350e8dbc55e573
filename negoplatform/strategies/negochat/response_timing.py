"""Timing of an agent of this family: delays of answers, and prompts after silence."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

JITTER = 0.2
"""Largest random change of a pause, as a share, so that two that wait for each other fall out of step."""

DEFAULT_PACE_BOUNDS = (1.0, 20.0)
"""Bounds in seconds within which it follows the other's pace."""

PACE_BOUNDS_BY_CULTURE = {"egypt": (16.0, 60.0)}
"""Published bounds, by culture."""

MAX_EXTRA_SILENCE = 5
"""Seconds by which a silence may be prolonged at random, so that two agents do not break it together."""


@dataclass
class ResponseTiming:
    """Pace of one game.

    Args:
        reply: Seconds until it answers.
        silence: Seconds of silence before a prompt.
        later: The same after a prompt, or a request to wait.
        reminders: Most prompts until the other speaks of the deal again.
        follow: Whether it answers as quickly as the other does, on average.
        pace: The bounds in seconds within which it follows.
        prompts: Number of prompts since the other spoke of the deal.
    """

    reply: float
    silence: float
    follow: bool
    later: float = 60.0
    reminders: int = 2
    pace: tuple[float, float] = DEFAULT_PACE_BOUNDS
    prompts: int = 0
    _last_act: float = field(init=False, default=0.0)
    _wait_requested: bool = field(init=False, default=False)
    _acted_at: float | None = field(init=False, default=None)
    _extra_silence: float = field(init=False, default=0.0)
    _paces: list[float] = field(init=False, default_factory=list)

    def record_other_action(self, now: float) -> None:
        """Record an action of the other, which ends a silence and updates its pace."""
        if self._acted_at is not None:
            self._paces.append(now - self._acted_at)
            self._acted_at = None
        self._last_act, self._wait_requested = now, False

    def record_own_action(self, now: float, rng: Random) -> None:
        """Record a message or an offer of the agent."""
        self._last_act = self._acted_at = now
        self._extra_silence = rng.uniform(0, MAX_EXTRA_SILENCE)

    def record_end_of_own_action(self, at: float) -> None:
        """Record when the last message or offer of the agent is sent, if the other has not acted since."""
        if self._acted_at is not None:
            self._last_act = self._acted_at = at

    def record_activity(self, now: float) -> None:
        """Record that the other is active."""
        self._last_act = now

    def record_unanswered_message(self) -> None:
        """Record a message of the other without an answer: a silence after it is broken once at least."""
        self.prompts = max(0, min(self.prompts, self.reminders - 1))

    def record_wait_request(self) -> None:
        """Record that the other needs time."""
        self._wait_requested = True

    def is_prompt_due(self, now: float, *, again: bool) -> bool:
        """Return whether it is time to break the silence, and there were not too many prompts.

        Args:
            now: The session time.
            again: Whether it has broken a silence already while its proposal was the same.
        """
        longer = again or self.prompts > 0 or self._wait_requested
        silence = max(self.silence, self.later) if longer else self.silence
        return self.prompts < self.reminders and now - self._last_act >= silence + self._extra_silence

    def response_delay(self, left: float | None, rng: Random) -> float:
        """Return the seconds until the answer; fewer when little time is left."""
        seconds = self.reply
        if self.follow and self._paces:
            least, most = self.pace
            seconds = min(max(sum(self._paces) / len(self._paces), least), most)
        seconds = jittered(seconds, rng)
        return seconds if left is None else min(seconds, left / 6)


def jittered(seconds: float, rng: Random) -> float:
    """Return a number of seconds, randomly changed by up to ``JITTER``."""
    return seconds * (1 + JITTER * (2 * rng.random() - 1))
