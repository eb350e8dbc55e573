"""Agent that hangs."""

from threading import Event

from negoplatform.agent_api.base import NegotiationAgent


class Hangs(NegotiationAgent):
    def on_send_offer(self, ctx, event):
        Event().wait()


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
