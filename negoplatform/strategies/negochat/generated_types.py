"""A substitute where no types of the other side are published: types made from the own preferences.

They are ours. Nothing is known of the other side but that it wants the opposite; what differs between the
types is how much the issues matter to it. Where a game shows the other's preferences, these are the one type.
"""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat import Seat
from negoplatform.domain.utility import Points
from negoplatform.strategies.negochat.belief import PRECISION, OpponentType
from negoplatform.strategies.negochat.bid_space import BidSpace, BidUtility

PUBLISHED_RANGE = 548
"""Points from worst to best bid of the published types, on average: the scale of 0.3 a point."""

PROBED_BIDS = 200
"""So many bids are looked at to see whether shown points are sums over issues."""

MIRROR, EVEN, CROSSED = "mirror", "even", "crossed"
"""Issues matter to it as they do to oneself; all the same; the more the less they do to oneself."""


def generated_types(
    space: BidSpace, own: BidUtility, effect: float = 0.0, precision: float = PRECISION
) -> list[OpponentType]:
    """Three types that want the opposite of the own side, with different weights of the issues.

    Args:
        space: The bids.
        own: What they are worth to the own side.
        effect: Points that a turn costs the other side; nothing else being known, as many as oneself.
        precision: What a point of the published domain counts in Luce numbers.
    """
    spans = _spans(space, own)
    ranked = sorted(spans)
    mean = sum(spans) / len(spans)
    weights = {
        MIRROR: spans,
        EVEN: [mean] * len(spans),
        CROSSED: [ranked[len(ranked) - 1 - place] for place in _places(spans)],
    }
    return [
        _make_type(name, BidUtility(space, _opposite(space, own, of_type)), effect, precision)
        for name, of_type in weights.items()
    ]


def oracle_type(space: BidSpace, utility: Callable[[Offer], Points]) -> OpponentType:
    """Return the one sure type where the game shows what the other side wants.

    Args:
        space: The bids.
        utility: What an offer is worth to the other side. Where it is the sum of its parts in every bid
            that is looked at, it is taken for one in all of them, because looking at all takes long.
    """
    sums = BidUtility(space, lambda issue, level: utility(space.offer({issue: level})))
    step = max(1, len(space.bids) // PROBED_BIDS)
    looked_at = space.bids[::step]
    is_sum = all(abs(sums.of(bid) - utility(space.offer(bid))) < 1e-6 for bid in looked_at)
    value = sums if is_sum else BidUtility(space, sums.level_utility, utility)
    return _make_type("known", value, 0.0, PRECISION)


def importance(space: BidSpace, own: BidUtility) -> list[int]:
    """Return the issues from the one that matters most to the own side to the one that matters least."""
    spans = _spans(space, own)
    return sorted(range(len(spans)), key=lambda issue: (-spans[issue], issue))


def time_effect(game: GameSpec, seat: Seat, turn_seconds: float) -> float:
    """Points that a turn costs a seat; 0 if nothing is known of it."""
    preferences = game.preferences.get(seat)
    cost = preferences.time_cost if preferences else None
    return cost.points * turn_seconds / cost.period_seconds if cost else 0.0


def _make_type(name: str, value: BidUtility, effect: float, precision: float) -> OpponentType:
    width = value.highest - value.lowest
    return OpponentType(name, value, precision * PUBLISHED_RANGE / width if width else precision, effect)


def _worths(space: BidSpace, own: BidUtility, issue: int) -> list[float]:
    return [own.level_utility(issue, level) for level in range(len(space.levels(issue)))]


def _spans(space: BidSpace, own: BidUtility) -> list[float]:
    """How much each issue can make for the own side."""
    by_issue = [_worths(space, own, issue) for issue in range(len(space.game.issues))]
    return [max(worths) - min(worths) for worths in by_issue]


def _places(spans: list[float]) -> list[int]:
    """Return the place of each issue among all, from the one that matters least."""
    order = sorted(range(len(spans)), key=lambda issue: (spans[issue], issue))
    return [order.index(issue) for issue in range(len(spans))]


def _opposite(space: BidSpace, own: BidUtility, weights: list[float]) -> Callable[[int, int], float]:
    """What a level is worth to a type that wants the opposite: from 0 to the issue's weight."""
    ends = [
        (max(worths), max(worths) - min(worths))
        for worths in (_worths(space, own, issue) for issue in range(len(weights)))
    ]

    def part(issue: int, level: int) -> float:
        highest, span = ends[issue]
        return weights[issue] * (highest - own.level_utility(issue, level)) / span if span else 0.0

    return part
