"""Generated types of the other side, where none are published: derived from the own preferences.

They are ours. Nothing is known about the other side except that it wants the opposite; the types differ in
the weights of the issues. Where a game shows the other's preferences, these are the only type.
"""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_display_texts import named_seat
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.strategies.negochat.belief import PRECISION, OpponentType
from negoplatform.strategies.negochat.bid_space import BidSpace, BidUtility

PUBLISHED_RANGE = 548
"""Points from worst to best bid of the published types, on average: the scale of 0.3 a point."""

PROBED_BIDS = 200
"""Number of bids that are checked to see whether visible points are sums over issues."""

MIRROR, EVEN, CROSSED = "mirror", "even", "crossed"
"""Weights of issues as one's own; all the same; the higher, the lower one's own."""


def generated_types(
    space: BidSpace, own: BidUtility, effect: float = 0.0, precision: float = PRECISION
) -> list[OpponentType]:
    """Return three types that want the opposite of the own side, with different weights of the issues.

    Args:
        space: The bids.
        own: The own side's utility.
        effect: Points that a turn costs the other side; assumed to be the own side's cost.
        precision: The weight of a point of the published domain in Luce numbers.
    """
    return [
        _make_type(name, BidUtility(space, _opposite(space, own, of_type)), effect, precision)
        for name, of_type in _weights_by_type(space, own).items()
    ]


def generated_types_of(
    seat: Seat, space: BidSpace, own: BidUtility, effect: float = 0.0, precision: float = PRECISION
) -> list[OpponentType]:
    """Return the same three types for one of several other seats, by what that seat itself gets.

    Its units are worth to it what it would cost the own side to give up as many of all; a value that names it
    is its best, and one that names another seat its worst.

    Args:
        seat: The other seat.
        space: The bids.
        own: The own side's utility.
        effect: Points that a turn costs the other side; assumed to be the own side's cost.
        precision: The weight of a point of the published domain in Luce numbers.
    """
    shares = [
        [_share_of(seat, space, own, issue, level) for level in range(len(space.levels(issue)))]
        for issue in range(len(space.game.issues))
    ]
    return [
        _make_type(name, BidUtility(space, _weighted(shares, of_type)), effect, precision)
        for name, of_type in _weights_by_type(space, own).items()
    ]


def _weights_by_type(space: BidSpace, own: BidUtility) -> dict[str, list[float]]:
    """Return the weights of the issues, by the name of the type."""
    spans = _spans(space, own)
    ranked = sorted(spans)
    mean = sum(spans) / len(spans)
    return {
        MIRROR: spans,
        EVEN: [mean] * len(spans),
        CROSSED: [ranked[len(ranked) - 1 - place] for place in _places(spans)],
    }


def _weighted(shares: list[list[float]], weights: list[float]) -> Callable[[int, int], float]:
    return lambda issue, level: weights[issue] * shares[issue][level]


def _share_of(seat: Seat, space: BidSpace, own: BidUtility, issue: int, level: int) -> float:
    """Return the utility of a level for another seat, from 0 to 1: the opposite of the own side's."""
    worths = _worths(space, own, issue)
    highest, span = max(worths), max(worths) - min(worths)
    if not span:
        return 0.0
    name, term = space.name(issue), space.levels(issue)[level]
    if isinstance(term, Allocation):
        # As if the own side got what this seat does not get.
        other = next(each for each in space.game.seats if each != space.seat)
        left = Allocation({space.seat: term.total - term.of(seat), other: term.of(seat)})
        return float(highest - space.utility(Offer({name: left}))) / span
    named = named_seat(term, space.game) if isinstance(term, str) else None
    if named is not None:
        return float(named == seat)
    return float(highest - worths[level]) / span


def oracle_type(space: BidSpace, utility: Callable[[Offer], Points]) -> OpponentType:
    """Return the single certain type where the game shows the other side's preferences.

    Args:
        space: The bids.
        utility: The other side's points of an offer. If these are the sum of the parts in every bid that is
            checked, they are taken to be so in all, because checking all takes long.
    """
    sums = BidUtility(space, lambda issue, level: utility(space.offer({issue: level})))
    step = max(1, len(space.bids) // PROBED_BIDS)
    looked_at = space.bids[::step]
    is_sum = all(abs(sums.of(bid) - utility(space.offer(bid))) < 1e-6 for bid in looked_at)
    value = sums if is_sum else BidUtility(space, sums.level_utility, utility)
    return _make_type("known", value, 0.0, PRECISION)


def importance(space: BidSpace, own: BidUtility) -> list[int]:
    """Return the issues, the most important one for the own side first."""
    spans = _spans(space, own)
    return sorted(range(len(spans)), key=lambda issue: (-spans[issue], issue))


def time_effect(game: GameSpec, seat: Seat, turn_seconds: float) -> float:
    """Return the points that a turn costs a seat; 0 if unknown."""
    preferences = game.preferences.get(seat)
    cost = preferences.time_cost if preferences else None
    return cost.points * turn_seconds / cost.period_seconds if cost else 0.0


def _make_type(name: str, value: BidUtility, effect: float, precision: float) -> OpponentType:
    width = value.highest - value.lowest
    return OpponentType(name, value, precision * PUBLISHED_RANGE / width if width else precision, effect)


def _worths(space: BidSpace, own: BidUtility, issue: int) -> list[float]:
    return [own.level_utility(issue, level) for level in range(len(space.levels(issue)))]


def _spans(space: BidSpace, own: BidUtility) -> list[float]:
    """Return the range of points of each issue for the own side."""
    by_issue = [_worths(space, own, issue) for issue in range(len(space.game.issues))]
    return [max(worths) - min(worths) for worths in by_issue]


def _places(spans: list[float]) -> list[int]:
    """Return the rank of each issue, the least important one first."""
    order = sorted(range(len(spans)), key=lambda issue: (spans[issue], issue))
    return [order.index(issue) for issue in range(len(spans))]


def _opposite(space: BidSpace, own: BidUtility, weights: list[float]) -> Callable[[int, int], float]:
    """Return the utility of levels for a type that wants the opposite: from 0 to the issue's weight."""
    ends = [
        (max(worths), max(worths) - min(worths))
        for worths in (_worths(space, own, issue) for issue in range(len(weights)))
    ]

    def part(issue: int, level: int) -> float:
        highest, span = ends[issue]
        return weights[issue] * (highest - own.level_utility(issue, level)) / span if span else 0.0

    return part
