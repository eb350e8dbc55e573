"""Agent that accepts without an offer, and sends an empty message."""

from negoplatform.agent_api.actions import FormalAccept, SendMessage
from negoplatform.agent_api.base import NegotiationAgent


class Hasty(NegotiationAgent):
    def on_game_start(self, ctx, event):
        return [FormalAccept(), SendMessage("   ")]


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
