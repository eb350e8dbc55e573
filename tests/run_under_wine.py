"""Preparation of a run of tests under Wine, where everything takes several times as long."""

from __future__ import annotations

import ctypes
import sys
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, settings

from negoplatform.domain.agent_limits import DEFAULT_BUDGET, AgentBudget
from negoplatform.formats.agent_protocol import ProcessReply
from negoplatform.hosting import agent_process_proxy
from negoplatform.hosting.child_process import ChildProcess

START_SECONDS = 60.0
"""Seconds that an agent's process may take to start, where a test says nothing else."""


def prepare() -> None:
    """Start Wine's desktop, and lift limits of time that are not what the tests are about."""
    if sys.platform == "win32":
        # Wine starts its desktop with the first process that could have a window, and gives it that process's
        # output: a test that reads such output to its end would wait for ever.
        ctypes.windll.user32.GetDesktopWindow()
    settings.register_profile("wine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("wine")
    exchange = agent_process_proxy._exchange_load_message

    def exchange_patiently(child: ChildProcess, line: bytes, budget: AgentBudget, file: Path) -> ProcessReply:
        if budget.load_seconds == DEFAULT_BUDGET.load_seconds:
            budget = replace(budget, load_seconds=START_SECONDS)
        return exchange(child, line, budget, file)

    agent_process_proxy._exchange_load_message = exchange_patiently
