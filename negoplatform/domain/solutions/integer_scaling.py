"""Points as integers, so that sums that are equal on paper are equal.

Every number of a game is taken as it is written (0.1 is one tenth, not its nearest binary fraction) and
multiplied by one power of ten that makes all of them integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Context, Decimal, Inexact
from fractions import Fraction

from negoplatform.domain.errors import NegoError, NotVisible
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import (
    AdditiveUtility,
    Interaction,
    InteractionUtility,
    Points,
    UtilityFunction,
)

# A float has at most 309 digits before the point and 1,074 after it; Inexact is raised if that is too few.
_EXACT_CONTEXT = Context(prec=2000, traps=[Inexact])

Tables = Mapping[str, Mapping[object, int]]
"""Integer points per issue, by own units, by value or by number."""


def decimal_places(value: Points) -> int:
    """Return the number of digits after the point, as a number is written."""
    if type(value) is int:
        return 0
    exponent = Decimal(str(value)).as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def to_integer(value: Points, factor: int) -> int:
    """Return a number times a power of ten that makes it an integer.

    Raises:
        decimal.Inexact: If the factor does not make it an integer.
    """
    if type(value) is int:
        return value * factor
    product = _EXACT_CONTEXT.multiply(Decimal(str(value)), Decimal(factor))
    return int(_EXACT_CONTEXT.to_integral_exact(product))


def round_to_integer(value: Points, factor: int) -> int:
    """Return a sum of points in integer points, without the rounding errors of binary fractions."""
    return round(Fraction(value) * factor)


@dataclass(frozen=True, slots=True)
class IntegerInteraction:
    """An interaction in integer points; see ``utility.Interaction``."""

    points: int
    when: tuple[tuple[str, frozenset[object]], ...]


@dataclass(frozen=True, slots=True)
class IntegerUtility:
    """A seat's utility in integer points.

    Args:
        seat: The seat.
        tables: Integer points per issue, in the game's order of issues.
        interactions: The points that certain issues add together.
        at_most: The most integer points of an offer; None: no limit.
    """

    seat: Seat
    tables: Tables
    interactions: tuple[IntegerInteraction, ...] = ()
    at_most: int | None = None
    ranges: Mapping[str, int] = field(init=False, repr=False, compare=False)
    """Highest less lowest points of each issue."""

    def __post_init__(self) -> None:
        ranges = {issue: max(table.values()) - min(table.values()) for issue, table in self.tables.items()}
        object.__setattr__(self, "ranges", ranges)

    def __call__(self, offer: Offer) -> int:
        """Return the integer points of an offer; undecided parts count 0, as in the utility in points."""
        total = 0
        for issue, term in offer.terms:
            if not isinstance(term, Allocation):
                total += self.tables[issue][term]
            elif term.undecided == 0 or term.undecided != term.total:
                total += self.tables[issue][term.of(self.seat)]
        if self.interactions:
            total += self._interaction_points(offer)
        return total if self.at_most is None else min(total, self.at_most)

    @property
    def additive(self) -> bool:
        """Whether the points are a mere sum over issues."""
        return not self.interactions and self.at_most is None

    def _interaction_points(self, offer: Offer) -> int:
        levels: dict[str, object] = {}
        for issue, term in offer.terms:
            if not isinstance(term, Allocation):
                levels[issue] = term
            elif term.complete:
                levels[issue] = term.of(self.seat)
        return sum(
            interaction.points
            for interaction in self.interactions
            if all(issue in levels and levels[issue] in wanted for issue, wanted in interaction.when)
        )


@dataclass(frozen=True, slots=True)
class IntegerGame:
    """A game with every seat's points as integers.

    Args:
        game: The game.
        factor: One point in integer points: a power of ten.
        utilities: Each seat's utility.
        reservation: Each seat's reservation value in integer points.
    """

    game: GameSpec
    factor: int
    utilities: SeatMap[IntegerUtility]
    reservation: SeatMap[int]
    _ranges: SeatMap[tuple[int, int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ranges = SeatMap([(seat, self._find_range(seat)) for seat in self.utilities])
        object.__setattr__(self, "_ranges", ranges)

    @property
    def additive(self) -> bool:
        """Whether every seat's points are a mere sum over issues."""
        return all(utility.additive for utility in self.utilities.values())

    def to_points(self, value: int) -> Points:
        """Return integer points as points; whole ones stay ``int``."""
        rest = value % self.factor
        return value / self.factor if rest else value // self.factor

    def utility_range(self, seat: Seat) -> tuple[int, int]:
        """Return the least and the most points of a complete offer for a seat, in integer points."""
        return self._ranges[seat]

    def _find_range(self, seat: Seat) -> tuple[int, int]:
        utility = self.utilities[seat]
        if not utility.additive:
            given = self.game.preferences[seat].utility
            return round_to_integer(given.lowest, self.factor), round_to_integer(given.highest, self.factor)
        tables = utility.tables.values()
        return sum(min(table.values()) for table in tables), sum(max(table.values()) for table in tables)

    def integer_points(self, offer: Offer) -> tuple[int, ...]:
        """Return every seat's integer points of an offer, in the order of seats."""
        return tuple([utility(offer) for _, utility in self.utilities.pairs])


def integer_game(game: GameSpec) -> IntegerGame:
    """Return a game with its points as integers.

    Raises:
        NotVisible: If the preferences of a seat are hidden in this game.
        NegoError: If the game has no issues, a seat still has several profiles, or a utility has no tables.
    """
    if not game.issues:
        raise NegoError(
            f"{game.name} has no issues, and measures compare the outcomes of issues; "
            "in this kind of game only each seat's points are known."
        )
    if game.profiles:
        raise NegoError(
            f"In {game.name} the profile of {', '.join(game.profiles)} is still to be chosen; "
            f"settle the game first."
        )
    for seat in game.seats:
        if seat not in game.preferences:
            raise NotVisible(
                f"The preferences of {seat} are hidden here, and outcomes are compared by every seat's "
                f'points; a game file shows them with "visibility": {{"preferences": "public"}} at that seat.'
            )
    parts = [_split(seat, game.preferences[seat].utility) for seat in game.seats]
    factor = 10 ** max(map(decimal_places, _numbers(game, parts)), default=0)
    order = [issue.name for issue in game.issues]
    return IntegerGame(
        game=game,
        factor=factor,
        utilities=SeatMap(
            (seat, _integer_utility(parts_of_seat, order, factor))
            for seat, parts_of_seat in zip(game.seats, parts, strict=True)
        ),
        reservation=SeatMap(
            (seat, to_integer(game.preferences[seat].reservation_value, factor)) for seat in game.seats
        ),
    )


@dataclass(frozen=True, slots=True)
class _UtilityParts:
    """Parts of a utility, in points."""

    additive: AdditiveUtility
    interactions: tuple[Interaction, ...] = ()
    at_most: Points | None = None


def _split(seat: Seat, utility: UtilityFunction) -> _UtilityParts:
    if isinstance(utility, AdditiveUtility):
        return _UtilityParts(utility)
    if isinstance(utility, InteractionUtility):
        return _UtilityParts(utility.additive, utility.interactions, utility.at_most)
    raise NegoError(
        f"The utility of {seat} is a {type(utility).__name__}; outcomes are compared for points that add up "
        f"over issues, with interactions or without."
    )


def _numbers(game: GameSpec, parts: list[_UtilityParts]) -> Iterable[Points]:
    for utility in parts:
        for table in utility.additive.tables.values():
            yield from table.values()
        for interaction in utility.interactions:
            yield interaction.points
        if utility.at_most is not None:
            yield utility.at_most
    for seat in game.seats:
        yield game.preferences[seat].reservation_value


def _integer_utility(utility: _UtilityParts, order: list[str], factor: int) -> IntegerUtility:
    tables = {
        issue: {level: to_integer(points, factor) for level, points in utility.additive.tables[issue].items()}
        for issue in order
    }
    return IntegerUtility(
        seat=utility.additive.seat,
        tables=tables,
        interactions=tuple(
            IntegerInteraction(to_integer(i.points, factor), i.when) for i in utility.interactions
        ),
        at_most=None if utility.at_most is None else to_integer(utility.at_most, factor),
    )
