"""Allied seats: an agent's acceptance waits for the votes of its team."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from negoplatform.agent_api.actions import Action, FormalAccept
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.bidder import Bidder
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import Accepted, DecidedBy, Event, EventType, Message, OfferMade
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.core.visibility import ViewProjector, observer_of, visible_game
from negoplatform.domain.command_settings import TeamAcceptance, TeamSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.eventlog.writer import NoLog
from negoplatform.hosting.agent_replay import AgentReplay
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.responder import SeatAssignment
from tests.games import three_seats


class Willing(NegotiationAgent):
    """Agent that accepts each offer at once."""

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [FormalAccept()]


class Waiting(NegotiationAgent):
    """Agent that accepts the offer on the table once another seat speaks."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [FormalAccept()]


class EasilyContent(Bidder):
    """Bidder to which each offer is enough, and which makes none."""

    def least(self, ctx: AgentContext) -> float:
        return ctx.least_points

    def next_bid(self, ctx: AgentContext, answered: Offer) -> None:
        return None


class AlliedTable:
    """Session on a virtual clock: red and green are a team, and blue is played by a test."""

    def __init__(
        self,
        accept: TeamAcceptance,
        red: type[NegotiationAgent] | None = Willing,
        green: type[NegotiationAgent] | None = Waiting,
    ) -> None:
        team = TeamSpec(("red", "green"), accept=accept)
        self.game = replace(three_seats(), teams=(team,))
        self.clock, self.published = VirtualClock(), list[PublishedEvent]()
        self.runner = SessionRunner(
            self.game, seed=1, clock=self.clock, log=NoLog(), report=lambda _error: None
        )
        self.agents = {"red": red, "green": green}
        for seat, agent in self.agents.items():
            if agent is not None:
                self.runner.assign(seat, self.assignment(agent))
        self.runner.subscribe(self.published.append)

    @staticmethod
    def assignment(agent: type[NegotiationAgent]) -> SeatAssignment:
        return SeatAssignment(lambda: AgentRunner(agent(), Random(1)))

    def act(self, seat: str, kind: EventType, payload: Any) -> Event:
        return self.runner.session.act(seat, kind, payload)

    def offer(self, seat: str, colour: str = "red") -> Event:
        coins = Allocation({"red": 2, "green": 1, "blue": 1})
        return self.act(seat, EventType.SEND_OFFER, OfferMade(Offer({"coins": coins, "colour": colour})))

    def wait(self, seconds: float) -> None:
        until = self.clock() + seconds
        while (due := self.runner.next_due()) is not None and due <= until:
            self.clock.advance_to(due)
            self.runner.run_one_due()
        self.clock.advance_to(until)

    @property
    def events(self) -> list[Event]:
        return [published.event for published in self.published]

    def acceptances(self) -> list[str]:
        return [event.sender for event in self.events if event.type == EventType.FORMAL_ACCEPT]

    def waiting(self) -> list[dict[str, Any]]:
        notes = [event.payload for event in self.events if event.type == EventType.NOTE]
        return [dict(note.data) for note in notes if note.kind is NoteKind.VOTE_WAITING]

    def replay(self, seat: str) -> AgentReplay:
        agent = self.agents[seat]
        assert agent is not None
        observer = observer_of(self.game, seat)
        viewer = ViewProjector(observer, deepcopy(visible_game(self.game, observer)))
        found = AgentReplay(seat, self.assignment(agent), viewer, AgentTiming())
        for published in self.published:
            found.apply_event(published)
        return found


def started(*args: Any, **more: Any) -> AlliedTable:
    table = AlliedTable(*args, **more)
    table.runner.start()
    return table


def test_a_member_does_not_wait_where_any_may_accept() -> None:
    table = started(TeamAcceptance.ANY)

    table.offer("blue")
    table.wait(3)

    assert table.acceptances() == ["red"]
    assert table.waiting() == []


@pytest.mark.parametrize("accept", [TeamAcceptance.MAJORITY, TeamAcceptance.UNANIMOUS])
def test_an_acceptance_waits_for_the_other_member(accept: TeamAcceptance) -> None:
    table = started(accept)

    offer = table.offer("blue")
    table.wait(3)
    before = table.acceptances()
    table.act("blue", EventType.SEND_MESSAGE, Message("Well?"))
    table.wait(3)

    assert before == []
    assert table.waiting() == [{"seat": "red", "offer": offer.seq}]
    assert table.acceptances() == ["red", "green"]


def test_the_wait_ends_without_a_refusal_when_another_offer_is_on_the_table() -> None:
    table = started(TeamAcceptance.UNANIMOUS)

    first = table.offer("blue")
    table.wait(3)
    second = table.offer("blue", "green")
    table.wait(3)

    assert [note["offer"] for note in table.waiting()] == [first.seq, second.seq]
    assert table.acceptances() == []
    assert not [event for event in table.events if event.type == EventType.ACTION_REFUSED]


def test_the_maker_of_the_offer_has_voted_for_it() -> None:
    table = started(TeamAcceptance.UNANIMOUS, green=None)

    table.offer("green")
    table.wait(3)

    assert table.acceptances() == ["red"]


def test_a_person_is_never_held_back_and_counts() -> None:
    table = started(TeamAcceptance.UNANIMOUS, green=None)

    offer = table.offer("blue")
    table.wait(3)
    before = table.acceptances()
    table.act("green", EventType.FORMAL_ACCEPT, Accepted(offer.seq))
    table.wait(1)

    assert before == []
    assert table.acceptances() == ["green", "red"]
    (red,) = [event for event in table.events if event.sender == "red"]
    assert red.decided_by is DecidedBy.AGENT
    assert red.cause == offer.seq


def played() -> AlliedTable:
    """Return a table after one wait that ended in vain, and one that ended with an agreement of the team."""
    table = started(TeamAcceptance.UNANIMOUS)
    table.offer("blue")
    table.wait(3)
    table.offer("blue", "green")
    table.wait(3)
    table.act("blue", EventType.SEND_MESSAGE, Message("Well?"))
    table.wait(10)
    return table


@pytest.mark.parametrize("seat", ["red", "green"])
def test_members_vote_again_as_they_did(seat: str) -> None:
    table = played()

    found = table.replay(seat)

    assert len(table.waiting()) == 2
    assert found.divergences == []
    assert found.unlogged_actions(table.clock()) == []


def test_a_member_that_would_not_vote_now_is_found() -> None:
    table = played()
    table.agents["red"] = NegotiationAgent

    found = table.replay("red")

    assert "it wanted to accept offer" in found.divergences[0].reason


def test_a_vote_waits_in_the_resumed_session_as_it_did() -> None:
    table = started(TeamAcceptance.UNANIMOUS)
    table.offer("blue")
    table.wait(3)

    resumed = AlliedTable(TeamAcceptance.UNANIMOUS)
    resumed.clock.advance_to(table.clock())
    resumed.runner.resume(table.events)
    resumed.wait(3)
    before = resumed.acceptances()
    resumed.act("blue", EventType.SEND_MESSAGE, Message("Well?"))
    resumed.wait(3)

    assert before == []
    assert resumed.waiting() == []  # its note is in the log already
    assert resumed.acceptances() == ["red", "green"]


@pytest.mark.parametrize("accept", TeamAcceptance)
def test_bidders_of_a_team_do_not_wait_for_each_other_to_be_first(accept: TeamAcceptance) -> None:
    table = started(accept, red=EasilyContent, green=EasilyContent)
    table.wait(5)
    table.offer("blue")
    table.wait(5)

    assert table.acceptances() == ["red", "green"]
