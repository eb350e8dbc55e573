"""Agent that allocates all available memory, and does not stop when there is none left."""

from __future__ import annotations

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class EatsMemory(NegotiationAgent):
    """Agent that allocates all available memory, and does not stop when there is none left."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        blocks: list[bytearray] = []
        while True:
            try:
                blocks.append(bytearray(b"x") * 16_000_000)
            except MemoryError:
                continue
