"""Agent that schedules more callbacks at one instant than a table allows."""

from negoplatform.agent_api.actions import Schedule
from negoplatform.agent_api.base import NegotiationAgent


class Flood(NegotiationAgent):
    def on_game_start(self, ctx, event):
        return [Schedule(0, self.more)]

    def more(self, ctx):
        return [Schedule(0, self.more)]


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
