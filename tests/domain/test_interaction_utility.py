"""Points for a combination of levels of several issues."""

from __future__ import annotations

import pickle
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility, fraction

SEATS = ("human", "agent")
APPLES = QuantityIssue("apples", 2)
DAY = CategoricalIssue("day", ("Friday", "Sunday"))
PRICE = NumberIssue("price", 0, 1, 0.5)
ISSUES: tuple[Issue, ...] = (APPLES, DAY, PRICE)
SUM = AdditiveUtility(
    "human",
    {
        "apples": {0: 0, 1: 2, 2: 4},
        "day": {"Friday": 1, "Sunday": 0},
        "price": {0: 3, 0.5: 2, 1: 0},
    },
)


def together(points: float, **when: set[object]) -> Interaction:
    """Return an interaction of issues at any of some levels."""
    return Interaction(points, tuple((issue, frozenset(levels)) for issue, levels in when.items()))


def apples(human: int, undecided: int = 0) -> Allocation:
    """Return a division of two apples."""
    return Allocation({"human": human, "agent": 2 - human - undecided}, undecided=undecided)


CHEAP_SUNDAY = together(10, day={"Sunday"}, price={0, 0.5})
TWO_ON_FRIDAY = together(-6, apples={2}, day={"Friday"})


def test_points_are_added_when_all_named_issues_come_out_so() -> None:
    utility = InteractionUtility(SUM, [CHEAP_SUNDAY, TWO_ON_FRIDAY])

    assert utility(Offer({"apples": apples(1), "day": "Sunday", "price": 0.5})) == 2 + 0 + 2 + 10
    assert utility(Offer({"apples": apples(1), "day": "Sunday", "price": 1})) == 2 + 0 + 0
    assert utility(Offer({"apples": apples(2), "day": "Friday", "price": 0})) == 4 + 1 + 3 - 6


def test_what_is_undecided_fulfils_nothing() -> None:
    none_at_all = InteractionUtility(SUM, [together(7, apples={0}, day={"Sunday"})])

    assert none_at_all(Offer({"day": "Sunday"})) == 0
    assert none_at_all(Offer({"day": "Sunday", "apples": apples(0, undecided=2)})) == 0
    assert none_at_all(Offer({"day": "Sunday", "apples": apples(0, undecided=1)})) == 0
    assert none_at_all(Offer({"day": "Sunday", "apples": apples(0)})) == 7
    assert none_at_all(EMPTY_OFFER) == 0


def test_a_quantity_issue_counts_the_units_of_its_owner() -> None:
    agents = AdditiveUtility("agent", SUM.tables)  # type: ignore[arg-type]  # tables of any kind of issue
    utility = InteractionUtility(agents, [together(5, apples={2}, day={"Sunday"})])

    assert utility(Offer({"apples": apples(0), "day": "Sunday", "price": 1})) == 4 + 0 + 0 + 5
    assert utility(Offer({"apples": apples(2), "day": "Sunday", "price": 1})) == 0


levels: dict[str, list[object]] = {"apples": [0, 1, 2], "day": ["Friday", "Sunday"], "price": [0, 0.5, 1]}


@st.composite
def interactions(draw: st.DrawFn) -> Interaction:
    """Draw points for any two or three issues at any of their levels."""
    named = draw(st.lists(st.sampled_from(list(levels)), min_size=2, max_size=3, unique=True))
    return together(
        draw(st.integers(-9, 9)),
        **{issue: draw(st.sets(st.sampled_from(levels[issue]), min_size=1)) for issue in named},
    )


@given(st.lists(interactions(), min_size=1, max_size=4))
def test_lowest_and_highest_are_those_of_all_outcomes(found: list[Interaction]) -> None:
    utility = InteractionUtility(SUM, found)

    names = [issue.name for issue in ISSUES]
    worths = [
        utility(Offer(zip(names, terms, strict=True)))
        for terms in product(*(issue.terms(SEATS) for issue in ISSUES))
    ]

    assert (utility.lowest, utility.highest) == (min(worths), max(worths))


def test_an_offer_is_measured_between_the_worst_and_the_best_with_what_issues_do_together() -> None:
    utility = InteractionUtility(SUM, [CHEAP_SUNDAY])
    best = Offer({"apples": apples(2), "day": "Sunday", "price": 0})
    worst = Offer({"apples": apples(0), "day": "Sunday", "price": 1})

    assert (utility.highest, utility.lowest) == (17, 0)
    assert (fraction(utility, best), fraction(utility, worst)) == (1, 0)


def test_issues_that_do_not_interact_are_not_multiplied() -> None:
    many = {f"issue{i}": dict.fromkeys(map(str, range(100)), 1) for i in range(20)}
    pair = together(5, issue0={"1"}, issue1={"2"})

    utility = InteractionUtility(AdditiveUtility("human", many), [pair])

    assert (utility.lowest, utility.highest) == (20, 25)


def test_points_beyond_the_limit_count_as_the_limit() -> None:
    utility = InteractionUtility(SUM, [CHEAP_SUNDAY], at_most=9)

    assert utility(Offer({"apples": apples(2), "day": "Sunday", "price": 0})) == 9
    assert utility(Offer({"apples": apples(2), "day": "Friday", "price": 0})) == 4 + 1 + 3
    assert (utility.lowest, utility.highest) == (0, 9)


def test_too_many_ways_to_interact_are_refused() -> None:
    many = {f"issue{i}": dict.fromkeys(map(str, range(100)), 1) for i in range(4)}
    one: set[object] = {"1"}
    chain = [together(1, **{f"issue{i}": one, f"issue{i + 1}": one}) for i in range(3)]

    with pytest.raises(ValueError, match=r"issue0, issue1, issue2, issue3 interact in more than 1,000,000"):
        InteractionUtility(AdditiveUtility("human", many), chain)


def test_the_range_is_that_of_all_outcomes_whatever_levels_do_together() -> None:
    tables = {name: {i: (i * step) % 7 for i in range(12)} for name, step in (("a", 3), ("b", 5), ("c", 4))}
    wanted = [together(p, a={p, p + 1, 9}, b={0, p, 7}) for p in range(1, 8)]
    utility = InteractionUtility(AdditiveUtility("human", tables), [*wanted, together(-9, b={7}, c={2, 3})])

    worths = [
        utility(Offer({"a": a, "b": b, "c": c})) for a in range(12) for b in range(12) for c in range(12)
    ]

    assert (utility.lowest, utility.highest) == (min(worths), max(worths))


def test_many_interactions_of_long_issues_are_ranged_by_what_they_tell_apart() -> None:
    tables = {name: dict.fromkeys(range(100), 0) for name in "abc"}
    wide: set[object] = set(range(1, 100))
    utility = InteractionUtility(
        AdditiveUtility("human", tables), [together(1, a=wide, b=wide, c=wide)] * 100
    )

    assert len(utility._level_groups("a", utility.interactions)) == 2, "a million ways are eight that differ"
    assert (utility.lowest, utility.highest) == (0, 100)


def test_every_utility_with_tables_says_what_adds_up_over_issues() -> None:
    utility = InteractionUtility(SUM, [CHEAP_SUNDAY])

    assert SUM.additive is SUM
    assert utility.additive is SUM


def test_an_interaction_utility_survives_the_way_to_another_process() -> None:
    utility = InteractionUtility(SUM, [CHEAP_SUNDAY])

    copy = pickle.loads(pickle.dumps(utility))

    assert copy == utility
    assert hash(copy) == hash(utility)
    assert copy != InteractionUtility(SUM, [TWO_ON_FRIDAY])
    assert copy != InteractionUtility(SUM, [CHEAP_SUNDAY], at_most=9)
    assert copy != SUM
