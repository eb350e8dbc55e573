"""An agent cannot harm the table, by clumsiness or by trick."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from negoplatform.agent_api.actions import (
    Action,
    FormalAccept,
    Schedule,
    SendExpression,
    SendMessage,
    SendOffer,
)
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, Expression, Message, MessageSubtype
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind
from negoplatform.core.session import ActionOrigin
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.hosting.agent_runner import AgentResponse
from negoplatform.hosting.responder import AgentInput, ResponderFactory
from negoplatform.hosting.responder_executors import ResponseCallback
from negoplatform.testing import Scripted, TrialTable
from tests.games import three_seats
from tests.proposers import issued


class Late:
    """Executor whose responses arrive when the test says so."""

    def __init__(self, make: ResponderFactory, take: ResponseCallback) -> None:
        self._responder = make()
        self._take = take
        self.ready: list[AgentResponse] = []

    def submit(self, request: Any) -> None:
        """Answer at once, and keep the response."""
        self.ready.append(self._responder.respond(request))

    def deliver(self) -> None:
        """Deliver the responses."""
        ready, self.ready = self.ready, []
        for answer in ready:
            self._take(answer)

    def notify(self, event: Event) -> None:
        """Do nothing."""

    def stop(self) -> None:
        """Do nothing."""


class Answers(NegotiationAgent):
    """Agent that answers every message with the same script."""

    def __init__(self, *script: Action) -> None:
        super().__init__()
        self.script = list(script)

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return self.script

    def on_game_end(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage("Goodbye.", MessageSubtype.FAREWELL)]


def seated_late(table: TrialTable, agent: NegotiationAgent) -> list[Late]:
    """Seat an agent whose responses arrive late; the executor is in the list."""
    made: list[Late] = []

    def runner(make: ResponderFactory, take: ResponseCallback, past: Iterable[AgentInput]) -> Late:
        made.append(Late(make, take))
        return made[-1]

    table.seat(agent, executor_factory=runner)
    return made


def said(table: TrialTable) -> list[str]:
    return [event.get_text() for event in table.events if event.sender == "agent" and event.get_text()]


def test_what_was_decided_before_the_end_is_not_done_after_it(table: TrialTable) -> None:
    late = seated_late(table, Answers(SendMessage("What a fine day.")))
    table.human.says("Hello")
    table.human.quits()

    late[0].deliver()
    table.wait(3)

    assert said(table) == ["Goodbye."]
    assert "ACTION_REFUSED" not in table.kinds()


def test_what_is_flushable_is_dropped_if_it_was_decided_before_the_others_move(table: TrialTable) -> None:
    script = SendMessage("Nice.", MessageSubtype.GENERIC_POS), SendMessage("And now?")
    late = seated_late(table, Answers(*script))
    table.human.says("Hello")
    first = late[0].ready.copy()
    late[0].ready.clear()
    table.human.offers(bananas=2)

    late[0].ready = first
    late[0].deliver()
    table.wait(3)

    assert said(table) == ["And now?"]


def test_the_same_action_three_times_in_a_script_is_dropped_three_times(table: TrialTable) -> None:
    nice = SendMessage("Nice.", MessageSubtype.GENERIC_POS, delay_ms=1000)
    table.seat(Scripted(nice, nice, nice))
    table.wait(2.5)

    table.human.says("Stop.")
    table.wait(5)

    assert said(table) == ["Nice."]


def test_a_whisper_between_two_others_drops_nothing_of_a_third() -> None:
    table = TrialTable(three_seats())
    table.seat(Scripted(SendExpression(Expression.HAPPY, delay_ms=2000)), at="blue")
    table.wait(1)

    table.session.send_message("red", Message("Psst."), ActionOrigin(to=("green",)))
    table.wait(3)

    assert [event.sender for event in table.events if event.type == EventType.SEND_EXPRESSION] == ["blue"]


def test_rules_that_an_agent_bends_are_its_own_copy(table: TrialTable) -> None:
    class Bender(NegotiationAgent):
        def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
            object.__setattr__(ctx.game.rules, "deadline_seconds", 3.0)
            object.__setattr__(ctx.game.preferences["agent"], "reservation_value", 99)
            return []

    table.seat(Bender())

    table.wait(10)

    assert table.state.game.rules.deadline_seconds == 600
    assert table.state.game.preferences["agent"].reservation_value == 10
    assert table.state.ending is None


def test_a_script_of_ten_thousand_actions_is_a_failure_and_not_a_flood(table: TrialTable) -> None:
    table.seat(Scripted(*[SendMessage(str(i)) for i in range(10_000)]))

    table.wait(5)

    assert table.kinds() == ["GAME_START", "AGENT_FAILED"]
    assert "10,000 actions" in table.events[1].payload.reason


def test_callbacks_that_double_are_stopped_and_the_other_side_may_go_on(table: TrialTable) -> None:
    class Doubling(NegotiationAgent):
        def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [Schedule(10, self.again)]

        def again(self, ctx: AgentContext) -> list[Action]:
            return [Schedule(10, self.again), Schedule(10, self.again)]

    table.seat(Doubling())

    table.wait(5)

    assert table.state.ending is not None
    assert table.state.ending.ended_by == "agent_failure"
    assert len(table.events) < 10_000


def test_an_action_whose_values_were_changed_behind_its_back_is_a_failure(table: TrialTable) -> None:
    broken = SendMessage("Hello")
    object.__setattr__(broken, "text", None)
    table.seat(Scripted(broken, SendMessage("I am still here.", delay_ms=500)))

    table.wait(3)

    assert table.kinds() == ["GAME_START", "AGENT_FAILED", "SEND_MESSAGE"]
    assert len(table.errors) == 1


@pytest.mark.parametrize("value", [Offer, Allocation])
def test_values_that_cross_to_the_session_have_no_subclasses(value: type) -> None:
    with pytest.raises(TypeError, match="cannot be subclassed"):
        type("Trick", (value,), {})


def test_a_text_of_an_authors_own_class_becomes_a_plain_one() -> None:
    class Shouting(str):
        __slots__ = ()

        def __str__(self) -> str:
            return "surprise"

    message = SendMessage(Shouting("hello"))
    offer = Offer({Shouting("day"): Shouting("Sunday")})

    assert type(message.text) is str
    assert message.text == "hello"
    assert offer == Offer({"day": "Sunday"})
    assert all(type(part) is str for pair in offer.terms for part in pair)


def test_an_action_of_an_authors_own_class_is_a_failure(table: TrialTable) -> None:
    class Mine(FormalAccept):
        pass

    table.seat(Scripted(Mine()))

    table.wait(3)

    assert table.kinds() == ["GAME_START", "AGENT_FAILED"]


def test_an_offer_keeps_the_table_going_when_it_is_refused(table: TrialTable) -> None:
    table.seat(Scripted(SendOffer(Offer({"gold": "much"})), SendMessage("Well then.", delay_ms=100)))

    table.wait(3)

    assert table.kinds() == ["GAME_START", "ACTION_REFUSED", "SEND_MESSAGE"]


def test_an_agent_is_not_told_what_another_seat_proposes_to_keep_for_itself(table: TrialTable) -> None:
    agent = Scripted()
    table.seat(agent)
    table.start()

    table.session.propose_change(
        issued(table.session, Proposer(ProposerKind.SEAT, "human")), {"notes": {"human": {"min": 12}}}, 0
    )

    assert [event.type for event in agent.received_events] == ["GAME_START"]
