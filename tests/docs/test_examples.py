"""What the guides show is run as it stands there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from negoplatform.app.catalogue import find_game
from negoplatform.cli.main import run
from negoplatform.testing import TrialTable, check_agent

ROOT = Path(__file__).parent.parent.parent


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a page."""
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


def test_the_agent_of_the_readme_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = tmp_path / "patient.py"
    agent.write_text(blocks("README.md", "python")[0], encoding="utf-8")

    code = run(["simulate", "--game", "resource_exchange", "--agents", str(agent), "fair", "--n", "2"])

    assert code == 0
    assert "0 failures of agents" in capsys.readouterr().out


def passes(folder: Path) -> str:
    """What pytest says of a folder of tests, as the guides tell to run it."""
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
    )
    return told.stdout


def test_the_mixed_agent_of_the_guide_plays_and_passes_its_own_test(tmp_path: Path) -> None:
    agent, test = blocks("docs/expressive.md", "python")
    (tmp_path / "moody.py").write_text(agent, encoding="utf-8")
    (tmp_path / "test_moody.py").write_text(test, encoding="utf-8")

    told = passes(tmp_path)

    assert "1 passed" in told, told
    assert check_agent(tmp_path / "moody.py") == []


def test_the_agent_of_the_guide_plays_and_passes_its_own_test(tmp_path: Path) -> None:
    agent, test = blocks("docs/agents.md", "python")[:2]
    (tmp_path / "halver.py").write_text(agent, encoding="utf-8")
    (tmp_path / "test_halver.py").write_text(test, encoding="utf-8")

    told = passes(tmp_path)

    assert "1 passed" in told, told
    assert (
        run(
            [
                "simulate",
                "--game",
                "practice",
                "--agents",
                str(tmp_path / "halver.py"),
                "conceder",
                "--n",
                "2",
            ]
        )
        == 0
    )


def test_the_game_of_the_guide_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = tmp_path / "flat.json"
    game.write_text(blocks("docs/games.md", "json")[0], encoding="utf-8")

    code = run(["simulate", "--game", str(game), "--agents", "fair", "boulware", "--n", "2"])

    assert json.loads(game.read_text(encoding="utf-8"))["name"] == "flat"
    assert code == 0
    assert "0 failures of agents" in capsys.readouterr().out


def test_every_page_that_a_page_names_is_there() -> None:
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} names {target}"


def test_the_check_of_the_guide_finds_the_missing_brackets(tmp_path: Path) -> None:
    (tmp_path / "test_hasty.py").write_text(blocks("docs/agents.md", "python")[2], encoding="utf-8")

    told = passes(tmp_path)

    assert "1 passed" in told, told


def test_the_state_of_the_guide_keeps_what_its_game_announces(tmp_path: Path) -> None:
    game = json.loads(blocks("docs/games.md", "json")[0])
    game |= json.loads("{" + blocks("docs/typed_state.md", "json")[0] + "}")
    (tmp_path / "game.json").write_text(json.dumps(game), encoding="utf-8")
    (tmp_path / "state.py").write_text(blocks("docs/typed_state.md", "python")[0], encoding="utf-8")
    table = TrialTable(find_game(str(tmp_path), tmp_path))

    table.wait(181)

    state = table.context("agent").state
    assert state is not None
    public = state.model_dump()["public_information"]
    assert public == {"tax_rate": 0.05, "first_tax_rate": 0.1, "changes": 1}
    assert state.model_dump()["private_information"] == {"value_signals": [130.0, 150.0]}
