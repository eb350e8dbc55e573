"""Agent that starts a program and never returns."""

from __future__ import annotations

import subprocess
import sys

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class StartsAProgram(NegotiationAgent):
    """Agent that starts a program and never returns."""

    def configure(self, config: dict[str, object]) -> None:
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        while True:
            pass
