"""Decisions of a bidder by indices of outcomes, for the games of two that are played in great numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from random import Random

from negoplatform.domain.game import Rules
from negoplatform.domain.utility import Points


class IndexedOutcomes:
    """All complete offers of a game, by index, with one seat's points of them.

    The order of the ties is that of ``Bids``.

    Args:
        points: The seat's points of every complete offer, in the same order for both seats.
        reservation_value: The seat's points of a timeout.
        rules: The rules of the game.
    """

    __slots__ = ("highest", "lowest", "points", "ranked", "ranked_points", "reservation_value", "rules")

    def __init__(
        self,
        points: list[Points],
        reservation_value: Points,
        rules: Rules,
    ) -> None:
        self.points = points
        """The seat's points, by index."""
        self.ranked = sorted(range(len(points)), key=points.__getitem__)
        """The indices, from the worst outcome to the best."""
        self.ranked_points: list[Points] = [self.points[i] for i in self.ranked]
        """The points in that order, ascending."""
        self.lowest: Points = self.ranked_points[0]
        """Points of the worst outcome."""
        self.highest: Points = self.ranked_points[-1]
        """Points of the best outcome."""
        self.reservation_value = reservation_value
        self.rules = rules

    def span(self, points: Points) -> tuple[int, int]:
        """Return the places in :attr:`ranked` of the outcomes nearest to these points, as ``Bids.near``.

        From the first place up to the second, which is not included: the outcomes with these points, or with
        as little more as possible.
        """
        ranked = self.ranked_points
        start = min(bisect_left(ranked, points), len(ranked) - 1)
        return start, bisect_right(ranked, ranked[start], start)

    def below(self, points: Points) -> Points:
        """Return the highest points below these points; those of the worst outcome if there are none."""
        return self.ranked_points[max(bisect_left(self.ranked_points, points) - 1, 0)]


class IndexStrategy(ABC):
    """Decisions of one bidder in games of two seats without talk: offers are indices of outcomes.

    The same decisions as the bidder's own in a session, with the same random numbers in the same order. One
    object serves many games, one after the other: everything that changes in a game is set by
    :meth:`reset`. ``now`` is the session time in seconds, ``made`` the number of offers so far, of both
    seats.

    Args:
        outcomes: The outcomes with the seat's points.
    """

    breaks_silence = False
    """Whether :meth:`bids_again` is asked at every tick of the clock."""

    def __init__(self, outcomes: IndexedOutcomes) -> None:
        self.outcomes = outcomes

    def reset(self, rng: Random) -> None:
        """Begin a game with these random numbers."""
        self.rng = rng

    def hear(self, index: int) -> None:  # noqa: B027 - a strategy need not observe them
        """Observe an offer of the other seat, as ``Bidder.hear``."""

    @abstractmethod
    def least(self, now: float, made: int) -> Points:
        """Return the least points that it accepts now, as ``Bidder.least``."""

    @abstractmethod
    def next_bid(self, now: float, made: int) -> int | None:
        """Return the outcome to bid now, as ``Bidder.next_bid``."""

    def bids_again(self, now: float, made: int, own: int) -> bool:  # noqa: ARG002 - for those that do
        """Return whether a new bid replaces the own one on the table, as ``Bidder.bids_again``."""
        return False

    def clock_span(self, now: float) -> tuple[Points, int, int] | None:  # noqa: ARG002 - for those that have one
        """Return all that it decides at a session time (s), where that follows from the time alone.

        Returns:
            The least points that it accepts; the first place in ``outcomes.ranked``, and the one after the
            last, of the outcomes of which it bids one at random, where there are several. It bids nothing if
            its best outcome has fewer points. None: its decisions depend on more than the time.
        """
        return None
