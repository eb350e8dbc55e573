"""The table for tests: an agent that fails there fails its author's test, with an explicit message."""

from __future__ import annotations

import pytest

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event
from negoplatform.testing import AgentFailed, TrialTable, trial_games


class Shouts(NegotiationAgent):
    """Agent that greets, and fails when the other side shouts."""

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage("Welcome!")]

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        if event.get_text() == "What?!":
            raise ValueError("too loud")
        return SendMessage("Hush.")  # type: ignore[return-value]  # the brackets are forgotten on purpose


def seated(*, agents_may_fail: bool = False) -> TrialTable:
    table = TrialTable(trial_games()[0], agents_may_fail=agents_may_fail)
    table.seat(Shouts())
    table.wait(2)
    return table


def test_an_agent_that_returns_no_list_fails_the_test_with_what_was_wrong() -> None:
    table = seated()

    table.human.says("Hello!")
    with pytest.raises(
        AgentFailed, match=r"'agent' failed at 2 s: on_send_message returned a SendMessage; return a list"
    ):
        table.wait(1)


def test_what_an_agent_raised_is_the_cause_so_that_its_line_is_shown() -> None:
    table = seated()

    table.human.says("What?!")
    with pytest.raises(AgentFailed, match=r"It raised ValueError \(too loud\)") as failed:
        table.play_out()

    assert isinstance(failed.value.__cause__, ValueError)


def test_a_failure_is_told_once_and_the_time_has_passed() -> None:
    table = seated()
    table.human.says("Hello!")
    with pytest.raises(AgentFailed):
        table.wait(5)

    assert table.human.context().elapsed_time == 7
    table.wait(1)


def test_of_a_failure_that_has_no_error_of_its_own_no_other_is_the_cause() -> None:
    table = seated()
    table.human.says("What?!")
    with pytest.raises(AgentFailed):
        table.wait(1)

    table.session.record_agent_failure("agent", "It was slow.")
    with pytest.raises(AgentFailed, match="It was slow") as failed:
        table.wait(1)

    assert failed.value.__cause__ is None


def test_a_test_that_means_an_agent_to_fail_looks_at_what_happens_then() -> None:
    table = seated(agents_may_fail=True)

    table.human.says("What?!")
    table.wait(5)

    assert table.kinds()[-1] == "AGENT_FAILED"
    assert [str(error) for error in table.errors] == ["too loud"]
