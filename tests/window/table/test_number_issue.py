"""Uses of games with numbers, profiles and roles, with a real mouse and real keys."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.window.conftest import Program

pytestmark = pytest.mark.window

START = Callable[..., Program]


def header(program: Program) -> dict[str, Any]:
    """Return the first line of the session's log."""
    found: dict[str, Any] = json.loads(program.log().read_text(encoding="utf-8").splitlines()[0])
    return found


def own_offers(program: Program, seat: str) -> list[dict[str, Any]]:
    """Return the offers that a seat has sent."""
    return [
        event["payload"]["offer"]
        for event in program.events()
        if event["type"] == "SEND_OFFER" and event["sender"] == seat
    ]


def test_a_number_is_built_by_keys_and_buttons_and_the_points_follow(start: START, flat: str) -> None:
    program = start("--game", flat, "--agent", "fair")
    program.wait_for("shown", type="GAME_START")

    program.click("price.more")
    program.wait_for("draft", worth="20 points")
    program.click("price")
    program.press("Next")
    program.press("Prior", "Up")
    program.wait_for("draft", worth="9 points")
    program.press("Down", "Return")
    program.wait_for("draft", worth="10 points")
    program.click("price.undecided")
    program.wait_for("draft", worth="–", can_send=False)
    program.click("price")
    program.types("120 ")
    program.wait_for("draft", worth="16 points", can_send=True)
    program.click("car.with")
    program.wait_for("draft", worth="26 points")
    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER", sender="tenant")

    assert own_offers(program, "tenant") == [{"car": "with", "price": 120}]


def test_a_number_that_does_not_fit_is_never_sent_and_neither_is_another_in_its_place(
    start: START, flat: str
) -> None:
    program = start("--game", flat, "--agent", "fair")
    program.wait_for("shown", type="GAME_START")

    program.click("price")
    program.types("120")
    program.wait_for("draft", can_send=True)
    program.press("BackSpace")
    program.types("3")
    program.wait_for("draft", note="Please check price before you send your offer.", can_send=False)
    program.click("send_offer")
    program.click("price.more")
    program.wait_for("draft", worth="15 points", can_send=True)
    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER", sender="tenant")

    assert own_offers(program, "tenant") == [{"price": 125}]


def test_seat_and_profiles_are_chosen_in_the_start_window(start: START, flat: str) -> None:
    program = start("--game", flat)
    program.wait_for("start_screen")

    program.choose("seat", "Down")
    program.choose("profile.tenant", "Down")
    program.click("start")
    program.wait_for("shown", type="GAME_START")

    seats = header(program)["seats"]
    assert (seats["tenant"]["kind"], seats["landlord"]["kind"]) == ("agent", "human")
    assert header(program)["game"]["seats"]["tenant"]["profile"] == "long_term"


def test_the_games_own_profile_is_played_where_nobody_chooses(start: START, flat: str) -> None:
    program = start("--game", flat)
    program.wait_for("start_screen")

    program.click("start")
    program.wait_for("shown", type="GAME_START")

    assert header(program)["seats"]["tenant"]["kind"] == "human"
    assert header(program)["game"]["seats"]["tenant"]["profile"] == "quick"


def test_the_participant_is_told_what_is_announced_to_them_and_not_what_the_other_is_told(
    start: START,
) -> None:
    program = start("--game", "land_sale", "--agent", "boulware")

    program.wait_for("shown", type="SEND_OFFER")

    shown = [said["seq"] for said in program.told if said.get("type") == "value-signals"]
    told = {event["seq"]: event["to"] for event in program.events() if event["type"] == "value-signals"}
    assert [told[seq] for seq in shown] == [["human"]]
    assert sorted(told.values()) == [["agent"], ["human"]]
