"""Defects of earlier systems of this kind, one test each.

``docs/testing.md`` lists the change in the code that made each of them fail.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.agent_api.actions import Action, FormalAccept, Schedule, SendMessage, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType
from negoplatform.core.mechanisms.bargaining import board_of
from negoplatform.core.scheduler import Scheduler
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import Acceptance, GameSpec
from negoplatform.domain.offer import Allocation
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.log_header import Header, Occupant
from negoplatform.testing import Scripted, TrialTable
from tests.games import with_rules

EVEN = {"bananas": (2, 2), "grain": (2, 3), "wood": (2, 1), "spices": (1, 2)}
WORSE = {"bananas": (4, 0), "grain": (5, 0), "wood": (3, 0), "spices": (3, 0)}


class Echo(NegotiationAgent):
    """Agent that answers every message."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage("Pong.")]


class Dutiful(NegotiationAgent):
    """Agent that counts calls which some systems never make, and says goodbye."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = {"on_time": 0, "scheduled": 0, "on_game_end": 0}

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [Schedule(3000, self.scheduled)]

    def scheduled(self, ctx: AgentContext) -> None:
        self.calls["scheduled"] += 1

    def on_time(self, ctx: AgentContext, event: Event) -> list[Action]:
        self.calls["on_time"] += 1
        return []

    def on_game_end(self, ctx: AgentContext, event: Event) -> list[Action]:
        self.calls["on_game_end"] += 1
        return [SendMessage("Goodbye.")]


class AcceptsWhatItSaw(NegotiationAgent):
    """Agent that accepts the first offer two seconds after its decision."""

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [FormalAccept(delay_ms=2000)] if len(ctx.get_offer_history()) == 1 else []


def test_the_reply_is_not_logged_before_its_stimulus(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(Echo())
    table.human.says("Ping.")

    table.wait(3)

    assert [event.get_text() for event in table.events if event.get_text()] == ["Ping.", "Pong."]
    assert [event.seq for event in table.events] == [1, 2, 3]
    assert table.events[1].t < table.events[2].t


def test_delays_do_not_reorder_a_script(game: GameSpec) -> None:
    table = TrialTable(game)
    offer = table.context("agent").make_offer(EVEN)
    table.seat(
        Scripted(
            SendMessage("Let me see.", delay_ms=2000), SendOffer(offer), SendMessage("Well?", delay_ms=500)
        )
    )

    table.wait(4)

    assert table.kinds() == ["GAME_START", "SEND_MESSAGE", "SEND_OFFER", "SEND_MESSAGE"]


def test_timers_and_end_of_game_handlers_really_run(game: GameSpec) -> None:
    table = TrialTable(with_rules(game, deadline_seconds=12.0))
    agent = Dutiful()
    table.seat(agent)

    table.play_out()

    assert agent.calls == {"on_time": 3, "scheduled": 1, "on_game_end": 1}
    assert table.events[-1].get_text() == "Goodbye."


def test_a_partial_offer_does_not_erase_the_other_issues(table: TrialTable) -> None:
    table.human.offers(EVEN)

    table.human.offers(bananas=(3, 1))

    board = board_of(table.state)
    assert board.terms("bananas")["human"] == Allocation({"human": 3, "agent": 1})
    assert board.terms("grain")["human"] == Allocation({"human": 2, "agent": 3})


def test_an_acceptance_does_not_bind_to_whatever_is_on_the_board_now(game: GameSpec) -> None:
    table = TrialTable(with_rules(game, acceptance=Acceptance.MAKER_ACCEPTS))
    table.seat(AcceptsWhatItSaw())
    table.human.offers(EVEN)
    table.wait(1)
    table.human.offers(WORSE)

    table.wait(4)

    assert table.state.ending is None
    (refused,) = [event for event in table.events if event.type == EventType.ACTION_REFUSED]
    assert refused.payload.reason == "That offer is no longer on the table."


def test_utilities_of_0_to_100_are_not_compared_with_0_4(table: TrialTable) -> None:
    table.human.offers(EVEN)

    assert table.context("agent").get_agent_utility() == 2 * 1 + 3 * 2 + 1 * 3 + 2 * 4
    assert table.context("agent").get_agent_utility_percent() == pytest.approx(19 / 35)
    agent = NegotiationAgent()
    agent.configure({"threshold": 40})
    with pytest.raises(AgentError, match="share from 0 to 1"):
        agent.get_fraction("threshold", 0.4)


def test_two_delayed_events_of_one_instant_do_not_raise_a_type_error() -> None:
    scheduler, clock, called = Scheduler(), VirtualClock(), []
    for name in ("first", "second", "third"):
        scheduler.call_at(1.0, lambda name=name: called.append(name))  # type: ignore[misc]  # a default binds the name
    clock.advance_to(1.0)

    while scheduler.run_next(clock()):
        pass

    assert called == ["first", "second", "third"]


def test_the_outcome_is_in_the_log(game: GameSpec, tmp_path: Path) -> None:
    seats = SeatMap((seat, Occupant("human", seat)) for seat in game.seats)
    log = LogWriter(tmp_path / "session", Header("s1", "now", "0", 1, game, seats))
    table = TrialTable(game, log=log)
    offer = table.human.offers(EVEN)
    table.human.accepts(offer)
    table.agent.accepts(offer)
    table.play_out()

    last = read_log(tmp_path / "session").events[-1]

    assert last.type == EventType.GAME_END
    assert (last.payload.ended_by, last.get_offer(), last.payload.deal_id) == (
        "agreement",
        offer.get_offer(),
        offer.seq,
    )
