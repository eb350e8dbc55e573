"""Features of a bargaining table: offers, latest terms and preferences as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, assert_never

from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.mechanisms.bargaining_state import bargaining_state, board_of, remaining_offers
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec, Preferences, Visibility
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer, Term
from negoplatform.domain.seat_map import PLATFORM, Seat, SeatMap
from negoplatform.domain.utility import AdditiveUtility, InteractionUtility, UtilityFunction, fraction

MISSING = -1
"""Placeholder of a missing value: an unnamed term, a sender before any offer."""


class TableOffer(Feature):
    """The offer on the table.

    ``sender`` is the number of the seat, from 0; -1 before any offer. ``named`` has a 1 or 0 per issue:
    whether the offer says anything about it. ``terms`` has the issues one after the other: for a quantity
    issue the units of each seat and the undecided ones, for a categorical issue the number of the value,
    from 0, for a number issue the number; -1 for what is not named. ``accepted`` has a 1 or 0 per seat.
    """

    visibility: ClassVar[Sequence[str]] = (Visibility.PUBLIC,)

    sender: int = MISSING
    named: tuple[float, ...] = ()
    terms: tuple[float, ...] = ()
    accepted: tuple[float, ...] = ()


class OfferCount(Feature):
    """The offers made so far, and those that are left, in a game that ends by the number of its offers."""

    visibility: ClassVar[Sequence[str]] = (Visibility.PUBLIC,)

    made: int = 0
    left: int = 0


class LatestTerms(Feature):
    """A seat's latest terms of each issue, as in :class:`TableOffer`."""

    visibility: ClassVar[Sequence[str]] = (Visibility.PUBLIC,)

    named: tuple[float, ...] = ()
    terms: tuple[float, ...] = ()


class Limits(Feature):
    """A seat's points without a deal, and its cost of time.

    ``time_cost`` is in points for each ``period_seconds``; both are 0 where time costs nothing.
    """

    reservation_value: float = 0.0
    opt_out: float = 0.0
    time_cost: float = 0.0
    period_seconds: float = 0.0


class Worth(Feature):
    """Utility of the offer on the table for a seat: points, and their position from 0, worst, to 1, best."""

    points: float = 0.0
    fraction: float = 0.0


class PointsTable(Feature):
    """A seat's points, issue by issue.

    ``points`` has, for each issue of the game, the points for its levels: own units from 0 up, values, or
    numbers, in their order. ``interactions`` has a row for each: its points, and then for each level in
    ``points`` a 1 if it counts, else 0; an issue without any 1 does not matter. Both are empty for a utility
    without tables.
    """

    points: tuple[float, ...] = ()
    interactions: tuple[float, ...] = ()


def bargaining_features(state: State) -> SeatMap[Sequence[Feature]]:
    """Return the features of a bargaining table, by owner: the seats in order, then the platform.

    Each seat has LatestTerms and, as far as the state holds its preferences, Limits, Worth and PointsTable,
    which are visible to their owner and to the audience that the game declares. The platform has TableOffer
    and, in a game with ``deadline_offers``, OfferCount, which are public.

    Args:
        state: The whole state, or a view of it.

    Raises:
        TypeError: If the session plays no bargaining game.
    """
    of_seats = [(seat, _seat_features(state, seat)) for seat in state.game.seats]
    return SeatMap([*of_seats, (PLATFORM, [_table_offer(state), *_offer_count(state)])])


def _offer_count(state: State) -> list[Feature]:
    left = remaining_offers(state)
    return [] if left is None else [OfferCount(made=bargaining_state(state).offer_count, left=left)]


def _table_offer(state: State) -> TableOffer:
    play = bargaining_state(state)
    seats = state.game.seats
    offer = play.on_table.offer if play.on_table else EMPTY_OFFER
    named, terms = _layout(state.game, offer)
    return TableOffer(
        sender=seats.index(play.on_table.sender) if play.on_table else MISSING,
        named=named,
        terms=terms,
        accepted=tuple(seat in play.accepted_by for seat in seats),
    )


def _seat_features(state: State, seat: Seat) -> list[Feature]:
    features: list[Feature] = [_latest_terms(state, seat)]
    preferences = state.game.preferences.get(seat)
    if preferences is None:
        return features
    # The owner always sees its own features, whatever else the game declares.
    seen_by = (Visibility.OWNER, state.game.visibility.get(seat, Visibility.OWNER))
    on_table = bargaining_state(state).on_table
    private = (
        _limits(preferences),
        _worth(preferences.utility, on_table.offer if on_table else EMPTY_OFFER),
        _points_table(state.game, preferences.utility),
    )
    return [*features, *(feature.with_visibility(*seen_by) for feature in private)]


def _latest_terms(state: State, seat: Seat) -> LatestTerms:
    named, terms = _layout(state.game, board_of(state).latest.get(seat, EMPTY_OFFER))
    return LatestTerms(named=named, terms=terms)


def _limits(preferences: Preferences) -> Limits:
    cost = preferences.time_cost
    return Limits(
        reservation_value=preferences.reservation_value,
        opt_out=preferences.quit_value,
        time_cost=cost.points if cost else 0.0,
        period_seconds=cost.period_seconds if cost else 0.0,
    )


def _worth(utility: UtilityFunction, offer: Offer) -> Worth:
    return Worth(points=utility(offer), fraction=fraction(utility, offer))


def _points_table(game: GameSpec, utility: UtilityFunction) -> PointsTable:
    if not isinstance(utility, AdditiveUtility | InteractionUtility):
        return PointsTable()
    levels = [(issue.name, level) for issue in game.issues for level in _levels(issue)]
    interactions: list[float] = []
    for interaction in utility.interactions if isinstance(utility, InteractionUtility) else ():
        when = dict(interaction.when)
        interactions.append(interaction.points)
        interactions.extend(level in when.get(issue, ()) for issue, level in levels)
    return PointsTable(
        points=tuple(utility.additive.tables[issue][level] for issue, level in levels),
        interactions=tuple(interactions),
    )


def _levels(issue: Issue) -> Sequence[object]:
    """Return the levels of an issue on which a seat's points depend, in order."""
    match issue:
        case QuantityIssue():
            return range(issue.quantity + 1)
        case CategoricalIssue() | NumberIssue():
            return issue.values
        case _:
            assert_never(issue)


def _layout(game: GameSpec, offer: Offer) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return which issues an offer names, and the numbers of all its terms, issue by issue."""
    numbers: list[float] = []
    for issue in game.issues:
        numbers.extend(_numbers(issue, offer.get(issue.name), game.seats))
    return tuple(issue.name in offer for issue in game.issues), tuple(numbers)


def _numbers(issue: Issue, term: Term | None, seats: Sequence[Seat]) -> Sequence[float]:
    match issue:
        case QuantityIssue():
            if not isinstance(term, Allocation):
                return (MISSING,) * (len(seats) + 1)
            return (*(term.of(seat) for seat in seats), term.undecided)
        case CategoricalIssue():
            return (issue.values.index(term) if isinstance(term, str) else MISSING,)
        case NumberIssue():
            return (term if isinstance(term, int | float) else MISSING,)
        case _:
            assert_never(issue)
