"""Agent that never has enough of its settings."""

from __future__ import annotations

from typing import Any

from negoplatform.agent_api.base import NegotiationAgent


class NeverConfigured(NegotiationAgent):
    """Agent that never has enough of its settings."""

    def configure(self, config: dict[str, Any]) -> None:
        while True:
            pass
