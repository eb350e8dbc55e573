"""A quiet start: the answer to the start waits until another seat has acted, or has had time to read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from negoplatform.agent_api.actions import Action, Schedule, SendExpression, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, Expression
from negoplatform.domain.errors import AgentError
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.testing import ScriptedParticipant, TrialTable

QUIET = AgentTiming(opening_delay=12.0)


class Greeter(NegotiationAgent):
    """Agent that smiles, greets, proposes to begin four seconds later, and answers messages and ticks."""

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [
            SendExpression(Expression.HAPPY),
            SendMessage("Hello!"),
            Schedule(4000, lambda ctx: SendMessage("Shall we begin?")),
        ]

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage("You said something.")]


def said(table: TrialTable) -> list[tuple[float, str]]:
    return [(event.t, event.get_text()) for event in table.events if event.sender == "agent"]


def test_an_agent_leaves_time_to_read_and_what_it_scheduled_waits_too(table: TrialTable) -> None:
    table.seat(Greeter(), timing=QUIET)

    table.wait(30)

    assert said(table) == [(12.0, ""), (12.0, "Hello!"), (16.0, "Shall we begin?")]


def test_without_a_delay_it_begins_a_second_after_the_start(table: TrialTable) -> None:
    table.seat(Greeter())

    table.wait(30)

    assert said(table) == [(1.0, ""), (1.0, "Hello!"), (4.0, "Shall we begin?")]


@pytest.mark.parametrize(
    "act",
    [ScriptedParticipant.types, ScriptedParticipant.drafts, lambda party: party.shows(Expression.SAD)],
    ids=["types", "builds", "shows a face"],
)
def test_it_begins_a_second_after_the_other_has_done_anything(
    table: TrialTable, act: Callable[[ScriptedParticipant], Event]
) -> None:
    table.seat(Greeter(), timing=QUIET)
    table.wait(3)

    act(table.human)
    table.wait(20)

    assert said(table) == [(4.0, ""), (4.0, "Hello!"), (8.0, "Shall we begin?")]


def test_it_greets_before_it_answers_what_the_other_said_first(table: TrialTable) -> None:
    table.seat(Greeter(), timing=QUIET)
    table.wait(3)

    table.human.says("Hi")
    table.wait(20)

    # The smile is dropped: the other has spoken.
    assert said(table) == [(4.0, "Hello!"), (4.0, "You said something."), (8.0, "Shall we begin?")]


def test_who_acts_late_does_not_make_it_wait_longer(table: TrialTable) -> None:
    table.seat(Greeter(), timing=QUIET)
    table.wait(11.5)

    table.human.types()
    table.wait(1)

    assert said(table) == [(12.0, ""), (12.0, "Hello!")]


def test_no_agent_waits_less_than_nothing() -> None:
    with pytest.raises(AgentError, match=r"timing\.opening_delay is a number of seconds from 0 to 3600"):
        AgentTiming(opening_delay=-1)
