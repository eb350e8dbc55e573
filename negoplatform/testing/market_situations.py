"""Fixed situations of the agent check in markets, and the harness in which the other seats trade."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property

from negoplatform.agent_api.market_view import Amount, BookView, MarketView, QuotedOrder
from negoplatform.core.events import Event, MessageSubtype
from negoplatform.core.mechanisms.double_auction_state import market_terms
from negoplatform.core.mechanisms.market_terms import DecisionField, DecisionKind, DecisionValue
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.domain.errors import Refused
from negoplatform.domain.seat_map import Seat
from negoplatform.testing.check_harness import CheckHarness, CheckSituation

BID, ASK = OrderSide.BID, OrderSide.ASK


class MarketHarness(CheckHarness):
    """Table of a situation in a market."""

    @cached_property
    def length(self) -> float:
        """Duration in seconds of all phases."""
        return market_terms(self.game).total_seconds

    @property
    def market(self) -> MarketView:
        """The market as the agent's seat sees it."""
        return self.table.context(self.seat).market

    def wait_until_open(self) -> None:
        """Wait for a phase that trades; until then the other seats decide at once."""
        self.table.start()
        while self.running and not self.market.is_open:
            self.others_decide()
            self.wait(1)

    def others_decide(self) -> None:
        """Decide for every other seat that has something to decide."""
        for other in self.others:
            fields = self.table.context(other).market.decisions
            if fields:
                with suppress(Refused):
                    self.table.participant(other).decides(**{field.name: _choice(field) for field in fields})

    def good_price(self, book: BookView, side: OrderSide) -> Amount:
        """Return the price of an order of another seat that the agent would gain from."""
        market = self.market
        worth = book.next_value(1 if side is ASK else -1)
        if not worth:  # it has no such unit, or no worth of its own
            return market.round_price((market.lowest + market.highest) / 2)
        return market.round_price(worth * (0.5 if side is ASK else 1.5))

    def places(
        self, book: BookView, side: OrderSide, price: Amount, *, now: bool = False, gaining: bool = False
    ) -> tuple[Seat, Event] | None:
        """Place an order of one unit, of the first other seat that can; ``gaining``: and gains from it."""
        for other in self.others if self.running else ():
            if gaining and not self._gains(other, book, side, price):
                continue
            with suppress(Refused):
                placed = self.table.participant(other).places_order(
                    side, price, good=book.good, condition=book.condition or None, now=now
                )
                return other, placed
        return None

    def _gains(self, seat: Seat, book: BookView, side: OrderSide, price: Amount) -> bool:
        """Return whether a trade would not lose by a seat's worth of the unit, if it has any."""
        own = self.table.context(seat).market.book(book.good, book.condition or None)
        worth = own.next_value(1 if side is BID else -1)
        return not worth or (price <= worth if side is BID else price >= worth)

    def cancels(self, placed: tuple[Seat, Event] | None) -> None:
        """Cancel such an order, if it is still there."""
        if placed is not None:
            with suppress(Refused):
                self.table.participant(placed[0]).cancels(placed[1])

    def own_orders(self) -> list[tuple[BookView, QuotedOrder]]:
        """Return the agent's orders."""
        return [(book, order) for book in self.market.books for order in book.own_orders]


def _choice(field: DecisionField) -> DecisionValue:
    """Return a value that is allowed: the least number, the first value, or none."""
    match field.kind:
        case DecisionKind.NUMBER:
            return field.low
        case DecisionKind.ONE_OF:
            return field.values[0]
        case DecisionKind.SOME_OF:
            return ()


def silence(harness: MarketHarness) -> None:
    """Wait through all phases: no seat but the agent's acts."""
    harness.wait_until_closed()


def quick_decisions(harness: MarketHarness) -> None:
    """Decide at once in every phase that asks, and do nothing else, to the end."""
    harness.table.start()
    while harness.running and harness.now < harness.length:
        harness.others_decide()
        harness.wait(1)
    harness.wait_until_closed()


def chat(harness: MarketHarness) -> None:
    """Say something of several kinds."""
    for subtype in (MessageSubtype.GREETING, MessageSubtype.GENERIC, MessageSubtype.THANKS):
        harness.says(subtype.replace("_", " ").capitalize(), subtype)
        harness.wait(3)


def good_orders(harness: MarketHarness) -> None:
    """Sell for little and buy for much, in every book, each for ten seconds."""
    harness.wait_until_open()
    for book in harness.market.books:
        for side in (ASK, BID):
            placed = harness.places(book, side, harness.good_price(book, side))
            harness.wait(10)
            harness.cancels(placed)


def bad_orders(harness: MarketHarness) -> None:
    """Ask for the highest price and bid the lowest one, in every book."""
    harness.wait_until_open()
    for book in harness.market.books:
        harness.places(book, ASK, harness.market.highest)
        harness.places(book, BID, harness.market.lowest)
    harness.wait(20)


def trades_at_all_prices(harness: MarketHarness) -> None:
    """Trade among the other seats at several prices, the lowest and the highest included."""
    harness.wait_until_open()
    market = harness.market
    for book in market.books:
        for share in (0.5, 0.0, 1.0):
            price = market.round_price(market.lowest + share * (market.highest - market.lowest))
            placed = harness.places(book, ASK, price)
            harness.places(book, BID, price, now=True)
            harness.wait(3)
            harness.cancels(placed)


def own_order_taken(harness: MarketHarness) -> None:
    """Trade with the agent's orders as soon as they are there, as far as neither side loses by it."""
    harness.wait_until_open()
    for _ in range(40):
        harness.wait(1)
        for book, order in harness.own_orders():
            harness.places(book, ASK if order.side is BID else BID, order.price, now=True, gaining=True)


def deleted_order(harness: MarketHarness) -> None:
    """Place a good order, and cancel it before the agent's answer arrives."""
    harness.wait_until_open()
    for book in harness.market.books:
        for side in (ASK, BID):
            placed = harness.places(book, side, harness.good_price(book, side))
            harness.wait(0.5)
            harness.cancels(placed)
            harness.wait(5)


def crowd(harness: MarketHarness) -> None:
    """Fill the books from both sides, without a trade."""
    harness.wait_until_open()
    market = harness.market
    middle = market.round_price((market.lowest + market.highest) / 2)
    for book in market.books:
        for step in range(1, 4):
            for side, sign in ((ASK, 1), (BID, -1)):
                harness.places(book, side, market.round_price(middle + sign * step * market.tick))
    harness.wait(20)


def restart(harness: MarketHarness) -> None:
    """Restart the agent while it has traded, and trade on."""
    harness.wait_until_open()
    book = harness.market.books[0]
    for side in (ASK, BID):
        placed = harness.places(book, side, harness.good_price(book, side))
        harness.wait(8)
        harness.cancels(placed)
        harness.restart_agent()
    harness.wait(8)


def other_leaves(harness: MarketHarness) -> None:
    """Leave the market shortly after a good order."""
    harness.wait_until_open()
    book = harness.market.books[0]
    harness.places(book, ASK, harness.good_price(book, ASK))
    harness.wait(0.5)
    harness.quits()
    harness.wait(15)


MARKET_SITUATIONS = (
    CheckSituation("nobody else does anything", silence, in_another_process=True),
    CheckSituation("the others decide at once and do not trade", quick_decisions),
    CheckSituation("another seat says something of several kinds", chat),
    CheckSituation("orders from which it could gain", good_orders, in_another_process=True),
    CheckSituation("orders from which it cannot gain", bad_orders),
    CheckSituation("trades of others at all prices", trades_at_all_prices),
    CheckSituation("its own orders are taken", own_order_taken, in_another_process=True),
    CheckSituation("an order that is cancelled at once", deleted_order),
    CheckSituation("full books", crowd),
    CheckSituation("a restart", restart),
    CheckSituation("another seat leaves", other_leaves),
    CheckSituation("a second game", own_order_taken, games=2),
)
