"""Agent that leaves a child behind that holds everything open, and ends."""

from __future__ import annotations

import os
import time

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class LeavesAChild(NegotiationAgent):
    """Agent that leaves a child behind that holds everything open, and ends."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        if os.fork() == 0:
            os.setsid()
            time.sleep(5)
            os._exit(0)
        os._exit(0)
