"""Agent that prints in every possible way, and answers."""

from __future__ import annotations

import ctypes
import os
import sys

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class Prints(NegotiationAgent):
    """Agent that prints in every possible way, and answers."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        print("printed by Python")
        print("printed to stderr", file=sys.stderr)
        os.write(1, b"written to the descriptor\n")
        libc = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
        libc.puts(b"printed by C")
        libc.fflush(None)
        return [SendMessage("I have printed.")]
