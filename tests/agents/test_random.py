"""Agent that bids at random."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from negoplatform.core.events import EndedBy, EventType
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.testing import TrialTable
from tests.agents.more_games import EVERY_KIND, RULES, agents_units, mixed
from tests.agents.seating import below_reservation, load, of, played, shipped
from tests.agents.test_shipped_agents import as_bytes
from tests.games import coins_only, three_seats


def random_at(game: GameSpec, **config: Any) -> TrialTable:
    """Return a table at which the agent has made its first bid."""
    table = TrialTable(game)
    table.seat(shipped("random_bids", **config))
    table.wait(2)
    return table


def with_reservation(game: GameSpec, points: float) -> GameSpec:
    preferences = replace(game.preferences["agent"], reservation_value=points)
    return replace(game, preferences=game.preferences.with_value("agent", preferences))


def asked_for(game: GameSpec, **config: Any) -> Counter[int]:
    """Return the number of games, of 120, in which the agent asks for each number of coins."""
    counted: Counter[int] = Counter()
    for seed in range(120):
        table = TrialTable(game, seed=seed)
        table.seat(shipped("random_bids", **config))
        table.wait(2)
        counted.update(agents_units(table, "coins"))
    return counted


def test_every_bid_that_is_good_enough_is_about_as_likely() -> None:
    counted = asked_for(coins_only())

    assert set(counted) == {0, 1, 2, 3, 4}
    assert all(12 <= times <= 40 for times in counted.values())


@pytest.mark.parametrize(
    ("least", "reservation", "expected"),
    [(0.5, 0, {2, 3, 4}), (0.0, 3, {3, 4}), (0.25, 2, {2, 3, 4}), (1, 0, {4})],
)
def test_it_asks_for_the_least_share_and_never_less_than_its_reservation_value(
    least: float, reservation: float, expected: set[int]
) -> None:
    assert set(asked_for(with_reservation(coins_only(), reservation), least=least)) == expected


@pytest.mark.parametrize(("coins", "accepts"), [(2, True), (3, False)])
def test_it_accepts_what_is_good_enough_and_nothing_less(coins: int, accepts: bool) -> None:
    table = random_at(coins_only(), least=0.5)

    table.human.offers(coins=coins)
    table.wait(2)

    assert bool(of(table, EventType.FORMAL_ACCEPT, "agent")) is accepts


def test_a_partial_offer_is_answered_with_bids_that_keep_it() -> None:
    table = random_at(mixed())

    for _ in range(10):
        table.human.offers(coins=(1, 0), colour="green")
        table.wait(3)

    answers = [event.get_offer() for event in of(table, EventType.SEND_OFFER, "agent")][1:]
    assert len(answers) == 10
    assert all(offer.units("coins", "human") >= 1 and offer.get("colour") == "green" for offer in answers)
    assert len(set(answers)) > 1


def test_a_partial_offer_that_cannot_be_good_enough_is_answered_with_a_bid_that_can() -> None:
    table = random_at(coins_only(), least=1)

    table.human.offers(coins=(2, 0))
    table.wait(3)

    assert agents_units(table, "coins") == [4, 4]


@pytest.mark.parametrize("acceptance", ["both_confirm", "maker_accepts"])
def test_its_own_bid_is_a_deal_once_the_other_accepts_it(acceptance: str) -> None:
    table = random_at(coins_only(acceptance=acceptance))
    table.human.accepts()

    table.wait(3)

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("kind", EVERY_KIND)
def test_two_of_them_make_a_deal_at_every_kind_of_game(kind: str, rules: str) -> None:
    table = played(EVERY_KIND[kind](**RULES[rules]), "random_bids", "random_bids")

    assert of(table, EventType.AGENT_FAILED) == []
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT
    for seat in table.state.game.seats:
        assert below_reservation(table, seat) == []


@pytest.mark.parametrize("acceptance", ["both_confirm", "maker_accepts"])
def test_three_of_them_make_a_deal(acceptance: str) -> None:
    game = three_seats(deadline_seconds=600.0, acceptance=acceptance)

    table = played(game, "random_bids", "random_bids", "random_bids")

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


@pytest.mark.parametrize("other", ["fair", "boulware"])
@pytest.mark.parametrize("game", ["practice", "resource_exchange"])
def test_it_makes_deals_with_everybody(game: str, other: str) -> None:
    table = played(load(game), other, "random_bids")

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


def test_equal_seed_equal_log() -> None:
    first, second = (played(load("practice"), "random_bids", "linear", seed=7) for _ in range(2))

    assert as_bytes(first) == as_bytes(second)


def test_a_quiet_one_says_nothing() -> None:
    table = random_at(coins_only(deadline_seconds=30.0), quiet=True, least=1)
    table.human.offers(coins=2)
    table.wait(3)
    table.human.accepts()

    table.play_out()

    assert agents_units(table, "coins") == [4, 4]
    assert of(table, EventType.SEND_MESSAGE, "agent") == []
    assert of(table, EventType.SEND_EXPRESSION, "agent") == []


@pytest.mark.parametrize("least", [40, -0.1, "much", True])
def test_a_least_that_is_no_share_is_refused(least: object) -> None:
    with pytest.raises(NegoError, match="'least' is a share from 0 to 1"):
        shipped("random_bids", least=least)
