"""A person who trades in the window, with a real mouse and real keys."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.gui.trading.proposal_card import SETTLE_SECONDS
from tests.window.conftest import Program, pictures

pytestmark = pytest.mark.window

START = Callable[..., Program]
TRADER = Path(__file__).parents[2] / "plugin_files" / "trader_on_request.py"
SETTLED = SETTLE_SECONDS + 0.1
"""Seconds after which a card that has just moved takes clicks again."""


def begin(start: START, *more: str) -> Program:
    """Start the worked example with a trader that does what the participant's messages say."""
    program = start("--game", "tac_trading", "--agent", str(TRADER), "--participant", "P01", *more)
    program.wait_for("shown", type="GAME_START")
    return program


def say(program: Program, text: str) -> None:
    """Send a message, which moves the agent."""
    program.click("entry")
    program.types(text)
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent_1")


def offered(program: Program, text: str) -> int:
    """Let the agent propose something; return the proposal's id once its card takes clicks."""
    say(program, text)
    made = program.wait_for("shown", type="PROPOSE", sender="agent_2")
    time.sleep(SETTLED)
    return int(made["seq"])


def write_ticket(program: Program, amount: str, **clicks: int) -> dict[str, Any]:
    """Fill in the ticket with the mouse, the amount with keys; return the last announcement."""
    for good, times in clicks.items():
        for _ in range(times):
            program.click(f"ticket.{good}.more")
            program.wait_for("ticket")
    program.click("ticket.amount")
    program.types(amount)
    told = {}
    for _ in amount:
        told = program.wait_for("ticket")
    return told


def done(program: Program, kind: str) -> list[dict[str, Any]]:
    """Return the participant's recorded acts of a type."""
    return [event for event in program.events() if (event["type"], event["sender"]) == (kind, "agent_1")]


def test_a_person_buys_and_the_score_is_that_of_the_worked_example(start: START, tmp_path: Path) -> None:
    program = begin(start)

    told = write_ticket(program, "10", good_1=1)
    program.click("ticket.propose")
    program.wait_for("act_done", kind="PROPOSE")
    program.wait_for("shown", type="ACCEPT_PROPOSAL", sender="agent_2")
    time.sleep(SETTLED)
    number = done(program, "PROPOSE")[0]["seq"]
    program.shoot(pictures(tmp_path) / "trade-1-accepted.png")
    program.click(f"card.{number}.accept")
    program.wait_for("shown", type="transaction-confirmation")
    program.shoot(pictures(tmp_path) / "trade-2-settled.png")
    program.click("walk_away")
    program.wait_for("dialog_open")
    program.click("dialog.yes")

    assert (told["score"], told["change"], told["hint"]) == ("213.86 → 259.31", "+45.45", "")
    assert program.wait_for("ended")["points"] == "Your score: 259.31"
    assert [event["payload"]["transaction_id"] for event in done(program, "SUBMIT_TRANSACTION")] == [
        f"t-{number}"
    ]


def test_a_person_sells_by_accepting_a_proposal_with_one_click(start: START) -> None:
    program = begin(start)
    number = offered(program, "buy good_2 20")

    program.click(f"card.{number}.accept")
    program.wait_for("shown", type="transaction-confirmation")

    acts = [event["type"] for event in program.events() if event["sender"] == "agent_1"]
    assert acts[-2:] == ["ACCEPT_PROPOSAL", "SUBMIT_TRANSACTION"]


def test_a_trade_that_lowers_the_score_asks_first_and_nothing_happens_without_a_yes(start: START) -> None:
    program = begin(start)
    number = offered(program, "buy good_2 1")

    program.click(f"card.{number}.accept")
    asked = program.wait_for("dialog_open")
    program.press("Escape")
    program.wait_for("dialog_closed")
    before = done(program, "ACCEPT_PROPOSAL")
    program.click(f"card.{number}.accept")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("shown", type="transaction-confirmation")

    warned = [event["payload"] for event in program.events() if event["type"] == "NOTE"]
    assert asked["text"] == "You sell 1 × Wine for €1.00"
    assert [note["data"]["about"] for note in warned] == ["lower_score"] * 2
    assert [round(warned[0]["data"][key], 2) for key in ("score", "score_after")] == [213.86, 201.0]
    assert before == []


def test_an_acceptance_of_a_proposal_that_was_withdrawn_is_refused_at_its_card(start: START) -> None:
    program = begin(start)
    number = offered(program, "buy good_2 1")
    say(program, "withdraw")
    program.click(f"card.{number}.accept")
    program.wait_for("dialog_open")
    program.wait_for("shown", type="DECLINE_PROPOSAL", sender="agent_2")

    program.click("dialog.yes")
    refused = program.wait_for("act_refused")

    assert (refused["place"], refused["text"]) == (number, "That proposal is no longer open.")
    assert done(program, "ACCEPT_PROPOSAL") == done(program, "SUBMIT_TRANSACTION") == []


def test_the_ticket_says_why_it_cannot_be_proposed(start: START) -> None:
    program = begin(start)

    too_much = write_ticket(program, "250", good_1=1)["hint"]
    program.click("ticket.propose")
    program.click("ticket.clear")
    program.wait_for("ticket")
    program.click("ticket.sell")
    empty = program.wait_for("ticket")["hint"]

    assert too_much == "You don’t have enough money: you have €200.00."
    assert empty == "Choose what you would like to sell."
    assert done(program, "PROPOSE") == []


def test_a_counter_proposal_takes_the_place_of_the_proposal(start: START) -> None:
    program = begin(start)
    number = offered(program, "sell good_1 30")

    program.click(f"card.{number}.counter")
    program.wait_for("counter_open")
    program.wait_for("focus", widget="ticket.amount")
    program.press("ctrl+a")
    program.types("15,50")
    told = [program.wait_for("ticket") for _ in range(5)][-1]
    program.press("Return")
    program.wait_for("shown", type="ACCEPT_PROPOSAL", sender="agent_2")

    made = done(program, "PROPOSE")[0]["payload"]
    assert told["score"] == "213.86 → 253.81"
    assert (made["amount"], made["answers"], made["buyer"]) == (15.5, number, True)


def test_a_proposal_is_declined_with_one_click(start: START) -> None:
    program = begin(start)
    number = offered(program, "sell good_1 30")

    program.click(f"card.{number}.decline")
    program.wait_for("act_done", kind="DECLINE_PROPOSAL", place=number)

    assert [event["payload"]["proposal_id"] for event in done(program, "DECLINE_PROPOSAL")] == [number]


def test_a_confirmation_that_nobody_answers_can_be_called_off(start: START, tmp_path: Path) -> None:
    program = begin(start)
    say(program, "wait")
    number = offered(program, "buy good_2 20")

    program.click(f"card.{number}.accept")
    program.wait_for("act_done", kind="SUBMIT_TRANSACTION")
    program.shoot(pictures(tmp_path) / "trade-3-waiting.png")
    program.click(f"request.t-{number}.call_off")
    program.wait_for("shown", type="transaction-error")

    assert not [event for event in program.events() if event["type"] == "transaction-confirmation"]


def test_a_call_for_proposals_is_answered_with_the_goods_that_it_names(start: START) -> None:
    program = begin(start)
    say(program, "ask good_2")
    call = int(program.wait_for("shown", type="CALL_FOR_PROPOSALS", sender="agent_2")["seq"])
    time.sleep(SETTLED)

    program.click(f"card.{call}.counter")
    program.wait_for("focus", widget="ticket.amount")
    program.types("20")
    program.press("Return")
    program.wait_for("act_done", kind="PROPOSE")

    made = done(program, "PROPOSE")[0]["payload"]
    assert (made["buyer"], made["quantities"], made["answers"]) == (False, {"good_2": 1}, call)


def test_a_held_key_makes_one_proposal(start: START) -> None:
    program = begin(start)
    say(program, "wait")

    write_ticket(program, "12.5", good_1=1)
    program.press("Return", "Return", "Return")
    program.wait_for("act_done", kind="PROPOSE")
    program.click("ticket.good_1.more")
    program.wait_for("ticket")

    assert len(done(program, "PROPOSE")) == 1


def test_a_whole_trade_needs_no_mouse(start: START) -> None:
    program = begin(start)
    program.wait_for("focus", widget="entry")

    program.tab_to("ticket.good_1")
    program.press("Up")
    program.wait_for("ticket")
    program.press("Tab", "Tab")
    program.wait_for("focus", widget="ticket.amount")
    program.types("10")
    program.wait_for("ticket", change="+45.45")
    program.press("Return")
    program.wait_for("shown", type="ACCEPT_PROPOSAL", sender="agent_2")
    number = done(program, "PROPOSE")[0]["seq"]
    program.tab_to(f"card.{number}.accept")
    program.press("Return")
    program.wait_for("shown", type="transaction-confirmation")

    assert len(done(program, "SUBMIT_TRANSACTION")) == 1


def test_what_was_traded_and_the_ticket_survive_the_end_of_the_program(start: START) -> None:
    killed = begin(start)
    number = offered(killed, "sell good_1 10")
    killed.click(f"card.{number}.accept")
    killed.wait_for("shown", type="transaction-confirmation")
    told = write_ticket(killed, "12.5", good_1=2)
    time.sleep(1)  # drafts are saved four times a second
    killed.kill()

    program = start("--resume", str(killed.log()))
    program.wait_for("taken_up")
    program.wait_for("shown", type="RESUMED")  # a note above moves the ticket down
    program.click("ticket.propose")
    program.wait_for("act_done", kind="PROPOSE")
    program.click("walk_away")
    program.wait_for("dialog_open")
    program.click("dialog.yes")

    assert told["score"].startswith("259.31 → ")
    assert program.wait_for("ended")["points"] == "Your score: 259.31"
    made = done(program, "PROPOSE")[-1]["payload"]
    assert (made["amount"], made["quantities"]) == (12.5, {"good_1": 2})


def test_a_first_session_of_trading_begins_with_its_rules_and_without_the_practice_of_bargaining(
    start: START, tmp_path: Path
) -> None:
    program = start(
        *("--game", "tac_trading", "--agent", str(TRADER), "--participant", "P01", "--practice"), brief=True
    )

    program.wait_for("briefing")
    program.shoot(pictures(tmp_path) / "trade-0-rules.png")
    program.click("begin")
    program.wait_for("shown", type="GAME_START")

    assert "practice" not in [told["ev"] for told in program.told]


def test_a_market_of_traders_is_played_with_as_many_as_are_asked_for(start: START) -> None:
    program = start("--game", "tac_market", "--agent", str(TRADER), "--seats", "3")
    program.wait_for("shown", type="GAME_START")

    program.click("dialogue.blue")
    program.wait_for("dialogue", seat="blue")

    assert {name for name in program.widgets if name.startswith("dialogue.")} == {
        "dialogue.all",
        "dialogue.green",
        "dialogue.blue",
    }


def test_a_session_ends_with_its_result_when_its_participant_leaves_a_market_of_several(
    start: START, tmp_path: Path
) -> None:
    program = start(*("--game", "tac_market", "--agent", str(TRADER), "--seats", "3", "--participant", "P01"))
    program.wait_for("shown", type="GAME_START")
    program.click("walk_away")
    asked = program.wait_for("dialog_open")

    program.click("dialog.yes")
    ended = program.wait_for("ended")
    program.shoot(pictures(tmp_path) / "trade-5-left.png")
    program.click("done")
    program.wait_for("thanks")

    assert asked["text"].startswith("You can’t come back. Your score stays ")
    assert ended["heading"] == "You have left the game"
    assert ended["points"].removeprefix("Your score: ") in asked["text"]
    end = next(event for event in program.events() if event["type"] == "GAME_END")
    assert (end["payload"]["ended_by"], end["payload"]["by"]) == ("quit", "red")
    for command in (("log", "verify"), ("resimulate", "--agent", str(TRADER))):
        subprocess.run([sys.executable, "-m", "negoplatform", *command, program.log()], check=True)


def test_a_trading_game_is_chosen_with_the_agents_that_play_it_first_in_the_start_window(
    start: START, tmp_path: Path
) -> None:
    program = start("--game", "tac_trading", "--participant", "P01")
    program.wait_for("start_screen")

    program.click("agent.tac_baseline")
    program.wait_for("chosen", value="tac_baseline")
    program.shoot(pictures(tmp_path) / "trade-4-start.png")
    program.click("start")
    program.wait_for("shown", type="GAME_START")

    assert "ticket.propose" in program.widgets
