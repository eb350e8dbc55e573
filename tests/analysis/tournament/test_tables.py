"""Tables of a tournament, computed by hand for a few games."""

from __future__ import annotations

from random import Random

import pytest

from negoplatform.analysis.tournament.tables import ScoreKind, tournament_tables
from negoplatform.core.events import EndedBy
from tests.analysis.tournament.played import played


def test_each_seat_of_a_game_counts_for_its_agent() -> None:
    found = tournament_tables(
        [
            played("ann", "bob", (0.75, 0.25), welfare=0.5, measures={"nash_distance": 0.25}),
            played("bob", "ann", (0.5, 0.25), seed=2, welfare=1.0, measures={"nash_distance": 0.75}),
        ]
    )

    ann, bob = found.scores
    assert (ann.agent, ann.rank, ann.games, ann.mean) == ("ann", 1, 2, 0.5)
    assert (bob.agent, bob.rank, bob.games, bob.mean) == ("bob", 2, 2, 0.375)
    assert ann.sd == pytest.approx(0.125**0.5)
    assert (ann.own_advantage, ann.other_advantage) == (0.5, 0.375)
    assert (ann.welfare, ann.nash_distance, ann.agreement_rate) == (0.75, 0.5, 1.0)


def test_a_game_against_itself_counts_for_both_seats() -> None:
    found = tournament_tables([played("ann", "ann", (0.75, 0.25), failures=(2, 0), refusals=(1, 2))])

    (ann,) = found.scores
    assert (ann.games, ann.mean, ann.failures, ann.refusals) == (2, 0.5, 2, 3)


def test_failures_and_refusals_are_those_of_the_agent_and_of_the_other_seat() -> None:
    games = [
        played("ann", "bob", (0.5, 0.5), failures=(1, 0), refusals=(0, 4)),
        played("bob", "ann", (0.5, 0.5)),
    ]

    found = tournament_tables(games)

    ann, bob = sorted(found.scores, key=lambda row: row.agent)
    assert (ann.failures, ann.other_failures, ann.refusals, ann.other_refusals) == (1, 0, 0, 4)
    assert (bob.failures, bob.other_failures, bob.refusals, bob.other_refusals) == (0, 1, 4, 0)
    (against_bob,) = (row for row in found.pairs if row.agent == "ann")
    assert (against_bob.failures, against_bob.other_refusals) == (1, 4)


def test_games_without_a_score_are_counted_and_left_out_of_the_means() -> None:
    games = [
        played("ann", "bob", (0.5, 0.5)),
        played("ann", "bob", (None, None), seed=2, ended_by=EndedBy.AGENT_FAILURE),
    ]

    ann = tournament_tables(games).scores[0]

    assert (ann.games, ann.unscored, ann.mean, ann.agreement_rate) == (2, 1, 0.5, 0.5)


def test_an_agent_without_any_score_is_last_and_has_no_rank() -> None:
    games = [
        played("ann", "bob", (None, 0.0), ended_by=EndedBy.AGENT_FAILURE),
        played("ann", "bob", (None, -0.5), seed=2, ended_by=EndedBy.AGENT_FAILURE),
    ]

    bob, ann = tournament_tables(games).scores

    assert (bob.rank, bob.mean) == (1, -0.25)
    assert (ann.rank, ann.mean, ann.low) == (None, None, None)
    assert ann.test_note == "The two have no common pair of games."


def test_agents_with_equal_means_share_a_rank() -> None:
    games = [played("bob", "ann", (0.5, 0.5)), played("carl", "ann", (0.25, 0.5), seed=2)]

    ranks = [(row.agent, row.rank) for row in tournament_tables(games).scores]

    assert ranks == [("ann", 1), ("bob", 1), ("carl", 3)]


def test_the_score_may_be_points_or_welfare() -> None:
    games = [played("ann", "bob", (0.5, 0.25), points=(8, 10), welfare=0.75)]

    by_points = tournament_tables(games, score=ScoreKind.POINTS)
    by_welfare = tournament_tables(games, score=ScoreKind.WELFARE)

    assert [(row.agent, row.mean) for row in by_points.scores] == [("bob", 10), ("ann", 8)]
    assert [(row.agent, row.mean) for row in by_welfare.scores] == [("ann", 0.75), ("bob", 0.75)]


def test_agents_are_compared_in_the_same_seat_against_the_same_opponent() -> None:
    # Against eve ann has 0.1, 0.2, … more than bob in the first seat; the second seat has no counterpart.
    games = [
        game
        for seed in range(6)
        for game in (
            played("ann", "eve", (0.3 + (seed + 1) / 10, 0.0), seed=seed),
            played("bob", "eve", (0.3, 0.0), seed=seed),
            played("eve", "bob", (0.0, 0.9), seed=seed, game="car"),
        )
    ]

    scores = tournament_tables(games).scores
    ann, bob, eve = (next(row for row in scores if row.agent == name) for name in ("ann", "bob", "eve"))

    assert (ann.rank, ann.compared_with, ann.p_value) == (1, "", None)
    assert (bob.compared_with, bob.pairs) == ("ann", 6)
    assert bob.p_value == pytest.approx(2 / 2**6)
    assert (eve.pairs, eve.p_value) == (0, None)
    # There is one test only, so the correction changes nothing.
    assert bob.p_holm == bob.p_value


def test_seeds_that_change_nothing_are_one_pair() -> None:
    games = [
        played(name, "eve", (score, 0.0), seed=seed, game=game)
        for game in ("cake", "car")
        for seed in range(10)
        for name, score in (("ann", 0.5), ("bob", 0.25 if game == "cake" else seed / 100))
    ]

    bob = next(row for row in tournament_tables(games).scores if row.agent == "bob")

    assert bob.pairs == 1 + 10


def test_p_values_are_corrected_for_the_number_of_tests() -> None:
    games = [
        played(name, "eve", (score + seed / 100 * (name == "ann"), 0.0), seed=seed)
        for seed in range(1, 8)
        for name, score in (("ann", 0.5), ("bob", 0.25), ("carl", 0.125))
    ]

    found = {row.agent: row for row in tournament_tables(games).scores}

    assert found["bob"].p_value == pytest.approx(2 / 2**7)
    assert found["bob"].p_holm == pytest.approx(4 / 2**7)
    assert found["carl"].p_holm == pytest.approx(4 / 2**7)


def test_the_other_tables_are_sorted_by_rank() -> None:
    games = [
        played("ann", "bob", (0.25, 0.75), game="car"),
        played("ann", "bob", (0.25, 0.5), game="cake"),
        played("ann", "ann", (0.25, 0.5), game="cake", seed=2),
    ]

    found = tournament_tables(games)

    assert [(row.agent, row.opponent, row.mean) for row in found.pairs] == [
        ("bob", "ann", 0.625),
        ("ann", "bob", 0.25),
        ("ann", "ann", 0.375),
    ]
    assert [(row.game, row.agent, row.games) for row in found.by_game] == [
        ("cake", "bob", 1),
        ("cake", "ann", 3),
        ("car", "bob", 1),
        ("car", "ann", 1),
    ]


def test_the_tables_do_not_depend_on_the_order_of_the_games() -> None:
    rng = Random(1)
    games = [
        played(first, second, (rng.random(), rng.random()), seed=seed, game=game)
        for game in ("cake", "car")
        for seed in range(5)
        for first in ("ann", "bob", "eve")
        for second in ("ann", "bob", "eve")
    ]
    shuffled = rng.sample(games, len(games))

    assert tournament_tables(shuffled) == tournament_tables(games)


def test_a_tournament_without_games_has_empty_tables() -> None:
    found = tournament_tables([])

    assert (found.scores, found.pairs, found.by_game) == ((), (), ())


def test_pairs_in_a_game_have_the_games_of_that_game_alone() -> None:
    games = [
        played("ann", "bob", (0.75, 0.25), game="cake"),
        played("ann", "bob", (0.5, 0.5), game="pie"),
        played("bob", "ann", (0.5, 1.0), game="pie"),
    ]

    rows = tournament_tables(games).pairs_by_game

    assert [(row.game, row.agent, row.opponent, row.games, row.mean) for row in rows] == [
        ("cake", "ann", "bob", 1, 0.75),
        ("cake", "bob", "ann", 1, 0.25),
        ("pie", "ann", "bob", 2, 0.75),
        ("pie", "bob", "ann", 2, 0.5),
    ]
