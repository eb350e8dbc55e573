"""Agent that never returns, in C, where no other thread of Python can run."""

from __future__ import annotations

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class LoopsInC(NegotiationAgent):
    """Agent that never returns, in C, where no other thread of Python can run."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        sum(iter(range(10**18)))
        return []
