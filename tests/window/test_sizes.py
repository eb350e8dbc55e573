"""The window at common screen sizes, and at every text size."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.window.conftest import Program, pictures
from tests.x_server import Screen

pytestmark = pytest.mark.window

START = Callable[..., Program]

JOB = ("--game", "job_candidate", "--agent", "fair", "--seat")

SCROLLS = ("salary", "job", "car", "pension", "promotion", "hours")
"""Rows of the builder, by the beginnings of their names: on a low screen they scroll."""


@pytest.fixture
def stage(request: pytest.FixtureRequest) -> Iterator[Screen]:
    """Screen of a given size, which exists until the program has ended."""
    with Screen(size=request.param) as screen:
        yield screen


def on_screen(across: int, down: int) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("stage", [(across, down)], indirect=True, ids=[f"{across}x{down}"])


def assert_all_inside(program: Program, size: tuple[int, int]) -> None:
    for widget, (x, y) in program.widgets.items():
        if not widget.startswith(SCROLLS):
            assert 0 <= x < size[0], f"{widget} lies outside of the window"
            assert 0 <= y < size[1], f"{widget} lies outside of the window"


@on_screen(1366, 768)
@pytest.mark.parametrize("seat", ["employer", "candidate"])
def test_six_issues_are_seen_without_scrolling_on_a_laptop(stage: Screen, start: START, seat: str) -> None:
    program = start(*JOB, seat, on=stage)
    program.wait_for("shown", type="SEND_MESSAGE")

    assert "priorities.bar" not in program.widgets
    assert_all_inside(program, (1366, 768))


WHOLE_DEAL = (
    "I propose a salary of 90,000 USD as a programmer with leased car, 10% pension, "
    "fast promotion track and 9 hours"
)


@pytest.mark.parametrize(
    ("stage", "least_seen"), [((1280, 800), 6), ((1024, 640), 4)], indirect=["stage"], ids=["1280", "1024"]
)
def test_of_a_typed_deal_about_six_issues_no_chip_is_hidden_where_there_is_room(
    stage: Screen, start: START, least_seen: int, tmp_path: Path
) -> None:
    program = start(*JOB, "candidate", on=stage)
    program.wait_for("shown", type="SEND_MESSAGE")
    program.types(WHOLE_DEAL)
    program.press("Return")
    program.wait_for("reading_shown")

    program.shoot(pictures(tmp_path) / f"strip-{least_seen}.png")
    chips = [program.widgets[f"reading.{issue}"] for issue in SCROLLS]
    lowest = program.widgets["reading.yes"][1]
    seen = [y for _, y in chips if y < lowest - 20]
    assert len(seen) >= least_seen
    assert lowest < program.widgets["entry"][1]


@on_screen(1024, 640)
def test_buttons_on_a_card_have_long_words_in_a_second_row(stage: Screen, start: START) -> None:
    program = start("--game", "practice", "--agent", "fair", "--language", "de", on=stage)

    program.wait_for("shown", type="SEND_OFFER", sender="agent")
    program.wait_until(lambda told: "card.decline" in told["widgets"], "that its offer is there")

    (_, accept), (_, decline) = (program.widgets[f"card.{name}"] for name in ("accept", "decline"))
    assert decline > accept


@on_screen(1024, 640)
def test_everything_can_be_reached_on_the_smallest_screen(stage: Screen, start: START) -> None:
    program = start(*JOB, "candidate", on=stage)
    program.wait_for("shown", type="SEND_MESSAGE")

    assert_all_inside(program, (1024, 640))
    wanted = {"entry", "send", "phrases", "send_offer", "accept", "compare", "rules", "walk_away", "larger"}
    assert wanted <= program.widgets.keys()


@on_screen(1024, 640)
def test_buttons_of_a_card_that_find_no_room_side_by_side_stand_below_each_other(
    stage: Screen, start: START
) -> None:
    program = start("--game", "practice", "--agent", "fair", "--language", "de", on=stage)
    program.wait_for("shown", type="SEND_OFFER")
    program.press("Tab")
    program.wait_for("focus")

    assert program.widgets["card.decline"][1] > program.widgets["card.accept"][1]


def drawn(size: tuple[int, int]) -> dict[str, Any]:
    """Return the height of letters at each text size on a screen, and the message about it."""
    with Screen(size=size) as screen:
        told = screen.run(sys.executable, "-m", "tests.window.programs.drawn_text_sizes", capture_output=True)
    found: dict[str, Any] = json.loads(told.stdout)
    return found


@pytest.mark.parametrize("size", [(1366, 768), (1440, 900)])
def test_letters_become_twice_as_large_on_a_laptop(size: tuple[int, int]) -> None:
    found = drawn(size)

    assert found["200"][0] == 2 * found["100"][0]
    assert [pixels for pixels, _ in found.values()] == sorted({pixels for pixels, _ in found.values()})
    assert {note for _, note in found.values()} == {""}


def test_what_does_not_fit_a_screen_is_said_in_one_sentence() -> None:
    found = drawn((1024, 640))

    assert found["150"][1] == ""
    assert found["200"] == [found["150"][0], "150% is the largest text size that fits this screen."]


@pytest.mark.parametrize(("size", "text"), [((1280, 800), "200"), ((1024, 640), "150"), ((1024, 640), "100")])
def test_rules_and_help_fit_the_window(size: tuple[int, int], text: str) -> None:
    with Screen(size=size) as screen:
        told = screen.run(
            sys.executable, "-m", "tests.window.programs.clipped_pages", text, capture_output=True
        )

    assert json.loads(told.stdout) == {"rules": [], "help": []}


def test_the_buttons_for_the_text_size_stay_under_the_pointer(start: START) -> None:
    program = start("--game", "practice", "--agent", "conceder", "--text-size", "85")
    program.wait_for("shown", type="SEND_MESSAGE")
    places = program.widgets["smaller"], program.widgets["larger"]

    # All at one place, though everything else grows and moves.
    for _ in range(6):
        program.click("larger")
        program.wait_for("rebuilt")
        assert (program.widgets["smaller"], program.widgets["larger"]) == places
    assert "tab.talk" in program.widgets, "it isn't drawn at 200 %"
    for _ in range(6):
        program.click("smaller")
        program.wait_for("rebuilt")
    assert "tab.talk" not in program.widgets


@on_screen(1366, 768)
def test_at_twice_the_size_one_column_is_seen_at_a_time(stage: Screen, start: START) -> None:
    program = start("--game", "practice", "--agent", "fair", "--text-size", "200", on=stage)
    program.wait_for("shown", type="SEND_MESSAGE")
    assert "entry" in program.widgets
    assert "send_offer" not in program.widgets
    assert_all_inside(program, (1366, 768))

    program.click("tab.offer")
    program.wait_for("column", shown="offer")
    assert "send_offer" in program.widgets
    assert "entry" not in program.widgets
    assert_all_inside(program, (1366, 768))
    program.press("ctrl+Prior")
    program.wait_for("column", shown="talk")
    program.types("Hello")
    program.press("Return")

    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
