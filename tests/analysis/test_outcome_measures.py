"""Measures of a session, computed by hand for small games, and as properties of any game."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import dist, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.analysis.bidding_measures import SentOffer
from negoplatform.analysis.games import frontier_with_interactions, game_measures
from negoplatform.analysis.games.frontier_with_interactions import bargaining_solutions
from negoplatform.analysis.outcome_measures import MeasuredGame, SessionMeasures, as_row
from negoplatform.core.events import EndedBy
from negoplatform.domain.errors import NegoError, NotVisible
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility
from tests.games import burdens, categorical_only, coins_only, make_game, three_seats


def with_reservation(game: GameSpec, **changes: dict[str, Any]) -> GameSpec:
    """Return the game with other reservation values for some seats."""
    preferences = game.preferences
    for seat, values in changes.items():
        preferences = preferences.with_value(seat, replace(preferences[seat], **values))
    return replace(game, preferences=preferences)


def choice(colour: str, size: str) -> Offer:
    return Offer({"colour": colour, "size": size})


def ended(
    game: GameSpec,
    deal: Offer | None = None,
    by: EndedBy = EndedBy.AGREEMENT,
    offers: tuple[SentOffer, ...] = (),
    **points: float,
) -> SessionMeasures:
    return MeasuredGame(game).measure_session(deal=deal, ended_by=by, points=points, offers=offers)


# The end


def test_each_seat_is_measured_against_its_reservation_value_and_its_best() -> None:
    # human 4 + 5 of at most 11, agent 4 + 0; both have 3 without a deal.
    found = ended(categorical_only(), choice("green", "large"), human=8, agent=4)

    human, agent = found.seats["human"], found.seats["agent"]
    assert (human.utility, human.points) == (9, 8)
    assert human.advantage == 6 / 8
    assert agent.advantage == 1 / 8
    assert (human.surplus_share, agent.surplus_share) == (6 / 7, 1 / 7)
    assert (human.rational, human.exploited, human.dominance) == (True, False, 1)
    assert agent.dominance == -1


def test_a_seat_below_its_reservation_value_while_the_other_gains_is_exploited() -> None:
    found = ended(categorical_only(), choice("red", "large"))

    assert found.seats["human"].utility == 11
    agent = found.seats["agent"]
    assert (agent.utility, agent.rational, agent.exploited) == (0, False, True)
    assert agent.advantage == -3 / 8


def test_a_seat_that_gets_just_its_reservation_value_is_not_exploited() -> None:
    game = with_reservation(categorical_only(), human={"reservation_value": 9})

    human = ended(game, choice("green", "large")).seats["human"]

    assert (human.advantage, human.rational, human.exploited) == (0, True, False)


def test_a_surplus_of_less_than_a_point_has_shares_too() -> None:
    game = with_reservation(categorical_only(), human={"opt_out": 3.25})

    found = ended(game, by=EndedBy.QUIT)

    assert [of_seat.surplus_share for of_seat in found.seats.values()] == [1, 0]


def test_the_end_is_measured_against_the_best_for_all() -> None:
    found = ended(categorical_only(), choice("red", "small"))

    # 6 + 0 and 0 + 5; the highest sum is 13 with green.
    assert found.joint_points == 11
    assert found.joint_share == 11 / 13
    assert found.relative_welfare == (11 - 6) / (13 - 6)


def test_distances_are_in_shares_of_each_seats_points() -> None:
    # (6, 5) of 11 each is dominated by nothing; Nash is (9, 4) or (4, 9) with a product of 6 * 1 < 3 * 2.
    found = ended(categorical_only(), choice("green", "large"))

    assert found.pareto_optimal is True
    assert found.pareto_distance == 0
    assert found.nash_distance == pytest.approx(0)
    assert found.nash_optimality == 1


def test_the_distance_to_the_nash_point_is_to_the_nearest_where_several_tie() -> None:
    game = categorical_only()
    tied = bargaining_solutions(game).nash.tied

    found = ended(game, choice("red", "large"))

    assert len(tied) > 1
    assert found.nash_distance == pytest.approx(
        min(dist((1, 0), (p.points["human"] / 11, p.points["agent"] / 11)) for p in tied)
    )
    assert found.nash_optimality == pytest.approx(1 - (found.nash_distance or 0) / sqrt(2))


def test_a_wasteful_deal_lies_off_the_frontier() -> None:
    same = {"colour": {"red": 10, "green": 4, "blue": 0}}
    game = make_game(
        {"human": same, "agent": same}, issues=(CategoricalIssue("colour", ("red", "green", "blue")),)
    )

    found = ended(game, Offer({"colour": "green"}))

    assert found.pareto_optimal is False
    assert found.pareto_distance == pytest.approx(0.6 * sqrt(2))
    assert found.pareto_optimality == pytest.approx(0.4)
    assert found.fairness == pytest.approx(0.4)


def test_a_timeout_leaves_the_seats_at_their_reservation_values() -> None:
    found = ended(categorical_only(), by=EndedBy.TIMEOUT)

    assert found.joint_points == 6
    assert found.relative_welfare == 0
    assert found.pareto_optimal is None
    assert found.seats["human"].advantage == 0
    assert found.seats["human"].surplus_share is None
    assert found.seats["human"].dominance == 0


def test_a_walk_out_pays_what_quitting_pays_however_it_is_written() -> None:
    game = with_reservation(categorical_only(), human={"opt_out": 1.25})

    found = ended(game, by=EndedBy.QUIT)

    assert found.seats["human"].utility == 1.25
    assert found.seats["agent"].utility == 3
    assert found.seats["human"].rational is False


@pytest.mark.parametrize("by", [EndedBy.ABORTED, EndedBy.AGENT_FAILURE])
def test_an_end_that_pays_nothing_has_no_outcome_to_measure(by: EndedBy) -> None:
    found = ended(categorical_only(), by=by)

    row = as_row(found)
    assert row["joint_points"] is row["nash_distance"] is row["pareto_optimal"] is row["fairness"] is None
    assert row["human.utility"] is row["human.exploited"] is None
    assert row["human.offers"] == 0


def test_where_points_are_below_zero_there_is_no_share_of_the_best() -> None:
    found = ended(burdens(), Offer({"chores": Allocation({"human": 4, "agent": 6})}))

    assert found.joint_points == -24
    assert found.joint_share is None
    assert found.relative_welfare == (-24 + 36) / (-20 + 36)


def test_a_deal_that_leaves_units_undecided_is_compared_with_outcomes() -> None:
    deal = Offer({"coins": Allocation({"human": 1, "agent": 1}, undecided=2)})

    found = ended(coins_only(allow_partial=True), deal)

    assert found.joint_points == 2
    assert found.pareto_optimal is False


def test_three_seats_have_an_outcome_but_no_measures_of_pairs() -> None:
    deal = Offer({"coins": Allocation({"red": 2, "green": 1, "blue": 1}), "colour": "red"})
    sent: tuple[SentOffer, ...] = (("red", deal, 1.0), ("red", deal, 2.0))

    found = ended(three_seats(), deal, offers=sent)

    red = found.seats["red"]
    assert (red.utility, red.dominance) == (7, 1)
    assert found.joint_share == 1
    assert red.bidding.steps is None
    assert red.bidding.coupling is red.bidding.sensitivity is red.bidding.awareness is None
    assert red.bidding.concession == 0


def test_hidden_preferences_are_not_measured() -> None:
    with pytest.raises(NotVisible):
        MeasuredGame(categorical_only().redacted_for(["human"]))


def interacting(game: GameSpec) -> GameSpec:
    own = game.preferences["human"].utility
    assert isinstance(own, AdditiveUtility)
    both = (("colour", frozenset[object]({"red"})), ("size", frozenset[object]({"small"})))
    return with_reservation(game, human={"utility": InteractionUtility(own, [Interaction(9, both)])})


def test_without_numpy_interactions_leave_what_needs_no_frontier(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(game: GameSpec) -> Any:
        raise NegoError("NumPy is needed.")

    monkeypatch.setattr(frontier_with_interactions, "_numpy", none)
    game = MeasuredGame(interacting(categorical_only()))

    found = game.measure_session(
        deal=choice("red", "small"), ended_by=EndedBy.AGREEMENT, points={}, offers=[]
    )

    assert game.solutions_error == "NumPy is needed."
    assert found.joint_points == 20
    assert found.joint_share is found.pareto_optimal is found.nash_distance is found.fairness is None
    assert found.seats["human"].advantage == 12 / 12


# The game


def test_the_measures_of_a_fixed_pie() -> None:
    found = game_measures.game_measures(bargaining_solutions(coins_only()))

    assert (found.outcomes, found.pareto_outcomes, found.joint_max) == (5, 5, 4)
    assert found.integrative_potential == 0
    assert (found.conflict, found.win_win) == (1, 0)
    assert found.rational_fraction == 1
    assert found.opposition == pytest.approx(sqrt(0.5))


def test_the_measures_of_a_game_in_which_all_agree() -> None:
    same = {"coins": [0, 1, 2, 3, 4]}
    game = make_game(
        {"human": same, "agent": {"coins": [4, 3, 2, 1, 0]}}, issues=(QuantityIssue("coins", 4),)
    )

    found = game_measures.game_measures(
        bargaining_solutions(with_reservation(game, human={"reservation_value": 3}))
    )

    assert (found.integrative_potential, found.opposition) == (1, 0)
    assert (found.conflict, found.win_win) == (0, 1)
    assert found.rational_fraction == 2 / 5


def test_a_seat_that_does_not_care_leaves_nothing_to_share() -> None:
    tables: dict[str, Any] = {"human": {"coins": [0, 1, 2, 3, 4]}, "agent": {"coins": [5] * 5}}
    points = bargaining_solutions(make_game(tables, issues=(QuantityIssue("coins", 4),)))

    assert game_measures.integrative_potential(points) == 0
    found = game_measures.game_measures(points)
    assert (found.conflict, found.win_win) == (0, 0)


def test_large_games_are_not_looked_at_outcome_by_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_measures, "MAX_COUNTED_OUTCOMES", 4)

    found = game_measures.game_measures(bargaining_solutions(coins_only()))

    assert found.rational_fraction is found.conflict is found.win_win is None
    assert found.opposition > 0


TABLE = st.lists(st.integers(-3, 5), min_size=4, max_size=4)


@given(TABLE, TABLE, TABLE, TABLE)
def test_conflict_counts_every_pair_of_outcomes(a: Any, b: Any, c: Any, d: Any) -> None:
    issues = QuantityIssue("x", 3), QuantityIssue("y", 3)
    game = make_game({"human": {"x": a, "y": b}, "agent": {"x": c, "y": d}}, issues=issues)

    found = game_measures.game_measures(bargaining_solutions(game))

    worths = [[game.preferences[s].utility(o) for s in game.seats] for o in game.outcomes()]
    pairs = [(p[0] - q[0], p[1] - q[1]) for p, q in combinations(worths, 2) if p != q]
    if not pairs:
        assert found.conflict is found.win_win is None
    else:
        assert found.conflict == sum(x * y < 0 for x, y in pairs) / len(pairs)
        assert found.win_win == sum(x * y > 0 for x, y in pairs) / len(pairs)


@given(TABLE, TABLE, TABLE, TABLE, st.integers(0, 3), st.integers(0, 3))
def test_measures_stay_within_their_ranges(a: Any, b: Any, c: Any, d: Any, x: int, y: int) -> None:
    issues = QuantityIssue("x", 3), QuantityIssue("y", 3)
    game = make_game({"human": {"x": a, "y": b}, "agent": {"x": c, "y": d}}, issues=issues)
    deal = Offer({n: Allocation({"human": u, "agent": 3 - u}) for n, u in (("x", x), ("y", y))})

    found = ended(game, deal)

    worth = [game.preferences[seat].utility(deal) for seat in game.seats]
    dominated = any(
        all(p.utility(o) >= u for p, u in zip(game.preferences.values(), worth, strict=True))
        and any(p.utility(o) > u for p, u in zip(game.preferences.values(), worth, strict=True))
        for o in game.outcomes()
    )
    assert found.pareto_optimal is not dominated
    assert (found.pareto_distance == 0) is not dominated
    for value in (found.pareto_optimality, found.nash_optimality, found.fairness):
        assert value is None or 0 <= value <= 1
    assert found.joint_share is None or found.joint_share <= 1
    assert all(s.advantage is None or s.advantage <= 1 for s in found.seats.values())
    assert SeatMap({"human": worth[0], "agent": worth[1]}) == SeatMap(
        (seat, of.utility) for seat, of in found.seats.items()
    )


def test_a_seat_that_is_left_out_is_measured_by_what_it_gets() -> None:
    game = three_seats()
    deal = Offer({"coins": Allocation({"red": 2, "green": 1, "blue": 1}), "colour": "red"})
    measured = MeasuredGame(game)

    bound, without_blue = (
        measured.measure_session(
            deal=deal, ended_by=EndedBy.AGREEMENT, points={}, offers=[], left_out=left_out
        )
        for left_out in ((), ("blue",))
    )

    assert [found.seats["blue"].utility for found in (bound, without_blue)] == [2, 1]
    assert [found.seats["blue"].advantage for found in (bound, without_blue)] == [1 / 10, 0]
    assert [found.joint_points for found in (bound, without_blue)] == [11, 10]
    assert [found.pareto_optimal for found in (bound, without_blue)] == [True, False]
    assert (bound.pareto_distance, (without_blue.pareto_distance or 0) > 0) == (0, True)
