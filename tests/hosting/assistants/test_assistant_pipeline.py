"""The order in which assistants are asked, and how their answers are committed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from negoplatform.agent_api import (
    Action,
    AgendaAssistant,
    AgentContext,
    Conclusion,
    DebriefAssistant,
    FormalAccept,
    InsightsAssistant,
    NegotiationAgent,
    NextSteps,
    Plan,
    SendMessage,
)
from negoplatform.core.events import DecidedBy, Event, EventType, Failure, Message
from negoplatform.core.session import ActionOrigin
from negoplatform.core.visibility import Observer, visible_event
from negoplatform.domain.assistant_settings import AssistantSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.testing.trial_table import AgentFailed, TrialTable
from tests.games import categorical_only, three_seats
from tests.hosting.assistants.small_assistants import (
    CountingAgenda,
    CountingInsights,
    ShortDebrief,
    course,
    proposals,
)

OFFER = {"colour": "red", "size": "small"}


class Obliging(NegotiationAgent):
    """Agent that answers a message, and accepts what the other accepts."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage("I see.")]

    def on_formal_accept(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [FormalAccept()]


def table_with(**assistants: Any) -> TrialTable:
    table = TrialTable(categorical_only(), assistants=assistants)
    table.seat(Obliging())
    return table


def test_an_act_of_a_person_is_planned_for_before_the_agent_answers() -> None:
    table = table_with(agenda=CountingAgenda(), insights=CountingInsights())

    table.human.says("Hello.")
    table.wait(2)

    assert course(table.events) == [
        "GAME_START",
        "agenda",
        "SEND_MESSAGE",
        "agenda",
        "SEND_MESSAGE",
        "insights",
        "agenda",
    ]


def test_the_debriefing_comes_at_the_end_after_the_last_plan() -> None:
    table = table_with(debrief=ShortDebrief(), agenda=CountingAgenda(), insights=CountingInsights())

    offer = table.human.offers(OFFER)
    table.human.accepts(offer)
    table.play_out()

    end = course(table.events).index("GAME_END")
    assert course(table.events)[end:] == ["GAME_END", "insights", "agenda", "agenda", "debrief"]
    assert proposals(table.events)[-1][2].updates.to_dict()["annotations"]["debrief"]["summary"] == {
        "text": "Over by agreement."
    }


def test_each_proposal_names_the_event_that_it_answers() -> None:
    table = table_with(agenda=CountingAgenda())

    message = table.human.says("Hello.")
    table.wait(0.5)

    assert [cause for _, cause, _ in proposals(table.events)] == [1, message.seq]


def test_no_assistant_is_asked_about_typing_and_drafts() -> None:
    table = table_with(agenda=CountingAgenda())
    table.wait(0)

    table.human.types()
    table.human.drafts()
    table.wait(6)

    assert course(table.events)[2:] == ["TYPING", "OFFER_IN_PROGRESS"]


def test_an_assistant_is_not_asked_about_a_message_that_its_seat_does_not_see() -> None:
    game = replace(three_seats(), assistants=SeatMap({"agenda": AssistantSpec("agenda", seat="red")}))
    table = TrialTable(game, assistants={"agenda": CountingAgenda()})
    table.wait(0)

    whispered = table.session.send_message("green", Message("A word."), ActionOrigin(to=("blue",)))
    said = table.session.send_message("green", Message("To all."))

    causes = [cause for _, cause, _ in proposals(table.events)]
    assert whispered.seq not in causes
    assert causes[-1] == said.seq


def test_acts_after_the_end_are_not_planned_for() -> None:
    table = table_with(agenda=CountingAgenda(), insights=CountingInsights())
    table.human.quits()
    before = len(proposals(table.events))

    table.human.says("Goodbye.")
    table.play_out()

    assert len(proposals(table.events)) == before


class Idle(AgendaAssistant):
    """Agenda whose plan never changes."""

    def plan(self, ctx: AgentContext) -> Plan:
        return Plan([{"task_id": "wait"}])


def test_an_answer_that_changes_nothing_is_not_proposed() -> None:
    table = table_with(agenda=Idle())

    table.human.says("Hello.")
    table.wait(3)

    assert [cause for _, cause, _ in proposals(table.events)] == [1]


TASK = {"timestamp": 0.0, "agent_origin": "agenda", "intent": "plan", "status": "done"}


class Meddling(AgendaAssistant):
    """Agenda that tries to change what is not its own."""

    def plan(self, ctx: AgentContext) -> Plan:
        return Plan([], self.get_config("diff"))


@pytest.mark.parametrize(
    ("diff", "reason"),
    [
        ({"deal": {"final": True}}, "deal may only be changed by the platform"),
        ({"notes": {"agent": {"x": 1}}}, "notes/agent may only be changed by"),
        ({"commands": {"head": {}}}, "commands/head may only be changed by"),
        ({"annotations": {"other": {"x": 1}}}, "annotations/other may only be changed by"),
        ({"tasks": [{**TASK, "task_id": "event-99"}]}, "event-99 is a name that only"),
        ({"tasks": [{**TASK, "task_id": "x", "agent_origin": "agent"}]}, "tasks/agent may not be changed"),
        ({"tasks": None}, "tasks may not be changed by this assistant"),
        ({"weather": {}}, "weather is no section of the record"),
    ],
)
def test_a_refused_proposal_is_logged_with_its_reason_and_changes_nothing(
    diff: dict[str, Any], reason: str
) -> None:
    agenda = Meddling()
    agenda.configure({"diff": diff})
    table = table_with(agenda=agenda)

    table.wait(0)

    ((_, _, proposal),) = proposals(table.events)
    assert not proposal.accepted
    assert reason in proposal.reason
    assert table.session.get_state()["annotations"] == {}


class Speaking(CountingAgenda):
    """Agenda that says something in the name of its seat."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage("I speak for you.")]


def test_an_assistant_that_does_anything_but_propose_has_failed_and_says_nothing() -> None:
    table = TrialTable(categorical_only(), assistants={"agenda": Speaking()}, agents_may_fail=True)

    table.wait(1)

    assert course(table.events) == ["GAME_START", "AGENT_FAILED"]
    assert "only proposes changes of the record, and returned SendMessage" in table.events[1].payload.reason


class Broken(CountingAgenda):
    """Agenda that raises."""

    def plan(self, ctx: AgentContext) -> Plan:
        raise ZeroDivisionError("no plan")


def test_a_broken_assistant_is_no_longer_asked_after_its_last_failure_and_the_game_goes_on() -> None:
    table = TrialTable(categorical_only(), assistants={"agenda": Broken()}, agents_may_fail=True)

    for number in range(5):
        table.human.says(f"Message {number}.")
    table.human.quits()
    table.play_out()

    failed = [event for event in table.events if event.type == EventType.AGENT_FAILED]
    assert len(failed) == table.state.game.rules.agents.strikes
    assert [event.payload.seat for event in failed] == ["agenda"] * len(failed)
    assert table.state.ending is not None
    assert table.state.ending.ended_by == "quit"


def test_a_failure_of_an_assistant_is_named_in_a_test() -> None:
    table = table_with(agenda=Broken())

    with pytest.raises(AgentFailed, match="The assistant 'agenda' failed at 0 s"):
        table.wait(1)


def test_a_seat_sees_nothing_of_an_assistant_that_is_not_shown_to_its_participant() -> None:
    table = table_with(agenda=CountingAgenda(), insights=CountingInsights())
    table.human.says("Hello.")
    table.wait(3)
    hidden = [event for event in table.events if event.type == EventType.STATE_PROPOSED]

    for seat in table.state.game.seats:
        assert [visible_event(event, Observer(seat)) for event in hidden] == [None] * len(hidden)
        assert table.context(seat).get_state()["annotations"] == {}


def test_assistants_change_nothing_of_what_agents_do() -> None:
    def acts(**assistants: Any) -> list[tuple[float, str, Any, DecidedBy | None]]:
        table = table_with(**assistants)
        table.human.says("Hello.")
        table.wait(2)
        table.human.accepts(table.human.offers(OFFER))
        table.play_out()
        kept = [event for event in table.events if event.type != EventType.STATE_PROPOSED]
        return [(event.t, str(event.type), event.sender, event.decided_by) for event in kept]

    assert acts(agenda=CountingAgenda(), debrief=ShortDebrief(), insights=CountingInsights()) == acts()


def test_an_assistant_without_a_method_of_its_kind_is_a_failure_and_no_crash() -> None:
    class Empty(AgendaAssistant):
        pass

    table = TrialTable(categorical_only(), assistants={"agenda": Empty()}, agents_may_fail=True)

    table.wait(1)

    failure = table.events[1].payload
    assert isinstance(failure, Failure)
    assert failure.reason == "Empty has no method plan(self, ctx), with which agenda assistants answer."


@pytest.mark.parametrize(
    ("answer", "contents", "told"),
    [
        (Plan, ("abc",), "task_structure is a list of objects, not str."),
        (Plan, ([{"task_id": "a"}, "b"],), "task_structure[1] is an object, not str."),
        (
            Plan,
            ([], [{"task_id": "a"}]),
            'proposed_state_diff is an object by sections of the record, such as {"tasks": [...]}, not list.',
        ),
        (NextSteps, ({"code": "hold_firm"},), "next_steps is a list of objects, not dict."),
        (Conclusion, ("It is over.",), 'summary is an object, such as {"text": "..."}, not str.'),
    ],
)
def test_an_answer_of_another_form_is_told_by_the_name_of_its_part(
    answer: Callable[..., Any], contents: tuple[Any, ...], told: str
) -> None:
    methods: dict[Callable[..., Any], tuple[type, str]] = {
        Plan: (AgendaAssistant, "plan"),
        NextSteps: (InsightsAssistant, "follow"),
        Conclusion: (DebriefAssistant, "conclude"),
    }
    kind, method = methods[answer]
    wrong = type("Wrong", (kind,), {method: lambda _self, _ctx: answer(*contents)})
    table = TrialTable(categorical_only(), assistants={"wrong": wrong()}, agents_may_fail=True)
    table.seat(Obliging())

    table.human.says("Hello.")
    table.wait(2)
    table.human.accepts(table.human.offers(OFFER))
    table.play_out()

    reasons = {event.payload.reason for event in table.events if isinstance(event.payload, Failure)}
    assert reasons == {told}
