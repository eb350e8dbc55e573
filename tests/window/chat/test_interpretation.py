"""Typed sentences that are interpreted as offers and acceptances, shown before they have any effect."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from negoplatform.plugins.program_and_user_folders import bundled
from tests.window.conftest import Program, pictures
from tests.window.shell.test_unfinished_sessions import wait_until_kept
from tests.x_server import Screen

pytestmark = pytest.mark.window

START = Callable[..., Program]

GIVER = """
from negoplatform.agent_api.actions import SendMessage, SendOffer
from negoplatform.agent_api.base import NegotiationAgent


class Giver(NegotiationAgent):
    def get_name(self):
        return "Rowan"

    def on_game_start(self, ctx, event):
        return [SendMessage("Hello.")]

    def on_send_message(self, ctx, event):
        whole = {issue.name: (1, issue.quantity - 1) for issue in ctx.issues}
        if event.get_text() == "Offer twice, please.":
            return [SendOffer(ctx.make_offer(whole)), SendOffer(ctx.make_offer(food=(3, 0)), delay_ms=4000)]
        if event.get_text() == "Offer, please.":
            return [SendOffer(ctx.make_offer(whole))]
        return []
"""

SENTENCE = "I take 2 food and 1 water, you get 1 food and 2 water"


@pytest.fixture
def giver(tmp_path: Path) -> str:
    """Path of an agent that offers on request."""
    agent = tmp_path / "giver.py"
    agent.write_text(GIVER, encoding="utf-8")
    return str(agent)


@pytest.fixture
def program(start: START, giver: str) -> Program:
    """Program with a game that has begun, and with the keyboard focus in the message field."""
    program = start("--game", "campsite", "--agent", giver, "--seed", "1")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    return program


def propose(program: Program, text: str = SENTENCE) -> dict[str, Any]:
    """Type a sentence that is an offer, and wait until it is shown as one."""
    program.types(text)
    program.press("Return")
    return program.wait_for("reading_shown")


def read_it(seconds: float = 1.3) -> None:
    """Wait as long as a fast reader needs."""
    time.sleep(seconds)


def happened(program: Program) -> list[str]:
    """Return the participant's events and the notes about them; for a note its kind."""
    kinds = ("reading", "reading_answered", "warning_shown")
    return [
        event["payload"].get("kind", event["type"])
        for event in program.events()
        if (event["sender"] == "human" and event["type"] not in ("TYPING", "OFFER_IN_PROGRESS"))
        or event["payload"].get("kind") in kinds
    ]


def last_answer(program: Program) -> dict[str, Any]:
    """Return the data of the participant's last answer."""
    data: dict[str, Any] = program.events()[-1]["payload"]["data"]
    return data


def test_a_typed_offer_is_shown_and_enter_sends_words_and_offer(program: Program) -> None:
    shown = propose(program)
    before = happened(program)
    read_it()

    program.press("Return")

    program.wait_for("reading_answered", verdict="offered")
    program.wait_for("shown", type="SEND_OFFER", sender="human")
    assert (shown["heading"], shown["armed"]) == ("Send this as an offer?", True)
    assert shown["terms"] == "2 food and 1 water for you, 1 food and 2 water for Rowan"
    assert before == ["reading"]
    assert happened(program) == ["reading", "SEND_MESSAGE", "SEND_OFFER", "reading_answered"]
    counted = [event for event in program.events() if event["type"] in ("NOTE", "SEND_MESSAGE", "SEND_OFFER")]
    reading, words, offer, answer = counted[-4:]
    assert reading["payload"]["data"]["offers"] == [offer["payload"]["offer"]]
    assert (words["payload"]["text"], words["payload"]["subtype"]) == (SENTENCE, "GENERIC")
    assert answer["payload"]["data"]["offer"] == offer["seq"]


def test_talk_is_said_at_once(program: Program) -> None:
    program.types("Hello, how are you?")
    program.press("Return")

    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    assert happened(program) == ["reading", "SEND_MESSAGE"]


def test_a_held_or_doubled_enter_sends_nothing_unseen(program: Program, screen: Screen) -> None:
    program.types(SENTENCE)
    screen.run("xdotool", "keydown", "Return")
    program.wait_for("reading_shown")
    read_it(2)
    screen.run("xdotool", "keyup", "Return")
    held = happened(program)
    program.press("Escape")
    program.wait_for("reading_answered", verdict="withdrawn")
    screen.run("xdotool", "key", "--delay", "30", "Return", "Return")
    program.wait_for("reading_shown")
    read_it()
    doubled = happened(program)

    program.press("Return")

    program.wait_for("shown", type="SEND_OFFER", sender="human")
    assert held == ["reading"]
    assert doubled == ["reading", "reading_answered", "reading"]


WISH = "I was hoping for 2 food and 2 water"


def test_a_wish_is_said_at_once_and_sent_by_control_and_enter_alone(program: Program) -> None:
    shown = propose(program, WISH)
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    read_it()
    program.press("Return", "Return")
    read_it()
    before = happened(program)

    program.press("ctrl+Return")

    program.wait_for("reading_answered", verdict="offered")
    program.wait_for("shown", type="SEND_OFFER", sender="human")
    assert shown["terms"] == "2 food and 2 water for you, 1 food and 1 water for Rowan"
    assert before == ["reading", "SEND_MESSAGE"]
    assert happened(program) == ["reading", "SEND_MESSAGE", "SEND_OFFER", "reading_answered"]


def test_a_wish_is_not_offered_by_a_double_press_nor_over_what_is_typed_next(
    program: Program, screen: Screen
) -> None:
    program.types(WISH)
    screen.run("xdotool", "key", "--delay", "30", "Return", "Return")
    program.wait_for("reading_shown", meaning="wish")
    read_it()
    program.types("And you?")
    program.wait_for("reading_answered", verdict="withdrawn")

    program.press("Return")

    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    assert happened(program) == ["reading", "SEND_MESSAGE", "reading_answered", "reading", "SEND_MESSAGE"]
    assert "reading.yes" not in program.widgets


def test_phrases_lie_beside_what_is_asked_and_never_over_it(program: Program) -> None:
    propose(program, WISH)
    program.click("phrases")
    program.wait_for("phrases_open")
    group = max(y for name, (_, y) in program.widgets.items() if name.startswith("group."))
    asked = program.widgets["reading.yes"][1]
    program.press("Escape")
    program.wait_for("phrases_closed")
    program.click("entry")
    program.press("Escape")
    program.wait_for("reading_answered", verdict="withdrawn")
    program.click("phrases")
    program.wait_for("phrases_open")
    program.click("entry")

    propose(program, "I was hoping for 3 firewood")

    assert group < asked
    assert [told["ev"] for told in program.told].count("phrases_closed") == 2
    program.types("Hm")  # the keyboard is still in the line
    program.wait_for("reading_answered", verdict="withdrawn")


def test_a_wish_gives_way_to_an_offer_from_the_builder(program: Program) -> None:
    propose(program, WISH)
    program.press("F2")
    program.wait_for("reading_answered", verdict="edited")
    program.click("food.human.more")
    program.wait_for("draft")
    program.click("entry")
    propose(program, "I was hoping for 3 firewood")

    program.click("send_offer")

    program.wait_for("reading_answered", verdict="withdrawn")
    assert happened(program)[-2:] == ["SEND_OFFER", "reading_answered"]
    assert last_answer(program)["by"] == "participant"


def test_the_terms_go_into_the_builder_and_the_words_stay(program: Program) -> None:
    propose(program)

    program.press("F2")

    program.wait_for("reading_answered", verdict="edited")
    drafted = program.wait_for("draft", can_send=True)
    program.press("ctrl+z")
    program.wait_for("draft", can_send=False)
    program.click("entry")
    program.press("Return")
    program.wait_for("reading_shown")
    assert drafted["worth"] == "11 points"
    assert happened(program) == ["reading", "reading_answered", "reading"]


def test_the_words_can_be_only_said(program: Program) -> None:
    propose(program)
    read_it()

    program.click("reading.only_say")

    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    assert happened(program) == ["reading", "SEND_MESSAGE", "reading_answered"]
    # The keyboard is back in the line.
    program.types("Hello.")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")


def test_other_words_and_escape_take_the_strip_away(program: Program) -> None:
    propose(program)
    program.types("!")
    program.wait_for("reading_answered", verdict="withdrawn")
    program.press("BackSpace", "Return")
    program.wait_for("reading_shown")

    program.press("Escape")

    program.wait_for("reading_answered", verdict="withdrawn")
    assert happened(program) == ["reading", "reading_answered"] * 2
    assert "reading.yes" not in program.widgets


def test_of_several_meanings_one_is_chosen_by_its_number(program: Program) -> None:
    program.types("You can have 2 water or 3 firewood")
    program.press("Return")
    shown = program.wait_for("reading_shown")
    read_it()

    program.press("alt+2")

    program.wait_for("shown", type="SEND_OFFER", sender="human")
    assert shown["heading"] == "Do you mean one of these offers?"
    sent = next(event for event in reversed(program.events()) if event["type"] == "SEND_OFFER")
    assert sent["payload"]["offer"] == {"firewood": {"human": 0, "agent": 3, "undecided": 0}}
    assert last_answer(program)["verdict"] == "offered"


def test_tab_leads_from_the_emotions_through_the_strip_to_the_line(program: Program) -> None:
    propose(program)

    read_it()

    stops = program.tab_to("reading.food", "shift+Tab")
    back = program.tab_to("reading.yes")
    program.press("space")

    program.wait_for("shown", type="SEND_OFFER", sender="human")
    assert stops[-6:] == [
        "reading.back",
        "reading.only_say",
        "reading.edit",
        "reading.yes",
        "reading.water",
        "reading.food",
    ]
    assert back == ["reading.water", "reading.yes"]


def test_a_typed_yes_accepts_the_offer_that_is_shown(program: Program) -> None:
    program.types("Offer, please.")
    program.press("Return")
    program.wait_for("shown", type="SEND_OFFER", sender="agent")
    program.types("ok deal")
    program.press("Return")
    shown = program.wait_for("reading_shown", meaning="acceptance")
    read_it()

    program.press("Return")

    program.wait_for("shown", type="FORMAL_ACCEPT", sender="human")
    assert shown["heading"].startswith("You accept Rowan’s offer: 1 food, 1 water and 1 firewood for you")
    assert shown["armed"]
    assert happened(program)[2:] == ["reading", "SEND_MESSAGE", "FORMAL_ACCEPT", "reading_answered"]


def test_when_the_table_changes_the_strip_says_so_and_enter_accepts_nothing(program: Program) -> None:
    program.types("Offer twice, please.")
    program.press("Return")
    program.wait_for("shown", type="SEND_OFFER", sender="agent")
    program.types("ok deal")
    program.press("Return")
    program.wait_for("reading_shown", meaning="acceptance")

    program.wait_for("reading_gone")
    program.press("Return")  # at once, as a participant who was about to press it

    read_it()
    assert happened(program)[2:] == ["reading", "reading_answered"]
    assert last_answer(program)["by"] == "table"
    program.press("Return")
    agreed = program.wait_for("reading_shown")
    assert agreed["heading"] == "You agree to this. Send it as an offer?"
    assert agreed["terms"].startswith("3 food for you")


def test_other_looks_leave_the_strip_where_it_is(program: Program) -> None:
    propose(program)

    program.click("other_theme")
    program.wait_for("rebuilt")
    read_it()
    program.click("reading.yes")

    program.wait_for("reading_answered", verdict="offered")
    program.wait_for("shown", type="SEND_OFFER", sender="human")
    assert happened(program) == ["reading", "SEND_MESSAGE", "SEND_OFFER", "reading_answered"]


def test_words_that_waited_are_back_in_the_line_after_a_kill(start: START, program: Program) -> None:
    propose(program)
    wait_until_kept(program, words=SENTENCE)
    program.kill()

    again = start()
    again.wait_for("unfinished")
    again.click("resume")
    taken_up = again.wait_for("taken_up")
    again.click("entry")
    again.press("Return")
    again.wait_for("reading_shown")

    assert taken_up["words"] == SENTENCE
    assert "SEND_MESSAGE" not in happened(again)


QUESTION = "Can I have 2 food?"


def test_an_offer_is_not_sent_within_a_second_and_its_words_are_not_lost(program: Program) -> None:
    """Guard against an early Enter: participants could not see within 0.4 s what it would send."""
    propose(program)
    read_it(0.5)

    program.press("Return")
    program.click("reading.yes")

    read_it(0.3)
    early = happened(program)
    read_it()
    program.press("Return")
    program.wait_for("shown", type="SEND_OFFER", sender="human")
    assert early == ["reading"]
    assert happened(program) == ["reading", "SEND_MESSAGE", "SEND_OFFER", "reading_answered"]


def test_a_text_with_a_question_is_never_an_offer_by_enter(program: Program) -> None:
    """Guard against one more Enter, which once sent the question as an offer."""
    shown = propose(program, QUESTION)
    read_it()

    program.press("Return")
    program.wait_for("reading_held_out")
    read_it()
    program.press("Return", "Return")
    read_it()
    said = happened(program)
    program.click("reading.yes")

    program.wait_for("shown", type="SEND_OFFER", sender="human")
    assert not shown["armed"]
    assert said == ["reading", "SEND_MESSAGE"]
    assert happened(program)[2:] == ["SEND_OFFER", "reading_answered"]


def test_control_and_enter_sends_what_is_not_plain_with_its_words(program: Program) -> None:
    propose(program, QUESTION)
    read_it()

    program.press("ctrl+Return")

    program.wait_for("shown", type="SEND_OFFER", sender="human")
    assert happened(program) == ["reading", "SEND_MESSAGE", "SEND_OFFER", "reading_answered"]


def test_a_chip_is_corrected_by_mouse_and_the_line_keeps_the_keyboard(program: Program) -> None:
    propose(program, QUESTION)
    program.click("reading.food.more")
    program.wait_for("reading_corrected", armed=False)
    program.click("reading.food.swap")
    corrected = program.wait_for("reading_corrected", armed=False)
    read_it()

    program.press("ctrl+Return")

    program.wait_for("shown", type="SEND_OFFER", sender="human")
    assert corrected["terms"] == "3 food for Rowan"
    assert last_answer(program)["corrected"] is True
    sent = next(event for event in reversed(program.events()) if event["type"] == "SEND_OFFER")
    assert sent["payload"]["offer"] == {"food": {"human": 0, "agent": 3, "undecided": 0}}


def test_after_a_correction_enter_still_sends_the_words_alone(program: Program) -> None:
    propose(program, QUESTION)
    program.click("reading.food.more")
    program.wait_for("reading_corrected")
    read_it()

    program.press("Return")
    program.wait_for("reading_held_out", armed=False)
    read_it()
    program.press("Return")
    program.click("reading.food.less")
    program.wait_for("reading_corrected", armed=False)
    read_it()
    program.press("Return")
    read_it(0.5)

    assert happened(program) == ["reading", "SEND_MESSAGE"]


def test_a_chip_is_corrected_by_keys_and_escape_undoes_it(program: Program) -> None:
    propose(program, QUESTION)
    program.tab_to("reading.food", "shift+Tab")

    program.press("Right")
    three = program.wait_for("reading_corrected")
    program.press("1")
    one = program.wait_for("reading_corrected")
    program.press("Return")
    program.wait_for("list_open")
    program.press("Up", "Return")
    none = program.wait_for("reading_corrected")
    program.press("Escape", "Escape")
    undone = program.wait_for("reading_corrected", armed=False)

    assert three["terms"] == "3 food for you"
    assert one["terms"].startswith("1 food for you")
    assert none["terms"] == "3 food for Rowan"
    assert undone["terms"].startswith("2 food for you")
    assert happened(program) == ["reading"]


def test_typing_goes_on_in_the_line_while_a_chip_has_been_clicked(program: Program) -> None:
    """Guard against Space and Enter right after a click: they press no button that was clicked."""
    propose(program, QUESTION)
    program.click("reading.food.more")
    program.wait_for("reading_corrected")

    program.types(" and so on")

    program.wait_for("reading_answered", verdict="withdrawn")
    assert happened(program) == ["reading", "reading_answered"]


def test_in_german_words_are_read_and_in_hebrew_the_window_says_that_they_are_not(
    start: START, giver: str, tmp_path: Path
) -> None:
    """Guard against a window that does not say in which languages it interprets text."""
    german = start("--game", "campsite", "--agent", giver, "--language", "de")
    german.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    shown = propose(german, "Ich bekomme 2 Essen und 1 Wasser")
    header = json.loads(german.log().read_text(encoding="utf-8").splitlines()[0])
    german.kill()
    hebrew = start("--game", "campsite", "--agent", giver, "--language", "he")
    hebrew.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    hebrew.types(SENTENCE)
    hebrew.press("Return")
    hebrew.wait_for("shown", type="SEND_MESSAGE", sender="human")

    assert shown["meaning"] in ("proposal", "guess")
    assert header["game"]["rules"]["reading_language"] == "de"
    assert happened(hebrew) == ["SEND_MESSAGE"]


@pytest.fixture(params=[(96, (1280, 800)), (192, (2560, 1600))], ids=["1x", "2x"])
def any_screen(request: pytest.FixtureRequest) -> Iterator[Screen]:
    """Screen at 1x and at 2x."""
    with Screen(*request.param) as screen:
        yield screen


def test_from_right_to_left_the_strip_is_mirrored(
    any_screen: Screen, start: START, giver: str, tmp_path: Path
) -> None:
    game = json.loads((bundled("games") / "campsite.json").read_text(encoding="utf-8"))
    game["rules"]["reading_language"] = "en"
    file = tmp_path / "campsite.json"
    file.write_text(json.dumps(game), encoding="utf-8")
    program = start("--game", str(file), "--agent", giver, "--language", "he", on=any_screen)
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    propose(program)

    program.shoot(pictures(tmp_path) / "reading-he.png")
    places = [program.widgets[f"reading.{name}"][0] for name in ("yes", "edit", "back")]
    assert places == sorted(places, reverse=True)
    less, more = (program.widgets[f"reading.food.{name}"][0] for name in ("less", "more"))
    assert less > more
    assert program.widgets["reading.yes"][1] < program.widgets["entry"][1]
