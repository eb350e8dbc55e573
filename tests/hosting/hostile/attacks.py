"""Agent that attacks the program and the computer at every event, and reports what it gained."""

from __future__ import annotations

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event
from tests.window.attacks.attacker import ATTACKS, outcome

ONCE = "leaves_a_daemon"
"""Attack that starts a process each time, and is tried elsewhere."""


class Attacks(NegotiationAgent):
    """Agent that attacks the program and the computer at every event, and reports what it gained."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        tried = {name: outcome(attack) for name, attack in ATTACKS.items() if name != ONCE}
        gained = [name for name, came in tried.items() if came.startswith("open")]
        return [SendMessage(f"I gained {', '.join(gained) or 'nothing'} by {len(tried)} attacks.")]
