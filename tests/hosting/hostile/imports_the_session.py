"""Agent that imports the program's own classes and looks for their instances."""

from __future__ import annotations

import gc

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.events import Event
from negoplatform.core.session import Session
from negoplatform.eventlog.writer import LogWriter


class ImportsTheSession(NegotiationAgent):
    """Agent that imports the program's own classes and looks for their instances."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        found = [
            thing
            for thing in gc.get_objects()
            if isinstance(thing, Session | SessionRunner | LogWriter) or type(thing).__name__ == "Sitting"
        ]
        return [SendMessage(f"I found {len(found)}.")]
