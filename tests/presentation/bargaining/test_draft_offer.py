"""The offer that a participant is building."""

from __future__ import annotations

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.presentation.bargaining.draft_offer import MAX_UNDO_STEPS, Draft, DraftHistory
from tests.presentation.rent_game import NOTICE, PRICE, rent


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


def test_a_count_is_set_from_the_undecided_ones_and_back_to_them(game: GameSpec) -> None:
    bananas = quantity(game, "bananas")
    draft = Draft(game).give(bananas, "agent", 3)

    assert draft.set_units(bananas, "human", 2).allocation(bananas) == Allocation({"human": 2, "agent": 2})
    less = draft.set_units(bananas, "agent", 1)
    assert less.allocation(bananas) == Allocation({"agent": 1}, undecided=3)
    assert draft.set_units(bananas, None, 4).offer.terms == ()
    assert draft.set_units(bananas, None, 0) is draft


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
    assert spoiled.invalid_text(PRICE) == "123"
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
    assert up.invalid_text(PRICE) == ""
    assert up.step(PRICE, 10).number(PRICE) == 175
    assert draft.step(PRICE, -1).number(PRICE) == 120


def test_wherever_the_steps_lead_the_offer_fits_the_game() -> None:
    game = rent()
    draft = Draft(game)

    for steps in (1, 10, 10, 10, -1, -10, -10, -10):
        draft = draft.step(PRICE, steps).step(NOTICE, -steps)
        game.check_offer(draft.offer)


def test_a_unit_that_is_taken_back_comes_from_whoever_has_most(game: GameSpec) -> None:
    grain = quantity(game, "grain")
    draft = Draft(game).give(grain, "human").give(grain, "agent", 3)

    assert draft.give(grain, None).allocation(grain) == Allocation({"human": 1, "agent": 2}, undecided=2)
    assert draft.give(grain, None, 5).offer.terms == ()
    assert Draft(game).give(grain, None) == Draft(game)


def test_a_piece_moves_from_where_it_is_taken_to_where_it_is_dropped(game: GameSpec) -> None:
    grain = quantity(game, "grain")
    draft = Draft(game).give(grain, "agent", 2)

    assert draft.move(grain, "agent", "human").allocation(grain) == Allocation(
        {"human": 1, "agent": 1}, undecided=3
    )
    assert draft.move(grain, None, "human", 99).allocation(grain) == Allocation({"human": 3, "agent": 2})
    assert draft.move(grain, "human", "agent") is draft
    assert draft.move(grain, "agent", "agent") is draft


def test_all_units_are_given_and_taken_at_once(game: GameSpec) -> None:
    grain = quantity(game, "grain")

    given = Draft(game).give(grain, "agent", 2).give(grain, "human", 5)

    assert given.allocation(grain) == Allocation({"human": 5, "agent": 0})
    assert given.take(grain, "human", 5).offer.terms == ()


def test_a_draft_started_from_an_offer_is_that_offer_and_nothing_of_its_own(game: GameSpec) -> None:
    grain = quantity(game, "grain")
    theirs = Offer({"wood": Allocation({"human": 1, "agent": 2}), "spices": Allocation({}, undecided=3)})

    draft = Draft(game).give(grain, "human").replaced_by(theirs)

    assert draft.offer.terms == (("wood", Allocation({"human": 1, "agent": 2})),)


def test_steps_are_undone_and_done_again_in_their_order(game: GameSpec) -> None:
    grain = quantity(game, "grain")
    start = DraftHistory(Draft(game))
    first = start.changed(start.draft.give(grain, "human"))
    second = first.changed(first.draft.give(grain, "agent"))

    back = second.undone()

    assert back.draft == first.draft
    assert back.undone().draft == start.draft
    assert back.undone().undone() == back.undone()
    assert back.undone().redone().redone() == second
    assert second.redone() is second


def test_after_an_undo_another_step_leaves_nothing_to_do_again(game: GameSpec) -> None:
    grain = quantity(game, "grain")
    history = DraftHistory(Draft(game))
    history = history.changed(history.draft.give(grain, "human")).undone()

    history = history.changed(history.draft.give(grain, "agent"))

    assert history.future == ()
    assert history.undone().draft == Draft(game)


def test_what_changes_nothing_is_no_step(game: GameSpec) -> None:
    history = DraftHistory(Draft(game))

    assert history.changed(Draft(game)) is history


def test_a_number_is_undone_as_a_whole_and_not_key_by_key() -> None:
    history = DraftHistory(Draft(rent()))
    for typed in ("1", "12", "120"):
        history = history.changed(history.draft.write(PRICE, typed), "price")
    priced = history.draft
    for typed in ("1", "1.", "1.5"):
        history = history.changed(history.draft.write(NOTICE, typed), "notice")

    assert history.undone().draft == priced
    assert history.undone().undone().draft == Draft(rent())


def test_a_step_between_two_typed_numbers_is_a_step_of_its_own() -> None:
    history = DraftHistory(Draft(rent()))
    history = history.changed(history.draft.write(PRICE, "120"), "price")
    stepped = history.changed(history.draft.step(PRICE, 1))

    typed = stepped.changed(stepped.draft.write(PRICE, "130"), "price")

    assert typed.undone().draft.number(PRICE) == 125
    assert typed.undone().undone().draft.number(PRICE) == 120


def test_only_so_many_steps_are_kept(game: GameSpec) -> None:
    grain = quantity(game, "grain")
    history = DraftHistory(Draft(game))

    for step in range(MAX_UNDO_STEPS + 10):
        draft = history.draft
        history = history.changed(draft.take(grain, "human") if step % 2 else draft.give(grain, "human"))

    assert len(history.past) == MAX_UNDO_STEPS
