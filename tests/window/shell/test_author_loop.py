"""An author plays against an agent while they write it: saved versions, some of them wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.errors import AgentError
from tests.window.conftest import Program, pictures

pytestmark = pytest.mark.window

START = Callable[..., Program]

AGENT = """
from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.base import NegotiationAgent


class Greeter(NegotiationAgent):
    def on_game_start(self, ctx, event):
        return [SendMessage("{words}")]
"""


def write(file: Path, words: str) -> None:
    """Save the agent as many editors do: another file takes its place."""
    half = file.with_suffix(".part")
    half.write_text(AGENT.format(words=words), encoding="utf-8")
    half.replace(file)


def greeting(program: Program) -> str:
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    said = next(event for event in program.events() if event["type"] == "SEND_MESSAGE")
    text: str = said["payload"]["text"]
    return text


def header(log: Path) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(log.read_text(encoding="utf-8").splitlines()[0])
    return line


def walk_away(program: Program) -> None:
    program.walk_away()
    program.wait_for("finished")


def test_what_is_saved_during_a_game_plays_the_next_one(start: START, tmp_path: Path) -> None:
    file = tmp_path / "greeter.py"
    write(file, "Hello.")
    program = start("--watch", str(file))
    first_log = Path(program.wait_for("table_screen")["log"])
    first = greeting(program)

    file.write_text("class Greeter(\n", encoding="utf-8")
    broken = program.wait_for("noted")
    write(file, "Good morning.")
    noted = program.wait_for("noted")
    program.shoot(pictures(tmp_path) / "watch-noted.png")
    walk_away(program)
    program.click("done")
    second_log = Path(program.wait_for("table_screen")["log"])
    second = greeting(program)

    assert broken["text"] == "greeter.py was saved, but line 1 is not valid Python"
    assert noted["text"] == "greeter.py was saved; the next game will use it"
    assert (first, second) == ("Hello.", "Good morning.")
    one, other = header(first_log), header(second_log)
    assert one["seats"]["agent"]["sha256"] != other["seats"]["agent"]["sha256"]
    assert (one["seed"], one["seats"]["human"]) == (other["seed"], other["seats"]["human"])


def test_a_text_that_cannot_be_loaded_is_tried_again_when_it_is_saved(start: START, tmp_path: Path) -> None:
    file = tmp_path / "greeter.py"
    file.write_text("import negoplatform\nclass Greeter(\n", encoding="utf-8")
    program = start("--watch", str(file))
    waits = program.wait_for("watch_waits")
    program.shoot(pictures(tmp_path) / "watch-waits.png")

    file.write_text("import negoplatform\n\nclass Greeter:\n    pass\n", encoding="utf-8")
    still = program.wait_for("watch_waits")
    write(file, "At last.")
    program.wait_for("watch_ready")
    program.press("Return")
    program.wait_for("table_screen")

    assert waits["text"] == f"{file}: loading it failed: line 2: '(' was never closed."
    assert still["text"] == f"{file} holds no subclass of NegotiationAgent."
    assert greeting(program) == "At last."


FAILING = """
from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.base import NegotiationAgent


class Greeter(NegotiationAgent):
    def on_game_start(self, ctx, event):
        return [SendMessage("Hello.")]

    def on_send_message(self, ctx, event):
{body}
"""


def say(program: Program, words: str) -> None:
    program.click("entry")
    program.types(words)
    program.press("Return")


def test_an_author_is_told_at_once_what_the_agent_did_wrong_and_where_more_stands(
    start: START, tmp_path: Path
) -> None:
    file = tmp_path / "greeter.py"
    file.write_text(FAILING.format(body="        return 1 // 0"), encoding="utf-8")
    program = start("--watch", str(file))
    program.may_report = ZeroDivisionError
    greeting(program)

    say(program, "Hello to you")
    noted = program.wait_for("noted")
    program.shoot(pictures(tmp_path) / "watch-fault.png")
    walk_away(program)
    program.shoot(pictures(tmp_path) / "watch-fault-end.png")

    sentence, _, trace = noted["text"].partition(" Details are in ")
    assert sentence == (
        "greeter.py: It raised ZeroDivisionError (integer division or modulo by zero) "
        "in line 11 of on_send_message."
    )
    assert "return 1 // 0" in Path(trace).read_text(encoding="utf-8")
    ended = [told for told in program.told if told["ev"] == "ended"]
    assert noted["text"] in ended[-1]["advice"]
    assert any(noted["text"] in line for line in program.printed)


def test_of_an_agent_that_hangs_its_author_is_told_where_it_stood(start: START, tmp_path: Path) -> None:
    file = tmp_path / "greeter.py"
    file.write_text(FAILING.format(body="        while True:\n            pass"), encoding="utf-8")
    settings = tmp_path / "settings.json"
    settings.write_text('{"budget": {"soft_seconds": 0.2, "hard_seconds": 0.5}}', encoding="utf-8")
    program = start("--watch", str(file), "--agent-config", str(settings))
    program.may_report = AgentError
    greeting(program)

    say(program, "Hello to you")
    noted = program.wait_until(
        lambda told: told["ev"] == "noted" and "restarted" in told["text"], "that it was restarted"
    )
    program.shoot(pictures(tmp_path) / "watch-hung.png")

    sentence, _, trace = noted["text"].partition(" Details are in ")
    assert sentence == "greeter.py: It did not react within 0.5 s. It was restarted."
    assert Path(trace) == program.log().with_name("agent-agent.txt")
    assert "in on_send_message" in Path(trace).read_text(encoding="utf-8")
