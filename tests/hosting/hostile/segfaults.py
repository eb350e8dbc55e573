"""Agent that reads memory that no process may read."""

from __future__ import annotations

import faulthandler

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class Segfaults(NegotiationAgent):
    """Agent that reads memory that no process may read."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        faulthandler._read_null()  # type: ignore[attr-defined]  # ctypes would catch it on Windows
        return []
