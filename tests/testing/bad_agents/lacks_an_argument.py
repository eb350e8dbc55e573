"""Agent with a handler that does not take the context, and a handler that is a property."""

from negoplatform.agent_api.base import NegotiationAgent


class Short(NegotiationAgent):
    def on_send_offer(self, event):
        return []

    @property
    def on_time(self):
        return []


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
