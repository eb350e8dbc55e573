"""Agent whose processes each stay below the limit of memory, and together exceed it."""

from __future__ import annotations

import os
import time

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event

PROCESSES = 4
BYTES = 40 * 1024 * 1024


class EatsMemoryTogether(NegotiationAgent):
    """Agent whose processes each stay below the limit of memory, and together exceed it."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        for _ in range(PROCESSES):
            if os.fork() == 0:
                os.setpgid(0, 0)
                held = bytearray(b"x") * BYTES  # never twice as much, as a copy of bytes would be
                time.sleep(60 + len(held) * 0)
                os._exit(0)
        time.sleep(60)
        return []
