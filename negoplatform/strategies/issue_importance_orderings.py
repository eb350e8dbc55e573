"""Orderings of the issues by another seat's preference that its statements allow.

The opponent model of the IAGO family of agents (Mell and Gratch): a list of stated preferences, and all
orderings of the issues that agree with it. Issues that are stated to be equal share a rank.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from negoplatform.core.events import Preference, Relation

Ordering = tuple[tuple[str, ...], ...]
"""Issues in groups of equals, the most important first."""

MAX_ENUMERATED_GROUPS = 7
"""Number of groups of equals up to which all orderings are looked at (5,040); of more only certain ranks."""

MAX_COMPARED_ORDERINGS = 24
"""Number of orderings up to which each is compared with each."""


class Orderings:
    """The orderings of some issues that agree with a seat's statements.

    Args:
        issues: The issues, by name; their order decides wherever nothing else does.
    """

    def __init__(self, issues: Iterable[str]) -> None:
        self._issues = tuple(issues)
        self._stated: tuple[Preference, ...] = ()
        self._order = _order_of(self._issues, ())
        self._ranks: dict[str, float] | None = None

    @property
    def statements(self) -> tuple[Preference, ...]:
        """Valid statements, oldest first: all that were added and not dropped since."""
        return self._stated

    def conflict(self, statement: Preference) -> Preference | None:
        """Return the oldest statement that a new one contradicts, alone or together with others.

        None if it contradicts none, or cannot be true by itself.
        """
        if not self._is_usable(statement):
            return None
        kept = [*self._without(statement), statement]
        if self._is_consistent(kept):
            return None
        # A statement that can be left out while the rest still disagrees is no part of the contradiction.
        for old in reversed(kept[:-1]):
            fewer = [other for other in kept if other != old]
            if not self._is_consistent(fewer):
                kept = fewer
        return kept[0]

    def add(self, statement: Preference) -> tuple[Preference, ...]:
        """Add a statement as true; older ones that contradict it are dropped, the oldest first.

        Questions, unknown issues and statements that contradict themselves are ignored.

        Returns:
            The dropped statements.
        """
        if not self._is_usable(statement):
            return ()
        dropped = []
        while (old := self.conflict(statement)) is not None:
            dropped.append(old)
            self._stated = self._without(old)
        self._stated = (*self._without(statement), statement)
        self._order = _order_of(self._issues, self._stated)
        self._ranks = None
        return tuple(dropped)

    def __iter__(self) -> Iterator[Ordering]:
        """Yield every ordering that agrees with the statements, lazily."""
        assert self._order is not None  # add() keeps the statements consistent
        groups = self._order.groups
        return (tuple(groups[i] for i in chosen) for chosen in self._order.extensions())

    def expected_ranks(self) -> dict[str, float]:
        """Return each issue's mean rank over all orderings, 0 for the best; equals share their mean.

        With more than 7 groups of equals it is the middle of the possible ranks of an issue.
        """
        if self._ranks is None:
            assert self._order is not None
            few = len(self._order.groups) <= MAX_ENUMERATED_GROUPS
            self._ranks = self._order.mean_ranks() if few else self._order.middle_ranks()
        return dict(self._ranks)

    def minimax(self) -> Ordering:
        """Return the ordering whose largest distance to any other is smallest.

        The distance of two orderings is the sum of the differences in rank (Spearman's footrule). Of more
        than 24 orderings the one along the expected ranks is taken, which is their middle.
        """
        assert self._order is not None
        ranks = self.expected_ranks()
        middle = tuple(sorted(self._order.groups, key=lambda group: ranks[group[0]]))
        if len(self._order.groups) > MAX_ENUMERATED_GROUPS:
            return middle
        some = list(islice(self, MAX_COMPARED_ORDERINGS + 1))
        if len(some) > MAX_COMPARED_ORDERINGS:
            return middle
        places = [_ranks(ordering) for ordering in some]
        worst = [max(_distance(one, other) for other in places) for one in places]
        return some[worst.index(min(worst))]

    def _without(self, statement: Preference) -> tuple[Preference, ...]:
        return tuple(old for old in self._stated if old != statement)

    def _is_consistent(self, statements: Sequence[Preference]) -> bool:
        return _order_of(self._issues, statements) is not None

    def _is_usable(self, statement: Preference) -> bool:
        alone = statement.relation in (Relation.BEST, Relation.WORST)
        known = statement.issue1 in self._issues and (alone or statement.issue2 in self._issues)
        return known and not statement.is_question and self._is_consistent([statement])


@dataclass(frozen=True, slots=True)
class _PartialOrder:
    """A partial order of groups of equals.

    Args:
        groups: The groups.
        before: For each group the numbers of all groups that have to come before it.
    """

    groups: tuple[tuple[str, ...], ...]
    before: tuple[frozenset[int], ...]

    def extensions(self, chosen: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
        """Yield every linear extension, as numbers of groups."""
        if len(chosen) == len(self.groups):
            yield chosen
        done = frozenset(chosen)
        for i, before in enumerate(self.before):
            if i not in done and before <= done:
                yield from self.extensions((*chosen, i))

    def mean_ranks(self) -> dict[str, float]:
        """Return each issue's mean rank over all linear extensions.

        These are counted by sets of preceding groups, not one by one: 128 sets of seven groups, for 5,040
        extensions.
        """
        count, everything = len(self.groups), (1 << len(self.groups)) - 1
        before = [sum(1 << j for j in some) for some in self.before]
        in_front = [1] + [0] * everything
        behind = [0] * everything + [1]
        for done in range(everything + 1):
            for i in range(count):
                if not done >> i & 1 and before[i] & ~done == 0:
                    in_front[done | 1 << i] += in_front[done]
        for done in range(everything, -1, -1):
            for i in range(count):
                if not done >> i & 1 and before[i] & ~done == 0:
                    behind[done] += behind[done | 1 << i]
        sums = [0.0] * count
        for done in range(everything + 1):
            first = sum(len(group) for j, group in enumerate(self.groups) if done >> j & 1)
            for i, group in enumerate(self.groups):
                if in_front[done] and not done >> i & 1 and before[i] & ~done == 0:
                    rows = in_front[done] * behind[done | 1 << i]
                    sums[i] += rows * (first + (len(group) - 1) / 2)
        return {issue: sums[i] / behind[0] for i, group in enumerate(self.groups) for issue in group}

    def middle_ranks(self) -> dict[str, float]:
        """Return each issue's middle between its first and its last possible rank."""
        sizes = [len(group) for group in self.groups]
        ranks: dict[str, float] = {}
        for i, group in enumerate(self.groups):
            first = sum(sizes[j] for j in self.before[i])
            after = sum(size for j, size in enumerate(sizes) if i in self.before[j])
            last = sum(sizes) - after - sizes[i]
            ranks |= dict.fromkeys(group, (first + last) / 2 + (sizes[i] - 1) / 2)
        return ranks


def _order_of(issues: Sequence[str], statements: Sequence[Preference]) -> _PartialOrder | None:
    """Return the partial order of all statements; None if they contradict each other."""
    group_of = {issue: issue for issue in issues}
    for statement in statements:
        if statement.relation is Relation.EQUAL:
            old, new = group_of[statement.issue2 or statement.issue1], group_of[statement.issue1]
            group_of = {issue: new if group == old else group for issue, group in group_of.items()}
    names = list(dict.fromkeys(group_of.values()))
    number = {issue: names.index(group) for issue, group in group_of.items()}
    before: list[set[int]] = [set() for _ in names]
    for statement in statements:
        for first, second in _pairs(statement, number, len(names)):
            before[second].add(first)
    for middle in range(len(names)):
        for some in before:
            if middle in some:
                some |= before[middle]
    if any(i in some for i, some in enumerate(before)):
        return None
    groups = tuple(tuple(issue for issue in issues if number[issue] == i) for i in range(len(names)))
    return _PartialOrder(groups, tuple(map(frozenset, before)))


def _pairs(statement: Preference, number: dict[str, int], count: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of groups of which the first comes before the second."""
    one = number[statement.issue1]
    match statement.relation:
        case Relation.GREATER:
            yield one, number[statement.issue2 or statement.issue1]
        case Relation.LESS:
            yield number[statement.issue2 or statement.issue1], one
        case Relation.BEST:
            yield from ((one, other) for other in range(count) if other != one)
        case Relation.WORST:
            yield from ((other, one) for other in range(count) if other != one)
        case Relation.EQUAL:
            pass


def _ranks(ordering: Ordering) -> dict[str, float]:
    """Return each issue's rank; equals share the mean of theirs."""
    ranks: dict[str, float] = {}
    first = 0
    for group in ordering:
        ranks |= dict.fromkeys(group, first + (len(group) - 1) / 2)
        first += len(group)
    return ranks


def _distance(one: dict[str, float], other: dict[str, float]) -> float:
    return sum(abs(rank - other[issue]) for issue, rank in one.items())
