"""Agent that leaves a helper behind in its own group, which holds nothing open, and ends."""

from __future__ import annotations

import os
import subprocess
import sys

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class LeavesAHelper(NegotiationAgent):
    """Agent that leaves a helper behind in its own group, which holds nothing open, and ends."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        os._exit(0)
