"""Typing as people do it: at once after a click, and wherever the keyboard focus is."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from subprocess import DEVNULL

import pytest
from PIL import ImageGrab

from tests.window.conftest import Program, replayed
from tests.window.shell.test_unfinished_sessions import own, wait_until_kept
from tests.window.table.test_negotiations import PLUGINS, ROOT
from tests.x_server import Screen

pytestmark = pytest.mark.window

START = Callable[..., Program]

SENTENCE = "what do you think of it"


def at_the_table(start: START, *arguments: str, on: Screen | None = None) -> Program:
    """Start a negotiation in which the agent has greeted, and sends nothing unprompted."""
    agent = str(PLUGINS / "my_agent.py")
    program = start("--game", "resource_exchange", "--agent", agent, *arguments, on=on)
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    return program


@pytest.fixture
def program(start: START) -> Program:
    return at_the_table(start)


@pytest.fixture
def hurry(screen: Screen) -> Callable[[str], None]:
    """Function that types without a pause between keys."""

    def type_at_once(text: str) -> None:
        screen.run("xdotool", "type", "--delay", "0", text)

    return type_at_once


def test_a_sentence_after_send_offer_is_one_offer_and_the_sentence(
    program: Program, hurry: Callable[[str], None]
) -> None:
    program.click("bananas.human.more")
    program.wait_for("draft", can_send=True)

    program.click("send_offer")
    hurry(SENTENCE)

    wait_until_kept(program, words=SENTENCE)
    assert len(own(program, "SEND_OFFER")) == 1


def test_a_sentence_after_a_face_shows_the_face_once(program: Program, hurry: Callable[[str], None]) -> None:
    program.click("emotion.sad")
    hurry(SENTENCE)

    wait_until_kept(program, words=SENTENCE)
    assert len(own(program, "SEND_EXPRESSION")) == 1


def test_a_sentence_after_a_column_moves_one_item(program: Program, hurry: Callable[[str], None]) -> None:
    program.click("bananas.human.more")
    hurry("how about this one")

    one = {"bananas": {"human": 1, "agent": 0, "undecided": 3}}
    wait_until_kept(program, words="how about this one", offer=one)


def test_a_sentence_is_written_from_wherever_tab_led_and_a_row_keeps_its_own_keys(
    program: Program, hurry: Callable[[str], None]
) -> None:
    program.types("so ")
    program.tab_to("rules", "shift+Tab")
    hurry("that's 2 for ME + 1 & x")
    program.wait_for("focus", widget="entry")
    wait_until_kept(program, words="so that's 2 for ME + 1 & x")

    program.tab_to("bananas.human.more")
    program.press("space", "plus", "minus", "BackSpace", "plus")
    program.wait_for("draft", worth="4 points")
    hurry("y")

    one = {"bananas": {"human": 1, "agent": 0, "undecided": 3}}
    wait_until_kept(program, words="so that's 2 for ME + 1 & xy", offer=one)


def test_a_click_leaves_words_and_cursor_as_they_are(program: Program, hurry: Callable[[str], None]) -> None:
    program.types("one three")
    program.press(*["Left"] * 5)
    for clicked in ("emotion.duration", "clear", "compare", "transcript", "larger"):
        program.click(clicked)
        program.press("Escape")  # closes a list, where one opened
    hurry("two ")

    wait_until_kept(program, words="one two three")


def test_letters_go_to_the_line_after_the_phrases_the_rules_and_the_talk_as_text(
    program: Program, hurry: Callable[[str], None]
) -> None:
    for opened, closed in (("phrases", "phrases_closed"), ("rules", "rules_closed")):
        program.click(opened)
        program.wait_for(f"{opened}_open")
        program.press("Escape")
        program.wait_for(closed)
        hurry(f"{opened} ")
    program.click("text_view")
    hurry("text")

    wait_until_kept(program, words="phrases rules text")


def test_what_is_pasted_and_erased_goes_to_the_line_and_undo_is_of_words_first(
    program: Program, screen: Screen
) -> None:
    program.click("bananas.human.more")
    program.wait_for("draft", worth="4 points")
    program.tab_to("undo")

    screen.run("xclip", "-selection", "clipboard", "-loops", "0", input="שלום x".encode(), stdout=DEVNULL)
    program.press("ctrl+v")
    program.wait_for("focus", widget="entry")
    wait_until_kept(program, words="שלום x")
    program.tab_to("undo")
    program.press("BackSpace")
    wait_until_kept(program, words="שלום ")
    program.press(*["ctrl+z"] * 2)
    wait_until_kept(program, words="", offer={"bananas": {"human": 1, "agent": 0, "undecided": 3}})
    program.press("ctrl+z")

    program.wait_for("draft", worth="–")
    program.press("ctrl+y", "ctrl+y")
    wait_until_kept(program, words="שלום ")


def test_letters_that_a_keyboard_makes_with_a_third_level_or_two_keys_are_written_too(start: START) -> None:
    with Screen() as german:
        german.run("setxkbmap", "de")
        program = at_the_table(start, on=german)
        program.tab_to("rules")

        german.run("xdotool", "key", "--delay", "40", "ISO_Level3_Shift+q", "dead_acute", "e", "adiaeresis")

        wait_until_kept(program, words="@éä")
        program.stop()


def test_a_field_for_numbers_keeps_the_keyboard_and_a_question_too(
    start: START, flat: str, hurry: Callable[[str], None]
) -> None:
    program = start("--game", flat, "--agent", "fair")
    program.wait_for("shown", type="GAME_START")
    program.click("price")
    hurry("120")
    program.wait_for("draft", worth="16 points")
    program.click("price.more")
    program.wait_for("draft", worth="15 points")
    hurry("no 7")
    wait_until_kept(program, words="no 7")

    program.click("walk_away")
    program.wait_for("dialog_open")
    hurry("x")
    program.press("Escape")
    program.wait_for("dialog_closed")
    hurry("!")

    wait_until_kept(program, words="no 7!")


TYPIST = """
from negoplatform.agent_api.actions import SendMessage, ShowTyping
from negoplatform.agent_api.base import NegotiationAgent


class Typist(NegotiationAgent):
    def on_game_start(self, ctx, event):
        return [SendMessage("Hello.")]

    def on_send_message(self, ctx, event):
        return [ShowTyping(20_000), SendMessage("There.", delay_ms=3000)]
"""


def test_dots_move_in_the_talk_while_the_other_side_types(
    start: START, screen: Screen, tmp_path: Path
) -> None:
    agent = tmp_path / "typist.py"
    agent.write_text(TYPIST, encoding="utf-8")
    program = start("--game", "practice", "--agent", str(agent))
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    x, y = program.widgets["transcript"]

    def seen() -> set[bytes]:
        """Return the different pictures of the transcript within one second."""
        box = (x - 250, y - 250, x + 250, y + 250)
        end, found = time.monotonic() + 1, set()
        while time.monotonic() < end:
            found.add(ImageGrab.grab(box, xdisplay=screen.env["DISPLAY"]).tobytes())
        return found

    program.types("And now?")
    program.press("Return")
    program.wait_for("shown", type="TYPING", sender="agent")
    while_typing = seen()
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    afterwards = seen()

    assert len(while_typing) > 1
    assert len(afterwards) == 1


def test_a_text_of_several_lines_reaches_the_log_as_it_was_written(program: Program, screen: Screen) -> None:
    clip = ("xclip", "-selection", "clipboard", "-loops", "0")
    program.types("first")
    program.press("shift+Return")
    screen.run(*clip, input=b"second\nthird\n", stdout=DEVNULL)
    program.press("ctrl+v", "Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")

    assert own(program, "SEND_MESSAGE")[0]["payload"]["text"] == "first\nsecond\nthird"
    assert "first\n               second\n               third" in replayed(program.log())


def test_a_list_that_was_opened_by_mouse_gives_the_keyboard_back_and_by_tab_keeps_it(
    start: START, hurry: Callable[[str], None], tmp_path: Path
) -> None:
    game = (ROOT / "games" / "job_candidate.json").read_text(encoding="utf-8")
    long = game.replace(
        "Without leased car", "Without a leased car in any year of the contract, not even the last"
    )
    (tmp_path / "lists.json").write_text(long, encoding="utf-8")
    program = start("--game", str(tmp_path / "lists.json"), "--agent", "fair", "--seat", "candidate")
    program.wait_for("shown", type="SEND_MESSAGE", sender="employer")
    program.choose("car", "Down")
    program.wait_for("draft")
    hurry("a car and ")
    wait_until_kept(program, words="a car and ")

    program.tab_to("job")
    program.press("Down")
    program.wait_for("list_open")
    program.press("Down", "Return")
    program.wait_for("draft")
    program.press("Tab")
    assert program.wait_for("focus", widget="pension")
    hurry("more")

    wait_until_kept(program, words="a car and more")
