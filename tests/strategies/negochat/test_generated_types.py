"""What stands in where nothing is published: bids of large games, types, thresholds, turns."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import GameSpec, TimeCost
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.strategies.negochat.bid_space import Space, own_value
from negoplatform.strategies.negochat.generated_types import generated_types, importance, known_type
from negoplatform.strategies.negochat.issue_negotiation import Discussion
from negoplatform.strategies.negochat.negotiation_model import Choices, equip
from negoplatform.strategies.negochat.thresholds import SHARES, Quantiles, cluster
from tests.agents.more_games import interacting, mixed
from tests.games import burdens, coins_only, make_game, three_seats
from tests.strategies.negochat.domains import as_seen, job_candidate, small_game


def space_of(game: GameSpec, seat: str = "agent") -> Space:
    return Space(game, seat, Random(1))


@pytest.mark.parametrize(
    "game",
    [small_game(), mixed(), interacting(), burdens(), coins_only(), job_candidate()],
    ids=lambda g: g.name,
)
def test_bids_are_worth_what_the_game_says(game: GameSpec) -> None:
    seat = game.seats[-1]
    space = space_of(game, seat)

    offers = [space.offer(bid) for bid in space.bids]

    assert offers == list(game.outcomes())
    assert own_value(space).all == pytest.approx([game.preferences[seat].utility(offer) for offer in offers])


def test_what_is_undecided_within_an_issue_is_taken_as_suits_oneself_best() -> None:
    coins, chores = space_of(coins_only()), space_of(burdens())

    of_coins = coins.terms(Offer({"coins": Allocation({"human": 1}, 3)}))
    of_chores = chores.terms(Offer({"chores": Allocation({"human": 1}, 9)}))

    assert coins.offer(of_coins).get("coins") == Allocation({"human": 1, "agent": 3})
    assert chores.offer(of_chores).get("chores") == Allocation({"human": 10})


def huge() -> GameSpec:
    """A game with 10 ** 12 outcomes."""
    issues = tuple(CategoricalIssue(f"i{n}", tuple(f"v{j}" for j in range(10))) for n in range(12))
    up = {issue.name: {f"v{j}": j for j in range(10)} for issue in issues}
    down = {issue.name: {f"v{j}": 9 - j for j in range(10)} for issue in issues}
    return make_game({"human": down, "agent": up}, issues=issues)


def test_a_sample_holds_the_best_and_the_worst_bid_and_all_terms_that_are_asked_for() -> None:
    game = huge()
    kit = equip(game.with_preferences_of(["agent"]), "agent", Choices(), Random(1))
    talk = Discussion(kit.space, kit.own, kit.belief, kit.thresholds, kit.order, least=30)
    asked = Offer({"i3": "v2", "i7": "v1", "i9": "v6"})

    best = talk.best(kit.space.terms(asked))

    assert kit.told["bids"] == "2000, a sample"
    assert (kit.own.lowest, kit.own.highest) == (0, 108)
    assert best is not None
    assert [kit.space.offer(best).get(issue) for issue in asked] == ["v2", "v1", "v6"]
    assert kit.own.of(best) >= 30


def test_an_issue_that_can_be_shared_in_very_many_ways_is_shared_evenly_among_the_others() -> None:
    units = {"sand": list(range(1001))}
    game = make_game(dict.fromkeys(("a", "b", "c"), units), issues=(QuantityIssue("sand", 1000),))

    levels = space_of(game, "b").levels(0)

    assert len(levels) == 1001
    assert levels[999] == Allocation({"a": 1, "b": 999, "c": 0})
    assert levels[500] == Allocation({"a": 250, "b": 500, "c": 250})


def test_generated_types_want_the_opposite_and_differ_in_what_matters_to_them() -> None:
    space = space_of(small_game())
    own = own_value(space)

    types = {kind.name: kind.value for kind in generated_types(space, own)}

    ranges = {
        name: [value.part(issue, 2) - value.part(issue, 0) for issue in range(3)]
        for name, value in types.items()
    }
    assert ranges == {
        "mirror": pytest.approx([30, 20, 9]),
        "even": pytest.approx([59 / 3] * 3),
        "crossed": pytest.approx([9, 20, 30]),
    }
    assert all(value.part(issue, 0) == 0 for value in types.values() for issue in range(3))
    assert importance(space, own) == [0, 1, 2]


@pytest.mark.parametrize("effect", [0.0, 1.5])
def test_computed_thresholds_let_the_published_share_of_bids_through(effect: float) -> None:
    space = space_of(as_seen("employer", employer="long_term"), "employer")
    own = own_value(space)
    types = generated_types(space, own)
    bars = Quantiles(own, types, effect)

    for k, kind in enumerate(types):
        for turn, share in enumerate(SHARES, 1):
            let_through = cluster(own, kind.value, bars.at(k, turn), turn * effect)
            tied = 1296 * share
            assert tied - 1 <= len(let_through) <= tied + 60, "equal margins are let through together"


def test_in_the_last_turn_what_is_as_good_as_no_deal_is_let_through() -> None:
    kit = equip(as_seen("employer", employer="long_term"), "employer", Choices(), Random(1))

    for k, kind in enumerate(kit.belief.types):
        let_through = cluster(kit.own, kind.value, kit.thresholds.at(k, 14), 14 * kit.time_effect)
        assert let_through == [n for n, points in enumerate(kit.own.all) if points >= 306]


def test_in_a_small_game_four_bids_are_let_through_from_the_first_turn_on() -> None:
    space = space_of(small_game())
    own = own_value(space)
    types = generated_types(space, own)

    let_through = [
        len(cluster(own, kind.value, Quantiles(own, types).at(k, 1), 0)) for k, kind in enumerate(types)
    ]

    assert min(let_through) >= 4  # 3.1 % of 27 bids is one
    assert max(let_through) <= 6


def test_published_figures_that_do_not_fit_are_replaced_and_the_record_says_so() -> None:
    game = mixed().with_preferences_of(["agent"])

    asked_for = equip(game, "agent", Choices(tables="published", types="published"), Random(1))
    left_open = equip(game, "agent", Choices(), Random(1))

    assert asked_for.told["tables"] == "computed (published ones do not fit here)"
    assert asked_for.told["types"] == "generated (published ones do not fit here): mirror, even, crossed"
    assert asked_for.thresholds.at(0, 1) == left_open.thresholds.at(0, 1)
    assert left_open.told["tables"] == "computed"


def test_a_margin_is_computed_as_declared() -> None:
    space = space_of(small_game())
    own = own_value(space)
    (mirror, *_) = types = generated_types(space, own)
    bars = Quantiles(own, types, 2.0, shares=(0.2, 0.6))
    gap = 0.3647 * 59

    bar = bars.at(0, 2)

    margins = sorted(min(u - 4, v + gap) for u, v in zip(own.all, mirror.value.all, strict=True))
    assert margins[-17] < bar.own < margins[-16]  # 60 % of 27
    assert bar.other == pytest.approx(bar.own - gap)


def test_a_sure_type_is_used_only_where_the_game_shows_it_and_the_setting_allows_it() -> None:
    game, shown = as_seen("employer"), job_candidate().preferences["candidate"].utility
    told = {
        "private": equip(game, "employer", Choices(), Random(1)).told,
        "public": equip(game, "employer", Choices(), Random(1), shown).told,
        "refused": equip(game, "employer", Choices(use_visible=False), Random(1), shown).told,
    }

    assert {name: (t["types"].split(":")[0], t["tables"]) for name, t in told.items()} == {
        "private": ("published", "published"),
        "public": ("known", "computed"),
        "refused": ("published", "published"),
    }


@pytest.mark.parametrize("game", [mixed(), interacting()], ids=["sum", "interacting"])
def test_a_sure_type_is_worth_what_the_game_shows(game: GameSpec) -> None:
    utility = game.preferences["agent"].utility

    kind = known_type(space_of(game, "human"), utility)

    assert kind.value.all == pytest.approx([utility(offer) for offer in game.outcomes()])


def test_published_tables_are_left_alone_for_other_own_points_and_other_games() -> None:
    long_term = equip(as_seen("employer", employer="long_term"), "employer", Choices(), Random(1)).told
    other_game = equip(mixed().with_preferences_of(["agent"]), "agent", Choices(), Random(1)).told
    chosen = Choices(tables="computed", types="generated", culture="egypt")
    own_choice = equip(as_seen("employer"), "employer", chosen, Random(1)).told

    assert (long_term["tables"], long_term["types"]) == (
        "computed",
        "published: short_term, compromise, long_term",
    )
    assert (other_game["tables"], other_game["types"]) == ("computed", "generated: mirror, even, crossed")
    assert (own_choice["tables"], own_choice["types"]) == ("computed", "generated: mirror, even, crossed")
    assert own_choice["order"] == "egypt: job, salary, car, pension, promotion, hours"


def test_given_thresholds_are_taken_as_they_are_and_the_rest_is_computed() -> None:
    given = Choices(thresholds={"short_term": [500, 400]})
    kit = equip(as_seen("employer"), "employer", given, Random(1))
    computed = equip(as_seen("employer"), "employer", Choices(tables="computed"), Random(1))

    assert kit.told["tables"] == "given"
    assert [kit.thresholds.at(0, turn).own for turn in (1, 2, 3)] == [500, 400, 400]
    assert kit.thresholds.at(1, 5) == computed.thresholds.at(1, 5)


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        ({"thresholds": {"nobody": [1]}}, "by the names of types; here these are short_term"),
        ({"thresholds": {"short_term": []}}, "at least one"),
        ({"prior": [1, 1]}, "one share for each of short_term, compromise, long_term"),
        ({"prior": [0, 0, 0]}, "one share for each"),
    ],
)
def test_choices_that_make_no_sense_are_refused_with_a_sentence(choices: dict[str, Any], reason: str) -> None:
    with pytest.raises(AgentError, match=reason):
        equip(as_seen("employer"), "employer", Choices(**choices), Random(1))


def test_a_turn_lasts_as_time_costs_else_a_fourteenth_else_as_set() -> None:
    dear = coins_only(deadline_seconds=300.0)
    costs = replace(dear.preferences["agent"], time_cost=TimeCost(1, 30.0))
    games = {
        "costs": replace(dear, preferences=dear.preferences.put("agent", costs)),
        "deadline": dear,
        "neither": coins_only(),
    }

    seconds = {name: equip(game, "agent", Choices(), Random(1)).turn_seconds for name, game in games.items()}
    kit = equip(dear, "agent", Choices(turn_seconds=10), Random(1))

    assert seconds == {
        "costs": 30,
        "deadline": pytest.approx(300 / 14),
        "neither": pytest.approx(600 / 14),
    }
    assert [kit.turn(t) for t in (0, 9.9, 10, 300)] == [1, 1, 2, 31]


def test_at_a_table_of_three_the_others_are_one_type() -> None:
    kit = equip(three_seats().with_preferences_of(["blue"]), "blue", Choices(), Random(1))

    assert kit.told["types"] == "generated: mirror, even, crossed"
    assert len(kit.space.bids) == 15 * 3
