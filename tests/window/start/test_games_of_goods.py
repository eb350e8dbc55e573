"""Games of goods in the start window: their agents, the number of seats, and the fields that they have."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.window.conftest import Program, pictures

pytestmark = pytest.mark.window

START = Callable[..., Program]


def choose(program: Program, widget: str, value: str) -> None:
    program.click(widget)
    program.wait_for("chosen", value=value)


def open_start(start: START, *more: str) -> Program:
    program = start(*more)
    program.wait_for("start_screen")
    return program


def header_of(tmp_path: Path) -> dict[str, object]:
    (log,) = (tmp_path / "data" / "sessions").glob("*/events.jsonl")
    found: dict[str, object] = json.loads(log.read_text(encoding="utf-8").splitlines()[0])
    return found


def test_another_kind_of_game_has_an_agent_of_its_kind_and_the_old_one_comes_back(
    start: START, tmp_path: Path
) -> None:
    program = open_start(start, "--game", "used_car")

    choose(program, "game.tac_market", "tac_market")
    program.shoot(pictures(tmp_path) / "start-market.png")
    choose(program, "game.used_car", "used_car")
    program.shoot(pictures(tmp_path) / "start-back.png")
    program.click("start")
    program.wait_for("table_screen")

    seats = header_of(tmp_path)["seats"]
    assert isinstance(seats, dict)
    assert [who.get("agent") for who in seats.values()] == [None, "negochat"]


def test_a_market_fills_every_seat_with_a_trader(start: START, tmp_path: Path) -> None:
    program = open_start(start, "--game", "tac_trading")

    choose(program, "game.grain_market", "grain_market")
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
