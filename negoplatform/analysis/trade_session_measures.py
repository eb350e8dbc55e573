"""Measures of one trading or market session: efficiency, gains, prices, convergence and spread."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from statistics import fmean

from negoplatform.analysis.trade_measures import (
    Equilibrium,
    equilibrium,
    mean_distance,
    smith_alpha,
    walras_prices,
)
from negoplatform.analysis.trade_records import MARKET, Moment, TradeRecord, TradeRecords
from negoplatform.core.mechanisms.double_auction_state import conditions_of, market_terms
from negoplatform.core.mechanisms.market_terms import CarryOver
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.economy import Surplus, best_allocation, surplus
from negoplatform.domain.utility import Points


@dataclass(frozen=True, slots=True)
class GoodMeasures:
    """Prices of one good under one condition, in the game's money.

    Only trades of this good alone count: what a bundle of goods cost says nothing about one of them.

    Args:
        good: The name of the good.
        condition: The name of the condition; empty where the game has none.
        trades: The number of trades.
        volume: The units traded.
        mean_price: The mean price of a unit; None without trades.
        equilibrium: The competitive equilibrium, in minor units; None where there is none.
        walras: The Walras price with divisible units; None unless all worths are logarithmic.
        reference: The price that trades are compared with: in a market the middle of the equilibrium prices,
            in a trading game the Walras price; the other one where it does not exist.
        alpha: Smith's coefficient of convergence, in per cent; None without trades or reference.
        distance: The mean distance of prices from the reference, over it.
    """

    good: str
    condition: str
    trades: int
    volume: int
    mean_price: float | None
    equilibrium: Equilibrium | None
    walras: float | None
    reference: float | None
    alpha: float | None
    distance: float | None


@dataclass(frozen=True, slots=True)
class PeriodMeasures:
    """Measures of one trading period.

    Args:
        period: Its number, from 1.
        trades: The number of trades.
        volume: The units traded.
        mean_price: The mean price of a unit, in the game's money; games with one good.
        alpha: Smith's coefficient of convergence in it, in per cent; games with one good.
        efficiency: The share of the possible gain that was reached at its end.
    """

    period: int
    trades: int
    volume: int
    mean_price: float | None
    alpha: float | None
    efficiency: float | None


@dataclass(frozen=True, slots=True)
class SeatTradeMeasures:
    """Measures of one seat's trades, in the game's money.

    Args:
        score: Money and worth of goods at the end; None while that is not known.
        gain: The score less that at the start, of all periods together: the seat's profit.
        equilibrium_gain: The gain if everything were traded at the equilibrium prices.
        orders: The orders or proposals that it made.
        trades: The trades.
        bought: The units bought.
        sold: The units sold.
        mean_price_bought: The mean price of the units bought.
        mean_price_sold: The mean price of the units sold.
        fees: The fees paid.
    """

    score: float | None
    gain: float | None
    equilibrium_gain: float | None
    orders: int
    trades: int
    bought: int
    sold: int
    mean_price_bought: float | None
    mean_price_sold: float | None
    fees: float


@dataclass(frozen=True, slots=True)
class TradeSessionMeasures:
    """All seats together, in the game's money. None where the log does not hold all endowments and worths.

    Args:
        surplus_max: The most that all seats can gain together, of all periods; fees are not taken off.
        surplus: What they have gained.
        efficiency: Allocative efficiency: ``surplus / surplus_max``; None where nothing can be gained.
        trades: The number of trades.
        volume: The units traded.
        turnover: The money paid for them, without fees.
        fees: The fees.
        mean_price: The mean price of a unit; games with one good.
        alpha: Smith's coefficient of convergence, in per cent; games with one good.
        distance: The mean distance of prices from the equilibrium, over it; trades of one good.
        mean_spread: Best ask less best bid, mean over the time with both; markets.
        profit_dispersion: The root mean squared difference between the seats' gains and those at the
            equilibrium prices (Gode and Sunder 1993).
        goods: Each good under each condition.
        periods: Each trading period; markets.
        seats: Each seat.
    """

    surplus_max: float | None
    surplus: float | None
    efficiency: float | None
    trades: int
    volume: int
    turnover: float
    fees: float
    mean_price: float | None
    alpha: float | None
    distance: float | None
    mean_spread: float | None
    profit_dispersion: float | None
    goods: tuple[GoodMeasures, ...]
    periods: tuple[PeriodMeasures, ...]
    seats: SeatMap[SeatTradeMeasures]

    def of_good(self, good: str, condition: str) -> GoodMeasures | None:
        """Return the measures of a good under a condition; None if there are none."""
        for each in self.goods:
            if (each.good, each.condition) == (good, condition):
                return each
        return None


def measure_trades(records: TradeRecords, points: Mapping[Seat, Points | None]) -> TradeSessionMeasures:
    """Return the measures of a session.

    Args:
        records: What happened.
        points: Each seat's points at the end; empty or None while there are none.
    """
    return _Measurement(records, points).session()


class _Measurement:
    """Computation of one session's measures."""

    def __init__(self, records: TradeRecords, points: Mapping[Seat, Points | None]) -> None:
        game = records.game
        self.records, self.points, self.economy = records, points, records.economy
        self.scale: int = 10**self.economy.currency.decimals
        self.is_market = game.mechanism == MARKET
        self.conditions = conditions_of(game) if self.is_market else ("",)
        known = set(game.seats)
        self.complete = set(self.economy.worths) == known == set(self.economy.endowments)
        self.best = (
            {name: best_allocation(self.economy, name) for name in self.conditions} if self.complete else {}
        )
        self.goods = tuple(
            self.good(good, condition)
            for condition in range(len(self.conditions))
            for good in range(len(self.economy.goods))
        )
        self.single = len(self.goods) == 1

    def session(self) -> TradeSessionMeasures:
        trades = self.counted_trades()
        whole = self.whole_surplus()
        seats = SeatMap((seat, self.seat(seat)) for seat in self.records.game.seats)
        one = self.goods[0] if self.single else None
        return TradeSessionMeasures(
            surplus_max=None if whole is None else whole.possible / self.scale,
            surplus=None if whole is None else whole.gained / self.scale,
            efficiency=None if whole is None else whole.efficiency,
            trades=len(trades),
            volume=sum(trade.quantity for trade in trades),
            turnover=sum(trade.amount for trade in trades) / self.scale,
            fees=sum(sum(trade.fees) for trade in trades) / self.scale,
            mean_price=one.mean_price if one else None,
            alpha=one.alpha if one else None,
            distance=self.distance(),
            mean_spread=_scaled(self.records.mean_spread, self.scale),
            profit_dispersion=_dispersion(seats.values()),
            goods=self.goods,
            periods=tuple(self.period(n) for n in range(1, self.records.periods + 1)),
            seats=seats,
        )

    # Trades and prices

    def counted_trades(self) -> list[TradeRecord]:
        """Return the trades that count: once it is known which condition holds, those under it."""
        realised = self.records.realised
        if not realised:
            return list(self.records.trades)
        return [trade for trade in self.records.trades if self.conditions[trade.condition] == realised]

    def trades_of(self, good: int, condition: int) -> list[TradeRecord]:
        return [t for t in self.records.trades if t.good == good and t.condition == condition]

    def good(self, good: int, condition: int) -> GoodMeasures:
        trades = self.trades_of(good, condition)
        name = self.conditions[condition]
        found = equilibrium(self.economy, good, name, self.best[name]) if self.complete else None
        walras = walras_prices(self.economy) if self.complete else None
        prices = [found.price if found else None, walras[good] if walras else None]
        reference = next((p for p in (prices if self.is_market else prices[::-1]) if p is not None), None)
        paid, volume = [trade.unit_price for trade in trades], sum(trade.quantity for trade in trades)
        return GoodMeasures(
            good=self.economy.good_names[good],
            condition=self.conditions[condition],
            trades=len(trades),
            volume=volume,
            mean_price=self.mean_price(trades),
            equilibrium=found,
            walras=_scaled(walras[good] if walras else None, self.scale),
            reference=_scaled(reference, self.scale),
            alpha=None if reference is None else smith_alpha(paid, reference),
            distance=None if reference is None else mean_distance(paid, reference),
        )

    def distance(self) -> float | None:
        """Return the mean distance of all prices from those of the equilibrium; trades of one good."""
        known = [(each.distance, each.trades) for each in self.goods if each.distance is not None]
        count = sum(trades for _, trades in known)
        return math.fsum(distance * trades for distance, trades in known) / count if count else None

    def period(self, number: int) -> PeriodMeasures:
        trades = [trade for trade in self.records.trades if trade.period == number]
        prices = [trade.unit_price for trade in trades] if self.single else []
        reference = self.goods[0].reference
        reached = self.surplus_at(Moment.PERIOD, number)
        return PeriodMeasures(
            period=number,
            trades=len(trades),
            volume=sum(trade.quantity for trade in trades),
            mean_price=self.mean_price(trades) if self.single else None,
            alpha=None if reference is None else smith_alpha(prices, reference * self.scale),
            efficiency=None if reached is None else reached.efficiency,
        )

    # Gains

    def surplus_at(self, moment: Moment, period: int = 0) -> Surplus | None:
        """Return the surplus of the allocation at a moment; None where it is not known."""
        has_conditions = self.conditions != ("",)
        if not self.complete or (has_conditions and not self.records.realised):
            return None
        if self.is_market and market_terms(self.records.game).rules:
            return None  # gains come from what the rules pay, too
        condition = self.conditions.index(self.records.realised) if has_conditions else 0
        held = {
            each.seat: each.units
            for each in self.records.accounts
            if (each.moment, each.period, each.condition) == (moment, period, condition)
        }
        if set(held) != set(self.economy.endowments):
            return None
        return surplus(self.economy, held, self.records.realised, self.best[self.records.realised])

    def whole_surplus(self) -> Surplus | None:
        """Return the surplus of the session; if every period starts over, that of all periods together."""
        if not self.begins_anew():
            return self.surplus_at(Moment.END)
        found = [self.surplus_at(Moment.PERIOD, n) for n in range(1, self.records.periods + 1)]
        known = [each for each in found if each is not None]
        if not known:
            return None
        return Surplus(math.fsum(each.possible for each in known), math.fsum(each.gained for each in known))

    def begins_anew(self) -> bool:
        return self.is_market and market_terms(self.records.game).periods.carry is CarryOver.RESET

    def seat(self, seat: Seat) -> SeatTradeMeasures:
        trades = [t for t in self.counted_trades() if seat in (t.buyer, t.seller)]
        bought, sold = ([t for t in trades if seat == side(t)] for side in (_buyer, _seller))
        score, gain = self.score_and_gain(seat)
        made = [
            *(order for order in self.records.orders if order.seat == seat),
            *(proposal for proposal in self.records.proposals if proposal.maker == seat),
        ]
        return SeatTradeMeasures(
            score=score,
            gain=gain,
            equilibrium_gain=self.equilibrium_gain(seat),
            orders=len(made),
            trades=len(trades),
            bought=sum(trade.quantity for trade in bought),
            sold=sum(trade.quantity for trade in sold),
            mean_price_bought=self.mean_price(bought),
            mean_price_sold=self.mean_price(sold),
            fees=math.fsum(trade.fees[0] for trade in bought) / self.scale
            + math.fsum(trade.fees[1] for trade in sold) / self.scale,
        )

    def mean_price(self, trades: Sequence[TradeRecord]) -> float | None:
        units = sum(trade.quantity for trade in trades)
        return sum(trade.amount for trade in trades) / units / self.scale if units else None

    def score_and_gain(self, seat: Seat) -> tuple[float | None, float | None]:
        """Return money and worth at the end, and the gain; a market's points are the gain already."""
        points, worth = self.points.get(seat), self.economy.worths.get(seat)
        if points is None or worth is None:
            return None, None
        if not self.is_market:
            endowment = self.economy.endowments[seat]
            return points, points - (endowment.money + worth.of(endowment.units)) / self.scale
        realised = self.records.realised
        condition = self.conditions.index(realised) if realised else 0
        for each in self.records.accounts:
            if (each.seat, each.moment, each.condition) == (seat, Moment.END, condition):
                return (each.money + worth.of(each.units, realised)) / self.scale, points
        return None, points

    def equilibrium_gain(self, seat: Seat) -> float | None:
        """Return what a seat gains if all goods are divided best at the reference prices."""
        realised = self.records.realised
        goods = [each for each in self.goods if each.condition == realised]
        if not self.complete or not goods or any(each.reference is None for each in goods):
            return None
        if self.is_market and market_terms(self.records.game).rules:
            return None
        if not any(each.equilibrium for each in goods):
            return None
        worth, endowment = self.economy.worths[seat], self.economy.endowments[seat]
        best = self.best[realised][seat]
        paid = sum(
            (each.reference or 0) * self.scale * (after - before)
            for each, after, before in zip(goods, best, endowment.units, strict=True)
        )
        gained = worth.of(best, realised) - worth.of(endowment.units, realised) - paid
        periods = self.records.periods if self.begins_anew() else 1
        return gained * periods / self.scale


def _buyer(trade: TradeRecord) -> Seat:
    return trade.buyer


def _seller(trade: TradeRecord) -> Seat:
    return trade.seller


def _scaled(amount: float | None, scale: int) -> float | None:
    return None if amount is None else amount / scale


def _dispersion(seats: Iterable[SeatTradeMeasures]) -> float | None:
    found = list(seats)
    differences = [
        each.gain - each.equilibrium_gain
        for each in found
        if each.gain is not None and each.equilibrium_gain is not None
    ]
    if not found or len(differences) < len(found):
        return None
    return math.sqrt(fmean(difference**2 for difference in differences))


def trade_row(measures: TradeSessionMeasures) -> dict[str, float | None]:
    """Return the numbers of a session as one flat row: ``efficiency``, ``buyer_2.gain`` and so on."""
    row: dict[str, float | None] = {
        field.name: getattr(measures, field.name)
        for field in fields(measures)
        if field.name not in ("goods", "periods", "seats")
    }
    for seat, of_seat in measures.seats.items():
        row |= {f"{seat}.{field.name}": getattr(of_seat, field.name) for field in fields(of_seat)}
    return row
