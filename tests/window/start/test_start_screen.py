"""Choices before a session: by mouse and keys, in the real window."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.support.experimenter_code import write_code
from tests.window.conftest import Program, pictures

pytestmark = pytest.mark.window

START = Callable[..., Program]

ONE_SESSION = ("--game", "practice", "--agent", "fair", "--participant", "P01", "--seed", "7")


def header(program: Program) -> dict[str, Any]:
    """Return the first line of the session's log."""
    line: dict[str, Any] = json.loads(program.log().read_text(encoding="utf-8").splitlines()[0])
    return line


def test_an_agent_is_set_in_its_form_and_what_does_not_fit_is_said_there(
    start: START, tmp_path: Path
) -> None:
    program = start()
    program.wait_for("start_screen")
    program.click("agent.fair")
    program.wait_for("chosen", value="fair")
    program.click("advanced")
    program.wait_for("unfolded")
    program.click("option.share")
    program.press("End", "shift+Home")
    program.types("40")
    program.click("start")
    program.wait_for("problem")
    program.shoot(pictures(tmp_path) / "start-fault.png")
    program.press("End", "shift+Home")
    program.types("0.4")
    program.click("start")
    program.wait_for("table_screen")

    config = header(program)["seats"]["agent"]["config"]
    assert config["share"] == 0.4
    assert (config["persona"], config["language"]) == ("neutral", "en")


def test_mood_and_pace_are_set_for_any_agent_and_suggested_again(start: START, tmp_path: Path) -> None:
    program = start("--mood", "sad")
    program.wait_for("start_screen")
    program.click("agent.fair")
    program.wait_for("chosen", value="fair")
    program.click("advanced")
    program.wait_for("unfolded")
    program.click("option.share")
    program.press(*["Tab"] * 13)  # nine more of the agent's; mood, intensity, seconds, pace
    program.types("9")
    program.click("start")
    program.wait_for("problem")
    program.press("End", "shift+Home")
    program.types("0.5")
    program.click("start")
    program.wait_for("table_screen")

    assert header(program)["game"]["rules"]["counterpart"] == {"mood": "SAD", "pace": 0.5}
    kept = json.loads((program.data_dir / "start.json").read_text(encoding="utf-8"))
    assert (kept["counterpart"]["mood"], kept["counterpart"]["pace"]) == ("SAD", "0.5")


def test_other_looks_hold_at_once_keep_what_was_entered_and_are_there_next_time(
    start: START, tmp_path: Path
) -> None:
    program = start()
    program.wait_for("start_screen")
    program.click("participant")
    program.press("End", "shift+Home")
    program.types("Kim-7")
    program.click("settings")
    program.wait_for("settings_screen")
    program.click("settings.theme.dark")
    program.wait_for("worn")
    program.press("Tab", "Return")  # the keyboard is where it was: the next choice is high contrast
    program.wait_for("worn")
    program.shoot(pictures(tmp_path) / "settings.png")
    program.press("Escape")
    program.wait_for("start_screen")
    program.click("start")
    program.wait_for("table_screen")

    assert header(program)["seats"]["human"]["participant"] == "Kim-7"
    kept = json.loads((tmp_path / "data" / "appearance.json").read_text())
    assert (kept["theme"], kept["language"]) == ("high_contrast", "en")


def test_looks_that_cannot_be_kept_hold_all_the_same(start: START, tmp_path: Path) -> None:
    (tmp_path / "data" / "appearance.json").mkdir(parents=True)
    program = start()
    program.wait_for("start_screen")
    before = program.widgets["settings"]
    program.click("settings")
    program.wait_for("settings_screen")
    program.click("settings.text_size.115")
    program.wait_for("worn")
    program.click("settings.done")
    program.wait_for("start_screen")

    assert program.widgets["settings"] != before
    assert (tmp_path / "data" / "appearance.json").is_dir()


def test_a_session_on_the_whole_screen_is_left_with_the_experimenters_code_alone(
    start: START, tmp_path: Path
) -> None:
    write_code(tmp_path / "data", "tangerine")
    program = start(*ONE_SESSION, "--full-screen")
    program.wait_for("table_screen")
    program.close_window()
    program.wait_for("stays_open")

    program.press("ctrl+shift+F12")
    program.wait_for("dialog_open")
    program.types("mandarin")
    program.press("Return")
    program.wait_for("wrong_code")
    program.shoot(pictures(tmp_path) / "wrong-code.png")
    program.types("tangerine")
    program.press("Return")
    program.wait_for("left_full_screen")

    program.close_window()
    program.wait_for("dialog_open")  # now it asks, as it always does
    everything = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert everything
    assert not [path for path in everything if b"tangerine" in path.read_bytes()]


def test_no_list_opens_in_the_middle_of_a_row(start: START) -> None:
    for agent in ("negochat", "boulware", "tit_for_tat"):
        program = start("--agent", agent)
        program.wait_for("start_screen")
        program.press("Tab")
        program.wait_for("focus", widget="minutes")
        program.press("F1")  # by then the list has been scrolled
        places = program.wait_for("help_open")["widgets"]
        program.stop()

        note = places["agent_note"][1]
        # The list of games is scrolled too: the first card in sight is where the lists begin.
        top = min(y for name, (_, y) in places.items() if name.startswith("game.") and y > note)
        first = min(
            (y for name, (_, y) in places.items() if name.startswith("agent.") and y > top - 20), default=0
        )
        assert abs(first - top) <= 16, f"the list of agents begins in the middle of a card with {agent}"
        assert note < top, "the sandbox is named next to the title, and takes no room"


def test_start_works_after_a_game_with_other_seats(start: START) -> None:
    program = start("--agent", "negochat")
    program.wait_for("start_screen")
    program.click("game.job_candidate")
    program.wait_for("chosen", value="job_candidate")
    program.click("start")
    program.wait_for("shown", type="GAME_START")
    program.walk_away()
    program.wait_for("ended")
    program.click("done")
    program.wait_for("thanks")
    program.click("again")
    program.wait_for("start_screen")

    program.click("game.campsite")
    program.wait_for("chosen", value="campsite")
    program.click("start")
    program.wait_for("table_screen")

    assert header(program)["game"]["name"] == "campsite"
    assert "problem" not in [told["ev"] for told in program.told]


def test_the_last_choice_is_there_after_a_restart(start: START) -> None:
    first = start()
    first.wait_for("start_screen")
    first.click("game.practice")
    first.wait_for("chosen", value="practice")
    first.click("agent.fair")
    first.wait_for("chosen", value="fair")
    first.click("start")
    first.wait_for("table_screen")
    before = header(first)
    first.wait_for("shown", type="GAME_START")
    first.walk_away()
    first.wait_for("finished")
    first.stop()

    program = start()
    program.wait_for("start_screen")
    program.click("start")
    program.wait_for("table_screen")

    now = header(program)
    assert (now["game"]["name"], now["seats"]["agent"]["agent"]) == ("practice", "fair")
    assert now["seed"] != before["seed"]
    assert now["seats"]["human"]["participant"] != before["seats"]["human"]["participant"]


def test_a_code_whose_session_is_running_in_another_window_is_asked_about_once(start: START) -> None:
    running = start(*ONE_SESSION)
    first = Path(running.wait_for("table_screen")["log"])
    program = start("--participant", "P01")
    program.wait_for("start_screen")

    program.click("start")
    asked = program.wait_for("dialog_open")["text"]
    program.click("dialog.no")
    program.wait_for("dialog_closed")
    program.click("start")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    log = Path(program.wait_for("table_screen")["log"])

    assert asked.startswith("P01 already has a session of ")
    assert asked.endswith(", which is still running.")
    assert log.parent.parent == first.parent.parent
    assert log != first


def test_a_code_with_an_earlier_session_is_told_of_while_it_is_typed(start: START) -> None:
    earlier = start(*ONE_SESSION, "--no-briefing")
    earlier.wait_for("table_screen")
    earlier.click("walk_away")
    earlier.wait_for("dialog_open")
    earlier.click("dialog.yes")
    earlier.wait_for("finished")
    earlier.kill()
    program = start()
    program.wait_for("start_screen")

    program.click("participant")
    program.press("ctrl+a")
    program.types("P01")
    said = program.wait_until(lambda told: told["ev"] == "code_note" and told["text"] != "", "a note")["text"]
    program.types("2")
    program.wait_for("code_note", text="")
    program.click("start")
    program.wait_for("table_screen")

    assert said.startswith("P01 has had a session before, on ")
    assert header(program)["seats"]["human"]["participant"] == "P012"


def test_the_command_line_refuses_a_code_whose_session_is_running(start: START, tmp_path: Path) -> None:
    running = start(*ONE_SESSION)
    first = Path(running.wait_for("table_screen")["log"])
    play = [sys.executable, "-m", "negoplatform", "play", *ONE_SESSION, "--data-dir", str(running.data_dir)]

    refused = subprocess.run(play, capture_output=True, text=True, timeout=60)
    another = start(*ONE_SESSION, "--another-session")
    another.wait_for("table_screen")

    assert refused.returncode == 1
    assert refused.stderr.startswith("negoplatform: P01 already has a session of ")
    assert str(first.parent) in refused.stderr
    assert refused.stderr.endswith("end it first, or allow another one with --another-session.\n")
    assert refused.stderr.count("\n") == 1
