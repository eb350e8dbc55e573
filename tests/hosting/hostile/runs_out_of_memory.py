"""Agent that allocates all available memory."""

from __future__ import annotations

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class RunsOutOfMemory(NegotiationAgent):
    """Agent that allocates all available memory."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        blocks: list[bytearray] = []
        while True:
            blocks.append(bytearray(b"x") * 16_000_000)
