"""Agent with handlers that are never called."""

from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.base import NegotiationAgent


class Misspelt(NegotiationAgent):
    def on_offer_sent(self, ctx, event):
        return [SendMessage("Thank you.")]

    def on_send_ofer(self, ctx, event):
        return [SendMessage("Thank you.")]

    def on_second_thoughts(self, ctx):
        return [SendMessage("Well.")]

    def on_time(self, ctx, event):
        return self.on_second_thoughts(ctx)


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
