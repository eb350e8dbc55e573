"""Agent that raises the exception of Ctrl-C."""

from __future__ import annotations

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class Interrupts(NegotiationAgent):
    """Agent that raises the exception of Ctrl-C."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        raise KeyboardInterrupt
