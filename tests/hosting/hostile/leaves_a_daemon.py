"""Agent that leaves a process behind that has left its group, and ends."""

from __future__ import annotations

import os
import signal
import time

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class LeavesADaemon(NegotiationAgent):
    """Agent that leaves a process behind that has left its group, and prints its id."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        if os.fork() == 0:
            os.setpgid(0, 0)
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                print(os.getpid(), flush=True)
                time.sleep(60)
            os._exit(0)
        os.wait()
        return []
