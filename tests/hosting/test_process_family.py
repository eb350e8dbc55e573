"""Processes that an agent's process starts end with it, and have memory only together with it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.hosting import child_process
from negoplatform.hosting.agent_process_proxy import AgentProcess, discover_agents, make_process
from negoplatform.hosting.sandbox.process_family import end_left_behind
from negoplatform.plugins.agent_loader import hash_of
from tests.hosting.processes import PATIENT, hostile, is_gone, request_about, started

pytestmark = [
    pytest.mark.new_python,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems keep no such families"),
    pytest.mark.timeout(60),
]

resource = pytest.importorskip("resource")

GUARD = 20.0
"""Seconds after which a test counts as hung."""


def comes(happening: Callable[[], bool]) -> bool:
    """Wait for something; return whether it came."""
    until = time.monotonic() + GUARD
    while not happening() and time.monotonic() < until:
        time.sleep(0.05)
    return happening()


def with_daemon(practice: GameSpec, folder: Path) -> tuple[AgentProcess, int]:
    """Return an agent's process that has left a daemon behind, and the daemon's id."""
    output = folder / "agent.txt"
    process = make_process(hostile("leaves_a_daemon", practice, budget=PATIENT, output=output))
    process.respond(request_about(started(practice)))
    assert comes(lambda: output.read_text().endswith("\n"))
    return process, int(output.read_text())


def test_a_daemon_ends_with_the_agents_process_that_it_left(practice: GameSpec, tmp_path: Path) -> None:
    process, daemon = with_daemon(practice, tmp_path)
    assert not is_gone(daemon)

    process.stop()

    assert comes(lambda: is_gone(daemon))


def test_a_daemon_ends_when_the_agents_process_has_ended_itself(practice: GameSpec, tmp_path: Path) -> None:
    process, daemon = with_daemon(practice, tmp_path)

    os.kill(process.pid, 9)

    assert comes(lambda: is_gone(daemon))
    process.stop()


def test_another_program_of_the_user_is_left_alone(practice: GameSpec, tmp_path: Path) -> None:
    # A program that the user has opened from here may become a child of this one as well.
    read, write = os.pipe()
    if os.fork() == 0:
        if os.fork() == 0:
            os.write(write, str(os.getpid()).encode())
            time.sleep(60)
        os._exit(0)
    os.wait()
    others = int(os.read(read, 20))
    os.close(read)
    os.close(write)
    process, daemon = with_daemon(practice, tmp_path)

    process.stop()

    assert comes(lambda: is_gone(daemon))
    assert not is_gone(others)
    os.kill(others, 9)


def limited_child() -> int:
    """Start a process with the limits of an agent's, and wait until it has them."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        for number, most in ((resource.RLIMIT_NOFILE, 64), (resource.RLIMIT_CORE, 0)):
            resource.setrlimit(number, (most, most))
        os.write(write, b"x")
        time.sleep(60)
        os._exit(0)
    os.read(read, 1)
    os.close(read)
    os.close(write)
    return pid


def test_a_process_that_another_agent_is_given_meanwhile_is_left_alone() -> None:
    """Ending what one agent has left behind takes a while, and the next agent may start."""
    left = limited_child()
    started_meanwhile: list[int] = []

    def own() -> list[int]:
        if not started_meanwhile:
            started_meanwhile.append(limited_child())
            return []  # it was started after the processes were looked at
        return started_meanwhile

    try:
        ended = end_left_behind(own)

        assert ended == 1
        assert is_gone(left)
        assert not is_gone(started_meanwhile[0])
    finally:
        os.kill(started_meanwhile[0], 9)
        os.waitpid(started_meanwhile[0], 0)


def test_a_program_with_the_limits_of_an_agent_ends_none_of_its_children() -> None:
    child = os.fork()
    if child == 0:
        for number, most in ((resource.RLIMIT_NOFILE, 64), (resource.RLIMIT_CORE, 0)):
            resource.setrlimit(number, (most, most))
        opened = os.fork()
        if opened == 0:
            time.sleep(60)
            os._exit(1)
        ended = end_left_behind(tuple)
        os.kill(opened, 9)
        os._exit(ended)

    assert os.waitpid(child, 0)[1] == 0


def test_memory_counts_for_all_processes_of_an_agent_together(practice: GameSpec) -> None:
    budget = replace(PATIENT, memory_mb=100)
    with patch.object(child_process, "FAMILY_CHECK_SECONDS", 0.05):
        process = make_process(hostile("eats_memory_together", practice, budget=budget))
        answer = process.respond(request_about(started(practice)))

    assert answer.lost
    assert "more than 100 MB of memory, with the processes that it started" in answer.failure
    process.stop()


def test_memory_counts_together_while_agents_are_looked_for_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text(
        "import os, time\n"
        "for _ in range(4):\n"
        "    if os.fork() == 0:\n"
        "        held = bytearray(b'x') * (40 * 1024 * 1024)\n"
        "        time.sleep(60)\n"
        "        os._exit(0)\n"
        "time.sleep(30)\n",
        encoding="utf-8",
    )
    budget = replace(PATIENT, memory_mb=100)

    with (
        patch.object(child_process, "FAMILY_CHECK_SECONDS", 0.05),
        pytest.raises(NegoError, match="more than 100 MB of memory, with the processes that it started"),
    ):
        discover_agents(file, hash_of(file), budget=budget)
