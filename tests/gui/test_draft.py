"""The offer that a participant is building."""

from __future__ import annotations

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import Allocation
from negoplatform.gui.draft import Draft
from tests.gui.rent import NOTICE, PRICE, rent


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


def test_a_number_that_is_typed_is_in_the_offer_once_it_fits() -> None:
    draft = Draft(rent())

    assert draft.write(PRICE, "120").offer.terms == (("price", 120),)
    assert draft.write(NOTICE, "1,5 months").number(NOTICE) == 1.5


def test_what_fits_no_number_takes_the_place_of_the_one_before_and_holds_the_offer_back() -> None:
    decided = Draft(rent()).write(NOTICE, "2").write(PRICE, "120")

    spoiled = decided.write(PRICE, "123")

    assert spoiled.number(PRICE) is None
    assert spoiled.typed(PRICE) == "123"
    assert spoiled.offer.terms == (("notice", 2),)
    assert (decided.ready, spoiled.ready) == (True, False)


def test_a_number_goes_back_to_undecided() -> None:
    draft = Draft(rent()).write(PRICE, "120")

    assert draft.undecided == 6
    assert draft.write(PRICE, "") == Draft(rent())
    assert draft.write(PRICE, "12x").cleared() == Draft(rent())
    assert draft.write(PRICE, "").undecided == 7


def test_steps_go_on_from_what_was_typed_even_if_it_does_not_fit() -> None:
    draft = Draft(rent()).write(PRICE, "123")

    up = draft.step(PRICE, 1)

    assert up.number(PRICE) == 125
    assert up.typed(PRICE) == ""
    assert up.step(PRICE, 10).number(PRICE) == 175
    assert draft.step(PRICE, -1).number(PRICE) == 120


def test_wherever_the_steps_lead_the_offer_fits_the_game() -> None:
    game = rent()
    draft = Draft(game)

    for steps in (1, 10, 10, 10, -1, -10, -10, -10):
        draft = draft.step(PRICE, steps).step(NOTICE, -steps)
        game.check_offer(draft.offer)
