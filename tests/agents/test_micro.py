"""MiCRO, compared with de Jonge (2022): one new bid for each new offer, best first."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from negoplatform.agent_api.bidder import STALEMATE_LIMIT
from negoplatform.core.events import EndedBy, EventType
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.testing import TrialTable
from tests.agents.more_games import EVERY_KIND, RULES, agents_units, interacting, mixed
from tests.agents.seating import below_reservation, load, of, played, shipped
from tests.agents.test_shipped_agents import as_bytes
from tests.games import COINS, COLOURS, coins_only, make_game, three_seats


def micro_at(game: GameSpec, **config: Any) -> TrialTable:
    """Return a table at which MiCRO has made its first bid."""
    table = TrialTable(game)
    table.seat(shipped("micro", **config))
    table.wait(2)
    return table


def offered(table: TrialTable, **terms: Any) -> None:
    """Make an offer as the human, and wait for the answer."""
    table.human.offers(**terms)
    table.wait(3)


def test_it_opens_with_its_best_bid() -> None:
    assert agents_units(micro_at(coins_only()), "coins") == [4]


def test_each_new_offer_gets_the_next_lower_bid() -> None:
    table = micro_at(coins_only())

    offered(table, coins=4)
    offered(table, coins=3)

    assert agents_units(table, "coins") == [4, 3, 2]


def test_an_offer_that_was_made_before_gets_no_new_bid() -> None:
    table = micro_at(coins_only())

    for _ in range(8):
        offered(table, coins=4)

    assert agents_units(table, "coins")[:2] == [4, 3]
    assert set(agents_units(table, "coins")[2:]) == {3, 4}, "it repeats its own by chance"


def test_what_is_as_good_as_its_next_bid_is_accepted() -> None:
    table = micro_at(coins_only())

    offered(table, coins=1)

    assert agents_units(table, "coins") == [4]
    assert len(of(table, EventType.FORMAL_ACCEPT, "agent")) == 1


def test_what_is_worse_than_its_next_bid_is_not_accepted() -> None:
    table = micro_at(coins_only())

    offered(table, coins=2)

    assert of(table, EventType.FORMAL_ACCEPT) == []
    assert agents_units(table, "coins") == [4, 3]


def test_an_old_offer_is_held_against_its_last_new_bid() -> None:
    table = micro_at(coins_only())
    offered(table, coins=2)
    offered(table, coins=4)

    offered(table, coins=2)

    assert agents_units(table, "coins") == [4, 3, 2]
    assert len(of(table, EventType.FORMAL_ACCEPT, "agent")) == 1


@pytest.mark.parametrize("colour", ["red", "green", "blue"])
def test_of_equal_bids_it_makes_the_one_first_that_the_other_has_made(colour: str) -> None:
    side = {"coins": list(range(5)), "colour": dict.fromkeys(("red", "green", "blue"), 0)}
    table = micro_at(make_game({"human": side, "agent": side}, issues=(COINS, COLOURS)))

    offered(table, coins=2, colour=colour)
    for coins, other in product((3, 4), ("red", "green", "blue")):
        offered(table, coins=coins, colour=other)

    bids = [event.get_offer() for event in of(table, EventType.SEND_OFFER, "agent")]
    assert agents_units(table, "coins") == [4, 4, 4, 3, 3, 3, 2, 2]
    assert bids[6].get("colour") == colour
    assert len(set(bids)) == len(bids)


def test_it_stops_at_its_reservation_value() -> None:
    game = coins_only()
    proud = replace(game.preferences["agent"], reservation_value=3)
    table = micro_at(replace(game, preferences=game.preferences.with_value("agent", proud)))

    for coins in (4, 3, 2, 4, 3, 2):
        offered(table, coins=coins)

    assert agents_units(table, "coins")[:2] == [4, 3]
    assert set(agents_units(table, "coins")) == {4, 3}
    assert of(table, EventType.FORMAL_ACCEPT) == []


def test_it_counts_an_offer_that_it_had_no_time_to_answer() -> None:
    table = micro_at(coins_only())
    table.human.offers(coins=4)
    table.human.offers(coins=3)

    table.wait(4)
    offered(table, coins=4)

    assert agents_units(table, "coins") == [4, 3, 2]


def test_a_partial_offer_moves_nothing_and_is_answered_with_a_bid_that_keeps_it() -> None:
    table = micro_at(mixed())
    offered(table, coins=0, colour="red", price=10)
    offered(table, coins=0, colour="red", price=10.5)
    offered(table, coins=0, colour="red", price=11)
    own = {event.get_offer() for event in of(table, EventType.SEND_OFFER, "agent")}
    assert {offer.get("price") for offer in own} == {11.5, 12}

    for _ in range(6):
        offered(table, price=11.5)

    answers = [event.get_offer() for event in of(table, EventType.SEND_OFFER, "agent")][4:]
    assert len(answers) == 6
    assert {offer.get("price") for offer in answers} == {11.5}
    assert set(answers) <= own


def test_points_for_things_together_are_counted() -> None:
    table = micro_at(interacting())

    (first,) = of(table, EventType.SEND_OFFER, "agent")

    assert (first.get_offer().units("coins", "agent"), first.get_offer().get("colour")) == (4, "green")


@pytest.mark.parametrize("acceptance", ["both_confirm", "maker_accepts"])
def test_its_own_bid_is_a_deal_once_the_other_accepts_it(acceptance: str) -> None:
    table = micro_at(coins_only(acceptance=acceptance))
    table.human.accepts()

    table.wait(3)

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("kind", EVERY_KIND)
def test_two_of_them_make_a_deal_at_every_kind_of_game(kind: str, rules: str) -> None:
    table = played(EVERY_KIND[kind](**RULES[rules]), "micro", "micro")

    assert of(table, EventType.AGENT_FAILED) == []
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT
    for seat in table.state.game.seats:
        assert below_reservation(table, seat) == []


def test_at_a_table_of_three_it_waits_for_the_slowest() -> None:
    game = three_seats()
    table = TrialTable(game)
    table.seat(shipped("micro"), "blue")
    table.wait(2)

    table.participant("red").offers(coins=(4, 0, 0), colour="red")
    table.wait(3)
    table.participant("red").offers(coins=(3, 1, 0), colour="red")
    table.wait(3)
    waiting = {event.get_offer() for event in of(table, EventType.SEND_OFFER, "blue")}
    table.participant("green").offers(coins=(0, 4, 0), colour="green")
    table.wait(3)

    assert len(waiting) == 1
    assert len({event.get_offer() for event in of(table, EventType.SEND_OFFER, "blue")}) == 2


@pytest.mark.parametrize("acceptance", ["both_confirm", "maker_accepts"])
def test_three_of_them_make_a_deal(acceptance: str) -> None:
    table = played(three_seats(deadline_seconds=600.0, acceptance=acceptance), "micro", "micro", "micro")

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


@pytest.mark.parametrize(
    ("game", "other"),
    [("practice", "fair"), ("practice", "boulware"), ("resource_exchange", "boulware")],
)
@pytest.mark.parametrize("turned", [False, True])
def test_it_makes_deals_with_agents_that_concede(game: str, other: str, turned: bool) -> None:
    pair = (other, "micro") if turned else ("micro", other)

    table = played(load(game), *pair)

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


def test_equal_seed_equal_log() -> None:
    first, second = (played(load("resource_exchange"), "micro", "tit_for_tat", seed=7) for _ in range(2))

    assert as_bytes(first) == as_bytes(second)


def test_a_quiet_one_makes_the_same_bids_and_says_nothing() -> None:
    loud, quiet = (micro_at(mixed(deadline_seconds=60.0), quiet=quiet) for quiet in (False, True))
    for table in (loud, quiet):
        for coins in (0, 0, 1, 4):
            offered(table, coins=coins, colour="blue", price=11)
        table.play_out()

    bids = [
        [event.get_offer() for event in of(table, EventType.SEND_OFFER, "agent")] for table in (loud, quiet)
    ]
    assert bids[0] == bids[1]
    assert of(loud, EventType.SEND_MESSAGE, "agent")
    assert of(quiet, EventType.SEND_MESSAGE, "agent") == []
    assert of(quiet, EventType.SEND_EXPRESSION, "agent") == []


def test_quiet_is_true_or_false() -> None:
    with pytest.raises(NegoError, match="'quiet' is true or false, not 'yes'"):
        shipped("micro", quiet="yes")


@pytest.mark.parametrize(("rules", "leaves"), [({}, True), ({"deadline_seconds": 3600.0}, False)])
def test_only_a_game_without_a_deadline_that_goes_round_in_circles_is_left(
    rules: dict[str, Any], leaves: bool
) -> None:
    table = micro_at(coins_only(**rules))

    for _ in range(STALEMATE_LIMIT + 1):
        offered(table, coins=4)
    before = table.state.ending
    offered(table, coins=4)

    assert before is None
    assert (table.state.ending is not None) is leaves
    assert len(of(table, EventType.FORMAL_QUIT, "agent")) == leaves
