"""Frontier benchmark: two methods that agree, and the printed report."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks.frontier import LEVELS, divided_game, drawn_game, every_outcome, interacting_game, main
from negoplatform.domain.game import GameSpec
from negoplatform.domain.solutions.frontier import additive_frontier
from negoplatform.domain.solutions.integer_scaling import integer_game


@pytest.mark.parametrize(
    "make",
    [
        lambda: drawn_game(3, decimal=False),
        lambda: drawn_game(3, decimal=True),
        lambda: divided_game(2, 20, bend=1),
        lambda: divided_game(2, 20, bend=0.8),
    ],
)
def test_both_ways_find_the_same_number_of_points(make: Callable[[], GameSpec]) -> None:
    exact = integer_game(make())

    assert len(every_outcome(exact)) == len(additive_frontier(exact).points) > 1


def test_all_issues_of_the_interacting_game_interact() -> None:
    game = interacting_game(3)

    assert game.count_outcomes() == LEVELS**3
    assert not integer_game(game).additive


def test_the_report_gives_a_ratio_where_every_outcome_was_looked_at(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--most", "1000", "--times", "1"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.endswith("x")] == [
        line for line in lines if line.startswith("3 issues of 10,") and "chain" not in line
    ]
    assert any("1e+15" in line for line in lines)
