"""Shipped games: published figures, true stories, and no leak of the other side's profile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path

import pytest

from negoplatform.analysis.games.frontier_with_interactions import bargaining_solutions
from negoplatform.analysis.games.game_check import MANY_OUTCOMES
from negoplatform.analysis.games.game_measures import integrative_potential
from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.catalogue.search_path import game_files
from negoplatform.app.simulation.simulate import simulate
from negoplatform.core.events import EndedBy
from negoplatform.core.visibility import Observer, visible_game
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import PICTURES
from negoplatform.domain.offer import Offer
from negoplatform.domain.utility import AdditiveUtility
from negoplatform.eventlog.observer_export import encode_log, filter_log
from negoplatform.eventlog.reader import read_log
from negoplatform.formats.games import load_game
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import TrialTable

KINDS = ("food", "water", "firewood")

NAMES = [load_game(file).name for file in game_files(bundled("games"))]

JOB_CANDIDATE = {
    # NegoChat-A, 2016: lowest and highest points, reservation value, opt-out, cost of a turn.
    ("employer", "short_term"): (170, 620, 240, 210, 6),
    ("employer", "compromise"): (190, 690, 306, 215, 6),
    ("employer", "long_term"): (135, 665, 306, 150, 6),
    ("candidate", "short_term"): (60, 635, 160, 150, 8),
    ("candidate", "compromise"): (15, 555, 70, 80, 8),
    ("candidate", "long_term"): (5, 700, 135, 75, 8),
}


@pytest.fixture
def job() -> GameSpec:
    """Game job_candidate, with its profiles not yet chosen."""
    return load_game(bundled("games") / "job_candidate.json")


@pytest.fixture
def campsite() -> GameSpec:
    """Game campsite, with its orders not yet drawn."""
    return load_game(bundled("games") / "campsite.json")


def contract(salary: str, job: str, car: str, pension: str, promotion: str, hours: str) -> Offer:
    """Return terms of the job."""
    return Offer(
        {"salary": salary, "job": job, "car": car, "pension": pension, "promotion": promotion, "hours": hours}
    )


def order_of(game: GameSpec, seat: str) -> list[str]:
    """Return the kinds of packages, beginning with the one that a seat needs most."""
    utility = game.preferences[seat].utility
    assert isinstance(utility, AdditiveUtility)
    return sorted(KINDS, key=lambda kind: -utility.tables[kind][1])


# Job candidate


@pytest.mark.parametrize(("seat", "profile"), JOB_CANDIDATE, ids="-".join)
def test_a_profile_of_the_job_candidate_has_the_published_figures(
    job: GameSpec, seat: str, profile: str
) -> None:
    mine = job.resolve_profiles(1, {seat: profile}).preferences[seat]

    assert mine.time_cost is not None
    assert (
        mine.utility.lowest,
        mine.utility.highest,
        mine.reservation_value,
        mine.quit_value,
        mine.cost_at(120),
    ) == JOB_CANDIDATE[seat, profile]


@pytest.mark.parametrize(("seat", "profile"), JOB_CANDIDATE, ids="-".join)
def test_the_lowest_and_highest_points_are_really_reached(job: GameSpec, seat: str, profile: str) -> None:
    game = job.resolve_profiles(1, {seat: profile})
    utility = game.preferences[seat].utility

    points = [utility(outcome) for outcome in game.outcomes()]

    assert len(points) == len(set(game.outcomes())) == game.count_outcomes() == 1296
    assert (min(points), max(points)) == JOB_CANDIDATE[seat, profile][:2]


@pytest.mark.parametrize(
    ("profiles", "points"),
    [
        # 20*6 + 20*6 + 10*-2 + 10*3 + 10*3 + 30*8;  20*6 + 15*4 + 20*5 + 10*5 + 5*5 + 30*3
        (("short_term", "short_term"), (520, 445)),
        # 10*6 + 20*6 + 10*5 + 10*3 + 20*4 + 30*9;  15*5 + 20*4 + 10*2 + 10*5 + 35*5 + 10*4
        (("compromise", "compromise"), (610, 440)),
        # 15*6 + 30*6 + 10*2 + 10*3 + 20*5 + 15*8;  30*6 + 25*3 + 5*5 + 5*6 + 25*5 + 10*3
        (("long_term", "long_term"), (540, 465)),
    ],
)
def test_a_contract_is_worth_what_the_weights_and_values_say(
    job: GameSpec, profiles: tuple[str, str], points: tuple[int, int]
) -> None:
    game = job.resolve_profiles(1, dict(zip(job.seats, profiles, strict=True)))
    agreed = contract(
        "90,000 USD", "Programmer", "With leased car", "20%", "Fast promotion track", "10 hours"
    )

    worth = tuple(game.preferences[seat].utility(agreed) for seat in game.seats)

    assert worth == points


def test_the_short_term_game_has_the_published_frontier(job: GameSpec) -> None:
    game = job.resolve_profiles(1)
    utilities = [game.preferences[seat].utility for seat in ("employer", "candidate")]

    points = {(utilities[0](o), utilities[1](o)): o for o in game.outcomes()}
    frontier = [p for p in points if not any(q != p and q[0] >= p[0] and q[1] >= p[1] for q in points)]
    pareto = [o for o in game.outcomes() if (utilities[0](o), utilities[1](o)) in frontier]

    assert len(pareto) == 20
    assert max(frontier, key=lambda p: (p[0] - 240) * (p[1] - 160)) == (520, 445)
    assert {p for p in points if sum(p) == max(map(sum, points))} == {(460, 505), (520, 445)}


def test_both_are_short_term_unless_chosen_otherwise_and_keep_it_to_themselves(job: GameSpec) -> None:
    game = job.resolve_profiles(1)

    seen = visible_game(game, Observer("candidate"))

    assert dict(game.chosen) == {"employer": "short_term", "candidate": "short_term"}
    assert list(seen.preferences) == list(seen.chosen) == list(seen.stories) == ["candidate"]


def test_a_game_of_the_job_candidate_lasts_fourteen_turns(job: GameSpec) -> None:
    game = job.resolve_profiles(1)

    assert game.rules.deadline_seconds == 14 * 120
    assert game.preferences["employer"].cost_at(14 * 120) == 84
    assert game.preferences["candidate"].cost_at(119.9) == 0


@pytest.mark.parametrize(("seat", "profile"), JOB_CANDIDATE, ids="-".join)
def test_a_story_names_the_issue_that_matters_most_first_and_no_points_that_time_changes(
    job: GameSpec, seat: str, profile: str
) -> None:
    game = job.resolve_profiles(1, {seat: profile})
    utility, story = game.preferences[seat].utility, game.stories[seat].lower()
    assert isinstance(utility, AdditiveUtility)
    at_stake = {name: max(t.values()) - min(t.values()) for name, t in utility.tables.items()}
    words = {
        "salary": "salary", "job": "programmer" if seat == "employer" else "manager’s job",
        "car": "leased car", "pension": "pension fund", "promotion": "promotion", "hours": "working hours",
    }  # fmt: skip

    first = min(words, key=lambda name: story.find(words[name]))

    assert all(word in story for word in words.values())
    assert at_stake[first] == max(at_stake.values())
    assert "points" not in story


# Campsite


def test_a_camper_has_one_of_six_orders_and_a_story_that_tells_it(campsite: GameSpec) -> None:
    for seat in campsite.seats:
        for order in permutations(KINDS):
            game = campsite.resolve_profiles(1, {seat: "_".join(order)})

            story = game.stories[seat]

            assert order_of(game, seat) == list(order)
            assert [game.preferences[seat].utility.tables[kind][1] for kind in order] == [5, 4, 3]  # type: ignore[attr-defined]  # all are sums
            assert story.startswith(f"You need {order[0]} most: ")
            assert f" Then comes {order[1]}, and you need {order[2]} least." in story
            assert (game.preferences[seat].reservation_value, game.preferences[seat].quit_value) == (5, 5)
            assert game.preferences[seat].utility.highest == 36


def test_equal_seeds_draw_equal_orders_and_the_two_draws_are_independent(campsite: GameSpec) -> None:
    drawn = [dict(campsite.resolve_profiles(seed).chosen) for seed in range(1000)]

    again = [dict(campsite.resolve_profiles(seed).chosen) for seed in range(1000)]

    pairs = [(chosen["human"], chosen["agent"]) for chosen in drawn]
    assert drawn == again
    assert len(set(pairs)) == 36
    # 1,000 draws of 36 pairs: about 28 of each. A dependence would leave a pair out, or draw it far oftener.
    assert all(8 <= pairs.count(pair) <= 60 for pair in set(pairs))


def test_choosing_one_order_leaves_the_other_draw_as_it_was(campsite: GameSpec) -> None:
    for seed in range(50):
        chosen = campsite.resolve_profiles(seed, {"human": "water_food_firewood"}).chosen

        assert chosen["human"] == "water_food_firewood"
        assert chosen["agent"] == campsite.resolve_profiles(seed).chosen["agent"]


def test_a_camper_never_sees_the_order_of_the_other_nor_its_name(campsite: GameSpec) -> None:
    for seed in range(20):
        game = campsite.resolve_profiles(seed)
        table = TrialTable(game)

        for seen in (visible_game(game, Observer("human")), table.human.context().game):
            assert list(seen.preferences) == list(seen.chosen) == list(seen.stories) == ["human"]
            assert not seen.profiles
        nobody = visible_game(game, Observer())
        assert not nobody.preferences
        assert not nobody.chosen
        assert not nobody.stories


def test_an_unsettled_game_shows_nobody_what_there_is_to_draw(campsite: GameSpec) -> None:
    seen = visible_game(campsite, Observer("human"))

    assert not seen.profiles
    assert "agent" not in seen.preferences
    assert "agent" not in seen.chosen


def test_an_exported_log_of_the_campsite_keeps_the_other_order_to_itself(
    campsite: GameSpec, tmp_path: Path
) -> None:
    # Settled to different orders, so that a name or a story that leaked could only be the other's.
    game = campsite.resolve_profiles(1, {"human": "food_water_firewood", "agent": "firewood_water_food"})
    agents = [find_agent(name, tmp_path) for name in ("fair", "boulware")]
    list(simulate(game, agents, games=1, seed=1, logs=tmp_path / "logs", report=print))
    logs = sorted((tmp_path / "logs").glob("*/events.jsonl"))

    for log in logs:
        complete = encode_log(read_log(log)).decode()
        human = encode_log(filter_log(read_log(log), "human")).decode()
        public = encode_log(filter_log(read_log(log), "public")).decode()

        assert "firewood_water_food" in complete
        assert "food_water_firewood" in human
        assert "firewood_water_food" not in human
        assert "You need firewood most" not in human
        assert "food_water_firewood" not in public
        assert "firewood_water_food" not in public
        assert json.loads(human.splitlines()[0])["game"]["seats"]["agent"].get("preferences") is None
    assert len(logs) == 2


def test_a_profile_that_does_not_exist_is_refused_with_those_that_do(campsite: GameSpec) -> None:
    with pytest.raises(NegoError, match=r"no profile 'gold' for agent; there is food_water_.*, drawn\."):
        campsite.resolve_profiles(1, {"agent": "gold"})
    with pytest.raises(NegoError, match="campsite has no profiles to choose for cook"):
        campsite.resolve_profiles(1, {"cook": "gold"})


@pytest.mark.parametrize("name", NAMES)
def test_every_issue_of_a_shipped_game_has_a_picture_of_its_own(name: str) -> None:
    issues = find_game(name, Path("nowhere")).issues

    assert {issue.picture for issue in issues} <= set(PICTURES)
    assert len({issue.picture for issue in issues}) == len(issues)


# Used car and flatmates


def combinations(name: str) -> Iterator[GameSpec]:
    """Yield a game with every combination of its profiles."""
    game = find_game(name, Path("nowhere"))
    names = [[profile.name for profile in game.profiles.get(seat, ())] for seat in game.seats]
    for chosen in product(*(some or [""] for some in names)):
        yield game.resolve_profiles(1, {s: n for s, n in zip(game.seats, chosen, strict=True) if n})


@pytest.mark.parametrize("name", ["used_car", "flatmates"])
def test_there_is_something_to_gain_for_both_and_all_for_none(name: str) -> None:
    for game in combinations(name):
        mine, yours = (game.preferences[seat] for seat in game.seats)

        solved = bargaining_solutions(game)

        (nash,) = [solution for solution in solved.solutions if solution.name == "nash"]
        gains = [nash.tied[0].points[seat] - game.preferences[seat].reservation_value for seat in game.seats]
        assert min(gains) >= 15
        assert len(solved.rational) >= 5
        assert not any(
            point.points[game.seats[0]] >= 0.9 * mine.utility.highest
            and point.points[game.seats[1]] >= 0.9 * yours.utility.highest
            for point in solved.rational
        )


@pytest.mark.parametrize("name", ["used_car", "flatmates"])
def test_all_outcomes_are_few_enough_for_agents_to_see_each(name: str) -> None:
    assert find_game(name, Path("nowhere")).count_outcomes() < MANY_OUTCOMES


# Three neighbours


@pytest.fixture
def neighbours() -> GameSpec:
    """Game three_way."""
    return find_game("three_way", Path("nowhere"))


def test_three_neighbours_have_many_efficient_deals_that_are_better_than_none_for_all(
    neighbours: GameSpec,
) -> None:
    solved = bargaining_solutions(neighbours)
    reservations = [neighbours.preferences[seat].reservation_value for seat in neighbours.seats]

    better = [
        point
        for point in solved.rational
        if all(point.points[s] > r for s, r in zip(neighbours.seats, reservations, strict=True))
    ]

    assert neighbours.seats == ("parent", "gardener", "carpenter")
    assert neighbours.count_outcomes() < MANY_OUTCOMES
    assert len(better) >= 50
    (nash,) = [solution for solution in solved.solutions if solution.name == "nash"]
    gains = [nash.tied[0].points[s] - r for s, r in zip(neighbours.seats, reservations, strict=True)]
    assert min(gains) >= 8
    assert integrative_potential(solved) > 0.3


def test_each_of_the_three_neighbours_cares_most_about_something_else(neighbours: GameSpec) -> None:
    first = {}
    for seat in neighbours.seats:
        utility = neighbours.preferences[seat].utility
        assert isinstance(utility, AdditiveUtility)
        stakes = {name: max(t.values()) - min(t.values()) for name, t in utility.tables.items()}
        assert all(stakes.values()), "every issue matters to everyone"
        first[seat] = max(stakes, key=lambda name: stakes[name])

    assert first == {"parent": "play_area", "gardener": "tree", "carpenter": "budget"}


def test_no_two_of_the_three_neighbours_can_have_their_best_together_with_a_third_above_no_deal(
    neighbours: GameSpec,
) -> None:
    best = {seat: neighbours.preferences[seat].utility.highest for seat in neighbours.seats}

    for point in bargaining_solutions(neighbours).rational:
        near = [seat for seat in neighbours.seats if point.points[seat] >= 0.9 * best[seat]]
        assert len(near) < 2


# Harvest fair


def test_two_teams_of_two_have_many_efficient_deals_that_are_better_than_none_for_all() -> None:
    game = find_game("harvest_fair", Path("nowhere"))
    solved = bargaining_solutions(game)
    limits = {seat: game.preferences[seat].reservation_value for seat in game.seats}

    (nash,) = [solution for solution in solved.solutions if solution.name == "nash"]

    assert [team.members for team in game.teams] == [("orchard", "dairy"), ("council", "school")]
    assert game.count_outcomes() < MANY_OUTCOMES
    assert min(nash.tied[0].points[seat] - limits[seat] for seat in game.seats) >= 15
    assert integrative_potential(solved) > 0.5


def test_a_team_of_two_agents_and_three_single_ones_agree_on_a_fair(tmp_path: Path) -> None:
    game = find_game("harvest_fair", tmp_path)
    names = ("tit_for_tat", "team:fair+conceder", "boulware", "fair")
    plugins = [find_agent(name, tmp_path) for name in names]

    (result,) = list(simulate(game, plugins, games=1, seed=1, logs=None, report=print))[:1]

    assert result.ended_by is EndedBy.AGREEMENT


@pytest.mark.parametrize("agents", [("fair",) * 3, ("boulware", "conceder", "linear")], ids="-".join)
def test_three_agents_agree_as_neighbours(neighbours: GameSpec, agents: tuple[str, ...]) -> None:
    plugins = [find_agent(name, Path("nowhere")) for name in agents]

    (result,) = list(simulate(neighbours, plugins, games=1, seed=1, logs=None, report=print))[:1]

    assert result.ended_by is EndedBy.AGREEMENT
    assert all(
        (points or 0) >= neighbours.preferences[seat].reservation_value
        for seat, points in result.points.items()
    )
