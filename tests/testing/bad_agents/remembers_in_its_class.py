"""Agent that stores data in its class, so that no two games begin alike."""

from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.base import NegotiationAgent


class Remembers(NegotiationAgent):
    games = []

    def on_game_start(self, ctx, event):
        self.games.append(ctx.game.name)
        return [SendMessage(f"This is game {len(self.games)}.")]


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
