"""View of a participant's account: money, units, worth of each unit, orders and gains. No Tk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from negoplatform.core.events import Announced
from negoplatform.core.mechanisms.double_auction_state import (
    MarketTrade,
    conditions_of,
    double_auction_state,
    market_terms,
)
from negoplatform.core.mechanisms.market_books import book_place
from negoplatform.core.mechanisms.market_terms import CarryOver
from negoplatform.core.mechanisms.order_book import BookOrder, OrderSide
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import localized_role, localized_text
from negoplatform.presentation.market.amounts import Amounts
from negoplatform.presentation.market.order_book_view import localized_book_name, shown_books
from negoplatform.presentation.market.phase_rule_texts import phase_rule_text
from negoplatform.presentation.market.trades_view import own_trades
from negoplatform.presentation.market.unit_worths import UnitWorths, gain_so_far

UnitStatus = Literal["done", "next", "later", "held"]
"""Status of a unit: traded in this period, next to be traded, later, or held since the start."""

MOST_ORDERS = 20
"""Largest number of own orders that are listed, the newest ones."""

MOST_ANNOUNCEMENTS = 4
"""Largest number of private announcements that are shown with the account."""

MOST_LADDER_ROWS = 8
"""Largest number of units that are shown; the next one is among them."""


@dataclass(frozen=True, slots=True)
class LadderRow:
    """Unit with its worth.

    Args:
        label: Which unit it is, in words.
        worth: What it is worth.
        status: Its status.
        result: For a traded unit, its price and what it gained, in words.
        gained: 1 if it gained, -1 if it lost, 0 otherwise.
    """

    label: str
    worth: str
    status: UnitStatus
    result: str = ""
    gained: int = 0


@dataclass(frozen=True, slots=True)
class OwnOrderRow:
    """Own order in a book.

    Args:
        order_id: Its id.
        text: Side, units and price in words.
        book: The name of its book where there are several; else empty.
        warning: What would be lost if it traded now, in words; empty if nothing would, or that is not known.
        advice: The same as a sentence that names the order.
    """

    order_id: int
    text: str
    book: str
    warning: str = ""
    advice: str = ""


@dataclass(frozen=True, slots=True)
class AccountView:
    """View of the account.

    Args:
        next_unit: What one more unit, or the next one to sell, is worth; empty if the game does not say.
        next_words: Label of that.
        gained: What has been gained so far; empty while that is not known.
        gained_words: Label of that.
        is_loss: Whether it is less than nothing.
        rows: Money and units, under each condition where several may hold: pairs of texts.
        ladder: The units with their worths; none if the game does not say.
        ladder_words: Heading of the units.
        orders: The newest own orders in the books, oldest first.
        can_cancel: Whether they can be cancelled now.
        announcements: The private announcements to the participant in the course of the game, oldest first.
    """

    next_unit: str
    next_words: str
    gained: str
    gained_words: str
    is_loss: bool
    rows: tuple[tuple[str, str], ...]
    ladder: tuple[LadderRow, ...]
    ladder_words: str
    orders: tuple[OwnOrderRow, ...]
    can_cancel: bool
    announcements: tuple[str, ...] = ()


def account_view(
    state: State, seat: Seat, book: int, amounts: Amounts, translate: Language, *, can_trade: bool
) -> AccountView:
    """Return the view of the account.

    Args:
        state: The state as the seat sees it.
        seat: The participant's seat.
        book: The number of the book that is shown.
        amounts: Texts of amounts.
        translate: The window's language.
        can_trade: Whether the seat can trade, and cancel orders, now. If not, no book is shown, so the
            account has what the seat holds under every condition that may hold.
    """
    worths = UnitWorths(state, seat, book)
    sells = not worths.money_at_start and worths.endowed > 0
    gained = gain_so_far(state, seat)
    conditions = _shown_conditions(state, book, can_trade=can_trade)
    # Units and their worths are those of one condition.
    of_one = len(conditions) == 1
    # Nobody can trade a next unit after the end.
    is_over = state.ending is not None
    change = worths.change(OrderSide.ASK if sells else OrderSide.BID, 1) if of_one and not is_over else None
    return AccountView(
        next_unit="" if change is None else amounts.text(change),
        next_words=translate("the next unit you’d sell is worth this to you")
        if sells
        else translate("one more unit is worth this to you"),
        gained="" if gained is None else amounts.text(gained),
        gained_words=translate("gained") if is_over else translate("gained so far"),
        is_loss=gained is not None and gained < 0,
        rows=_rows(state, seat, conditions, amounts, translate),
        ladder=ladder_rows(state, seat, book, worths, amounts, translate) if of_one else (),
        ladder_words=translate("What each unit you sell is worth to you")
        if sells
        else translate("What each unit is worth to you"),
        orders=_own_orders(state, seat, amounts, translate),
        can_cancel=can_trade,
        announcements=_announcements(state, seat, translate),
    )


def _shown_conditions(state: State, book: int, *, can_trade: bool) -> tuple[int, ...]:
    """Return the numbers of the conditions that are shown: that of the book, or all that may hold."""
    game, realised = state.game, double_auction_state(state).realised
    if can_trade:
        return (book_place(game, book)[0],)
    return tuple(dict.fromkeys(book_place(game, number)[0] for number in shown_books(game, realised)))


def _announcements(state: State, seat: Seat, translate: Language) -> tuple[str, ...]:
    """Return the newest private announcements, such as a signal about a worth."""
    found = [
        phase_rule_text(event, state.game, seat, {}, translate)
        or localized_text(event.payload.text, translate)
        for event in state.transcript_of(seat)
        if isinstance(event.payload, Announced) and event.payload.text and event.to == (seat,)
    ]
    return tuple(found[-MOST_ANNOUNCEMENTS:])


def _rows(
    state: State, seat: Seat, conditions: Sequence[int], amounts: Amounts, translate: Language
) -> tuple[tuple[str, str], ...]:
    """Return money and units under each of some conditions."""
    rows = [
        row for condition in conditions for row in _condition_rows(state, seat, condition, amounts, translate)
    ]
    earned = double_auction_state(state).accounts[seat].earned
    if market_terms(state.game).periods.carry is CarryOver.RESET and earned:
        rows.append((translate("Gained in earlier periods"), amounts.text(earned)))
    return tuple(rows)


def _condition_rows(
    state: State, seat: Seat, condition: int, amounts: Amounts, translate: Language
) -> Iterator[tuple[str, str]]:
    game, market = state.game, double_auction_state(state)
    account = market.accounts[seat]
    name = conditions_of(game)[condition]
    if name:
        label = translate("Holds") if market.realised else translate("If this holds")
        yield label, localized_role(market.realised or name, translate)
    money = amounts.text(account.money[condition])
    if account.committed_money[condition]:
        free = amounts.text(account.free_money(condition))
        money = translate("{amount} ({free} free)", amount=money, free=free)
    yield translate("Money"), money
    for index, good in enumerate(economy_of(game).goods):
        units, free_units = account.units[condition][index], account.free_units(condition, index)
        text = str(units)
        if free_units != units:
            text = translate("{amount} ({free} free)", amount=units, free=free_units)
        yield localized_text(good.title, translate), text


# The ladder


def ladder_rows(
    state: State, seat: Seat, book: int, worths: UnitWorths, amounts: Amounts, translate: Language
) -> tuple[LadderRow, ...]:
    """Return the units with their worths: in the order in which they are bought, or sold by a seller."""
    if not worths.is_known:
        return ()
    trades = _trades_of_holding(state, seat, book)
    if worths.endowed and not worths.money_at_start:
        rows = _selling(worths, trades, amounts, translate)
    elif not worths.endowed:
        rows = _buying(worths, trades, amounts, translate)
    else:
        rows = _holding(worths, amounts, translate)
    current = next((i for i, row in enumerate(rows) if row.status == "next"), len(rows))
    first = max(0, min(current - MOST_LADDER_ROWS // 2, len(rows) - MOST_LADDER_ROWS))
    shown = rows[first : first + MOST_LADDER_ROWS]
    if state.ending is None:
        return tuple(shown)
    return tuple(replace(row, status="later") if row.status == "next" else row for row in shown)


def _trades_of_holding(state: State, seat: Seat, book: int) -> list[MarketTrade]:
    """Return the seat's own trades in a book that made its present holding, oldest first."""
    terms, found = market_terms(state.game), own_trades(state, seat, book)
    if terms.periods.carry is not CarryOver.RESET or terms.conditions:
        return found
    now, phases = double_auction_state(state).phase, terms.all_phases
    if now and not phases[now - 1].trade and any(phase.trade for phase in phases[now:]):
        return []  # a break, before which everyone got the endowment again
    last = max((number for number, phase in enumerate(phases[:now], 1) if phase.trade), default=0)
    return [trade for trade in found if trade.phase == last]


def _buying(
    worths: UnitWorths, trades: Sequence[MarketTrade], amounts: Amounts, translate: Language
) -> list[LadderRow]:
    # Of a seat that has also sold, it cannot be said which price belongs to which unit.
    bought = [trade.price for trade in trades for _ in range(trade.quantity)]
    prices = bought if len(bought) == worths.units else []
    rows = []
    for index, worth in enumerate(worths.values):
        label = translate("Unit {n}", n=index + 1)
        if index < worths.units:
            result, gained = "", 0
            if prices:
                gain = round(worth) - prices[index]
                result = translate(
                    "bought at {price}: {gain}",
                    price=amounts.text(prices[index]),
                    gain=amounts.signed(gain),
                )
                gained = (gain > 0) - (gain < 0)
            rows.append(LadderRow(label, amounts.text(worth), "done", result, gained))
        else:
            status: UnitStatus = "next" if index == worths.units else "later"
            rows.append(LadderRow(label, amounts.text(worth), status))
    return rows


def _selling(
    worths: UnitWorths, trades: Sequence[MarketTrade], amounts: Amounts, translate: Language
) -> list[LadderRow]:
    sold = [trade.price for trade in trades for _ in range(trade.quantity)]
    done = max(0, worths.endowed - worths.units)
    prices = sold if len(sold) == done else []
    rows = []
    for index, worth in enumerate(reversed(worths.values[: worths.endowed])):
        label = translate("Unit {n}", n=index + 1)
        if index < done:
            result, gained = "", 0
            if prices:
                gain = prices[index] - round(worth)
                result = translate(
                    "sold at {price}: {gain}", price=amounts.text(prices[index]), gain=amounts.signed(gain)
                )
                gained = (gain > 0) - (gain < 0)
            rows.append(LadderRow(label, amounts.text(worth), "done", result, gained))
        else:
            rows.append(LadderRow(label, amounts.text(worth), "next" if index == done else "later"))
    return rows


def _holding(worths: UnitWorths, amounts: Amounts, translate: Language) -> list[LadderRow]:
    """Return the units of a seat that began with money and units, which may buy or sell any of them."""
    rows = []
    for index, worth in enumerate(worths.values):
        status: UnitStatus = "held" if index < worths.units else "next" if index == worths.units else "later"
        rows.append(LadderRow(translate("Unit {n}", n=index + 1), amounts.text(worth), status))
    return rows


# Own orders


def _own_orders(state: State, seat: Seat, amounts: Amounts, translate: Language) -> tuple[OwnOrderRow, ...]:
    market = double_auction_state(state)
    several = len(shown_books(state.game, market.realised)) > 1
    losses = _losses(state, seat)
    rows = []
    for order_id, number in list(market.own_orders[seat].items())[-MOST_ORDERS:]:
        order = market.books[number].get(order_id)
        if order is None:
            continue
        price = amounts.text(order.price)
        text = (
            translate("Bid: {n} at {price}", n=order.quantity, price=price)
            if order.side is OrderSide.BID
            else translate("Ask: {n} at {price}", n=order.quantity, price=price)
        )
        name = ""
        if several:
            name = localized_book_name(state.game, number, translate, realised=market.realised)
        loss = losses.get(order_id, 0)
        warning = translate("You’d lose {loss}!", loss=amounts.text(loss)) if loss else ""
        rows.append(OwnOrderRow(order_id, text, name, warning, _advice(order, loss, amounts, translate)))
    return tuple(rows)


def _advice(order: BookOrder, loss: int, amounts: Amounts, translate: Language) -> str:
    """Return that an own order would lose now, as a sentence; empty if it would not."""
    if not loss:
        return ""
    price, lost = amounts.text(order.price), amounts.text(loss)
    if order.side is OrderSide.BID:
        return translate("Your bid of {price} would now lose {loss}: cancel it?", price=price, loss=lost)
    return translate("Your ask of {price} would now lose {loss}: cancel it?", price=price, loss=lost)


def _losses(state: State, seat: Seat) -> dict[int, int]:
    """Return what own orders would lose if they traded now, in minor units, by order.

    Orders of a side trade one after the other, the best price first, each at its own price.
    """
    market = double_auction_state(state)
    books: dict[int, UnitWorths] = {}
    before: dict[tuple[int, OrderSide], int] = {}
    own = [
        (number, order)
        for order_id, number in market.own_orders[seat].items()
        if (order := market.books[number].get(order_id)) is not None
    ]
    own.sort(key=lambda each: -each[1].price if each[1].side is OrderSide.BID else each[1].price)
    found: dict[int, int] = {}
    for number, order in own:
        if number not in books:
            books[number] = UnitWorths(state, seat, number)
        after, side = before.get((number, order.side), 0), order.side
        before[number, side] = after + order.quantity
        worth = books[number].change(side, order.quantity, after=after)
        if worth is None:
            continue
        total = order.price * order.quantity
        gain = round(worth - total if side is OrderSide.BID else total - worth)
        if gain < 0:
            found[order.order_id] = -gain
    return found
