"""Agent that writes line after line to everything that is open, without being asked."""

from __future__ import annotations

import contextlib
import os

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class Chatters(NegotiationAgent):
    """Agent that writes line after line to everything that is open, without being asked."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        while True:
            for descriptor in range(3, 64):
                with contextlib.suppress(OSError):
                    os.write(descriptor, b"{}\n" * 1000)
