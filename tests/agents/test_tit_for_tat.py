"""Imitation, compared with the formulas of Faratin, Sierra and Jennings (1998), section 4.3."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from negoplatform.core.events import EndedBy, EventType
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.testing import TrialTable
from tests.agents.more_games import EVERY_KIND, RULES, agents_units, heap, mixed
from tests.agents.seating import below_reservation, load, of, played, shipped
from tests.agents.test_shipped_agents import as_bytes
from tests.games import burdens, coins_only, three_seats


def imitator_at(game: GameSpec, **config: Any) -> tuple[TrialTable, Any]:
    """Return a table at which the agent has made its first bid, and the agent."""
    agent: Any = shipped("tit_for_tat", **config)
    table = TrialTable(game)
    table.seat(agent)
    table.wait(2)
    return table, agent


def targets(left: list[int], **config: Any) -> list[float]:
    """Return the agent's targets after each offer about twenty things; ``left`` has the units left to it."""
    table, agent = imitator_at(heap(), **config)
    seen = []
    for units in left:
        table.human.offers(heap=20 - units)
        table.wait(3)
        seen.append(agent.target)
    return seen


def test_it_opens_with_its_best_bid() -> None:
    table, _ = imitator_at(heap())

    assert agents_units(table, "heap") == [20]


def test_relative_it_demands_less_in_the_proportion_in_which_the_other_does() -> None:
    # The human demands 20, 18, 9, 9.
    assert targets([0, 2, 11, 11]) == pytest.approx([19, 19 * 18 / 20, 19 * 9 / 20, 19 * 9 / 20])


def test_relative_it_takes_back_what_the_other_takes_back() -> None:
    assert targets([0, 5, 0]) == pytest.approx([19, 19 * 15 / 20, 19])


def test_relative_with_a_window_of_two_it_answers_the_step_before_the_last() -> None:
    assert targets([0, 2, 4, 4], window=2) == pytest.approx(
        [19, 19 * 18 / 20, 19 * (18 / 20) ** 2, 19 * (18 / 20) ** 2 * 16 / 18]
    )


def test_absolute_it_gives_as_many_points_as_the_other() -> None:
    assert targets([0, 2, 5, 4], variant="absolute") == pytest.approx([19, 17, 14, 15])


def test_absolute_with_noise_it_gives_a_little_more_by_chance() -> None:
    seen = targets([0, 2, 2, 2, 2], variant="absolute", noise=0.1)

    assert 15 <= seen[1] < 17
    assert all(0 < before - after <= 2 for before, after in pairwise(seen[1:]))


def test_averaged_it_answers_the_whole_change_in_the_window() -> None:
    assert targets([0, 2, 4, 4], variant="averaged", window=2) == pytest.approx(
        [19, 19 * 18 / 20, 19 * 18 / 20 * 16 / 20, 19 * 18 / 20 * 16 / 20 * 16 / 18]
    )


def test_averaged_with_a_window_of_one_is_relative() -> None:
    left = [0, 3, 1, 7, 7]

    assert targets(left, variant="averaged") == targets(left)


@pytest.mark.parametrize(("first_step", "expected"), [(0, 20), (0.05, 19), (0.01, 19), (0.5, 10)])
def test_the_first_answer_gives_the_first_step_and_one_bid_at_least(
    first_step: float, expected: float
) -> None:
    assert targets([0], first_step=first_step) == [expected]


def test_the_target_stays_between_the_reservation_value_and_the_best_bid() -> None:
    game = heap()
    proud = replace(game.preferences["agent"], reservation_value=8)
    table, agent = imitator_at(
        replace(game, preferences=game.preferences.with_value("agent", proud)), variant="absolute"
    )
    seen = []
    for units in (0, 7, 14 - 7, 0, 0, 7, 0):
        table.human.offers(heap=20 - units)
        table.wait(3)
        seen.append(agent.target)

    assert seen == [19, 12, 12, 19, 19, 12, 19]
    table.human.offers(heap=5)
    table.wait(3)
    assert agent.target == 8
    assert below_reservation(table, "agent") == []


def test_an_offer_that_takes_much_back_brings_it_to_its_best_bid_and_not_beyond() -> None:
    assert targets([10, 0], variant="absolute") == [19, 20]


def test_each_bid_is_worth_the_target_or_as_little_more_as_possible() -> None:
    table, _ = imitator_at(heap())
    for units in (0, 2, 4):
        table.human.offers(heap=20 - units)
        table.wait(3)

    assert agents_units(table, "heap") == [20, 19, 18, 16]  # targets 19, 17.1, 15.2


@pytest.mark.parametrize(("units", "accepts"), [(10, False), (14, True)])
def test_it_accepts_what_is_worth_the_target_that_the_offer_itself_brings_about(
    units: int, accepts: bool
) -> None:
    table, agent = imitator_at(heap(), variant="absolute")
    table.human.offers(heap=11)
    table.wait(3)  # target 19

    table.human.offers(heap=20 - units)
    table.wait(3)

    assert agent.target == {10: 18, 14: 14}[units]
    assert bool(of(table, EventType.FORMAL_ACCEPT, "agent")) is accepts


def test_negative_points_are_imitated_by_the_same_formula() -> None:
    table, agent = imitator_at(burdens(), first_step=0.1)
    for chores in (0, 1):  # to the human; the agent's points are -20, then -18
        table.human.offers(chores=chores)
        table.wait(3)

    assert agent.target == pytest.approx(-20 + 18 * 18 / 20)


def test_a_partial_offer_moves_nothing_and_is_answered_with_a_bid_that_keeps_it() -> None:
    table, agent = imitator_at(mixed())
    table.human.offers(coins=4, colour="red", price=10)
    table.wait(3)
    before = agent.target

    for _ in range(6):
        table.human.offers(colour="green")
        table.wait(3)

    answers = [event.get_offer() for event in of(table, EventType.SEND_OFFER, "agent")][-6:]
    assert agent.target == before == 14
    assert [table.context("agent").utility(answer) for answer in answers] == [14] * 6
    assert {answer.get("colour") for answer in answers} == {"green"}, "three coins and blue are worth 14 too"
    assert "A start. With the rest like this?" in [
        event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent")
    ]


def test_a_partial_offer_that_cannot_be_worth_the_target_gets_an_ordinary_bid() -> None:
    table, _ = imitator_at(mixed())

    table.human.offers(price=10)
    table.wait(3)

    assert len(of(table, EventType.SEND_OFFER, "agent")) == 2
    assert of(table, EventType.SEND_OFFER, "agent")[-1].get_offer().get("price") == 12


def test_a_flood_of_offers_gets_one_bid_at_a_time_and_every_move_is_seen() -> None:
    table, agent = imitator_at(heap(), variant="absolute")
    for units in range(10):
        table.human.offers(heap=20 - units)

    table.wait(4)

    assert agents_units(table, "heap") == [20, 19]
    assert agent.target == 10


def test_it_stands_by_a_bid_that_it_would_no_longer_make() -> None:
    table, agent = imitator_at(heap(), variant="absolute")
    table.human.offers(heap=20)
    table.wait(3)
    table.human.offers(heap=19)
    table.wait(0.5)
    table.human.offers(heap=20)  # takes it back while the answer is on its way
    table.wait(1.2)

    table.human.accepts()
    table.wait(3)

    assert agents_units(table, "heap") == [20, 19, 18]
    assert agent.target == 19
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


def test_at_a_table_of_three_it_imitates_each_by_that_ones_own_offers() -> None:
    game = three_seats()
    agent: Any = shipped("tit_for_tat", variant="absolute", first_step=0)
    table = TrialTable(game)
    table.seat(agent, "blue")
    table.wait(2)

    table.participant("red").offers(coins=(4, 0, 0), colour="red")
    table.participant("green").offers(coins=(0, 2, 2), colour="green")
    unmoved = agent.target
    table.participant("red").offers(coins=(3, 0, 1), colour="red")

    assert unmoved == 11
    assert agent.target == 11 - 2


@pytest.mark.parametrize("acceptance", ["both_confirm", "maker_accepts"])
def test_its_own_bid_is_a_deal_once_the_other_accepts_it(acceptance: str) -> None:
    table, _ = imitator_at(coins_only(acceptance=acceptance))
    table.human.accepts()

    table.wait(3)

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("kind", EVERY_KIND)
@pytest.mark.parametrize("other", ["linear", "random_bids"])
def test_it_makes_deals_at_every_kind_of_game(kind: str, rules: str, other: str) -> None:
    table = played(EVERY_KIND[kind](**RULES[rules]), other, "tit_for_tat")

    assert of(table, EventType.AGENT_FAILED) == []
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT
    for seat in table.state.game.seats:
        assert below_reservation(table, seat) == []


@pytest.mark.parametrize("other", ["fair", "boulware", "tit_for_tat"])
@pytest.mark.parametrize("game", ["practice", "resource_exchange"])
@pytest.mark.parametrize("turned", [False, True])
def test_it_makes_deals_at_the_shipped_games(game: str, other: str, turned: bool) -> None:
    pair = (other, "tit_for_tat") if turned else ("tit_for_tat", other)

    table = played(load(game), *pair)

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


def test_equal_seed_equal_log() -> None:
    first, second = (played(load("practice"), "tit_for_tat", "linear", seed=7) for _ in range(2))

    assert as_bytes(first) == as_bytes(second)


def test_its_words_say_what_it_answers() -> None:
    table, _ = imitator_at(heap())
    for units in (0, 2, 2, 1):
        table.human.offers(heap=20 - units)
        table.wait(3)

    said = [event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent")]

    assert "first step" in said[1]
    assert "move" in said[2]
    assert "when you do" in said[3]
    assert "back" in said[4]


def test_a_quiet_one_makes_the_same_bids_and_says_nothing() -> None:
    tables = [imitator_at(mixed(deadline_seconds=60.0), quiet=quiet)[0] for quiet in (False, True)]
    for table in tables:
        for coins in (4, 3, 2):
            table.human.offers(coins=coins, colour="red", price=11)
            table.wait(3)
        table.play_out()

    bids = [[event.get_offer() for event in of(table, EventType.SEND_OFFER, "agent")] for table in tables]
    assert bids[0] == bids[1]
    assert of(tables[0], EventType.SEND_MESSAGE, "agent")
    assert of(tables[1], EventType.SEND_MESSAGE, "agent") == []


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"variant": "random"}, "'variant' is one of relative, absolute, averaged, not 'random'"),
        ({"window": 0}, "'window' is a whole number from 1 to 100, not 0"),
        ({"window": 1.5}, "'window' is a whole number"),
        ({"window": True}, "'window' is a whole number"),
        ({"variant": "absolute", "noise": 5}, "'noise' is a share from 0 to 1"),
        ({"noise": 0.1}, "'noise' is for the variant absolute, not for relative"),
        ({"first_step": 5}, "'first_step' is a share from 0 to 1"),
        ({"quiet": 1}, "'quiet' is true or false, not 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused_with_a_sentence(config: dict[str, Any], reason: str) -> None:
    with pytest.raises(NegoError, match=reason):
        shipped("tit_for_tat", **config)
