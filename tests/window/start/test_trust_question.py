"""The question before other people's code runs for the first time, with a real mouse."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import list_agents
from tests.window.conftest import Program, pictures
from tests.window.table.test_negotiations import PLUGINS
from tests.x_server import Screen

pytestmark = pytest.mark.window

START = Callable[..., Program]


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """Agent that was just added to the user's own folder."""
    folder = tmp_path / "data" / "agents"
    folder.mkdir(parents=True)
    return Path(shutil.copy(PLUGINS / "my_agent.py", folder / "mine.py"))


@pytest.fixture(scope="module")
def fine_screen() -> Iterator[Screen]:
    """Screen at 2x."""
    screen = Screen(192, (2560, 1600))
    yield screen
    screen.stop()


def is_trusted(agent: Path) -> bool:
    return any(row.file == agent and row.untrusted is None for row in list_agents(agent.parent.parent))


def test_an_agent_is_run_only_after_somebody_has_said_that_they_trust_it(
    start: START, agent: Path, tmp_path: Path
) -> None:
    program = start()
    program.wait_for("start_screen")
    choose_mine(program)
    program.click("start")
    program.wait_for("dialog_open")
    program.shoot(pictures(tmp_path) / "trust.png")
    program.click("dialog.no")
    program.wait_for("dialog_closed")

    assert not is_trusted(agent)

    program.click("start")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("table_screen")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    assert is_trusted(agent)


def choose_mine(program: Program) -> None:
    """Choose the user's own agent, which is last in the list, by mouse and keys."""
    program.click("agent")
    program.press("End")
    program.wait_for("chosen", value="mine (not yet trusted)")


def test_a_file_with_several_agents_is_listed_anew_under_their_names(start: START, agent: Path) -> None:
    agent.write_text(f"{agent.read_text()}\n\nclass Other(MyAgent):\n    pass\n")
    program = start()
    program.wait_for("start_screen")
    choose_mine(program)

    program.click("start")
    program.wait_for("dialog_open")
    program.click("dialog.yes")

    assert program.wait_for("problem")["text"] == (
        "The file mine holds agents of other names; choose one of my_agent, other."
    )
    program.wait_for("renewed")
    program.click("start")
    asked = program.wait_for("problem")
    program.tab_to("agent.conceding", "shift+Tab")
    program.press("End")
    program.wait_for("chosen", value="other")
    program.click("start")
    program.wait_for("table_screen")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    assert asked["text"] == "Please choose an agent."


def test_at_double_size_the_question_is_as_clear(
    start: START, fine_screen: Screen, agent: Path, tmp_path: Path
) -> None:
    program = start(on=fine_screen)
    program.wait_for("start_screen")
    choose_mine(program)

    program.click("start")
    program.wait_for("dialog_open")
    program.shoot(pictures(tmp_path) / "trust-2x.png")
    program.press("Escape")

    program.wait_for("dialog_closed")
    assert not is_trusted(agent)
