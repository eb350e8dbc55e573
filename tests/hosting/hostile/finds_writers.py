"""Agent that searches all objects of its process for those through which a session is written."""

from __future__ import annotations

import gc

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event

WRITERS = {
    "AgentHost",
    "EventBus",
    "FailoverLog",
    "LiveSession",
    "LogWriter",
    "RecordUpdater",
    "Scheduler",
    "Session",
    "SessionDataAutosave",
    "SessionRunner",
}


class FindsWriters(NegotiationAgent):
    """Agent that reports the classes of such objects, and whether the search finds its own context."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        held = gc.get_objects()
        held += [other for thing in gc.get_objects() for other in gc.get_referents(thing)]
        names = {type(thing).__name__ for thing in held}
        found = sorted(names & WRITERS)
        return [SendMessage(f"I found {found}, and {'View' in names and 'AgentRunner' in names}.")]
