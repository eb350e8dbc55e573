"""Agent that never says what it is called."""

from __future__ import annotations

from negoplatform.agent_api.base import NegotiationAgent


class NeverHasAName(NegotiationAgent):
    """Agent that never says what it is called."""

    def get_name(self) -> str:
        while True:
            pass
