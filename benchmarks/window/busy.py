"""Agent that computes for seconds after each message, and agent that never acts."""

from __future__ import annotations

import time

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event

COMPUTES = 6.0
"""Seconds of work in Python and in C for each message."""


class Busy(NegotiationAgent):
    """Agent that occupies a processor."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Sort and multiply for some seconds."""
        end = time.monotonic() + COMPUTES
        while time.monotonic() < end:
            sorted(range(20_000), key=lambda number: -number)
            pow(3, 20_000)
        return []


class Silent(NegotiationAgent):
    """Agent that does nothing."""
