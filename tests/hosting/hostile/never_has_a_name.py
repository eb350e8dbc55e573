"""Agent that hangs when it is asked for its name."""

from __future__ import annotations

from negoplatform.agent_api.base import NegotiationAgent


class NeverHasAName(NegotiationAgent):
    """Agent that hangs when it is asked for its name."""

    def get_name(self) -> str:
        while True:
            pass
