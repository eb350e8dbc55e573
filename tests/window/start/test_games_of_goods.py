"""Games of goods in the start window: their agents, the number of seats, and the fields that they have."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.window.conftest import Program, pictures
from tests.window.start.test_author_choices import wheel
from tests.x_server import Screen

pytestmark = pytest.mark.window

START = Callable[..., Program]


def choose(program: Program, screen: Screen, game: str, *, button: str) -> None:
    """Choose a game after turning the wheel over the games to the end: button 5 is down, 4 is up."""
    program.wait_for("focus")
    wheel(screen, program, "game", button, 60)
    program.press("Tab")
    program.wait_for("focus")  # by then the list has been scrolled
    program.click(f"game.{game}")
    program.wait_for("chosen", value=game)


def open_start(start: START, *more: str) -> Program:
    program = start(*more)
    program.wait_for("start_screen")
    return program


def header_of(tmp_path: Path) -> dict[str, object]:
    (log,) = (tmp_path / "data" / "sessions").glob("*/events.jsonl")
    found: dict[str, object] = json.loads(log.read_text(encoding="utf-8").splitlines()[0])
    return found


def test_an_agent_of_another_kind_of_game_is_replaced_by_the_usual_one(
    start: START, screen: Screen, tmp_path: Path
) -> None:
    program = open_start(start, "--game", "tac_trading")

    choose(program, screen, "campsite", button="4")
    program.shoot(pictures(tmp_path) / "start-back.png")
    program.click("start")
    program.wait_for("table_screen")

    seats = header_of(tmp_path)["seats"]
    assert isinstance(seats, dict)
    assert [who.get("agent") for who in seats.values()] == [None, "negochat"]


def test_a_market_fills_every_seat_with_a_trader(start: START, screen: Screen, tmp_path: Path) -> None:
    program = open_start(start, "--game", "campsite")

    choose(program, screen, "grain_market", button="5")
    program.click("start")
    program.wait_for("table_screen")

    seats = header_of(tmp_path)["seats"]
    assert isinstance(seats, dict)
    assert [who.get("agent") for who in seats.values()] == [None, "zip", "zip", "zip", "zip", "zip"]


def test_the_number_of_seats_can_be_chosen(start: START, tmp_path: Path) -> None:
    program = open_start(start, "--game", "tac_market")
    program.shoot(pictures(tmp_path) / "start-seats.png")

    program.choose("seats", "Home", "Down")
    program.shoot(pictures(tmp_path) / "start-four-seats.png")
    program.click("start")
    program.wait_for("table_screen")

    seats = header_of(tmp_path)["seats"]
    assert isinstance(seats, dict)
    assert [who.get("agent") for who in seats.values()] == [None, *["tac_baseline"] * 3]
