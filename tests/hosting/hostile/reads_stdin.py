"""Agent that waits for typed input."""

from __future__ import annotations

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class ReadsStdin(NegotiationAgent):
    """Agent that waits for typed input."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        input()
        return []
