"""Games with interacting issues, compared with an enumeration of all outcomes; errors without NumPy."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.analysis.games import frontier_with_interactions
from negoplatform.analysis.games.frontier_with_interactions import bargaining_solutions
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.solutions.frontier import additive_frontier
from negoplatform.domain.solutions.integer_scaling import integer_game
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility
from tests.games import categorical_only, make_game


def interacting(game: GameSpec, **interactions: list[Interaction]) -> GameSpec:
    """Return the game with interactions for some seats."""
    preferences = game.preferences
    for seat, given_ in interactions.items():
        own = preferences[seat]
        assert isinstance(own.utility, AdditiveUtility)
        preferences = preferences.with_value(
            seat, replace(own, utility=InteractionUtility(own.utility, given_))
        )
    return replace(game, preferences=preferences)


def limited(game: GameSpec, limits: dict[Seat, float]) -> GameSpec:
    """Return the game with limits of some seats' points."""
    preferences = game.preferences
    for seat, at_most in limits.items():
        own = preferences[seat]
        assert isinstance(own.utility, InteractionUtility)
        utility = InteractionUtility(own.utility.additive, own.utility.interactions, at_most)
        preferences = preferences.with_value(seat, replace(own, utility=utility))
    return replace(game, preferences=preferences)


def when(points: float, **levels: Any) -> Interaction:
    return Interaction(points, tuple((issue, frozenset(named)) for issue, named in levels.items()))


def numbers(points: Any) -> list[tuple[Any, ...]]:
    return [tuple(point.points.values()) for point in points]


def test_an_interaction_moves_the_frontier() -> None:
    game = categorical_only()
    plain = bargaining_solutions(game)

    found = bargaining_solutions(interacting(game, human=[when(7, colour=["green"], size=["small"])]))

    # green and small: 4 + 0 + 7 for human, 4 + 5 for agent.
    assert (11, 9) not in numbers(plain.frontier.points)
    assert numbers(found.nash.tied) == [(11, 9)]
    assert found.nash.tied[0].example == Offer({"colour": "green", "size": "small"})


def test_without_interactions_the_issues_are_merged_and_numpy_is_not_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)

    found = bargaining_solutions(categorical_only())

    assert numbers(found.frontier.points) == numbers(
        additive_frontier(integer_game(categorical_only())).points
    )


@pytest.mark.parametrize("packaged", [False, True])
def test_without_numpy_a_sentence_says_what_to_install_and_why(
    monkeypatch: pytest.MonkeyPatch, packaged: bool
) -> None:
    monkeypatch.setattr(sys, "frozen", packaged, raising=False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    game = interacting(categorical_only(), human=[when(7, colour=["green"], size=["small"])])

    with pytest.raises(NegoError, match=r"made_up interact.*needs NumPy: ") as caught:
        bargaining_solutions(game)

    remedy = "pip install '.[analysis]' in NegoPlatform's source folder."
    # Nothing can be installed into a packaged program.
    here = f"this program has none; with a Python of your own, {remedy}" if packaged else remedy
    assert str(caught.value).endswith(f"needs NumPy: {here}")


def test_too_many_ways_are_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontier_with_interactions, "MAX_ENUMERATED_WAYS", 5)
    game = interacting(categorical_only(), human=[when(7, colour=["green"], size=["small"])])

    with pytest.raises(
        NegoError, match="colour, size of made_up interact in 6 ways, and at most 5 are looked at"
    ):
        bargaining_solutions(game)


def test_issues_that_do_not_interact_are_merged_with_those_that_do() -> None:
    # 10**15 outcomes, of which nine are enumerated.
    issues = tuple(QuantityIssue(f"goods{i}", 9) for i in range(15))
    tables: dict[Seat, Any] = {
        "human": {issue.name: [2 * units for units in range(10)] for issue in issues},
        "agent": {issue.name: list(range(10)) for issue in issues},
    }
    game = interacting(make_game(tables, issues=issues), agent=[when(1000, goods3=[9], goods4=[0])])

    found = bargaining_solutions(game)

    (point,) = found.maximum_sum.tied
    assert numbers([point]) == [(2 * 9 * 14, 9 + 1000)]
    assert point.outcomes == 1
    assert point.example.get("goods3") == Allocation({"human": 0, "agent": 9})


def test_an_interaction_that_always_holds_is_counted() -> None:
    game = interacting(categorical_only(), human=[Interaction(-2, ())])

    found = bargaining_solutions(game)

    assert numbers(found.frontier.points) == [
        (human - 2, agent)
        for human, agent in numbers(bargaining_solutions(categorical_only()).frontier.points)
    ]


def test_outcomes_that_tie_are_counted_where_issues_interact() -> None:
    same: dict[Seat, Any] = {
        seat: {"colour": {"red": 1, "green": 1, "blue": 0}} for seat in ("human", "agent")
    }
    game = make_game(same, issues=(CategoricalIssue("colour", ("red", "green", "blue")),))

    (point,) = bargaining_solutions(
        interacting(game, human=[when(1, colour=["red", "green"])])
    ).frontier.points

    assert numbers([point]) == [(2, 1)]
    assert point.outcomes == 2


def test_all_that_an_interaction_says_about_an_issue_has_to_hold() -> None:
    twice = (("colour", frozenset({"red", "blue"})), ("colour", frozenset({"red", "green"})))
    game = interacting(categorical_only(), human=[Interaction(100, twice)])

    best = bargaining_solutions(game).maximum_sum.tied

    assert {offer.get("colour") for point in best for offer in point.offers()} == {"red"}


POINTS = st.one_of(st.integers(-9, 9), st.integers(-90, 90).map(lambda n: n / 10))
FINE = st.one_of(st.integers(-9, 9), st.sampled_from([0.1, 1 / 3, -2 / 3, 1e-9]))


@st.composite
def games(draw: st.DrawFn, seats: tuple[Seat, ...]) -> GameSpec:
    issues: tuple[Issue, ...] = (
        CategoricalIssue("colour", ("red", "green", "blue")),
        QuantityIssue("coins", draw(st.integers(1, 3))),
        NumberIssue("price", 0, 1, 0.5),
        CategoricalIssue("size", ("small", "large")),
    )[: draw(st.integers(2, 4))]
    numbers_ = draw(st.sampled_from([POINTS, FINE]))
    named = {issue.name: _levels(issue) for issue in issues}
    tables: dict[Seat, Any] = {
        seat: {name: {level: draw(numbers_) for level in own} for name, own in named.items()}
        for seat in seats
    }

    def interaction() -> Interaction:
        chosen = draw(st.sets(st.sampled_from(sorted(named)), min_size=1, max_size=3))
        levels = ((name, draw(st.sets(st.sampled_from(named[name])))) for name in sorted(chosen))
        return Interaction(draw(numbers_), tuple((name, frozenset(some)) for name, some in levels))

    game = make_game(tables, issues=issues, reservation=draw(numbers_))
    game = interacting(
        game, **{seat: [interaction() for _ in range(draw(st.integers(0, 3)))] for seat in seats}
    )
    return limited(game, {seat: draw(numbers_) for seat in draw(st.sets(st.sampled_from(seats)))})


def _levels(issue: Issue) -> list[Any]:
    return list(range(issue.quantity + 1)) if isinstance(issue, QuantityIssue) else list(issue.values)


def exactly(game: GameSpec, seat: Seat, offer: Offer) -> Fraction:
    """Return the sum of points as the game's author wrote them."""
    utility = game.preferences[seat].utility
    assert isinstance(utility, InteractionUtility)
    at = {name: term.of(seat) if isinstance(term, Allocation) else term for name, term in offer.terms}
    total = sum(
        (Fraction(str(utility.additive.tables[name][level])) for name, level in at.items()), Fraction(0)
    )
    for interaction in utility.interactions:
        if all(at[issue] in levels for issue, levels in interaction.when):
            total += Fraction(str(interaction.points))
    return total if utility.at_most is None else min(total, Fraction(str(utility.at_most)))


@pytest.mark.parametrize("at_once", [5, frontier_with_interactions.SLICE_SIZE])
@pytest.mark.parametrize("seats", [("human", "agent"), ("a", "b", "c")])
def test_enumeration_finds_what_looking_at_every_outcome_finds(
    seats: tuple[Seat, ...], at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frontier_with_interactions, "SLICE_SIZE", at_once)

    @given(games(seats))
    def check(game: GameSpec) -> None:
        frontier = bargaining_solutions(game).frontier
        seen = Counter(tuple(exactly(game, seat, offer) for seat in seats) for offer in game.outcomes())
        best = {
            p: count
            for p, count in seen.items()
            if not any(q != p and all(a >= b for a, b in zip(q, p, strict=True)) for q in seen)
        }

        found = {
            tuple(Fraction(number, frontier.exact.factor) for number in point.integer_points): point
            for point in frontier.points
        }
        assert {p: point.outcomes for p, point in found.items()} == best
        for p, point in found.items():
            offers = list(point.offers())
            assert len(offers) == len(set(offers)) == point.outcomes
            assert all(tuple(exactly(game, seat, offer) for seat in seats) == p for offer in offers)

    check()
