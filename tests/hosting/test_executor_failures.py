"""A thread that asks an agent outlives whatever goes wrong in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import SimpleQueue
from random import Random

import pytest

from negoplatform.core.events import Event
from negoplatform.domain.game import GameSpec
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, AgentRunner
from negoplatform.hosting.executor import ThreadExecutor
from negoplatform.hosting.responder import AgentInput
from negoplatform.testing import Scripted
from tests.hosting.processes import question_about, started


class Short(AgentRunner):
    """A mind for which there is no memory, at one thing or another."""

    def __init__(self, at: str) -> None:
        super().__init__(Scripted(), Random(1))
        self.stopped = False
        self._at = at

    def respond(self, question: AgentRequest) -> AgentResponse:
        if self._at == "answer":
            raise MemoryError
        return super().respond(question)

    def notify(self, event: Event) -> None:
        if self._at == "see":
            raise MemoryError

    def stop(self) -> None:
        self.stopped = True


@pytest.fixture
def answers() -> SimpleQueue[AgentResponse]:
    return SimpleQueue()


def asked(
    mind: Short,
    answers: SimpleQueue[AgentResponse],
    past: Sequence[AgentInput],
    *doings: Callable[[ThreadExecutor], None],
) -> AgentResponse:
    """What a runner's thread answers after all this."""
    runner = ThreadExecutor(lambda: mind, answers.put, past, "agent")
    try:
        for do in doings:
            do(runner)
        return answers.get(timeout=10)
    finally:
        runner.stop()


@pytest.mark.parametrize("at", ["answer", "see"])
def test_a_mind_that_cannot_hear_the_past_is_lost_and_says_so(
    practice: GameSpec, answers: SimpleQueue[AgentResponse], at: str
) -> None:
    question = question_about(started(practice))
    mind = Short(at)

    answer = asked(mind, answers, [question, question.stimulus], lambda runner: runner.submit(question))

    assert (answer.lost, answer.failure) == (True, "It could not be told what happened (MemoryError).")
    assert isinstance(answer.error, MemoryError)
    assert mind.stopped


def test_a_mind_that_cannot_be_told_of_an_event_is_lost_and_says_so_when_it_is_asked(
    practice: GameSpec, answers: SimpleQueue[AgentResponse]
) -> None:
    question = question_about(started(practice))
    mind = Short("see")

    answer = asked(
        mind,
        answers,
        [],
        lambda runner: runner.notify(question.stimulus),
        lambda runner: runner.submit(question),
    )

    assert (answer.lost, answer.failure) == (True, "It could not be told what happened (MemoryError).")
    assert mind.stopped
