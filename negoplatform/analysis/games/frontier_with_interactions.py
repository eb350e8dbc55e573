"""Frontiers of games with interacting issues, whose combinations are enumerated with NumPy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from negoplatform.domain.errors import NegoError, missing_package_error
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue
from negoplatform.domain.solutions.bargaining_solutions import BargainingSolutions, compute_solutions
from negoplatform.domain.solutions.frontier import (
    Frontier,
    FrontierPart,
    IssuePart,
    Key,
    PointPacking,
    Terms,
    additive_frontier,
    issue_levels,
    packing_for,
    shift_to_zero,
    term_of,
)
from negoplatform.domain.solutions.integer_scaling import IntegerGame, IntegerInteraction, integer_game

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

MAX_ENUMERATED_WAYS = 50_000_000
"""Maximum number of combinations of terms in a group of issues that interact, directly or indirectly."""

SLICE_SIZE = 2_000_000
"""Number of combinations in memory at once, with 8 bytes each and a few times that for sorting."""

MAX_INT64_KEY_BITS = 62
"""Maximum number of bits of a key that fits NumPy's integers; wider keys are Python integers, and slower."""


def bargaining_solutions(game: GameSpec) -> BargainingSolutions:
    """Return the bargaining solutions of a game, by the fastest exact algorithm for it.

    Additive points are merged issue by issue. Groups of interacting issues are enumerated, and then merged
    with the others.

    Raises:
        NotVisible: If the preferences of a seat are hidden in this game.
        NegoError: If a seat still has several profiles, if the game is too large, or if issues interact and
            NumPy is not installed.
    """
    return compute_solutions(pareto_frontier(integer_game(game)))


def pareto_frontier(exact: IntegerGame) -> Frontier:
    """Return the Pareto frontier of a game, by the fastest exact algorithm; raises as above."""
    return additive_frontier(exact) if exact.additive else enumerated_frontier(exact)


def enumerated_frontier(exact: IntegerGame) -> Frontier:
    """Return the frontier of a game with interacting issues.

    Raises:
        NegoError: If NumPy is missing, or more than 50 million combinations would have to be enumerated.
    """
    numpy = _numpy(exact.game)
    game, utilities = exact.game, tuple(exact.utilities.values())
    lows, tables = shift_to_zero([utility.tables for utility in utilities])
    always = [sum(i.points for i in utility.interactions if not i.when) for utility in utilities]
    lows = [low + points for low, points in zip(lows, always, strict=True)]
    # The possible losses through interactions are subtracted from the minimum, so that no key is negative.
    changes = [sum(abs(i.points) for i in utility.interactions) for utility in utilities]
    packing = packing_for(tables, max(changes))
    parts: list[FrontierPart] = []
    for issues in _groups(exact):
        axes = [issue_levels(issue, game.seats, [t[issue.name] for t in tables], packing) for issue in issues]
        names = {issue.name for issue in issues}
        losses = [
            -sum(min(0, i.points) for i in utility.interactions if names & _wanted(i).keys())
            for utility in utilities
        ]
        if _has_limits(exact) or any(
            names & _wanted(i).keys() for utility in utilities for i in utility.interactions
        ):
            lows = [low - loss for low, loss in zip(lows, losses, strict=True)]
            limits = [
                None if utility.at_most is None else max(0, utility.at_most - low)
                for utility, low in zip(utilities, lows, strict=True)
            ]
            parts.append(
                InteractingIssuesPart(
                    issues, [list(axis) for axis in axes], exact, packing, losses, limits, numpy
                )
            )
        else:
            parts.append(IssuePart(issues[0], game.seats, [t[issues[0].name] for t in tables], packing))
    # Where even the worst outcome exceeds the limit, every outcome is worth the limit.
    lows = [
        low if utility.at_most is None else min(low, utility.at_most)
        for low, utility in zip(lows, utilities, strict=True)
    ]
    return Frontier(exact, parts, packing, lows)


class InteractingIssuesPart:
    """Group of interacting issues, with all combinations of their terms enumerated.

    Args:
        issues: The issues.
        axes: For each issue, its levels with the keys that they add.
        exact: The game in whole points.
        packing: The packing of points into keys.
        losses: The maximum loss of each seat through interactions of these issues; keys count from there.
        limits: The most points of each seat in a key; None for a seat without a limit.
        numpy: The NumPy module.

    Raises:
        NegoError: If there are more than 50 million combinations.
    """

    __slots__ = (
        "_axes",
        "_bonuses",
        "_issues",
        "_limits",
        "_np",
        "_packing",
        "_seats",
        "_start",
        "_wide",
        "outcome_counts",
    )

    def __init__(
        self,
        issues: Sequence[Issue],
        axes: Sequence[Sequence[tuple[object, Key]]],
        exact: IntegerGame,
        packing: PointPacking,
        losses: Sequence[int],
        limits: Sequence[int | None],
        numpy: Any,
    ) -> None:
        count = prod(map(len, axes))
        if count > MAX_ENUMERATED_WAYS:
            named = ", ".join(issue.name for issue in issues)
            raise NegoError(
                f"{named} of {exact.game.name} interact in {count:,} ways, and at most "
                f"{MAX_ENUMERATED_WAYS:,} are looked at; let fewer issues interact, or with fewer values."
            )
        self._issues, self._axes, self._seats, self._limits = issues, axes, exact.game.seats, limits
        self._np, self._packing, self._start = numpy, packing, packing.pack(losses)
        self._wide = packing.seats * packing.bits > MAX_INT64_KEY_BITS
        self._bonuses = list(self._packed_interactions(exact))
        ways: dict[Key, int] = {}
        for keys in self._slices():
            for key, count in self._undominated(keys):
                ways[key] = ways.get(key, 0) + count
            # A key undominated in the end is so in every slice, so none of its combinations is missed.
            ways = {key: ways[key] for key in packing.undominated(ways)}
        self.outcome_counts: Mapping[Key, int] = ways

    def terms(self, key: Key) -> Iterator[Terms]:
        """Yield every combination of terms with a key."""
        shape = [len(axis) for axis in self._axes]
        before = 0
        for keys in self._slices():
            for at in self._np.flatnonzero(keys == key).tolist():
                places = self._np.unravel_index(before + at, shape)
                yield tuple(
                    (issue.name, term_of(axis[place][0], self._seats))
                    for issue, axis, place in zip(self._issues, self._axes, map(int, places), strict=True)
                )
            before += len(keys)

    def _packed_interactions(self, exact: IntegerGame) -> Iterator[tuple[Key, list[list[bool] | None]]]:
        """Yield for each interaction its key, and for each issue which of its levels fulfil it."""
        for i, (seat, utility) in enumerate(exact.utilities.items()):
            for interaction in utility.interactions:
                wanted = _wanted(interaction)
                if any(issue.name in wanted for issue in self._issues):
                    worth = [interaction.points if other == seat else 0 for other in self._seats]
                    fulfilled = [
                        [_own(level, i) in wanted[issue.name] for level, _ in axis]
                        if issue.name in wanted
                        else None
                        for issue, axis in zip(self._issues, self._axes, strict=True)
                    ]
                    yield self._packing.pack(worth), fulfilled

    def _slices(self) -> Iterator[Array]:
        """Yield the keys of all combinations, a few million at a time, in the order of outcomes."""
        sizes = [len(axis) for axis in self._axes]
        # Each slice fixes the terms of the first issues and spans all combinations of the last ones.
        fixed = next(i for i in range(len(sizes) + 1) if prod(sizes[i:]) <= SLICE_SIZE)
        for places in product(*(range(size) for size in sizes[:fixed])):
            yield self._slice(places)

    def _slice(self, places: tuple[int, ...]) -> Array:
        """Return the keys of all combinations with certain levels of the first issues."""
        np, dtype = self._np, object if self._wide else self._np.int64
        fixed, axes = len(places), self._axes[len(places) :]
        start = self._start + sum(axis[at][1] for axis, at in zip(self._axes, places, strict=False))
        keys = np.full([len(axis) for axis in axes], start, dtype=dtype)
        for i, axis in enumerate(axes):
            keys += self._along(i, len(axes), np.array([key for _, key in axis], dtype=dtype))
        for worth, fulfilled in self._bonuses:
            if all(flags is None or flags[at] for flags, at in zip(fulfilled, places, strict=False)):
                where = np.ones([1] * len(axes), dtype=bool)
                for i, flags in enumerate(fulfilled[fixed:]):
                    if flags is not None:
                        where = where & self._along(i, len(axes), np.array(flags, dtype=bool))
                keys += where.astype(dtype) * worth
        flat: Array = self._limited(keys.ravel())
        return flat

    def _limited(self, keys: Array) -> Array:
        """Return keys in which no seat has more points than its limit."""
        bits = self._packing.bits
        for i, limit in enumerate(reversed(self._limits)):
            if limit is not None:
                excess = ((keys >> (bits * i)) & ((1 << bits) - 1)) - limit
                keys = keys - (self._np.maximum(excess, 0) << (bits * i))
        return keys

    def _along(self, axis: int, axes: int, values: Array) -> Array:
        shaped: Array = values.reshape([len(values) if i == axis else 1 for i in range(axes)])
        return shaped

    def _undominated(self, keys: Array) -> Iterable[tuple[Key, int]]:
        """Return the undominated keys of a slice and their counts; with more than two seats, all keys."""
        np = self._np
        if self._wide:
            return Counter(keys.tolist()).items()
        if self._packing.seats != 2:
            each, counts = np.unique(keys, return_counts=True)
            return zip(each.tolist(), counts.tolist(), strict=True)
        keys = np.sort(keys)
        seconds = np.maximum.accumulate(keys[::-1] & ((1 << self._packing.bits) - 1))
        better = np.concatenate(([True], seconds[1:] > seconds[:-1]))
        kept = keys[::-1][better]
        counts = np.searchsorted(keys, kept, side="right") - np.searchsorted(keys, kept, side="left")
        return zip(kept.tolist(), counts.tolist(), strict=True)


def _own(level: object, seat: int) -> object:
    return level[seat] if isinstance(level, tuple) else level


def _wanted(interaction: IntegerInteraction) -> dict[str, frozenset[object]]:
    """Return the levels that fulfil an interaction, by issue; all conditions on one issue must hold."""
    wanted: dict[str, frozenset[object]] = {}
    for issue, named in interaction.when:
        wanted[issue] = wanted.get(issue, named) & named
    return wanted


def _has_limits(exact: IntegerGame) -> bool:
    return any(utility.at_most is not None for utility in exact.utilities.values())


def _groups(exact: IntegerGame) -> list[list[Issue]]:
    """Return the issues in groups that do not interact with each other for any seat.

    Under a limit of the sum, all issues interact.
    """
    if _has_limits(exact):
        return [list(exact.game.issues)]
    groups = [{issue.name} for issue in exact.game.issues]
    for utility in exact.utilities.values():
        for interaction in utility.interactions:
            named = set(_wanted(interaction))
            if not named:
                continue
            joined = named.union(*(group for group in groups if group & named))
            groups = [*(group for group in groups if not group & named), joined]
    return [[issue for issue in exact.game.issues if issue.name in group] for group in groups]


def _numpy(game: GameSpec) -> Any:
    try:
        import numpy  # an extra, slow to import: only games whose issues interact need it
    except ImportError:
        raise missing_package_error(
            f"Issues of {game.name} interact, so their outcomes are looked at one by one, which needs NumPy",
            "analysis",
        ) from None
    return numpy
