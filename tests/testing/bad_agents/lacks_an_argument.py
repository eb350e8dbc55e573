"""A handler that does not take the context, and one that is written async def."""

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
