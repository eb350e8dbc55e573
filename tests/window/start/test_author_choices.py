"""The start window for an author of agents: a long list, failures, another game after the first."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.window.conftest import Program, pictures
from tests.window.shell.test_author_loop import walk_away
from tests.window.start.test_trust_question import choose_mine
from tests.window.table.test_negotiations import PLUGINS
from tests.x_server import Screen

pytestmark = pytest.mark.window

START = Callable[..., Program]

BROKEN = "from negoplatform.agent_api.nowhere import Something\n"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """Agent in the user's own folder, which is therefore last in the list."""
    folder = tmp_path / "data" / "agents"
    folder.mkdir(parents=True)
    return Path(shutil.copy(PLUGINS / "my_agent.py", folder / "mine.py"))


def wheel(screen: Screen, program: Program, over: str, button: str, times: int) -> None:
    """Turn the wheel over a widget: button 5 is down, 4 is up."""
    x, y = program.widgets[over]
    screen.run("xdotool", "mousemove", str(x), str(y))
    screen.run("xdotool", "click", "--repeat", str(times), "--delay", "15", button)


def trust_and_start(program: Program) -> None:
    program.click("start")
    program.wait_for("dialog_open")
    program.click("dialog.yes")


def test_the_wheel_leads_to_the_last_card_whatever_is_chosen(
    start: START, screen: Screen, mine: Path, tmp_path: Path
) -> None:
    assert mine.exists()
    program = start()
    program.wait_for("start_screen")

    wheel(screen, program, "agent", "5", 100)
    program.press("Tab")
    program.wait_for("focus", widget="minutes")
    program.shoot(pictures(tmp_path) / "scrolled.png")
    program.click("agent.mine (not yet trusted)")

    program.wait_for("chosen", value="mine (not yet trusted)")


def test_after_a_failure_no_other_agent_is_chosen_and_the_same_one_is_once_it_is_mended(
    start: START, mine: Path, tmp_path: Path
) -> None:
    good = mine.read_text()
    mine.write_text(BROKEN)
    program = start()
    program.wait_for("start_screen")
    choose_mine(program)
    trust_and_start(program)
    program.wait_for("problem")
    program.wait_for("renewed")
    program.shoot(pictures(tmp_path) / "none-chosen.png")

    program.press("Return")
    asked = program.wait_for("problem")
    mine.write_text(good)
    program.press("F5")
    program.wait_for("renewed")
    program.shoot(pictures(tmp_path) / "chosen-again.png")
    trust_and_start(program)
    program.wait_for("table_screen")

    header = json.loads(program.log().read_text(encoding="utf-8").splitlines()[0])
    assert asked["text"] == "Please choose an agent."
    assert header["seats"]["agent"]["agent"] == "mine"


def test_where_nothing_is_chosen_the_keyboard_comes_to_the_list_all_the_same(
    start: START, mine: Path
) -> None:
    mine.write_text(BROKEN)
    program = start()
    program.wait_for("start_screen")
    choose_mine(program)
    trust_and_start(program)
    program.wait_for("problem")
    program.wait_for("renewed")

    program.click("participant")
    program.wait_for("focus", widget="participant")
    program.tab_to("agent.conceding", "shift+Tab")
    program.press("space")

    program.wait_for("chosen", value="conceding")


def test_after_a_session_the_same_game_and_agent_are_chosen_for_another_participant(
    start: START, mine: Path, tmp_path: Path
) -> None:
    assert mine.exists()
    program = start()
    program.wait_for("start_screen")
    program.click("minutes")
    program.types("7")
    choose_mine(program)
    trust_and_start(program)
    program.wait_for("table_screen")
    first = json.loads(program.log().read_text(encoding="utf-8").splitlines()[0])
    program.wait_for("shown", type="GAME_START")
    walk_away(program)
    program.click("done")
    program.wait_for("thanks")
    program.click("again")
    program.wait_for("start_screen")
    program.shoot(pictures(tmp_path) / "chosen-last.png")

    program.click("start")
    program.wait_for("table_screen")

    second = json.loads(program.log().read_text(encoding="utf-8").splitlines()[0])
    assert second["seats"]["agent"]["agent"] == first["seats"]["agent"]["agent"] == "mine"
    assert second["game"]["rules"]["deadline_seconds"] == 420
    assert second["seats"]["human"]["participant"] != first["seats"]["human"]["participant"]
    assert second["seed"] != first["seed"]
