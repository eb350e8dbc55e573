"""The offer that a participant is building."""

from __future__ import annotations

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import Allocation
from negoplatform.gui.draft import Draft


def quantity(game: GameSpec, name: str) -> QuantityIssue:
    issue = game.issue(name)
    assert isinstance(issue, QuantityIssue)
    return issue


def test_a_unit_that_is_given_comes_from_the_undecided_ones_first(game: GameSpec) -> None:
    bananas = quantity(game, "bananas")

    draft = Draft(game).give(bananas, "human").give(bananas, "agent")

    assert draft.allocation(bananas) == Allocation({"human": 1, "agent": 1}, undecided=2)


def test_when_nothing_is_undecided_a_unit_moves_over_from_the_other_side(game: GameSpec) -> None:
    wood = quantity(game, "wood")
    draft = Draft(game)
    for _ in range(3):
        draft = draft.give(wood, "agent")

    draft = draft.give(wood, "human")

    assert draft.allocation(wood) == Allocation({"human": 1, "agent": 2})


def test_a_seat_that_has_everything_gets_no_more_and_one_with_nothing_loses_nothing(game: GameSpec) -> None:
    wood = quantity(game, "wood")
    full = Draft(game)
    for _ in range(3):
        full = full.give(wood, "human")

    assert full.give(wood, "human") is full
    assert full.take(wood, "agent") is full


def test_an_issue_of_which_nothing_is_decided_is_not_in_the_offer(game: GameSpec) -> None:
    bananas = quantity(game, "bananas")

    draft = Draft(game).give(bananas, "human").take(bananas, "human")

    assert draft.offer.terms == ()
    assert draft.undecided == 15


def test_a_value_is_chosen_and_unchosen(practice: GameSpec) -> None:
    day = practice.issue("day")
    assert isinstance(day, CategoricalIssue)

    chosen = Draft(practice).choose(day, "Sunday")

    assert chosen.value(day) == "Sunday"
    assert chosen.undecided == 6
    assert chosen.choose(day, None).offer.terms == ()


def test_whatever_is_clicked_the_units_add_up(game: GameSpec) -> None:
    grain = quantity(game, "grain")
    draft = Draft(game)

    for seat in ("human", "agent", "human", "human", "agent", "human", "human", "agent", "human"):
        draft = draft.give(grain, seat)
        assert draft.allocation(grain).total == 5
        game.check_offer(draft.offer)
