"""Agent that compares a share, 0 to 1, with a number of points."""

from negoplatform.agent_api.actions import FormalAccept, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.bids import Bids


class ComparesAShareWithPoints(NegotiationAgent):
    """Agent that accepts nothing but its own offers."""

    def on_game_start(self, ctx, event):
        self.bids = Bids(ctx)
        return [SendOffer(self.bids.best())]

    def on_send_offer(self, ctx, event):
        if ctx.can_formally_accept() and ctx.get_agent_utility_percent() > 50:
            return [FormalAccept()]
        return []

    def on_formal_accept(self, ctx, event):
        own = ctx.current_offer_sender == ctx.seat
        return [FormalAccept()] if own and ctx.can_formally_accept() else []


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
