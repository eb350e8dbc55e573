"""Pictures of every screen in three appearances: ``make screenshots`` saves them in docs/images.

A picture is no proof, so each test also asserts that the intended screen was captured, and that nothing on it
lies outside the window. Some pictures are not kept in docs/images but in the temporary folder of the test.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PIL import Image

from negoplatform.cli.main import run
from negoplatform.plugins.program_and_user_folders import bundled
from tests.window.conftest import APART, Program, pictures
from tests.window.start.test_plugins_folder import put
from tests.window.trading.test_trades import SETTLED, offered, say, write_ticket
from tests.x_server import Screen

pytestmark = pytest.mark.window

Start = Callable[..., Program]

CODE = "P-031"

PLUGINS = Path(__file__).parents[1] / "plugin_files"
TRADER, MARKET_TRADER = (str(PLUGINS / name) for name in ("trader_on_request.py", "market_of_pictures.py"))

IN_LISTS = ("agent.", "game.", "option.", "options", "counterpart_option", "builder_option")
"""Widgets of the start window in lists that scroll, by the beginnings of their names."""


MAKES_PICTURES = "NEGOPLATFORM_SCREENSHOTS" in os.environ
"""Whether ``make screenshots`` runs the tests."""

for_pictures = pytest.mark.skipif(not MAKES_PICTURES, reason="it makes pictures to look at: make screenshots")
"""Mark of tests that take long and whose pictures are not kept; other tests cover these screens."""


@dataclass(frozen=True, slots=True)
class Looks:
    """Appearance for pictures: their folder, the command line, and the screen's density."""

    folder: str
    arguments: tuple[str, ...]
    dpi: int = 96

    @property
    def size(self) -> tuple[int, int]:
        """The screen's size in pixels."""
        return 1280 * self.dpi // 96, 800 * self.dpi // 96


LOOKS = (
    Looks("light", ("--theme", "light")),
    Looks("dark-2x", ("--theme", "dark"), 192),
    Looks("hebrew", ("--language", "he")),
)


@dataclass(frozen=True, slots=True)
class Studio:
    """Starter of the program with some appearance, which saves its pictures."""

    looks: Looks
    screen: Screen
    begin: Start
    folder: Path

    def start(self, *arguments: str, brief: bool = False) -> Program:
        """Start the program with this appearance, and with a seed and a code that never change."""
        fixed = ("--seed", "7", "--participant", CODE)
        return self.begin(*self.looks.arguments, *fixed, *arguments, on=self.screen, brief=brief)

    def shoot(self, program: Program, name: str) -> None:
        """Save a picture; every button has to be inside the window, or in a part that scrolls."""
        across, down = self.looks.size
        for widget, (x, y) in program.widgets.items():
            assert 0 <= x < across, f"{widget} lies outside of the window"
            assert 0 <= y < down or widget.startswith(IN_LISTS), f"{widget} lies outside of the window"
        # Where no caret blinks and nothing is under the pointer.
        self.screen.run("xdotool", "mousemove", str(across - 3), str(down - 3))
        path = self.folder / self.looks.folder / f"{name}.png"
        program.shoot(path)
        with Image.open(path) as image:
            colours = image.convert("RGB").getcolors(maxcolors=image.width * image.height)
        assert colours is not None
        assert len(colours) > 20, "nothing is drawn"


@pytest.fixture(params=LOOKS, ids=lambda looks: looks.folder)
def stage(request: pytest.FixtureRequest) -> Iterator[tuple[Looks, Screen]]:
    """Appearance and a screen of its density, which exists until the program has ended."""
    looks: Looks = request.param
    with Screen(looks.dpi, looks.size) as screen:
        yield looks, screen


@pytest.fixture
def studio(stage: tuple[Looks, Screen], start: Start, tmp_path: Path) -> Studio:
    """Studio that captures the pictures."""
    return Studio(*stage, start, pictures(tmp_path))


def only_from_right_to_left(studio: Studio) -> None:
    """Skip other appearances than Hebrew, in which most can go wrong, unless pictures are wanted."""
    if not MAKES_PICTURES and studio.looks.folder != "hebrew":
        pytest.skip("it makes pictures to look at: make screenshots")


def test_the_start_window_and_the_settings(studio: Studio) -> None:
    program = studio.start()

    program.wait_for("start_screen")
    # The list scrolls to the agent that is proposed: what answers to a key has drawn that.
    program.press("Tab")
    program.wait_for("focus", widget="minutes")
    studio.shoot(program, "1-start")
    program.press("F1")
    program.wait_for("help_open")
    studio.shoot(program, "16-help")
    program.press("Escape")
    program.wait_for("help_closed")
    program.click("settings")
    program.wait_for("settings_screen")
    studio.shoot(program, "2-settings")


def test_what_cannot_be_used(studio: Studio, tmp_path: Path) -> None:
    put(tmp_path / "data" / "agents")
    # It shows a path that is another in each run, so it is kept nowhere.
    studio = replace(studio, folder=tmp_path)
    program = studio.start()

    program.wait_for("start_screen")
    program.click("agent.unusable")
    assert program.wait_for("dialog_open")["text"].startswith("later\n")
    studio.shoot(program, "17-unusable")


def test_a_negotiation_from_the_rules_to_the_deal(studio: Studio) -> None:
    program = studio.start("--game", "practice", "--agent", "fair", brief=True)

    program.wait_for("briefing")
    studio.shoot(program, "3-rules")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE")
    program.types("I would love to have most of the apples. Which day suits you?")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.click("emotion.happy")
    program.wait_for("shown", type="SEND_EXPRESSION", sender="human")
    for cell in ["apples.human.more"] * 4 + ["apples.agent.more"]:
        program.click(cell)
        program.wait_for("draft")
        time.sleep(APART)  # two clicks at once would give all of them
    studio.shoot(program, "4-draft")
    for cell in ("apples.agent.more", "day.Saturday"):
        program.click(cell)
        program.wait_for("draft")
    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER", sender="human")
    program.wait_for("shown", type="SEND_OFFER", sender="agent")
    program.click("apples.human.more")
    program.wait_for("draft")
    studio.shoot(program, "5-offer")
    program.click("compare")
    program.wait_for("focus", widget="compare")
    studio.shoot(program, "6-compare")
    program.press("Escape")
    program.click("phrases")
    program.wait_for("phrases_open")
    studio.shoot(program, "7-phrases")
    program.press("Escape")
    program.wait_for("phrases_closed")
    program.click("accept")
    program.wait_for("dialog_open")
    studio.shoot(program, "8-accept")
    program.click("dialog.yes")
    assert "11" in program.wait_for("ended")["points"]
    program.wait_for("finished")
    studio.shoot(program, "9-end")


def test_a_game_with_many_issues(studio: Studio) -> None:
    program = studio.start("--game", "job_candidate", "--agent", "fair", "--seat", "candidate")

    program.wait_for("shown", type="SEND_MESSAGE")
    studio.shoot(program, "10-dense")


def test_trading_from_a_settled_trade_to_the_result(studio: Studio, tmp_path: Path) -> None:
    only_from_right_to_left(studio)
    others = replace(studio, folder=tmp_path)
    program = studio.start("--game", "tac_trading", "--agent", TRADER)
    program.wait_for("shown", type="GAME_START")

    write_ticket(program, "10", good_1=1)
    program.click("ticket.propose")
    number = program.wait_for("shown", type="PROPOSE", sender="agent_1")["seq"]
    program.wait_for("shown", type="ACCEPT_PROPOSAL", sender="agent_2")
    time.sleep(SETTLED)
    program.click(f"card.{number}.accept")
    program.wait_for("shown", type="transaction-confirmation")
    offered(program, "Would you sell me more wool?")
    write_ticket(program, "12", good_1=1)
    studio.shoot(program, "18-trading")
    if not MAKES_PICTURES:
        return
    say(program, "wait")
    number = offered(program, "buy good_2 20")
    program.click(f"card.{number}.accept")
    program.wait_for("act_done", kind="SUBMIT_TRANSACTION")
    others.shoot(program, "trading-waiting")
    program.walk_away()
    program.wait_for("ended")
    others.shoot(program, "trading-end")
    program.wait_for("finished")
    others.shoot(program, "trading-finished")


@for_pictures
def test_trading_with_several_others(studio: Studio, tmp_path: Path) -> None:
    studio = replace(studio, folder=tmp_path)
    program = studio.start("--game", "tac_market", "--agent", TRADER, "--seats", "5", brief=True)
    program.wait_for("briefing")
    studio.shoot(program, "tac_market-rules")
    program.click("begin")
    program.wait_for("shown", type="GAME_START")

    program.click("dialogue.blue")
    program.wait_for("dialogue", seat="blue")
    write_ticket(program, "10", wool=1, salt=1)
    program.click("ticket.propose")
    program.wait_for("shown", type="ACCEPT_PROPOSAL", sender="blue")
    program.click("entry")
    program.types("sell timber 12")
    program.press("Return")
    for _ in range(4):
        program.wait_for("shown", type="PROPOSE")
    studio.shoot(program, "tac_market-one")
    program.click("dialogue.all")
    program.wait_for("dialogue", seat="")
    studio.shoot(program, "tac_market-all")


def test_a_market_from_its_orders_to_the_result(studio: Studio, tmp_path: Path) -> None:
    only_from_right_to_left(studio)
    others = replace(studio, folder=tmp_path)
    program = studio.start("--game", "grain_market", "--agent", MARKET_TRADER)
    program.wait_for("shown", type="GAME_START")
    for kind in ["contract-fulfilled"] * 3 + ["add-order"] * 5:
        program.wait_for("shown", type=kind)

    program.click("ticket.take")
    program.wait_for("notice")
    program.click("ticket.price")
    program.types("83")
    program.press("Return")
    program.wait_for("notice")
    studio.shoot(program, "19-market")
    if not MAKES_PICTURES:
        return
    program.click("ticket.price")
    program.press("ctrl+a")
    program.types("999")
    program.wait_for("ticket", price="999")
    program.press("Return")
    others.shoot(program, "market-refused")
    program.click("entry")
    program.types("Who has grain for less?")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE")
    program.walk_away()
    program.wait_for("dialog_closed")
    program.wait_for("shown", type="FORMAL_QUIT")
    others.shoot(program, "market-left")


@for_pictures
def test_the_results_of_a_market(studio: Studio, tmp_path: Path) -> None:
    studio = replace(studio, folder=tmp_path)
    game = json.loads((bundled("games") / "grain_market.json").read_text(encoding="utf-8"))
    game["terms"]["periods"] = {"count": 2, "seconds": 6, "break_seconds": 3, "carry": "reset"}
    file = tmp_path / "grain_market.json"
    file.write_text(json.dumps(game), encoding="utf-8")
    program = studio.start("--game", str(file), "--agent", MARKET_TRADER, brief=True)
    program.wait_for("briefing")
    studio.shoot(program, "market-rules")
    program.click("begin")
    for kind in ["contract-fulfilled"] * 3 + ["add-order"] * 5:
        program.wait_for("shown", type=kind)
    program.click("ticket.take")
    program.wait_for("notice")
    program.wait_for("shown", type="phase-transition")
    studio.shoot(program, "market-break")
    program.wait_for("ended")
    studio.shoot(program, "market-end")


FORM_TAKES_KEYS_AFTER = 1.2
"""Seconds after which a form that has just appeared takes keys, with a margin."""


@for_pictures
@pytest.mark.parametrize("seat", ["owner_1", "speculator_1"])
def test_a_market_with_decisions(studio: Studio, tmp_path: Path, seat: str) -> None:
    studio = replace(studio, folder=tmp_path)
    program = studio.start(
        "--game", short_land(tmp_path), "--agent", "land_trader", "--seat", seat, brief=True
    )
    program.wait_for("briefing")
    studio.shoot(program, f"land-{seat}-rules")
    program.click("begin")
    program.wait_for("shown", type="GAME_START")

    for phase in ("first", "last"):
        if seat == "speculator_1":
            program.wait_for("shown", type="phase-transition")
            studio.shoot(program, f"land-{seat}-{phase}-others")
            program.wait_for("shown", type="phase-transition")
            program.click("decision.plots.owner_2")
            program.wait_for("decision")
        else:
            program.wait_for("shown", type="phase-transition")
            time.sleep(FORM_TAKES_KEYS_AFTER)
            program.press("F4")
            program.types("300")
            if phase == "first":  # the last one asks only for what holds
                program.press("Return")
                program.types("500")
            program.wait_for("decision", complete=True)
        studio.shoot(program, f"land-{seat}-{phase}-form")
        program.click("decide")
        program.wait_for("shown", type="DECIDE", sender=seat)
        studio.shoot(program, f"land-{seat}-{phase}-decided")
        if phase == "first":
            program.wait_until(lambda told: "ticket.price" in told["widgets"], "ticket")
            program.wait_for("shown", type="contract-fulfilled")
            studio.shoot(program, f"land-{seat}-market")
    program.wait_for("ended")
    studio.shoot(program, f"land-{seat}-end")


def short_land(folder: Path) -> str:
    """Copy the land market with short phases; return the game's folder."""
    shutil.copytree(bundled("games") / "land_market", folder / "land_market")
    file = folder / "land_market" / "game.json"
    game = json.loads(file.read_text(encoding="utf-8"))
    for phase in game["terms"]["phases"]:
        phase["seconds"] = 12 if phase.get("trade") else 60
    file.write_text(json.dumps(game), encoding="utf-8")
    return str(file.parent)


def test_words_that_are_understood(studio: Studio, tmp_path: Path) -> None:
    # In English, whatever the window speaks: that the strip is seen in every look.
    game = json.loads((bundled("games") / "campsite.json").read_text(encoding="utf-8"))
    game["rules"]["reading_language"] = "en"
    file = tmp_path / "campsite.json"
    file.write_text(json.dumps(game), encoding="utf-8")
    program = studio.start("--game", str(file), "--agent", "negochat")
    program.wait_for("shown", type="SEND_MESSAGE")

    program.types("I take 2 food and 1 water, you get 1 food and 2 water")
    program.press("Return")

    assert program.wait_for("reading_shown")["meaning"] == "proposal"
    studio.shoot(program, "15-understood")


def test_a_session_that_was_interrupted(studio: Studio) -> None:
    first = studio.start("--game", "practice", "--agent", "fair")
    first.wait_for("shown", type="SEND_MESSAGE")
    first.kill()

    program = studio.start()

    program.wait_for("unfinished")
    studio.shoot(program, "11-unfinished")
    program.click("resume")
    program.wait_for("taken_up")
    program.wait_for("shown", type="RESUMED")
    studio.shoot(program, "12-resumed")


def test_a_session_that_is_seen_again(studio: Studio, tmp_path: Path) -> None:
    played = [
        "simulate",
        "--game",
        "resource_exchange",
        "--agents",
        "fair",
        "linear",
        "--n",
        "1",
        "--seed",
        "3",
    ]
    assert run([*played, "--logs", str(tmp_path / "played")]) == 0
    log = sorted((tmp_path / "played").rglob("*.jsonl"))[0]
    viewer = studio.begin(*studio.looks.arguments, on=studio.screen, replayed=log)

    viewer.wait_for("replay_ready")
    for _ in range(9):
        viewer.press("n")
        viewer.wait_for("replay_at")
    studio.shoot(viewer, "13-replay")
    viewer.click("replay.tab.outcomes")
    viewer.wait_for("replay_outcomes")
    studio.shoot(viewer, "14-outcomes")
