"""View of an order book: its prices with their units, and a participant's own orders. No Tk."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from negoplatform.core.mechanisms.double_auction_state import (
    DoubleAuctionState,
    conditions_of,
    double_auction_state,
)
from negoplatform.core.mechanisms.market_books import book_place
from negoplatform.core.mechanisms.order_book import BookOrder, OrderSide
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Money
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import localized_role, localized_text
from negoplatform.presentation.market.amounts import Amounts

MOST_LEVELS = 12
"""Largest number of prices of a side that are shown."""


@dataclass(frozen=True, slots=True)
class BookRow:
    """Price of a side of the book.

    Args:
        side: The side.
        amount: The price, in minor units.
        price: The price as a text.
        quantity: The units at this price.
        own: The participant's own units among them.
        who: Who wants to trade at this price, in words.
        depth: Units at this price and at all better ones, as a share, 0 to 1, of the largest such number.
        own_orders: The ids of the participant's orders at this price, the oldest first.
    """

    side: OrderSide
    amount: Money
    price: str
    quantity: int
    own: int
    who: str
    depth: float
    own_orders: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BookChoice:
    """Book that can be shown; ``number`` is the mechanism's."""

    number: int
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class OrderBookView:
    """View of one book.

    Args:
        title: The good, and its condition where there are several.
        choices: The books to choose from; none where there is only one.
        asks: The prices at which others sell, the lowest first.
        bids: The prices at which others buy, the highest first.
        more_asks: Units at further prices that are not listed.
        more_bids: The same of the bids.
        between: What is between the two sides: the spread and the last price, in words.
        is_open: Whether the market is open.
    """

    title: str
    choices: tuple[BookChoice, ...]
    asks: tuple[BookRow, ...]
    bids: tuple[BookRow, ...]
    more_asks: int
    more_bids: int
    between: str
    is_open: bool


def localized_book_name(game: GameSpec, number: int, translate: Language, *, realised: str = "") -> str:
    """Return the good of a book, and its condition while several may hold, in the window's language."""
    condition, good = book_place(game, number)
    goods = economy_of(game).goods
    title = localized_text(goods[good].title, translate)
    name = conditions_of(game)[condition]
    if not name or realised:
        return title
    if len(goods) == 1:
        return localized_role(name, translate)
    return f"{title}, {localized_role(name, translate)}"


def order_book_view(
    state: State,
    seat: Seat | None,
    names: Mapping[Seat, str],
    number: int,
    amounts: Amounts,
    translate: Language,
    *,
    is_open: bool,
) -> OrderBookView:
    """Return the view of a book.

    Args:
        state: The state as the seat sees it.
        seat: The participant's seat; None for an observer, who reads the owners of all orders that the state
            shows.
        names: Displayed names of the other seats; for an observer, of all seats.
        number: The number of the book.
        amounts: Texts of amounts.
        translate: The window's language.
        is_open: Whether the market is open.
    """
    game, market = state.game, double_auction_state(state)
    book = market.books[number]
    own: Container[int] = () if seat is None else market.own_orders[seat]
    levels = {side: _levels(book.queue(side)) for side in OrderSide}
    most = max(1, *(_units(order for _, orders in levels[side] for order in orders) for side in OrderSide))

    def owners(orders: list[BookOrder]) -> str:
        if seat is None:
            return _owners(orders, market, names, translate)
        return _who(orders, own, names, translate)

    (asks, more_asks), (bids, more_bids) = (
        _rows(side, levels[side], own, owners, most, amounts) for side in (OrderSide.ASK, OrderSide.BID)
    )
    recent = market.recent_prices[number]
    return OrderBookView(
        localized_book_name(game, number, translate, realised=market.realised),
        _choices(game, market.realised, number, translate),
        asks,
        bids,
        more_asks,
        more_bids,
        _between(asks, bids, recent[-1] if recent else None, amounts, translate, is_open=is_open),
        is_open,
    )


def _rows(
    side: OrderSide,
    levels: Sequence[tuple[Money, list[BookOrder]]],
    own: Container[int],
    owners: Callable[[list[BookOrder]], str],
    most: int,
    amounts: Amounts,
) -> tuple[tuple[BookRow, ...], int]:
    """Return the rows of one side of a book, the best price first, and the units that have none.

    Args:
        side: The side.
        levels: The orders by price, the best price first.
        own: The numbers of the participant's own orders.
        owners: Returns the text about the owners of the orders of a row.
        most: The number of units for which the depth of a row is 1.
        amounts: Texts of amounts.
    """
    rows, running = [], 0
    for amount, orders in levels[:MOST_LEVELS]:
        mine = [order for order in orders if order.order_id in own]
        units = _units(orders)
        running += units
        rows.append(
            BookRow(
                side,
                amount,
                amounts.text(amount),
                units,
                _units(mine),
                owners(orders),
                min(1.0, running / most),
                tuple(order.order_id for order in mine),
            )
        )
    return tuple(rows), _units(order for _, orders in levels[MOST_LEVELS:] for order in orders)


def _units(orders: Iterable[BookOrder]) -> int:
    return sum(order.quantity for order in orders)


def shown_books(game: GameSpec, realised: str) -> tuple[int, ...]:
    """Return the numbers of the books in which can be traded: of one condition once it is known to hold."""
    conditions, goods = conditions_of(game), len(economy_of(game).goods)
    return tuple(
        number
        for number in range(goods * len(conditions))
        if not realised or conditions[book_place(game, number)[0]] == realised
    )


def _choices(game: GameSpec, realised: str, shown: int, translate: Language) -> tuple[BookChoice, ...]:
    numbers = shown_books(game, realised)
    if len(numbers) < 2:
        return ()
    return tuple(
        BookChoice(number, localized_book_name(game, number, translate, realised=realised), number == shown)
        for number in numbers
    )


def _levels(queue: Iterable[BookOrder]) -> list[tuple[Money, list[BookOrder]]]:
    """Return the orders of a side by price, the best price first."""
    found: dict[Money, list[BookOrder]] = {}
    for order in queue:
        found.setdefault(order.price, []).append(order)
    return list(found.items())


def _owners(
    orders: list[BookOrder], market: DoubleAuctionState, names: Mapping[Seat, str], translate: Language
) -> str:
    """Return the owners of orders at one price, with their units where there are several orders."""
    owners = [names.get(order.seat or market.owner_of(order.order_id) or "", "") for order in orders]
    if not all(owners):
        return translate.plural("{n} order", "{n} orders", len(orders))
    if len(orders) == 1:
        return owners[0]
    texts = [
        translate("{name}: {n}", name=name, n=order.quantity)
        for name, order in zip(owners, orders, strict=True)
    ]
    return ", ".join(texts)


def _who(orders: list[BookOrder], own: Container[int], names: Mapping[Seat, str], translate: Language) -> str:
    mine = [order for order in orders if order.order_id in own]
    others = [order for order in orders if order not in mine]
    if not others:
        return translate("You")
    seats = {order.seat for order in others}
    called = (
        names.get(others[0].seat, "")
        if len(seats) == 1
        else translate.plural("{n} order", "{n} orders", len(others))
    )
    if mine:
        return translate("You and {names}", names=called) if called else translate("You and others")
    return called


def _between(
    asks: tuple[BookRow, ...],
    bids: tuple[BookRow, ...],
    last: Money | None,
    amounts: Amounts,
    translate: Language,
    *,
    is_open: bool,
) -> str:
    parts = []
    if not is_open:
        parts.append(translate("The market is closed."))
    elif not asks and not bids:
        parts.append(translate("No orders yet.") if last is None else translate("No orders now"))
    elif not asks:
        parts.append(translate("Nobody sells yet.") if last is None else translate("Nobody sells now"))
    elif not bids:
        parts.append(translate("Nobody buys yet.") if last is None else translate("Nobody buys now"))
    else:
        parts.append(translate("Spread {amount}", amount=amounts.text(asks[0].amount - bids[0].amount)))
    if last is not None:
        parts.append(translate("last trade {price}", price=amounts.text(last)))
    return " · ".join(parts)
