"""What is agreed, open and disputed: the same standing for whoever looks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.board import Standing
from negoplatform.gui.language import ENGLISH
from negoplatform.gui.tracker import tracker_view
from negoplatform.gui.view import TrackerRow, TrackerView
from negoplatform.testing import TrialTable
from tests.games import three_seats
from tests.gui.rent import rent

NAMES = {"human": "Robin", "agent": "Rowan"}


@pytest.fixture
def flat() -> TrialTable:
    """A table at a game with all kinds of issue: a price, a notice, a car, and four keys."""
    table = TrialTable(rent())
    table.start()
    return table


def tracked(table: TrialTable, seat: str = "human") -> TrackerView:
    """The tracker as one of the two reads it."""
    state = view_of(table.state, Observer(seat)).state
    names = {who: name for who, name in NAMES.items() if who != seat}
    return tracker_view(state, seat, names, ENGLISH)


def row(view: TrackerView, title: str) -> TrackerRow:
    return next(row for row in view.rows if row.title == title)


def test_at_first_nothing_is_discussed_and_every_issue_has_its_row(flat: TrialTable) -> None:
    view = tracked(flat)

    assert [row.title for row in view.rows] == ["Price", "Notice", "Car", "Keys"]
    assert {(row.standing, row.words) for row in view.rows} == {(Standing.OPEN, "open")}
    assert view.summary == "0 of 4 agreed"


def test_after_one_side_has_spoken_each_reads_who_it_was(flat: TrialTable) -> None:
    flat.agent.offers(price=125)

    assert row(tracked(flat, "human"), "Price").words == "your turn"
    assert row(tracked(flat, "agent"), "Price").words == "their turn"
    assert row(tracked(flat), "Notice").words == "open"


def test_equal_terms_of_two_partial_offers_are_agreed_and_said_with_their_units(flat: TrialTable) -> None:
    flat.agent.offers(price=125, keys=(1, 3))
    flat.human.offers(price=125, keys=(1, 3), car="with")

    mine, theirs = tracked(flat, "human"), tracked(flat, "agent")

    assert (row(mine, "Price").standing, row(mine, "Price").words) == (Standing.AGREED, "125 €")
    assert row(mine, "Keys").words == "you 1, Rowan 3"
    assert row(theirs, "Keys").words == "you 3, Robin 1"
    assert mine.summary == "2 of 4 agreed"


def test_different_terms_are_disputed_until_somebody_gives_way(flat: TrialTable) -> None:
    flat.agent.offers(car="without", price=150)
    flat.human.offers(car="with", price=150)
    before = row(tracked(flat), "Car")

    flat.agent.offers(car="with")

    assert (before.standing, before.words) == (Standing.DISPUTED, "you differ")
    assert (row(tracked(flat), "Car").standing, row(tracked(flat), "Car").words) == (Standing.AGREED, "with")
    assert row(tracked(flat), "Price").standing is Standing.AGREED


def test_units_that_nobody_has_yet_leave_an_issue_open(flat: TrialTable) -> None:
    flat.agent.offers(keys=(1, 1))
    flat.human.offers(keys=(1, 1))

    keys = row(tracked(flat), "Keys")
    assert (keys.standing, keys.words) == (Standing.OPEN, "partly undecided")
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
        assert [row.standing for row in mine.rows] == [row.standing for row in theirs.rows]
        assert mine.summary == theirs.summary


def test_among_three_nothing_is_agreed_before_the_third_has_spoken() -> None:
    table = TrialTable(three_seats())
    table.start()
    table.party("red").offers(colour="red")
    table.party("green").offers(colour="red")
    names = {"green": "Gil", "blue": "Bo"}

    def colour() -> TrackerRow:
        state = view_of(table.state, Observer("red")).state
        return row(tracker_view(state, "red", names, ENGLISH), "colour")

    before = colour()
    table.party("blue").offers(colour="red")

    assert (before.standing, before.words) == (Standing.OPEN, "their turn")
    assert (colour().standing, colour().words) == (Standing.AGREED, "red")
