"""Measures of a session's outcome, for each seat and for all together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import dist, sqrt
from operator import attrgetter, ge
from typing import Any, NamedTuple

from negoplatform.analysis.bidding_measures import (
    BiddingMeasures,
    KnownOffers,
    SentOffer,
    bidding_measures,
)
from negoplatform.analysis.games.frontier_with_interactions import pareto_frontier
from negoplatform.analysis.games.game_measures import joint_max, spans_of
from negoplatform.analysis.tournament.utility_curves import UtilityCurve, utility_curves
from negoplatform.core.events import EndedBy
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.solutions.bargaining_solutions import (
    BargainingSolutions,
    Solution,
    compute_solutions,
)
from negoplatform.domain.solutions.integer_scaling import IntegerGame, integer_game
from negoplatform.domain.utility import Points


@dataclass(frozen=True, slots=True)
class SeatMeasures:
    """Outcome measures and bidding of one seat; u is its utility, r its reservation value.

    All fields except ``points`` ignore time costs. None where the ending gives no points (a failed agent, an
    aborted session) or where a formula has no value.

    Args:
        utility: u, in points: the utility of the deal; without a deal, or where the seat is left out of it,
            the reservation value, or after a walk-out the seat's points for quitting.
        points: The seat's final points, after time costs.
        advantage: (u - r) / (M - r), up to 1, where M is its best outcome (NegMAS); below 0 if it did worse
            than no deal. None if no outcome is better for it than no deal.
        surplus_share: (u - r) over the sum of all seats' (u - r); None where that sum is not above 0. From 0
            to 1 if no seat loses.
        rational: Whether u is at least r (individual rationality).
        exploited: Whether u is below r while another seat has more than its own r. Our definition.
        dominance: 1 if its advantage is above every other seat's (a win), 0 if it shares the highest, -1 if
            it is below (NegMAS).
        bidding: Its bidding measures.
    """

    utility: Points | None
    points: Points | None
    advantage: float | None
    surplus_share: float | None
    rational: bool | None
    exploited: bool | None
    dominance: int | None
    bidding: BiddingMeasures


@dataclass(frozen=True, slots=True)
class SessionMeasures:
    """Outcome measures for all seats together; time costs are ignored.

    Distances are Euclidean, in shares of each seat's points (0 its worst outcome, 1 its best): 0 up; between
    outcomes at most the root of the number of seats. If several outcomes reach a solution, the distance is
    to the nearest. An ending without a deal is at the points that it leaves the seats: at their reservation
    values after a timeout. The optimality of a distance is ``max(0, 1 - distance / longest)``, 0 to 1, where
    the longest is the root of the number of seats whose points vary (NegMAS).

    None where the ending gives no points, where the game has no such solution, and where its frontier cannot
    be computed.

    Args:
        joint_points: The sum of the seats' utilities (social welfare).
        joint_share: The same as a share of the highest sum of any outcome; None unless that is above 0.
        relative_welfare: The sum of gains over the reservation values, as a share of the highest of any
            outcome, up to 1; None unless that is above 0 (NegMAS: efficiency).
        pareto_optimal: Whether no outcome is better for one seat and worse for none; None without a deal.
        pareto_distance: To the Pareto frontier (Genius, NegMAS).
        nash_distance: To the Nash point (Nash 1950; Genius).
        egalitarian_distance: To the egalitarian point (Kalai 1977).
        kalai_smorodinsky_distance: To the Kalai-Smorodinsky point (Kalai & Smorodinsky 1975).
        pareto_optimality: Optimality of that distance, 0 to 1.
        nash_optimality: The same for the Nash point.
        egalitarian_optimality: The same for the egalitarian point.
        kalai_smorodinsky_optimality: The same for the Kalai-Smorodinsky point.
        fairness: The highest of the last three (NegMAS).
        seats: The measures of each seat.
    """

    joint_points: Points | None
    joint_share: float | None
    relative_welfare: float | None
    pareto_optimal: bool | None
    pareto_distance: float | None
    nash_distance: float | None
    egalitarian_distance: float | None
    kalai_smorodinsky_distance: float | None
    pareto_optimality: float | None
    nash_optimality: float | None
    egalitarian_optimality: float | None
    kalai_smorodinsky_optimality: float | None
    fairness: float | None
    seats: SeatMap[SeatMeasures]


_Worth = tuple[int | Fraction, ...]
"""Utility of an ending for every seat, in whole points; that of quitting may be a fraction."""

_Position = tuple[float, ...]
"""Position of an ending or outcome: each seat's points as a share of its span."""

MAX_KNOWN_OUTCOMES = 10_000
"""Ends of one game whose measures are kept, at most."""


class _OutcomeMeasures(NamedTuple):
    """Measures that follow from the end alone: of the session, and of each seat.

    Attributes:
        session: The fields of ``SessionMeasures`` except ``seats``.
        seats: For each seat the fields of ``SeatMeasures`` except ``points`` and ``bidding``.
    """

    session: dict[str, Any]
    seats: tuple[dict[str, Any], ...]


class MeasuredGame:
    """Game with resolved profiles, and everything for measuring its sessions, computed once.

    Args:
        game: The game.

    Raises:
        NotVisible: If the preferences of a seat are hidden in this game.
        NegoError: If the game has no issues, a seat still has several profiles, or a utility has no tables.
    """

    __slots__ = (
        "_frontier",
        "_known",
        "_longest",
        "_outcomes",
        "_solution_positions",
        "_spans",
        "_undominated",
        "exact",
        "solutions",
        "solutions_error",
    )

    def __init__(self, game: GameSpec) -> None:
        self.exact = integer_game(game)
        self.solutions: BargainingSolutions | None = None
        """Bargaining solutions; None if they cannot be computed."""
        self.solutions_error = ""
        """Reason in a sentence why they cannot be computed."""
        self._spans = spans_of(self.exact)
        self._known = KnownOffers(self.exact)
        self._outcomes: dict[tuple[Offer | None, EndedBy, tuple[Seat, ...]], _OutcomeMeasures] = {}
        self._longest = sqrt(sum(high > low for low, high in self._spans))
        self._frontier: list[tuple[float, ...]] = []
        self._undominated: frozenset[tuple[int, ...]] = frozenset()
        self._solution_positions: dict[str, list[tuple[float, ...]]] = {}
        try:
            self.solutions = compute_solutions(pareto_frontier(self.exact))
        except NegoError as error:
            self.solutions_error = str(error)
            return
        points = self.solutions.frontier.points
        self._frontier = [self._position(point.integer_points) for point in points]
        self._undominated = frozenset(point.integer_points for point in points)
        self._solution_positions = {
            solution.name: self._positions(solution) for solution in self.solutions.solutions
        }

    def measure_session(
        self,
        *,
        deal: Offer | None,
        ended_by: EndedBy,
        points: Mapping[Seat, Points | None],
        offers: Sequence[SentOffer],
        left_out: Collection[Seat] = (),
    ) -> SessionMeasures:
        """Return the measures of one session.

        Args:
            deal: The binding offer; None without agreement.
            ended_by: The kind of ending.
            points: Each seat's points as the mechanism gives them.
            offers: The offers, in order.
            left_out: Seats that get their reservation values and nothing of the deal.
        """
        key = (deal, ended_by, tuple(left_out))
        found = self._outcomes.get(key)
        if found is None:
            if len(self._outcomes) >= MAX_KNOWN_OUTCOMES:
                self._outcomes.clear()
            found = self._outcomes[key] = self._measure_outcome(deal, ended_by, left_out)
        bids = bidding_measures(self.exact, offers, self._known)
        seats = [
            (seat, SeatMeasures(points=points.get(seat), bidding=bidding, **of_seat))
            for (seat, bidding), of_seat in zip(bids.pairs, found.seats, strict=True)
        ]
        return SessionMeasures(seats=SeatMap(seats), **found.session)

    def _measure_outcome(
        self, deal: Offer | None, ended_by: EndedBy, left_out: Collection[Seat]
    ) -> _OutcomeMeasures:
        worth = self._worth(deal, ended_by, left_out)
        here = None if worth is None else self._position(worth)
        nash, egalitarian, smorodinsky = (
            self._distance(here, self._solution_positions.get(name, []))
            for name in ("nash", "egalitarian", "kalai_smorodinsky")
        )
        pareto = self._distance(here, self._frontier)
        fair = [self._optimality(d) for d in (nash, egalitarian, smorodinsky)]
        optimal = None
        if deal is not None and worth is not None and self.solutions is not None:
            optimal = self._is_optimal(worth, is_outcome=not left_out and self.exact.game.is_complete(deal))
        session = {
            "joint_points": None if worth is None else self._points(sum(worth)),
            "joint_share": self._share_of_best(worth, 0),
            "relative_welfare": self._share_of_best(worth, sum(self.exact.reservation.values())),
            "pareto_optimal": optimal,
            "pareto_distance": pareto,
            "nash_distance": nash,
            "egalitarian_distance": egalitarian,
            "kalai_smorodinsky_distance": smorodinsky,
            "pareto_optimality": self._optimality(pareto),
            "nash_optimality": fair[0],
            "egalitarian_optimality": fair[1],
            "kalai_smorodinsky_optimality": fair[2],
            "fairness": max((value for value in fair if value is not None), default=None),
        }
        return _OutcomeMeasures(session, self._seats(worth))

    def joint_share_paid(self, points: Iterable[Points | None]) -> float | None:
        """Return the sum of all seats' final points as a share of the highest sum of any outcome.

        None where a seat has no points, and unless the highest sum can be computed and is above 0.

        Args:
            points: The seats' points, after discount and time costs, in the order of seats.
        """
        paid = [*points]
        if None in paid:
            return None
        return self._share_of_best([_exact(own) * self.exact.factor for own in paid if own is not None], 0)

    def utility_curves(
        self, offers: Sequence[SentOffer], ended_at: float
    ) -> tuple[UtilityCurve, UtilityCurve] | None:
        """Return the utilities of both seats' proposals in the course of a session; None without two seats.

        Args:
            offers: The offers, in order.
            ended_at: The session time (s) of the end.
        """
        if len(self.exact.game.seats) != 2:
            return None
        return utility_curves(self.exact, offers, ended_at, self._known)

    def _worth(self, deal: Offer | None, ended_by: EndedBy, left_out: Collection[Seat]) -> _Worth | None:
        preferences = self.exact.game.preferences
        match ended_by:
            case EndedBy.AGREEMENT if deal is not None:
                own, reservation = self.exact.integer_points(deal), self.exact.reservation
                paid = zip(self.exact.game.seats, own, strict=True)
                return tuple(reservation[s] if s in left_out else points for s, points in paid)
            case EndedBy.TIMEOUT:
                return tuple(self.exact.reservation.values())
            case EndedBy.QUIT:
                values = (preferences[seat].quit_value for seat in self.exact.game.seats)
                return tuple(_exact(value) * self.exact.factor for value in values)
            case _:
                return None

    def _seats(self, worth: _Worth | None) -> tuple[dict[str, Any], ...]:
        seats = self.exact.game.seats
        if worth is None:
            names = [name for name in _SEAT_FIELDS if name != "points"]
            return (dict.fromkeys(names),) * len(seats)
        least = list(self.exact.reservation.values())
        gains = [own - none for own, none in zip(worth, least, strict=True)]
        most = [high - none for (_, high), none in zip(self._spans, least, strict=True)]
        advantages = [
            Fraction(gain) / top if top > 0 else None for gain, top in zip(gains, most, strict=True)
        ]
        surplus = sum(gains)
        return tuple(
            {
                "utility": self._points(worth[i]),
                "advantage": _float(advantages[i]),
                "surplus_share": float(gains[i] / surplus) if surplus > 0 else None,
                "rational": gains[i] >= 0,
                "exploited": gains[i] < 0 and any(gain > 0 for gain in gains),
                "dominance": _dominance(advantages, i),
            }
            for i in range(len(seats))
        )

    def _points(self, worth: int | Fraction) -> Points:
        if isinstance(worth, int):
            return self.exact.to_points(worth)
        points = worth / self.exact.factor
        return int(points) if points.denominator == 1 else float(points)

    def _share_of_best(self, worth: Sequence[int | Fraction] | None, start: int) -> float | None:
        if worth is None or self.solutions is None:
            return None
        best = joint_max(self.solutions) - start
        return float((sum(worth) - start) / best) if best > 0 else None

    def _is_optimal(self, worth: _Worth, *, is_outcome: bool) -> bool:
        if is_outcome:
            return worth in self._undominated
        # With undecided terms, or seats that are left out, the end may be off the frontier on either side.
        return not any(other != worth and all(map(ge, other, worth)) for other in self._undominated)

    def _position(self, worth: Iterable[int | Fraction]) -> _Position:
        # The float of a fraction is the quotient of its whole numbers.
        return tuple(
            [
                1.0 if high == low else float((own - low) / (high - low))
                for own, (low, high) in zip(worth, self._spans, strict=True)
            ]
        )

    def _positions(self, solution: Solution) -> list[_Position]:
        return [self._position(point.integer_points) for point in solution.tied]

    def _distance(self, here: _Position | None, places: Iterable[_Position]) -> float | None:
        return None if here is None else min([dist(here, place) for place in places], default=None)

    def _optimality(self, distance: float | None) -> float | None:
        if distance is None:
            return None
        return max(0.0, 1 - distance / self._longest) if self._longest else 1.0


def advantages_paid(exact: IntegerGame, points: Iterable[Points | None]) -> tuple[float | None, ...]:
    """Return (p - r) / (M - r) of each seat, where p are its final points, after discount and time costs.

    r is its reservation value and M its best outcome, both without discount and time costs, so that the
    result grows with the points by the same factor in all games of a seat. None where the seat has no points,
    and if no outcome is better for it than no deal.

    Args:
        exact: The game in whole points.
        points: The seats' points, in the order of seats.
    """
    found: list[float | None] = []
    for paid, none, (_, most) in zip(points, exact.reservation.values(), spans_of(exact), strict=True):
        gain = None if paid is None or most <= none else _exact(paid) * exact.factor - none
        found.append(None if gain is None else float(gain / (most - none)))
    return tuple(found)


def _exact(points: Points) -> Fraction:
    return Fraction(Decimal(str(points)))


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _dominance(advantages: Sequence[Fraction | None], seat: int) -> int | None:
    own = advantages[seat]
    others = [other for i, other in enumerate(advantages) if i != seat and other is not None]
    if own is None or not others:
        return None
    return (own > max(others)) - (own < max(others))


_SESSION_FIELDS = tuple(field.name for field in fields(SessionMeasures) if field.name != "seats")
_SEAT_FIELDS = tuple(field.name for field in fields(SeatMeasures) if field.name != "bidding")
_BIDDING_FIELDS = tuple(field.name for field in fields(BiddingMeasures))

_session_values = attrgetter(*_SESSION_FIELDS)
_seat_values = attrgetter(*_SEAT_FIELDS)
_bidding_values = attrgetter(*_BIDDING_FIELDS)


@lru_cache(maxsize=64)  # the seats of a few games
def _seat_columns(seat: Seat) -> tuple[list[str], list[str]]:
    """Return the names of the columns of a seat, and of those of its bidding."""
    return [f"{seat}.{name}" for name in _SEAT_FIELDS], [f"{seat}.{name}" for name in _BIDDING_FIELDS]


def as_row(measures: SessionMeasures) -> dict[str, Points | bool | None]:
    """Return measures as one flat row: ``nash_distance``, ``human.advantage``, ``human.steps_nice`` etc."""
    row: dict[str, Any] = dict(zip(_SESSION_FIELDS, _session_values(measures), strict=True))
    for seat, of_seat in measures.seats.items():
        columns, bidding = _seat_columns(seat)
        row.update(zip(columns, _seat_values(of_seat), strict=True))
        values = _bidding_values(of_seat.bidding)
        for name, column, value in zip(_BIDDING_FIELDS, bidding, values, strict=True):
            if name not in ("steps", "moved_steps"):
                row[column] = value
            elif value is not None:
                row.update({f"{column}_{step}": n for step, n in value.items()})
    return row
