"""Agent that answers late."""

from __future__ import annotations

import time

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class Sleeps(NegotiationAgent):
    """Agent that answers late."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        time.sleep(0.15)
        return [SendMessage("Here I am.")]
