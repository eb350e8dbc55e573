"""Points as integers, equivalent to the points themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from negoplatform.analysis.games.frontier_with_interactions import bargaining_solutions
from negoplatform.domain.errors import InputFileError, OfferError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import LARGEST_NUMBER, Allocation, Offer
from negoplatform.domain.solutions.integer_scaling import integer_game
from negoplatform.domain.utility import Interaction, InteractionUtility
from negoplatform.formats.games import load_game
from negoplatform.plugins.program_and_user_folders import bundled
from tests.games import make_game


@pytest.mark.parametrize(
    "bananas", [Allocation({"human": 1, "agent": 1}, 2), Allocation({"human": 3}, 1), Allocation({}, 4)]
)
def test_a_partial_offer_is_worth_the_same_in_whole_points(game: GameSpec, bananas: Allocation) -> None:
    exact, offer = integer_game(game), Offer({"bananas": bananas})

    for seat in game.seats:
        assert exact.to_points(exact.utilities[seat](offer)) == game.preferences[seat].utility(offer)


def test_what_issues_do_together_counts_in_whole_points_too(game: GameSpec) -> None:
    together = Interaction(2.5, (("bananas", frozenset({2, 3})), ("grain", frozenset({5}))))
    human = game.preferences["human"]
    utility = InteractionUtility(human.utility, [together])  # type: ignore[arg-type]  # it is additive
    game = replace(game, preferences=game.preferences.with_value("human", replace(human, utility=utility)))
    exact = integer_game(game)
    bananas = [Allocation({"human": n, "agent": 4 - n}) for n in range(5)]
    offers = [
        Offer({"bananas": b, "grain": Allocation({"human": n}, 5 - n)}) for b in bananas for n in (0, 4, 5)
    ]

    whole = [exact.to_points(exact.utilities["human"](offer)) for offer in offers]

    assert whole == [utility(offer) for offer in offers]


def test_named_values_that_come_out_together_count_in_whole_points_too(practice: GameSpec) -> None:
    seat, day = practice.seats[0], practice.issues[1]
    own = practice.preferences[seat]
    together = Interaction(5, (("apples", frozenset({6})), (day.name, frozenset(list(day.terms(()))[:1]))))
    utility = InteractionUtility(own.utility, [together])  # type: ignore[arg-type]  # it is additive
    game = replace(practice, preferences=practice.preferences.with_value(seat, replace(own, utility=utility)))
    exact = integer_game(game)

    whole = [exact.to_points(exact.utilities[seat](offer)) for offer in game.outcomes()]

    assert whole == [utility(offer) for offer in game.outcomes()]
    assert whole != [own.utility(offer) for offer in game.outcomes()]


def test_whole_points_stay_whole_numbers_beside_fractions() -> None:
    tables: dict[str, dict[str, Any]] = {"human": {"coins": [0, 1.5, 3]}, "agent": {"coins": [0, 1, 2]}}
    exact = integer_game(make_game(tables, issues=(QuantityIssue("coins", 2),)))

    assert exact.factor == 10
    assert (exact.to_points(30), type(exact.to_points(30))) == (3, int)
    assert exact.to_points(15) == 1.5


def test_a_choice_between_two_outcomes_of_equal_worth_is_not_unique() -> None:
    tied = {"colour": {"red": 1, "green": 1}}
    apart = {"colour": {"red": 1, "green": 0}}
    issues = (CategoricalIssue("colour", ("red", "green")),)

    one = bargaining_solutions(make_game({"human": apart, "agent": apart}, issues=issues))
    two = bargaining_solutions(make_game({"human": tied, "agent": tied}, issues=issues))

    assert one.nash.unique is True
    assert two.nash.unique is False


def test_an_offer_may_name_the_largest_number_and_no_larger_one() -> None:
    assert Offer({"price": LARGEST_NUMBER}).get("price") == LARGEST_NUMBER
    assert Offer({"price": -LARGEST_NUMBER}).get("price") == -LARGEST_NUMBER
    with pytest.raises(OfferError, match="lies between"):
        Offer({"price": LARGEST_NUMBER + 1})


def test_a_problem_with_a_file_says_where_it_is() -> None:
    problem = InputFileError("game.json", "line 3", "this is wrong")

    assert (problem.path, problem.where, problem.reason) == ("game.json", "line 3", "this is wrong")
    assert str(problem) == "game.json at line 3: this is wrong."


@pytest.mark.parametrize("name", ["resource_exchange", "job_candidate"])
def test_a_frontier_that_is_joined_in_many_small_parts_is_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game(bundled("games") / f"{name}.json").resolve_profiles(1)
    at_once = bargaining_solutions(game)

    monkeypatch.setattr("negoplatform.domain.solutions.frontier.BATCH_SIZE", 2)
    in_parts = bargaining_solutions(game)

    assert in_parts.rational == at_once.rational
    assert [point.outcomes for point in in_parts.rational] == [point.outcomes for point in at_once.rational]
    assert in_parts.nash == at_once.nash
    assert in_parts.maximum_sum == at_once.maximum_sum
