"""Records of a trading or market session: orders, proposals, trades and accounts."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Economy, Money

TRADING, MARKET = "trading", "market"
TRADE_KINDS = frozenset({TRADING, MARKET})
"""Mechanisms of the games in which seats trade goods for money."""


class OrderEnd(StrEnum):
    """Reason for which an order left its book."""

    FILLED = "filled"
    """All of its units were traded."""
    CANCELLED = "cancelled"
    """Cancelled by its seat."""
    REPLACED = "replaced"
    """Cancelled, and another one of the same side placed in the same book at the same time."""
    EXPIRED = "expired"
    """At the end of its lifetime."""
    PERIOD_END = "period_end"
    """At the end of the trading period."""
    LEFT = "left"
    """Removed because its seat left the market."""
    DROPPED = "dropped"
    """Rest of an order that trades at once with what is in the book or not at all."""
    GAME_END = "game_end"
    """At the end of the game."""


class OrderRecord(NamedTuple):
    """Order of a market session. Money is in minor units.

    Args:
        order_id: The seq of its PLACE_ORDER.
        t: The session time (s) at which it was placed.
        seat: The seat that placed it; empty where the log does not say.
        side: To buy or to sell.
        price: The price of a unit, at most or at least.
        quantity: The units; in another seat's view, those that went into the book.
        good: The number of the good, from 0.
        condition: The number of the condition, from 0.
        period: The number of the trading period, from 1.
        best_bid: The highest bid in its book when it was placed; None where there was none.
        best_ask: The lowest ask; None where there was none.
        held: The units of the good that its seat had then; None where the log does not say.
        filled: The units that were traded.
        end: How it ended; None while it is in its book.
        ended_at: The session time (s) of its end.
    """

    order_id: int
    t: float
    seat: Seat
    side: OrderSide
    price: Money
    quantity: int
    good: int
    condition: int
    period: int
    best_bid: Money | None
    best_ask: Money | None
    held: int | None = None
    filled: int = 0
    end: OrderEnd | None = None
    ended_at: float | None = None


class TradeRecord(NamedTuple):
    """Trade of either kind of session. Money is in minor units.

    Args:
        seq: The seq of the event that says so.
        t: Its session time (s).
        buyer: The seat that bought; empty where the log does not say.
        seller: The seat that sold; empty where the log does not say.
        units: The units of each good, in the game's order.
        amount: What was paid for all of them, without fees.
        fees: The shares of the fee of buyer and seller.
        condition: The number of the condition, from 0.
        period: The number of the trading period, from 1; 1 in a trading session.
        transaction_id: The id of the transaction; empty in a market.
        bid_id: The buyer's order; None in a trading session.
        ask_id: The seller's order.
    """

    seq: int
    t: float
    buyer: Seat
    seller: Seat
    units: tuple[int, ...]
    amount: Money
    fees: tuple[Money, Money] = (0, 0)
    condition: int = 0
    period: int = 1
    transaction_id: str = ""
    bid_id: int | None = None
    ask_id: int | None = None

    @property
    def quantity(self) -> int:
        """Units of all goods together."""
        return sum(self.units)

    @property
    def good(self) -> int | None:
        """The number of the good, from 0; None where it is about several."""
        traded = [good for good, count in enumerate(self.units) if count]
        return traded[0] if len(traded) == 1 else None

    @property
    def unit_price(self) -> float:
        """Price of a unit."""
        return self.amount / self.quantity


class ProposalAnswer(StrEnum):
    """First answer to a proposal."""

    ACCEPTED = "accepted"
    DECLINED = "declined"
    COUNTERED = "countered"
    """Replaced by a proposal of its recipient."""
    WITHDRAWN = "withdrawn"
    """Taken back by its maker."""
    NONE = "none"


class ProposalRecord(NamedTuple):
    """Proposal of a trading session. Money is in minor units.

    Args:
        proposal_id: The seq of its PROPOSE.
        t: Its session time (s).
        maker: The seat that made it.
        recipient: The seat to which it was made.
        buyer: Whether its maker would be the buyer.
        units: The units of each good, in the game's order.
        amount: The price of all of them.
        answers: The id of the call or proposal that it answers; None: of none.
        held: The units of maker and recipient at that time; empty where the log does not say.
        answer: The first answer.
        answered_at: The session time (s) of the answer; None without one.
        confirmed: Whether its maker has confirmed an acceptance.
        settled: Whether its transaction was settled.
    """

    proposal_id: int
    t: float
    maker: Seat
    recipient: Seat
    buyer: bool
    units: tuple[int, ...]
    amount: Money
    answers: int | None
    held: tuple[tuple[int, ...], tuple[int, ...]]
    answer: ProposalAnswer = ProposalAnswer.NONE
    answered_at: float | None = None
    confirmed: bool = False
    settled: bool = False


class Moment(StrEnum):
    """Moment of which accounts are recorded."""

    START = "start"
    PERIOD = "period_end"
    END = "end"


class AccountRecord(NamedTuple):
    """Account of a seat at one moment. Money is in minor units.

    Args:
        seat: The seat.
        moment: The moment.
        period: The number of the trading period that ended, from 1; 0 at the start and at the end.
        condition: The number of the condition, from 0.
        money: The money.
        units: The units of each good, in the game's order.
    """

    seat: Seat
    moment: Moment
    period: int
    condition: int
    money: Money
    units: tuple[int, ...]


class TradeRecords(NamedTuple):
    """Records of a trading or market session.

    Args:
        game: The game.
        orders: The orders, oldest first.
        proposals: The proposals, oldest first.
        trades: The trades, oldest first.
        accounts: The accounts that the log shows, by moment, condition and seat.
        realised: The condition that holds; empty while it is not known, and where there is none.
        mean_spread: Best ask less best bid in minor units, mean over the time with both; None: never both.
        periods: The number of trading periods that have ended.
    """

    game: GameSpec
    orders: tuple[OrderRecord, ...]
    proposals: tuple[ProposalRecord, ...]
    trades: tuple[TradeRecord, ...]
    accounts: tuple[AccountRecord, ...]
    realised: str
    mean_spread: float | None
    periods: int

    @property
    def economy(self) -> Economy:
        """Goods and money of the game."""
        return economy_of(self.game)
