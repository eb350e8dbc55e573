"""View of the trades of a book: a list, the newest first, and the points of a chart. No Tk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from negoplatform.core.mechanisms.double_auction_state import (
    MarketTrade,
    current_phase,
    double_auction_state,
    market_terms,
    period_of,
)
from negoplatform.core.mechanisms.market import PLACE_ORDER
from negoplatform.core.mechanisms.market_books import book_place, minor_of
from negoplatform.core.mechanisms.market_phase_facts import PHASE_TRANSITION
from negoplatform.core.mechanisms.market_terms import Identities
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.state import State
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.market.amounts import Amounts
from negoplatform.presentation.market.unit_worths import UnitWorths
from negoplatform.presentation.plots.axis_ticks import time_text

MOST_TRADES = 400
"""Largest number of trades of a book that are shown."""

MOST_TAPE_ROWS = 60
"""Largest number of trades that are listed."""


@dataclass(frozen=True, slots=True)
class TapeRow:
    """Trade in the list.

    Args:
        time: The time since its trading period began, as in the chart; of an earlier period, with its number.
        price: The price of a unit.
        quantity: The units, such as ``× 2``; empty for one.
        text: Who has traded, in words; empty where that is hidden.
        own: ``bid`` if the participant has bought, ``ask`` if they have sold; else None.
    """

    time: str
    price: str
    quantity: str
    text: str
    own: OrderSide | None


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """Trade in the chart.

    Args:
        t: Seconds since its trading period began.
        period: The number of the period, from 1.
        price: The price of a unit, in minor units.
        own: Whether the participant has traded.
        text: The trade in words.
    """

    t: float
    period: int
    price: int
    own: bool
    text: str


@dataclass(frozen=True, slots=True)
class PriceChartView:
    """Trades of a book over time.

    Args:
        points: The trades, oldest first.
        periods: The numbers of the periods that are shown, with their seconds.
        next_worth: What the next unit is worth to the participant, in minor units; None: not known.
        best_bid: The best bid now, in minor units; None: none.
        best_ask: The best ask now, in minor units; None: none.
        tick: The step between prices, in minor units.
    """

    points: tuple[ChartPoint, ...]
    periods: tuple[tuple[int, float], ...]
    next_worth: int | None
    best_bid: int | None
    best_ask: int | None
    tick: int = 1


def is_own(trade: MarketTrade, seat: Seat, placed: frozenset[int]) -> OrderSide | None:
    """Return whether a seat has bought or sold in a trade; None: neither.

    Args:
        trade: The trade.
        seat: The seat.
        placed: The ids of the seat's own orders, which say it where identities are hidden.
    """
    if trade.buyer == seat or trade.bid_id in placed:
        return OrderSide.BID
    if trade.seller == seat or trade.ask_id in placed:
        return OrderSide.ASK
    return None


def placed_orders(state: State, seat: Seat) -> frozenset[int]:
    """Return the ids of all orders that a seat has placed, where identities are hidden; else none."""
    if market_terms(state.game).identities is Identities.SHOWN:
        return frozenset()
    events = state.transcript_of(seat)
    return frozenset(event.seq for event in events if event.type == PLACE_ORDER and event.sender == seat)


def _trades_of(state: State, book: int) -> list[MarketTrade]:
    """Return the newest trades of a book, the newest first."""
    condition, good = book_place(state.game, book)
    trades = double_auction_state(state).trades.iter_backwards()
    matching = (trade for trade in trades if (trade.condition, trade.good) == (condition, good))
    return list(islice(matching, MOST_TRADES))


def own_trades(state: State, seat: Seat, book: int) -> list[MarketTrade]:
    """Return a seat's own trades in a book, oldest first."""
    placed = placed_orders(state, seat)
    return [trade for trade in reversed(_trades_of(state, book)) if is_own(trade, seat, placed)]


def tape_rows(
    state: State, seat: Seat, names: Mapping[Seat, str], book: int, amounts: Amounts, translate: Language
) -> tuple[TapeRow, ...]:
    """Return the trades of a book, the newest first."""
    placed, trades = placed_orders(state, seat), _trades_of(state, book)[:MOST_TAPE_ROWS]
    began = _phase_starts(state, trades)
    reached = period_of(state.game, double_auction_state(state).phase)
    rows = []
    for trade in trades:
        own = is_own(trade, seat, placed)
        period = period_of(state.game, trade.phase)
        time = time_text(max(0.0, trade.t - began.get(trade.phase, 0.0)))
        rows.append(
            TapeRow(
                time if period == reached else translate("{period}: {time}", period=period, time=time),
                amounts.text(trade.price),
                f"× {trade.quantity}" if trade.quantity > 1 else "",
                _who_traded(trade, own, names, translate),
                own,
            )
        )
    return tuple(rows)


def _who_traded(
    trade: MarketTrade, own: OrderSide | None, names: Mapping[Seat, str], translate: Language
) -> str:
    buyer, seller = names.get(trade.buyer, ""), names.get(trade.seller, "")
    if own is OrderSide.BID:
        return translate("You bought from {name}", name=seller) if seller else translate("You bought")
    if own is OrderSide.ASK:
        return translate("You sold to {name}", name=buyer) if buyer else translate("You sold")
    if buyer and seller:
        return translate("{seller} sold to {buyer}", seller=seller, buyer=buyer)
    return ""


def price_chart_view(
    state: State, seat: Seat, names: Mapping[Seat, str], book: int, amounts: Amounts, translate: Language
) -> PriceChartView:
    """Return the points of the chart of a book."""
    game, market, placed = state.game, double_auction_state(state), placed_orders(state, seat)
    trades = _trades_of(state, book)
    began = _phase_starts(state, trades)
    points = []
    for trade in reversed(trades):
        own = is_own(trade, seat, placed)
        who = _who_traded(trade, own, names, translate)
        price = amounts.text(trade.price)
        points.append(
            ChartPoint(
                max(0.0, trade.t - began.get(trade.phase, 0.0)),
                period_of(game, trade.phase),
                trade.price,
                own is not None,
                f"{price} · {who}" if who else price,
            )
        )
    worths = UnitWorths(state, seat, book)
    sells = not worths.money_at_start and worths.endowed > 0
    # Nobody can trade a next unit after the end.
    is_over = state.ending is not None
    worth = None if is_over else worths.change(OrderSide.ASK if sells else OrderSide.BID, 1)
    best = {side: market.books[book].best(side) for side in OrderSide}
    bid, ask = best[OrderSide.BID], best[OrderSide.ASK]
    return PriceChartView(
        tuple(points),
        _periods(state),
        None if worth is None else round(worth),
        None if bid is None else bid.price,
        None if ask is None else ask.price,
        max(1, minor_of(game, market_terms(game).tick)),
    )


def _phase_starts(state: State, trades: Iterable[MarketTrade]) -> dict[int, float]:
    """Return the session times at which the phases of some trades began, as their transitions say."""
    market = double_auction_state(state)
    found = {market.phase: market.phase_began}
    wanted = {trade.phase for trade in trades} - set(found)
    for event in state.iter_transcript_backwards():
        if not wanted:
            break
        if event.type == PHASE_TRANSITION and event.data["phase"] in wanted:
            found[event.data["phase"]] = event.t
            wanted.remove(event.data["phase"])
    return found


def _periods(state: State) -> tuple[tuple[int, float], ...]:
    """Return the trading periods so far with their seconds; at least the first."""
    phases = market_terms(state.game).all_phases
    reached = max(1, period_of(state.game, double_auction_state(state).phase))
    trading = [float(phase.seconds) for phase in phases if phase.trade]
    return tuple(enumerate(trading[:reached], start=1))


def is_trading(state: State) -> bool:
    """Return whether orders can be placed in this phase."""
    phase = current_phase(state)
    return phase is not None and phase.trade and state.ending is None
