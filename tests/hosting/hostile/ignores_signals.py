"""Agent that ignores every signal that it may, and never ends."""

from __future__ import annotations

import contextlib
import signal

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class IgnoresSignals(NegotiationAgent):
    """Agent that ignores every signal that it may, and never ends."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        for number in signal.valid_signals():
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_IGN)
        while True:
            pass
