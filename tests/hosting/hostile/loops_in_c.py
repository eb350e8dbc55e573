"""Agent that never comes to an end, in C, where no other thread of Python comes by."""

from __future__ import annotations

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class LoopsInC(NegotiationAgent):
    """Agent that never comes to an end, in C, where no other thread of Python comes by."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        sum(iter(range(10**18)))
        return []
