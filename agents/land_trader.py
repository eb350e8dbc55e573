"""A player of the land market: declares, speculates, and trades shares near its signals."""

from negoplatform.agent_api import CancelOrder, Decide, MarketAgent, PlaceOrder


class LandTrader(MarketAgent):
    """Declares a little less than its plot is worth, buys plots that seem cheap, and trades near its signal.

    It expects a plot to be worth the middle of its possible range, and a share to pay what the public and its
    own signal say on average.
    """

    every_seconds = (2.0, 6.0)

    def get_name(self):
        return self.get_config("name", "Toni")

    def reset(self):
        self.worths = []
        self.boundaries = {}
        self.declared = {}
        self.signals = []

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

    def on_decide(self, ctx):
        fields = ctx.market.decisions
        if fields[0].name == "plots":
            cheap = [plot for plot in fields[0].values if self.expected_gain(ctx, plot) > 0]
            return [Decide({"plots": cheap})]
        share = ctx.rng.uniform(0.75, 1.0)
        values = {}
        for field, worth in zip(fields, self.worths, strict=True):
            steps = round((min(worth * share, field.high) - field.low) / field.step)
            values[field.name] = field.low + max(0, steps) * field.step
        return [Decide(values)]

    def expected_gain(self, ctx, plot):
        """Return the middle of a plot's range under the condition that holds, less its declaration."""
        if plot not in self.declared:
            return 0
        index = ctx.market.conditions.index(ctx.mechanism_state.realised)
        bounds = self.boundaries[plot][ctx.mechanism_state.realised]
        return (bounds["min"] + bounds["max"]) / 2 - self.declared[plot][index]

    def on_turn(self, ctx):
        if not self.signals:
            return []
        condition = ctx.mechanism_state.realised or None
        book = ctx.market.book(condition=condition)
        worth = sum(self.signals) / len(self.signals)
        side = ctx.rng.choice(["bid", "ask"])
        gap = ctx.rng.uniform(0.0, 0.15)
        price = ctx.market.round_price(worth * (1 - gap if side == "bid" else 1 + gap))
        cancelled = [CancelOrder(order.order_id) for order in book.own_orders]
        able = book.free_units if side == "ask" else book.free_cash >= price
        return [*cancelled, PlaceOrder(side, price, condition=condition)] if able else cancelled
