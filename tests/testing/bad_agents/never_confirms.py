"""Agent that makes offers, accepts good ones, and leaves its own unconfirmed."""

from negoplatform.agent_api.actions import FormalAccept, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.bids import Bids


class Forgetful(NegotiationAgent):
    def on_game_start(self, ctx, event):
        return [SendOffer(Bids(ctx).best())]

    def on_send_offer(self, ctx, event):
        good = ctx.can_formally_accept() and ctx.get_agent_utility() >= ctx.reservation_value
        return [FormalAccept()] if good else []


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
