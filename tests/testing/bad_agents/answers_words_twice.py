"""Agent that requests an offer for a text that already comes with one, and says goodbye twice."""

from typing import Any

from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.base import NegotiationAgent


class Hasty(NegotiationAgent):
    def on_send_message(self, ctx: Any, event: Any) -> Any:
        if ctx.reading and ctx.reading.offer:
            return [SendMessage("Send that as an offer, please.")]
        return [SendMessage("I see.")]

    def on_game_end(self, ctx: Any, event: Any) -> Any:
        return [SendMessage("Goodbye!")]
