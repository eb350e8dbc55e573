"""Agent without a name."""

from negoplatform.agent_api.base import NegotiationAgent


class Nameless(NegotiationAgent):
    def get_name(self):
        return None


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
