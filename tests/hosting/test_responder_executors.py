"""The thread of an executor outlives every failure in it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from random import Random

import pytest

from negoplatform.core.events import Event
from negoplatform.domain.game import GameSpec
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, AgentRunner
from negoplatform.hosting.responder import AgentInput
from negoplatform.hosting.responder_executors import ThreadExecutor
from negoplatform.testing import Scripted
from tests.games import shipped_games
from tests.hosting.processes import request_about, started


class Short(AgentRunner):
    """Responder that runs out of memory at one call or another."""

    def __init__(self, at: str) -> None:
        super().__init__(Scripted(), Random(1))
        self.stopped = False
        self._at = at

    def respond(self, request: AgentRequest) -> AgentResponse:
        if self._at == "answer":
            raise MemoryError
        return super().respond(request)

    def notify(self, event: Event) -> None:
        if self._at == "see":
            raise MemoryError

    def stop(self) -> None:
        self.stopped = True


@pytest.fixture
def answers() -> SimpleQueue[AgentResponse]:
    return SimpleQueue()


def asked(
    responder: Short,
    answers: SimpleQueue[AgentResponse],
    past: Sequence[AgentInput],
    *doings: Callable[[ThreadExecutor], None],
) -> AgentResponse:
    """Return the response of an executor's thread after all this."""
    executor = ThreadExecutor(lambda: responder, answers.put, past, "agent")
    try:
        for do in doings:
            do(executor)
        return answers.get(timeout=10)
    finally:
        executor.stop()


@pytest.mark.parametrize("at", ["answer", "see"])
def test_a_responder_that_cannot_take_the_past_is_lost_and_says_so(
    practice: GameSpec, answers: SimpleQueue[AgentResponse], at: str
) -> None:
    request = request_about(started(practice))
    responder = Short(at)

    answer = asked(responder, answers, [request, request.stimulus], lambda executor: executor.submit(request))

    assert (answer.lost, answer.failure) == (True, "It could not get the past events (MemoryError).")
    assert isinstance(answer.error, MemoryError)
    assert responder.stopped


def test_a_responder_that_cannot_take_an_event_is_lost_and_says_so_when_it_is_asked(
    practice: GameSpec, answers: SimpleQueue[AgentResponse]
) -> None:
    request = request_about(started(practice))
    responder = Short("see")

    answer = asked(
        responder,
        answers,
        [],
        lambda executor: executor.notify(request.stimulus),
        lambda executor: executor.submit(request),
    )

    assert (answer.lost, answer.failure) == (True, "It could not get the past events (MemoryError).")
    assert responder.stopped


def test_a_responder_that_cannot_answer_is_lost_and_its_thread_goes_on(
    practice: GameSpec, answers: SimpleQueue[AgentResponse]
) -> None:
    request = request_about(started(practice))
    got: list[AgentResponse] = []

    def submit_and_wait(executor: ThreadExecutor) -> None:
        executor.submit(request)
        got.append(answers.get(timeout=10))

    got.append(
        asked(Short("answer"), answers, [], submit_and_wait, lambda executor: executor.submit(request))
    )

    assert [(answer.lost, answer.steps) for answer in got] == [(True, ())] * 2
    assert all("MemoryError" in answer.failure for answer in got)


def test_a_response_names_the_request_that_was_submitted_and_no_copy_of_it(
    answers: SimpleQueue[AgentResponse],
) -> None:
    request = request_about(started(shipped_games("market")[0]))

    answer = asked(Short(""), answers, [], lambda executor: executor.submit(request))

    assert answer.request is request


def test_a_responder_that_is_made_after_the_end_is_stopped_and_asked_nothing(
    practice: GameSpec, answers: SimpleQueue[AgentResponse]
) -> None:
    responder, may_be_made = Short(""), threading.Event()

    def make() -> Short:
        may_be_made.wait(10)
        return responder

    executor = ThreadExecutor(make, answers.put, [], "made late")
    (thread,) = [each for each in threading.enumerate() if each.name == "made late"]
    executor.submit(request_about(started(practice)))
    executor.stop()
    may_be_made.set()
    thread.join(10)

    assert responder.stopped
    assert answers.empty()
