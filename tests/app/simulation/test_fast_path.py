"""The fast path of simulated games: the same games, results and logs as the full path."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.simulation.bidder_context import BidderContext, BidderMoment, SeatFacts
from negoplatform.app.simulation.bidder_engine import BidderGame, BidderGameRecord
from negoplatform.app.simulation.simulate import GamePath, Result, Seatings, simulate
from negoplatform.domain.agreement_rules import Turns
from negoplatform.domain.game import (
    RANDOM_PROFILE,
    Acceptance,
    GameSpec,
    Preferences,
    Profile,
    Rules,
    TimeCost,
)
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility, Points
from negoplatform.plugins.agent_loader import AgentPlugin, load_agents
from tests.app.simulation import odd_bidders
from tests.games import categorical_only, coins_only, shipped_games, three_seats, with_rules
from tests.reachable import reachable

CASES = int(os.environ.get("NEGOPLATFORM_FAST_PATH_CASES", "200"))
"""Number of drawn games; ``make torture`` sets 5,000."""

SHIPPED = ("boulware", "linear", "conceder", "micro", "tit_for_tat", "random_bids")
NOWHERE = Path("nowhere")
ODD = {plugin.class_name: plugin for plugin in load_agents(Path(odd_bidders.__file__), "odd_bidders")}
WITH_FAULTS = ("FaultyByIndex", "Overriding", "Listening", "Mixed")
"""Bidders of the tests of index strategies alone."""
NEED_THE_FULL_PATH = ("Answering", "Disguised", "Swallower")
"""Bidders of which no game ends on the fast path once they have been asked about three offers."""


@cache
def shipped(name: str) -> AgentPlugin:
    return find_agent(name, NOWHERE)


JOB = next(game for game in shipped_games() if game.name == "job_candidate")
GAMES_OF_TWO = [game for game in shipped_games("bargaining") if len(game.seats) == 2]


def drawn_agent(rng: Random, *, talks: bool) -> AgentPlugin:
    if rng.random() < 0.25:
        odd = [name for name in ODD if name not in WITH_FAULTS]
        plugin, settings = ODD[rng.choice(odd)], dict[str, Any]()
    else:
        name = rng.choice(SHIPPED)
        plugin, settings = shipped(name), dict[str, Any]()
        if name in SHIPPED[:3] and rng.random() < 0.6:
            settings |= {"exponent": rng.choice([0.05, 0.5, 1.0, 4.0]), "k": rng.choice([0.0, 0.4, 1.0])}
        if name == "tit_for_tat":
            variant = rng.choice(["relative", "absolute", "averaged"])
            noise = 0.05 if variant == "absolute" else 0.0
            settings |= {"variant": variant, "window": rng.randint(1, 4), "noise": noise}
    timing: dict[str, Any] = {}
    if rng.random() < 0.25:
        timing["act_delay"] = rng.choice([0.001, 0.25, 1.7333, 6.0])
    if rng.random() < 0.2:
        timing["opening_delay"] = rng.choice([0.5, 9.25])
    if rng.random() < 0.03:
        timing["interrupt"] = True
    quiet = {"quiet": True} if rng.random() < 0.8 else {}
    return replace(plugin, settings={**settings, **quiet, **({"timing": timing} if timing else {})})


def drawn_issue(rng: Random, name: str, most: int) -> Issue:
    match rng.randrange(3):
        case 0:
            return QuantityIssue(name, rng.randint(1, most))
        case 1:
            return CategoricalIssue(name, tuple(f"{name}{i}" for i in range(rng.randint(1, most))))
        case _:
            low = rng.choice([-2, 0, 10])
            return NumberIssue(name, low, low + 0.5 * rng.randint(1, most), 0.5)


def drawn_points(rng: Random) -> Points:
    return rng.choice([rng.randint(-5, 40), round(rng.uniform(-3, 30), 2)])


def drawn_preferences(rng: Random, seat: str, issues: Sequence[Issue]) -> Preferences:
    tables: dict[str, Any] = {}
    for issue in issues:
        levels = range(issue.quantity + 1) if isinstance(issue, QuantityIssue) else issue.values
        tables[issue.name] = {level: drawn_points(rng) for level in levels}
    utility: Any = AdditiveUtility(seat, tables)
    if len(issues) > 1 and rng.random() < 0.3:
        named = rng.sample(list(issues), 2)
        when = tuple((issue.name, frozenset(rng.sample([*tables[issue.name]], 1))) for issue in named)
        utility = InteractionUtility(utility, [Interaction(drawn_points(rng), when)])
    elif rng.random() < 0.1:
        utility = InteractionUtility(utility, [], at_most=utility.highest - 1)
    span = utility.highest - utility.lowest
    reservation = rng.choice(
        [utility.lowest, 0, -4, utility.highest, utility.highest + 1, utility.lowest + span / 3]
    )
    return Preferences(
        utility,
        reservation,
        opt_out=rng.choice([None, None, reservation - 1]),
        time_cost=TimeCost(rng.choice([1, 0.25]), rng.choice([7.0, 0.1])) if rng.random() < 0.3 else None,
        discount_factor=rng.choice([1.0, 1.0, 0.5, 0.013]),
    )


def generated_game(rng: Random) -> GameSpec:
    seats = ("human", "agent") if rng.random() < 0.5 else ("buyer", "seller")
    large = rng.random() < 0.02
    issues = tuple(
        drawn_issue(rng, name, 60 if large else 5) for name in "dbca"[: 4 if large else rng.randint(1, 4)]
    )
    profiles: dict[str, tuple[Profile, ...]] = {}
    if rng.random() < 0.25:
        profiles[seats[0]] = tuple(Profile(name, drawn_preferences(rng, seats[0], issues)) for name in "xy")
    return GameSpec(
        "generated",
        issues,
        seats,
        SeatMap((seat, drawn_preferences(rng, seat, issues)) for seat in seats),
        profiles=SeatMap(profiles),
        chosen=SeatMap((seat, RANDOM_PROFILE) for seat in profiles),
    )


def drawn_game(rng: Random, *, talks: bool) -> GameSpec:
    game = rng.choice(GAMES_OF_TWO) if rng.random() < 0.25 else generated_game(rng)
    rules = replace(
        Rules(),
        acceptance=rng.choice(list(Acceptance)),
        allow_partial=rng.random() < 0.3,
        turns=rng.choice(list(Turns)),
        time_tick_seconds=rng.choice([0.4, 1.0, 5.0, 5.0]),
        deadline_seconds=rng.choice([0.5, 7.0, 12.0, 33.3337, 60.0, 60.0]) if rng.random() < 0.98 else None,
        deadline_offers=rng.choice([None, None, None, 1, 2, 4, 15]),
        opening_delay_seconds=rng.choice([None, None, 3.0, 7.5]),
        closing_seconds=rng.choice([None, 0.0]),
        talk=talks,
    )
    rules = replace(rules, counterpart=replace(rules.counterpart, pace=rng.choice([0.5, 1.0, 1.0, 3.3])))
    return replace(game, rules=rules)


def without_wall_clock(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of the one log in a folder, without wall-clock fields, hashes and session ids."""
    (path,) = folder.glob("*/events.jsonl")
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for line in lines:
        for key in ("at", "created_at", "session_id", "hash"):
            line.pop(key, None)
    return lines


def played(
    game: GameSpec,
    agents: Sequence[AgentPlugin],
    seed: int,
    logs: Path | None = None,
    *,
    fast: bool = True,
    measures: bool = False,
) -> tuple[Result, list[str]]:
    reported: list[str] = []

    def report(error: BaseException) -> None:
        reported.append(f"{type(error).__name__}: {error}")

    (result,) = simulate(
        game,
        agents,
        games=1,
        seed=seed,
        logs=logs,
        report=report,
        how=Seatings.GIVEN,
        measures=measures,
        fast=fast,
    )
    return result, reported


def played_together(game: GameSpec, agents: Sequence[AgentPlugin], seed: int, games: int) -> list[Result]:
    """Return the results of a run of several seeds without measures."""

    def ignore(_error: BaseException) -> None:
        pass

    run = simulate(
        game, agents, games=games, seed=seed, logs=None, report=ignore, how=Seatings.GIVEN, measures=False
    )
    return list(run)


def test_the_fast_path_plays_the_same_games_as_the_full_path(tmp_path: Path) -> None:
    paths: Counter[GamePath] = Counter()
    ends: Counter[str] = Counter()
    for case in range(CASES):
        rng = Random(f"fast path {case}")
        talks = rng.random() < 0.2
        game = drawn_game(rng, talks=talks)
        agents, seed = [drawn_agent(rng, talks=talks) for _ in game.seats], rng.randrange(10**6)
        told = f"case {case}: {[(each.name, dict(each.settings)) for each in agents]}, {game.rules}"

        measures = case % 10 == 0  # they follow from the offers and the end, which the logs compare
        folders = tmp_path / f"{case}-fast", tmp_path / f"{case}-full"
        fast, fast_errors = played(game, agents, seed, folders[0], measures=measures)
        full, full_errors = played(game, agents, seed, folders[1], fast=False, measures=measures)
        unlogged, unlogged_errors = played(game, agents, seed, measures=measures)

        assert full.path is GamePath.FULL
        assert replace(fast, path=full.path) == full, told
        assert replace(unlogged, path=full.path) == full, told
        assert fast_errors == unlogged_errors == full_errors, told
        one, other = (without_wall_clock(folder) for folder in folders)
        for mine, theirs in zip(one, other, strict=False):
            assert mine == theirs, told
        assert len(one) == len(other), told
        if case % 5 == 0:  # a run of two seeds, of which the second may be copied from the first
            second, _ = played(game, agents, seed + 1, fast=False)
            assert replace(played_together(game, agents, seed, 2)[1], path=full.path) == second, told
        paths[fast.path] += 1
        paths[unlogged.path] += unlogged.path is GamePath.INDEXED
        ends[f"{fast.path} {fast.ended_by}"] += 1
        ends["refusals"] += fast.refusals
        ends["failures"] += fast.failures

    assert paths[GamePath.FAST] >= CASES / 2, "most of the drawn games are played on the fast path"
    assert paths[GamePath.INDEXED] >= CASES / 5, "many of the drawn games are played by index"
    for needed in ("fast agreement", "fast timeout", "fast quit", "refusals", "failures"):
        assert ends[needed] >= 1 or CASES < 200, f"{needed} is among the drawn games: {ends}"


@pytest.mark.parametrize("first", SHIPPED)
@pytest.mark.parametrize("second", SHIPPED)
def test_shipped_bidders_play_on_the_fast_path_where_there_is_no_talk(first: str, second: str) -> None:
    game = with_rules(categorical_only(), talk=False, deadline_seconds=60.0)

    result, _ = played(game, [shipped(first), shipped(second)], 1)

    assert result.path is GamePath.INDEXED


@pytest.mark.parametrize("name", ["SilenceBreaker", "DisguisedSilenceBreaker"])
def test_bids_in_a_silence_are_the_same_on_both_paths(name: str) -> None:
    game = with_rules(JOB, talk=False, deadline_seconds=60.0)
    agents = [ODD[name], shipped("boulware")]

    fast, _ = played(game, agents, 5)
    full, _ = played(game, agents, 5, fast=False)

    assert replace(fast, path=full.path) == full


def test_an_error_that_only_the_fast_path_has_is_not_reported_where_agents_play_otherwise_there() -> None:
    game = with_rules(JOB, talk=False, deadline_seconds=60.0, time_tick_seconds=0.4)
    agents = [ODD["DisguisedSilenceBreaker"], ODD["Raiser"]]

    for seed in range(20):
        _, fast_reports = played(game, agents, seed)
        _, full_reports = played(game, agents, seed, fast=False)

        assert fast_reports == full_reports


def test_an_offer_that_is_never_due_is_no_error_of_the_fast_path() -> None:
    game = with_rules(coins_only(), talk=False, deadline_seconds=0.5)

    for seed in range(30):
        assert (
            played(game, [ODD["Nonsense"], shipped("micro")], seed)[1]
            == (played(game, [ODD["Nonsense"], shipped("micro")], seed, fast=False)[1])
        )


@pytest.mark.parametrize(
    "changed",
    [
        lambda game: with_rules(game, talk=True),
        lambda game: with_rules(game, time_tick_seconds=0.001),
    ],
    ids=["talk", "very short ticks"],
)
def test_other_games_are_played_on_the_full_path(changed: Callable[[GameSpec], GameSpec]) -> None:
    game = changed(with_rules(coins_only(), talk=False, deadline_seconds=9.0))

    result, _ = played(game, [shipped("micro")] * 2, 1)

    assert result.path is GamePath.FULL


def test_games_of_three_seats_are_played_on_the_full_path() -> None:
    game = with_rules(three_seats(), talk=False, deadline_seconds=9.0)

    result, _ = played(game, [shipped("micro")] * 3, 1)

    assert result.path is GamePath.FULL


@pytest.mark.parametrize("name", NEED_THE_FULL_PATH)
def test_a_bidder_that_needs_more_is_played_on_the_full_path(name: str) -> None:
    game = with_rules(JOB, talk=False, deadline_seconds=60.0)

    result, _ = played(game, [ODD[name], shipped("boulware")], 3)

    assert result.path is GamePath.FULL


def test_a_bidder_that_has_needed_the_full_path_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[BidderGame] = []
    play = BidderGame.play

    def counted(game: BidderGame) -> BidderGameRecord:
        tried.append(game)
        return play(game)

    monkeypatch.setattr(BidderGame, "play", counted)
    game = with_rules(JOB, talk=False, deadline_seconds=60.0)
    agents = [ODD["Historian"], shipped("boulware")]

    results = list(
        simulate(game, agents, games=5, seed=1, logs=None, report=lambda error: None, how=Seatings.GIVEN)
    )

    assert len(results) == 5
    assert results[-1].path is GamePath.FULL
    assert len(tried) < 5


def test_an_error_of_the_fast_path_itself_is_reported_and_the_game_played_on_the_full_path(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_game: BidderGame) -> None:
        raise RuntimeError("a fault of the engine")

    monkeypatch.setattr(BidderGame, "play", fail)
    reported: list[BaseException] = []
    game = with_rules(JOB, talk=False, deadline_seconds=60.0)
    agents = [ODD["Plain"], shipped("linear")]

    played_games = list(
        simulate(game, agents, games=1, seed=1, logs=None, report=reported.append, how=Seatings.GIVEN)
    )

    assert [result.path for result in played_games] == [GamePath.FULL]
    assert [str(error) for error in reported] == ["a fault of the engine"]


def test_an_error_of_an_index_strategy_is_reported_and_the_bidder_plays_without_it() -> None:
    game = with_rules(JOB, talk=False, deadline_seconds=60.0)

    result, reported = played(game, [ODD["FaultyByIndex"], shipped("linear")], 1)
    other, _ = played(game, [ODD["Plain"], shipped("linear")], 1)

    assert result.path is GamePath.FAST
    assert reported == ["ValueError: a fault of the strategy"]
    assert (result.points, result.offers, result.deal) == (other.points, other.offers, other.deal)


@pytest.mark.parametrize("name", ["Overriding", "Mixed"])
def test_a_class_that_overrides_a_method_does_not_play_by_the_index_strategy_that_it_inherits(
    name: str,
) -> None:
    game = with_rules(JOB, talk=False, deadline_seconds=60.0)

    result, _ = played(game, [ODD[name], shipped("linear")], 1)

    assert result.path is GamePath.FAST


@pytest.mark.parametrize("name", ["micro", "conceder", "random_bids"])
def test_games_of_several_seeds_are_the_same_whether_or_not_numbers_are_drawn(name: str) -> None:
    game = with_rules(JOB, talk=False, deadline_seconds=60.0)
    agents = [shipped(name), shipped("boulware")]
    reported: list[BaseException] = []

    together = list(
        simulate(game, agents, games=6, seed=4, logs=None, report=reported.append, how=Seatings.GIVEN)
    )

    alone = [played(game, agents, seed, fast=False, measures=True)[0] for seed in range(4, 10)]
    assert [replace(result, path=GamePath.FULL) for result in together] == alone
    assert {result.path for result in together} == {GamePath.INDEXED}
    assert not reported


def test_a_context_of_the_fast_path_leads_to_nothing_of_the_other_seat() -> None:
    game = with_rules(categorical_only(), talk=False)
    facts = SeatFacts(game, "human")
    ctx = BidderContext(BidderMoment(1.0, None, (), (None, None), True, 0, facts))
    ctx.utility(next(game.outcomes()))

    found = list(reachable(ctx))

    assert game.preferences["agent"].utility not in [
        each for each in found if isinstance(each, AdditiveUtility)
    ]
    assert all(each is not game for each in found)
