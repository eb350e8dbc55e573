"""Agreed, open and disputed issues: the same state for both sides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from negoplatform.core.events import MessageSubtype
from negoplatform.core.visibility import Observer, view_of
from negoplatform.presentation.bargaining.issue_progress_view import ProgressRow, ProgressView, progress_view
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.issue_agreement import Progress, agreed_terms, declined_by
from negoplatform.testing import TrialTable
from tests.games import three_seats
from tests.presentation.rent_game import rent

NAMES = {"human": "Robin", "agent": "Rowan"}


@pytest.fixture
def flat() -> TrialTable:
    """Table at a game with all kinds of issue: a price, a notice, a car, and four keys."""
    table = TrialTable(rent())
    table.start()
    return table


def tracked(table: TrialTable, seat: str = "human") -> ProgressView:
    """Return the tracker as one of the two seats sees it."""
    state = view_of(table.state, Observer(seat)).state
    names = {who: name for who, name in NAMES.items() if who != seat}
    return progress_view(state, seat, names, ENGLISH)


def row(view: ProgressView, title: str) -> ProgressRow:
    return next(row for row in view.rows if row.title == title)


def test_at_first_nothing_is_discussed_and_every_issue_has_its_row(flat: TrialTable) -> None:
    view = tracked(flat)

    assert [row.title for row in view.rows] == ["Price", "Notice", "Car", "Keys"]
    assert {(row.progress, row.words) for row in view.rows} == {(Progress.OPEN, "open")}
    assert view.summary == "0 of 4 agreed"


def test_after_one_side_has_spoken_each_reads_who_it_was(flat: TrialTable) -> None:
    flat.agent.offers(price=125)

    assert row(tracked(flat, "human"), "Price").words == "waiting for you"
    assert row(tracked(flat, "agent"), "Price").words == "waiting for Robin"
    assert row(tracked(flat), "Notice").words == "open"


def test_equal_terms_of_two_partial_offers_are_agreed_and_said_with_their_units(flat: TrialTable) -> None:
    flat.agent.offers(price=125, keys=(1, 3))
    flat.human.offers(price=125, keys=(1, 3))
    flat.human.offers(car="with")

    mine, theirs = tracked(flat, "human"), tracked(flat, "agent")

    assert (row(mine, "Price").progress, row(mine, "Price").words) == (Progress.AGREED, "€125")
    assert row(mine, "Keys").words == "you 1, Rowan 3"
    assert row(theirs, "Keys").words == "you 3, Robin 1"
    assert mine.summary == "2 of 4 agreed"


def test_different_terms_are_disputed_until_somebody_gives_way(flat: TrialTable) -> None:
    flat.agent.offers(car="without", price=150)
    flat.human.offers(car="with", price=150)
    before = row(tracked(flat), "Car")

    flat.agent.offers(car="with", price=150)

    assert (before.progress, before.words) == (Progress.DIFFER, "not agreed")
    assert (row(tracked(flat), "Car").progress, row(tracked(flat), "Car").words) == (Progress.AGREED, "with")
    assert row(tracked(flat), "Price").progress is Progress.AGREED


def test_units_that_nobody_has_yet_leave_an_issue_open(flat: TrialTable) -> None:
    flat.agent.offers(keys=(1, 1))
    flat.human.offers(keys=(1, 1))

    keys = row(tracked(flat), "Keys")
    assert (keys.progress, keys.words) == (Progress.OPEN, "partly undecided")
    assert tracked(flat).summary == "0 of 4 agreed"


def test_accepting_the_other_sides_offer_agrees_to_its_terms(flat: TrialTable) -> None:
    offer = flat.agent.offers(price=125, notice=1.5, car="without", keys=(0, 4))
    flat.human.offers(price=100)
    flat.agent.offers(price=125, notice=1.5, car="without", keys=(0, 4))
    before = tracked(flat).summary

    flat.human.accepts()

    assert offer.seq < flat.state.version
    assert before == "0 of 4 agreed"
    assert tracked(flat).summary == "4 of 4 agreed"


def test_both_sides_see_the_same_standing_at_every_step(flat: TrialTable) -> None:
    flat.agent.offers(price=125, car="with")
    steps: list[Mapping[str, Any]] = [{"price": 125}, {"car": "without"}, {"notice": 1.5, "keys": (2, 1)}]

    for step in steps:
        flat.human.offers(step)

        mine, theirs = tracked(flat, "human"), tracked(flat, "agent")
        assert [row.progress for row in mine.rows] == [row.progress for row in theirs.rows]
        assert mine.summary == theirs.summary


def test_among_three_nothing_is_agreed_before_the_third_has_spoken() -> None:
    table = TrialTable(three_seats())
    table.start()
    table.participant("red").offers(colour="red")
    table.participant("green").offers(colour="red")
    names = {"green": "Gil", "blue": "Bo"}

    def colour() -> ProgressRow:
        state = view_of(table.state, Observer("red")).state
        return row(progress_view(state, "red", names, ENGLISH), "colour")

    before = colour()
    table.participant("blue").offers(colour="red")

    assert (before.progress, before.words) == (Progress.OPEN, "waiting for Bo")
    assert (colour().progress, colour().words) == (Progress.AGREED, "red")


def test_a_package_that_was_countered_leaves_nothing_agreed(flat: TrialTable) -> None:
    """Let Robin want the car for Rowan's price, and Rowan take the price and keep the car."""
    flat.agent.offers(price=150, car="without")
    flat.human.offers(price=150, car="with")

    view = tracked(flat)

    assert row(view, "Price") == ProgressRow("Price", Progress.SAME, "€150 in both offers")
    assert row(view, "Car").words == "not agreed"
    assert view.summary == "0 of 4 agreed"


def test_a_concession_that_is_tied_to_more_is_not_agreed(flat: TrialTable) -> None:
    """Let the first one name the price alone, and the other take it for something in return."""
    flat.agent.offers(price=150)
    flat.human.offers(price=150, car="with")

    assert row(tracked(flat), "Price").progress is Progress.SAME


def test_a_package_falls_apart_when_one_of_its_terms_is_taken_back(flat: TrialTable) -> None:
    flat.human.offers(price=150, car="with")
    flat.agent.offers(price=150, car="with")
    flat.agent.offers(car="without")

    assert row(tracked(flat), "Price").progress is Progress.SAME
    assert not agreed_terms(flat.state).terms


def test_terms_that_were_agreed_one_by_one_stay_so_whatever_is_offered_with_them(flat: TrialTable) -> None:
    flat.human.offers(car="with")
    flat.agent.offers(car="with")
    flat.human.offers(car="with", price=100)
    flat.agent.offers(car="with", price=200)

    assert row(tracked(flat), "Car").progress is Progress.AGREED


def test_whoever_declines_in_words_has_declined_until_they_accept(flat: TrialTable) -> None:
    offer = flat.human.offers(price=125, notice=1.5, car="without", keys=(0, 4))
    flat.human.says("Please!", MessageSubtype.OFFER_REJECT)
    before = declined_by(flat.state, offer.seq)
    flat.agent.says("No.", MessageSubtype.OFFER_REJECT)
    declined = declined_by(flat.state, offer.seq)

    flat.agent.accepts(offer)

    assert before == frozenset()
    assert declined == frozenset({"agent"})
    assert declined_by(flat.state, offer.seq) == frozenset()
    assert tracked(flat).summary == "4 of 4 agreed"


def test_nothing_is_agreed_once_somebody_has_walked_away(flat: TrialTable) -> None:
    flat.agent.offers(price=125)
    flat.human.offers(price=125)
    flat.human.quits()

    view = tracked(flat)

    assert view.summary == "No deal"
    assert {(row.progress, row.words) for row in view.rows} == {(Progress.OPEN, "not agreed")}


def test_after_a_deal_its_terms_are_agreed(flat: TrialTable) -> None:
    offer = flat.human.offers(price=125, notice=1.5, car="without", keys=(1, 3))
    flat.agent.accepts(offer)
    flat.human.accepts(offer)

    view = tracked(flat)

    assert view.summary == "4 of 4 agreed"
    assert row(view, "Keys").words == "you 1, Rowan 3"
