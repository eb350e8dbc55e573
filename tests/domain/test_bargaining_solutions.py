"""Frontier and bargaining solutions, compared with published figures and with a check of every outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.analysis.games.frontier_with_interactions import bargaining_solutions
from negoplatform.domain.errors import NegoError, NotVisible
from negoplatform.domain.game import GameSpec, Preferences, Profile
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.solutions.bargaining_solutions import BargainingSolutions
from negoplatform.domain.utility import AdditiveUtility
from tests.games import COINS, burdens, categorical_only, make_game, three_seats

# Rosenfeld et al. 2014: weight and utility of every value, for both seats' short-term types.
JOB = {
    "salary": (("60k", "90k", "120k"), (20, [8, 6, 3]), (20, [3, 6, 8])),
    "job": (("QA", "Programmer", "Team", "Project"), (20, [4, 6, 4, 2]), (15, [2, 4, 5, 6])),
    "car": (("without", "with", "none"), (10, [3, -2, 0]), (20, [-5, 5, 0])),
    "pension": (("0", "10", "20", "none"), (10, [3, 4, 3, 0]), (10, [-2, 3, 5, 0])),
    "promotion": (("slow", "fast", "none"), (10, [3, 3, 0]), (5, [4, 5, 0])),
    "hours": (("10", "9", "8"), (30, [8, 6, 3]), (30, [3, 5, 7])),
}


def job_candidate(share: float = 1) -> GameSpec:
    """Return the game of that paper, with all points multiplied by a share such as 0.01."""
    tables: dict[Seat, Any] = {"employer": {}, "candidate": {}}
    for name, (values, *sides) in JOB.items():
        for (weight, worths), seat in zip(sides, tables, strict=True):
            tables[seat][name] = {
                value: weight * worth if share == 1 else round(weight * worth * share, 4)
                for value, worth in zip(values, worths, strict=True)
            }
    game = make_game(tables, issues=tuple(CategoricalIssue(name, row[0]) for name, row in JOB.items()))
    return with_reservation(game, employer=240 * share, candidate=160 * share)


def with_reservation(game: GameSpec, **values: Any) -> GameSpec:
    return replace(
        game,
        preferences=SeatMap(
            (seat, replace(own, reservation_value=values.get(seat, own.reservation_value)))
            for seat, own in game.preferences.items()
        ),
    )


def numbers(points: Any) -> list[tuple[Any, ...]]:
    return [tuple(point.points.values()) for point in points]


def test_the_job_candidate_has_twenty_pareto_outcomes() -> None:
    frontier = bargaining_solutions(job_candidate()).frontier

    assert frontier.outcomes == 20
    assert len(frontier.points) == 20


def test_the_nash_point_of_the_job_candidate_is_the_published_one() -> None:
    (point,) = bargaining_solutions(job_candidate()).nash.tied

    assert point.points == SeatMap({"employer": 520, "candidate": 445})
    assert point.example == Offer(
        {
            "salary": "90k",
            "job": "Programmer",
            "car": "with",
            "pension": "20",
            "promotion": "fast",
            "hours": "10",
        }
    )


def test_two_outcomes_of_the_job_candidate_tie_for_the_highest_sum() -> None:
    best = bargaining_solutions(job_candidate()).maximum_sum

    assert best.value == 965
    assert numbers(best.tied) == [(520, 445), (460, 505)]
    assert not best.unique


@pytest.mark.parametrize("share", [0.01, 0.001])
def test_decimal_points_give_the_same_frontier_and_the_same_ties_as_whole_ones(share: float) -> None:
    whole, decimal = bargaining_solutions(job_candidate()), bargaining_solutions(job_candidate(share))

    assert decimal.frontier.outcomes == 20
    assert [point.example for point in decimal.maximum_sum.tied] == [
        point.example for point in whole.maximum_sum.tied
    ]
    assert decimal.maximum_sum.value == 965 * Fraction(str(share))


def test_sums_that_are_equal_on_paper_are_one_point() -> None:
    # In binary fractions 0.1 + 0.2 is more than 0.3.
    issues = CategoricalIssue("first", ("a", "b")), CategoricalIssue("second", ("c", "d"))
    tables = {
        "human": {"first": {"a": 0.1, "b": 0.3}, "second": {"c": 0.2, "d": 0}},
        "agent": {"first": {"a": 0.2, "b": 0}, "second": {"c": 0, "d": 0.2}},
    }

    frontier = bargaining_solutions(make_game(tables, issues=issues)).frontier

    assert {(*point.points.values(), point.outcomes) for point in frontier.points} == {
        (0.5, 0, 1),
        (0.3, 0.2, 2),
        (0.1, 0.4, 1),
    }


def test_every_special_point_says_how_many_outcomes_give_it() -> None:
    same = {"colour": {"red": 1, "green": 1, "blue": 0}}
    game = make_game(
        {"human": same, "agent": same}, issues=(CategoricalIssue("colour", ("red", "green", "blue")),)
    )

    (point,) = bargaining_solutions(game).nash.tied

    assert point.outcomes == 2
    assert list(point.offers()) == [Offer({"colour": "red"}), Offer({"colour": "green"})]


def test_a_game_without_a_rational_outcome_has_a_frontier_but_no_bargaining_solution() -> None:
    found = bargaining_solutions(with_reservation(categorical_only(), human=100))

    assert found.rational == ()
    assert found.nash.tied == found.kalai_smorodinsky.tied == found.egalitarian.tied == ()
    assert found.nash.value is None
    assert found.maximum_sum.tied


def test_solutions_stay_above_the_reservation_values_also_where_two_losses_multiply_to_a_gain() -> None:
    game = make_game(
        {"human": {"coins": [0, -9, 1]}, "agent": {"coins": [0, -9, 1]}},
        issues=(QuantityIssue("coins", 2),),
        reservation=0,
    )

    # One coin each costs both 9: a product of 81.
    assert numbers(bargaining_solutions(game).nash.tied) == [(1, 0), (0, 1)]


def test_chores_have_special_points_below_zero() -> None:
    found = bargaining_solutions(burdens())

    assert found.frontier.outcomes == 11
    assert numbers(found.maximum_sum.tied) == [(0, -20)]
    assert numbers(found.egalitarian.tied) == [(-12, -12)]


def test_a_seat_that_cannot_gain_is_left_out_of_the_kalai_smorodinsky_spread() -> None:
    game = make_game(
        {"human": {"coins": [0, 1, 2, 3, 4]}, "agent": {"coins": [5, 5, 5, 5, 5]}},
        issues=(COINS,),
        reservation=0,
    )

    found = bargaining_solutions(with_reservation(game, agent=5))

    assert numbers(found.kalai_smorodinsky.tied) == [(4, 5)]


def test_every_division_among_three_seats_counts() -> None:
    found = bargaining_solutions(three_seats())

    assert found.frontier.exact.game.count_outcomes() == 45
    assert found.frontier.outcomes == 45
    assert numbers(found.egalitarian.tied) == [(4, 4, 3), (4, 3, 4), (3, 4, 4)]


def test_a_number_issue_counts_each_of_its_numbers() -> None:
    price = NumberIssue("price", 1, 2, 0.25)
    tables = {
        "buyer": {"price": {n: round(2 - n, 2) for n in price.values}},
        "seller": {"price": {n: round(n - 1, 2) for n in price.values}},
    }

    found = bargaining_solutions(make_game(tables, issues=(price,)))

    assert found.frontier.outcomes == 5
    assert [point.example.get("price") for point in found.nash.tied] == [1.5]


def test_ten_to_the_fifteen_outcomes_are_no_obstacle() -> None:
    issues = tuple(QuantityIssue(f"goods{i}", 9) for i in range(15))
    tables: dict[Seat, Any] = {
        "human": {f"goods{i}": [(i + 1) * units for units in range(10)] for i in range(15)},
        "agent": {f"goods{i}": [(15 - i) * units for units in range(10)] for i in range(15)},
    }
    game = make_game(tables, issues=issues)

    found = bargaining_solutions(game)

    assert game.count_outcomes() == 10**15
    # Each unit goes to the seat to which it is worth more; goods7 is worth 8 to both.
    assert found.maximum_sum.value == 9 * (2 * sum(range(9, 16)) + 8)
    assert sum(point.outcomes for point in found.maximum_sum.tied) == 10
    assert all(game.is_complete(offer) for offer in islice(found.nash.tied[0].offers(), 3))


def test_hidden_preferences_are_not_compared() -> None:
    game = categorical_only().redacted_for(["human"])

    with pytest.raises(NotVisible, match=r'preferences of agent are hidden.*"preferences": "public"'):
        bargaining_solutions(game)


def test_a_game_that_is_not_settled_is_settled_first() -> None:
    game = categorical_only()
    profiles = SeatMap({"human": (Profile("only", game.preferences["human"]),)})

    with pytest.raises(NegoError, match="profile of human is still to be chosen; settle the game first"):
        bargaining_solutions(replace(game, profiles=profiles))


def test_a_utility_without_tables_is_refused_by_name() -> None:
    class Odd:
        lowest = highest = 0

        def __call__(self, offer: Offer) -> int:
            return 0

    game = categorical_only()
    game = replace(game, preferences=game.preferences.with_value("human", Preferences(Odd(), 0)))

    with pytest.raises(NegoError, match="utility of human is a Odd"):
        bargaining_solutions(game)


WHOLE = st.integers(-6, 9)
DECIMAL = st.integers(-60, 90).map(lambda n: n / 10)
FINE = st.sampled_from([0, 0.1, 0.2, 0.3, 0.7, 1e-7, -0.1, 1 / 3, 12.5])


@st.composite
def games(draw: st.DrawFn, seats: tuple[Seat, ...]) -> GameSpec:
    kinds = draw(st.lists(st.sampled_from("qcn"), min_size=1, max_size=3))
    issues = [_issue(draw, kind, f"issue{i}") for i, kind in enumerate(kinds)]
    numbers_ = draw(st.sampled_from([WHOLE, DECIMAL, FINE]))
    tables: dict[Seat, Any] = {
        seat: {issue.name: {level: draw(numbers_) for level in _levels(issue)} for issue in issues}
        for seat in seats
    }
    game = make_game(tables, issues=tuple(issues))
    return with_reservation(game, **{seat: draw(numbers_) for seat in seats})


def _issue(draw: st.DrawFn, kind: str, name: str) -> Issue:
    size = draw(st.integers(1, 4))
    match kind:
        case "q":
            return QuantityIssue(name, min(size, 3))
        case "c":
            return CategoricalIssue(name, tuple("wxyz"[:size]))
        case _:
            return NumberIssue(name, 0, size - 1)


def _levels(issue: Issue) -> Iterator[object]:
    return iter(range(issue.quantity + 1)) if isinstance(issue, QuantityIssue) else iter(issue.values)


def exactly(game: GameSpec, seat: Seat, offer: Offer) -> Fraction:
    """Return the sum of points as the game's author wrote them."""
    utility = game.preferences[seat].utility
    assert isinstance(utility, AdditiveUtility)
    return sum(
        (
            Fraction(str(utility.tables[name][term.of(seat) if isinstance(term, Allocation) else term]))
            for name, term in offer.terms
        ),
        Fraction(0),
    )


def by_hand(game: GameSpec) -> dict[str, Any]:
    """Return the same points by comparing every outcome with every other."""
    seen = Counter(tuple(exactly(game, seat, offer) for seat in game.seats) for offer in game.outcomes())
    frontier = [
        p for p in seen if not any(q != p and all(a >= b for a, b in zip(q, p, strict=True)) for q in seen)
    ]
    least = [Fraction(str(game.preferences[seat].reservation_value)) for seat in game.seats]
    gains = {p: [own - low for own, low in zip(p, least, strict=True)] for p in frontier}
    rational = [p for p in frontier if min(gains[p]) >= 0]
    ideal = [max(gains[p][i] for p in rational) for i in range(len(least))] if rational else []

    def spread(p: tuple[Fraction, ...]) -> Fraction:
        shares = [gain / top for gain, top in zip(gains[p], ideal, strict=True) if top]
        return max(shares) - min(shares) if shares else Fraction(0)

    def best(points: list[Any], value: Any) -> set[Any]:
        top = max(map(value, points), default=None)
        return {p for p in points if value(p) == top}

    return {
        "frontier": {p: seen[p] for p in frontier},
        "nash": best(rational, lambda p: prod(gains[p])),
        "kalai_smorodinsky": best(rational, lambda p: -spread(p)),
        "egalitarian": best(rational, lambda p: min(gains[p])),
        "maximum_sum": best(frontier, sum),
    }


def exact_points(found: BargainingSolutions, points: Any) -> set[tuple[Fraction, ...]]:
    factor = found.frontier.exact.factor
    return {tuple(Fraction(number, factor) for number in point.integer_points) for point in points}


@pytest.mark.parametrize("seats", [("human",), ("human", "agent"), ("a", "b", "c"), ("a", "b", "c", "d")])
def test_merging_finds_what_looking_at_every_outcome_finds(seats: tuple[Seat, ...]) -> None:
    @given(games(seats).filter(lambda game: game.count_outcomes() <= 400))
    def check(game: GameSpec) -> None:
        found, truth = bargaining_solutions(game), by_hand(game)

        assert exact_points(found, found.frontier.points) == set(truth["frontier"])
        for point in found.frontier.points:
            (key,) = exact_points(found, [point])
            offers = list(point.offers())
            assert len(offers) == len(set(offers)) == point.outcomes == truth["frontier"][key]
            for offer in offers:
                game.check_offer(offer)
                assert tuple(exactly(game, seat, offer) for seat in seats) == key
        for solution in found.solutions:
            assert exact_points(found, solution.tied) == truth[solution.name]

    check()
