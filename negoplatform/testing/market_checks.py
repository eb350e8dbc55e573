"""Checks of what an agent does in markets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from negoplatform.core.mechanisms.double_auction_state import OrderPlaced, double_auction_state, market_terms
from negoplatform.core.mechanisms.market import DECIDE, PLACE_ORDER
from negoplatform.core.mechanisms.market_books import book_place, find_book, number_of
from negoplatform.core.mechanisms.market_order_facts import CONTRACT_FULFILLED
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Money
from negoplatform.domain.trading.worth import GoodsWorth
from negoplatform.testing.case_runner import CaseResult
from negoplatform.testing.finding import Remark, Severity
from negoplatform.testing.market_situations import trades_at_all_prices


def market_remarks(played: CaseResult) -> Iterator[Remark]:
    """Yield remarks on orders that lose money by the worth of the units."""
    for event, state in played.own_acts():
        if event.type != PLACE_ORDER:
            continue
        worth = _worth_of_order(state, played.case.seat, event.payload)
        if worth is None:
            continue
        price = number_of(played.case.game, worth) / event.payload.quantity
        bids = event.payload.side is OrderSide.BID
        if event.payload.price > price if bids else event.payload.price < price:
            good = event.payload.good or economy_of(played.case.game).good_names[0]
            sentence = (
                f"It {'bids' if bids else 'asks'} {event.payload.price:g} for a unit of {good} that is worth "
                f"{price:g} to it; compare the price with next_value({1 if bids else -1}) of the book."
            )
            where = f"{played.case.name}, at {event.t:g} s"
            yield Remark(("loses", str(event.payload.side)), Severity.WARNING, where, sentence)


def _worth_of_order(state: State, seat: Seat, order: OrderPlaced) -> Money | None:
    """Return what the units of an order are worth to its seat, in minor units; None if that is not known."""
    game, economy = state.game, economy_of(state.game)
    market = double_auction_state(state)
    worth = economy.worths[seat]
    if not _is_valued(worth, market_terms(game).conditions, len(economy.goods)):
        return None
    condition, good = book_place(
        game, find_book(game, order.good, order.condition or market.realised or None)
    )
    name = market_terms(game).conditions[condition] if market_terms(game).conditions else ""
    units = market.accounts[seat].units[condition]
    sign = 1 if order.side is OrderSide.BID else -1
    after = tuple(n + sign * order.quantity * (i == good) for i, n in enumerate(units))
    return round(sign * (worth.of(after, name) - worth.of(units, name)))


def _is_valued(worth: GoodsWorth, conditions: Sequence[str], goods: int) -> bool:
    """Return whether units are worth anything by themselves, rather than by the rules of the phases."""
    return any(worth.of((1,) * goods, name) for name in conditions or ("",))


def market_silence_remarks(games: Sequence[CaseResult]) -> list[Remark]:
    """Return remarks on what the agent did in no situation at all."""
    done = {event.type for played in games for event in played.events if event.sender == played.case.seat}
    where = f"all {len(games)} situations"
    if not done:
        sentence = (
            "It never does anything: no handler returned an action that was performed; override on_turn of "
            "MarketAgent, and return lists of actions."
        )
        return [Remark(("never", "answers"), Severity.WARNING, where, sentence)]
    remarks = []
    if PLACE_ORDER not in done:
        sentence = "It never places an order; return [PlaceOrder(…)] from on_turn."
        remarks.append(Remark(("never", "orders"), Severity.WARNING, where, sentence))
    elif not any(
        _trades(played) for played in games if played.case.situation.play is not trades_at_all_prices
    ):
        sentence = (
            "It never trades, not even with orders from which it would gain; let its bids come nearer to "
            "ctx.market.next_value(1), and its asks to ctx.market.next_value(-1)."
        )
        remarks.append(Remark(("never", "trades"), Severity.WARNING, where, sentence))
    asked = [played for played in games if played.case.seat in _asked_seats(played)]
    if asked and DECIDE not in done:
        sentence = (
            "It never decides in the phases that ask it to; return [Decide({…})] from on_decide, with a "
            "value for each of ctx.market.decisions."
        )
        remarks.append(
            Remark(("never", "decides"), Severity.WARNING, f"all {len(asked)} situations that ask", sentence)
        )
    return remarks


def _trades(played: CaseResult) -> bool:
    """Return whether an order of the agent's was filled."""
    own = {event.seq for event in played.events if event.sender == played.case.seat}
    return any(
        not own.isdisjoint((event.data["bid_id"], event.data["ask_id"]))
        for event in played.events
        if event.type == CONTRACT_FULFILLED
    )


def _asked_seats(played: CaseResult) -> set[Seat]:
    """Return the seats that decide in a phase."""
    game = played.case.game
    return {
        seat for phase in market_terms(game).all_phases if phase.decide for seat in (phase.by or game.seats)
    }
