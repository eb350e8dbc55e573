"""Agent that reads what another program prints."""

from __future__ import annotations

import subprocess
import sys

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class RunsAProgram(NegotiationAgent):
    """Agent that reads what another program prints."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        command = [sys.executable, "-c", "import sys; sys.stdout.write('Hello' + sys.stdin.read())"]
        printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        return [SendMessage(printed)]
