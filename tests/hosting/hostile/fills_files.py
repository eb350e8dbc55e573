"""Agent that writes a file beyond the size limit, in a folder that it may write."""

from __future__ import annotations

from pathlib import Path

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class FillsFiles(NegotiationAgent):
    """Agent that writes a file beyond the size limit."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        with (Path(__file__).parent / "scratch" / "filled").open("wb") as file:
            for _ in range(1000):
                file.write(b"x" * 1_000_000)
        return []
