"""Agent that leaves a child behind that holds everything open, and ends."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class LeavesAChild(NegotiationAgent):
    """Agent that leaves a child behind that holds everything open, and ends."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        for descriptor in range(3, 64):
            with contextlib.suppress(OSError):
                os.set_inheritable(descriptor, True)
        sleeping = [sys.executable, "-c", "import time; time.sleep(5)"]
        subprocess.Popen(sleeping, close_fds=False, process_group=0)
        os._exit(0)
