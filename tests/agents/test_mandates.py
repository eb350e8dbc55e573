"""Shipped agents that talk, under mandates that come after they have begun."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.agent_api import Instruct, Instruction, PrincipalAgent, PrincipalContext
from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.core.events import EventType
from negoplatform.core.state import Phase
from negoplatform.domain.command_settings import PrincipalSpec, PrincipalTiming
from negoplatform.domain.seat_map import SeatMap
from negoplatform.testing import TrialTable
from tests.agents.seating import of, shipped

LEAST = 9
"""Points of the mandate; half of the apples on Saturday is worth 6 to the agent, no deal 4."""


class LateHead(PrincipalAgent):
    """Principal that gives its only mandate at a time, in seconds."""

    def __init__(self, at_seconds: float) -> None:
        super().__init__("head")
        self.at_seconds = at_seconds
        self.is_done = False

    def on_tick(self, ctx: PrincipalContext) -> Sequence[Instruction]:
        if self.is_done or ctx.elapsed_time < self.at_seconds:
            return []
        self.is_done = True
        return [Instruct("agent", {"reservation_value": LEAST})]


def commanded(agent: str, *, at_seconds: float) -> TrialTable:
    """Return a table of the game practice with a shipped agent below a principal."""
    spec = PrincipalSpec("head", ("agent",), timing=PrincipalTiming(tick_interval=5))
    game = replace(find_game("practice", Path("nowhere")), principals=SeatMap({"head": spec}))
    table = TrialTable(game, principals={"head": LateHead(at_seconds)})
    table.seat(shipped(agent))
    return table


def points_of_offers(table: TrialTable, since: float) -> list[float]:
    """Return the points for the agent of the complete offers that it has made since a time."""
    game = table.state.game
    made = [each.get_offer() for each in of(table, EventType.SEND_OFFER, "agent") if each.t > since]
    return [game.preferences["agent"].utility(offer) for offer in made if game.is_complete(offer)]


@pytest.mark.parametrize("agent", ["fair", "conceding", "competitive", "building"])
def test_no_offer_is_below_a_mandate_that_has_come_after_the_beginning(agent: str) -> None:
    table = commanded(agent, at_seconds=0)
    table.wait(1)

    for _ in range(4):
        table.human.offers(apples=(6, 0), day="Saturday")
        table.wait(25)

    made = points_of_offers(table, since=1)
    assert made
    assert min(made) >= LEAST


def test_an_own_offer_below_a_later_mandate_is_answered_with_another_one() -> None:
    table = commanded("fair", at_seconds=60)
    table.human.offers(apples=(6, 0), day="Saturday")
    table.wait(65)
    assert min(points_of_offers(table, since=0)) < LEAST

    table.human.accepts()
    table.wait(25)

    made = points_of_offers(table, since=65)
    assert table.state.phase is Phase.NEGOTIATING
    assert made
    assert min(made) >= LEAST
