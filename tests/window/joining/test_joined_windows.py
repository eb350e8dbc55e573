"""Windows in other processes that join a session: two people, a wizard, the experimenter, a spectator."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from negoplatform.core.events import EndedBy, Ending, EventType
from negoplatform.eventlog.reader import read_log
from negoplatform.formats.join_protocol import DEFAULT_PORT
from tests.app.joining.hosted import until
from tests.app.joining.test_join_attacks import attackers, guess
from tests.window.conftest import APART, LONGEST, Program, accept_at_last, replayed
from tests.window.joining.cut_link import CutLink
from tests.window.joining.processes import child_process
from tests.x_server import Screen

pytestmark = [pytest.mark.window, pytest.mark.new_python]

JOINED_BY = re.compile(r"  (\w+): negoplatform join (\S+) --code (\S+)")

Start = Callable[..., Program]


@pytest.fixture
def screens() -> Iterator[Callable[[], Screen]]:
    """Function that makes one more screen, for a window of its own."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(Screen())


class Lobby:
    """Codes that a host prints, and the windows that join with them.

    Args:
        start: Starts a program.
        screens: Makes a screen.
        lines: The lines that the host printed.
    """

    def __init__(self, start: Start, screens: Callable[[], Screen], lines: list[str]) -> None:
        self._start, self._screens = start, screens
        self.places = {found[1]: (found[2], found[3]) for line in lines if (found := JOINED_BY.match(line))}

    def join(self, role: str, *more: str, code_of: str = "") -> Program:
        """Join in a role in a window on a screen of its own."""
        place, code = self.places[code_of or role]
        named = ("--as", role) if code_of else ()
        return self._start(
            "--reduce-motion", *more, what=["join", place, "--code", code, *named], on=self._screens()
        )


class Host:
    """Process of ``negoplatform host``.

    Args:
        data_dir: The folder of its sessions.
        arguments: Its arguments.
    """

    def __init__(self, data_dir: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "negoplatform", "host", "--data-dir", str(data_dir), *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self._read: list[str] = []

    def await_codes(self) -> list[str]:
        """Return the lines that it prints until windows can join."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._read.append(line.rstrip("\n"))
            if line.startswith("Ctrl-C"):
                break
        return self._read

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self.process.send_signal(signal.SIGINT)

    def await_end(self) -> str:
        """Wait until it has ended by itself; return all that it printed since."""
        output, _ = self.process.communicate(timeout=LONGEST)
        assert self.process.returncode == 0, output
        return output


def hosted(start: Start, screens: Callable[[], Screen], *options: str) -> tuple[Program, Lobby]:
    """Start a session with its participant's window, and read the codes for the other windows."""
    player = start("--listen", "--participant", "P01", "--reduce-motion", *options)
    player.wait_for("connecting")
    return player, Lobby(start, screens, player.printed)


def types_of(program: Program) -> list[str]:
    return [event["type"] for event in program.events()]


def test_the_console_follows_a_session_with_a_wizard_whose_window_comes_and_goes(
    screens: Callable[[], Screen], start: Start
) -> None:
    player, lobby = hosted(
        start, screens, "--game", "practice", "--agent", "fair", "--wizard", "agent:manual"
    )
    console = lobby.join("experimenter", "--text-size", "150")
    console.wait_for("joined", role="experimenter")
    wizard = lobby.join("wizard")
    wizard.wait_for("joined", role="wizard", seat="agent")
    player.wait_for("joined", role="seat", seat="human")
    console.wait_for("console_news", started=True)

    player.types("Hello")
    player.press("Return")
    console.wait_until(lambda told: told["ev"] == "console_news" and told["seq"] > 3, "the message")
    wizard.kill()
    again = lobby.join("wizard")
    again.wait_for("joined", role="wizard", seat="agent")
    player.walk_away()
    again.wait_for("shown", type="GAME_END")
    again.click("done")
    again.wait_for("wizard_done")
    player.wait_for("shown", type="GAME_END")
    player.click("done")
    player.wait_for("thanks")
    console.wait_for("console_over")
    console.click("console.events")
    chosen = console.wait_for("console_at")["position"]
    console.click("console.live")
    console.wait_for("console_live")
    console.wait_for("join_refused", text="The host has ended.")
    console.click("console.column.side")
    console.wait_for("console_column", shown="side")
    console.click("console.column.offer")
    console.wait_for("console_column", shown="offer")
    console.click("console.tab.offers")

    events = player.events()
    notes = [event["payload"]["kind"] for event in events if event["type"] == EventType.NOTE]
    assert notes.count("seat_joined") >= 3
    assert "seat_left" in notes
    assert "raw_view_opened" in notes
    assert 0 < chosen < len(events)


def test_two_people_in_two_windows_play_a_session_that_a_host_runs(
    screens: Callable[[], Screen], start: Start, tmp_path: Path
) -> None:
    host = Host(
        tmp_path / "data",
        "--game",
        "used_car",
        "--people",
        "buyer=P01",
        "--people",
        "seller=P02",
        "--closing-time",
        "2",
    )
    lobby = Lobby(start, screens, host.await_codes())
    buyer, seller = lobby.join("buyer"), lobby.join("seller")
    for person in (buyer, seller):
        person.wait_for("joined", role="seat")
        person.click("begin")
    spectator = lobby.join("public")
    spectator.wait_for("joined", role="public")
    spectator.wait_for("console_news", started=True)
    buyer.types("Hello there")
    buyer.press("Return")
    seller.wait_for("shown", type="SEND_MESSAGE", sender="buyer")
    seller.walk_away()
    for window in (buyer, seller):
        window.wait_for("finished")
    spectator.wait_for("console_over")
    output = host.await_end()

    (log,) = (tmp_path / "data" / "sessions").glob("*/events.jsonl")
    assert f"Log: {log}, last hash" in output
    assert "The person in the seat seller has joined." in output
    assert "Hello there" in replayed(log)
    header = read_log(log).header
    assert {seat: who.participant for seat, who in header.seats.items()} == {"buyer": "P01", "seller": "P02"}


def test_two_people_agree_though_the_connection_of_one_is_cut_in_between(
    screens: Callable[[], Screen], start: Start, tmp_path: Path
) -> None:
    people = ("--people", "human=P01", "--people", "agent=P02", "--closing-time", "1")
    host = Host(tmp_path / "data", "--game", "practice", *people)
    lobby = Lobby(start, screens, host.await_codes())
    place, code = lobby.places["agent"]
    with CutLink(int(with_port(place).rpartition(":")[2])) as link:
        lobby.places["agent"] = f"127.0.0.1:{link.port}", code
        human, agent = lobby.join("human"), lobby.join("agent")
        for person in (human, agent):
            person.wait_for("joined", role="seat")
            person.click("begin")
        human.wait_for("shown")
        offer(human, "apples.human.more", "apples.agent.more")
        agent.wait_for("shown", type="SEND_OFFER", sender="human")
        link.cut()
        agent.wait_for("link_lost")
        human.wait_for("absent", seats=["agent"])
        link.restore()
        agent.wait_for("link_restored")
        human.wait_for("absent", seats=[])
        accept_at_last(agent)
        human.wait_for("shown", type="FORMAL_ACCEPT", sender="agent")
        accept_at_last(human)
        for person in (human, agent):
            person.wait_for("finished")
        output = host.await_end()

    (log,) = (tmp_path / "data" / "sessions").glob("*/events.jsonl")
    assert f"Log: {log}, last hash" in output
    endings = [event.payload for event in read_log(log).events if isinstance(event.payload, Ending)]
    assert [ending.ended_by for ending in endings] == [EndedBy.AGREEMENT]
    assert "P01" in replayed(log)
    command = [
        sys.executable,
        "-m",
        "negoplatform",
        "resimulate",
        str(log),
        "--data-dir",
        str(tmp_path / "data"),
    ]
    assert subprocess.run(command, check=False, timeout=LONGEST).returncode == 0


def offer(program: Program, mine: str, theirs: str) -> None:
    """Offer three apples each, picked on Sunday."""
    for cell in (*(mine, theirs) * 3, "day.Sunday"):
        program.click(cell)
        program.wait_for("draft")
        time.sleep(APART)
    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER")


def test_a_mistyped_code_is_told_and_can_be_corrected(
    screens: Callable[[], Screen], start: Start, tmp_path: Path
) -> None:
    host = Host(tmp_path / "data", "--game", "practice", "--agent", "fair", "--people", "P01")
    lobby = Lobby(start, screens, host.await_codes())
    place, code = lobby.places["human"]
    window = start("--reduce-motion", what=["join"])
    window.wait_for("join_form", problem="")

    window.types(place)
    window.press("Tab")
    window.types("ABCDE-FGHJK")
    window.press("Return")
    told = window.wait_until(lambda told: told["ev"] == "join_form" and told["problem"] != "", "the problem")
    window.press("ctrl+a")
    window.types(code.lower())
    window.press("Return")
    window.wait_for("joined", role="seat", seat="human")

    assert told["problem"] == f"The host at {with_port(place)} does not accept this code."
    host.interrupt()
    assert "nothing was kept" in host.await_end()


def test_a_second_window_with_the_same_code_takes_the_place_of_the_first(
    screens: Callable[[], Screen], start: Start, tmp_path: Path
) -> None:
    host = Host(tmp_path / "data", "--game", "practice", "--agent", "fair", "--people", "P01")
    lobby = Lobby(start, screens, host.await_codes())
    first = lobby.join("human")
    first.wait_for("joined")
    first.click("begin")
    first.wait_for("shown")

    second = lobby.join("human")
    refused = first.wait_for("join_refused")
    second.wait_for("joined")
    second.types("I am here now")
    second.press("Return")
    second.wait_for("shown", type="SEND_MESSAGE", sender="human")

    assert "Another window has joined with this code" in refused["text"]
    host.interrupt()
    output = host.await_end()
    assert "To continue the session: negoplatform host --resume" in output
    assert "(not finished)" in output


def test_a_window_says_how_its_session_goes_on_if_its_host_is_gone(
    screens: Callable[[], Screen], start: Start, tmp_path: Path
) -> None:
    player, _lobby = hosted(start, screens, "--game", "practice", "--agent", "fair")
    player.wait_for("joined", role="seat", seat="human")
    player.wait_for("shown")
    host = child_process(player.process.pid, "host")

    os.kill(host, signal.SIGKILL)
    gone = player.wait_for("host_gone")

    assert Path(gone["log"]) == player.log()
    player.stop()
    again = start("--listen", "--resume", str(player.log()), "--reduce-motion")
    again.wait_for("joined", role="seat", seat="human")
    again.wait_for("shown")
    again.walk_away()
    again.wait_for("finished")
    assert EventType.RESUMED in types_of(again)


def test_the_start_window_leads_to_the_form(screens: Callable[[], Screen], start: Start) -> None:
    window = start("--reduce-motion")
    window.wait_for("start_screen")

    window.click("join")

    window.wait_for("join_form", problem="")


def test_a_wizard_whose_window_is_killed_in_any_mode_comes_back_while_codes_are_guessed(
    screens: Callable[[], Screen], start: Start
) -> None:
    player, lobby = hosted(start, screens, "--game", "practice", "--agent", "fair", "--wizard", "agent")
    wizard = lobby.join("wizard")
    player.wait_for("joined", role="seat")
    wizard.wait_for("suggestion")
    port = int(with_port(lobby.places["wizard"][0]).rpartition(":")[2])

    for mode in ("assisted", "manual", "autonomous"):
        if mode != "assisted":
            wizard.click(f"mode.{mode}")
            wizard.wait_for("wizard_mode", mode=mode)
        wizard.kill()
        # From the address of the wizard's window, whose code is hardly ever checked now.
        with attackers(port, guess, number=1) as attempts:
            await_attempts(attempts)
            wizard = lobby.join("wizard")
            wizard.wait_for("wizard_mode", mode=mode)
        assert not [told for told in wizard.told if told["ev"] == "link"]
    player.walk_away()
    player.wait_for("finished")

    kinds = [event["payload"].get("kind") for event in player.events() if event["type"] == EventType.NOTE]
    assert kinds.count("wizard_mode") == 2


def await_attempts(attempts: list[int]) -> None:
    """Wait until some attacks were tried."""
    until(lambda: attempts[0] > 2)


def with_port(place: str) -> str:
    """Return an address with its port."""
    return place if ":" in place else f"{place}:{DEFAULT_PORT}"
