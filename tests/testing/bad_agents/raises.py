"""Agent that divides by zero, and makes an impossible offer."""

from negoplatform.agent_api.actions import SendOffer
from negoplatform.agent_api.base import NegotiationAgent


class Raises(NegotiationAgent):
    def on_send_message(self, ctx, event):
        return [1 / 0]

    def on_game_start(self, ctx, event):
        return [SendOffer(ctx.make_offer(bananas=99))]


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
