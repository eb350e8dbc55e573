"""Output of ``negoplatform list``."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from negoplatform.app.catalogue import search_path
from negoplatform.app.catalogue.catalogue import find_game, list_agents
from negoplatform.cli.main import cli
from negoplatform.cli.render.catalogue_table import catalogue_lines
from negoplatform.hosting.sandbox.process_sandbox import available_sandbox
from negoplatform.plugins.agent_loader import discover_in_process
from tests.app.catalogue.test_agent_manifests import lay, trust


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a user folder with three agents, two of them trusted, and one agent on a USB stick."""
    data_dir = tmp_path / "data"
    monkeypatch.setattr(search_path, "beside_program", lambda kind: tmp_path / "stick" / kind)
    stick = lay(tmp_path / "stick" / "agents" / "carried")
    mine = lay(data_dir / "agents" / "mine", version="1.2", author="Jo Doe")
    lay(data_dir / "agents" / "newer", api_version="1.999")
    trust(data_dir, stick)
    mine.write_text(mine.read_text() + "\n# not trusted\n")
    return data_dir


def test_the_list_says_where_an_agent_comes_from_and_who_made_which_version(data_dir: Path) -> None:
    lines = list(catalogue_lines(list_agents(data_dir, describe=discover_in_process), plain=False))

    told = {line.split()[0]: " ".join(line.split()[1:]) for line in lines}
    assert told["carried"] == "(beside the program) Says nothing. And means it."
    assert told["mine"].startswith("(yours, version 1.2, by Jo Doe) not trusted yet: negoplatform trust ")
    assert told["newer"].startswith("(yours) CANNOT BE USED: ")
    assert told["boulware"][0] != "(", "what the program brings says nothing of itself"


def test_the_list_says_what_an_agent_may_do_beyond_its_seat(data_dir: Path) -> None:
    asked = {"network": ["api.example.org:443"], "write": ["scratch", "more"]}
    lay(data_dir / "agents" / "asker", permissions=asked)

    lines = list(catalogue_lines(list_agents(data_dir, describe=discover_in_process), plain=False))

    (line,) = (line for line in lines if line.startswith("asker"))
    said = 'network api.example.org:443; writes "scratch" and "more"'
    assert f"(yours, permissions: {said}) trusted with fewer permissions than it asks for now" in line


def test_the_list_of_agents_ends_with_their_sandbox_on_this_computer(tmp_path: Path) -> None:
    def said(*args: str) -> str:
        return CliRunner().invoke(cli, ["list", *args, "--data-dir", str(tmp_path)]).output

    level = available_sandbox()
    assert said("agents").splitlines()[-1] == f"Sandbox of agents' processes: {level.description}."
    assert "Sandbox" not in said("agents", "--plain")
    assert "Sandbox" not in said("games")


def test_the_plain_list_has_names_alone(data_dir: Path) -> None:
    lines = list(catalogue_lines(list_agents(data_dir, describe=discover_in_process), plain=True))

    assert "carried" in lines
    assert not {"mine", "newer"} & set(lines)
    assert not [line for line in lines if " " in line]


@pytest.mark.skipif(os.name != "posix", reason="no name of a file has a line break there")
def test_a_file_of_any_name_is_one_row(data_dir: Path) -> None:
    lay(data_dir / "agents" / "of\ntwo lines", api_version="1.999")
    trust(data_dir, lay(data_dir / "agents" / "sound\nof two"))

    rows = list_agents(data_dir, describe=discover_in_process)
    lines = [line for row in catalogue_lines(rows, plain=False) for line in row.splitlines()]

    assert [line.split(" (")[0].rstrip() for line in lines if "two" in line[:15]] == [
        "of\\ntwo lines",
        "sound\\nof two",
    ]
    assert "sound\\nof two" in catalogue_lines(rows, plain=True)


def test_agents_that_cannot_play_a_game_come_last_with_the_reason(tmp_path: Path) -> None:
    game = find_game("grain_market", tmp_path)

    lines = list(catalogue_lines(list_agents(tmp_path), plain=False, game=game))

    heads = [line for line in lines if not line.startswith(" ")]
    unfit = [" ".join(line.split("\n")) for line in heads if "CANNOT PLAY IT" in line]
    assert heads[-len(unfit) :] == [line for line in heads if "CANNOT PLAY IT" in line]
    told = {line.split()[0]: " ".join(line.split()) for line in unfit}
    assert "plays markets with the rules harberger, and grain_market has none" in told["land_trader"]
    assert "is of the kind market" in told["fair"]
    assert not {"zip", "zero_intelligence"} & set(told)


def test_the_plain_list_for_a_game_has_only_the_agents_that_play_it(tmp_path: Path) -> None:
    names = list(catalogue_lines(list_agents(tmp_path), plain=True, game=find_game("grain_market", tmp_path)))

    assert {"zip", "zero_intelligence"} <= set(names)
    assert not {"land_trader", "fair", "tac_baseline"} & set(names)


def test_a_game_narrows_the_list_of_agents_alone() -> None:
    result = CliRunner().invoke(cli, ["list", "games", "--game", "practice"])

    assert result.exit_code == 2
    assert "--game is for the list of agents" in result.output
