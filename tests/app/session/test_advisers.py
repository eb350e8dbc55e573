"""A person with an adviser: advice is shown to one seat, is never performed, and comes again in a replay."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from negoplatform.agent_api.actions import (
    Action,
    FormalAccept,
    ProposeChange,
    Schedule,
    SendExpression,
    SendMessage,
    SendOffer,
)
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import (
    NOTHING,
    Accepted,
    DecidedBy,
    Event,
    EventType,
    Expression,
    Message,
    OfferMade,
)
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.core.visibility import Observer, ViewProjector, visible_event, visible_game
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.joining_settings import AdviceVerdict
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.observer_export import filter_header
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.writer import NoLog
from negoplatform.formats.log_header import Header, decode_header, encode_header
from negoplatform.hosting.agent_replay import AgentReplay
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.responder import SeatAssignment
from negoplatform.plugins.agent_loader import AgentPlugin
from tests.games import coins_only


class Adviser(NegotiationAgent):
    """Adviser that has something to say about each message and each offer of the other side."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [
            SendExpression(Expression.HAPPY),
            SendMessage(f"About {event.get_text()}"),
            SendOffer(ctx.make_offer(coins=3)),
            ProposeChange({"notes": {"human": {"heard": event.get_text()}}}),
            Schedule(3000, lambda _ctx: SendMessage("Later.")),
        ]

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [FormalAccept()]


class Broken(NegotiationAgent):
    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        raise ValueError("no")


def even(human: int = 2) -> OfferMade:
    return OfferMade(Offer({"coins": Allocation({"human": human, "agent": 4 - human})}))


class AdvisedTable:
    """Session on a virtual clock: a person with an adviser, and another seat that a test plays."""

    def __init__(self, adviser: type[NegotiationAgent] = Adviser, *, restarts: int = 0) -> None:
        self.clock, self.errors = VirtualClock(), list[BaseException]()
        self.game, self.adviser, self.timing = coins_only(), adviser, AgentTiming()
        self.budget = AgentBudget(strikes=2, restarts=restarts)
        self.published: list[PublishedEvent] = []
        self.runner = self.make_runner()
        self.host = self.runner.assign_adviser("human", self.assignment, self.timing)
        self.runner.subscribe(self.published.append)

    def make_runner(self) -> SessionRunner:
        return SessionRunner(self.game, seed=1, clock=self.clock, log=NoLog(), report=self.errors.append)

    def start(self) -> AdvisedTable:
        self.runner.start()
        return self

    @property
    def assignment(self) -> SeatAssignment:
        return SeatAssignment(lambda: AgentRunner(self.adviser(), Random(1)), self.budget)

    @property
    def events(self) -> list[Event]:
        return [published.event for published in self.published]

    def act(self, seat: str, kind: EventType, payload: Any) -> Event:
        return self.runner.session.act(seat, kind, payload)

    def say(self, text: str) -> None:
        self.act("agent", EventType.SEND_MESSAGE, Message(text))

    def wait(self, seconds: float) -> None:
        until = self.clock() + seconds
        while (due := self.runner.next_due()) is not None and due <= until:
            self.clock.advance_to(due)
            self.runner.run_one_due()
        self.clock.advance_to(until)

    def notes(self, kind: NoteKind) -> list[dict[str, Any]]:
        return [
            dict(event.payload.data)
            for event in self.events
            if event.type == EventType.NOTE and event.payload.kind is kind
        ]

    def verdicts(self) -> list[str]:
        return [note["verdict"] for note in self.notes(NoteKind.ADVICE_ANSWERED)]

    def replay(self, adviser: type[NegotiationAgent] | None = None) -> AgentReplay:
        """Run a fresh adviser on the log."""
        if adviser is not None:
            self.adviser = adviser
        observer = Observer("human")
        viewer = ViewProjector(observer, deepcopy(visible_game(self.game, observer)))
        found = AgentReplay("human", self.assignment, viewer, self.timing, advises=True)
        for published in self.published:
            found.apply_event(published)
        return found


@pytest.fixture
def table() -> AdvisedTable:
    return AdvisedTable().start()


def course_of_all_verdicts(table: AdvisedTable) -> None:
    """Play a game in which advice ends in every way."""
    table.say("one")
    table.host.advice.answer(1, used=True)
    table.wait(4)
    table.host.advice.answer(2, used=False)
    table.say("two")
    table.say("three")
    table.act("agent", EventType.SEND_OFFER, even())
    table.say("four")
    table.wait(10)


# What becomes advice


def test_a_script_becomes_advice_and_is_not_performed(table: AdvisedTable) -> None:
    table.say("Hello")

    table.wait(2)

    assert table.host.advice.open is not None
    assert [type(step) for step in table.host.advice.open.steps] == [SendMessage, SendOffer]
    (note,) = table.notes(NoteKind.ADVISED)
    assert (note["seat"], note["number"]) == ("human", 1)
    assert [step["do"] for step in note["steps"]] == ["message", "offer"]
    assert not [event for event in table.events if event.sender == "human"]


def test_callbacks_of_the_adviser_are_called_and_advise_too(table: AdvisedTable) -> None:
    table.say("Hello")

    table.wait(5)

    assert table.notes(NoteKind.SCHEDULED_CALL) == [{"seat": "human", "number": 1, "adviser": True}]
    assert table.host.advice.open is not None
    assert table.host.advice.open.steps == (SendMessage("Later."),)
    assert table.verdicts() == ["superseded"]


def test_the_answer_of_the_person_is_recorded_once(table: AdvisedTable) -> None:
    table.say("Hello")
    table.wait(1.5)

    assert table.host.advice.answer(1, used=True)
    assert not table.host.advice.answer(1, used=False)

    assert table.notes(NoteKind.ADVICE_ANSWERED) == [
        {"seat": "human", "number": 1, "verdict": "used", "seconds": 1.5}
    ]


@pytest.mark.parametrize(("by", "verdict"), [("human", "used"), ("agent", "superseded")])
def test_advice_to_accept_ends_with_the_acceptance_or_with_another_offer(
    table: AdvisedTable, by: str, verdict: str
) -> None:
    offer = table.act("agent", EventType.SEND_OFFER, even())
    if by == "human":
        table.act("human", EventType.FORMAL_ACCEPT, Accepted(offer.seq))
    else:
        table.act("agent", EventType.SEND_OFFER, even(1))

    assert table.verdicts() == [verdict]


@pytest.mark.parametrize("by", ["human", "agent"])
def test_an_offer_of_any_seat_makes_advice_outdated(by: str) -> None:
    class Talker(NegotiationAgent):
        def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [SendMessage("Ask for more.")]

    table = AdvisedTable(Talker).start()
    table.say("Hello")

    table.act(by, EventType.SEND_OFFER, even())

    assert table.verdicts() == ["superseded"]
    assert table.host.advice.open is None


def test_advice_ends_with_the_game(table: AdvisedTable) -> None:
    table.say("Hello")

    table.act("agent", EventType.FORMAL_QUIT, NOTHING)

    assert table.verdicts() == [AdviceVerdict.GAME_ENDED]


def test_other_seats_see_nothing_of_advice(table: AdvisedTable) -> None:
    table.say("Hello")
    table.host.advice.answer(1, used=True)
    table.wait(5)

    seen = [visible_event(event, Observer("agent")) for event in table.events]

    assert {event.type for event in seen if event is not None} == {"GAME_START", "SEND_MESSAGE", "TIME"}


# Failures


def test_an_adviser_that_fails_too_often_is_no_longer_asked_and_the_game_goes_on() -> None:
    table = AdvisedTable(Broken).start()

    for text in ("one", "two", "three", "four"):
        table.say(text)
        table.wait(1)

    assert [event.payload.seat for event in table.events if event.type == EventType.AGENT_FAILED] == [
        "human"
    ] * 2
    assert table.runner.session.state.ending is None


def test_an_adviser_is_restarted_within_its_budget() -> None:
    table = AdvisedTable(Broken, restarts=1).start()

    for text in ("one", "two", "three", "four", "five"):
        table.say(text)
        table.wait(1)

    assert table.notes(NoteKind.AGENT_RESTARTED) == [{"seat": "human", "times": 1, "adviser": True}]
    assert table.runner.session.state.ending is None


# Replay and resume


def test_an_adviser_gives_the_same_advice_again(table: AdvisedTable) -> None:
    course_of_all_verdicts(table)

    found = table.replay()

    assert found.divergences == []
    assert found.unlogged_actions(table.clock()) == []
    assert found.advice.count == len(table.notes(NoteKind.ADVISED)) > 4


def test_an_adviser_that_would_advise_otherwise_is_found(table: AdvisedTable) -> None:
    class Other(Adviser):
        def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [SendMessage("Something else.")]

    table.say("Hello")
    table.wait(5)

    found = table.replay(Other)

    assert "it advised" in found.divergences[0].reason


def test_open_advice_is_open_again_in_a_resumed_session(table: AdvisedTable) -> None:
    table.say("Hello")
    table.wait(1)
    before = table.host.advice.open

    resumed = AdvisedTable()
    resumed.clock.advance_to(table.clock())
    resumed.runner.resume(table.events)

    assert resumed.host.advice.open == before
    resumed.say("Again")
    assert resumed.host.advice.open is not None
    assert resumed.host.advice.open.number == 2


def test_advice_that_the_log_lacks_is_made_in_the_resumed_session(table: AdvisedTable) -> None:
    table.say("Hello")
    cut = [event for event in table.events if event.type != EventType.NOTE]

    resumed = AdvisedTable()
    resumed.runner.resume(cut)
    resumed.wait(5)

    assert [note["number"] for note in resumed.notes(NoteKind.ADVISED)] == [1, 2]
    assert not [event for event in resumed.events if event.sender == "human"]


def test_an_agent_that_takes_the_seat_is_not_compared_with_the_adviser(table: AdvisedTable) -> None:
    table.say("Hello")
    table.wait(5)

    table.host.dismiss()
    host = table.runner.assign("human", table.assignment, table.timing)
    host.take_over(table.published)
    table.say("Again")
    table.wait(5)

    acts = [event for event in table.events if event.sender == "human" and event.type == "SEND_OFFER"]
    assert {event.decided_by for event in acts} == {DecidedBy.FALLBACK}
    assert len(table.notes(NoteKind.ADVISED)) == 2


# The plan and the header


def log_of(table: AdvisedTable) -> SessionLog:
    """Return the session's log."""
    events = tuple(table.events)
    return SessionLog(Path("log"), plan_with_adviser().header(), events, ("",) * len(events))


def plan_with_adviser(seat: str = "human") -> SessionPlan:
    table = AdvisedTable()
    plugin = AgentPlugin("adviser", "Adviser", Path("adviser.py"), "0" * 64, "")
    agent = PreparedAgent(plugin, {"x": 1}, table.timing, "Robin", table.assignment)
    return SessionPlan(table.game, 1, "human", "P1", SeatMap({"agent": agent}), advisers={seat: agent})


def test_the_header_names_the_adviser_and_exports_leave_it_out() -> None:
    header = plan_with_adviser().header()

    read = decode_header(encode_header(header), "log")

    assert read.advisers["human"].agent == "adviser"
    assert read.advisers["human"].config == {"x": 1}
    for view in ("agent", "human", "public"):
        assert filter_header(header, view).advisers == {}


def test_only_a_person_has_an_adviser() -> None:
    with pytest.raises(NegoError, match="no person has the seat 'agent'"):
        plan_with_adviser("agent")


def test_a_header_with_an_adviser_of_an_agent_is_refused() -> None:
    header: Header = plan_with_adviser().header()
    strange = replace(header, advisers={"agent": header.advisers["human"]})

    with pytest.raises(InputFileError, match="no person has the seat 'agent'"):
        decode_header(encode_header(strange), "log")
