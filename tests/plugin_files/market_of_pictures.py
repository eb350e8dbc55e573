"""Traders of pictures: each places orders at prices and moments of its own, which are always the same."""

from negoplatform.agent_api import MarketAgent, PlaceOrder

ORDERS = {
    "buyer_2": [(200, "bid", 78), (700, "bid", 88), (900, "bid", 80)],
    "buyer_3": [(400, "bid", 84), (1000, "bid", 77)],
    "seller_1": [(500, "ask", 84), (800, "ask", 91)],
    "seller_2": [(300, "ask", 78), (800, "ask", 89)],
    "seller_3": [(600, "ask", 88), (1100, "ask", 86)],
}
"""Orders of each seat: milliseconds after the one before, the side and the price."""


class TraderOfPictures(MarketAgent):
    every_seconds = None

    def get_name(self):
        return self.get_config("name", "Kim")

    def on_phase_transition(self, ctx, event):
        if not event.data["trade"]:
            return []
        return [PlaceOrder(side, price, delay_ms=pause) for pause, side, price in ORDERS.get(ctx.seat, [])]
