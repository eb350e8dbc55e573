"""Agent that requires a setting."""

from negoplatform.agent_api.base import NegotiationAgent


class Needy(NegotiationAgent):
    def configure(self, config):
        super().configure(config)
        self.mood = config["mood"]


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
