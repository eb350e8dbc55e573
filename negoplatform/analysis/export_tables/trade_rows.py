"""Rows of the tables of trading and market games: orders, trades, proposals and accounts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from negoplatform.analysis.export_tables.columns import (
    CellValue,
    Column,
    ColumnType,
    Row,
    boolean_column,
    integer_column,
    number_column,
    text_column,
)
from negoplatform.analysis.export_tables.event_rows import ACTOR, SEAT, SESSION_ID, T_MS
from negoplatform.analysis.session_facts import SessionFacts, milliseconds
from negoplatform.analysis.trade_records import (
    TRADE_KINDS,
    Moment,
    OrderEnd,
    OrderRecord,
    ProposalAnswer,
    ProposalRecord,
    TradeRecords,
)
from negoplatform.analysis.trade_session_measures import TradeSessionMeasures
from negoplatform.core.mechanisms.double_auction_state import conditions_of
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.worth import GoodsWorth, LogWorth, worth_of_good

MONEY = "money"
"""Unit of amounts in tables: that of the game, such as euros."""

_GOOD = text_column("good", "Name of the good; empty where it is about several, which quantities has.")
_CONDITION = text_column("condition", "Condition under which it counts; empty where the game has none.")
_PERIOD = integer_column("period", "Number of the trading period; 1 in trading games.", "1 up")
_QUANTITIES = Column("quantities", ColumnType.JSON, "Units of each good that is traded, by name.")
_EQUILIBRIUM = number_column(
    "eq_price",
    "Price of the units at the equilibrium: in a market the middle of the equilibrium prices, in a trading "
    "game the Walras prices; empty where there is no such price.",
    MONEY,
)

ORDER_COLUMNS = (
    SESSION_ID,
    integer_column("order_id", "The seq of the order in the events."),
    ACTOR,
    SEAT,
    T_MS,
    _PERIOD,
    _GOOD,
    _CONDITION,
    text_column("order_side", "bid: to buy; ask: to sell.", OrderSide),
    number_column("price", "Price of a unit: at most of a bid, at least of an ask.", MONEY),
    integer_column(
        "quantity", "Units that it was for; of an order not seen whole, those in the book.", "1 up"
    ),
    integer_column("filled", "Units of it that were traded.", "0 up"),
    text_column(
        "order_end",
        "How it left its book: filled; cancelled; replaced (cancelled, and another one of the same side in "
        "the same book at the same time); expired; period_end; left (its seat left); dropped (the rest of an "
        "order that trades at once or not at all); game_end. Empty while it is in its book.",
        OrderEnd,
    ),
    integer_column("ended_ms", "Session time at which it left its book.", "ms"),
    number_column("best_bid", "Highest bid in its book when it was placed; empty without one.", MONEY),
    number_column("best_ask", "Lowest ask in its book when it was placed; empty without one.", MONEY),
    number_column(
        "value",
        "Worth of the (next) unit to its seat at that time: induced value of a bid, cost of an ask; empty if "
        "the log does not hold it.",
        MONEY,
    ),
)

TRADE_COLUMNS = (
    SESSION_ID,
    integer_column("trade_no", "Number of the trade in its session.", "1 up"),
    integer_column("seq", "The seq of the event that reports it."),
    T_MS,
    text_column("trade_kind", "Mechanism of the game.", sorted(TRADE_KINDS)),
    _PERIOD,
    text_column("buyer", "Seat that bought."),
    text_column("seller", "Seat that sold."),
    _GOOD,
    _QUANTITIES,
    integer_column("quantity", "Units of all goods together.", "1 up"),
    number_column("price", "Price of a unit: amount over quantity.", MONEY),
    number_column("amount", "Price of all units, without fees.", MONEY),
    number_column("fee_buyer", "Buyer's share of the fee.", MONEY),
    number_column("fee_seller", "Seller's share of the fee.", MONEY),
    _CONDITION,
    text_column("transaction_id", "Id of the transaction; trading games."),
    integer_column("bid_id", "Buyer's order, by its order_id; markets."),
    integer_column("ask_id", "Seller's order, by its order_id; markets."),
    _EQUILIBRIUM,
    number_column("dist_eq", "amount less eq_price.", MONEY),
)

PROPOSAL_COLUMNS = (
    SESSION_ID,
    integer_column("proposal_id", "The seq of the proposal in the events."),
    ACTOR,
    SEAT,
    T_MS,
    text_column("recipient", "Seat to which it was made."),
    boolean_column("maker_buys", "Whether the seat that made it would be the buyer."),
    _GOOD,
    _QUANTITIES,
    integer_column("quantity", "Units of all goods together.", "1 up"),
    number_column("amount", "Price of all units, without fees.", MONEY),
    integer_column("answers", "Call or proposal that it answers, by the seq; empty: none."),
    number_column("gain_maker", "What it would have added to its maker's score, without fees.", MONEY),
    number_column(
        "gain_recipient", "What it would have added to its recipient's score, without fees.", MONEY
    ),
    text_column(
        "answer",
        "First answer: accepted or declined by its recipient; countered (the recipient made a proposal in "
        "its place); withdrawn by its maker; none.",
        ProposalAnswer,
    ),
    integer_column("answer_ms", "Time from the proposal to that answer.", "ms"),
    boolean_column("confirmed", "Whether its maker confirmed the acceptance."),
    boolean_column("settled", "Whether its transaction was settled."),
    _EQUILIBRIUM,
    number_column("dist_eq", "amount less eq_price.", MONEY),
)

ACCOUNT_COLUMNS = (
    SESSION_ID,
    text_column("seat", "The seat."),
    text_column("moment", "start of the game, end of a trading period, or end of the game.", Moment),
    integer_column(
        "period", "Number of the trading period that ended; 0 at the start and at the end.", "0 up"
    ),
    _CONDITION,
    text_column("good", "Name of the good."),
    number_column("money", "Money of the seat, the same in the rows of all goods.", MONEY),
    integer_column("units", "Units of the good.", "0 up"),
    number_column("worth", "Worth of these units to the seat.", MONEY),
    number_column(
        "score", "Money and worth of all goods together, the same in the rows of all goods.", MONEY
    ),
)


def order_rows(facts: SessionFacts) -> Iterator[Row]:
    """Yield a row for each order of a market session."""
    records = facts.trade_records
    if records is None:
        return
    for order in records.orders:
        money = records.economy.currency.to_number
        yield {
            "session_id": facts.session_id,
            "order_id": order.order_id,
            "actor": facts.actor(order.seat) if order.seat else None,
            "seat": order.seat or None,
            "t_ms": milliseconds(order.t),
            "period": order.period,
            "good": records.economy.good_names[order.good],
            "condition": _condition(records, order.condition),
            "order_side": order.side.value,
            "price": money(order.price),
            "quantity": order.quantity,
            "filled": order.filled,
            "order_end": order.end and order.end.value,
            "ended_ms": milliseconds(order.ended_at),
            "best_bid": _money(records, order.best_bid),
            "best_ask": _money(records, order.best_ask),
            "value": _money(records, _value_of_unit(records, order)),
        }


def trade_rows(facts: SessionFacts) -> Iterator[Row]:
    """Yield a row for each trade of a trading or market session."""
    records, measures = facts.trade_records, facts.trade_measures
    if records is None or measures is None:
        return
    for number, trade in enumerate(records.trades, start=1):
        condition = _condition(records, trade.condition)
        yield {
            "session_id": facts.session_id,
            "trade_no": number,
            "seq": trade.seq,
            "t_ms": milliseconds(trade.t),
            "trade_kind": facts.game.mechanism,
            "period": trade.period,
            "buyer": trade.buyer or None,
            "seller": trade.seller or None,
            **_goods(records, trade.units),
            "price": records.economy.currency.to_number(trade.unit_price),
            "amount": _money(records, trade.amount),
            "fee_buyer": _money(records, trade.fees[0]),
            "fee_seller": _money(records, trade.fees[1]),
            "condition": condition,
            "transaction_id": trade.transaction_id or None,
            "bid_id": trade.bid_id,
            "ask_id": trade.ask_id,
            **_equilibrium(records, measures, trade.units, trade.amount, condition),
        }


def proposal_rows(facts: SessionFacts) -> Iterator[Row]:
    """Yield a row for each proposal of a trading session."""
    records, measures = facts.trade_records, facts.trade_measures
    if records is None or measures is None:
        return
    for made in records.proposals:
        waited = None if made.answered_at is None else made.answered_at - made.t
        yield {
            "session_id": facts.session_id,
            "proposal_id": made.proposal_id,
            "actor": facts.actor(made.maker),
            "seat": made.maker,
            "t_ms": milliseconds(made.t),
            "recipient": made.recipient,
            "maker_buys": made.buyer,
            **_goods(records, made.units),
            "amount": _money(records, made.amount),
            "answers": made.answers,
            "gain_maker": _proposal_gain(records, made, made.maker),
            "gain_recipient": _proposal_gain(records, made, made.recipient),
            "answer": made.answer.value,
            "answer_ms": milliseconds(waited),
            "confirmed": made.confirmed,
            "settled": made.settled,
            **_equilibrium(records, measures, made.units, made.amount, ""),
        }


def account_rows(facts: SessionFacts) -> Iterator[Row]:
    """Yield a row for each good of each account at the start, at the end of each period and at the end."""
    records = facts.trade_records
    if records is None:
        return
    economy = records.economy
    for account in records.accounts:
        condition, worth = _condition(records, account.condition), economy.worths.get(account.seat)
        score = None if worth is None else account.money + worth.of(account.units, condition)
        for good, units in enumerate(account.units):
            yield {
                "session_id": facts.session_id,
                "seat": account.seat,
                "moment": account.moment.value,
                "period": account.period,
                "condition": condition,
                "good": economy.good_names[good],
                "money": _money(records, account.money),
                "units": units,
                "worth": _money(
                    records, None if worth is None else _worth_of(worth, account.units, good, condition)
                ),
                "score": _money(records, score),
            }


def _condition(records: TradeRecords, condition: int) -> str:
    return conditions_of(records.game)[condition] if records.game.mechanism == "market" else ""


def _money(records: TradeRecords, amount: float | None) -> CellValue:
    return None if amount is None else records.economy.currency.to_number(amount)


def _goods(records: TradeRecords, units: Iterable[int]) -> dict[str, CellValue]:
    named = dict(records.economy.quantities_of(units))
    return {
        "good": next(iter(named)) if len(named) == 1 else None,
        "quantities": json.dumps(named, ensure_ascii=False, sort_keys=True),
        "quantity": sum(named.values()),
    }


def _equilibrium(
    records: TradeRecords,
    measures: TradeSessionMeasures,
    units: Iterable[int],
    amount: int,
    condition: str,
) -> dict[str, CellValue]:
    """Return the cells about the equilibrium; empty unless every good that is traded has such a price."""
    price = 0.0
    for good, count in zip(records.economy.good_names, units, strict=True):
        found = measures.of_good(good, condition)
        if count and (found is None or found.reference is None):
            return {"eq_price": None, "dist_eq": None}
        if count and found is not None and found.reference is not None:
            price += count * found.reference
    # Rounded: 24.95 less 30 is -5.050000000000001 in floating point.
    return {"eq_price": price, "dist_eq": round(amount / 10**records.economy.currency.decimals - price, 9)}


def _value_of_unit(records: TradeRecords, order: OrderRecord) -> float | None:
    """Return what the next unit would be worth to the buyer, or the last one is worth to the seller."""
    worth = records.economy.worths.get(order.seat)
    if worth is None or order.held is None:
        return None
    of = worth_of_good(worth, order.good, len(records.economy.goods), _condition(records, order.condition))
    if order.side is OrderSide.BID:
        return of(order.held + 1) - of(order.held)
    return of(order.held) - of(order.held - 1) if order.held else None


def _proposal_gain(records: TradeRecords, made: ProposalRecord, seat: Seat) -> CellValue:
    """Return what a proposal would have added to a seat's score; None if the log does not say."""
    worth, held = records.economy.worths.get(seat), made.held[seat != made.maker]
    if worth is None or not held:
        return None
    sign = 1 if made.buyer is (seat == made.maker) else -1
    after = tuple(own + sign * count for own, count in zip(held, made.units, strict=True))
    if min(after) < 0:
        return None
    return _money(records, worth.of(after) - worth.of(held) - sign * made.amount)


def _worth_of(worth: GoodsWorth, units: tuple[int, ...], good: int, condition: str) -> float:
    """Return the part of a worth that one good has."""
    if isinstance(worth, LogWorth):
        alone = LogWorth((worth.parameters[good],), worth.shift, worth.floor)
        return alone.of((units[good],))
    of = worth_of_good(worth, good, len(units), condition)
    return of(units[good]) - of(0)
