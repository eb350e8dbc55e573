"""Plays of trading and market games in which many trades come about."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from negoplatform.core.mechanisms.double_auction_state import OrderPlaced, market_terms
from negoplatform.core.mechanisms.market import CANCEL_ORDER, DECIDE, PLACE_ORDER
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.mechanisms.trading import SUBMIT_TRANSACTION
from negoplatform.core.mechanisms.trading_state import TransactionRequested
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.economy import Economy, Endowment, Quantities
from tests.mechanisms.cases import CASES
from tests.mechanisms.market_case import valid_market_act
from tests.mechanisms.moves import Move, Play, TriedAct, tried_act


def economy_of(game: GameSpec) -> Economy:
    """Return the economy of a game that has one."""
    assert game.economy is not None
    return game.economy


def _enriched(game: GameSpec) -> GameSpec:
    """Return a game in which every seat has money and goods."""
    economy = economy_of(game)
    rich = SeatMap((seat, Endowment(6000, (5,) * len(economy.goods))) for seat in game.seats)
    return replace(game, economy=replace(economy, endowments=rich))


@st.composite
def busy_market_plays(draw: DrawFn) -> Play:
    """Draw a market in which most orders are allowed, and many of them meet others."""
    game = _enriched(draw(CASES["market"].games()))
    terms = market_terms(game)
    economy = economy_of(game)
    many = replace(terms, orders_per_seat=draw(st.sampled_from([3, 50])))
    game = replace(game, economy=replace(economy, terms=many))
    seats = st.sampled_from(game.seats)

    def act(seat: Seat, kind: str) -> Move:
        def chosen(state: State) -> TriedAct:
            return valid_market_act(state, seat, kind)

        return chosen

    orders = st.builds(
        OrderPlaced,
        st.sampled_from(OrderSide),
        st.sampled_from([1, 2, 3, 4]),
        st.sampled_from([1, 1, 2, 4]),
        st.sampled_from(economy.good_names),
        st.sampled_from(terms.conditions or (None,)),
        st.sampled_from([False, False, False, True]),
    )
    placed: st.SearchStrategy[Move] = st.builds(tried_act, seats, st.just(PLACE_ORDER), orders)
    cancelled = seats.map(lambda seat: act(seat, CANCEL_ORDER))
    waits: st.SearchStrategy[Move] = st.sampled_from([0.0, 0.4, 1.1])
    moves = draw(
        st.lists(st.one_of(placed, placed, placed, placed, cancelled, waits), min_size=15, max_size=50)
    )
    return Play(game, [*(act(seat, DECIDE) for seat in game.seats), *moves])


@st.composite
def busy_trading_plays(draw: DrawFn) -> Play:
    """Draw a trading game in which both sides request many transactions, sometimes not the same."""
    game = _enriched(draw(CASES["trading"].games()))
    moves: list[Move] = []
    for number in range(draw(st.integers(3, 12))):
        pair = draw(st.permutations(game.seats))[:2]
        amount = draw(st.sampled_from([0, 1, 2.55, 30, 55]))
        other_amount = draw(st.sampled_from([amount, amount, amount, 2]))
        units = Quantities({"wool": draw(st.integers(0, 2)), "wine": draw(st.integers(1, 2))})
        its_id = draw(st.sampled_from([f"n-{number}", "x"]))
        moves += [
            TriedAct(seat, SUBMIT_TRANSACTION, TransactionRequested(its_id, buyer, other, price, units))
            for seat, other, buyer, price in (
                (pair[0], pair[1], True, amount),
                (pair[1], pair[0], False, other_amount),
            )
        ]
        if draw(st.booleans()):
            moves.append(draw(st.sampled_from([0.4, 1.5])))
    return Play(game, moves)
