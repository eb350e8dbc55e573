"""Trader of the window's tests: sells at 41, then at 43, and buys at 30, always one unit."""

from negoplatform.agent_api import MarketAgent, PlaceOrder


class MarketMaker(MarketAgent):
    every_seconds = None

    def reset(self):
        self.asking = 41

    def on_phase_transition(self, ctx, event):
        if not event.data["trade"]:
            return []
        return [PlaceOrder("ask", self.asking), PlaceOrder("bid", 30)]

    def on_contract_fulfilled(self, ctx, event):
        if event.data["from"] == ctx.seat:
            self.asking += 2
            return [PlaceOrder("ask", self.asking)]
        return []
