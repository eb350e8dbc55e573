"""Agent that raises the exception that ends a program."""

from __future__ import annotations

import sys

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class RaisesExit(NegotiationAgent):
    """Agent that raises the exception that ends a program."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        sys.exit(3)
