"""Agent that hangs in its configuration."""

from __future__ import annotations

from typing import Any

from negoplatform.agent_api.base import NegotiationAgent


class NeverConfigured(NegotiationAgent):
    """Agent that hangs in its configuration."""

    def configure(self, config: dict[str, Any]) -> None:
        while True:
            pass
