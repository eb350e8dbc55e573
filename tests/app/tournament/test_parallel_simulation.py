"""Games of simulate in several processes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.session_plan import with_time_limit
from negoplatform.app.simulation.simulate import Seatings, simulate
from negoplatform.app.tournament.parallel_simulation import SimulatedGames, simulate_in_parallel
from negoplatform.cli.main import run
from negoplatform.domain.errors import NegoError
from tests.app.tournament.small_tournaments import ENDS_EVERY_PROCESS, ENDS_ITS_PROCESS_ONCE


def games(tmp_path: Path, *agents: str, n: int = 22) -> SimulatedGames:
    """Return quick games of these agents."""
    game = with_time_limit(find_game("practice", tmp_path), 15)
    return SimulatedGames(game, tuple(find_agent(name, tmp_path) for name in agents), n, 5)


def test_results_and_their_order_are_those_of_one_process(tmp_path: Path) -> None:
    wanted = games(tmp_path, "conceder", "random_bids")

    found = list(simulate_in_parallel(wanted, jobs=2, data_dir=tmp_path))

    alone = simulate(
        wanted.game,
        wanted.agents,
        games=wanted.games,
        seed=wanted.seed,
        logs=None,
        report=print,
        how=Seatings.ROTATIONS,
    )
    assert found == list(alone)


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is a signal of POSIX systems")
def test_games_whose_process_ended_are_played_again(tmp_path: Path) -> None:
    agent = tmp_path / "ends.py"
    agent.write_text(ENDS_ITS_PROCESS_ONCE, encoding="utf-8")

    wanted = games(tmp_path, str(agent), "conceder", n=2)

    found = list(simulate_in_parallel(wanted, jobs=2, data_dir=tmp_path))

    assert agent.with_suffix(".begun").exists()
    assert [result.seed for result in found] == [5, 6, 5, 6]


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is a signal of POSIX systems")
def test_an_agent_that_always_ends_its_process_is_a_sentence(tmp_path: Path) -> None:
    agent = tmp_path / "ends.py"
    agent.write_text(ENDS_EVERY_PROCESS, encoding="utf-8")

    with pytest.raises(NegoError, match="A process ended 3 times while games were played in it"):
        list(simulate_in_parallel(games(tmp_path, str(agent), "conceder", n=2), jobs=2, data_dir=tmp_path))


def test_the_command_prints_the_same_with_and_without_jobs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["simulate", "--game", "practice", "--agents", "conceder", "random_bids", "--n", "3"]
    run([*arguments, "--data-dir", str(tmp_path)])
    alone = capsys.readouterr().out

    code = run([*arguments, "--jobs", "2", "--data-dir", str(tmp_path)])

    assert code == 0
    assert capsys.readouterr().out == alone


def test_isolated_agents_need_no_jobs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["simulate", "--game", "practice", "--agents", "fair", "micro", "--isolated", "--jobs", "2"]

    code = run([*arguments, "--data-dir", str(tmp_path)])

    assert code == 1
    assert "leave out --jobs" in capsys.readouterr().err
