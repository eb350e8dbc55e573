"""The command ``simulate``: its options, its table, and Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.simulation.simulate import GamePath, Result, simulate, summarize
from negoplatform.cli.render.simulation_table import simulation_lines
from negoplatform.core.events import EndedBy
from negoplatform.domain.seat_map import SeatMap
from tests.agents.seating import load
from tests.cli.render.test_measures import Said, command

__all__ = ["command"]

REFUSED = """
from negoplatform.agent_api import FormalAccept, NegotiationAgent

class Hasty(NegotiationAgent):
    '''Accepts before there is an offer.'''

    def on_game_start(self, ctx, event):
        return [FormalAccept()]
"""


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[Result]:
    """Return the results of the games of the next command, once it has run."""
    results: list[Result] = []

    def listening(*args: Any, **more: Any) -> Iterator[Result]:
        for result in simulate(*args, **more):
            results.append(result)
            yield result

    monkeypatch.setattr("negoplatform.cli.commands.simulate.simulate", listening)
    return results


def test_without_talk_shipped_bidders_play_by_index_and_the_table_says_that_it_is_the_fast_path(
    command: Callable[[str], Said], played: list[Result]
) -> None:
    code, out, _ = command("simulate --game practice --agents micro linear --n 2 --talk off")

    assert code == 0
    assert {result.path for result in played} == {GamePath.INDEXED}
    assert "All games were played on the fast path, with the same results." in out


def test_nothing_is_said_of_a_fast_path_that_no_game_took(command: Callable[[str], Said]) -> None:
    _, out, _ = command("simulate --game practice --agents micro linear --n 2")

    assert "fast path" not in out


def test_both_seatings_of_two_agents_are_their_rotations(
    command: Callable[[str], Said], played: list[Result]
) -> None:
    command("simulate --game practice --agents micro linear --n 1 --seatings both --talk off")
    both = list(played)
    played.clear()
    command("simulate --game practice --agents micro linear --n 1 --seatings rotations --talk off")

    assert len(both) == 2
    assert both == played


def test_both_seatings_are_refused_for_three_agents(command: Callable[[str], Said]) -> None:
    code, _, err = command("simulate --game three_way --agents micro linear micro --n 1 --seatings both")

    assert code == 1
    assert "Both seatings are those of two agents, and there are 3; name rotations or all." in err


def test_no_measures_are_computed_where_none_are_wanted(
    command: Callable[[str], Said], played: list[Result]
) -> None:
    _, out, err = command("simulate --game practice --agents micro linear --n 1 --no-measures")

    assert [result.measures for result in played] == [None, None]
    assert "Steps from one proposal" not in out
    assert err == ""


def test_measures_are_not_wanted_and_unwanted_at_once(command: Callable[[str], Said]) -> None:
    code, _, err = command("simulate --game practice --agents micro linear --n 1 --no-measures --measures")

    assert code == 1
    assert "--measures and --no-measures exclude each other" in err


def test_the_first_refused_action_of_an_agent_is_told(command: Callable[[str], Said], tmp_path: Path) -> None:
    (tmp_path / "hasty.py").write_text(REFUSED)

    _, out, _ = command("simulate --game practice --agents hasty.py hasty.py --n 2 --seed 4")

    assert "0 failures of agents, 4 actions refused." in out
    refused = "FORMAL_ACCEPT: There’s no offer on the table yet. (seed 4)"
    assert f"The first refused action: hasty as human: {refused}" in out


def test_a_game_of_three_seats_has_a_table_of_points_by_agent(
    command: Callable[[str], Said], played: list[Result]
) -> None:
    _, out, _ = command("simulate --game three_way --agents micro linear linear --n 1 --time-limit 60")

    lines = [line.split() for line in out.splitlines()]
    start = lines.index(["agent", "games", "points"])
    points = [
        sum(float(result.points[s] or 0) for s, a in result.agents.items() if a == "micro")
        for result in played
    ]
    assert lines[start + 1] == ["micro", "3", f"{sum(points) / 3:.2f}"]
    assert lines[start + 2][:2] == ["linear", "6"]


def test_points_by_agent_are_means_over_the_games_that_gave_points(
    command: Callable[[str], Said], played: list[Result]
) -> None:
    command("simulate --game three_way --agents micro linear linear --n 2 --time-limit 60")
    none = SeatMap((seat, None) for seat in played[0].agents)
    results = [replace(played[0], ended_by=EndedBy.ABORTED, points=none), *played[1:]]
    points = [result.points[s] for result in results for s, a in result.agents.items() if a == "micro"]

    lines = [line.split() for line in simulation_lines(load("three_way"), summarize(results))]

    known = [float(each) for each in points if each is not None]
    assert len(known) == 5
    assert ["micro", "6", f"{sum(known) / 5:.2f}"] in lines


def test_ctrl_c_leaves_the_table_of_the_games_that_were_played(
    command: Callable[[str], Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*args: Any, **more: Any) -> Iterator[Result]:
        for number, result in enumerate(simulate(*args, **more)):
            if number == 3:
                raise KeyboardInterrupt
            yield result

    monkeypatch.setattr("negoplatform.cli.commands.simulate.simulate", interrupted)

    code, out, err = command("simulate --game practice --agents micro micro --n 5 --talk off")

    assert code == 130
    assert "All games were played on the fast path" in out
    assert "Stopped after 3 of 5 games." in err
