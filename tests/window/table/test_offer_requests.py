"""The buttons that ask the other side for an offer, under a real mouse and real keys."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.window.conftest import Program, pictures
from tests.x_server import Screen

pytestmark = pytest.mark.window

START = Callable[..., Program]

CAMPSITE = ("--game", "campsite", "--agent", "fair", "--seed", "1")
IN_RETURN = "What would you give me for this: 1 package of food for you?"
FAIRER = "Can you make your offer fairer to me?"


@pytest.fixture
def program(start: START) -> Program:
    """Program in which the agent has greeted and not yet made an offer."""
    program = start(*CAMPSITE)
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    return program


@pytest.fixture
def stage(request: pytest.FixtureRequest) -> Iterator[Screen]:
    """Screen of a given density and size, which exists until the program has ended."""
    dpi, size = request.param
    with Screen(dpi=dpi, size=size) as screen:
        yield screen


def asked(program: Program) -> list[tuple[str, str]]:
    """Return the participant's messages in the log, with their subtypes."""
    payloads = [
        e["payload"] for e in program.events() if e["type"] == "SEND_MESSAGE" and e["sender"] == "human"
    ]
    return [(payload["text"], payload["subtype"]) for payload in payloads]


def offers(program: Program, seat: str) -> list[dict[str, Any]]:
    return [
        e["payload"]["offer"] for e in program.events() if e["type"] == "SEND_OFFER" and e["sender"] == seat
    ]


def draft_food(program: Program) -> None:
    """Give the agent one package of food in the draft."""
    program.click("food.agent.more")
    program.wait_until(lambda told: told["ev"] == "draft" and told["can_send"], "a draft")


def test_a_click_asks_for_the_draft_the_agent_answers_and_the_draft_stays(
    program: Program, tmp_path: Path
) -> None:
    draft_food(program)

    program.click("ask_in_return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.wait_for("shown", type="SEND_OFFER", sender="agent")
    program.shoot(pictures(tmp_path) / "offer-request.png")
    answer = offers(program, "agent")[-1]
    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER", sender="human")

    assert asked(program) == [(IN_RETURN, "OFFER_REQUEST_POS")]
    assert answer["food"]["agent"] >= 1
    assert offers(program, "human") == [{"food": {"human": 0, "agent": 1, "undecided": 2}}]


def test_both_buttons_are_reached_and_pressed_by_keys(program: Program) -> None:
    draft_food(program)
    program.tab_to("ask_in_return")
    program.press("space")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.wait_for("shown", type="SEND_OFFER", sender="agent")
    program.tab_to("ask_fairer")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.wait_for("shown", type="SEND_OFFER", sender="agent")

    assert asked(program) == [(IN_RETURN, "OFFER_REQUEST_POS"), (FAIRER, "OFFER_REQUEST_NEG")]


def test_a_double_click_asks_once(program: Program) -> None:
    draft_food(program)

    program.click("ask_in_return")
    program.click("ask_in_return")
    program.wait_for("shown", type="SEND_OFFER", sender="agent")

    assert asked(program) == [(IN_RETURN, "OFFER_REQUEST_POS")]


def test_the_typed_text_stays_in_the_message_field(program: Program) -> None:
    draft_food(program)
    program.click("entry")
    program.types("And then")

    program.click("ask_in_return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")

    assert [text for text, _ in asked(program)] == [IN_RETURN, "And then"]


def test_a_disabled_button_sends_nothing(program: Program) -> None:
    program.click("ask_in_return")
    program.click("ask_fairer")
    draft_food(program)
    program.click("ask_fairer")  # the draft is not complete
    program.click("ask_in_return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")

    assert asked(program) == [(IN_RETURN, "OFFER_REQUEST_POS")]


def test_the_own_offer_on_the_table_cannot_be_asked_to_be_fairer(start: START) -> None:
    program = start("--game", "campsite", "--agent", "random_bids", "--opening-delay", "600")
    program.wait_for("table_screen")
    draft_food(program)
    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER", sender="human")

    program.click("ask_fairer")
    program.click("ask_in_return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")

    assert [subtype for _, subtype in asked(program)] == ["OFFER_REQUEST_POS"]


def test_nothing_is_asked_after_the_end(program: Program) -> None:
    draft_food(program)
    place = program.widgets["ask_in_return"]
    program.walk_away()
    program.wait_for("ended")

    program.widgets["ask_in_return"] = place
    program.click("ask_in_return")
    time.sleep(0.5)

    assert asked(program) == []


def test_an_option_leaves_the_buttons_out_and_the_log_says_so(start: START) -> None:
    program = start(*CAMPSITE, "--no-offer-requests")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    header = json.loads(program.log().read_text(encoding="utf-8").splitlines()[0])

    assert "send_offer" in program.widgets
    assert {"ask_in_return", "ask_fairer"}.isdisjoint(program.widgets)
    assert header["game"]["rules"]["offer_requests"] is False


def test_the_start_window_leaves_them_out(start: START) -> None:
    program = start()
    program.wait_for("start_screen")
    program.click("agent.fair")
    program.wait_for("chosen", value="fair")
    program.click("advanced")
    program.wait_for("unfolded")
    program.click("option.share")
    program.tab_to("builder_option.offer_requests")  # scrolls to it
    program.click("builder_option.offer_requests")
    program.click("start")
    program.wait_for("table_screen")

    header = json.loads(program.log().read_text(encoding="utf-8").splitlines()[0])
    assert header["game"]["rules"]["offer_requests"] is False


@pytest.mark.parametrize(
    ("stage", "looks"),
    [
        ((96, (1024, 640)), ()),
        ((96, (1024, 768)), ("--language", "de")),
        ((96, (1024, 768)), ("--language", "he")),
        ((96, (1440, 900)), ("--text-size", "150", "--language", "de")),
        ((96, (800, 365)), ()),
        ((192, (2880, 1800)), ("--language", "he")),
    ],
    indirect=["stage"],
    ids=["low", "german", "hebrew", "large", "lowest", "2x"],
)
def test_the_buttons_fit_above_send_in_every_window(
    stage: Screen, looks: tuple[str, ...], start: START
) -> None:
    program = start(*CAMPSITE, *looks, on=stage)
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    places = {name: program.widgets[name] for name in ("ask_in_return", "ask_fairer", "send_offer", "clear")}
    lowest = program.widgets["larger"][1]
    assert places["ask_in_return"][1] == places["ask_fairer"][1] < places["send_offer"][1] < lowest


@pytest.mark.parametrize("language", ["de", "he"])
def test_the_agent_reads_the_terms_in_a_window_of_another_language(start: START, language: str) -> None:
    program = start(*CAMPSITE, "--language", language)
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    draft_food(program)

    program.click("ask_in_return")
    program.wait_for("shown", type="SEND_OFFER", sender="agent")

    assert offers(program, "agent")[-1]["food"]["agent"] >= 1
