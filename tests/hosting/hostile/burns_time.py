"""Agent that computes on every thread that it can start, and answers."""

from __future__ import annotations

import threading

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


def burn() -> None:
    """Compute."""
    while True:
        pass


class BurnsTime(NegotiationAgent):
    """Agent that computes on every thread that it can start, and answers."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        for _ in range(2):
            threading.Thread(target=burn, daemon=True).start()
        return [SendMessage("Busy.")]
