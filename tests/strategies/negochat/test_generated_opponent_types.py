"""Replacements of unpublished data: bids of large games, types, thresholds, turns."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import GameSpec, TimeCost
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.strategies.negochat.bid_space import BidSpace, own_utility
from negoplatform.strategies.negochat.bid_thresholds import SHARES, QuantileThresholds, cluster
from negoplatform.strategies.negochat.generated_opponent_types import generated_types, importance, oracle_type
from negoplatform.strategies.negochat.issue_negotiation import IssueNegotiation
from negoplatform.strategies.negochat.negotiation_model_builder import (
    NegotiationModelOptions,
    build_negotiation_model,
)
from tests.agents.more_games import interacting, mixed
from tests.games import burdens, coins_only, make_game, three_seats
from tests.strategies.negochat.domains import as_seen, job_candidate, small_game


def space_of(game: GameSpec, seat: str = "agent") -> BidSpace:
    return BidSpace(game, seat, Random(1))


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
    assert own_utility(space).values == pytest.approx(
        [game.preferences[seat].utility(offer) for offer in offers]
    )


def test_what_is_undecided_within_an_issue_is_taken_as_suits_oneself_best() -> None:
    coins, chores = space_of(coins_only()), space_of(burdens())

    of_coins = coins.terms(Offer({"coins": Allocation({"human": 1}, 3)}))
    of_chores = chores.terms(Offer({"chores": Allocation({"human": 1}, 9)}))

    assert coins.offer(of_coins).get("coins") == Allocation({"human": 1, "agent": 3})
    assert chores.offer(of_chores).get("chores") == Allocation({"human": 10})


def huge() -> GameSpec:
    """Return a game with 10 ** 12 outcomes."""
    issues = tuple(CategoricalIssue(f"i{n}", tuple(f"v{j}" for j in range(10))) for n in range(12))
    up = {issue.name: {f"v{j}": j for j in range(10)} for issue in issues}
    down = {issue.name: {f"v{j}": 9 - j for j in range(10)} for issue in issues}
    return make_game({"human": down, "agent": up}, issues=issues)


def test_a_sample_holds_the_best_and_the_worst_bid_and_all_terms_that_are_asked_for() -> None:
    game = huge()
    kit = build_negotiation_model(game.redacted_for(["agent"]), "agent", NegotiationModelOptions(), Random(1))
    talk = IssueNegotiation(kit.space, kit.own, kit.belief, kit.thresholds, kit.order, least=30)
    asked = Offer({"i3": "v2", "i7": "v1", "i9": "v6"})

    best = talk.best_bid(kit.space.terms(asked))

    assert kit.summary["bids"] == "2000, a sample"
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
    own = own_utility(space)

    types = {kind.name: kind.utility for kind in generated_types(space, own)}

    ranges = {
        name: [value.level_utility(issue, 2) - value.level_utility(issue, 0) for issue in range(3)]
        for name, value in types.items()
    }
    assert ranges == {
        "mirror": pytest.approx([30, 20, 9]),
        "even": pytest.approx([59 / 3] * 3),
        "crossed": pytest.approx([9, 20, 30]),
    }
    assert all(value.level_utility(issue, 0) == 0 for value in types.values() for issue in range(3))
    assert importance(space, own) == [0, 1, 2]


@pytest.mark.parametrize("effect", [0.0, 1.5])
def test_computed_thresholds_let_the_published_share_of_bids_through(effect: float) -> None:
    space = space_of(as_seen("employer", employer="long_term"), "employer")
    own = own_utility(space)
    types = generated_types(space, own)
    bars = QuantileThresholds(own, types, effect)

    for k, kind in enumerate(types):
        for turn, share in enumerate(SHARES, 1):
            let_through = cluster(own, kind.utility, bars.at(k, turn), turn * effect)
            tied = 1296 * share
            assert tied - 1 <= len(let_through) <= tied + 60, "equal margins are let through together"


def test_in_the_last_turn_what_is_as_good_as_no_deal_is_let_through() -> None:
    kit = build_negotiation_model(
        as_seen("employer", employer="long_term"), "employer", NegotiationModelOptions(), Random(1)
    )

    for k, kind in enumerate(kit.belief.types):
        let_through = cluster(kit.own, kind.utility, kit.thresholds.at(k, 14), 14 * kit.time_effect)
        assert let_through == [n for n, points in enumerate(kit.own.values) if points >= 306]


def test_in_a_small_game_four_bids_are_let_through_from_the_first_turn_on() -> None:
    space = space_of(small_game())
    own = own_utility(space)
    types = generated_types(space, own)

    let_through = [
        len(cluster(own, kind.utility, QuantileThresholds(own, types).at(k, 1), 0))
        for k, kind in enumerate(types)
    ]

    assert min(let_through) >= 4  # 3.1 % of 27 bids is one
    assert max(let_through) <= 6


def test_published_figures_that_do_not_fit_are_replaced_and_the_record_says_so() -> None:
    game = mixed().redacted_for(["agent"])

    asked_for = build_negotiation_model(
        game, "agent", NegotiationModelOptions(tables="published", types="published"), Random(1)
    )
    left_open = build_negotiation_model(game, "agent", NegotiationModelOptions(), Random(1))

    assert asked_for.summary["tables"] == "computed (published ones do not fit here)"
    assert asked_for.summary["types"] == "generated (published ones do not fit here): mirror, even, crossed"
    assert asked_for.thresholds.at(0, 1) == left_open.thresholds.at(0, 1)
    assert left_open.summary["tables"] == "computed"


def test_a_margin_is_computed_as_declared() -> None:
    space = space_of(small_game())
    own = own_utility(space)
    (mirror, *_) = types = generated_types(space, own)
    bars = QuantileThresholds(own, types, 2.0, shares=(0.2, 0.6))
    gap = 0.3647 * 59

    bar = bars.at(0, 2)

    margins = sorted(min(u - 4, v + gap) for u, v in zip(own.values, mirror.utility.values, strict=True))
    assert margins[-17] < bar.own < margins[-16]  # 60 % of 27
    assert bar.other == pytest.approx(bar.own - gap)


def test_a_sure_type_is_used_only_where_the_game_shows_it_and_the_setting_allows_it() -> None:
    game, shown = as_seen("employer"), job_candidate().preferences["candidate"].utility
    told = {
        "private": build_negotiation_model(game, "employer", NegotiationModelOptions(), Random(1)).summary,
        "public": build_negotiation_model(
            game, "employer", NegotiationModelOptions(), Random(1), shown
        ).summary,
        "refused": build_negotiation_model(
            game, "employer", NegotiationModelOptions(use_visible=False), Random(1), shown
        ).summary,
    }

    assert {name: (t["types"].split(":")[0], t["tables"]) for name, t in told.items()} == {
        "private": ("published", "published"),
        "public": ("known", "computed"),
        "refused": ("published", "published"),
    }


@pytest.mark.parametrize("game", [mixed(), interacting()], ids=["sum", "interacting"])
def test_a_sure_type_is_worth_what_the_game_shows(game: GameSpec) -> None:
    utility = game.preferences["agent"].utility

    kind = oracle_type(space_of(game, "human"), utility)

    assert kind.utility.values == pytest.approx([utility(offer) for offer in game.outcomes()])


def test_published_tables_are_left_alone_for_other_own_points_and_other_games() -> None:
    long_term = build_negotiation_model(
        as_seen("employer", employer="long_term"), "employer", NegotiationModelOptions(), Random(1)
    ).summary
    other_game = build_negotiation_model(
        mixed().redacted_for(["agent"]), "agent", NegotiationModelOptions(), Random(1)
    ).summary
    chosen = NegotiationModelOptions(tables="computed", types="generated", culture="egypt")
    own_choice = build_negotiation_model(as_seen("employer"), "employer", chosen, Random(1)).summary

    assert (long_term["tables"], long_term["types"]) == (
        "computed",
        "published: short_term, compromise, long_term",
    )
    assert (other_game["tables"], other_game["types"]) == ("computed", "generated: mirror, even, crossed")
    assert (own_choice["tables"], own_choice["types"]) == ("computed", "generated: mirror, even, crossed")
    assert own_choice["order"] == "egypt: job, salary, car, pension, promotion, hours"


def test_given_thresholds_are_taken_as_they_are_and_the_rest_is_computed() -> None:
    given = NegotiationModelOptions(thresholds={"short_term": [500, 400]})
    kit = build_negotiation_model(as_seen("employer"), "employer", given, Random(1))
    computed = build_negotiation_model(
        as_seen("employer"), "employer", NegotiationModelOptions(tables="computed"), Random(1)
    )

    assert kit.summary["tables"] == "given"
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
        build_negotiation_model(
            as_seen("employer"), "employer", NegotiationModelOptions(**choices), Random(1)
        )


def test_a_turn_lasts_as_time_costs_else_a_fourteenth_else_as_set() -> None:
    dear = coins_only(deadline_seconds=300.0)
    costs = replace(dear.preferences["agent"], time_cost=TimeCost(1, 30.0))
    games = {
        "costs": replace(dear, preferences=dear.preferences.with_value("agent", costs)),
        "deadline": dear,
        "neither": coins_only(),
    }

    seconds = {
        name: build_negotiation_model(game, "agent", NegotiationModelOptions(), Random(1)).turn_seconds
        for name, game in games.items()
    }
    kit = build_negotiation_model(dear, "agent", NegotiationModelOptions(turn_seconds=10), Random(1))

    assert seconds == {
        "costs": 30,
        "deadline": pytest.approx(300 / 14),
        "neither": pytest.approx(600 / 14),
    }
    assert [kit.turn_at(t) for t in (0, 9.9, 10, 300)] == [1, 1, 2, 31]


def test_at_a_table_of_three_the_others_are_one_type() -> None:
    kit = build_negotiation_model(
        three_seats().redacted_for(["blue"]), "blue", NegotiationModelOptions(), Random(1)
    )

    assert kit.summary["types"] == "generated: mirror, even, crossed"
    assert len(kit.space.bids) == 15 * 3
