"""Benchmark of markets: the matching engine, the whole path, the cost of an order, and what agents gain.

- The order book compared with a bare loop of a dictionary and two heaps on the same orders: alone, and, as in
  ``benchmarks/offers.py``, with a line of JSON for every order and trade in both.
- Events per second on the whole path (session, rules, state, views, log, agents) compared with bargaining's.
- The cost of an order in ten parts of one long session.
- ``negoplatform simulate`` of markets compared with as many events of bargaining, as separate processes.
- Allocative efficiency of zero-intelligence traders (Gode and Sunder 1993), and gains of ``tac_baseline``.

Run it with ``python -m benchmarks.market [--orders 100000] [--seeds 100] [--markets 20]``.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import ceil
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.offers import MemoryLog
from benchmarks.offers import whole_path as bargaining_path
from negoplatform.agent_api import MarketAgent, PlaceOrder
from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.app.simulation.simulate import Result, Seatings, simulate
from negoplatform.core.events import Event, new_tuple
from negoplatform.core.mechanisms.market_terms import CarryOver, MarketPeriods, MarketTerms
from negoplatform.core.mechanisms.order_book import BookOrder, OrderBook, OrderSide
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.game import GameSpec, Rules
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.trading.economy import Currency, Economy, Endowment, Good
from negoplatform.domain.trading.worth import UnitWorth

NOWHERE = Path("none")
BID, ASK = OrderSide.BID, OrderSide.ASK
LEAST_PRICE, GREATEST_PRICE = 1, 200


class Order(NamedTuple):
    """Order of the stream; a cancellation of the order of a number where the quantity is 0."""

    number: int
    side: OrderSide
    price: int
    quantity: int


def order_stream(count: int, seed: int = 1) -> list[Order]:
    """Return orders around one price, every third a cancellation of one of the last hundred."""
    rng, orders = Random(seed), []
    for number in range(1, count + 1):
        side = rng.choice((BID, ASK))
        if number % 3 == 0:
            orders.append(Order(rng.randint(max(1, number - 100), number), side, 0, 0))
        else:
            price = rng.randint(60, 120) if side is BID else rng.randint(80, 140)
            orders.append(Order(number, side, price, rng.randint(1, 3)))
    return orders


# The matching engine


def engine(
    orders: Sequence[Order], lines: list[str] | None = None
) -> tuple[float, list[tuple[int, int, int]]]:
    """Return the seconds that the order book takes, and the trades: incoming, resting, units.

    Args:
        orders: The orders.
        lines: Receives a line of JSON for every order and trade; None: there are none.
    """
    book, trades = OrderBook(), []
    started = time.process_time()
    for number, side, price, quantity in orders:
        if not quantity:
            if number in book:
                book = book.remove(number)
            continue
        if lines is not None:
            lines.append(order_line(number, side, price, quantity))
        left = quantity
        for resting, filled in book.match(side, price, quantity):
            trades.append((number, resting.order_id, filled))
            if lines is not None:
                lines.append(trade_line(number, resting.order_id, resting.price, filled))
            left -= filled
            rest = resting.quantity - filled
            book = book.reduce(resting.order_id, rest) if rest else book.remove(resting.order_id)
        if left:
            book = book.add(new_tuple(BookOrder, (number, "seat", side, price, left, 0.0)))
    return time.process_time() - started, trades


def bare_loop(
    orders: Sequence[Order], lines: list[str] | None = None
) -> tuple[float, list[tuple[int, int, int]]]:
    """Return the same of a loop with a dictionary and two heaps, without a platform."""
    book: dict[int, list[int]] = {}
    heaps: dict[OrderSide, list[tuple[int, int]]] = {BID: [], ASK: []}
    trades = []
    started = time.process_time()
    for number, side, price, quantity in orders:
        if not quantity:
            book.pop(number, None)
            continue
        if lines is not None:
            lines.append(order_line(number, side, price, quantity))
        left, others = quantity, heaps[ASK if side is BID else BID]
        limit = price if side is BID else -price
        while left and others and others[0][0] <= limit:
            rank, resting = others[0]
            order = book.get(resting)
            if order is None:
                heappop(others)
                continue
            filled = min(left, order[0])
            trades.append((number, resting, filled))
            if lines is not None:
                lines.append(trade_line(number, resting, abs(rank), filled))
            left -= filled
            order[0] -= filled
            if not order[0]:
                del book[resting]
                heappop(others)
        if left:
            book[number] = [left]
            heappush(heaps[side], (-price if side is BID else price, number))
    return time.process_time() - started, trades


def order_line(number: int, side: OrderSide, price: int, quantity: int) -> str:
    """Return an order as a line of JSON."""
    order = {"side": side, "price": price, "quantity": quantity}
    return json.dumps({"seq": number, "t": number / 10, "sender": "seat", "order": order})


def trade_line(number: int, resting: int, price: int, quantity: int) -> str:
    """Return a trade as a line of JSON."""
    trade = {"order": number, "resting": resting, "price": price, "quantity": quantity}
    return json.dumps({"t": number / 10, "trade": trade})


# The whole path


class Quoter(MarketAgent):
    """Answers each order of another seat at once with an order at a price drawn by chance."""

    every_seconds = None

    def on_phase_transition(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Begin, in the first seat."""
        super().on_phase_transition(ctx, event)
        return self.order(ctx) if ctx.market.is_open and ctx.seat == ctx.seats[0] else []

    def on_add_order(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Answer an order that goes into the book."""
        return [] if event.data["order"]["sender"] == ctx.seat else self.order(ctx)

    def on_contract_fulfilled(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Answer an order that has met this seat's own in the book."""
        data = event.data
        arrived = data["to"] if data["bid_id"] > data["ask_id"] else data["from"]
        return [] if arrived == ctx.seat else self.order(ctx)

    def on_action_refused(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Order again, after an order that would have met this seat's own."""
        return self.order(ctx)

    def order(self, ctx: AgentContext) -> list[Action]:
        """Return the order."""
        side = ctx.rng.choice(("bid", "ask"))
        return [PlaceOrder(side, ctx.rng.randint(60, 110) if side == "bid" else ctx.rng.randint(90, 140))]


def quoting_market(orders: int) -> GameSpec:
    """Return a market of two seats with time for some orders, which leave the book after a minute."""
    names = ("seat_1", "seat_2")
    worth = UnitWorth(((100,) * 10,))
    return GameSpec(
        name="quotes",
        issues=(),
        seats=names,
        preferences=SeatMap(),
        mechanism="market",
        rules=Rules(time_tick_seconds=3600),
        economy=Economy(
            (Good("unit"),),
            Currency("", 0),
            SeatMap((seat, Endowment(10**9, (10**6,))) for seat in names),
            SeatMap((seat, worth) for seat in names),
            MarketTerms(
                lowest=LEAST_PRICE,
                highest=GREATEST_PRICE,
                orders_per_seat=10_000,
                order_lifetime_seconds=60,
                periods=MarketPeriods(seconds=min(86_400, 2 * orders)),
            ),
        ),
    )


class OrderLog(MemoryLog):
    """Log as bytes in memory, which stops a session after some orders."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        self.orders = 0
        self.marks = [time.process_time()]
        """Processor time at the start and after each tenth of the orders: asking for it is slow."""

    def write(self, event: Event) -> None:
        """Encode and keep one event."""
        super().write(event)
        if event.type == "PLACE_ORDER":
            self.orders += 1
            if self.orders % (self.most // 10) == 0:
                self.marks.append(time.process_time())

    @property
    def is_full(self) -> bool:
        """Whether there are as many orders as wanted."""
        return self.orders >= self.most

    def tenths(self) -> list[float]:
        """Return the cost (µs) of an order in each tenth of the session."""
        return [1e6 * (b - a) / (self.most // 10) for a, b in pairwise(self.marks)]


def market_path(orders: int) -> tuple[float, OrderLog]:
    """Return events per second of one session of two quoting agents, and its log.

    Args:
        orders: The number of orders, a multiple of 10.
    """
    log, clock, game = OrderLog(orders), VirtualClock(), quoting_market(orders)
    table = SessionRunner(game, seed=1, clock=clock, log=log, report=print)
    for seat in game.seats:
        agent = Quoter()
        agent.agent_id = seat
        table.assign_agent(seat, agent)
    table.start()
    before, started = len(log.lines), time.process_time()
    log.marks = [started]
    while not log.is_full and (due := table.next_due()) is not None:
        clock.advance_to(due)
        table.run_one_due()
    return (len(log.lines) - before) / (time.process_time() - started), log


# What people type


def seconds_of(*words: str) -> float:
    """Return the processor time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "negoplatform", *words], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def typed_events(*words: str) -> int:
    """Return the number of events of the games of a ``simulate`` command."""
    with TemporaryDirectory() as folder:
        seconds_of(*words, "--logs", folder)
        logs = Path(folder).rglob("events.jsonl")
        return sum(len(log.read_bytes().splitlines()) - 1 for log in logs)


def simulations(markets: int) -> Iterator[str]:
    """Yield the time of ``simulate`` for markets, and for as many events of bargaining."""
    given = ["--seatings", "given", "--n"]
    traders = ["--agents", "zero_intelligence", "--fill", "zero_intelligence"]
    grain = ["simulate", "--game", "grain_market", *traders, *given]
    bargain = ["simulate", "--game", "resource_exchange", "--agents", "fair", "boulware", *given]
    events = typed_events(*grain, str(markets))
    per_game = typed_events(*bargain, "20") / 20
    games = ceil(events / per_game)
    market_seconds, bargaining_seconds = seconds_of(*grain, str(markets)), seconds_of(*bargain, str(games))
    yield f"{markets} markets, {events:,} events           {market_seconds:8.1f} s"
    yield (
        f"{games:,} bargaining games, as many events {bargaining_seconds:8.1f} s   "
        f"{bargaining_seconds / market_seconds:.2f} of bargaining's events per second"
    )


# What agents gain


def gode_sunder_market(periods: int = 2) -> GameSpec:
    """Return a market of six buyers and six sellers with induced values and costs of four units each.

    As in Gode and Sunder (1993): prices from 1 to 200, one unit at a time, every period starts over. Their
    values and costs are not reproduced; these are of the same form, with an equilibrium price near 100.
    """
    buyers = {f"buyer_{i + 1}": tuple(160 - 6 * i - 25 * k for k in range(4)) for i in range(6)}
    # What a seller keeps is worth its cost; the unit that costs least is sold first.
    sellers = {f"seller_{i + 1}": tuple(40 + 6 * i + 25 * k for k in range(4))[::-1] for i in range(6)}
    seats = (*buyers, *sellers)
    return GameSpec(
        name="gode_sunder",
        issues=(),
        seats=seats,
        preferences=SeatMap(),
        mechanism="market",
        rules=Rules(),
        economy=Economy(
            (Good("unit"),),
            Currency("", 0),
            SeatMap(
                (seat, Endowment(1000, (0,)) if seat in buyers else Endowment(0, (4,))) for seat in seats
            ),
            SeatMap((seat, UnitWorth((worth,))) for seat, worth in (buyers | sellers).items()),
            MarketTerms(
                lowest=LEAST_PRICE,
                highest=GREATEST_PRICE,
                periods=MarketPeriods(count=periods, seconds=60, carry=CarryOver.RESET),
            ),
        ),
    )


def played(game: GameSpec, agent: str, seeds: int) -> list[Result]:
    """Return the results of one agent in all seats, one for each seed from 1."""
    plugin = find_agent(agent, NOWHERE)
    agents = [plugin] * len(game.seats)
    return list(simulate(game, agents, games=seeds, seed=1, logs=None, report=_raise, how=Seatings.GIVEN))


def _raise(error: BaseException) -> None:
    raise error


def efficiencies(agent: str, seeds: int, periods: int = 2) -> list[float]:
    """Return the allocative efficiency of an agent in the setting of Gode and Sunder, for each seed."""
    results = played(gode_sunder_market(periods), agent, seeds)
    return [result.trades.efficiency or 0.0 for result in results if result.trades is not None]


def tac_gains(seeds: int, seats: int = 5) -> list[list[float]]:
    """Return the gain of each seat of ``tac_market`` with ``tac_baseline`` everywhere, for each seed."""
    game = find_game("tac_market", NOWHERE).with_seats(seats)
    results = played(game, "tac_baseline", seeds)
    return [
        [each.gain or 0.0 for each in result.trades.seats.values()]
        for result in results
        if result.trades is not None
    ]


def gain_lines(seeds: int) -> Iterator[str]:
    """Yield what agents gain."""
    for agent in ("zero_intelligence", "zip"):
        found = efficiencies(agent, seeds)
        yield f"{agent:18} {fmean(found):6.1%} mean efficiency over {seeds} seeds, {min(found):.1%} at least"
    for seats in (3, 8):
        gains = tac_gains(seeds, seats)
        gained = sum(sum(each) > 0 for each in gains) / len(gains)
        every = [gain for each in gains for gain in each]
        yield (
            f"tac_baseline, {seats} seats: gains in {gained:.0%} of {seeds} seeds; "
            f"a seat gains {fmean(every):.2f} on average, {min(every):.2f} at least; "
            f"{sum(gain > 0 for gain in every) / len(every):.1%} of the seats gain"
        )


def best(of: Callable[[], float], tries: int) -> float:
    """Return the least of several runs: the one that other work on the machine disturbed least."""
    results = []
    for _ in range(tries):
        gc.collect()
        results.append(of())
    return min(results)


def engine_lines(orders: int, tries: int) -> Iterator[str]:
    """Yield the order book's speed compared with the bare loop."""
    stream = order_stream(orders)
    for name, lines in (("alone", False), ("with a line of JSON each", True)):
        book = best(lambda lines=lines: engine(stream, [] if lines else None)[0], tries)  # type: ignore[misc]  # bound now
        bare = best(lambda lines=lines: bare_loop(stream, [] if lines else None)[0], tries)  # type: ignore[misc]  # bound now
        yield (
            f"order book, {name:24} {orders / book:11,.0f} orders/s   bare loop {orders / bare:11,.0f}   "
            f"{bare / book:.2f} of it"
        )


def main(args: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Markets: speed, and what agents gain.")
    parser.add_argument("--orders", type=int, default=100_000, help="orders of the longest session (100,000)")
    parser.add_argument("--tries", type=int, default=5, help="runs, of which the best counts (5)")
    parser.add_argument("--seeds", type=int, default=100, help="games of agents (100); 0: none")
    parser.add_argument("--markets", type=int, default=20, help="games of the command simulate (20); 0: none")
    asked = parser.parse_args(args)
    some = max(100, asked.orders // 200 * 10)
    for line in engine_lines(max(100, asked.orders // 5), asked.tries):
        print(line)
    market = 1 / best(lambda: 1 / market_path(some)[0], asked.tries)
    bargaining = 1 / best(lambda: 1 / bargaining_path(some)[1], asked.tries)
    print(f"whole path, market       {market:10,.0f} events/s")
    print(f"whole path, bargaining   {bargaining:10,.0f} events/s   market {market / bargaining:.2f} of it")
    costs = market_path(asked.orders)[1].tenths()
    print(f"{asked.orders:,} orders, µs each by tenths: {' '.join(f'{cost:.0f}' for cost in costs)}")
    print(f"last tenth {costs[-1] / costs[0]:.2f} of the first")
    for line in simulations(asked.markets) if asked.markets else ():
        print(line)
    for line in gain_lines(asked.seeds) if asked.seeds else ():
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
