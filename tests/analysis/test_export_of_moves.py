"""Tables of offers and messages in an export: responses, steps, claims, typing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from negoplatform.core.events import (
    Expression,
    Message,
    MessageSubtype,
    Preference,
    Relation,
)
from negoplatform.core.intention_ledger import intentions
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.reader import read_log
from negoplatform.testing import TrialTable
from tests.analysis.exported import EVEN, column, kept, tables_of
from tests.games import COINS, categorical_only, coins_only, make_game


def responses(table: TrialTable) -> None:
    table.human.says("How is this?", MessageSubtype.OFFER_PROPOSE)
    table.human.offers(EVEN)
    table.wait(1.5)
    table.agent.says("No.", MessageSubtype.OFFER_REJECT)
    table.agent.offers(grain=(0, 5))
    table.wait(2)
    table.human.offers(grain=(1, 4))
    table.human.offers(grain=(2, 3))
    table.wait(0.25)
    table.human.says("No!", MessageSubtype.OFFER_REJECT)
    table.agent.offers(EVEN)
    table.human.accepts()
    table.human.offers(EVEN)
    table.agent.quits()


def test_every_offer_has_the_first_response_that_it_met(tmp_path: Path, game: GameSpec) -> None:
    path = kept(tmp_path, game, responses)

    tables = tables_of(path)

    rows = tables["offers"]
    assert column(rows, "response") == ["reject", "counter", "withdrawn", "counter", "accept", "none"]
    assert column(rows, "response_ms") == ["1500", "2000", "", "250", "0", ""]
    assert column(rows, "response_seat") == ["agent", "human", "", "agent", "human", ""]
    assert column(rows, "kind") == ["initial", "counter", "counter", "revision", "counter", "counter"]
    assert column(rows, "is_final") == ["0", "0", "0", "0", "1", "1"]
    assert rows[0]["message_id"] == tables["messages"][0]["message_id"]
    words_of = {"reject": "rejected", "counter": "countered", "accept": "accepted", "none": "ended"}
    made = [task for task in intentions(read_log(path).events) if "offer" in task.metadata]
    assert [task.metadata["outcome"] for task in made] == [
        words_of.get(response, "replaced") for response in column(rows, "response")
    ]
    (session,) = tables["sessions"]
    assert (session["end_reason"], session["ended_by_seat"]) == ("walkaway_agent", "agent")
    assert float(session["mean_response_ms_a"]) == (1500 + 250) / 2


def test_steps_and_logrolling_are_those_between_own_proposals(tmp_path: Path) -> None:
    def play(table: TrialTable) -> None:
        table.human.offers(colour="red", size="large")
        table.human.offers(colour="green")
        table.human.offers(colour="red", size="small")
        table.human.offers(size="small")
        table.human.offers(colour="green", size="large")

    rows = tables_of(kept(tmp_path, categorical_only(), play))["offers"]

    assert column(rows, "step") == ["", "concession", "concession", "silent", "selfish"]
    assert column(rows, "d_own") == ["", "-2", "-3", "0", "3"]
    assert column(rows, "d_other") == ["", "4", "1", "0", "-1"]
    assert column(rows, "n_issues_changed") == ["", "1", "2", "0", "2"]
    assert column(rows, "logroll_step") == ["", "0", "1", "0", "0"]


def says(table: TrialTable, seat: str, **what: Any) -> None:
    table.start()
    table.session.send_message(seat, Message("…", MessageSubtype.PREF_INFO, **what))


def test_claims_are_held_against_the_senders_own_points(tmp_path: Path) -> None:
    """Check claims where the human's four coins have 12 points in all, 3 each; two plums 8 in all, 4 each."""
    plums = QuantityIssue("plums", 2)
    own = {"coins": [0, 3, 6, 9, 12], "plums": [0, 4, 8]}
    game = make_game({"human": own, "agent": own}, issues=(COINS, plums), reservation=5)

    def play(table: TrialTable) -> None:
        says(table, "human", preference=Preference("coins", Relation.GREATER, "plums"))
        says(table, "human", preference=Preference("coins", Relation.WORST))
        says(table, "human", preference=Preference("coins", Relation.BEST, is_question=True))
        says(table, "human", batna=5)
        says(table, "human", batna=9)

    tables = tables_of(kept(tmp_path, game, play))

    rows = tables["messages"]
    assert column(rows, "pref_claim") == ["coins > plums", "coins worst", "", "", ""]
    assert column(rows, "claim_true") == ["1", "0", "", "", ""]
    assert column(rows, "claim_true_per_unit") == ["0", "1", "", "", ""]
    assert column(rows, "pref_question") == ["0", "0", "1", "", ""]
    assert column(rows, "batna_true") == ["", "", "", "1", "0"]
    (session,) = tables["sessions"]
    assert (session["n_pref_true_h"], session["n_pref_false_h"], session["n_questions_h"]) == ("1", "1", "1")


def test_a_claim_is_held_against_the_discount_by_offers_at_the_moment(tmp_path: Path) -> None:
    game = coins_only(deadline_offers=2)
    halved = {
        seat: replace(mine, discount_factor=0.25, opt_out=8, reservation_value=0)
        for seat, mine in game.preferences.items()
    }
    game = replace(game, preferences=SeatMap(halved.items()))

    def play(table: TrialTable) -> None:
        says(table, "human", batna=8)
        table.agent.offers(coins=(2, 2))
        says(table, "human", batna=8)
        says(table, "human", batna=4)

    tables = tables_of(kept(tmp_path, game, play))

    assert column(tables["messages"], "batna_true") == ["1", "0", "1"]
    assert tables["sessions"][0]["deadline_offers"] == "2"
    assert tables["sessions"][0]["deadline_s"] == ""


def test_a_message_says_how_long_it_was_typed_and_with_which_face(tmp_path: Path, game: GameSpec) -> None:
    def play(table: TrialTable) -> None:
        table.human.shows(Expression.SAD)
        table.human.types()
        table.wait(1.2)
        table.human.types()
        table.wait(0.3)
        table.human.says("Well")
        table.wait(5)
        table.human.says("then")

    rows = tables_of(kept(tmp_path, game, play))["messages"]

    assert column(rows, "typing_ms") == ["1500", ""]
    assert column(rows, "emotion") == ["SAD", "NEUTRAL"]
