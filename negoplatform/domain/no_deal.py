"""What a seat can still get without a deal."""

from __future__ import annotations

from dataclasses import dataclass

from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.utility import Points


@dataclass(frozen=True, slots=True)
class WithoutDeal:
    """What a seat can still get without a deal, in points after time costs.

    Args:
        now: If a seat walks away at this moment.
        late: If time runs out; the same as ``now`` in a game without a deadline.
    """

    now: Points
    late: Points

    @property
    def best(self) -> Points:
        """The better of the two: the one figure with which offers are compared."""
        return max(self.now, self.late)


def without_deal(game: GameSpec, preferences: Preferences, at: float) -> WithoutDeal:
    """Return what a seat can still get without a deal at a session time (s)."""
    deadline = game.rules.deadline_seconds
    now = preferences.quit_value - preferences.cost_at(at)
    if deadline is None:
        return WithoutDeal(now, now)
    return WithoutDeal(now, preferences.reservation_value - preferences.cost_at(max(at, deadline)))
