"""Agents that are run again on their log do the same, and if they do not, the first difference is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.catalogue import find_agent, find_game
from negoplatform.app.resimulate import resimulate
from negoplatform.app.simulate import simulate
from negoplatform.cli.main import run
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.reader import SessionLog, read_log

FICKLE = """
from pathlib import Path
from negoplatform.agent_api.actions import SendMessage, Schedule
from negoplatform.agent_api.base import NegotiationAgent

class Fickle(NegotiationAgent):
    '''Says what stands in a file beside it, so that it can change its mind.'''

    def on_game_start(self, ctx, event):
        return [SendMessage('Hello'), Schedule(9000, lambda ctx: SendMessage('Later'))]

    def on_time(self, ctx, event):
        return [SendMessage((Path(__file__).parent / 'word.txt').read_text())]
"""


@pytest.fixture
def played(tmp_path: Path) -> Callable[..., SessionLog]:
    """The log of a simulated game."""

    def play(first: str, second: str, *, game: str = "practice", seed: int = 3) -> SessionLog:
        logs = tmp_path / "logs"
        agents = [find_agent(first, tmp_path), find_agent(second, tmp_path)]
        spec = find_game(game, tmp_path)
        assert list(simulate(spec, agents, games=1, seed=seed, logs=logs, report=lambda _error: None))
        return read_log(min(logs.iterdir()))

    return play


@pytest.fixture
def fickle(tmp_path: Path) -> Path:
    """An agent that says what it is told by a file."""
    (tmp_path / "word.txt").write_text("One")
    (tmp_path / "fickle.py").write_text(FICKLE)
    return tmp_path / "fickle.py"


@pytest.mark.parametrize("game", ["practice", "land_sale", "job_candidate"])
def test_agents_by_chance_do_again_what_they_did(
    tmp_path: Path, played: Callable[..., SessionLog], game: str
) -> None:
    found = resimulate(played("random_bids", "conceder", game=game), tmp_path)

    assert found.differences == ()
    assert found.agents == 2
    assert found.acts > 5


def test_callbacks_are_called_again_at_the_times_at_which_they_were_called(
    tmp_path: Path, played: Callable[..., SessionLog], fickle: Path
) -> None:
    log = played(str(fickle), "fair")

    found = resimulate(log, tmp_path, [str(fickle)])

    assert found.differences == ()
    assert any(event.get_text() == "Later" for event in log.events)


def test_the_first_difference_is_named(
    tmp_path: Path,
    played: Callable[..., SessionLog],
    fickle: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = played(str(fickle), "fair")
    (tmp_path / "word.txt").write_text("Two")

    code = run(["resimulate", str(log.path), "--agent", str(fickle), "--data-dir", str(tmp_path)])

    first = next(event for event in log.events if event.get_text() == "One")
    out = capsys.readouterr().out.splitlines()
    assert code == 1
    assert out[0].startswith(f"line {first.seq + 1} (event {first.seq}): the agent at {first.sender}: ")


def test_an_agent_that_changed_since_is_not_taken_for_the_same(
    tmp_path: Path, played: Callable[..., SessionLog], fickle: Path
) -> None:
    log = played(str(fickle), "fair")
    fickle.write_text(FICKLE + "\n# another line\n")

    with pytest.raises(NegoError, match="is not here as it was"):
        resimulate(log, tmp_path, [str(fickle)])


def test_a_log_that_was_exported_cannot_be_run_again(
    tmp_path: Path, played: Callable[..., SessionLog], capsys: pytest.CaptureFixture[str]
) -> None:
    log = played("fair", "conceder")
    out = tmp_path / "view.jsonl"
    assert run(["replay", str(log.path), "--view", "public", "--out", str(out)]) == 0
    capsys.readouterr()

    assert run(["resimulate", str(out), "--data-dir", str(tmp_path)]) == 1
    assert "only a complete log" in capsys.readouterr().err


def test_an_act_that_was_slipped_into_the_log_is_noticed(
    tmp_path: Path, played: Callable[..., SessionLog]
) -> None:
    log = played("fair", "conceder")
    lines: list[dict[str, Any]] = [json.loads(line) for line in log.path.read_text("utf-8").splitlines()]
    said = next(line for line in lines if line.get("type") == "SEND_MESSAGE")
    said["payload"]["text"] = "Something else."
    forged = tmp_path / "forged.jsonl"
    lines[0]["schema"] = "negoplatform.log/1"
    for line in lines:
        del line["hash"]
    forged.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")

    found = resimulate(read_log(forged), tmp_path)

    assert found.differences[0].seq == said["seq"]
