"""Possible preferences of a side, given its statements."""

from __future__ import annotations

from itertools import permutations
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.core.events import Preference, Relation
from negoplatform.strategies.issue_importance_orderings import Orderings

BEST, WORST, GREATER, LESS, EQUAL = (
    Relation.BEST,
    Relation.WORST,
    Relation.GREATER,
    Relation.LESS,
    Relation.EQUAL,
)


def said(issue: str, relation: Relation, other: str | None = None, *, asks: bool = False) -> Preference:
    return Preference(issue, relation, other, asks)


def after(issues: str, *statements: Preference) -> Orderings:
    orderings = Orderings(issues)
    for statement in statements:
        orderings.add(statement)
    return orderings


def rows(orderings: Orderings) -> set[str]:
    """Return orderings as text: ``a>b=c``."""
    return {">".join("=".join(group) for group in ordering) for ordering in orderings}


def test_before_any_statement_every_ordering_is_possible() -> None:
    assert rows(Orderings("abc")) == {">".join(row) for row in permutations("abc")}


def test_each_kind_of_statement_leaves_the_orderings_that_agree_with_it() -> None:
    assert rows(after("abc", said("b", BEST))) == {"b>a>c", "b>c>a"}
    assert rows(after("abc", said("b", WORST))) == {"a>c>b", "c>a>b"}
    assert rows(after("abc", said("c", GREATER, "a"))) == {"c>a>b", "c>b>a", "b>c>a"}
    assert rows(after("abc", said("a", LESS, "c"))) == {"c>a>b", "c>b>a", "b>c>a"}
    assert rows(after("abc", said("a", EQUAL, "c"))) == {"a=c>b", "b>a=c"}


def test_what_is_equal_goes_together_in_what_is_said_later() -> None:
    orderings = after("abcd", said("a", EQUAL, "c"), said("c", EQUAL, "d"), said("b", GREATER, "d"))

    assert rows(orderings) == {"b>a=c=d"}


@pytest.mark.parametrize(
    ("before", "new"),
    [
        ([("a", GREATER, "b")], ("b", GREATER, "a")),
        ([("a", GREATER, "b"), ("b", GREATER, "c")], ("c", GREATER, "a")),
        ([("a", BEST, None)], ("b", BEST, None)),
        ([("a", EQUAL, "b")], ("a", LESS, "b")),
        ([("a", BEST, None)], ("a", WORST, None)),
    ],
)
def test_a_contradiction_is_noticed_and_the_oldest_statement_in_it_is_dropped(
    before: list[tuple[str, Relation, str | None]], new: tuple[str, Relation, str | None]
) -> None:
    old = [said(*statement) for statement in before]
    orderings = after("abc", *old)

    assert orderings.conflict(said(*new)) == old[0]
    assert orderings.add(said(*new)) == (old[0],)
    assert orderings.statements == (*old[1:], said(*new))


def test_a_statement_that_takes_no_part_in_a_contradiction_stays() -> None:
    oldest = said("a", GREATER, "b")
    orderings = after("abcd", oldest, said("c", GREATER, "d"))

    orderings.add(said("d", GREATER, "c"))

    assert orderings.statements == (oldest, said("d", GREATER, "c"))


def test_of_two_contradictions_the_one_with_the_oldest_statement_comes_first() -> None:
    direct = said("a", GREATER, "b")
    orderings = after("abc", direct, said("a", GREATER, "c"), said("c", GREATER, "b"))

    assert orderings.conflict(said("b", GREATER, "a")) == direct
    assert orderings.add(said("b", GREATER, "a")) == (direct, said("a", GREATER, "c"))


def test_as_many_are_dropped_as_it_takes() -> None:
    orderings = after("abc", said("a", GREATER, "b"), said("a", GREATER, "c"))

    assert len(orderings.add(said("a", WORST))) == 2
    assert rows(orderings) == {"b>c>a", "c>b>a"}


def test_questions_and_nonsense_are_passed_over() -> None:
    orderings = after(
        "abc",
        said("a", BEST, asks=True),
        said("x", BEST),
        said("a", GREATER, "x"),
        said("a", GREATER, "a"),
        said("a", GREATER),
    )

    assert orderings.statements == ()


def test_what_is_said_again_is_no_contradiction_but_is_new_again() -> None:
    orderings = after("abc", said("a", BEST), said("c", WORST), said("a", BEST))

    assert orderings.statements == (said("c", WORST), said("a", BEST))


STATEMENTS = st.builds(
    said,
    st.sampled_from("abcde"),
    st.sampled_from([GREATER, LESS, EQUAL]),
    st.sampled_from("abcde"),
) | st.builds(said, st.sampled_from("abcde"), st.sampled_from([BEST, WORST]))


@given(st.lists(STATEMENTS, max_size=7))
def test_expected_ranks_are_the_means_over_all_orderings(statements: list[Preference]) -> None:
    orderings = after("abcde", *statements)

    places: dict[str, list[float]] = {issue: [] for issue in "abcde"}
    for ordering in orderings:
        first = 0
        for group in ordering:
            for issue in group:
                places[issue].append(first + (len(group) - 1) / 2)
            first += len(group)

    assert all(places.values()), "there is always an ordering that agrees with what holds"
    assert orderings.expected_ranks() == pytest.approx({name: mean(some) for name, some in places.items()})


def test_the_minimax_ordering_is_the_one_least_wrong_in_the_worst_case() -> None:
    # Of a>b>c, a>c>b and c>a>b the one in the middle is one swap from either; the others are two apart.
    orderings = after("abc", said("a", GREATER, "b"))

    assert rows(orderings) == {"a>b>c", "a>c>b", "c>a>b"}
    assert orderings.minimax() == (("a",), ("c",), ("b",))


def test_of_very_many_orderings_the_minimax_is_their_middle() -> None:
    issues = [f"issue {i}" for i in range(6)]
    orderings = Orderings(issues)
    orderings.add(said("issue 5", BEST))

    assert sum(1 for _ in orderings) == 120
    assert orderings.minimax()[0] == ("issue 5",)


def test_with_more_issues_than_can_be_enumerated_only_what_is_certain_counts() -> None:
    issues = [f"issue {i}" for i in range(20)]
    orderings = Orderings(issues)
    orderings.add(said("issue 7", BEST))
    orderings.add(said("issue 3", GREATER, "issue 4"))
    ranks = orderings.expected_ranks()

    assert ranks["issue 7"] == 0
    assert ranks["issue 3"] == (1 + 18) / 2
    assert ranks["issue 4"] == (2 + 19) / 2
    assert next(iter(orderings))[0] == ("issue 7",)
    assert orderings.minimax()[0] == ("issue 7",)
