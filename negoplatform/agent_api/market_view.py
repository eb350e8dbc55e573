"""Market of ``ctx.market``: the books, and a seat's own account and orders in a market game."""

from __future__ import annotations

from typing import Any, NamedTuple

from negoplatform.agent_api.mechanism_actions import PlaceOrder
from negoplatform.core.events import Event
from negoplatform.core.mechanisms.double_auction_state import (
    MarketAccount,
    OrderPlaced,
    conditions_of,
    current_phase,
    double_auction_state,
    market_terms,
    period_of,
)
from negoplatform.core.mechanisms.market_books import book_number, book_place, find_book, gain, number_of
from negoplatform.core.mechanisms.market_checks import deciders, order_fault
from negoplatform.core.mechanisms.market_terms import DecisionField, MarketPhase
from negoplatform.core.mechanisms.order_book import BookOrder, OrderSide
from negoplatform.core.state import State
from negoplatform.domain.errors import NotInThisGame
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points

Amount = int | float
"""Amount in the game's money, such as 12.5."""


class QuotedOrder(NamedTuple):
    """Order in a book, as a seat sees it.

    Attributes:
        order_id: Its id.
        side: ``bid`` or ``ask``.
        price: The price of a unit, in the game's money.
        quantity: The units that are left of it.
        seat: The seat that placed it; empty where the game hides it.
        own: Whether it is this seat's own.
        placed_at: The session time (s) at which it was placed.
    """

    order_id: int
    side: OrderSide
    price: Amount
    quantity: int
    seat: Seat
    own: bool
    placed_at: float


class QuotedTrade(NamedTuple):
    """Trade in a book, as a seat sees it.

    Attributes:
        t: The session time (s).
        price: The price of a unit, in the game's money.
        quantity: The units.
        buyer: The seat that bought; empty where the game hides it.
        seller: The seat that sold; empty where the game hides it.
        period: The number of the trading period, from 1.
    """

    t: float
    price: Amount
    quantity: int
    buyer: Seat
    seller: Seat
    period: int


class BookView:
    """The book of one good under one condition, and a seat's own side of it; read-only.

    Args:
        state: The state as the seat sees it.
        seat: The seat.
        number: The number of the book.
    """

    __slots__ = ("_condition", "_good", "_number", "_seat", "_state")
    _condition: int
    _good: int
    _number: int
    _seat: Seat
    _state: State

    def __init__(self, state: State, seat: Seat, number: int) -> None:
        condition, good = book_place(state.game, number)
        put = object.__setattr__
        put(self, "_state", state)
        put(self, "_seat", seat)
        put(self, "_number", number)
        put(self, "_condition", condition)
        put(self, "_good", good)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"ctx.market is read-only; {name!r} cannot be set.")

    @property
    def good(self) -> str:
        """Name of the good."""
        return economy_of(self._state.game).good_names[self._good]

    @property
    def condition(self) -> str:
        """Name of the condition; empty where the game has none."""
        return conditions_of(self._state.game)[self._condition]

    # The book

    @property
    def best_bid(self) -> QuotedOrder | None:
        """The bid that is matched first; None if there is none."""
        return self._best(OrderSide.BID)

    @property
    def best_ask(self) -> QuotedOrder | None:
        """The ask that is matched first; None if there is none."""
        return self._best(OrderSide.ASK)

    @property
    def spread(self) -> Amount | None:
        """Best ask less best bid; None unless there are both."""
        bid, ask = self.best_bid, self.best_ask
        return None if bid is None or ask is None else self._number_of(self._minor(ask) - self._minor(bid))

    def depth(self, side: OrderSide | str, levels: int = 10) -> list[tuple[Amount, int]]:
        """Return the prices of a side with the units at each, the best first.

        Args:
            side: ``bid`` or ``ask``.
            levels: The most prices.
        """
        found: dict[int, int] = {}
        for order in self._queue(OrderSide(side)):
            if order.price not in found and len(found) == levels:
                break
            found[order.price] = found.get(order.price, 0) + order.quantity
        return [(self._number_of(price), units) for price, units in found.items()]

    def orders(self, side: OrderSide | str) -> list[QuotedOrder]:
        """Return the orders of a side, the one that is matched first at the beginning."""
        return [self._quoted(order) for order in self._queue(OrderSide(side))]

    @property
    def trades(self) -> list[QuotedTrade]:
        """Trades in this book, oldest first."""
        game = self._state.game
        return [
            QuotedTrade(
                trade.t,
                self._number_of(trade.price),
                trade.quantity,
                trade.buyer,
                trade.seller,
                period_of(game, trade.phase),
            )
            for trade in double_auction_state(self._state).trades
            if (trade.condition, trade.good) == (self._condition, self._good)
        ]

    @property
    def last_price(self) -> Amount | None:
        """Price of the last trade in this phase; None before any."""
        recent = double_auction_state(self._state).recent_prices[self._number]
        return self._number_of(recent[-1]) if recent else None

    # This seat's side

    @property
    def own_orders(self) -> list[QuotedOrder]:
        """This seat's orders in this book, oldest first."""
        market = double_auction_state(self._state)
        book = market.books[self._number]
        return [
            self._quoted(order) for order_id in market.own_orders[self._seat] if (order := book.get(order_id))
        ]

    @property
    def cash(self) -> Amount:
        """This seat's money."""
        return self._number_of(self._account.money[self._condition])

    @property
    def units(self) -> int:
        """This seat's units."""
        return self._account.units[self._condition][self._good]

    @property
    def free_cash(self) -> Amount:
        """This seat's money less what its bids may cost."""
        return self._number_of(self._account.free_money(self._condition))

    @property
    def free_units(self) -> int:
        """This seat's units less what its asks may sell."""
        return self._account.free_units(self._condition, self._good)

    def next_value(self, change: int = 1) -> Amount | None:
        """Return what more or fewer units are worth to this seat.

        Args:
            change: 1 for one more unit, -1 for one less.

        Returns:
            What the further unit adds, or the last one is worth; None where the seat has no such unit, or its
            worth is not known.
        """
        economy = economy_of(self._state.game)
        worth: Any = economy.worths.get(self._seat)
        units = list(self._account.units[self._condition])
        before = tuple(units)
        units[self._good] += change
        if worth is None or units[self._good] < 0:
            return None
        found = worth.of(tuple(units), self.condition) - worth.of(before, self.condition)
        return self._number_of(found if change > 0 else -found)

    @property
    def _account(self) -> MarketAccount:
        return double_auction_state(self._state).accounts[self._seat]

    def _queue(self, side: OrderSide) -> tuple[BookOrder, ...]:
        return double_auction_state(self._state).books[self._number].queue(side)

    def _best(self, side: OrderSide) -> QuotedOrder | None:
        order = double_auction_state(self._state).books[self._number].best(side)
        return None if order is None else self._quoted(order)

    def _quoted(self, order: BookOrder) -> QuotedOrder:
        own = order.order_id in double_auction_state(self._state).own_orders[self._seat]
        return QuotedOrder(
            order.order_id,
            order.side,
            self._number_of(order.price),
            order.quantity,
            self._seat if own else order.seat,
            own,
            order.placed_at,
        )

    def _minor(self, quoted: QuotedOrder) -> int:
        found = double_auction_state(self._state).books[self._number].get(quoted.order_id)
        return found.price if found else 0

    def _number_of(self, amount: float) -> Amount:
        return number_of(self._state.game, amount)


class MarketView(BookView):
    """A seat's own side of a market game: its only book, or one of several; read-only.

    With several goods or conditions :meth:`book` returns each book, and what is asked of ``ctx.market``
    itself is about the first good, under the first condition or, once it is known, the one that holds.

    Args:
        state: The state as the seat sees it.
        seat: The seat.
    """

    __slots__ = ()

    def __init__(self, state: State, seat: Seat) -> None:
        realised = double_auction_state(state).realised
        condition = market_terms(state.game).conditions.index(realised) if realised else 0
        super().__init__(state, seat, book_number(state.game, condition, 0))

    @property
    def goods(self) -> tuple[str, ...]:
        """Names of the goods."""
        return economy_of(self._state.game).good_names

    @property
    def conditions(self) -> tuple[str, ...]:
        """Names of the conditions; none where the game has none."""
        return market_terms(self._state.game).conditions

    @property
    def realised(self) -> str | None:
        """Name of the condition that holds; None until it is known, and where there are none."""
        return double_auction_state(self._state).realised or None

    def book(self, good: str | None = None, condition: str | None = None) -> BookView:
        """Return the book of a good and a condition; of the condition that holds, once that is known.

        Raises:
            Refused: If there is no such book, or one of the two has to be named and is not.
        """
        number = find_book(self._state.game, good, condition or self.realised)
        return BookView(self._state, self._seat, number)

    def book_of(self, event: Event) -> BookView:
        """Return the book of an ``add-order``, a ``contract-fulfilled`` or an ``asset-movement``."""
        about = event.data.get("order", event.data)
        good = economy_of(self._state.game).good_names.index(about["good"])
        number = book_number(self._state.game, about["condition"], good)
        return BookView(self._state, self._seat, number)

    @property
    def books(self) -> list[BookView]:
        """All books, by condition and then by good."""
        count = len(double_auction_state(self._state).books)
        return [BookView(self._state, self._seat, number) for number in range(count)]

    @property
    def tick(self) -> Amount:
        """Step between prices."""
        return market_terms(self._state.game).tick

    @property
    def lowest(self) -> Amount:
        """Lowest price of a unit."""
        return market_terms(self._state.game).lowest

    @property
    def highest(self) -> Amount:
        """Highest price of a unit."""
        return market_terms(self._state.game).highest

    def round_price(self, price: float) -> Amount:
        """Return the nearest price that an order may have."""
        terms = market_terms(self._state.game)
        steps = round((min(max(price, terms.lowest), terms.highest) - terms.lowest) / terms.tick)
        found = terms.lowest + steps * terms.tick
        found = found if found <= terms.highest else found - terms.tick
        return number_of(
            self._state.game, round(found * 10 ** economy_of(self._state.game).currency.decimals)
        )

    def order_fault(self, order: PlaceOrder) -> str:
        """Return why an order would be refused now, a sentence; empty if it would not, as far as is known."""
        placed: OrderPlaced = order.as_act().payload
        return order_fault(self._state, self._seat, placed)

    # Phases

    @property
    def is_open(self) -> bool:
        """Whether orders may be placed in this phase."""
        phase = self.phase
        return phase is not None and phase.trade

    @property
    def phase(self) -> MarketPhase | None:
        """The phase; None before the first."""
        return current_phase(self._state)

    @property
    def phase_number(self) -> int:
        """Number of the phase, from 1; 0 before the first."""
        return double_auction_state(self._state).phase

    @property
    def phase_ends_at(self) -> float | None:
        """Session time (s) at which the phase ends at the latest; None before the first."""
        phase = self.phase
        return None if phase is None else double_auction_state(self._state).phase_began + phase.seconds

    @property
    def period(self) -> int:
        """Number of the trading period, from 1; 0 before the first."""
        return period_of(self._state.game, self.phase_number)

    @property
    def decisions(self) -> tuple[DecisionField, ...]:
        """Fields that this seat has to decide now; none if nothing is asked, or if it has decided."""
        phase = self.phase
        if phase is None or self._seat not in deciders(self._state):
            return ()
        decided = double_auction_state(self._state).decision_of(self._seat, phase)
        return phase.decide if decided is None else ()

    @property
    def standing(self) -> Points | None:
        """Gain of this seat so far; None while that depends on a condition that is not known."""
        account = double_auction_state(self._state).accounts[self._seat]
        return gain(self._state, self._seat, account)


INSTEAD = {"bargaining": "ctx.current_offer and ctx.board", "trading": "ctx.trading", "market": "ctx.market"}
"""Names of the context in a kind of game, for sentences."""


def not_in_this_game(game: GameSpec, lacks: str) -> NotInThisGame:
    """Return the error of a question that does not arise in a game; its sentence names what there is instead.

    Args:
        game: The game.
        lacks: What the kind of game does not have, such as ``no offers``.
    """
    see = INSTEAD.get(game.mechanism, "ctx.mechanism_state")
    return NotInThisGame(
        f"{game.name} is a game of the kind {game.mechanism!r}, which has {lacks}; see {see}."
    )
