"""The mechanism of the tests, registered while these tests run."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from negoplatform.hosting import child_process
from tests.mechanisms.cases import sealed_bid_registered


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    """Register the mechanism of the tests."""
    with sealed_bid_registered():
        yield


@pytest.fixture
def sealed_bid_in_agent_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the mechanism in agents' processes too."""
    code = (
        "import sys, runpy; from tests.mechanisms.cases import sealed_bid_registered as registered; "
        "within = registered(); within.__enter__(); "
        f"sys.argv = ['negoplatform', {child_process.AGENT_PROCESS!r}]; "
        "runpy.run_module('negoplatform', run_name='__main__')"
    )
    command = [sys.executable, "-P", "-s", "-X", "utf8", "-c", code]
    monkeypatch.setattr(child_process, "agent_command", lambda: command)
