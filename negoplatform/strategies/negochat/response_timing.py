"""When an agent of this family acts: how long it takes to answer, and how long it bears silence."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

JITTER = 0.2
"""A pause is longer or shorter by up to this share, so that two that wait for each other fall out of step."""

DEFAULT_PACE_BOUNDS = (1.0, 20.0)
"""It follows the other's pace from so many seconds to so many."""

PACE_BOUNDS_BY_CULTURE = {"egypt": (16.0, 60.0)}
"""Published bounds, by culture."""

MAX_EXTRA_SILENCE = 5
"""It lets a silence last up to so many seconds longer, lest two break it in the same moment."""


@dataclass
class ResponseTiming:
    """The pace of one game.

    Args:
        reply: Seconds until it answers.
        silence: Seconds of silence that it bears.
        later: The same once it has broken the silence, or was asked to wait.
        reminders: So often it breaks the silence, until the other speaks of the deal again.
        follow: Whether it answers as quickly as the other does, on average.
        pace: From how many seconds to how many it follows.
        prompts: How often it has broken the silence since the other spoke of the deal.
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
        """The other has done something: no silence, and its pace is known better."""
        if self._acted_at is not None:
            self._paces.append(now - self._acted_at)
            self._acted_at = None
        self._last_act, self._wait_requested = now, False

    def record_own_action(self, now: float, rng: Random) -> None:
        """The agent has said or offered something."""
        self._last_act = self._acted_at = now
        self._extra_silence = rng.uniform(0, MAX_EXTRA_SILENCE)

    def record_activity(self, now: float) -> None:
        """The other is at work."""
        self._last_act = now

    def record_unanswered_message(self) -> None:
        """What the other said gets no answer: a silence after that is broken once at least."""
        self.prompts = max(0, min(self.prompts, self.reminders - 1))

    def record_wait_request(self) -> None:
        """The other needs time."""
        self._wait_requested = True

    def is_prompt_due(self, now: float) -> bool:
        """Return whether it is time to break the silence, and it has not done so too often."""
        longer = self.prompts > 0 or self._wait_requested
        silence = max(self.silence, self.later) if longer else self.silence
        return self.prompts < self.reminders and now - self._last_act >= silence + self._extra_silence

    def response_delay(self, left: float | None, rng: Random) -> float:
        """Seconds until it answers; less when little time is left."""
        seconds = self.reply
        if self.follow and self._paces:
            least, most = self.pace
            seconds = min(max(sum(self._paces) / len(self._paces), least), most)
        seconds = jittered(seconds, rng)
        return seconds if left is None else min(seconds, left / 6)


def jittered(seconds: float, rng: Random) -> float:
    """Return a little more or less than so many seconds."""
    return seconds * (1 + JITTER * (2 * rng.random() - 1))
