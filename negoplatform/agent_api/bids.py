"""An agent's own view of the outcomes: its possible bids, sorted by their points."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise, product
from operator import attrgetter, itemgetter
from random import Random
from typing import Any

from negoplatform.agent_api.bid_levels import BidLevels, bid_levels
from negoplatform.agent_api.context import AgentContext
from negoplatform.domain.issue import Issue, QuantityIssue, complete_offers
from negoplatform.domain.offer import Allocation, Offer, Term, offer_of_checked_pairs
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import AdditiveUtility, Points, UtilityFunction

MAX_ENUMERATED_OUTCOMES = 20_000
"""Number of outcomes up to which all are listed; a larger game is sampled."""

RANDOM_WALKS = 100
"""Random walks from the best outcome to the worst that make up the sample of a large game."""

MAX_ALLOCATIONS = 2_000
"""Number of ways to divide one issue up to which all are looked at."""


ScoredOffer = tuple[Points, Offer]
"""An offer with its points."""


class Bids:
    """Complete offers, sorted from worst to best for the agent's own side.

    A game with at most 20,000 outcomes is listed in full. A larger one is sampled: the best and the worst
    outcome, and the outcomes on random walks between them that concede a little at a time, so that every
    level of utility is represented.

    Args:
        ctx: The context of the agent.

    Raises:
        NotInThisGame: In a kind of game without offers.
    """

    def __init__(self, ctx: AgentContext) -> None:
        self._issues, self._seat = ctx.game.issues, ctx.seat
        ctx.outcomes()  # names what there is instead of offers, in a game that has none
        if ctx.game.count_outcomes() <= MAX_ENUMERATED_OUTCOMES:
            game = ctx.game
            utility: Any = game.preferences[ctx.seat].utility  # every one can be hashed, as a game can
            self._sorted, self._points = _enumerate_offers(game.issues, game.seats, utility)
        else:
            self._sorted = _sort_by_points(sorted(_sample_offers(ctx, ctx.rng), key=repr), ctx.utility)
            self._points = _points_of(self._sorted)
        self.lowest: Points = self._points[0]
        """Points of the worst bid."""
        self.highest: Points = self._points[-1]
        """Points of the best bid."""

    @property
    def levels(self) -> BidLevels:
        """Levels and points of all bids as arrays, computed on access."""
        return bid_levels(self._issues, self._seat, self._sorted)

    def at(self, index: int) -> Offer:
        """Return a bid by its place in :attr:`levels`: from the worst, 0, upwards."""
        return self._sorted[index][1]

    def best(self) -> Offer:
        """Return the best bid."""
        return self._sorted[-1][1]

    def near(self, points: Points, rng: Random) -> Offer:
        """Return a bid with these points, or as little more as possible; ties are broken at random."""
        start = min(bisect_left(self._points, points), len(self._points) - 1)
        end = bisect_right(self._points, self._points[start], start)
        return self._sorted[start if end - start == 1 else rng.randrange(start, end)][1]

    def within(self, points: Points, more: Points) -> list[Offer]:
        """Return the bids that are about as good, from the worst up; those of equal points in a fixed order.

        Args:
            points: The least points; where no bid has as many, those of the best one.
            more: How many points more than the worst of them the best may have.
        """
        start = min(bisect_left(self._points, points), len(self._points) - 1)
        start = bisect_left(self._points, self._points[start])
        end = bisect_right(self._points, self._points[start] + more, start)
        return [offer for _, offer in self._sorted[start:end]]

    def downwards(self, least: Points) -> Iterator[Offer]:
        """Return an iterator of the bids with at least these points, best first.

        Ties come in an order that never varies.
        """
        return map(itemgetter(1), reversed(self._sorted[bisect_left(self._points, least) :]))

    def below(self, points: Points) -> Points:
        """Return the highest points of a bid below these points; those of the worst bid if there is none."""
        return self._points[max(bisect_left(self._points, points) - 1, 0)]

    def any_from(self, least: Points, rng: Random) -> Offer | None:
        """Return a random bid with at least these points, all equally likely; None if there is none."""
        start = bisect_left(self._points, least)
        return self._sorted[rng.randrange(start, len(self._sorted))][1] if start < len(self._sorted) else None

    def keeping(self, start: Offer, least: Points) -> Iterator[Offer]:
        """Yield the bids that keep all terms of a partial offer, from these points upwards."""
        for _, offer in self._sorted[bisect_left(self._points, least) :]:
            if keeps(offer, start):
                yield offer

    def max_by(self, worth: Callable[[Offer], Any]) -> Offer:
        """Return the bid that is best by another measure, whose values can be compared; of ties the first."""
        return max((offer for _, offer in self._sorted), key=worth)


def keeps(offer: Offer, part: Offer) -> bool:
    """Return whether an offer keeps another's terms: values, numbers, and at least the units of each seat."""
    for issue, term in part.terms:
        whole = offer.get(issue)
        if type(term) is Allocation and type(whole) is Allocation:
            for seat, units in term.units.pairs:
                if units and whole.of(seat) < units:
                    return False
        elif whole != term:
            return False
    return True


@lru_cache(maxsize=4)  # many games of one kind are played one after the other
def _enumerate_offers(
    issues: tuple[Issue, ...], seats: tuple[Seat, ...], utility: UtilityFunction
) -> tuple[tuple[ScoredOffer, ...], tuple[Points, ...]]:
    """Return every complete offer, sorted, and their points."""
    listed = zip(points_of_listed(issues, seats, utility), list_offers(issues, seats), strict=True)
    offers = tuple(sorted(listed, key=itemgetter(0)))
    return offers, _points_of(offers)


def _points_of(offers: Iterable[ScoredOffer]) -> tuple[Points, ...]:
    return tuple([points for points, _ in offers])


@lru_cache(maxsize=4)  # the same for all seats of a game, each of which sees its own side only
def list_offers(issues: tuple[Issue, ...], seats: tuple[Seat, ...]) -> tuple[Offer, ...]:
    """Return every complete offer, sorted by its text."""
    columns = _sorted_terms(issues, seats)
    if columns is None:
        return tuple(sorted(complete_offers(issues, seats), key=repr))
    names = tuple(sorted(issue.name for issue in issues))
    return tuple([offer_of_checked_pairs(names, pairs) for pairs in product(*columns)])


def _sorted_terms(issues: tuple[Issue, ...], seats: tuple[Seat, ...]) -> list[list[tuple[str, Term]]] | None:
    """Return the terms of each issue with its name, in the order that the texts of whole offers give them.

    Issues are sorted by name, as in an offer. None if no order of the terms alone gives that order: where
    the text of one term is the beginning of another's.
    """
    columns: list[list[tuple[str, Term]]] = []
    ordered = sorted(issues, key=attrgetter("name"))
    for issue in ordered:
        after = "})" if issue is ordered[-1] else ", "
        texts = sorted([(repr(term) + after, i, term) for i, term in enumerate(issue.terms(seats))])
        if any(following[0].startswith(text[0]) for text, following in pairwise(texts)):
            return None
        columns.append([(issue.name, term) for _, _, term in texts])
    return columns


def points_of_listed(
    issues: tuple[Issue, ...], seats: tuple[Seat, ...], utility: UtilityFunction
) -> list[Points]:
    """Return the points of every offer of :func:`list_offers`, as the utility gives them one by one."""
    columns = _sorted_terms(issues, seats) if type(utility) is AdditiveUtility else None
    if columns is None:
        return [utility(offer) for offer in list_offers(issues, seats)]
    names = [column[0][0] for column in columns]
    points: list[Points] = [0]
    for name, column in zip(names, columns, strict=True):
        # Issue by issue in the utility's own order: sums of floats depend on it.
        worths = [utility(offer_of_checked_pairs((name,), (pair,))) for pair in column]
        points = [before + worth for before in points for worth in worths]
    return points


def _sort_by_points(offers: Iterable[Offer], utility: Callable[[Offer], Points]) -> tuple[ScoredOffer, ...]:
    """Return offers from worst to best; ties stay in the order given: equal seeds, equal games."""
    return tuple(sorted([(utility(offer), offer) for offer in offers], key=itemgetter(0)))


def _sample_offers(ctx: AgentContext, rng: Random) -> set[Offer]:
    """Return the offers on random walks from best to worst outcome, one issue a little down at a time."""
    levels = {issue.name: _levels(ctx, issue, rng) for issue in ctx.issues}
    downwards = sum(len(terms) - 1 for terms in levels.values())
    stride = -(-downwards * RANDOM_WALKS // MAX_ENUMERATED_OUTCOMES)
    found: set[Offer] = set()
    for _ in range(RANDOM_WALKS):
        position = dict.fromkeys(levels, 0)
        found.add(Offer({name: levels[name][0] for name in levels}))
        while movable := [name for name, at in position.items() if at + 1 < len(levels[name])]:
            name = rng.choice(movable)
            position[name] = min(position[name] + stride, len(levels[name]) - 1)
            found.add(Offer({name: levels[name][at] for name, at in position.items()}))
    return found


def _levels(ctx: AgentContext, issue: Issue, rng: Random) -> list[Term]:
    """Return a term of an issue for each number of points that it can have for the own side, best first."""
    by_worth: dict[Points, list[Term]] = {}
    for term in _terms(ctx, issue, rng):
        by_worth.setdefault(ctx.utility(Offer({issue.name: term})), []).append(term)
    return [rng.choice(by_worth[points]) for points in sorted(by_worth, reverse=True)]


def _terms(ctx: AgentContext, issue: Issue, rng: Random) -> Iterator[Term]:
    """Yield every term of an issue; of very many ways to share it, a single one per own share."""
    seats = ctx.game.seats
    if not isinstance(issue, QuantityIssue) or issue.count(seats) <= MAX_ALLOCATIONS:
        yield from issue.terms(seats)
        return
    others = ctx.game.others(ctx.seat)
    for own in range(issue.quantity + 1):
        edges = sorted(rng.randint(0, issue.quantity - own) for _ in others[1:])
        shares = [b - a for a, b in pairwise([0, *edges, issue.quantity - own])]
        yield Allocation([(ctx.seat, own), *zip(others, shares, strict=True)])
