"""Levels of possible bids as arrays."""

from __future__ import annotations

import numpy as np
import pytest

from negoplatform.agent_api import Bids
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, NumberIssue
from negoplatform.domain.offer import Allocation
from negoplatform.testing import TrialTable
from tests.agents.seating import load

GAMES = ("resource_exchange", "used_car", "three_way", "job_candidate")


def bids_of(game: GameSpec) -> tuple[Bids, str]:
    """Return the bids of the first seat, and its name."""
    table = TrialTable(game)
    table.start()
    return Bids(table.context(game.seats[0])), game.seats[0]


@pytest.mark.parametrize("name", GAMES)
def test_every_column_says_the_level_of_the_bid_at_its_place(name: str) -> None:
    game = load(name).resolve_profiles(1)
    bids, seat = bids_of(game)

    levels = bids.levels

    assert levels.issues == tuple(issue.name for issue in game.issues)
    for place in range(0, len(levels.points), max(1, len(levels.points) // 200)):
        offer = bids.at(place)
        assert levels.points[place] == game.preferences[seat].utility(offer)
        for issue in game.issues:
            term, level = offer.get(issue.name), levels.column(issue.name)[place]
            if isinstance(issue, CategoricalIssue):
                assert issue.values[int(level)] == term
            elif isinstance(issue, NumberIssue):
                assert level == term
            else:
                assert isinstance(term, Allocation)
                assert level == term.of(seat)


def test_numpy_reads_the_arrays_without_copying_numbers_one_by_one() -> None:
    bids, _ = bids_of(load("resource_exchange"))
    levels = bids.levels

    points, columns = np.asarray(levels.points), np.asarray(levels.columns)

    assert points.dtype == columns.dtype == np.float64
    assert columns.shape == (4, len(points))
    assert np.shares_memory(points, np.frombuffer(levels.points))
    assert bool((np.diff(points) >= 0).all())


def test_a_game_that_is_sampled_has_levels_of_the_sample() -> None:
    bids, _ = bids_of(load("three_way"))
    levels = bids.levels

    assert len(levels.points) == len(levels.columns[0])
    assert levels.points[0] == bids.lowest
    assert levels.points[-1] == bids.highest
