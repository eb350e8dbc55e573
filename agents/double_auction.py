"""Traders of the continuous double auction: zero intelligence, and zero intelligence plus.

Gode and Sunder (1993), "Allocative efficiency of markets with zero-intelligence traders", Journal of
Political Economy 101, 119-137, doi.org/10.1086/261868.

Cliff and Bruten (1997), "Zero is not enough: on the lower limit of agent intelligence for continuous double
auction markets", HP Laboratories Technical Report HPL-97-141.
"""

from pydantic import BaseModel, Field

from negoplatform.agent_api import CancelOrder, MarketAgent, PlaceOrder

__all__ = ["ZeroIntelligence", "Zip"]


class TraderSettings(BaseModel):
    fewest_seconds: float = Field(
        1.0, ge=0.1, le=600, title="Least time between two orders", description="In seconds."
    )
    most_seconds: float = Field(
        3.0, ge=0.1, le=600, title="Greatest time between two orders", description="In seconds."
    )


class Trader(MarketAgent):
    """Replaces its order again and again by one that can gain; a subclass names the price.

    A seat that began with money buys, one that began with units sells, and one that began with both does
    either.
    """

    Settings = TraderSettings

    def configure(self, config):
        super().configure(config)
        least = self.settings.fewest_seconds
        self.every_seconds = (least, max(least, self.settings.most_seconds))

    def on_turn(self, ctx):
        book = ctx.rng.choice(ctx.market.books)
        sides = [side for side in ("bid", "ask") if self.limit(ctx, book, side) is not None]
        if not sides:
            return []
        side = ctx.rng.choice(sides)
        price = self.price(ctx, book, side, self.limit(ctx, book, side))
        if price is None:
            return []
        cancelled = [CancelOrder(order.order_id) for order in book.own_orders]
        return [*cancelled, PlaceOrder(side, price, good=book.good, condition=book.condition or None)]

    def limit(self, ctx, book, side):
        """Return the highest bid or the lowest ask for one unit that cannot lose; None if there is none."""
        began_with = ctx.game.economy.endowments[ctx.seat]
        if side == "ask":
            good = ctx.market.goods.index(book.good)
            return book.next_value(-1) if began_with.units[good] else None
        committed = sum(order.price * order.quantity for order in book.own_orders if order.side == "bid")
        most = min(book.next_value(1) or 0, book.free_cash + committed, ctx.market.highest)
        return most if began_with.money and most >= ctx.market.lowest else None

    def price(self, ctx, book, side, limit):
        """Return the price of an order whose limit is known; None: no order now."""
        raise NotImplementedError


class ZeroIntelligence(Trader):
    """Trades at prices drawn by chance that never lose: zero intelligence with a budget (ZI-C).

    A bid is drawn evenly from the lowest price to what the unit is worth, an ask from what the unit is worth
    to the highest price (Gode and Sunder 1993).
    """

    def get_name(self):
        return self.get_config("name", "Jules")

    def price(self, ctx, book, side, limit):
        market = ctx.market
        least, most = (market.lowest, limit) if side == "bid" else (max(limit, market.lowest), market.highest)
        steps_to_least = -int((market.lowest - least) // market.tick)
        steps_to_most = int((most - market.lowest) // market.tick)
        if steps_to_least > steps_to_most:
            return None
        return market.round_price(
            market.lowest + ctx.rng.randint(steps_to_least, steps_to_most) * market.tick
        )


class Zip(Trader):
    """Learns a profit margin from every order and trade it sees: zero intelligence plus (ZIP).

    It raises its margin when trades are made at prices that are better than its own, and lowers it when it is
    undercut, or when a trade passes it by (Cliff and Bruten 1997).
    """

    def reset(self):
        self.margins = {}
        self.momentum = {}
        self.rates = {}
        self.last_order = {}

    def get_name(self):
        return self.get_config("name", "Kim")

    def on_add_order(self, ctx, event):
        order = event.data["order"]
        key = (order["good"], order["condition"])
        self.last_order[key] = order["type"]
        self.learn(ctx, key, order["type"], order["price"], traded=False)

    def on_contract_fulfilled(self, ctx, event):
        data = event.data
        key = (data["good"], data["condition"])
        # The order that came later has met the one that was in the book.
        side = "bid" if data["bid_id"] > data["ask_id"] else "ask"
        self.learn(ctx, key, side, data["price"], traded=True)

    def price(self, ctx, book, side, limit):
        conditions = ctx.market.conditions
        key = (book.good, conditions.index(book.condition) if conditions else 0)
        wanted = limit * (1 + self.margin(ctx, key, side))
        price = ctx.market.round_price(wanted)
        if side == "bid":
            return price if price <= limit else ctx.market.round_price(limit - ctx.market.tick)
        return price if price >= limit else ctx.market.round_price(limit + ctx.market.tick)

    def margin(self, ctx, key, side):
        if (key, side) not in self.margins:
            sign = -1 if side == "bid" else 1
            self.margins[key, side] = sign * ctx.rng.uniform(0.05, 0.35)
            self.momentum[key, side] = 0.0
            self.rates[key, side] = (ctx.rng.uniform(0.1, 0.5), ctx.rng.uniform(0.0, 0.1))
        return self.margins[key, side]

    def learn(self, ctx, key, shout, price, *, traded):
        """Update the margins after an order, or a trade, at a price; ``shout`` is the side of the order."""
        good, condition = key
        names = ctx.market.conditions
        book = ctx.market.book(good, names[condition] if names else None)
        for side in ("bid", "ask"):
            limit = self.limit(ctx, book, side)
            if not limit:
                continue
            own = limit * (1 + self.margin(ctx, key, side))
            better = own >= price if side == "bid" else own <= price
            if traded and better:
                self.move(ctx, key, side, limit, own, price, up=side == "ask")
            elif not better and (shout != side if traded else shout == side):
                # A trade of the other side's making passes it by, or its own side undercuts it.
                self.move(ctx, key, side, limit, own, price, up=side == "bid")

    def move(self, ctx, key, side, limit, own, price, *, up):
        """Move the margin towards a price that is a little above (up) or below a price."""
        scale = 0.05 * ctx.market.tick
        factor, shift = ctx.rng.uniform(0, 0.05), ctx.rng.uniform(0, scale)
        target = price * (1 + factor) + shift if up else price * (1 - factor) - shift
        rate, memory = self.rates[key, side]
        step = memory * self.momentum[key, side] + (1 - memory) * rate * (target - own)
        self.momentum[key, side] = step
        margin = (own + step) / limit - 1
        self.margins[key, side] = min(margin, 0.0) if side == "bid" else max(margin, 0.0)
