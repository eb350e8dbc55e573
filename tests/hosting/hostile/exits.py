"""Agent that ends its process."""

from __future__ import annotations

import os

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class Exits(NegotiationAgent):
    """Agent that ends its process."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        os._exit(3)
