"""Possible deals, ranked by the agent's points and by the estimated utility for the others."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence

from negoplatform.agent_api.bids import Bids, keeps
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.frequency_opponent_model import Level
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.strategies.dialogue.opponent_model import ExpressiveOpponentModel


class RankedOutcomes:
    """Complete offers, and the search among them.

    A *gain* is a share, 0 to 1, of the way from no deal to the best deal. No deal below the reservation value
    is ever found.

    Args:
        ctx: The agent's context.
        others: Its models of the other seats.
    """

    def __init__(self, ctx: AgentContext, others: Mapping[Seat, ExpressiveOpponentModel]) -> None:
        bids = Bids(ctx)
        self._others = tuple(others.values())
        self._needed = ctx.game.acceptances_needed - 1
        self.excluded: set[Offer] = set()
        """Deals that are never found: those that the agent has refused itself."""
        self._rank(ctx, bids)
        self.cap: Points = self.best_points
        """Most points of a deal that is found: an agent takes no concession back."""

    def follow_limit(self, ctx: AgentContext) -> None:
        """Search among the deals that are enough now, after the fewest points to agree to have changed.

        A limit above ``cap`` lifts it: under it, there would be nothing left to find.
        """
        self._rank(ctx, Bids(ctx))
        if self.cap < self.floor:
            self.cap = self.best_points

    def _rank(self, ctx: AgentContext, bids: Bids) -> None:
        self.floor: Points = max(bids.lowest, ctx.least_points)
        """Least points that are ever accepted."""
        self.best_points: Points = max(bids.highest, self.floor)
        self._offers = list(bids.downwards(self.floor))[::-1]
        # The outcomes of a game fit it; the context would check each of them.
        utility = ctx.game.preferences[ctx.seat].utility
        self._points = [utility(offer) for offer in self._offers]
        self._worth = [0.0] * len(self._offers)
        self._from = len(self._offers)
        self._version = 0
        # By other seat, its utility of each offer, from the best offer downwards as far as needed.
        self._levels: list[list[tuple[Level, ...]]] = [[] for _ in self._others]

    def points_at(self, gain: float) -> float:
        """Return the points of a gain."""
        return float(self.floor + gain * (self.best_points - self.floor))

    def gain(self, points: Points) -> float:
        """Return the gain of these points; 1 where there is nothing to gain."""
        width = self.best_points - self.floor
        return min(1.0, max(0.0, float((points - self.floor) / width))) if width else 1.0

    def worth_to_others(self, offer: Offer) -> float:
        """Return the estimated utility of an offer for the others, 0 to 1.

        Of several it is the least of those that have to accept it by the rules of the game.
        """
        return self._joint([other.estimate_utility(offer) for other in self._others])

    def share_of_joint(self, points: Points, worth: float) -> float:
        """Return the agent's part of the joint gain: its gain by the sum of both; a half if there is none."""
        own = self.gain(points)
        return own / (own + worth) if own + worth else 0.5

    def best(
        self,
        least: float,
        *,
        keep: Offer = EMPTY_OFFER,
        avoid: Collection[Offer] = (),
        least_share: float = 0.0,
    ) -> Offer | None:
        """Return the deal with the highest estimated utility for the others among those that are good enough.

        None with more points than ``cap``, and none of ``excluded``, is found.

        Args:
            least: The least points.
            keep: A partial offer whose terms stay as they are.
            avoid: Deals to leave out.
            least_share: The least part of the joint gain, 0 to 1.

        Returns:
            The deal; None if none is good enough.
        """
        start = bisect_left(self._points, max(least, self.floor))
        self._update_worth_from(start)
        width, floor = float(self.best_points - self.floor) or 1.0, self.floor
        found, best_worth, best_points = None, -1.0, 0.0
        for i in range(start, len(self._offers)):
            worth, points = self._worth[i], self._points[i]
            if points > self.cap:
                break
            if worth < best_worth or (worth == best_worth and points <= best_points):
                continue
            if (points - floor) / width * (1 - least_share) < worth * least_share:
                continue
            offer = self._offers[i]
            if offer in self.excluded or offer in avoid:
                continue
            if not keep.terms or keeps(offer, keep):
                found, best_worth, best_points = offer, worth, points
        return found

    def exists(self, least: float, part: Offer) -> bool:
        """Return whether a deal with some terms is good enough, of whatever points the agent may ask for."""
        start = bisect_left(self._points, max(least, self.floor))
        return any(keeps(offer, part) for offer in self._offers[start:])

    def _update_worth_from(self, start: int) -> None:
        """Compute the others' utility of the deals from here upwards, if it may have changed."""
        version = sum(other.version for other in self._others)
        if version != self._version:
            self._version, self._from = version, len(self._offers)
        if start >= self._from:
            return
        columns = []
        for other, levels in zip(self._others, self._levels, strict=True):
            if other.is_known:
                columns.append(list(map(other.estimate_utility, self._offers[start : self._from])))
                continue
            for i in range(len(self._offers) - len(levels) - 1, start - 1, -1):
                levels.append(tuple([other.level(term) for _, term in self._offers[i].terms]))
            tables = [table for _, table in sorted(other.tables().items())]
            rows = levels[len(self._offers) - self._from : len(self._offers) - start]
            columns.append([sum(map(_look_up, tables, row)) for row in reversed(rows)])
        joint = columns[0] if len(columns) == 1 else [self._joint(row) for row in zip(*columns, strict=True)]
        self._worth[start : self._from] = joint
        self._from = start

    def _joint(self, worths: Sequence[float]) -> float:
        return min(worths) if self._needed == len(worths) else sorted(worths)[-self._needed]


_look_up = dict[Level, float].__getitem__
