"""Sits where no thread can be started any more, and answers."""

from __future__ import annotations

import faulthandler
from typing import Any

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


def refuse(*told: Any, **more: Any) -> None:
    """What the system does when a user runs too many."""
    raise RuntimeError("unable to start watchdog thread")


class StartsNoThread(NegotiationAgent):
    """Sits where no thread can be started any more, and answers."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        faulthandler.dump_traceback_later = refuse
        return [SendMessage("I can still speak.")]
