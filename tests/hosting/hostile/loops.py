"""Agent that never returns."""

from __future__ import annotations

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class Loops(NegotiationAgent):
    """Never comes to an end."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        while True:
            pass
