"""Commands with negotiators of NegMAS, for which a small package stands in where it is not installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest

from negoplatform.app.catalogue import negmas_agents
from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.agent_setup import prepare_in_process
from negoplatform.domain.errors import NegoError
from negoplatform.formats.log_header import Occupant
from tests.games import game_file
from tests.strategies.negmas.fake_negmas import write_fake_negmas
from tests.strategies.negmas.test_negotiator_agent import the_game

NEGMAS_PYTHON = os.environ.get("NEGMAS_PYTHON") or (sys.executable if find_spec("negmas") else "")
"""Python with NegMAS; empty: there is none, and the trials with NegMAS are skipped."""


def command(
    *arguments: str, data: Path, python: str = sys.executable, path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the program, with a folder in front of the module search path."""
    environment: Mapping[str, str] = {**os.environ, **({} if path is None else {"PYTHONPATH": str(path)})}
    return subprocess.run(
        [python, "-m", "negoplatform", "--data-dir", str(data), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )


def rerun_sentence(logs: Path, data: Path, python: str, path: Path | None) -> str:
    (log, *_) = sorted(logs.glob("*/*.jsonl"))
    return command("resimulate", str(log), data=data, python=python, path=path).stdout


def test_simulate_plays_it_in_a_process_of_its_own_and_resimulate_repeats_it(tmp_path: Path) -> None:
    write_fake_negmas(tmp_path / "fake")
    game = game_file(tmp_path, the_game())
    agents, logs = ("negmas:DiceNegotiator", "boulware"), tmp_path / "logs"

    played = command(
        *("simulate", "--game", game, "--agents", *agents, "--n", "1", "--logs", str(logs)),
        data=tmp_path,
        path=tmp_path / "fake",
    )

    assert "0 failures of agents, 0 actions refused." in played.stdout, played.stderr
    assert "share one process" not in played.stderr
    header = json.loads(next(logs.glob("*/*.jsonl")).read_text(encoding="utf-8").splitlines()[0])
    who = next(seat for seat in header["seats"].values() if seat["agent"] == "negmas:DiceNegotiator")
    assert who["config"]["negotiator"] == "DiceNegotiator"
    assert "No difference" in rerun_sentence(logs, tmp_path, sys.executable, tmp_path / "fake")


def test_the_folder_of_its_log_has_no_colon(tmp_path: Path) -> None:
    write_fake_negmas(tmp_path / "fake")
    game = game_file(tmp_path, the_game())

    command(
        *("simulate", "--game", game, "--agents", "negmas:Noted", "boulware", "--n", "1"),
        *("--seatings", "given", "--logs", str(tmp_path / "logs")),
        data=tmp_path,
        path=tmp_path / "fake",
    )

    (folder,) = (tmp_path / "logs").iterdir()
    assert "negmas-Noted" in folder.name


def test_check_looks_at_it_in_another_process(tmp_path: Path) -> None:
    write_fake_negmas(tmp_path / "fake")

    done = command(
        *("check", "negmas:StrayNegotiator", "--game", game_file(tmp_path, the_game())),
        data=tmp_path,
        path=tmp_path / "fake",
    )

    assert done.returncode == 1
    assert "which is no outcome of this game" in done.stdout


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Have NegMAS 0.16.0 installed, as far as its metadata go."""
    monkeypatch.setattr(negmas_agents, "find_spec", lambda name: name)
    monkeypatch.setattr(negmas_agents, "version", lambda _name: "0.16.0")
    return monkeypatch


@pytest.mark.usefixtures("installed")
def test_it_is_never_run_inside_the_program(tmp_path: Path) -> None:
    plugin = find_agent("negmas:BoulwareTBNegotiator", tmp_path)

    with pytest.raises(NegoError, match="only runs in a process of its own"):
        prepare_in_process(plugin, "agent", {}, game=find_game("campsite", tmp_path))


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("name", ["negmas:", "negmas:Two words", "negmas:../x.py"])
def test_a_text_that_is_no_name_of_a_class_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(NegoError, match=r"names no negotiator of NegMAS; write negmas:BoulwareTBNegotiator"):
        find_agent(name, tmp_path)


def test_without_negmas_one_sentence_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(negmas_agents, "find_spec", lambda _name: None)

    with pytest.raises(
        NegoError, match=r"not installed here: pip install '\.\[negmas\]' in NegoPlatform's source folder"
    ):
        find_agent("negmas:BoulwareTBNegotiator", tmp_path)


def test_a_log_of_another_version_of_negmas_is_not_run_again(
    tmp_path: Path, installed: pytest.MonkeyPatch
) -> None:
    plugin = find_agent("negmas:BoulwareTBNegotiator", tmp_path)
    (who,) = [
        Occupant(
            kind="agent",
            name="B",
            agent=plugin.name,
            file=plugin.file.name,
            sha256=plugin.sha256,
            version="0.16.0",
            config={},
        )
    ]
    installed.setattr(negmas_agents, "version", lambda _name: "0.17.1")

    with pytest.raises(NegoError, match=r"played with NegMAS 0\.16\.0, and 0\.17\.1 is installed here"):
        negmas_agents.find_logged_negmas_agent(who)


@pytest.mark.skipif(
    not NEGMAS_PYTHON, reason="NegMAS is not installed; set NEGMAS_PYTHON to a Python with it"
)
@pytest.mark.parametrize(
    ("negotiator", "game"),
    [
        ("BoulwareTBNegotiator", "used_car"),
        ("MiCRONegotiator", "campsite"),
        ("NaiveTitForTatNegotiator", "job_candidate"),
    ],
)
def test_negotiators_of_negmas_play_to_an_end_and_are_repeated(
    negotiator: str, game: str, tmp_path: Path
) -> None:
    agents, logs = (f"negmas:{negotiator}", "boulware"), tmp_path / "logs"

    played = command(
        *("simulate", "--game", game, "--agents", *agents, "--n", "1", "--time-limit", "60"),
        *("--logs", str(logs)),
        data=tmp_path,
        python=NEGMAS_PYTHON,
    )

    assert "0 failures of agents, 0 actions refused." in played.stdout, played.stderr
    assert "No difference" in rerun_sentence(logs, tmp_path, NEGMAS_PYTHON, None)
