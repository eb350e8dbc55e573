"""Agents that break their side of the contract: a clear sentence, and the session goes on."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

import pytest

from negoplatform.agent_api.actions import Action, Schedule, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import EndedBy, Event, EventType
from negoplatform.formats.events import encode_event
from negoplatform.testing import Scripted, TrialTable


class Answers(NegotiationAgent):
    """Agent that answers messages with any value that a test wants."""

    def __init__(self, answer: Callable[[], Any]) -> None:
        super().__init__()
        self.answer = answer

    def on_send_message(self, ctx: AgentContext, event: Event) -> Any:
        return self.answer()


class Unspeakable(Exception):
    """An error that cannot even be turned into text."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


class Unshowable:
    def __repr__(self) -> str:
        raise RuntimeError("no looks")


def raises(error: BaseException) -> Callable[[], Any]:
    def answer() -> Any:
        raise error

    return answer


def failures(table: TrialTable) -> list[Event]:
    return [event for event in table.events if event.type == EventType.AGENT_FAILED]


@pytest.mark.parametrize("nothing", [None, [], ()])
def test_a_handler_may_return_nothing(table: TrialTable, nothing: Any) -> None:
    table.seat(Answers(lambda: nothing))
    table.human.says("Hello?")

    table.wait(3)

    assert failures(table) == []
    assert table.kinds() == ["GAME_START", "SEND_MESSAGE"]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (
            lambda: SendMessage("Hi."),
            "on_send_message returned a SendMessage; return a list of actions, or None.",
        ),
        (lambda: "Hi.", "on_send_message returned 'Hi.'; return a list of actions, or None."),
        (lambda: 5, "on_send_message returned 5; return a list of actions, or None."),
        (lambda: {"text": "Hi."}, "on_send_message returned a dict; return a list of actions, or None."),
        (lambda: [None], "on_send_message returned a list with None, which is no action."),
        (
            lambda: [SendMessage("Hi."), "Bye."],
            "on_send_message returned a list with 'Bye.', which is no action.",
        ),
        (lambda: [SendMessage], "on_send_message returned a list with a type, which is no action."),
        (lambda: [Unshowable()], "on_send_message returned a list with a Unshowable, which is no action."),
    ],
)
def test_a_wrong_return_is_a_failure_with_a_sentence(
    table: TrialTable, answer: Callable[[], Any], sentence: str
) -> None:
    table.seat(Answers(answer))

    table.human.says("Hello?")

    assert [event.payload.reason for event in failures(table)] == [sentence]
    assert (failures(table)[0].payload.seat, failures(table)[0].payload.strikes) == ("agent", 1)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ValueError("no such thing"), r"It raised ValueError \(no such thing\) in line \d+ of answer\."),
        (KeyError(), r"It raised KeyError in line \d+ of answer\."),
        (SystemExit(3), r"It raised SystemExit \(3\) in line \d+ of answer\."),
        (Unspeakable(), r"It raised Unspeakable in line \d+ of answer\."),
        (RecursionError("too deep"), r"It raised RecursionError \(too deep\) in line \d+ of answer\."),
        (ValueError("\ud800 half"), r"It raised ValueError \(\? half\) in line \d+ of answer\."),
    ],
)
def test_an_error_is_a_failure_with_a_sentence_that_a_log_can_hold(
    table: TrialTable, error: BaseException, sentence: str
) -> None:
    table.seat(Answers(raises(error)))

    table.human.says("Hello?")

    (failure,) = failures(table)
    assert re.fullmatch(sentence, failure.payload.reason)
    assert encode_event(failure, "now").endswith(b"\n")


def test_an_endless_error_is_cut_short(table: TrialTable) -> None:
    table.seat(Answers(raises(ValueError("x" * 100_000))))

    table.human.says("Hello?")

    assert len(failures(table)[0].payload.reason) < 700


def test_sys_exit_in_a_handler_exits_nothing(table: TrialTable) -> None:
    table.seat(Answers(lambda: sys.exit("goodbye")))

    table.human.says("Hello?")

    assert "SystemExit (goodbye)" in failures(table)[0].payload.reason
    assert table.state.ending is None


def test_the_error_behind_a_failure_is_reported(table: TrialTable) -> None:
    error = ValueError("no such thing")
    table.seat(Answers(raises(error)))

    table.human.says("Hello?")

    assert table.errors == [error]


def test_nothing_of_a_failed_answer_is_done(table: TrialTable) -> None:
    table.seat(Answers(lambda: [SendMessage("Hi."), None]))
    table.human.says("Hello?")

    table.wait(3)

    assert "agent" not in [event.sender for event in table.events]


def test_after_a_failure_the_session_goes_on(table: TrialTable) -> None:
    tries: list[Callable[[], Any]] = [raises(ValueError("oops")), lambda: [SendMessage("Back again.")]]
    answers = iter(tries)
    table.seat(Answers(lambda: next(answers)()))
    table.human.says("One.")
    table.human.says("Two.")

    table.wait(3)

    assert table.events[-1].get_text() == "Back again."
    assert table.state.ending is None


def test_three_strikes_end_the_game_as_the_agents_failure(table: TrialTable) -> None:
    table.seat(Answers(raises(ValueError("oops"))))
    endings = []

    for text in ("One.", "Two.", "Three."):
        table.human.says(text)
        endings.append(table.state.ending and table.state.ending.ended_by)

    assert endings == [None, None, EndedBy.AGENT_FAILURE]
    assert [event.payload.strikes for event in failures(table)] == [1, 2, 3]
    assert table.events[-1].payload.by == "agent"
    assert table.events[-1].payload.deal is None


def test_the_end_by_failure_tells_the_participant_nothing_about_a_program(table: TrialTable) -> None:
    table.seat(Answers(raises(ValueError("oops"))))

    for text in ("One.", "Two.", "Three."):
        table.human.says(text)

    assert table.events[-1].payload.reason == "The other side can’t continue."


def test_failures_are_the_experimenters_to_see(table: TrialTable) -> None:
    listener = Scripted()
    table.seat(Answers(raises(ValueError("oops"))))
    table.seat(listener, "human")

    table.human.says("Hello?")

    assert EventType.AGENT_FAILED not in [event.type for event in listener.received_events]


def test_a_failing_callback_counts_as_a_failure(table: TrialTable) -> None:
    def fail(ctx: AgentContext) -> None:
        raise LookupError("lost")

    table.seat(
        Scripted(Schedule(1000, fail), Schedule(2000, lambda ctx: "words"), Schedule(3000, lambda ctx: [3]))
    )

    table.wait(4)

    reasons = [event.payload.reason for event in failures(table)]
    assert reasons[0].startswith("It raised LookupError (lost) in line")
    assert reasons[1:] == [
        "a scheduled callback returned 'words'; return a list of actions, or None.",
        "a scheduled callback returned a list with 3, which is no action.",
    ]
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGENT_FAILURE


def test_an_action_that_makes_no_sense_is_a_failure(table: TrialTable) -> None:
    table.seat(Answers(lambda: [SendMessage("Hi.", delay_ms=-5)]))

    table.human.says("Hello?")

    assert failures(table)[0].payload.reason.startswith("delay_ms is a number of milliseconds from 0")


def test_a_failing_reset_or_dispatch_is_a_failure_too(table: TrialTable) -> None:
    class NoReset(NegotiationAgent):
        def reset(self) -> None:
            raise ValueError("no reset")

    class NoDispatch(NegotiationAgent):
        def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
            return "nothing"  # type: ignore[return-value]  # that it is wrong is what is tested

    table.seat(NoReset(), "human")
    table.seat(NoDispatch(), "agent")
    table.start()

    assert [event.payload.seat for event in failures(table)] == ["human", "agent"]
    assert failures(table)[1].payload.reason.startswith("handle_event returned 'nothing'")


def test_a_dispatch_that_an_agent_sets_on_itself_is_checked_as_well(table: TrialTable) -> None:
    class SetsDispatch(NegotiationAgent):
        def reset(self) -> None:
            vars(self)["handle_event"] = lambda ctx, event: "nothing"

    table.seat(SetsDispatch(), "agent")
    table.start()

    assert failures(table)[0].payload.reason.startswith("handle_event returned 'nothing'")


def test_what_an_agent_asks_for_and_may_not_have_is_refused_and_is_no_failure(table: TrialTable) -> None:
    class Greedy(NegotiationAgent):
        told = ""

        def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [SendMessage("   ")]

        def on_action_refused(self, ctx: AgentContext, event: Event) -> list[Action]:
            self.told = event.payload.reason
            return []

    agent = Greedy()
    table.seat(agent)
    table.wait(2)

    assert failures(table) == []
    assert agent.told == "There’s nothing to send yet. Type something first."


def test_a_message_to_nobody_at_the_table_is_refused(table: TrialTable) -> None:
    table.seat(Answers(lambda: [SendMessage("Psst.", to=("ghost",))]))
    table.human.says("Hello?")

    table.wait(2)

    assert table.events[-1].payload.reason == "A message cannot be sent to 'ghost'."
