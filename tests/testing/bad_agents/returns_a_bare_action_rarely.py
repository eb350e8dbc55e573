"""Agent that returns an action without a list in situations that never occur; a callback may do so."""

from typing import Any

from negoplatform.agent_api.actions import FormalAccept, Schedule
from negoplatform.agent_api.actions import SendMessage as Say
from negoplatform.agent_api.base import NegotiationAgent


class Rare(NegotiationAgent):
    def on_send_message(self, ctx: Any, event: Any) -> Any:
        if event.get_text() == "stupid":
            return Say("Please stay polite.")
        return []

    def on_formal_accept(self, ctx: Any, event: Any) -> Any:
        return FormalAccept() if event.t > 100_000 else []

    def on_game_start(self, ctx: Any, event: Any) -> Any:
        def later(ctx: Any) -> Any:
            return Say("Hello!")

        return [Schedule(100, later), Schedule(200, lambda ctx: Say("Are you there?"))]
