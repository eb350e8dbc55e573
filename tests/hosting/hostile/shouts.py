"""Agent that sends more text than a person could read."""

from __future__ import annotations

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class Shouts(NegotiationAgent):
    """Agent that sends more text than a person could read."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage("x" * 10_000_000)]
