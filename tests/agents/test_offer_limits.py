"""Shipped agents in games that end by the number of their offers."""

from __future__ import annotations

import pytest

from negoplatform.core.events import EventType
from negoplatform.testing import TrialTable
from tests.agents.seating import SHIPPED, load, played, shipped
from tests.games import with_rules

LIMITED = {"deadline_seconds": None, "deadline_offers": 8}


@pytest.mark.parametrize("name", SHIPPED)
def test_no_agent_makes_an_offer_after_the_last(name: str) -> None:
    game = with_rules(load("practice"), **LIMITED)

    table = played(game, name, "boulware", seconds=4000.0)

    refused = [event.payload.action for event in table.events if event.type == EventType.ACTION_REFUSED]
    assert EventType.SEND_OFFER not in refused
    assert sum(event.type == EventType.SEND_OFFER for event in table.events) <= 8


@pytest.mark.parametrize("name", SHIPPED)
def test_no_agent_uses_up_the_offers_of_a_person_who_is_silent(name: str) -> None:
    table = TrialTable(with_rules(load("campsite"), **LIMITED), seed=3)
    table.seat(shipped(name), "agent")

    table.wait(1200)

    assert sum(event.type == EventType.SEND_OFFER for event in table.events) <= 4


@pytest.mark.parametrize("name", ["boulware", "linear", "conceder"])
def test_concession_follows_the_offers_and_not_the_time(name: str) -> None:
    game = with_rules(load("practice"), deadline_seconds=None, deadline_offers=20)
    table = TrialTable(game, seed=1)
    table.seat(shipped(name), "agent")
    own = game.preferences["agent"].utility
    useless = min(game.outcomes(), key=own)
    table.wait(5)

    for _ in range(10):
        table.human.offers(useless)
        table.wait(3)

    bids = [
        own(event.payload.offer)
        for event in table.events
        if event.type == EventType.SEND_OFFER and event.sender == "agent"
    ]
    assert bids == sorted(bids, reverse=True)
    assert bids[-1] < 0.7 * bids[0]  # within a minute of a game without a limit of time
