"""Agent that asks for the other side's points where they are private."""

from negoplatform.agent_api.base import NegotiationAgent


class Curious(NegotiationAgent):
    def on_send_offer(self, ctx, event):
        other = ctx.game.others(ctx.seat)[0]
        return [] if ctx.get_opponent_utility(seat=other) > 5 else []


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
