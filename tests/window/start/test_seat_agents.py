"""Choice of an agent for each of several seats: by mouse and by keys, in the real window."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.games import game_file, three_seats
from tests.window.conftest import Program, pictures

pytestmark = pytest.mark.window

START = Callable[..., Program]


@pytest.fixture
def three(start: START, tmp_path: Path) -> START:
    """Function that opens the start window with a game of three seats in the user's folder."""
    (tmp_path / "data" / "games").mkdir(parents=True)
    game_file(tmp_path / "data" / "games", three_seats(deadline_seconds=600.0))
    return start


def choose(program: Program, widget: str, value: str) -> None:
    program.click(widget)
    program.wait_for("chosen", value=value)


def select(program: Program, seat: str) -> None:
    program.click(f"agent_seat.{seat}")
    program.wait_for("seat_selected", seat=seat)


def share(program: Program, text: str) -> None:
    """Type the share that the agent in the shown form asks for."""
    program.click("option.share")
    program.press("End", "shift+Home")
    program.types(text)


def tab(program: Program, widget: str, key: str = "Tab") -> list[str]:
    """Move the focus until a widget has it; return the widgets on the way.

    A card is announced more than once: under its own name and as the chosen card of its list.
    """
    stops: list[str] = []
    last = focused(program.told)
    while last != widget:
        program.press(key)
        last = next_focus(program, last)
        assert last not in stops, f"{key} does not lead to {widget} but round: {stops}"
        stops.append(last)
    return stops


def next_focus(program: Program, last: str) -> str:
    told = program.wait_until(lambda told: focused([told]) not in ("", last), f"focus after {last}")
    return focused([told])


def focused(told: Sequence[dict[str, Any]]) -> str:
    """Return the list or control that had the focus last; empty if none was announced."""
    found = [each["widget"] for each in told if each["ev"] == "focus" and "." not in each["widget"]]
    return found[-1] if found else ""


def seated(program: Program) -> dict[str, Any]:
    """Return who sits where, as the session's log has it."""
    program.wait_for("table_screen")
    line = json.loads(program.log().read_text(encoding="utf-8").splitlines()[0])
    seats: dict[str, Any] = line["seats"]
    return seats


def test_every_seat_gets_an_agent_with_settings_of_its_own_and_all_are_suggested_again(
    three: START, tmp_path: Path
) -> None:
    program = three("--game", "made_up")
    program.wait_for("start_screen")
    select(program, "blue")
    choose(program, "agent.fair", "fair")
    program.click("advanced")
    program.wait_for("unfolded")
    share(program, "0.4")
    select(program, "green")
    choose(program, "agent.fair", "fair")
    share(program, "0.6")
    program.shoot(pictures(tmp_path) / "start-seats.png")
    program.click("start")

    seats = seated(program)

    assert (seats["red"]["kind"], seats["green"]["name"], seats["blue"]["name"]) == (
        "human",
        "Rowan",
        "Ariel",
    )
    assert [seats[seat]["config"]["share"] for seat in ("green", "blue")] == [0.6, 0.4]
    kept = json.loads((program.data_dir / "start.json").read_text(encoding="utf-8"))
    assert {seat: agent["agent"] for seat, agent in kept["seat_agents"].items()} == {
        "green": "fair",
        "blue": "fair",
    }
    assert kept["entered"]["blue=fair"]["share"] == "0.4"


def test_one_agent_is_put_into_all_seats_with_its_settings(three: START) -> None:
    program = three("--game", "made_up")
    program.wait_for("start_screen")
    choose(program, "agent.fair", "fair")
    program.click("advanced")
    program.wait_for("unfolded")
    share(program, "0.4")
    program.click("same_for_all")
    program.wait_for("same_for_all")
    program.click("start")

    seats = seated(program)

    assert [seats[seat]["agent"] for seat in ("green", "blue")] == ["fair", "fair"]
    assert [seats[seat]["config"]["share"] for seat in ("green", "blue")] == [0.4, 0.4]


def test_a_faulty_setting_of_another_seat_is_shown_there(three: START) -> None:
    program = three("--game", "made_up")
    program.wait_for("start_screen")
    choose(program, "agent.fair", "fair")
    program.click("advanced")
    program.wait_for("unfolded")
    share(program, "40")
    select(program, "blue")
    program.click("start")

    program.wait_for("seat_selected", seat="green")
    assert program.wait_for("problem")["text"] == "Please check the agent’s settings."
    share(program, "0.4")
    program.click("start")
    assert seated(program)["green"]["config"]["share"] == 0.4


def test_the_participant_takes_another_seat(three: START) -> None:
    program = three("--game", "made_up")
    program.wait_for("start_screen")
    select(program, "blue")
    choose(program, "agent.fair", "fair")
    program.choose("seat", "Down")
    program.click("start")

    seats = seated(program)

    assert {seat: who["kind"] for seat, who in seats.items()} == {
        "red": "agent",
        "green": "human",
        "blue": "agent",
    }
    assert seats["blue"]["agent"] == "fair"


def test_seats_and_their_agents_are_chosen_by_keys_alone(three: START) -> None:
    program = three("--game", "made_up")
    program.wait_for("start_screen")
    program.wait_for("focus", widget="participant")

    assert tab(program, "game", "shift+Tab")[-4:] == ["agent", "agent_seat", "same_for_all", "game"]
    tab(program, "agent_seat")
    program.press("Down")
    program.wait_for("seat_selected", seat="blue")
    program.press("Up", "Up")  # above is only the participant's seat
    program.wait_for("seat_selected", seat="green")
    program.press("End")
    program.wait_for("seat_selected", seat="blue")
    tab(program, "agent")
    program.press("End")
    program.wait_for("chosen", value="tit_for_tat")
    tab(program, "start")
    program.press("space")

    assert seated(program)["blue"]["agent"] == "tit_for_tat"
