"""Agent that accepts every offer, and makes the offer that is worst for itself."""

from negoplatform.agent_api.actions import FormalAccept, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.bids import Bids


class Generous(NegotiationAgent):
    def on_game_start(self, ctx, event):
        bids = Bids(ctx)
        return [SendOffer(bids.near(bids.lowest, ctx.rng))]

    def on_send_offer(self, ctx, event):
        return [FormalAccept()] if ctx.can_formally_accept() else []

    def on_formal_accept(self, ctx, event):
        return [FormalAccept()] if ctx.can_formally_accept() else []


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
