"""Agent that writes a file beyond the size limit."""

from __future__ import annotations

import tempfile

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class FillsFiles(NegotiationAgent):
    """Agent that writes a file beyond the size limit."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        with tempfile.TemporaryFile() as file:
            for _ in range(1000):
                file.write(b"x" * 1_000_000)
        return []
