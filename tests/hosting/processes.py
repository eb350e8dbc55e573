"""Agents' processes for tests."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from negoplatform.core.events import Event
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.game import GameSpec
from negoplatform.hosting.agent_process_requests import AgentStartRequest
from negoplatform.hosting.agent_runner import AgentRequest
from negoplatform.plugins.agent_loader import hash_of
from negoplatform.testing import TrialTable

if sys.platform == "win32":
    from tests.hosting import windows_processes

HOSTILE = Path(__file__).parent / "hostile"

QUICK = AgentBudget(
    load_seconds=50, soft_seconds=0.2, hard_seconds=0.2, memory_mb=256, cpu_seconds=20, file_mb=1
)
"""Short time limits for agents that exceed any; loading takes as long as it takes."""

PATIENT = replace(QUICK, soft_seconds=20.0, hard_seconds=20.0)
"""Time limits that no honest agent exceeds, however busy the machine is."""


def start_request_for(file: Path, class_name: str, game: GameSpec, **more: Any) -> AgentStartRequest:
    """Return a start request for the seat ``agent``."""
    given: dict[str, Any] = {
        "seat": "agent",
        "budget": PATIENT,
        "rng_state": Random("1/agent").getstate(),
        **more,
    }
    return AgentStartRequest(game=game, file=file, class_name=class_name, sha256=hash_of(file), **given)


def hostile(name: str, game: GameSpec, **more: Any) -> AgentStartRequest:
    """Return a start request for one of the agents that misbehave."""
    class_name = "".join(word.title() for word in name.split("_"))
    return start_request_for(HOSTILE / f"{name}.py", class_name, game, **{"budget": QUICK, **more})


def request_about(table: TrialTable, event: Event | None = None, call: int | None = None) -> AgentRequest:
    """Return a request about an event, the last one unless given, or about the call of a callback."""
    event = event or table.events[-1]
    now = table.events[-1].t
    return AgentRequest(view_of(table.state, Observer("agent")), now, event.redacted(), call)


def started(game: GameSpec) -> TrialTable:
    """Return a table whose game has begun."""
    table = TrialTable(game)
    table.start()
    return table


def processes_of_group(pid: int) -> list[int]:
    """Return the processes of a group that have not ended; none if the system does not tell.

    On Windows, which has no such groups, these are a process and those that it and they have started.
    """
    if sys.platform == "win32":
        return windows_processes.started_by(pid)
    found = []
    for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        if not entry.name.isdigit():
            continue
        try:
            state, _, group = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(group) == pid and state != "Z":
            found.append(int(entry.name))
    return found


def is_gone(pid: int) -> bool:
    """Return whether a process has ended and is not a zombie either."""
    if sys.platform == "win32":
        return windows_processes.has_ended(pid)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def halt(pid: int) -> None:
    """Halt a process: it neither reads nor ends."""
    if sys.platform == "win32":
        windows_processes.suspend(pid)
    else:
        os.kill(pid, signal.SIGSTOP)


def priority(pid: int) -> int:
    """Return the niceness of a process; on Windows its priority class."""
    if sys.platform == "win32":
        return windows_processes.priority_class(pid)
    return os.getpriority(os.PRIO_PROCESS, pid)


def open_descriptors() -> int:
    """Return how many descriptors this process has open; 0 if the system does not tell."""
    if sys.platform == "win32":
        return sum(map(_is_open, range(512)))
    return len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").is_dir() else 0


def _is_open(descriptor: int) -> bool:
    with suppress(OSError):
        os.fstat(descriptor)
        return True
    return False
