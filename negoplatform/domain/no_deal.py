"""A seat's points without a deal."""

from __future__ import annotations

from dataclasses import dataclass

from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.utility import Points


@dataclass(frozen=True, slots=True)
class NoDealValue:
    """A seat's points without a deal, after discount and time costs.

    Args:
        quit_value: The points of walking away at this moment.
        timeout_value: The points of a timeout; the same as ``quit_value`` in a game without a deadline.
            Where only the number of offers is limited, that of a timeout at this moment.
    """

    quit_value: Points
    timeout_value: Points

    @property
    def best(self) -> Points:
        """The better of the two: the one figure with which offers are compared."""
        return max(self.quit_value, self.timeout_value)


def no_deal_value(game: GameSpec, preferences: Preferences, at: float, offers: int = 0) -> NoDealValue:
    """Return a seat's points without a deal at a session time (s), after a number of offers."""
    deadline = game.rules.deadline_seconds
    now = preferences.points_at(preferences.quit_value, at, game.rules.progress(at, offers))
    if not game.rules.has_deadline:
        return NoDealValue(now, now)
    ends_at = at if deadline is None else max(at, deadline)
    return NoDealValue(now, preferences.points_at(preferences.reservation_value, ends_at, 1.0))
