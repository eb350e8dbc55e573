"""Agent that says the first word of a set, which differs between processes."""

from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.base import NegotiationAgent

WORDS = {f"word{number}" for number in range(1000)}


class Unsorted(NegotiationAgent):
    def on_game_start(self, ctx, event):
        return [SendMessage(next(iter(WORDS)))]


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
