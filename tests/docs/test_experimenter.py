"""Steps on the page for experimenters, carried out as written in a study folder of their own."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from negoplatform.app.session.log_proofs import LogProof, append_proof
from negoplatform.cli.main import cli, run
from negoplatform.cli.run_context import RunContext
from tests.docs.pages import ROOT, Block, blocks_of

PAGE = "docs/experimenter.md"

AGENT = """
from negoplatform.agent_api.base import NegotiationAgent


class Silent(NegotiationAgent):
    pass
"""


def block(language: str, having: str) -> Block:
    """Return the page's one block in a language that contains a text."""
    (found,) = (each for each in blocks_of(PAGE) if each.language == language and having in each.text)
    return found


@dataclass(frozen=True, slots=True)
class Study:
    """Working folder with a home folder next to it, and the program on the shell's search path."""

    folder: Path

    def put_on_the_way(self, program: str) -> None:
        """Make ``negoplatform`` a command of the shell."""
        way = self.folder.parent / "bin" / "negoplatform"
        way.parent.mkdir(exist_ok=True)
        way.write_text(f"#!/bin/sh\n{program}\n", encoding="utf-8")
        way.chmod(0o700)

    def does(self, text: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        """Run lines in a shell, which stops at the first that fails, and return the result."""
        home = self.folder.parent / "home"
        own = {"PATH": f"{self.folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}", "HOME": str(home)}
        return subprocess.run(
            ["sh", "-ec", text],
            cwd=self.folder,
            env={
                **os.environ,
                **own,
                "XDG_DATA_HOME": str(home / ".local" / "share"),
                "PYTHONPATH": str(ROOT),
            },
            input=typed,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )

    def logs(self) -> list[Path]:
        """Return the collected logs."""
        return sorted((self.folder / "collected").rglob("events.jsonl"))


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Study folder with the real program."""
    study = Study(tmp_path / "study")
    study.folder.mkdir()
    study.put_on_the_way(f'exec "{sys.executable}" -m negoplatform "$@"')
    return study


@pytest.fixture
def collected(study: Study) -> Study:
    """Study folder with two sessions from one computer, and their proofs."""
    place = study.folder / "collected" / "pc01"
    play = ["simulate", "--game", "practice", "--agents", "fair", "linear", "--n", "1"]
    assert run([*play, "--logs", str(place)]) == 0
    for log in study.logs():
        events = log.read_bytes().count(b"\n") - 1
        append_proof(place, LogProof(log, "P-101", events, log.read_bytes()[-67:-3].decode()))
    return study


@pytest.fixture
def planned(study: Study) -> Study:
    """Study folder with the plan and the script of the page, and a program that prints its arguments."""
    (study.folder / "plan.txt").write_text(block("", "boulware").text, encoding="utf-8")
    (study.folder / "study.sh").write_text(block("sh", "plan.txt").text, encoding="utf-8")
    study.put_on_the_way('echo "$@"')
    return study


def test_the_script_starts_what_the_plan_has_for_a_code(planned: Study) -> None:
    told = planned.does("sh study.sh", typed="P-102\n")

    words = told.stdout.removeprefix("Participant code: ").split()
    read = cli.commands["play"].make_context("play", words[1:], obj=RunContext()).params
    assert told.returncode == 0
    assert words[0] == "play"
    assert (read["agents"], read["seed"], read["participant"]) == ({None: "boulware"}, 102, "P-102")


@pytest.mark.parametrize("code", ["P-1", "P-103", "", "boulware"])
def test_the_script_starts_nothing_for_a_code_that_is_not_in_the_plan(planned: Study, code: str) -> None:
    told = planned.does("sh study.sh", typed=f"{code}\n")

    assert told.returncode == 1
    assert told.stdout == f"Participant code: There is no code {code} in plan.txt.\n"


def test_games_and_agents_are_looked_at_before_the_study(study: Study) -> None:
    told = study.does(block("sh", "check-game").text)

    assert told.returncode == 0, told.stderr
    assert "0 failures of agents" in told.stdout


def test_an_agent_of_ones_own_is_trusted_by_the_command(study: Study) -> None:
    agent = study.folder.parent / "home" / ".local" / "share" / "NegoPlatform" / "agents" / "my_agent.py"
    agent.parent.mkdir(parents=True)
    agent.write_text(AGENT, encoding="utf-8")

    told = study.does(block("sh", "trust").text)

    assert told.returncode == 0, told.stderr
    assert "my_agent" in study.does("negoplatform list agents --plain").stdout


def test_proofs_find_a_log_whose_last_line_is_missing(collected: Study) -> None:
    lines = block("sh", "--proofs").text
    whole = collected.does(lines)
    cut = collected.logs()[0]
    content = cut.read_bytes().splitlines(keepends=True)

    cut.write_bytes(b"".join(content[:-1]))
    told = collected.does(lines)

    assert whole.returncode == 0, whole.stderr
    assert whole.stdout.endswith("collected: 2 proofs, and the logs are here as they were then\n")
    assert told.returncode == 1
    assert told.stderr.count("\n") == 1
    assert "lines are missing at its end" in told.stderr


def test_tables_are_made_and_read_as_the_page_says(collected: Study) -> None:
    made = collected.does("\n".join(block("sh", words).text for words in ("verify collected\n", "export")))
    means = subprocess.run(
        [sys.executable, "-c", block("python", "mean(").text],
        cwd=collected.folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    subprocess.run(
        [sys.executable, "-c", block("python", "sps").text], cwd=collected.folder, check=True, timeout=100
    )

    assert made.returncode == 0, made.stderr
    assert [line.split(",")[0] for line in means.stdout.splitlines()] == [
        "fair: 1 sessions",
        "linear: 1 sessions",
    ]
    syntax = (collected.folder / "sessions.sps").read_text(encoding="utf-8")
    with (collected.folder / "tables" / "sessions.csv").open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
    variables = syntax.partition("/VARIABLES=\n")[2].rstrip(".\n").splitlines()
    assert [variable.split()[0] for variable in variables] == header


def test_shared_sessions_do_not_name_the_agents_or_the_seed(collected: Study) -> None:
    log = collected.logs()[0]
    lines = block("sh", "--view human").text.replace("LOG", f'"{log}"')

    told = collected.does(lines)

    assert told.returncode == 0, told.stderr
    assert '"agent":"linear"' in log.read_text(encoding="utf-8")
    for name in ("as-participant.jsonl", "as-everybody.jsonl"):
        shared = (collected.folder / name).read_text(encoding="utf-8")
        assert '"agent":"linear"' not in shared
        assert '"seed":null' in shared.splitlines()[0]
