"""Agent that writes invalid JSON to everything that is open."""

from __future__ import annotations

import contextlib
import os
import sys

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event

FIRST = 4 if sys.platform == "win32" else 3
"""First descriptor to write to: on Windows 3 is only read, and a write there waits for its reader."""


class WritesRubbish(NegotiationAgent):
    """Agent that writes invalid JSON to everything that is open."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        for descriptor in range(FIRST, 64):
            with contextlib.suppress(OSError):
                os.write(descriptor, b'{"kind": "answer", \xff nonsense\n')
        return []
