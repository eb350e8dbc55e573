"""Round robin: figures of a pair from each side's view, and the printed tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.round_robin import Game, Match, agent_rows, figures, main

GOOD = Game(agreed=True, own=30, other=10, distance=0.1, seconds=60)
BAD = Game(agreed=False, own=5, other=5, distance=0.5, seconds=600)


def test_a_pairs_figures_are_means_and_the_time_is_that_of_agreements_alone() -> None:
    assert figures([GOOD, BAD]) == ["50%", "17.5", "7.5", "0.300", "60"]
    assert figures([BAD]) == ["0%", "5.0", "5.0", "0.500", ""]


def test_an_agents_row_sees_every_game_from_its_own_side() -> None:
    rows = agent_rows([Match("a", "b", (GOOD, BAD), 0)])

    assert [(row[0], row[1], row[3], row[4]) for row in rows] == [
        ("a", "2", "17.5", "7.5"),
        ("b", "2", "7.5", "17.5"),
    ]


def test_two_agents_play_each_other_and_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["campsite", "--games", "2", "--jobs", "1", "--only", "linear", "conceder"])

    printed = capsys.readouterr().out
    assert code == 0
    assert "| linear | linear | 100% |" in printed
    assert "| linear | conceder | 100% |" in printed
    assert "| conceder | conceder | 100% |" in printed


def test_what_was_played_is_kept_and_not_played_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["campsite", "--games", "2", "--jobs", "1", "--only", "linear", "--keep", str(tmp_path)]
    main(arguments)
    first = capsys.readouterr().out
    (kept,) = tmp_path.iterdir()
    kept.write_text(kept.read_text(encoding="utf-8").replace("true", "false"), encoding="utf-8")

    main(arguments)

    assert "| linear | linear | 100% |" in first
    assert "| linear | linear | 0% |" in capsys.readouterr().out
