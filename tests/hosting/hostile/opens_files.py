"""Agent that opens files until the limit is reached."""

from __future__ import annotations

import os

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class OpensFiles(NegotiationAgent):
    """Agent that opens files until the limit is reached."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        opened: list[int] = []
        try:
            while True:
                opened.append(os.open(os.devnull, os.O_RDONLY))
        finally:
            for descriptor in opened:
                os.close(descriptor)
