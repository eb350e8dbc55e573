"""The commands of the packaged program, compared with those of this checkout."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import negoplatform
from tests.eventlog.logs import lines_of
from tests.packaged.installed import LONGEST_COMMAND, Installed

AT_ITS_OWN_TIME = {"at", "created_at", "isolation", "session_id"}
"""Fields that do not follow from the seed."""

EARLIER_IMPORTS = """
from negoplatform.agent_api.bidder import Bidder
from negoplatform.agent_api.estimate import FrequencyEstimate
from negoplatform.core.typed import GameState
from negoplatform.domain.board import Board
from negoplatform.domain.seat import Seat
from negoplatform.language.phrasing import offer_in_words
from negoplatform.language.words import Words


class Earlier(Bidder):
    def least(self, ctx):
        return 0.7 * self.bids.highest

    def next_bid(self, ctx, answered):
        return self.bids.near(self.least(ctx), ctx.rng)
"""


def here(*arguments: str | Path) -> str:
    """Return the output of this checkout."""
    command = [sys.executable, "-m", "negoplatform", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=LONGEST_COMMAND).stdout


def games_in(folder: Path) -> list[list[dict[str, Any]]]:
    """Return the logs in a folder without fields that do not follow from the seed, by seed and seating."""
    logs = [lines_of(path) for path in folder.glob("*/events.jsonl")]
    told = [
        [{name: value for name, value in line.items() if name not in AT_ITS_OWN_TIME} for line in log]
        for log in logs
    ]
    return sorted(told, key=lambda log: json.dumps([log[0]["seed"], log[0]["seats"]]))


def test_it_is_of_this_version_and_brings_all_agents_and_games(app: Installed, tmp_path: Path) -> None:
    data_dir = ("--data-dir", tmp_path / "nothing of mine")

    assert negoplatform.__version__ in app.says("--version")
    for kind in ("agents", "games"):
        assert app.says("list", kind, "--plain", *data_dir) == here("list", kind, "--plain", *data_dir)
    assert app.says("schema", "game") == here("schema", "game")


def test_equal_seeds_give_the_very_events_that_the_source_gives_beside_the_table_and_in_processes(
    app: Installed, tmp_path: Path
) -> None:
    agents = ("--agents", "micro", "random_bids")
    wanted = ("simulate", "--game", "resource_exchange", *agents, "--n", "1", "--seed", "11", "--logs")
    here(*wanted, tmp_path / "source", "--data-dir", tmp_path)
    app.says(*wanted, tmp_path / "beside")
    app.says(*wanted, tmp_path / "in processes", "--isolated")

    source = games_in(tmp_path / "source")

    assert len(source) == 2
    assert max(len(log) for log in source) > 10
    assert games_in(tmp_path / "beside") == source
    assert games_in(tmp_path / "in processes") == source


def test_an_agent_may_import_from_the_paths_of_agent_api_1_0(app: Installed, tmp_path: Path) -> None:
    agent = tmp_path / "earlier.py"
    agent.write_text(EARLIER_IMPORTS, encoding="utf-8")

    told = app.run("simulate", "--game", "practice", "--agents", agent, "fair", "--n", "1")
    results = told.stdout

    assert told.returncode == 0
    assert told.stderr.startswith("Agents of different authors share one process here")
    assert told.stderr.count("\n") == 1
    assert "earlier  fair" in results
    assert "0 failures of agents" in results


def test_what_has_been_played_is_verified_played_by_the_agents_again_and_exported(
    app: Installed, tmp_path: Path
) -> None:
    played = tmp_path / "played"
    app.says(
        "simulate", "--game", "practice", "--agents", "fair", "tit_for_tat", "--n", "1", "--logs", played
    )
    logs = sorted(played.glob("*/events.jsonl"))

    assert app.says("log", "verify", *logs).count(": sound; ") == 2
    assert "No difference: " in app.says("resimulate", logs[0])
    app.says("export", played, "--out", tmp_path / "tables")
    with (tmp_path / "tables" / "sessions.csv").open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    assert len(rows) == 2
    picture = tmp_path / "outcomes.png"
    app.says("replay", logs[0], "--export-picture", "outcomes", picture)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_new_agent_is_written_checked_listed_and_plays(app: Installed) -> None:
    told = app.says("new-agent", "haggler")
    folder = app.data_dir / "agents" / "haggler"

    assert app.name_of(folder / "agent.py") in told
    assert "Nothing to complain about." in app.says("check", folder)
    assert "haggler" in app.says("list", "agents", "--plain").splitlines()
    table = app.says(
        "simulate", "--game", "practice", "--agents", "haggler", "fair", "--n", "1", "--isolated"
    )
    assert "0 failures of agents" in table


def test_what_cannot_be_is_said_in_a_sentence(app: Installed) -> None:
    told = app.run("simulate", "--game", "nobody's", "--agents", "fair", "fair")

    assert (told.returncode, told.stdout) == (1, "")
    assert told.stderr.startswith("negoplatform: ")
    assert told.stderr.count("\n") == 1
