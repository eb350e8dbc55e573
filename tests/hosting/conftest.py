"""Agents' processes that are started ahead of the tests that need them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from negoplatform.hosting.agent_process_proxy import AgentProcess, AgentStartRequest, make_process

Make = Callable[..., AgentProcess]


@pytest.fixture(scope="module")
def take_spare() -> Iterator[Callable[[], AgentProcess]]:
    """A process that was started while the test before was busy: an interpreter takes half a second."""
    waiting = [AgentProcess.spawn()]

    def take() -> AgentProcess:
        waiting.append(AgentProcess.spawn())
        return waiting.pop(0)

    yield take
    for process in waiting:
        process.stop()


@pytest.fixture
def make(take_spare: Callable[[], AgentProcess]) -> Iterator[Make]:
    """Makes agents' processes, which are stopped in the end, whatever a test comes to."""
    made: list[AgentProcess] = []

    def make_one(order: AgentStartRequest, spare: AgentProcess | None = None) -> AgentProcess:
        made.append(make_process(order, spare=spare or take_spare()))
        return made[-1]

    yield make_one
    for process in made:
        process.stop()
