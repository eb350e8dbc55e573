"""Agent that does not use the given random numbers."""

import random

from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.base import NegotiationAgent


class Dice(NegotiationAgent):
    def on_game_start(self, ctx, event):
        return [SendMessage(f"My lucky number is {random.random()}.")]


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
