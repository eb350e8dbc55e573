"""Requests for an offer in the tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from negoplatform.core.events import MessageSubtype
from negoplatform.testing import TrialTable
from tests.analysis.exported import kept, tables_of
from tests.games import COINS, make_game


def test_the_tables_count_the_requests_and_say_whether_the_window_had_the_buttons(tmp_path: Path) -> None:
    tables = {seat: {"coins": list(range(5))} for seat in ("human", "agent")}
    game = make_game(tables, issues=(COINS,))
    without = replace(game, rules=replace(game.rules, offer_requests=False))

    def ask(table: TrialTable) -> None:
        table.human.says(
            "What would you give me for this: 2 coins for you?", MessageSubtype.OFFER_REQUEST_POS
        )
        table.human.says("Can you make your offer fairer to me?", MessageSubtype.OFFER_REQUEST_NEG)
        table.human.says("Can you make your offer fairer to me?", MessageSubtype.OFFER_REQUEST_NEG)
        table.human.quits()

    def leave(table: TrialTable) -> None:
        table.human.quits()

    asked, plain = tables_of(kept(tmp_path, game, ask, "s1"), kept(tmp_path, without, leave, "s2"))[
        "sessions"
    ]

    assert (asked["offer_requests"], plain["offer_requests"]) == ("1", "0")
    assert (asked["n_msg_offer_request_pos_h"], asked["n_msg_offer_request_neg_h"]) == ("1", "2")
    assert plain["n_msg_offer_request_pos_h"] == "0"
