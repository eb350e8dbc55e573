"""A player of the land market: declares, speculates, and trades shares near its signals."""

from negoplatform.agent_api import CancelOrder, Decide, MarketAgent, PlaceOrder

__all__ = ["LandTrader"]


class LandTrader(MarketAgent):
    """Declares a little less than its plot is worth, buys plots that seem cheap, and trades near its signals.

    It expects a plot to be worth the middle of its possible range, and a share to pay what the public signal
    and its own say on average. In the market it first asks for a margin of 15 % on both sides of that, and
    gives way to none by the end, so that seats with different signals come to trade.
    """

    market_rules = ("harberger",)
    every_seconds = (2.0, 6.0)
    first_margin = 0.15

    def get_name(self):
        return self.get_config("name", "Sam")

    def reset(self):
        self.worths = []  # of its own plot, by condition
        self.boundaries = {}
        self.declared = {}
        self.signals = []

    # What it learns

    def on_game_parameters(self, ctx, event):
        self.boundaries = event.data.get("boundaries", self.boundaries)

    def on_property_value(self, ctx, event):
        self.worths = event.data["property"]["values"]

    def on_declarations(self, ctx, event):
        self.declared = {plot["owner"]: plot["values"] for plot in event.data["plots"]}

    def on_signals(self, ctx, event):
        self.signals.append(max(event.data["signals"]))

    def on_public_signal(self, ctx, event):
        self.signals.append(max(event.data["publicSignal"]))

    # Decisions

    def on_decide(self, ctx):
        fields = ctx.market.decisions
        if fields[0].name == "plots":
            return [Decide({"plots": [plot for plot in fields[0].values if self.is_cheap(ctx, plot)]})]
        share = ctx.rng.uniform(0.75, 1.0)
        return [
            Decide(
                {
                    field.name: self.round_to(field, worth * share)
                    for field, worth in zip(fields, self.worths, strict=True)
                }
            )
        ]

    def is_cheap(self, ctx, plot):
        """Return whether a plot is declared for less than the middle of its range, where that counts."""
        condition = ctx.market.realised
        if plot not in self.declared or condition is None:
            return False
        bounds = self.boundaries[plot][condition]
        declared = self.declared[plot][ctx.market.conditions.index(condition)]
        return (bounds["min"] + bounds["max"]) / 2 > declared

    def round_to(self, field, value):
        """Return the value nearest to a number that a field allows."""
        steps = round((min(max(value, field.low), field.high) - field.low) / field.step)
        return field.low + steps * field.step

    # Orders

    def on_turn(self, ctx):
        if not self.signals:
            return []
        market = ctx.market
        side = ctx.rng.choice(["bid", "ask"])
        price = self.price(ctx, side)
        cancelled = [CancelOrder(order.order_id) for order in market.own_orders]
        able = market.units > 0 if side == "ask" else market.cash >= price
        return [*cancelled, PlaceOrder(side, price)] if able else cancelled

    def price(self, ctx, side):
        """Return what it expects a share to pay, less (bid) or plus (ask) a margin that shrinks with time."""
        expected = sum(self.signals) / len(self.signals)
        left = (ctx.market.phase_ends_at - ctx.elapsed_time) / ctx.market.phase.seconds
        margin = self.first_margin * max(0.0, left) * ctx.rng.random()
        return ctx.market.round_price(expected * (1 - margin if side == "bid" else 1 + margin))
