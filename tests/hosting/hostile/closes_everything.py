"""Agent that closes everything that is open."""

from __future__ import annotations

import os

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class ClosesEverything(NegotiationAgent):
    """Agent that closes everything that is open."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        os.closerange(3, 64)
        return []
