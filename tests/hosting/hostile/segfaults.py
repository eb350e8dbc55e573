"""Agent that reads memory that no process may read."""

from __future__ import annotations

import ctypes

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class Segfaults(NegotiationAgent):
    """Agent that reads memory that no process may read."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        ctypes.string_at(0)
        return []
