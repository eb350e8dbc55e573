"""Dialogue acts that are chosen rather than typed, with a real mouse and real keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.window.conftest import Program

pytestmark = pytest.mark.window

START = Callable[..., Program]


def said(program: Program) -> list[dict[str, object]]:
    """Return the participant's messages, as recorded in the log."""
    return [
        event["payload"]
        for event in program.events()
        if event["type"] == "SEND_MESSAGE" and event["sender"] == "human"
    ]


def test_a_sentence_about_preferences_is_put_together_and_asked(start: START) -> None:
    program = start("--game", "campsite", "--agent", "fair", "--seed", "1")
    program.wait_for("shown", type="SEND_MESSAGE")
    program.click("phrases")
    program.wait_for("phrases_open")
    program.choose("pref.issue1", "Down")
    program.choose("pref.relation", "Down")

    program.click("pref.ask")

    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    message = said(program)[0]
    assert message["subtype"] == "PREF_SPECIFIC_REQUEST"
    assert message["preference"]["relation"] == "LESS"  # type: ignore[index]
    assert message["preference"]["is_question"] is True  # type: ignore[index]


def test_a_phrase_is_said_by_keys_alone_and_the_keyboard_is_back_where_it_was(start: START) -> None:
    program = start("--game", "practice", "--agent", "fair", "--seed", "1")
    program.wait_for("shown", type="SEND_MESSAGE")
    program.tab_to("phrases", "shift+Tab")
    program.press("space")
    program.wait_for("phrases_open")
    program.press("Right", "Right", "Right", "Down", "Return")

    program.wait_for("phrases_closed")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.press("space")
    program.wait_for("phrases_open")

    assert str(said(program)[0]["subtype"]).startswith("FAVOR_")


def test_the_value_of_no_deal_is_stated_as_a_number(start: START) -> None:
    program = start("--game", "practice", "--agent", "fair", "--seed", "1")
    program.wait_for("shown", type="SEND_MESSAGE")
    program.click("phrases")
    program.wait_for("phrases_open")
    program.press("Right")
    program.wait_for("focus", widget="group.no_deal")
    program.click("no_deal.points")
    program.press("ctrl+a")
    program.types("9")

    program.click("no_deal.tell")

    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    assert said(program)[0]["subtype"] == "BATNA_INFO"
    assert said(program)[0]["batna"] == 9


def test_open_phrases_hide_neither_the_talk_nor_the_faces(start: START) -> None:
    program = start("--game", "practice", "--agent", "conceder", "--seed", "1")
    program.wait_for("shown", type="SEND_OFFER")
    _, talk_before = program.widgets["transcript"]

    program.click("phrases")
    program.wait_for("phrases_open")

    _, talk = program.widgets["transcript"]
    _, group = program.widgets["group.matters"]
    _, face = program.widgets["emotion.happy"]
    assert talk < talk_before, "it isn't pushed up but covered"
    assert talk < group < face
    program.click("emotion.happy")
    program.wait_for("shown", type="SEND_EXPRESSION", sender="human")
    program.click("group.firm")
    program.press("Escape")
    program.wait_for("phrases_closed")
