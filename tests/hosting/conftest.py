"""Agents' processes that are started ahead of the tests that need them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from negoplatform.hosting.agent_process_proxy import AgentProcess, make_process
from negoplatform.hosting.agent_process_requests import AgentStartRequest

Make = Callable[..., AgentProcess]


@pytest.fixture(scope="module")
def take_spare() -> Iterator[Callable[[], AgentProcess]]:
    """Return a process that was started during the previous test: an interpreter takes half a second."""
    waiting = [AgentProcess.spawn()]

    def take() -> AgentProcess:
        waiting.append(AgentProcess.spawn())
        return waiting.pop(0)

    yield take
    for process in waiting:
        process.stop()


@pytest.fixture
def make(take_spare: Callable[[], AgentProcess]) -> Iterator[Make]:
    """Start agents' processes, which are stopped at the end, however the test ends."""
    made: list[AgentProcess] = []

    def make_one(start_request: AgentStartRequest, spare: AgentProcess | None = None) -> AgentProcess:
        made.append(make_process(start_request, spare=spare or take_spare()))
        return made[-1]

    yield make_one
    for process in made:
        process.stop()
