"""Agent that returns an action without a list, a generator, a text, far too many actions, and None."""

from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.base import NegotiationAgent


class Bare(NegotiationAgent):
    def on_send_offer(self, ctx, event):
        return SendMessage("Thank you.")

    def on_send_message(self, ctx, event):
        yield SendMessage("I see.")

    def on_send_expression(self, ctx, event):
        return "I am sorry."

    def on_offer_in_progress(self, ctx, event):
        return [SendMessage("Hm.")] * 101

    def on_formal_accept(self, ctx, event):
        return [None]


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
