"""The replay viewer, controlled by a real mouse and real keys."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.simulation.simulate import Seatings, simulate
from negoplatform.core.events import Expression
from negoplatform.domain.game import GameSpec
from negoplatform.gui.replay.goods_tabs import TimePlot
from negoplatform.gui.replay.replay_parts import TabCallbacks
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.appearance import Appearance
from negoplatform.testing import TrialTable
from tests.eventlog.logs import recorded
from tests.several_seats import shares, village
from tests.window.conftest import LONGEST, Program, pictures
from tests.x_server import Screen

pytestmark = pytest.mark.window

FIRST_OFFER, SECOND_OFFER, LAST_OFFER = 3, 5, 7
"""Numbers of the offers in the log."""


def talk(table: TrialTable) -> None:
    """Play a session of 24 seconds with three offers and a deal; ticks are events too."""
    table.human.says("Hello")
    table.human.offers(bananas=(4, 0), grain=(5, 0), wood=(3, 0), spices=(3, 0))
    table.wait(4)
    table.agent.shows(Expression.ANGRY)
    table.agent.offers(bananas=(0, 4), grain=(2, 3), wood=(0, 3), spices=(0, 3))
    table.wait(20)
    table.human.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    table.human.accepts()
    table.agent.accepts()
    table.play_out()


@pytest.fixture
def log(tmp_path: Path, game: GameSpec) -> Path:
    return recorded(tmp_path, game, talk)


@pytest.fixture
def view(start: Callable[..., Program]) -> Callable[..., Program]:
    """Function that opens a log; the program must end without output on stderr or a crash file."""
    return lambda log, *arguments: start(*arguments, replayed=log)


def into_dialog(program: Program, screen: Screen, title: str, path: Path) -> None:
    """Write a path into the system's dialog once it is open."""
    screen.wait_for_window(title)
    program.press("ctrl+a")
    program.types(str(path))
    program.press("Return")


def test_a_session_is_stepped_through_by_mouse_and_keys(
    view: Callable[..., Program], log: Path, tmp_path: Path
) -> None:
    viewer = view(log)
    events = viewer.wait_for("replay_ready", problem="")["events"]
    places = pictures(tmp_path)

    viewer.press("n")
    viewer.wait_for("replay_at", seq=FIRST_OFFER, t=0.0)
    viewer.click("replay.next_offer")
    after = viewer.wait_until(lambda told: told["ev"] == "replay_at" and told["t"] == 4.0, "the second offer")
    viewer.press("Left")
    viewer.wait_for("replay_at", seq=after["seq"] - 1)
    viewer.click("replay.next")
    viewer.wait_for("replay_at", seq=after["seq"])
    viewer.press("End")
    viewer.wait_for("replay_at", seq=events)
    viewer.shoot(places / "replay-end.png")
    viewer.press("ctrl+Left")
    viewer.wait_for("replay_at", t=24.0)
    viewer.click("replay.timeline")
    middle = viewer.wait_until(lambda told: told["ev"] == "replay_at" and told["t"] != 24.0, "a click")
    assert 8 < middle["t"] < 16
    viewer.press("Home")
    viewer.wait_for("replay_at", seq=0, t=0.0)


def test_a_session_is_played_faster_to_its_end_and_from_the_start_again(
    view: Callable[..., Program], log: Path
) -> None:
    viewer = view(log)
    viewer.wait_for("replay_ready")

    viewer.choose("replay.speed", *["Down"] * 4)
    viewer.wait_for("replay_speed", speed=16.0)
    viewer.click("replay.play")
    viewer.wait_for("replay_playing")
    viewer.wait_until(lambda told: told["ev"] == "replay_at" and 0 < told["t"] < 24, "a moment between")
    assert viewer.wait_for("replay_finished")["t"] == pytest.approx(24, abs=0.5)
    viewer.press("minus")
    viewer.wait_for("replay_speed", speed=8.0)
    viewer.click("replay.play")
    viewer.wait_for("replay_at", seq=0)
    viewer.click("replay.play")
    viewer.wait_for("replay_paused")


def test_it_is_seen_with_other_eyes_and_kept_as_a_picture(
    view: Callable[..., Program], log: Path, screen: Screen, tmp_path: Path
) -> None:
    viewer = view(log)
    viewer.wait_for("replay_ready")

    viewer.click("replay.view_as.agent")
    viewer.wait_for("replay_view", view="agent")
    viewer.click("replay.view_as.complete")
    viewer.wait_for("replay_view", view="complete")
    viewer.click("replay.tab.outcomes")
    viewer.wait_for("replay_outcomes")
    viewer.shoot(pictures(tmp_path) / "replay-outcomes.png")
    viewer.click("replay.save")
    into_dialog(viewer, screen, "Save picture", tmp_path / "plot.png")
    viewer.wait_for("replay_saved", path=str(tmp_path / "plot.png"))

    with Image.open(tmp_path / "plot.png") as image:
        assert image.size == (1440, 920)


def test_the_whole_viewer_is_reached_by_tab_in_the_order_of_reading(
    view: Callable[..., Program], log: Path
) -> None:
    viewer = view(log)
    viewer.wait_for("replay_ready")
    wanted = [
        *("replay.view_as.complete", "replay.view_as.human", "replay.view_as.agent", "replay.panel"),
        *("transcript", "text_view"),
        *(f"replay.tab.{name}" for name in ("utilities", "outcomes", "offers", "event")),
        *("replay.utilities", "replay.save", "replay.previous_offer", "replay.previous", "replay.play"),
        *("replay.next", "replay.next_offer", "replay.skip_silences", "replay.speed", "replay.timeline"),
    ]
    reached: list[str] = []

    # Two more are lists that scroll, which have no names.
    viewer.press(*["Tab"] * (len(wanted) + 2))
    while "replay.timeline" not in reached:
        reached.append(viewer.wait_for("focus")["widget"])

    assert reached == wanted


def test_a_torn_log_is_shown_as_far_as_it_is_sound(view: Callable[..., Program], log: Path) -> None:
    log.write_bytes(log.read_bytes()[:-20])

    viewer = view(log)
    told = viewer.wait_for("replay_ready")

    assert "this last line is cut off" in told["problem"]
    viewer.press("End")
    viewer.wait_for("replay_at", seq=told["events"])


def test_a_log_is_opened_from_the_start_window_which_comes_back(
    start: Callable[..., Program], screen: Screen, log: Path
) -> None:
    program = start()
    program.wait_for("start_screen")

    program.click("open_log")
    into_dialog(program, screen, "Open a log", log)
    program.wait_for("replay_ready", problem="")
    program.press("n")
    program.wait_for("replay_at", seq=FIRST_OFFER)
    program.click("replay.done")
    program.wait_for("start_screen")


def test_of_viewers_that_were_closed_nothing_is_left(screen: Screen, log: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "tests.window.programs.replay_leaks", str(log)],
        env=screen.env,
        check=True,
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )

    early, late, alive = map(int, told.stdout.split())
    assert (late, alive) == (early, 0)
    assert told.stderr == ""


def test_with_many_seats_the_views_are_in_a_list(view: Callable[..., Program], tmp_path: Path) -> None:
    def greet(table: TrialTable) -> None:
        table.participant("harbour").says("Hello from the harbour.")
        table.participant("mill").offers(water=shares(table.state.game, 2, 2), place="Market")

    viewer = view(recorded(tmp_path, village(8), greet))
    viewer.wait_for("replay_ready")

    viewer.choose("replay.view_as", "Home", "Down", "Down")
    viewer.wait_for("replay_view", view="farm")
    viewer.click("replay.tab.offers")
    viewer.press("End")
    viewer.wait_for("replay_at")
    viewer.shoot(pictures(tmp_path) / "replay-eight.png")

    assert not [name for name in viewer.widgets if name.startswith("replay.view_as.")]


def test_views_are_in_a_list_where_large_text_leaves_no_room_for_their_buttons(
    view: Callable[..., Program], tmp_path: Path
) -> None:
    log = recorded(tmp_path, village(4), lambda table: table.play_out())
    usual = view(log)
    usual.wait_for("replay_ready")
    names = [name for name in usual.widgets if name.startswith("replay.view_as.")]
    usual.stop()

    viewer = view(log, "--text-size", "200")
    viewer.wait_for("replay_ready")
    viewer.choose("replay.view_as", "End")
    viewer.wait_for("replay_view")

    assert len(names) == 5
    assert not [name for name in viewer.widgets if name.startswith("replay.view_as.")]


@pytest.fixture
def goods_log(tmp_path: Path) -> Callable[[str, str], Path]:
    """Function that records a simulated game of one agent in all seats."""

    def record(game: str, agent: str) -> Path:
        folder, plugin = tmp_path / game, find_agent(agent, tmp_path)
        for _ in simulate(
            find_game(game, tmp_path), [plugin], games=1, seed=3, logs=folder,
            report=lambda error: pytest.fail(str(error)), how=Seatings.GIVEN, fill=plugin,
        ):  # fmt: skip
            pass
        return next(folder.glob("*/events.jsonl"))

    return record


def trades_of(log: Path, kind: str) -> list[int]:
    """Return the numbers of the events of trades."""
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()[1:]]
    return [line["seq"] for line in lines if line["type"] == kind]


def test_a_market_is_stepped_from_trade_to_trade_with_prices_book_and_accounts(
    view: Callable[..., Program], goods_log: Callable[[str, str], Path], tmp_path: Path
) -> None:
    log = goods_log("grain_market", "zero_intelligence")
    trades, places = trades_of(log, "contract-fulfilled"), pictures(tmp_path)
    viewer = view(log)
    viewer.wait_for("replay_ready", problem="")

    viewer.press("n")
    viewer.wait_for("replay_at", seq=trades[0])
    viewer.press("n")
    viewer.wait_for("replay_at", seq=trades[1])
    for tab in ("book", "accounts", "event", "prices"):
        viewer.click(f"replay.tab.{tab}")
        viewer.shoot(places / f"replay-market-{tab}.png")
    # The plot has a mark for each trade; the first one that the arrow keys choose is the first trade.
    viewer.click("replay.prices")
    viewer.wait_for("replay_at")
    viewer.press("Right")
    viewer.press("Return")
    viewer.wait_for("replay_at", seq=trades[0])
    viewer.press("n")
    viewer.wait_for("replay_at", seq=trades[1])


def test_trading_is_opened_with_its_proposals_and_trades(
    view: Callable[..., Program], goods_log: Callable[[str, str], Path], tmp_path: Path
) -> None:
    log = goods_log("tac_trading", "tac_baseline")
    settled, places = trades_of(log, "transaction-confirmation"), pictures(tmp_path)
    viewer = view(log)
    viewer.wait_for("replay_ready", problem="")

    for number in settled[:3]:
        viewer.press("n")
        viewer.wait_for("replay_at", seq=number)
    for tab in ("proposals", "trades", "event", "accounts"):
        viewer.click(f"replay.tab.{tab}")
        viewer.shoot(places / f"replay-trading-{tab}.png")
    viewer.click("replay.tab.trades")
    viewer.press("Home")
    viewer.wait_for("replay_at", seq=0)
    viewer.press("n")
    viewer.wait_for("replay_at", seq=settled[0])
    viewer.press("Right")
    viewer.wait_until(lambda told: told["ev"] == "replay_at" and told["seq"] > settled[0], "the next event")
    # One trade so far: the row on which the list is chosen by the keyboard.
    viewer.tab_to("replay.trades")
    viewer.press("Return")
    viewer.wait_for("replay_at", seq=settled[0])


def test_a_plot_leaves_room_for_the_rows_below_in_a_low_section(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    problems: list[BaseException] = []
    theme = Theme("Plot", Appearance(), problems.append)
    on = TabCallbacks(lambda _position: None, lambda _t: None, lambda: None, problems.append)
    plot = TimePlot(theme.root, theme, on, lambda *_at: pytest.fail("it is not shown"))
    usual = int(plot.frame.cget("height"))

    plot.fit(theme.px(200))
    low = int(plot.frame.cget("height"))
    plot.fit(theme.px(600))
    high = int(plot.frame.cget("height"))
    theme.root.destroy()

    assert low < theme.px(200) - theme.px(30)
    assert high == usual
    assert problems == []
