"""Other people's code, which the program isolates."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_game, list_games
from negoplatform.app.session.agent_setup import PreparedAgent, prepare_in_process, prepare_in_subprocess
from negoplatform.domain.errors import NegoError
from negoplatform.plugins import agent_loader
from negoplatform.plugins.agent_loader import display_name, make_agent
from tests.app.catalogue.test_catalogue import AGENT
from tests.app.trusting import trusted_agent, trusted_agents


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """User folder with empty folders for agents and games."""
    (tmp_path / "agents").mkdir()
    (tmp_path / "games").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("while True:\n    pass\n", "took longer than"),
        ("raise KeyboardInterrupt\n", "it raised KeyboardInterrupt"),
        ("class E(Exception):\n    def __str__(self):\n        raise OSError\nraise E\n", "it raised E"),
        ("import sys\nsys.modules.pop(__name__)\nraise ValueError\n", "it raised ValueError"),
    ],
)
def test_a_plugin_that_misbehaves_while_it_loads_is_a_row_and_the_rest_work(
    data_dir: Path, source: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent_loader, "LOAD_SECONDS", 1.0)
    stoppable = source.replace("while True:\n    pass", "import time\ntime.sleep(5)")
    (data_dir / "agents" / "odd.py").write_text(stoppable, encoding="utf-8")

    rows = {row.name: row for row in trusted_agents(data_dir)}

    assert rows["odd"].item is None
    assert reason in rows["odd"].reason
    assert rows["fair"].item is not None


@pytest.mark.parametrize("fault", ["raise SystemExit(3)", "raise KeyboardInterrupt", "raise BaseException"])
def test_an_agent_that_tries_to_leave_while_it_is_configured_is_a_sentence(
    data_dir: Path, fault: str
) -> None:
    (data_dir / "agents" / "odd.py").write_text(
        AGENT + f"\n    def configure(self, config):\n        {fault}\n", encoding="utf-8"
    )

    with pytest.raises(NegoError, match="setting up the agent 'odd' failed"):
        make_agent(trusted_agent("odd", data_dir), "agent", {})


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("from negoplatform.core.events import Expresion", "Expression"),
        ("import negoplatform.core.evnts", "events"),
        ("from negoplatform.agent_ap.bids import Bids", "agent_api"),
        ("from negoplatform.language.words import Wordz", "Words"),
        ("from negoplatform.core.events import Zebra", ""),
        ("import negoplatform.tomorrow", ""),
    ],
)
def test_a_mistyped_import_is_told_the_name_that_is_meant(data_dir: Path, line: str, meant: str) -> None:
    (data_dir / "agents" / "odd.py").write_text(f"{line}\n{AGENT}", encoding="utf-8")

    reason = {row.name: row.reason for row in trusted_agents(data_dir)}["odd"]

    assert ("another version of NegoPlatform" in reason) is (meant == "")
    if meant:
        assert reason.endswith(f" Perhaps {meant} is meant.")


def test_what_an_agent_adds_to_the_path_stays_there(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", sys.path[:])
    file = tmp_path / "adds.py"
    file.write_text(f"import sys\nsys.path.append({str(tmp_path / 'library')!r})\n{AGENT}", encoding="utf-8")

    agent_loader.load_agents(file, file.stem)

    assert sys.path[-1] == str(tmp_path / "library")


REFUSES = """
    def check_game(self, game):
        from negoplatform.domain.errors import AgentError
        raise AgentError(f"{self.agent_id} of {sorted(game.preferences)} needs three issues.")
"""


@pytest.mark.parametrize(
    "seat", [prepare_in_process, partial(prepare_in_subprocess, seed=1)], ids=["beside", "apart"]
)
def test_an_agent_refuses_a_game_in_a_sentence_before_anybody_sits_down(
    data_dir: Path, seat: Callable[..., PreparedAgent]
) -> None:
    (data_dir / "agents" / "odd.py").write_text(AGENT + REFUSES, encoding="utf-8")
    plugin, game = trusted_agent("odd", data_dir), find_game("practice", data_dir).resolve_profiles(1)

    with pytest.raises(NegoError, match=r"agent of \['agent'\] needs three issues\."):
        seat(plugin, "agent", {}, game=game)


def test_an_agent_that_cannot_say_its_name_is_called_agent(data_dir: Path) -> None:
    (data_dir / "agents" / "odd.py").write_text(
        AGENT + "\n    def get_name(self):\n        raise SystemExit\n", encoding="utf-8"
    )

    assert display_name(make_agent(trusted_agent("odd", data_dir), "agent", {})) == "Agent"


@pytest.mark.parametrize(
    "seat", [prepare_in_process, partial(prepare_in_subprocess, seed=1)], ids=["beside", "apart"]
)
def test_what_is_invisible_in_an_agents_name_is_shown(
    data_dir: Path, seat: Callable[..., PreparedAgent]
) -> None:
    (data_dir / "agents" / "odd.py").write_text(
        AGENT + "\n    def get_name(self):\n        return 'Ali\\u202ecexe\\u200b\\nBob'\n", encoding="utf-8"
    )

    prepared = seat(trusted_agent("odd", data_dir), "agent", {}, game=find_game("practice", data_dir))

    assert prepared.occupant().name == "Ali\\u202ecexe\\u200b Bob"
    prepared.discard()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in the file system")
def test_a_pipe_in_the_place_of_a_file_is_a_row_and_holds_nobody_up(data_dir: Path) -> None:
    os.mkfifo(data_dir / "games" / "pipe.json")
    os.mkfifo(data_dir / "agents" / "pipe.py")

    games = {row.name: row.reason for row in list_games(data_dir)}
    agents = {row.name: row.reason for row in trusted_agents(data_dir)}

    assert "no file but a folder or a device" in games["pipe"]
    assert "no file but a folder or a device" in agents["pipe"]
