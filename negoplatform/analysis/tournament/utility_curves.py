"""Utility of each seat's proposals in the course of a game, as a few numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from negoplatform.analysis.bidding_measures import KnownOffers, SentOffer
from negoplatform.domain.game import Rules
from negoplatform.domain.solutions.integer_scaling import IntegerGame

CURVE_STEPS = 20
"""Number of parts of equal length into which a game is divided."""

_ROUNDING = 1e-9
"""Share of a part by which rounding may move an offer at the border of two parts."""


@dataclass(frozen=True, slots=True)
class UtilityCurve:
    """Utility of a seat's latest proposal at the end of each twentieth of a game.

    Utilities are shares of a seat's range of points, 0 its worst outcome and 1 its best, to three digits.
    None before the first proposal. A game that ends earlier has values up to the part in which it ended.

    Args:
        own: The utility for the seat itself.
        other: The utility for the other seat.
    """

    own: tuple[float | None, ...]
    other: tuple[float | None, ...]


def utility_curves(
    exact: IntegerGame, sent: Sequence[SentOffer], ended_at: float, known: KnownOffers | None = None
) -> tuple[UtilityCurve, UtilityCurve]:
    """Return the curves of both seats of a game.

    Args:
        exact: The game in whole points, with two seats.
        sent: The offers, in order.
        ended_at: The session time (s) of the end.
        known: Offers of this game that were looked up before, which these offers are added to.
    """
    known = KnownOffers(exact) if known is None else known
    rules, seats = exact.game.rules, exact.game.seats
    numbers = known.number_proposals(sent)
    worths = [None if number is None else known.worths[number] for number in numbers]
    spans = [exact.utility_range(seat) for seat in seats]
    latest: list[tuple[float, float] | None] = [None, None]
    pairs: tuple[list[tuple[float, float] | None], ...] = ([], [])
    ended = rules.progress(ended_at, len(sent))
    begin = 0
    for end in _offers_by_step(rules, sent, max(1, ceil(ended * CURVE_STEPS - _ROUNDING))):
        for seat in (0, 1):
            i = next((i for i in range(end - 1, begin - 1, -1) if sent[i][0] == seats[seat]), None)
            worth = None if i is None else worths[i]
            if worth is not None:
                shares = [_share(own, *span) for own, span in zip(worth, spans, strict=True)]
                latest[seat] = shares[seat], shares[1 - seat]
            pairs[seat].append(latest[seat])
        begin = end
    one, other = (
        UtilityCurve(*(tuple([None if pair is None else pair[k] for pair in of_seat]) for k in (0, 1)))
        for of_seat in pairs
    )
    return one, other


def _share(worth: int, low: int, high: int) -> float:
    return 1.0 if high == low else round((worth - low) / (high - low), 3)


def _offers_by_step(rules: Rules, sent: Sequence[SentOffer], steps: int) -> list[int]:
    """Return the number of offers up to the end of each part of the game."""
    most, deadline = rules.deadline_offers, rules.deadline_seconds
    ends = [(k + _ROUNDING) / CURVE_STEPS for k in range(1, steps + 1)]
    if most is not None:
        return [min(len(sent), int(end * most)) for end in ends]
    if not deadline:
        return [len(sent)] * steps
    times = [t for _, _, t in sent]
    return [bisect_right(times, end * deadline) for end in ends]
