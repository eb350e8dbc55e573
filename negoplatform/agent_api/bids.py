"""An agent's own view of the outcomes: the bids that it could make, sorted by what they are worth to it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any

from negoplatform.agent_api.context import AgentContext
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.utility import Points

ENUMERATED = 20_000
"""Up to so many outcomes are all listed; of a larger game a sample stands for the rest."""

WALKS = 100
"""Walks from the best outcome to the worst that make up the sample of a large game."""

DIVISIONS = 2_000
"""Up to so many ways to divide one issue are all looked at."""


class Bids:
    """Complete offers, sorted from worst to best for one's own side.

    A game with at most 20,000 outcomes is listed in full. Of a larger one a sample is taken: the best
    and the worst outcome, and what lies on random walks between them that give way a little at a time,
    so that every level of utility is represented.

    Args:
        ctx: The context of the agent whose bids these are.
    """

    def __init__(self, ctx: AgentContext) -> None:
        small = ctx.game.count_outcomes() <= ENUMERATED
        found = set(ctx.outcomes()) if small else _walks(ctx, ctx.rng)
        # Equal worth is ordered by the text of the offer, so that equal seeds give equal games.
        self._sorted = sorted(
            ((ctx.utility(offer), repr(offer), offer) for offer in found), key=lambda bid: bid[:2]
        )
        self._points = [points for points, _, _ in self._sorted]

    @property
    def lowest(self) -> Points:
        """The worst bid's points."""
        return self._points[0]

    @property
    def highest(self) -> Points:
        """The best bid's points."""
        return self._points[-1]

    def best(self) -> Offer:
        """The best bid."""
        return self._sorted[-1][2]

    def near(self, points: Points, rng: Random) -> Offer:
        """A bid worth so many points, or as little more as possible; chance decides among equals."""
        start = min(bisect_left(self._points, points), len(self._points) - 1)
        level = self._points[start]
        end = start
        while end < len(self._points) and self._points[end] == level:
            end += 1
        return self._sorted[rng.randrange(start, end)][2]

    def max_by(self, worth: Callable[[Offer], Any]) -> Offer:
        """The bid that is worth most by another measure, whose values can be compared; the first in order
        among equals.
        """
        return max((offer for _, _, offer in self._sorted), key=worth)


def _walks(ctx: AgentContext, rng: Random) -> set[Offer]:
    """Offers on random walks from the best outcome to the worst, one issue a little down at a time."""
    levels = {issue.name: _levels(ctx, issue, rng) for issue in ctx.issues}
    downwards = sum(len(terms) - 1 for terms in levels.values())
    stride = -(-downwards * WALKS // ENUMERATED)
    found: set[Offer] = set()
    for _ in range(WALKS):
        position = dict.fromkeys(levels, 0)
        found.add(Offer({name: levels[name][0] for name in levels}))
        while movable := [name for name, at in position.items() if at + 1 < len(levels[name])]:
            name = rng.choice(movable)
            position[name] = min(position[name] + stride, len(levels[name]) - 1)
            found.add(Offer({name: levels[name][at] for name, at in position.items()}))
    return found


def _levels(ctx: AgentContext, issue: Issue, rng: Random) -> list[Term]:
    """One term of an issue for each worth that it can have to one's own side, best first."""
    by_worth: dict[Points, list[Term]] = {}
    for term in _terms(ctx, issue, rng):
        by_worth.setdefault(ctx.utility(Offer({issue.name: term})), []).append(term)
    return [rng.choice(by_worth[points]) for points in sorted(by_worth, reverse=True)]


def _terms(ctx: AgentContext, issue: Issue, rng: Random) -> Iterator[Term]:
    """Every term of an issue; where the others can share in very many ways, one of these per own share."""
    seats = ctx.game.seats
    if not isinstance(issue, QuantityIssue) or issue.count(seats) <= DIVISIONS:
        yield from issue.terms(seats)
        return
    others = ctx.game.others(ctx.seat)
    for own in range(issue.quantity + 1):
        edges = sorted(rng.randint(0, issue.quantity - own) for _ in others[1:])
        shares = [b - a for a, b in pairwise([0, *edges, issue.quantity - own])]
        yield Allocation([(ctx.seat, own), *zip(others, shares, strict=True)])
