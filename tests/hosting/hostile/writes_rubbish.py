"""Agent that writes invalid JSON to everything that is open."""

from __future__ import annotations

import contextlib
import os

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class WritesRubbish(NegotiationAgent):
    """Agent that writes invalid JSON to everything that is open."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        for descriptor in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(descriptor, b'{"kind": "answer", \xff nonsense\n')
        return []
