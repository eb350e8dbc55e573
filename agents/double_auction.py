"""Traders of the continuous double auction: zero intelligence, and zero intelligence plus.

Gode and Sunder (1993), "Allocative efficiency of markets with zero-intelligence traders", Journal of
Political Economy 101, 119-137, doi.org/10.1086/261868.

Cliff and Bruten (1997), "Zero is not enough: on the lower limit of agent intelligence for continuous double
auction markets", HP Laboratories Technical Report HPL-97-141.
"""

from abc import ABC, abstractmethod

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


class Trader(MarketAgent, ABC):
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

    @abstractmethod
    def price(self, ctx, book, side, limit):
        """Return the price of an order whose limit is known; None: no order now."""


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

    It raises its margin when a trade shows that it could have had a better price, and lowers it when a trade
    or an order shows that its own price would not do (Cliff and Bruten 1997).
    """

    def reset(self):
        self.rate = self.memory = None
        # By good, condition and side: the margin, its last change, and the last limit.
        self.margins, self.changes, self.limits = {}, {}, {}

    def get_name(self):
        return self.get_config("name", "Kim")

    def on_game_start(self, ctx, event):
        self.rate, self.memory = ctx.rng.uniform(0.1, 0.5), ctx.rng.uniform(0.0, 0.1)

    def on_add_order(self, ctx, event):
        order = event.data["order"]  # its own too: nobody has met it
        self.learn(ctx, ctx.market.book_of(event), order["type"], order["price"], traded=False)

    def on_contract_fulfilled(self, ctx, event):
        # The order that came later has met the one that was in the book.
        shout = "bid" if event.data["bid_id"] > event.data["ask_id"] else "ask"
        self.learn(ctx, ctx.market.book_of(event), shout, event.data["price"], traded=True)

    def price(self, ctx, book, side, limit):
        tick = ctx.market.tick
        price = ctx.market.round_price(limit * (1 + self.margin(ctx, self.key(book, side))))
        if side == "bid":
            return price if price <= limit else ctx.market.round_price(limit - tick)
        return price if price >= limit else ctx.market.round_price(limit + tick)

    def key(self, book, side):
        return book.good, book.condition, side

    def margin(self, ctx, key):
        if key not in self.margins:
            self.margins[key] = ctx.rng.uniform(0.05, 0.35) * (-1 if key[-1] == "bid" else 1)
        return self.margins[key]

    def learn(self, ctx, book, shout, price, *, traded):
        """Change the margins after an order, or a trade, at a price; ``shout`` is the side that came with it.

        A trade at a price that would have suited it raises its margin, also when it has nothing left to
        trade. What lowers it, while it has: a trade that the other side came for, at a price that its own
        misses; or an order of its own side that was not met, although it was as good as its own.
        """
        for side in ("bid", "ask"):
            key, limit = self.key(book, side), self.limit(ctx, book, side)
            active = limit is not None
            limit = self.limits[key] = limit if active else self.limits.get(key)
            if not limit:
                continue
            own = limit * (1 + self.margin(ctx, key))
            ahead = (ctx.market.round_price(own) - price) * (1 if side == "bid" else -1)
            missed = shout != side if traded else shout == side and ahead <= 0
            if traded and ahead >= 0:
                self.move(ctx, key, limit, own, price, up=side == "ask")
            elif active and missed:
                self.move(ctx, key, limit, own, price, up=side == "bid")

    def move(self, ctx, key, limit, own, price, *, up):
        """Move its own price towards a little above (up) or below another: Widrow-Hoff with momentum."""
        relative, absolute = ctx.rng.uniform(0, 0.05), ctx.rng.uniform(0, 0.05 * ctx.market.tick)
        target = price * (1 + relative) + absolute if up else price * (1 - relative) - absolute
        change = (1 - self.memory) * self.rate * (target - own) + self.memory * self.changes.get(key, 0.0)
        self.changes[key] = change
        margin = (own + change) / limit - 1
        self.margins[key] = min(margin, 0.0) if key[-1] == "bid" else max(margin, 0.0)
