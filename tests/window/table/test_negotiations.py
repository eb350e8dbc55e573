"""Uses of the program by a person, with a real mouse and real keys."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.window.conftest import Program, accept_at_last, build, pictures, replayed
from tests.x_server import Screen

pytestmark = pytest.mark.window

START = Callable[..., Program]
ROOT = Path(__file__).parents[3]
PLUGINS = ROOT / "tests" / "plugin_files"


def test_a_person_reaches_an_agreement_by_words_offers_an_emotion_and_a_formal_accept(
    start: START, tmp_path: Path
) -> None:
    folder = pictures(tmp_path)
    program = start("--game", "resource_exchange", "--seed", "7", "--participant", "P01")
    program.wait_for("start_screen")
    program.shoot(folder / "1-start.png")

    program.click("agent.fair")
    program.wait_for("chosen", value="fair")
    program.click("start")
    program.wait_for("shown", type="GAME_START")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    program.click("entry")
    program.types("Bananas matter most to me. And to you?")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.click("emotion.happy")
    program.wait_for("shown", type="SEND_EXPRESSION", sender="human")
    program.shoot(folder / "2-talk.png")
    build(program, bananas__human=4, grain__human=3, grain__agent=2, wood__agent=3, spices__agent=3)
    program.wait_for("shown", type="OFFER_IN_PROGRESS", sender="human")
    program.shoot(folder / "3-offer.png")
    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER", sender="human")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="agent")
    program.click("accept")
    program.wait_for("dialog_open")
    program.shoot(folder / "4-accept.png")
    program.click("dialog.yes")
    ended = program.wait_for("ended")
    program.wait_for("finished")
    program.shoot(folder / "5-end.png")

    assert ended["heading"] == "You have a deal"
    assert ended["points"] == "You get 25 points."
    told = replayed(program.log())
    assert "follow from the rules, and so does the end" in told
    assert "human: P01 (human): 25 points" in told
    assert "agent: Rowan (agent fair): 25 points" in told
    assert "Bananas matter most to me. And to you?" in told


def test_the_minimal_agent_as_a_file_makes_a_deal_with_a_person(start: START) -> None:
    program = start("--game", "resource_exchange", "--agent", str(PLUGINS / "my_agent.py"))
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    build(program, bananas__human=4, grain__agent=5, wood__agent=3, spices__agent=3)

    program.click("send_offer")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="agent")
    accept_at_last(program)

    ended = program.wait_for("ended")
    assert ended["points"] == "You get 16 points."
    assert "agreement" in replayed(program.log())


def test_someone_about_to_accept_less_than_no_deal_is_warned_and_may_go_back(start: START) -> None:
    program = start("--game", "resource_exchange", "--agent", "conceder")
    program.wait_for("shown", type="SEND_OFFER", sender="agent")

    program.click("accept")
    program.wait_for("dialog_open")
    program.press("Escape")
    program.wait_for("dialog_closed")

    warned = [event for event in program.events() if event["type"] == "NOTE"]
    assert [note["payload"]["kind"] for note in warned] == ["warning_shown"]
    assert warned[0]["payload"]["data"]["about"] == "below_reservation_value"
    assert not [event for event in program.events() if event["type"] == "FORMAL_ACCEPT"]


def test_a_new_session_begins_with_the_rules_and_the_clock_starts_when_they_have_been_read(
    start: START, tmp_path: Path
) -> None:
    program = start("--game", "practice", "--agent", "fair", "--participant", "P04", brief=True)
    program.wait_for("briefing")
    program.wait_for("focus", widget="begin")
    program.shoot(pictures(tmp_path) / "0-rules.png")
    before = program.events()

    program.press("Escape", "Tab", "shift+Tab", "Tab", "Tab", "Tab")  # over all buttons, and back
    program.types("x")
    program.press("Return")
    program.wait_for("rules_closed")
    program.wait_for("shown", type="GAME_START")
    program.types("Hello!")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.click("rules")
    program.wait_for("rules_open")
    program.press("Escape")
    program.wait_for("rules_closed")
    program.click("walk_away")
    program.wait_for("dialog_open")
    program.click("dialog.yes")

    assert program.wait_for("ended")["heading"] == "You walked away: no deal"
    assert before == []
    assert [told["ev"] for told in program.told].count("rules_closed") == 2
    said = [event for event in program.events() if event["type"] == "SEND_MESSAGE"]
    assert [event["payload"]["text"] for event in said if event["sender"] == "human"] == ["Hello!"]


def test_the_window_closed_over_the_rules_asks_and_leaves_nothing(start: START) -> None:
    program = start("--game", "practice", "--agent", "fair", brief=True)
    program.wait_for("briefing")
    program.wait_for("focus", widget="begin")

    program.close_window()
    program.wait_for("dialog_open")
    program.click("dialog.yes")

    assert program.process.wait(30) == 0
    assert list((program.data_dir / "sessions").iterdir()) == []


def send_words_and_draft(program: Program) -> None:
    """Finish the words, send them and the draft, and check that both are whole."""
    program.click("entry")
    program.press("End")
    program.types("ting")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER", sender="human")

    own = [event for event in program.events() if event["sender"] == "human"]
    assert next(e["payload"]["text"] for e in own if e["type"] == "SEND_MESSAGE") == "I am still writing"
    bananas = next(e["payload"]["offer"] for e in own if e["type"] == "SEND_OFFER")
    assert bananas == {"bananas": {"human": 3, "agent": 0, "undecided": 1}}


def test_other_looks_at_the_table_leave_words_draft_and_everything_said_as_they_were(
    start: START, tmp_path: Path
) -> None:
    program = start("--game", "resource_exchange", "--agent", "fair")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    build(program, bananas__human=3)
    program.click("entry")
    program.types("I am still wri")

    program.click("other_theme")
    program.wait_for("rebuilt")
    program.click("larger")
    program.wait_for("rebuilt")
    program.shoot(pictures(tmp_path) / "13-other-looks.png")
    send_words_and_draft(program)


def test_walking_away_is_asked_once_and_pays_the_value_of_no_deal(start: START) -> None:
    program = start("--game", "practice", "--agent", "fair", "--participant", "P02")
    program.wait_for("shown", type="GAME_START")

    program.click("walk_away")
    program.wait_for("dialog_open")
    program.click("dialog.yes")

    ended = program.wait_for("ended")
    assert ended["heading"] == "You walked away: no deal"
    assert ended["points"] == "You get 4 points."
    assert "human walked away" in replayed(program.log())


def test_a_value_is_chosen_by_keys_and_sent_as_a_partial_offer(start: START) -> None:
    program = start("--game", "practice", "--agent", "fair")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    program.tab_to("day.Friday")
    program.press("Right", "space")
    program.wait_for("shown", type="OFFER_IN_PROGRESS", sender="human")
    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER", sender="human")

    offer = next(e for e in program.events() if e["type"] == "SEND_OFFER" and e["sender"] == "human")
    assert offer["payload"]["offer"] == {"day": "Saturday"}


def test_closing_the_window_of_a_running_game_asks_first_and_keeps_the_log(start: START) -> None:
    program = start("--game", "practice", "--agent", "fair")
    # By then the manager takes its keys for this window, a moment after it has been shown.
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    program.close_window()
    program.wait_for("dialog_open")
    program.press("Escape")
    program.wait_for("dialog_closed")
    assert program.process.poll() is None

    program.close_window()
    program.wait_for("dialog_open")
    program.click("dialog.yes")

    assert program.process.wait(30) == 0
    assert program.events()[-1]["payload"]["ended_by"] == "aborted"
    assert "follow from the rules, and so does the end" in replayed(program.log())


def test_words_that_no_keyboard_types_arrive_whole(start: START) -> None:
    program = start("--game", "practice", "--agent", "fair")
    program.wait_for("shown", type="GAME_START")

    program.click("entry")
    program.types("café – Zażółć, שלום \N{SLIGHTLY SMILING FACE}?")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")

    said = next(e for e in program.events() if e["type"] == "SEND_MESSAGE" and e["sender"] == "human")
    assert said["payload"]["text"] == "café – Zażółć, שלום \N{SLIGHTLY SMILING FACE}?"


def test_a_draft_is_not_touched_by_what_arrives(start: START) -> None:
    program = start("--game", "resource_exchange", "--agent", "fair")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    program.click("entry")
    program.types("I am still wri")
    build(program, bananas__human=3)

    program.wait_for("shown", type="SEND_OFFER", sender="agent")
    send_words_and_draft(program)


def test_a_wrong_seed_is_said_in_the_start_window_and_nothing_is_lost(start: START) -> None:
    program = start("--participant", "P03")
    program.wait_for("start_screen")

    program.click("advanced")
    program.wait_for("unfolded")
    program.click("seed")
    program.press("ctrl+a")
    program.types("seven")
    program.press("Return")
    program.wait_for("problem")
    program.press("ctrl+a")
    program.types("7")
    program.press("Return")
    program.wait_for("shown", type="GAME_START")

    header = program.log().read_text(encoding="utf-8").splitlines()[0]
    assert '"seed":7,' in header
    assert '"participant":"P03"' in header


def test_while_an_agent_loads_the_start_window_says_so_and_starts_nothing_twice(
    start: START, tmp_path: Path
) -> None:
    agent = tmp_path / "heavy.py"
    code = (PLUGINS / "my_agent.py").read_text(encoding="utf-8")
    agent.write_text(f"import time\n\ntime.sleep(1)\n{code}", encoding="utf-8")
    program = start("--agent", str(agent))
    program.wait_for("start_screen")

    program.click("start")
    program.wait_for("starting")
    program.shoot(pictures(tmp_path) / "12-starting.png")
    program.click("start")
    program.click("minutes")
    program.press("Return", "Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    assert [told["ev"] for told in program.told].count("starting") == 1
    assert len(list((program.data_dir / "sessions").glob("*/events.jsonl"))) == 1


HOSTILE = """
import time
from negoplatform.agent_api.actions import Schedule, SendOffer
from negoplatform.agent_api.base import NegotiationAgent


class Restless(NegotiationAgent):
    def on_game_start(self, ctx, event):
        self.offers = list(ctx.outcomes())
        return [Schedule(50, self.again)]

    def again(self, ctx):
        return [SendOffer(ctx.rng.choice(self.offers)), Schedule(50, self.again)]

    def on_formal_accept(self, ctx, event):
        while True:
            pass
"""


def test_nobody_is_bound_to_an_offer_that_they_did_not_see_however_restless_the_agent(
    start: START, tmp_path: Path
) -> None:
    agent = tmp_path / "restless.py"
    agent.write_text(HOSTILE, encoding="utf-8")
    program = start("--game", "resource_exchange", "--agent", str(agent))
    program.wait_for("shown", type="SEND_OFFER", sender="agent")

    program.click("accept")
    program.wait_for("dialog_open")
    program.wait_for("shown", type="SEND_OFFER", sender="agent")
    program.click("dialog.yes")
    program.wait_for("shown", type="ACTION_REFUSED")
    program.click("walk_away")
    program.wait_for("dialog_open")
    program.click("dialog.yes")

    assert program.wait_for("ended")["heading"] == "You walked away: no deal"
    refused = [event for event in program.events() if event["type"] == "ACTION_REFUSED"]
    assert refused[0]["payload"]["reason"] == "That offer is no longer on the table."
    assert not [event for event in program.events() if event["type"] == "FORMAL_ACCEPT"]


def test_a_deal_is_made_by_keys_alone(start: START) -> None:
    program = start("--game", "practice", "--agent", "conceder", "--participant", "P09")
    program.wait_for("shown", type="SEND_OFFER", sender="agent")

    program.types("Hello!")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    for _ in range(100):
        program.press("Tab")
        if program.wait_for("focus")["widget"] == "accept":
            break
    program.press("space")
    program.wait_for("dialog_open")
    program.press("shift+Tab", "space")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="human")

    own = [event["type"] for event in program.events() if event["sender"] == "human"]
    assert own[-1] == "FORMAL_ACCEPT"
    assert "TYPING" not in own[own.index("SEND_MESSAGE") :]


def test_the_command_without_anything_opens_the_start_window(screen: Screen, tmp_path: Path) -> None:
    """Run the command of `make run`."""
    process = subprocess.Popen(
        [sys.executable, "-m", "negoplatform"],
        env={**screen.env, "XDG_DATA_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    screen.wait_for_window("NegoPlatform")

    process.terminate()
    told, complained = process.communicate(timeout=30)

    assert (told, complained) == ("", "")
    assert not list(tmp_path.rglob("crash-*"))


@pytest.fixture
def dense_screen() -> Iterator[Screen]:
    """Screen at 2x: 2560 x 1440 at 192 dpi."""
    screen = Screen(192, (2560, 1440))
    yield screen
    screen.stop()


def test_everything_fits_a_dense_screen(dense_screen: Screen, start: START, tmp_path: Path) -> None:
    program = start("--game", "resource_exchange", "--agent", "fair", on=dense_screen)
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    program.shoot(pictures(tmp_path) / "6-dense.png")

    needed = {
        "entry",
        "send",
        "send_offer",
        "accept",
        "clear",
        "walk_away",
        "emotion.surprised",
        "spices.agent.more",
    }
    assert needed <= set(program.widgets)
    assert all(0 < x < 2560 and 0 < y < 1440 for x, y in program.widgets.values())


def test_without_a_display_one_sentence_names_the_way_that_works() -> None:
    env = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}

    told = subprocess.run(
        [sys.executable, "-m", "negoplatform", "play"], env=env, capture_output=True, text=True, timeout=30
    )

    assert told.returncode == 1
    assert told.stdout == ""
    assert told.stderr.count("\n") == 1
    assert "no display" in told.stderr
    assert "negoplatform simulate" in told.stderr
