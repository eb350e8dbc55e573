"""A person in a market, with a real mouse and real keys."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.gui.market.decision_form import APPEARED_SECONDS
from negoplatform.presentation.market.press_guard import UNREAD_SECONDS
from tests.window.conftest import Program, pictures, replayed
from tests.window.shell.test_unfinished_sessions import wait_until_kept

pytestmark = pytest.mark.window

START = Callable[..., Program]
ROOT = Path(__file__).parents[3]
MAKER = str(ROOT / "tests" / "plugin_files" / "market_maker.py")


def game_file(folder: Path, **terms: Any) -> str:
    """Write a game with a person who may buy and sell, and a trader; return its file."""
    game = {
        "schema": "negoplatform.game/1",
        "name": "wool_market",
        "mechanism": "market",
        "goods": [{"name": "wool", "label": "Wool"}],
        "money": {"unit": "€", "decimals": 2},
        "terms": {"lowest": 1, "highest": 200, "orders_per_seat": 3, "periods": {"seconds": 300}, **terms},
        "seats": {
            "human": {
                "endowment": {"money": 500, "goods": {"wool": 2}},
                "worth": {"units": {"wool": [100, 90, 80, 50, 20]}},
            },
            "trader": {
                "endowment": {"money": 500, "goods": {"wool": 9}},
                "worth": {"units": {"wool": [30] * 12}},
            },
        },
        "rules": {"opening_delay_seconds": 0.1},
    }
    path = folder / "wool_market.json"
    path.write_text(json.dumps(game), encoding="utf-8")
    return str(path)


@pytest.fixture
def program(start: START, tmp_path: Path) -> Program:
    """Program in a market with one order of a trader on each side."""
    program = start("--game", game_file(tmp_path), "--agent", MAKER, "--seed", "3")
    program.wait_for("shown", type="GAME_START")
    wait_for_order(program, side="ask")
    # What nobody can have read yet is not bought at.
    time.sleep(UNREAD_SECONDS)
    return program


def wait_for_order(program: Program, side: str) -> None:
    """Wait until the trader's order of a side is in the book that is shown."""
    program.wait_for("shown", type="add-order")
    program.wait_for("shown", type="add-order")
    assert side in {event["payload"]["data"]["order"]["type"] for event in facts(program, "add-order")}


def facts(program: Program, kind: str) -> list[dict[str, Any]]:
    """Return the events of a type in the log."""
    return [event for event in program.events() if event["type"] == kind]


def notice(program: Program) -> str:
    """Wait for the ticket's next sentence about what became of an order."""
    return str(program.wait_until(lambda told: told["ev"] == "notice" and told["text"], "notice")["text"])


def test_a_person_buys_sells_and_cancels_with_the_mouse(program: Program, tmp_path: Path) -> None:
    folder = pictures(tmp_path)
    program.click("ticket.take")
    bought = notice(program)
    program.shoot(folder / "market-1-bought.png")

    program.click("ticket.sell")
    program.wait_for("ticket", side="ask", take="Sell at €30")
    program.click("ticket.take")
    asked = program.wait_for("question")
    time.sleep(UNREAD_SECONDS + 0.1)
    program.click("ticket.take")
    sold = notice(program)
    program.click("ticket.price")
    program.types("90")
    program.wait_for("ticket", price="90", place="Place ask at €90")
    program.click("ticket.place")
    placed = notice(program)
    program.click("cancel.1")
    cancelled = notice(program)
    program.shoot(folder / "market-2-cancelled.png")

    assert bought == "You bought 1 at €41."
    assert asked["loss"] == "€50", "the unit is worth €80"
    assert sold == "You sold 1 at €30."
    assert placed == "Your ask of €90 is in the book."
    assert cancelled == "Your ask of €90 is cancelled."
    trades = [event["payload"]["data"] for event in facts(program, "contract-fulfilled")]
    assert [(trade["to"], trade["price"]) for trade in trades] == [("human", 41), ("trader", 30)]
    assert "follow from the rules" in replayed(program.log())


def test_a_double_click_buys_one_unit(program: Program) -> None:
    program.click_fast("ticket.take", 3)
    notice(program)
    program.click("ticket.price")
    program.types("5")
    program.wait_for("ticket", price="5")

    assert len(facts(program, "contract-fulfilled")) == 1


def test_an_order_is_refused_with_the_reason_in_the_ticket(program: Program, tmp_path: Path) -> None:
    program.click("ticket.price")
    program.types("300")
    first = program.wait_for("ticket", price="300")["problem"]
    program.press("ctrl+a")
    program.types("200")
    program.wait_for("ticket", price="200")
    program.click("ticket.quantity")
    program.press("ctrl+a")
    program.types("3")
    second = program.wait_for("ticket", quantity="3")["problem"]
    program.press("Return")
    program.shoot(pictures(tmp_path) / "market-3-refused.png")

    assert first == "Must be €1 to €200."
    assert second == "You don’t have enough free money: you have €500."
    assert facts(program, "PLACE_ORDER") == [
        event for event in facts(program, "PLACE_ORDER") if event["sender"] == "trader"
    ]


def test_everything_can_be_done_with_the_keyboard_alone(program: Program) -> None:
    program.press("F4")
    program.wait_for("focus", widget="ticket.price")
    program.press("s")
    program.wait_for("ticket", side="ask")
    program.press("b")
    program.wait_for("ticket", side="bid")
    program.press("Up")
    program.wait_for("ticket", price="30")
    program.press("Up")
    program.wait_for("ticket", price="31")
    program.press("Prior")
    program.wait_for("ticket", price="41")
    program.press("Down")
    program.wait_for("ticket", price="40", place="Place bid at €40")
    program.press("Return")
    placed = notice(program)
    program.press("ctrl+Return")
    bought = notice(program)
    program.tab_to("cancel.1")
    program.press("Delete")
    cancelled = notice(program)

    assert placed == "Your bid of €40 is in the book."
    assert bought == "You bought 1 at €41."
    assert cancelled == "Your bid of €40 is cancelled."
    assert not [event for event in program.events() if event["type"] == "SEND_MESSAGE"]


def test_a_price_of_the_book_goes_into_the_ticket_and_trades_nothing(program: Program) -> None:
    program.press("F4")
    program.wait_for("focus", widget="ticket.price")
    program.tab_to("book", "shift+Tab")
    program.press("Up", "Down", "Return")
    picked = program.wait_until(lambda told: told["ev"] == "ticket" and told["price"], "ticket")

    assert picked["price"] in ("41", "30")
    assert not facts(program, "contract-fulfilled")
    program.wait_for("focus", widget="ticket.price")


def test_words_are_typed_into_the_chat_even_if_they_begin_with_b_or_s(program: Program) -> None:
    program.types("so, buy or sell?")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")

    (said,) = [event for event in program.events() if event["type"] == "SEND_MESSAGE"]
    assert said["payload"]["text"] == "so, buy or sell?"


def test_after_a_kill_the_ticket_and_the_words_are_back(start: START, program: Program) -> None:
    program.click("ticket.price")
    program.types("37")
    program.wait_for("ticket", price="37")
    program.click("entry")
    program.types("half a sen")
    wait_until_kept(program, words="half a sen")
    program.kill()

    again = start("--resume", str(program.log()))
    taken_up = again.wait_for("taken_up")
    again.press("F4")
    again.wait_for("focus", widget="ticket.price")
    again.press("Up")
    ticket = again.wait_until(lambda told: told["ev"] == "ticket", "ticket")

    assert taken_up["words"] == "half a sen"
    assert (ticket["side"], ticket["price"]) == ("bid", "38")


def test_a_person_plays_the_land_market_to_its_end(start: START, tmp_path: Path) -> None:
    folder = tmp_path / "land"
    shutil.copytree(ROOT / "games" / "land_market", folder)
    game = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    for phase in game["terms"]["phases"]:
        phase["seconds"] = 8 if phase.get("trade") else 60
    (folder / "game.json").write_text(json.dumps(game), encoding="utf-8")
    program = start("--game", str(folder / "game.json"), "--agent", "land_trader", "--seed", "5")
    program.wait_for("shown", type="GAME_START")

    for phase in ("market", "end"):
        program.wait_for("shown", type="phase-transition")
        held = [fact["payload"]["data"]["condition"] for fact in facts(program, "condition-realised")]
        asked = held or ["no_project", "project"]
        program.press("F4")
        program.wait_for("focus", widget=f"decision.{asked[0]}")
        time.sleep(APPEARED_SECONDS)
        for name in asked[1:]:
            program.types("300")
            program.press("Return")
            program.wait_for("focus", widget=f"decision.{name}")
        program.types("500")
        program.wait_for("decision", complete=True)
        program.press("Return")
        program.wait_for("focus", widget="decide")
        time.sleep(UNREAD_SECONDS + 0.1)
        program.press("Return")
        program.wait_for("shown", type="DECIDE", sender="owner_1")
        program.shoot(pictures(tmp_path) / f"land-before-{phase}.png")
        program.wait_for("shown", type="phase-transition")
        if phase == "market":
            program.wait_for("shown", type="phase-transition")
            program.wait_until(lambda told: "ticket.price" in told["widgets"], "ticket")
            program.shoot(pictures(tmp_path) / "land-market.png")
    ended = program.wait_for("ended")
    program.shoot(pictures(tmp_path) / "land-end.png")

    assert ended["heading"] == "The game is complete"
    assert ended["points"].startswith("You ")
    assert "follow from the rules" in replayed(program.log())
