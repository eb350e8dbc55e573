"""Memory of a participant's process: nothing of the other seat, its agent, wizard, principal, assistant."""

from __future__ import annotations

import json
import os
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from negoplatform.app.joining.join_client import JoinClient
from negoplatform.app.joining.join_link import parse_address
from negoplatform.app.session.windows.session_feed import FeedSuggestion
from negoplatform.plugins.program_and_user_folders import bundled
from tests.app.joining.hosted import PATIENCE
from tests.window.conftest import Program
from tests.window.joining.processes import child_process, forms_of, found_in_memory
from tests.window.joining.test_joined_windows import Host, Lobby
from tests.x_server import Screen

pytestmark = [
    pytest.mark.window,
    pytest.mark.new_python,
    pytest.mark.skipif(
        not sys.platform.startswith("linux") or os.geteuid() != 0,
        reason="the memory of other processes is read",
    ),
]

STORY, WORDS, FILE = "An owl told me 0815.", "I wait for the wizard 4711.", "zebrafinch_agent"
INSTRUCTION, PLAN = "Be as hard as flint 1848.", "find_the_heron_1919"
RESERVATION = 3.1406257319
"""Number without zero bytes in its binary form: those of 3.140625 are found in memory by chance."""
MANDATE = 2.7182818459
"""Reservation value of a principal's mandate."""
PATIENT = 90.0
"""Seconds that the start may take: agent, assistant and principal have processes of their own."""

AGENT = f"""
from negoplatform.agent_api import NegotiationAgent, SendMessage


class Agent(NegotiationAgent):
    name = "Robin"

    def on_game_start(self, ctx, event):
        return [SendMessage({WORDS!r})]
"""

AGENDA = f"""
from negoplatform.agent_api import AgendaAssistant, Plan


class Agenda(AgendaAssistant):
    def plan(self, ctx):
        return Plan([self.task(ctx, "first", {PLAN!r}, "pending")], {{}})
"""


def planted_files(folder: Path) -> tuple[str, str]:
    """Write a game and an agent with secrets of the agent's seat; return their paths."""
    game = json.loads((bundled("games") / "practice.json").read_bytes())
    seat = game["seats"]["agent"]
    seat["story"] = STORY
    seat["preferences"]["reservation_value"] = RESERVATION
    instruction = {
        "at_seconds": 0,
        "to": "agent",
        "text": INSTRUCTION,
        "mandate": {"reservation_value": MANDATE},
    }
    head = {"over": ["agent"], "agent": "scripted_head", "settings": {"instructions": [instruction]}}
    game["principals"] = {"head": head}
    (folder / "planted.json").write_text(json.dumps({**game, "name": "planted"}), encoding="utf-8")
    (folder / f"{FILE}.py").write_text(AGENT, encoding="utf-8")
    (folder / "hidden.py").write_text(AGENDA, encoding="utf-8")
    return str(folder / "planted.json"), str(folder / f"{FILE}.py")


def secrets_of(codes: dict[str, str]) -> dict[str, list[bytes]]:
    """Return the forms of the secrets, with the codes of the roles by name."""
    texts = {"story": STORY, "words": WORDS, "file": FILE, "reservation text": str(RESERVATION)}
    found = {name: forms_of(text) for name, text in texts.items()}
    for name, said in (("instruction", INSTRUCTION), ("plan", PLAN)):
        found[name] = forms_of(said)
    found["mandate"] = forms_of(str(MANDATE))
    found["reservation value"] = [struct.pack("<d", RESERVATION)]
    for role, code in codes.items():
        found[f"code of {role}"] = forms_of(code) + forms_of(code.replace("-", ""))
    return found


@contextmanager
def wizard_with_a_suggestion(lobby: Lobby) -> Iterator[None]:
    """Join as the wizard, and wait for a suggestion once the context has begun the game."""
    place, code = lobby.places["wizard"]
    errors: list[BaseException] = []
    client = JoinClient(*parse_address(place), code, report=errors.append)
    client.start()
    try:
        yield
        while not isinstance(client.items.get(timeout=PATIENCE), FeedSuggestion):
            pass
    finally:
        client.stop()
    assert errors == []


@pytest.mark.parametrize("command", ["play", "join"])
def test_the_memory_of_a_participants_process_holds_nothing_of_the_other_side(
    command: str, screen: Screen, start: Callable[..., Program], tmp_path: Path
) -> None:
    game, agent = planted_files(tmp_path)
    options = ["--game", game, "--agent", agent, "--wizard", "agent"]
    options += ["--assistant", f"hidden={tmp_path / 'hidden.py'}"]
    with ExitStack() as stack:
        if command == "play":
            player = start("--listen", "--participant", "P01", "--reduce-motion", *options, patience=PATIENT)
            player.wait_for("connecting")
            lobby = Lobby(start, lambda: screen, player.printed)
            window, host = (child_process(player.process.pid, word) for word in ("--hosted", "host"))
        else:
            hosting = Host(tmp_path / "data", *options, "--people", "P01")
            stack.callback(hosting.await_end)
            stack.callback(hosting.interrupt)
            lobby = Lobby(start, lambda: screen, hosting.await_codes())
            player = lobby.join("human")
            window, host = player.process.pid, hosting.process.pid
        own = "human"
        secrets = secrets_of({role: code for role, (_, code) in lobby.places.items() if role != own})
        with wizard_with_a_suggestion(lobby):
            player.wait_for("joined", role="seat")
            if command == "join":
                player.click("begin")
        player.wait_for("shown")
        player.types("Hello there")
        player.press("Return")
        player.wait_for("shown", type="SEND_MESSAGE", sender="human")

        in_window, in_host = (found_in_memory(process, secrets) for process in (window, host))

    (log,) = (tmp_path / "data" / "sessions").glob("*/events.jsonl")
    events = log.read_text(encoding="utf-8").partition("\n")[2]
    assert all(secret in events for secret in (PLAN, INSTRUCTION))
    assert in_window == set()
    # The same search finds them where they have to be.
    assert in_host >= {*secrets} - {"reservation text"}
