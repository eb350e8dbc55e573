"""Contents of the offer builder and the accept button, computed without a window."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.agreement_rules import Quota, Turns
from negoplatform.domain.game import Acceptance, GameSpec, Preferences, TimeCost
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.offer import Offer
from negoplatform.domain.utility import Points
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.bargaining.offer_builder_rows import ChoiceRow, NumberRow, QuantityRow
from negoplatform.presentation.bargaining.offer_builder_view import (
    AcceptView,
    BuilderView,
    accept_view,
    binding_view,
    builder_view,
)
from negoplatform.presentation.bargaining.offer_comparison import CompareRow, compare_rows
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.issue_agreement import Progress
from negoplatform.presentation.offers.offer_valuation import NoDealComparison
from negoplatform.testing import TrialTable
from tests.games import COINS, make_game, three_seats
from tests.presentation.rent_game import CAR, KEYS, NOTICE, PRICE, rent

NAMES = {"agent": "Rowan"}


def built(table: TrialTable, draft: Draft | None = None, now: float = 0.0) -> BuilderView:
    """Return the builder as the human sees it."""
    state = view_of(table.state, Observer("human")).state
    return builder_view(state, "human", NAMES, now, draft or Draft(state.game), ENGLISH, can_undo=True)


def accepting(table: TrialTable, now: float = 0.0) -> AcceptView:
    """Return the accept button as the human sees it."""
    return accept_view(view_of(table.state, Observer("human")).state, "human", NAMES, now, ENGLISH)


@pytest.fixture
def flat() -> TrialTable:
    """Started table at a game with numbers and joint points."""
    table = TrialTable(rent())
    table.start()
    return table


def bananas_for_me(game: GameSpec, units: int) -> Draft:
    bananas = game.issue("bananas")
    assert isinstance(bananas, QuantityIssue)
    return Draft(game).give(bananas, "human", units)


def test_a_row_says_how_many_there_are_what_each_is_worth_and_who_gets_how_many(table: TrialTable) -> None:
    table.start()

    row = built(table, bananas_for_me(table.state.game, 3)).rows[0]

    assert isinstance(row, QuantityRow)
    assert (row.head.title, row.head.detail) == ("Bananas", "4 available · 4 points each")
    assert row.units == (("human", "You", 3), ("agent", "Rowan", 0))
    assert row.undecided == 1


def test_a_value_is_shown_with_its_points_in_a_list_and_by_itself(practice: GameSpec) -> None:
    table = TrialTable(practice)
    table.start()

    row = built(table).rows[1]

    assert isinstance(row, ChoiceRow)
    assert row.choices[1] == "Saturday (5 points)"
    assert (row.values[1], row.worths[1]) == ("Saturday", "+5")
    assert row.chosen is None


def test_a_number_is_shown_with_its_unit_its_points_and_what_fits(flat: TrialTable) -> None:
    row = built(flat, Draft(rent()).write(PRICE, "120")).rows[0]

    assert isinstance(row, NumberRow)
    assert (row.number, row.text, row.unit, row.worth) == (120, "120", "€", "16 points")
    assert row.head.detail == "€100 to €200 in steps of €5 · also counts together with car"
    assert row.head.problem == ""


def test_what_does_not_fit_is_said_in_a_sentence_and_cannot_be_sent(flat: TrialTable) -> None:
    view = built(flat, Draft(rent()).write(NOTICE, "1").write(PRICE, "123"))

    row = view.rows[0]
    assert isinstance(row, NumberRow)
    assert row.text == "123"
    assert row.head.problem == "Must be €100 to €200 in steps of €5."
    assert view.note == "Please check price before you send your offer."
    assert (view.can_send, view.can_clear) == (False, True)


def test_how_far_the_seats_are_is_said_once_somebody_has_spoken(table: TrialTable) -> None:
    table.start()
    assert built(table).rows[0].head.progress_text == ""

    table.agent.offers(bananas=(0, 4))
    assert built(table).rows[0].head.progress_text == "open"

    table.human.offers(bananas=(4, 0))
    head = built(table).rows[0].head
    assert (head.progress_text, head.progress) == ("not agreed", Progress.DIFFER)
    assert built(table).rows[1].head.progress_text == ""


def test_a_draft_is_measured_by_the_best_one_can_get_and_by_no_deal(table: TrialTable) -> None:
    table.start()

    view = built(table, bananas_for_me(table.state.game, 4))

    assert view.worth == "16 to 40 points"
    assert [view.bar.low, view.bar.high, view.bar.no_deal] == pytest.approx([16 / 40, 1, 12 / 40])
    assert (view.bar.no_deal_words, view.bar.best_words) == ("no deal 12", "best possible 40")
    assert view.versus is NoDealComparison.BETTER
    assert view.note == "Better than no deal in any case  ·  3 issues undecided"


def test_nothing_decided_is_worth_no_figure_at_all(table: TrialTable) -> None:
    table.start()

    view = built(table)

    assert (view.worth, view.bar.low, view.bar.high, view.note) == ("–", 0, 0, "Nothing chosen yet.")
    assert view.versus is NoDealComparison.OPEN
    assert (view.can_send, view.can_clear, view.can_edit, view.can_undo) == (False, False, True, True)


def test_a_complete_draft_says_so_and_what_goes_together_counts(flat: TrialTable) -> None:
    offer = flat.agent.offers(price=125, notice=1.5, car="without", keys=(0, 4)).get_offer()
    cheap = Draft(rent()).choose(CAR, "with").write(PRICE, "120")

    assert built(flat, Draft(rent(), offer)).note == "10 points better than no deal"
    assert built(flat, cheap).worth == "27 to 38 points"
    assert built(flat, cheap).note.endswith("including +5 for combinations")
    assert built(flat).note_lines == 2


def test_their_offer_can_be_started_from_only_while_it_is_on_the_table(table: TrialTable) -> None:
    table.start()
    assert built(table).their_offer is None

    theirs = table.agent.offers(bananas=(1, 3)).get_offer()
    assert built(table).their_offer == theirs

    table.human.offers(bananas=(3, 1))
    assert built(table).their_offer is None


def test_nothing_can_be_done_once_the_game_is_over(table: TrialTable) -> None:
    table.human.quits()

    view = built(table, bananas_for_me(table.state.game, 1))

    assert not any((view.can_send, view.can_clear, view.can_edit, view.can_undo))
    assert accepting(table).offer_id is None


def test_the_draft_is_compared_with_the_offer_on_the_table_issue_by_issue(table: TrialTable) -> None:
    table.start()
    assert built(table).comparison is None

    table.agent.offers(bananas=(2, 2), grain=(3, 2))
    compared = built(table, bananas_for_me(table.state.game, 3)).comparison

    assert compared is not None
    assert (compared.first, compared.second) == ("Your draft", "Rowan’s offer")
    assert compared.rows[0] == CompareRow(
        "Bananas", "You 3\nRowan 0\nUndecided 1", "You 2\nRowan 2", None, "depends"
    )
    assert compared.rows[1] == CompareRow("Grain", "Undecided", "You 3\nRowan 2", None, "")
    assert compared.rows[2] == CompareRow("Wood", "Undecided", "Undecided", None, "")
    assert compared.total == CompareRow(
        "Total", "12 to 40 points", "17 to 26 points", None, "depends on the rest"
    )
    assert compared.no_deal == CompareRow("Compared with no deal", "depends", "better", None, "")


def test_ones_own_offer_on_the_table_is_called_so(table: TrialTable) -> None:
    table.human.offers(bananas=(3, 1))

    compared = built(table).comparison

    assert compared is not None
    assert compared.second == "Your offer"


def test_differences_add_up_to_the_total_with_what_goes_together(flat: TrialTable) -> None:
    flat.agent.offers(price=120, notice=0.5, car="with", keys=(1, 3))
    draft = Draft(rent()).write(PRICE, "110").write(NOTICE, "0.5").choose(CAR, "with").give(KEYS, "human", 4)

    compared = built(flat, draft).comparison

    assert compared is not None
    assert [row.title for row in compared.rows] == ["Price", "Notice", "Car", "Keys", "Combinations"]
    assert [row.first for row in compared.rows[:3]] == ["€110", "0.5 months", "with"]
    assert compared.rows[-1].better == -2.5
    assert sum(row.better or 0 for row in compared.rows) == compared.total.better == 5.5
    assert compared.no_deal.first == "24.5 points better"


def test_where_an_issues_worth_is_not_known_no_difference_is_claimed(table: TrialTable) -> None:
    class Whole:
        """Utility without values of single issues."""

        lowest, highest = 0, 10

        def __call__(self, offer: Offer) -> Points:
            return len(offer.terms)

    game = table.state.game
    odd = replace(game, preferences=game.preferences.with_value("human", Preferences(Whole(), 1)))

    rows = compare_rows(odd, "human", NAMES, bananas_for_me(game, 1).offer, Offer(), ENGLISH)

    assert {(row.better, row.words) for row in rows} == {(None, "")}


def test_accepting_is_possible_only_for_an_offer_that_binds(table: TrialTable) -> None:
    assert accepting(table) == AcceptView(None, "Accept offer", "There’s no offer to accept yet.")

    table.agent.offers(bananas=(2, 2))
    assert accepting(table).offer_id is None
    assert accepting(table).hint == "This offer isn’t complete, so you can’t accept it yet."

    offer = table.agent.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    view = accepting(table)
    assert (view.offer_id, view.text) == (offer.seq, "Accept Rowan’s offer (25 points)")
    assert view.hint == "It’s a deal once Rowan confirms it too."
    assert not view.worse_than_no_deal


def test_whoever_has_accepted_waits_and_whoever_comes_last_confirms(table: TrialTable) -> None:
    offer = table.human.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    assert (accepting(table).text, accepting(table).offer_id) == ("Waiting for Rowan", None)

    table.human.accepts(offer)
    assert accepting(table).hint == "It’s a deal once Rowan confirms it too."

    offer = table.agent.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    table.agent.accepts(offer)
    view = accepting(table)
    assert view.text == "Accept Rowan’s offer (25 points)"
    assert view.hint == "Once you accept it, it’s a deal."
    assert (view.completes_deal, view.is_own) == (True, False)

    offer = table.human.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    table.agent.accepts(offer)
    view = accepting(table)
    assert view.text == "Finalise the deal (25 points)"
    assert view.hint == "Rowan accepted it. Once you finalise it, it’s a deal."
    assert (view.completes_deal, view.is_own) == (True, True)


def test_an_offer_worth_less_than_no_deal_is_marked_whatever_time_costs(game: GameSpec) -> None:
    mine = game.preferences["human"]
    costly = Preferences(mine.utility, 12, None, TimeCost(2, 60))
    table = TrialTable(replace(game, preferences=game.preferences.with_value("human", costly)))

    table.agent.offers(bananas=(0, 4), grain=(3, 2), wood=(1, 2), spices=(0, 3))
    view = accepting(table, now=130.0)

    assert (view.points, view.no_deal) == (7, 8)
    assert view.worse_than_no_deal
    assert built(table, bananas_for_me(game, 4), now=130.0).worth == "12 to 36 points"


def test_a_discount_shrinks_all_points_and_leaves_the_bar_as_it_is(game: GameSpec) -> None:
    mine = game.preferences["human"]
    discounted = Preferences(mine.utility, 12, None, discount_factor=0.25)
    ending = replace(game.rules, deadline_seconds=100.0)
    given = replace(game, preferences=game.preferences.with_value("human", discounted), rules=ending)
    table = TrialTable(given)

    table.agent.offers(bananas=(0, 4), grain=(3, 2), wood=(1, 2), spices=(0, 3))
    early, late = accepting(table, now=0.0), accepting(table, now=50.0)
    bars = [built(table, bananas_for_me(game, 4), now=now).bar for now in (0.0, 50.0)]

    assert (late.points, late.no_deal) == ((early.points or 0) / 2, 6)
    assert (bars[0].low, bars[0].high) == pytest.approx((bars[1].low, bars[1].high))


COLOURED: dict[str, Any] = {"coins": (2, 1, 1), "colour": "red"}
THREE = {"green": "Ada", "blue": "Ben"}


def accepting_as_red(table: TrialTable) -> AcceptView:
    return accept_view(view_of(table.state, Observer("red")).state, "red", THREE, 0.0, ENGLISH)


def test_a_maker_finalises_once_enough_others_have_accepted() -> None:
    table = TrialTable(three_seats(agreement=Quota(2)))
    offer = table.participant("red").offers(COLOURED)
    waiting = accepting_as_red(table)

    table.participant("blue").accepts(offer)

    view = accepting_as_red(table)
    assert (waiting.offer_id, waiting.text) == (None, "Waiting for Ada and Ben")
    assert (view.offer_id, view.short_text, view.completes_deal) == (offer.seq, "Finalise the deal", True)
    assert view.hint == "Ben accepted it. Once you finalise it, it’s a deal."


def test_whoever_accepts_reads_who_else_has_to() -> None:
    hints = []
    for agreement in (Quota(2), Quota(3)):
        table = TrialTable(three_seats(agreement=agreement))
        offer = table.participant("green").offers(COLOURED)
        hints.append(accepting_as_red(table).hint)
        table.participant("green").accepts(offer)
        hints.append(accepting_as_red(table).hint)
        table.participant("red").accepts(offer) if agreement == Quota(3) else None

    assert hints == [
        "Nobody has accepted it yet. It’s a deal once Ada confirms it too.",
        "1 of 2 needed has accepted: Ada. Once you accept it, it’s a deal.",
        "Nobody has accepted it yet. It’s a deal once Ada and Ben confirm it too.",
        "1 of 3 has accepted: Ada. It’s a deal once Ben confirms it too.",
    ]


def test_with_many_seats_it_says_how_many_of_how_many_have_accepted() -> None:
    names = {"b": "Ada", "c": "Ben", "d": "Cleo", "e": "Dan"}
    tables = {seat: {"coins": list(range(5))} for seat in ("a", *names)}
    hints = []
    for quota in (3, 4):
        table = TrialTable(make_game(tables, issues=(COINS,), agreement=Quota(quota)))
        offer = table.participant("a").offers(coins=(1, 1, 1, 1, 0))
        table.participant("a").accepts(offer)
        state = view_of(table.state, Observer("a")).state
        hints.append(accept_view(state, "a", names, 0.0, ENGLISH).hint)

    assert hints == [
        "1 of 3 needed has accepted: you.",
        "1 of 4 needed has accepted: you.",
    ]


@pytest.mark.parametrize(
    ("quota", "hint"),
    [
        (2, "In this game it’s a deal as soon as one of Ada and Ben accepts it."),
        (3, "In this game it’s a deal as soon as everyone else has accepted it."),
    ],
)
def test_before_a_binding_offer_it_says_how_many_have_to_accept(quota: int, hint: str) -> None:
    table = TrialTable(three_seats(agreement=Quota(quota), acceptance=Acceptance.MAKER_ACCEPTS))
    state = view_of(table.state, Observer("red")).state

    view = binding_view(state, "red", THREE, 0.0, table.context("red").make_offer(COLOURED), ENGLISH)

    assert view is not None
    assert view.hint == hint


def test_out_of_turn_accepting_is_not_possible_and_says_why() -> None:
    table = TrialTable(three_seats(turns=Turns.ALTERNATING))
    table.participant("red").offers(COLOURED)
    table.participant("green").offers(COLOURED)

    view = accepting_as_red(table)

    assert (view.offer_id, view.hint) == (None, "It’s not your turn yet. You can send messages at any time.")
