"""Agent that answers where no further thread can be started."""

from __future__ import annotations

import faulthandler
from typing import Any

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


def refuse(*told: Any, **more: Any) -> None:
    """Fail as the system does when a user runs too many threads."""
    raise RuntimeError("unable to start watchdog thread")


class StartsNoThread(NegotiationAgent):
    """Agent that answers where no further thread can be started."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        faulthandler.dump_traceback_later = refuse
        return [SendMessage("I can still speak.")]
