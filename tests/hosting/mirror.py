"""Agent that reports its view in full, and does nothing else."""

from __future__ import annotations

import hashlib

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event
from tests.hosting.views import everything_in


class Mirror(NegotiationAgent):
    """Agent that reports its view: printed, and as a message with a digest of it and of the event."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        view = ctx._view
        seen = "\n".join([*everything_in(view, ctx.elapsed_time), repr(event)])
        print(f"--- {view.state.version}\n{seen}")
        return [SendMessage(hashlib.sha256(seen.encode()).hexdigest(), delay_ms=1)]
