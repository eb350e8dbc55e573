"""The result that a participant sees at the end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negoplatform.app.session.unused_joint_gains import ParetoImprovement, find_pareto_improvement
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.agreement_rules import Outvoted, Quota
from negoplatform.domain.game import GameSpec
from negoplatform.presentation.bargaining.bargaining_result import compared_with_no_deal
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.table.table_view import ResultView
from negoplatform.testing import TrialTable
from tests.games import three_seats
from tests.presentation.bargaining_desk import end_page

NAMES = {"agent": "Rowan"}


def end(
    table: TrialTable, *, left: ParetoImprovement | None = None, finished: bool = False, can_talk: bool = True
) -> ResultView:
    state = view_of(table.state, Observer("human")).state
    found = end_page(state, "human", NAMES, ENGLISH, finished=finished, can_talk=can_talk, left_on_table=left)
    assert found is not None
    return found


def deal(table: TrialTable, **mine: int) -> TrialTable:
    """Close a deal in which the human gets these numbers of units; return the table."""
    game = table.state.game
    terms = {
        issue.name: (mine.get(issue.name, 0), issue.quantity - mine.get(issue.name, 0))  # type: ignore[union-attr]
        for issue in game.issues
    }
    offer = table.human.offers(terms)
    table.agent.accepts(offer)
    table.human.accepts(offer)
    return table


@pytest.mark.parametrize(
    ("gain", "words"),
    [
        (24, "24 points better than no deal"),
        (1, "1 point better than no deal"),
        (0, "The same as no deal"),
        (-1, "1 point worse than no deal"),
        (-2.5, "2.5 points worse than no deal"),
    ],
)
def test_a_result_is_compared_with_no_deal_in_words(gain: float, words: str) -> None:
    assert compared_with_no_deal(gain, ENGLISH) == words


def test_a_good_deal_is_told_as_one(table: TrialTable) -> None:
    shown = end(deal(table, bananas=4, grain=3))

    assert (shown.points, shown.compared, shown.better) == (
        "You get 25 points.",
        "13 points better than no deal",
        1,
    )


def test_a_deal_as_good_as_none_is_not_told_as_better(table: TrialTable) -> None:
    shown = end(deal(table, bananas=3))

    assert (shown.compared, shown.better) == ("The same as no deal", 0)


def test_without_a_deal_nothing_is_compared(table: TrialTable) -> None:
    table.human.quits()

    shown = end(table)

    assert (shown.points, shown.compared, shown.rows) == ("You get 12 points.", "", ())


def test_a_last_message_is_offered_while_it_can_be_sent(table: TrialTable) -> None:
    table.human.quits()

    assert end(table).advice == "You can still send a last message. Press Done when you’re ready."
    for shown in (end(table, can_talk=False), end(table, finished=True)):
        assert shown.advice == "Everything has been saved. Thank you!"


def test_what_was_left_on_the_table_is_told_only_if_it_is_known(table: TrialTable, game: GameSpec) -> None:
    ended = deal(table, bananas=2, grain=3, wood=1, spices=1)
    ending = ended.state.ending
    assert ending is not None

    left = find_pareto_improvement(game, ending)
    assert left is not None
    silent, told = end(ended), end(ended, left=left)

    assert (silent.left_on_table, silent.left_on_table_rows) == ("", ())
    assert told.left_on_table == "Another deal would have been better for both of you:"
    assert [issue for issue, _ in told.left_on_table_rows] == [
        *("Bananas", "Grain", "Wood", "Spices"),
        "Points for you",
    ]
    one = end(ended, left=replace(left, for_all=False)).left_on_table
    assert one == "Another deal would have been better for one of you, and no worse for the other:"
    assert (
        end(ended, left=ParetoImprovement()).left_on_table
        == "No other deal would have been better for both of you."
    )


def test_a_deal_without_the_participant_has_no_points_of_its_own() -> None:
    table = TrialTable(three_seats(agreement=Quota(2), outvoted=Outvoted.LEFT_OUT))
    offer = table.participant("green").offers(coins=(2, 1, 1), colour="red")
    table.participant("blue").accepts(offer)
    table.participant("green").accepts(offer)
    state, names = view_of(table.state, Observer("red")).state, {"green": "Ada", "blue": "Ben"}

    shown = end_page(state, "red", names, ENGLISH, finished=True, can_talk=False)

    assert shown is not None
    assert (shown.heading, shown.points) == ("Ada and Ben have a deal without you", "You get 1 point.")
    assert [row[-1] for row in shown.rows] == ["", ""]
    assert shown.compared == "The same as no deal"
