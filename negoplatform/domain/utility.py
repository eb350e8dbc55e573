"""Utility: the points of an offer for one seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import prod
from operator import and_
from types import MappingProxyType
from typing import Protocol

from negoplatform.domain.offer import Allocation, Number, Offer, Term
from negoplatform.domain.seat_map import Seat

Points = float
"""Points of a utility function. Whole numbers stay ``int``, so that sums of them are exact."""


PointTable = Mapping[int, Points] | Mapping[str, Points] | Mapping[float, Points] | Mapping[Number, Points]
"""Points by own units, by value or by number."""


class UtilityFunction(Protocol):
    """Points of offers for one seat; undecided parts count 0."""

    def __call__(self, offer: Offer) -> Points:
        """Return the points of an offer, complete or partial."""
        ...

    @property
    def lowest(self) -> Points:
        """Points of the worst complete offer."""
        ...

    @property
    def highest(self) -> Points:
        """Points of the best complete offer."""
        ...


class AdditiveUtility:
    """A sum over issues, each of which has its own table of points.

    Args:
        seat: The seat: a quantity issue counts the units of this seat.
        tables: Points per issue: for a quantity issue by the units that the seat gets (0 … quantity),
            for a categorical issue by value, for a number issue by number. Points may be negative.
    """

    __slots__ = ("_highest", "_lowest", "_seat", "_tables")

    def __init__(self, seat: Seat, tables: Mapping[str, PointTable]) -> None:
        self._seat = seat
        self._tables: Mapping[str, Mapping[object, Points]] = MappingProxyType(
            {issue: MappingProxyType(dict[object, Points](table.items())) for issue, table in tables.items()}
        )
        self._lowest = sum(min(table.values()) for table in self._tables.values())
        self._highest = sum(max(table.values()) for table in self._tables.values())

    @property
    def additive(self) -> AdditiveUtility:
        """The sum over issues: this utility itself."""
        return self

    @property
    def seat(self) -> Seat:
        """The seat of this utility."""
        return self._seat

    @property
    def tables(self) -> Mapping[str, Mapping[object, Points]]:
        """Points per issue, by own units, by value or by number."""
        return self._tables

    @property
    def lowest(self) -> Points:
        """Points of the worst complete offer."""
        return self._lowest

    @property
    def highest(self) -> Points:
        """Points of the best complete offer."""
        return self._highest

    def __call__(self, offer: Offer) -> Points:
        """Return the points of an offer; undecided units or issues count 0."""
        total: Points = 0
        for issue, term in offer.terms:
            if type(term) is not Allocation:
                total += self._tables[issue][term]
            elif term.undecided == 0 or term.undecided != term.total:
                total += self._tables[issue][term.of(self._seat)]
        return total

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AdditiveUtility):
            return NotImplemented
        return self._seat == other._seat and self._tables == other._tables

    def __hash__(self) -> int:
        return hash((self._seat, self._lowest, self._highest))

    def __reduce__(self) -> tuple[type[AdditiveUtility], tuple[Seat, dict[str, dict[object, Points]]]]:
        return AdditiveUtility, (self._seat, {issue: dict(table) for issue, table in self._tables.items()})


@dataclass(frozen=True, slots=True)
class Interaction:
    """Points that are added when several issues come out together in a certain way.

    Args:
        points: The points added, or taken away where negative.
        when: Issue names with the levels that count: own units of a quantity issue, values or numbers of
            the others. All named issues have to be at one of theirs, and decided.
    """

    points: Points
    when: tuple[tuple[str, frozenset[object]], ...]


MAX_INTERACTION_COMBINATIONS = 1_000_000
"""Most combinations of terms of issues that interact with each other."""


class InteractionUtility:
    """A sum over issues, points for certain issues coming out together, and a limit of the whole.

    Args:
        additive: The sum over issues.
        interactions: The points added to it.
        at_most: The most points of an offer: more count as these. None: no limit.

    Raises:
        ValueError: If the highest points would take a look at more than a million combinations.
    """

    __slots__ = ("_additive", "_at_most", "_highest", "_interactions", "_lowest")

    def __init__(
        self,
        additive: AdditiveUtility,
        interactions: Iterable[Interaction],
        at_most: Points | None = None,
    ) -> None:
        self._additive = additive
        self._interactions = tuple(interactions)
        self._at_most = at_most
        lows, highs = zip(*(self._range(issues) for issues in self._interaction_groups()), strict=True)
        self._lowest: Points = self._limited(sum(lows))
        self._highest: Points = self._limited(sum(highs))

    @property
    def additive(self) -> AdditiveUtility:
        """The sum over issues."""
        return self._additive

    @property
    def interactions(self) -> tuple[Interaction, ...]:
        """Interactions added to the sum over issues."""
        return self._interactions

    @property
    def at_most(self) -> Points | None:
        """Most points of an offer; None: no limit."""
        return self._at_most

    @property
    def lowest(self) -> Points:
        """Points of the worst complete offer."""
        return self._lowest

    @property
    def highest(self) -> Points:
        """Points of the best complete offer."""
        return self._highest

    def __call__(self, offer: Offer) -> Points:
        """Return the points of an offer; undecided units or issues count 0 and fulfil no interaction."""
        levels = {issue: self._level(term) for issue, term in offer.terms}
        extra = sum(
            interaction.points
            for interaction in self._interactions
            if all(issue in levels and levels[issue] in wanted for issue, wanted in interaction.when)
        )
        return self._limited(self._additive(offer) + extra)

    def _limited(self, points: Points) -> Points:
        return points if self._at_most is None else min(points, self._at_most)

    def _level(self, term: Term) -> object:
        if not isinstance(term, Allocation):
            return term
        return term.of(self._additive.seat) if term.complete else None

    def _interaction_groups(self) -> list[list[str]]:
        """Return the issues, in groups that do not interact with each other."""
        groups = [{issue} for issue in self._additive.tables]
        for interaction in self._interactions:
            named = {issue for issue, _ in interaction.when}
            joined = named.union(*(group for group in groups if group & named))
            groups = [*(group for group in groups if not group & named), joined]
        return [[issue for issue in self._additive.tables if issue in group] for group in groups]

    def _range(self, issues: Sequence[str]) -> tuple[Points, Points]:
        """Return the least and the most points that some issues can add, their interactions included."""
        tables = [self._additive.tables[issue] for issue in issues]
        if prod(len(table) for table in tables) > MAX_INTERACTION_COMBINATIONS:
            raise ValueError(
                f"{', '.join(issues)} interact in more than {MAX_INTERACTION_COMBINATIONS:,} ways"
            )
        among = [i for i in self._interactions if any(issue in issues for issue, _ in i.when)]
        extra: dict[int, Points] = {}
        lows, highs = [], []
        for kinds in product(*(self._level_groups(issue, among) for issue in issues)):
            fulfilled = reduce(and_, (kind for kind, _, _ in kinds), -1)
            if fulfilled not in extra:
                extra[fulfilled] = sum(a.points for i, a in enumerate(among) if fulfilled >> i & 1)
            lows.append(sum(low for _, low, _ in kinds) + extra[fulfilled])
            highs.append(sum(high for _, _, high in kinds) + extra[fulfilled])
        return min(lows), max(highs)

    def _level_groups(self, issue: str, among: Sequence[Interaction]) -> list[tuple[int, Points, Points]]:
        """Return an issue's levels by the interactions they fulfil, one bit each: least and most points.

        Levels that fulfil the same interactions differ by their own points alone, so a hundred levels may be
        two kinds.
        """
        wanted = [[levels for name, levels in i.when if name == issue] for i in among]
        found: dict[int, list[Points]] = {}
        for level, points in self._additive.tables[issue].items():
            bits = sum(1 << i for i, sets in enumerate(wanted) if all(level in levels for levels in sets))
            found.setdefault(bits, []).append(points)
        return [(bits, min(points), max(points)) for bits, points in found.items()]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, InteractionUtility):
            return NotImplemented
        return self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)

    @property
    def _parts(self) -> tuple[AdditiveUtility, tuple[Interaction, ...], Points | None]:
        return self._additive, self._interactions, self._at_most

    def __reduce__(
        self,
    ) -> tuple[type[InteractionUtility], tuple[AdditiveUtility, tuple[Interaction, ...], Points | None]]:
        return InteractionUtility, self._parts


def fraction(utility: UtilityFunction, offer: Offer) -> float:
    """Return the position of an offer between the worst and the best complete outcome, 0 to 1.

    ``(u - min) / (max - min)``, clamped; a utility that never varies gives 1.
    """
    low, high = utility.lowest, utility.highest
    if high == low:
        return 1.0
    return min(1.0, max(0.0, (utility(offer) - low) / (high - low)))
