"""Concession by the clock, compared with the formula of Faratin, Sierra and Jennings (1998)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from negoplatform.core.events import EndedBy, EventType
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.seat_map import SeatMap
from negoplatform.testing import TrialTable
from tests.agents.seating import of, shipped
from tests.games import burdens, coins_only, make_game, with_rules

TIMES = [0, 1, 30, 150, 300, 450, 540, 599, 600]

BEST, RESERVATION = 35, 10
"""Agent's side of resource_exchange: 4 * 1 + 5 * 2 + 3 * 3 + 3 * 4, and no deal."""


def concession(t: float, deadline: float, exponent: float, k: float = 0.0) -> float:
    """Return the paper's polynomial: alpha(t) = k + (1 - k) * (min(t, t_max) / t_max) ** (1 / beta)."""
    return k + (1 - k) * math.pow(min(t, deadline) / deadline, 1 / exponent)


def exponential(t: float, deadline: float, exponent: float, k: float) -> float:
    """Return the paper's exponential: alpha(t) = e ** ((1 - min(t, t_max) / t_max) ** beta * ln(k))."""
    return math.pow(k, math.pow(1 - min(t, deadline) / deadline, exponent))


def asked(conceded: float) -> Any:
    """Return the points that are asked for after a share of the way to the reservation value."""
    return pytest.approx(BEST - conceded * (BEST - RESERVATION))


def with_reservation(game: GameSpec, points: float) -> GameSpec:
    """Return the same game with another reservation value of the agent."""
    agent = replace(game.preferences["agent"], reservation_value=points)
    return replace(game, preferences=SeatMap({**dict(game.preferences), "agent": agent}))


def target_at(t: float, game: GameSpec, name: str = "linear", **config: Any) -> float:
    """Return an agent's target at a time."""
    table = TrialTable(game)
    agent: Any = shipped(name, **config)
    table.seat(agent)
    table.start()
    table.wait(t)
    return float(agent.target(table.context("agent")))


@pytest.mark.parametrize("t", TIMES)
@pytest.mark.parametrize(("name", "exponent"), [("boulware", 0.2), ("linear", 1.0), ("conceder", 5.0)])
def test_the_target_follows_the_formula(game: GameSpec, name: str, exponent: float, t: float) -> None:
    assert target_at(t, game, name) == asked(concession(t, 600, exponent))


@pytest.mark.parametrize(("exponent", "k"), [(0.02, 0.0), (1, 0.1), (2.5, 0.05), (50, 0.3)])
@pytest.mark.parametrize("t", [0, 60, 300])
def test_exponent_and_k_can_be_set(game: GameSpec, exponent: float, k: float, t: float) -> None:
    assert target_at(t, game, exponent=exponent, k=k) == asked(concession(t, 600, exponent, k))


@pytest.mark.parametrize(("exponent", "k"), [(0.2, 0.05), (1, 0.1), (5, 0.01), (2, 1.0)])
@pytest.mark.parametrize("t", TIMES)
def test_the_exponential_family_follows_its_formula(
    game: GameSpec, exponent: float, k: float, t: float
) -> None:
    target = target_at(t, game, family="exponential", exponent=exponent, k=k)

    assert target == asked(exponential(t, 600, exponent, k))


def test_a_linear_agent_still_concedes_in_the_second_half(game: GameSpec) -> None:
    reserved = with_reservation(game, 17.5)

    assert [target_at(t, reserved) for t in (300, 450, 600)] == pytest.approx([26.25, 21.875, 17.5])


@pytest.mark.parametrize("reservation", [-40, 0])
def test_a_reservation_value_that_no_outcome_undercuts_leaves_the_worst_outcome_as_the_end(
    game: GameSpec, reservation: int
) -> None:
    assert target_at(300, with_reservation(game, reservation)) == pytest.approx(BEST / 2)
    assert target_at(600, with_reservation(game, reservation)) == 0


@pytest.mark.parametrize("t", TIMES)
def test_a_reservation_value_above_the_best_outcome_leaves_no_bid(game: GameSpec, t: float) -> None:
    table = TrialTable(with_reservation(game, BEST + 1))
    table.seat(shipped("linear"))
    table.wait(t)

    assert of(table, EventType.SEND_OFFER, "agent") == []


def test_a_bid_worth_exactly_the_target_is_made_whatever_the_rounding() -> None:
    tables = {seat: {"coins": list(range(101))} for seat in ("human", "agent")}
    game = make_game(tables, issues=(QuantityIssue("coins", 100),), deadline_seconds=100.0)
    table = TrialTable(game)
    agent: Any = shipped("linear")
    table.seat(agent)
    table.start()
    worths = []
    for _ in range(99):
        table.wait(1)
        ctx = table.context("agent")
        worths.append(ctx.utility(agent.bids.near(agent.target(ctx), ctx.rng)))

    assert worths == list(range(99, 0, -1))


def test_boulware_holds_out_and_conceder_gives_in_early(game: GameSpec) -> None:
    boulware, linear, conceder = (target_at(150, game, name) for name in ("boulware", "linear", "conceder"))

    assert boulware > linear > conceder


def test_negative_points_are_conceded_by_the_same_formula() -> None:
    game = burdens(deadline_seconds=600.0)

    assert target_at(300, game, "linear") == pytest.approx(0 - 0.5 * 18)
    assert target_at(600, game, "conceder") == -18


def test_without_a_deadline_the_agent_gives_itself_ten_minutes() -> None:
    game = coins_only()

    assert target_at(300, game, "linear") == pytest.approx(2)
    assert target_at(5000, game, "linear") == 0


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"exponent": 0}, "'exponent' is a number above 0"),
        ({"exponent": -1}, "'exponent' is a number above 0"),
        ({"exponent": "steep"}, "'exponent' is a number above 0"),
        ({"exponent": True}, "'exponent' is a number above 0"),
        ({"exponent": float("nan")}, "'exponent' is a number above 0"),
        ({"k": 40}, r"'k' is a share from 0 to 1 \(0\.4 for 40 %\)"),
        ({"k": -0.1}, "'k' is a share from 0 to 1"),
        ({"family": "exponential"}, "The family exponential needs a setting 'k' above 0, such as 0.05"),
        ({"family": "logistic", "k": 0.1}, "'family' is one of polynomial, exponential"),
    ],
)
def test_settings_that_make_no_sense_are_refused_with_a_sentence(config: dict[str, Any], reason: str) -> None:
    with pytest.raises(NegoError, match=reason):
        shipped("linear", **config)


def test_each_bid_is_worth_the_target_or_as_little_more_as_possible(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(shipped("linear"))
    utility = game.preferences["agent"].utility
    levels = sorted({utility(outcome) for outcome in game.outcomes()})

    table.play_out()

    bids = of(table, EventType.SEND_OFFER, "agent")
    assert len(bids) > 15
    for bid in bids:
        decided = BEST - (BEST - RESERVATION) * (bid.decided_at or 0) / 600
        assert utility(bid.get_offer()) == next(level for level in levels if level >= decided - 1e-6)


def test_bids_never_rise_while_the_other_is_silent(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(shipped("conceder"))
    table.play_out()

    worths = [game.preferences["agent"].utility(bid.get_offer()) for bid in of(table, EventType.SEND_OFFER)]

    assert worths == sorted(worths, reverse=True)
    assert worths[-1] >= RESERVATION


def test_an_offer_at_the_target_is_accepted_and_one_below_is_not(game: GameSpec) -> None:
    def accepted(units: int) -> bool:
        table = TrialTable(game)
        table.seat(shipped("linear"))
        table.wait(420)  # the target is 17.5
        table.human.offers(bananas=(4 - units, units), grain=(0, 5), wood=(2, 1), spices=(3, 0))
        table.wait(4)
        return bool(of(table, EventType.FORMAL_ACCEPT, "agent"))

    assert not accepted(units=4)  # 4 + 10 + 3 = 17
    table = TrialTable(game)
    table.seat(shipped("linear"))
    table.wait(420)
    table.human.offers(bananas=(3, 1), grain=(0, 5), wood=(3, 0), spices=(1, 2))  # 1 + 10 + 8 = 19
    table.wait(4)
    assert of(table, EventType.FORMAL_ACCEPT, "agent")


def test_an_offer_below_the_target_is_not_accepted_because_the_other_has_accepted_it(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(shipped("boulware"))
    table.wait(10)
    offer = table.human.offers(bananas=(4, 0), grain=(5, 0), wood=(3, 0), spices=(3, 0))
    table.human.accepts(offer)

    table.wait(1.2)

    assert table.state.ending is None
    assert of(table, EventType.FORMAL_ACCEPT, "agent") == []


def test_its_own_offer_is_a_deal_once_the_other_accepts_it(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(shipped("linear"))
    table.wait(2)
    table.human.accepts()

    table.wait(2)

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


def test_a_flood_of_offers_gets_one_bid_at_a_time(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(shipped("boulware"))
    table.wait(10)
    before = len(of(table, EventType.SEND_OFFER, "agent"))
    for _ in range(20):
        table.human.offers(bananas=(4, 0), grain=(5, 0), wood=(3, 0), spices=(3, 0))

    table.wait(4)

    assert len(of(table, EventType.SEND_OFFER, "agent")) == before + 1


def test_a_short_deadline_is_used_to_its_end(game: GameSpec) -> None:
    short = with_rules(game, deadline_seconds=30.0)

    assert target_at(15, short, "linear") == asked(0.5)
    assert target_at(29.9, short, "boulware") == asked(concession(29.9, 30, 0.2))
