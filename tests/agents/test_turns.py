"""Shipped agents in games in which the seats take turns."""

from __future__ import annotations

import pytest

from negoplatform.core.events import EndedBy, Event, EventType, Expression
from negoplatform.core.mechanisms.bargaining import turn_of
from negoplatform.domain.agreement_rules import Agreement, Turns
from negoplatform.domain.game import Acceptance
from negoplatform.testing import TrialTable
from tests.agents.seating import SHIPPED, load, played, shipped
from tests.games import three_seats, with_rules

MOVES = frozenset({EventType.SEND_OFFER, EventType.FORMAL_ACCEPT, EventType.FORMAL_QUIT})


@pytest.mark.parametrize("name", SHIPPED)
def test_at_a_table_of_three_an_agent_moves_when_it_is_its_turn_and_at_no_other_time(name: str) -> None:
    game = three_seats(turns=Turns.ALTERNATING, deadline_seconds=120.0)

    table = played(game, name, name, name)

    assert EventType.ACTION_REFUSED not in table.kinds()
    moves = [event for event in table.events if event.type in MOVES]
    assert moves[0].sender == "red"
    # It goes round: no agent keeps the others waiting to the end.
    assert {event.sender for event in moves} == {"red", "green", "blue"}


@pytest.mark.parametrize("name", ["boulware", "micro", "tit_for_tat", "random_bids", "fair"])
def test_two_agents_agree_in_turns(name: str) -> None:
    game = with_rules(load("practice"), turns=Turns.ALTERNATING)

    table = played(game, name, name)

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT
    assert EventType.ACTION_REFUSED not in table.kinds()


@pytest.mark.parametrize("name", ["boulware", "micro", "tit_for_tat", "random_bids", "fair"])
def test_an_agent_moves_when_an_acceptance_of_another_seat_has_passed_it_the_turn(name: str) -> None:
    table = TrialTable(three_seats(turns=Turns.ALTERNATING, deadline_seconds=120.0))
    table.seat(shipped(name), "blue")
    table.participant("red").offers(coins=(4, 0, 0), colour="red")
    table.wait(10)
    before = turn_of(table.state)

    table.participant("green").accepts()
    table.wait(30)

    assert before == "green"
    assert "blue" in {event.sender for event in table.events if event.type == EventType.SEND_OFFER}
    assert EventType.ACTION_REFUSED not in table.kinds()


@pytest.mark.parametrize("name", ["boulware", "micro", "random_bids"])
def test_bidders_agree_by_majority(name: str) -> None:
    game = three_seats(
        agreement=Agreement.MAJORITY, acceptance=Acceptance.MAKER_ACCEPTS, deadline_seconds=300.0
    )

    table = played(game, name, name, name)

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT
    assert len(table.state.ending.signed_by) == 2


def outvoted(name: str) -> list[Event]:
    """Return what an agent does after a deal of the two others."""
    game = three_seats(
        agreement=Agreement.MAJORITY, acceptance=Acceptance.MAKER_ACCEPTS, deadline_seconds=300.0
    )
    table = TrialTable(game)
    table.seat(shipped(name), "blue")
    offer = table.participant("red").offers(coins=(4, 0, 0), colour="red")
    table.participant("green").accepts(offer)
    table.play_out()
    end = [event.type for event in table.events].index(EventType.GAME_END)
    return [event for event in table.events[end:] if event.sender == "blue"]


def test_a_bidder_that_was_outvoted_is_not_glad_to_agree() -> None:
    assert [event.get_text() for event in outvoted("random_bids")] == ["A pity. Perhaps another time."]


@pytest.mark.parametrize("name", ["fair", "negochat"])
def test_an_agent_with_a_face_that_was_outvoted_does_not_look_happy(name: str) -> None:
    faces = [event.get_expression() for event in outvoted(name) if event.type == EventType.SEND_EXPRESSION]

    assert faces
    assert Expression.HAPPY not in faces
