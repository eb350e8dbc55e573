"""Agent that talks, but makes and accepts no offer."""

from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.base import NegotiationAgent


class Talker(NegotiationAgent):
    def on_send_offer(self, ctx, event):
        return [SendMessage("How interesting.")]


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
