"""Commands run one after the other with limited memory, and a report of the user's view of each.

``python -m tests.hostile.worker`` reads a JSON list of argument lists and writes a JSON list of answers. One
process for many commands, because starting one takes ten times as long as refusing a file.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from negoplatform.cli.lazy_group import COMMANDS
from negoplatform.cli.main import cli, run
from negoplatform.domain.agent_limits import DEFAULT_BUDGET
from negoplatform.hosting.agent_process_proxy import discover_agents
from negoplatform.plugins import agent_loader

if sys.platform != "win32":  # which knows no such limits
    import resource

ADDRESS_SPACE = 2_000_000_000
"""Bytes that may be allocated; real use is measured. Threads and libraries reserve much unused memory."""


def main() -> None:
    """Run the commands from standard input."""
    orders: dict[str, Any] = json.load(sys.stdin)
    agent_loader.LOAD_SECONDS = orders["load_seconds"]
    usual: Any = discover_agents  # who asks for a description names no budget
    usual.__kwdefaults__["budget"] = replace(DEFAULT_BUDGET, load_seconds=orders["load_seconds"])
    for name in COMMANDS:
        cli.get_command(None, name)  # type: ignore[arg-type]  # loading the commands is not what is measured
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = [_answer(arguments) for arguments in orders["commands"]]
    report = {"answers": answers, "most": _megabytes() + _megabytes_of_children()}
    json.dump(report, sys.stdout)
    sys.stdout.flush()
    os._exit(0)  # an agent that never ends must not hold up this end


def _answer(arguments: list[str]) -> dict[str, Any]:
    out, err = io.StringIO(), io.StringIO()
    began, worked = time.perf_counter(), _processor_seconds()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(arguments)
    return {
        "code": code,
        "out": out.getvalue()[:100_000],
        "err": err.getvalue()[:100_000],
        "seconds": time.perf_counter() - began,
        "processor_seconds": _processor_seconds() - worked,
    }


def _processor_seconds() -> float:
    """Return the processor time of this process and of its children that have ended."""
    if sys.platform == "win32":
        return time.process_time()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _megabytes() -> float:
    """Return the peak memory of this process."""
    status = Path("/proc/self/status")
    if status.exists():
        # Not getrusage: after a fork it remembers the parent, and pytest is a large one.
        lines = status.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
    if sys.platform == "win32":
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 * 1024)


def _megabytes_of_children() -> float:
    """Return the largest peak memory among the children of this process that have ended."""
    if sys.platform == "win32":
        return 0.0
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / unit


if __name__ == "__main__":
    main()
