"""The exact Pareto frontier of a game, composed of the frontiers of its issues.

Terms that are dominated within one issue are dominated in every outcome that contains them, so the frontier
of additive points is found issue by issue: each is merged with the result so far, and dominated sums are
dropped after every merge. The seats' points are packed into one ``int``, so a sum is one addition.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Protocol

from negoplatform.domain.errors import NegoError
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.solutions.integer_scaling import IntegerGame, Tables
from negoplatform.domain.solutions.pareto_merge import (
    approximate_frontier,
    undominated_candidates,
    upper_hull,
)
from negoplatform.domain.utility import Points

LARGEST_MERGE = 200_000_000
"""Most sums of one merge; a game that needs more is refused."""

LARGEST_COMPARISON = 50_000_000
"""Most pairs of sums that are compared with four seats and more, where sorting does not help."""

BATCH_SIZE = 1_000_000
"""Most sums held at once."""

Key = int
"""The integer points of all seats, each counted from the lowest possible, packed into one number."""

Terms = tuple[tuple[str, Term], ...]


@dataclass(frozen=True, slots=True)
class PointPacking:
    """Layout of the seats' points in a key: the first seat's in the highest bits, each with a spare bit.

    Args:
        seats: How many seats.
        bits: How many bits each seat has, the spare one included.
    """

    seats: int
    bits: int

    def pack(self, values: Iterable[int]) -> Key:
        """Return every seat's integer points as one key; a sum of keys is the key of the sums."""
        key = 0
        for value in values:
            key = (key << self.bits) + value
        return key

    def unpack(self, key: Key) -> tuple[int, ...]:
        """Return every seat's integer points."""
        mask = (1 << self.bits) - 1
        return tuple((key >> (self.bits * i)) & mask for i in reversed(range(self.seats)))

    @property
    def spare(self) -> int:
        """The spare bits of all seats, set."""
        return self.pack([1 << (self.bits - 1)] * self.seats)

    def undominated(self, keys: Iterable[Key]) -> list[Key]:
        """Return the keys that no other key matches or exceeds for every seat, each once, highest first."""
        descending = sorted(keys, reverse=True)
        match self.seats:
            case 2:
                return self._undominated_pairs(descending)
            case 3:
                return self._undominated_triples(descending)
            case _:
                return self._undominated(descending)

    def _undominated_pairs(self, descending: list[Key]) -> list[Key]:
        # A later key has no more for the first seat, so it needs more for the second.
        mask, best, kept = (1 << self.bits) - 1, -1, []
        for key in descending:
            second = key & mask
            if second > best:
                best = second
                kept.append(key)
        return kept

    def _undominated_triples(self, descending: list[Key]) -> list[Key]:
        # A staircase of the second and third seat's points: every point on or under it is dominated.
        mask, bits = (1 << self.bits) - 1, self.bits
        seconds: list[int] = []
        thirds: list[int] = []
        kept = []
        for key in descending:
            second, third = (key >> bits) & mask, key & mask
            at = bisect_left(seconds, second)
            if at < len(seconds) and thirds[at] >= third:
                continue
            kept.append(key)
            end = at + (at < len(seconds) and seconds[at] == second)
            while at and thirds[at - 1] <= third:
                at -= 1
            seconds[at:end] = [second]
            thirds[at:end] = [third]
        return kept

    def _undominated(self, descending: list[Key]) -> list[Key]:
        # With the spare bits set first, a seat with less borrows its own spare bit and no other.
        spare, work = self.spare, 0
        kept: list[Key] = []
        raised: list[Key] = []
        for key in descending:
            work += len(raised)
            if work > LARGEST_COMPARISON:
                raise NegoError(
                    f"The Pareto frontier for {self.seats} seats cannot be computed: more than "
                    f"{LARGEST_COMPARISON:,} pairs of outcomes would have to be compared; "
                    f"make the game smaller."
                )
            if not any((other - key) & spare == spare for other in raised):
                kept.append(key)
                raised.append(key | spare)
        return kept


class FrontierPart(Protocol):
    """An issue, or several that are settled together."""

    @property
    def outcome_counts(self) -> Mapping[Key, int]:
        """Undominated keys of this part alone, each with the number of ways to settle the part so."""
        ...

    def terms(self, key: Key) -> Iterator[Terms]:
        """Yield every way of settling this part that gives a key."""
        ...


class IssuePart:
    """Part with a single issue.

    Args:
        issue: The issue.
        seats: All seats, in order.
        tables: Each seat's integer points, counted from its lowest at this issue.
        packing: How keys are packed.
    """

    __slots__ = ("_issue", "_levels", "_seats", "outcome_counts")

    def __init__(
        self,
        issue: Issue,
        seats: tuple[Seat, ...],
        tables: Sequence[Mapping[object, int]],
        packing: PointPacking,
    ) -> None:
        found: dict[Key, list[object]] = {}
        for level, key in issue_levels(issue, seats, tables, packing):
            found.setdefault(key, []).append(level)
        self._issue = issue
        self._seats = seats
        self._levels = {key: found[key] for key in packing.undominated(found)}
        self.outcome_counts: Mapping[Key, int] = {key: len(same) for key, same in self._levels.items()}

    def terms(self, key: Key) -> Iterator[Terms]:
        """Yield every term of the issue that gives a key."""
        for level in self._levels[key]:
            yield ((self._issue.name, term_of(level, self._seats)),)


def issue_levels(
    issue: Issue, seats: tuple[Seat, ...], tables: Sequence[Mapping[object, int]], packing: PointPacking
) -> Iterator[tuple[object, Key]]:
    """Yield every way of settling an issue, with its key; quantities are units in the order of seats."""
    if not isinstance(issue, QuantityIssue):
        for value in issue.values:
            yield value, packing.pack(table[value] for table in tables)
        return
    for units in unit_allocations(issue.quantity, len(seats)):
        yield units, packing.pack(table[own] for table, own in zip(tables, units, strict=True))


def unit_allocations(quantity: int, seats: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to divide units among seats, nothing undecided."""
    bars = quantity + seats - 1
    for cuts in combinations(range(bars), seats - 1):
        edges = (-1, *cuts, bars)
        yield tuple(after - before - 1 for before, after in pairwise(edges))


def term_of(level: object, seats: tuple[Seat, ...]) -> Term:
    """Return the term of a level: units in the order of seats become an allocation."""
    if isinstance(level, tuple):
        return Allocation(zip(seats, level, strict=True))
    assert isinstance(level, str | int | float)
    return level


@dataclass(frozen=True, slots=True)
class UtilityPoint:
    """Points of every seat at one outcome, or at several that tie.

    Args:
        points: Each seat's points.
        outcomes: How many outcomes give exactly these points, 1 or more.
        integer_points: The same points as integers, in the order of seats.
    """

    points: SeatMap[Points]
    outcomes: int
    integer_points: tuple[int, ...] = field(repr=False)
    _key: Key = field(repr=False)
    _frontier: Frontier = field(repr=False, compare=False)

    def offers(self) -> Iterator[Offer]:
        """Yield every outcome that gives these points, lazily and always in the same order."""
        return self._frontier.offers(self._key)

    @property
    def example(self) -> Offer:
        """An outcome that gives these points, always the same one."""
        return next(self.offers())


class Frontier:
    """Every point that no outcome improves for one seat without a loss for another.

    Args:
        exact: The game in integer points.
        parts: Its issues, alone or together; the points of different parts are independent.
        packing: How their keys are packed.
        lowest: Each seat's integer points where a key is 0.

    Raises:
        NegoError: If the game's frontier is too large to compute.
    """

    __slots__ = ("_parts", "_so_far", "exact", "points")

    def __init__(
        self, exact: IntegerGame, parts: Iterable[FrontierPart], packing: PointPacking, lowest: Sequence[int]
    ) -> None:
        self.exact = exact
        # Small ones first: the cost of a merge is the product of both sizes.
        self._parts = sorted(parts, key=lambda part: len(part.outcome_counts))
        self._so_far: list[Mapping[Key, int]] = [{0: 1}]
        hull: list[Key] = [0]
        for part in self._parts:
            if packing.seats == 2:
                # The hull of all sums is the sum of both hulls, so the long staircase needs none of its own.
                own = upper_hull(list(part.outcome_counts), packing.bits)
                hull = approximate_frontier(hull, own, packing.bits)[::-1]
            self._so_far.append(
                _merged(self._so_far[-1], part.outcome_counts, packing, exact.game.name, hull[::-1])
            )
        self.points = tuple(
            self._point(
                key, outcomes, [low + own for low, own in zip(lowest, packing.unpack(key), strict=True)]
            )
            for key, outcomes in self._so_far[-1].items()
        )
        """The points, from the first seat's best to its worst."""

    def _point(self, key: Key, outcomes: int, whole: Sequence[int]) -> UtilityPoint:
        points = SeatMap(zip(self.exact.game.seats, map(self.exact.to_points, whole), strict=True))
        return UtilityPoint(points, outcomes, tuple(whole), key, self)

    @property
    def outcomes(self) -> int:
        """Number of outcomes on the frontier."""
        return sum(point.outcomes for point in self.points)

    def offers(self, key: Key) -> Iterator[Offer]:
        """Yield the outcomes of one of the points; prefer the point's own method."""
        return map(Offer, self._iter_terms(len(self._parts), key))

    def _iter_terms(self, count: int, key: Key) -> Iterator[Terms]:
        if count == 0:
            yield ()
            return
        part, before = self._parts[count - 1], self._so_far[count - 1]
        for own in part.outcome_counts:
            if key - own in before:
                for others in self._iter_terms(count - 1, key - own):
                    for terms in part.terms(own):
                        yield (*others, *terms)


def _merged(
    left: Mapping[Key, int], right: Mapping[Key, int], packing: PointPacking, game: str, hull: Sequence[Key]
) -> Mapping[Key, int]:
    """Return the undominated sums of two sets of keys, each with the number of ways to reach it.

    Args:
        left: Undominated keys with their numbers of ways, highest key first.
        right: The same.
        packing: How keys are packed.
        game: The game's name, for error messages.
        hull: The upper hull of all sums, lowest key first; of two seats alone.

    Raises:
        NegoError: If there are too many sums.
    """
    if len(left) * len(right) > LARGEST_MERGE:
        raise NegoError(
            f"The Pareto frontier of {game} cannot be computed: {len(left):,} points would have to be joined "
            f"with {len(right):,}, and at most {LARGEST_MERGE:,} pairs are looked at; "
            f"make its points coarser."
        )
    # The longer side in blocks: more is skipped at once then.
    long, short = (left, right) if len(left) >= len(right) else (right, left)
    if packing.seats == 2:
        runs = undominated_candidates(list(long), list(short), hull, packing.bits)
    else:
        runs = [(list(long), other) for other in short]
    keys: list[Key] = []
    sums: list[Key] = []
    for run, other in runs:
        sums += [key + other for key in run]
        if len(sums) > BATCH_SIZE:
            keys, sums = packing.undominated(keys + sums), []
    merged = dict.fromkeys(packing.undominated(keys + sums), 0)
    for run, other in runs:
        # No sum of dominated keys is undominated, so the undominated keys of both sides suffice.
        for key in merged.keys() & {key + other for key in run}:
            merged[key] += long[key - other] * short[other]
    return merged


def additive_frontier(exact: IntegerGame) -> Frontier:
    """Return the frontier of a game whose points are sums over issues, without enumerating its outcomes.

    Args:
        exact: The game in integer points; its interactions are ignored.

    Raises:
        NegoError: If the game's frontier is too large to compute.
    """
    game = exact.game
    lows, tables = shift_to_zero([utility.tables for utility in exact.utilities.values()])
    packing = packing_for(tables)
    parts = [
        IssuePart(issue, game.seats, [table[issue.name] for table in tables], packing)
        for issue in game.issues
    ]
    return Frontier(exact, parts, packing, lows)


def shift_to_zero(tables: Sequence[Tables]) -> tuple[list[int], list[Tables]]:
    """Return each seat's lowest points, summed over issues, and the tables less these, issue by issue."""
    lows = [{issue: min(table.values()) for issue, table in seat.items()} for seat in tables]
    return [sum(low.values()) for low in lows], [
        {
            issue: {level: points - low[issue] for level, points in table.items()}
            for issue, table in seat.items()
        }
        for seat, low in zip(tables, lows, strict=True)
    ]


def packing_for(tables: Sequence[Tables], extra: int = 0) -> PointPacking:
    """Return the tightest packing for the sums of some tables, from 0 up, plus a little extra."""
    highest = max((sum(max(table.values()) for table in seat.values()) for seat in tables), default=0)
    return PointPacking(len(tables), (highest + extra).bit_length() + 1)
