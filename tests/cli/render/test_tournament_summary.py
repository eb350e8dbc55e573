"""Results of a tournament in a terminal, and in Markdown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from negoplatform.analysis.tournament.tables import ScoreKind, tournament_tables
from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.cli.render.tournament_summary import (
    MOST_TROUBLES,
    early_end_lines,
    markdown_tables,
    summary_lines,
)
from negoplatform.core.events import EndedBy
from tests.analysis.tournament.played import played

NOWHERE = Path("nowhere")

WAIT = "Not your turn: wait."

GOOD = played("a", "b", (0.5, 0.25), points=(30, 10), measures={"pareto_distance": 0.1}, seconds=60.0)

ABORTED = replace(GOOD, ended_by=EndedBy.ABORTED, points=(None, None), advantages=(None, None), seed=9)


def test_an_agents_row_counts_both_seats_of_every_game_of_its_own() -> None:
    text = markdown_tables(["cake"], ["a", "b"], [GOOD, replace(GOOD, agents=("a", "a"))])

    assert "| a | 3 | 100% | 23.3 | 16.7 | 0.100 | 60 |" in text
    assert "| b | 1 | 100% | 10.0 | 30.0 | 0.100 | 60 |" in text
    assert "| a | a | 100% | 20.0 | 20.0 | 0.100 | 60 |" in text
    assert "| a | b | 100% | 30.0 | 10.0 | 0.100 | 60 |" in text
    assert "| b | a |" not in text


def test_points_from_0_to_1_have_the_digits_that_tell_agents_apart() -> None:
    small = replace(GOOD, points=(0.712, 0.0), agents=("a", "b"))
    games = [small, replace(small, points=(0.718, 0.0), agents=("b", "a"))]

    text = markdown_tables(["cake"], ["a", "b"], games)

    assert "| b | 2 | 100% | 0.359 | 0.356 |" in text
    assert "| a | 2 | 100% | 0.356 | 0.359 |" in text


def test_what_went_wrong_is_named_with_game_agents_and_seed() -> None:
    games = [
        replace(GOOD, seed=1),
        replace(GOOD, seed=2, failures=(1, 0), troubles=("ValueError: no", "")),
        replace(GOOD, seed=3, refusals=(0, 2), troubles=("", "That offer is no longer on the table.")),
    ]

    lines = list(summary_lines(tournament_tables(games, score=ScoreKind.ADVANTAGE), games, [], 0))

    assert "1 failure of agents, 2 actions refused." in lines
    assert "  cake, a against b, seed 2: a as human: ValueError: no" in lines
    assert "  cake, a against b, seed 3: b as agent: That offer is no longer on the table." in lines
    assert not any("seed 1" in line for line in lines)


def test_games_that_time_ends_before_their_last_offer_are_counted_unless_an_agent_failed() -> None:
    spec = find_game("practice", NOWHERE)
    specs = {"cake": replace(spec, rules=replace(spec.rules, deadline_offers=10))}
    early = replace(GOOD, ended_by=EndedBy.TIMEOUT, deal=None, offers=7)
    failed, full = replace(early, failures=(1, 0)), replace(early, offers=10)

    lines = list(early_end_lines([GOOD, early, failed, full], specs))

    assert len(lines) == 1
    assert lines[0].startswith("1 game ended by time before the last offer: cake 1.")
    assert not list(early_end_lines([GOOD, failed, full], specs))


def test_of_many_troubles_the_first_are_shown_and_the_others_counted() -> None:
    seeds = range(1, MOST_TROUBLES + 4)
    games = [replace(GOOD, seed=seed, failures=(1, 0), troubles=(f"no {seed}", "")) for seed in seeds]

    lines = list(summary_lines(tournament_tables(games, score=ScoreKind.ADVANTAGE), games, ["gone"], 2))

    assert sum("seed" in line for line in lines) == MOST_TROUBLES
    assert "  and 3 more." in lines
    assert "1 block of games could not be played; the same command tries again:" in lines
    assert any(", 2 of them by an earlier run" in line for line in lines)


def test_a_game_of_an_agent_against_itself_counts_once() -> None:
    both = replace(GOOD, agents=("a", "a"), refusals=(1, 1), troubles=(WAIT, WAIT))
    games = [both, replace(both, seed=2)]

    lines = list(summary_lines(tournament_tables(games, score=ScoreKind.ADVANTAGE), games, [], 0))

    assert next(line for line in lines if WAIT in line).endswith("The same in 1 more game.")


def test_a_trouble_that_many_games_share_is_shown_once() -> None:
    games = [
        replace(GOOD, seed=1, refusals=(1, 0), troubles=(WAIT, "")),
        replace(GOOD, seed=2, refusals=(0, 1), agents=("b", "a"), troubles=("", WAIT)),
        replace(GOOD, seed=3, refusals=(0, 1), troubles=("", WAIT)),
    ]

    lines = list(summary_lines(tournament_tables(games, score=ScoreKind.ADVANTAGE), games, [], 0))

    told = [line for line in lines if "Not your turn: wait." in line]
    assert told == [
        "  cake, a against b, seed 1: a as human: Not your turn: wait. The same in 1 more game.",
        "  cake, a against b, seed 3: b as agent: Not your turn: wait.",
    ]


def test_a_tiny_p_value_is_below_a_thousandth() -> None:
    games = [
        game
        for seed in range(20)
        for game in (
            played("a", "c", (0.75 + seed / 100, 0.5), seed=seed),
            played("b", "c", (0.5, 0.5), seed=seed),
        )
    ]

    lines = list(summary_lines(tournament_tables(games, score=ScoreKind.ADVANTAGE), games, [], 0))

    assert lines[0].endswith("p_holm")
    assert next(line for line in lines if " b " in line).endswith("< 0.001")


def test_a_game_without_points_counts_in_no_mean_and_is_named() -> None:
    games = [GOOD, ABORTED]

    text = markdown_tables(["cake"], ["a", "b"], games)
    only = markdown_tables(["cake"], ["a", "b"], [ABORTED])
    lines = list(summary_lines(tournament_tables(games, score=ScoreKind.ADVANTAGE), games, [], 0))

    assert "| a | 2 | 50% | 30.0 | 10.0 | 0.100 | 60 |" in text
    assert "| a | 1 | 0% |  |  | 0.100 |  |" in only
    assert "a: 1 of 2 games gave no score and count in no mean." in lines
