"""Features of a bargaining table: all information at a moment of a session, as numbers.

All vectors of a game have the same length at every moment. Numbers are 32 bits wide: points and prices beyond
16 million, or with many decimals, are rounded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, assert_never

from negoplatform.core.events import Expression
from negoplatform.core.mechanisms.bargaining import bargaining_state, board_of
from negoplatform.core.numeric_feature_set import FeatureState
from negoplatform.core.numeric_features import Feature
from negoplatform.core.observation_vectors import Observation, get_observation
from negoplatform.core.state import State
from negoplatform.core.visibility_rule import SEAT_LEVEL, SYSTEM_LEVEL
from negoplatform.domain.game import GameSpec, Preferences, Visibility
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer, Term
from negoplatform.domain.seat_map import PLATFORM, Seat
from negoplatform.domain.utility import AdditiveUtility, InteractionUtility, UtilityFunction, fraction

MISSING = -1
"""Placeholder of a missing value: an unnamed term, a sender before any offer, a time without end."""

NO_PRINCIPAL = ""
"""Principal of a seat that has none: an id that no requestor has."""

EXPRESSIONS = tuple(Expression)
"""The order in which expressions are numbered."""


class Clock(Feature):
    """Time: seconds since the start, and seconds to the deadline, -1 where there is none."""

    visibility: ClassVar[Sequence[str]] = (Visibility.PUBLIC,)

    elapsed: float = 0.0
    remaining: float = -1.0


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


class LatestTerms(Feature):
    """A seat's latest terms of each issue, as in :class:`TableOffer`."""

    visibility: ClassVar[Sequence[str]] = (Visibility.PUBLIC,)

    named: tuple[float, ...] = ()
    terms: tuple[float, ...] = ()


class Presence(Feature):
    """A seat's presence: the number of its expression, and whether it types or builds an offer."""

    visibility: ClassVar[Sequence[str]] = (Visibility.PUBLIC,)

    expression: int = 0
    typing: bool = False
    drafting: bool = False


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


def feature_states(
    state: State, *, now: float | None = None, principals: Mapping[Seat, str] | None = None
) -> dict[str, FeatureState]:
    """Return the feature states of a bargaining table, by owner: the seats in order, then the platform.

    Each seat has Presence, LatestTerms and, as far as the state holds its preferences, Limits, Worth and
    PointsTable, which are visible to their owner and to the audience that the game declares. The platform has
    Clock and TableOffer, which are public.

    Args:
        state: The whole state, or a view of it.
        now: The session time, in seconds; that of the last event unless given.
        principals: The registered principal of each seat that has one; no requestor is above the others.

    Raises:
        TypeError: If the session plays no bargaining game.
    """
    at = state.t if now is None else now
    above = principals or {}
    states = {
        seat: FeatureState(seat, SEAT_LEVEL, _seat_features(state, seat, at), above.get(seat, NO_PRINCIPAL))
        for seat in state.game.seats
    }
    table = [_clock(state.game, at), _table_offer(state)]
    return {**states, PLATFORM: FeatureState(PLATFORM, SYSTEM_LEVEL, table, NO_PRINCIPAL)}


def observation_of(
    state: State,
    requestor_id: str | None,
    requestor_level: int,
    timestamp: float,
    *,
    principals: Mapping[Seat, str] | None = None,
) -> Observation:
    """Return a requestor's observation of a bargaining table.

    Args:
        state: The whole state, or the requestor's view of it: both give the same.
        requestor_id: A seat, a principal, ``platform``; None without a name.
        requestor_level: 1 for a seat, 2 for a principal, 3 for the system.
        timestamp: The session time, in seconds.
        principals: The registered principal of each seat that has one.

    Raises:
        TypeError: If the session plays no bargaining game.
    """
    # The given time, not the last event's: that event may be hidden from the requestor.
    states = feature_states(state, now=timestamp, principals=principals)
    return get_observation(states, requestor_id, requestor_level, timestamp)


def _clock(game: GameSpec, now: float) -> Clock:
    deadline = game.rules.deadline_seconds
    return Clock(elapsed=now, remaining=MISSING if deadline is None else max(0.0, deadline - now))


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


def _seat_features(state: State, seat: Seat, now: float) -> list[Feature]:
    features: list[Feature] = [_presence(state, seat, now), _latest_terms(state, seat)]
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


def _presence(state: State, seat: Seat, now: float) -> Presence:
    shown = state.presence[seat]
    return Presence(
        expression=EXPRESSIONS.index(shown.expression_at(now)),
        typing=now < shown.typing_until,
        drafting=now < shown.drafting_until,
    )


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
