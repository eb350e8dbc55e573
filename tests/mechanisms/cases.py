"""All kinds of game with games and acts, for the laws that hold for every one of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from negoplatform.core.events import (
    NOTHING,
    EventType,
    Expression,
    ExpressionShown,
    Message,
    Typing,
)
from negoplatform.core.mechanisms import MECHANISMS, register
from negoplatform.domain.game import GameSpec
from tests.mechanisms.auction_case import AUCTION
from tests.mechanisms.bargaining_case import BARGAINING
from tests.mechanisms.market_case import MARKET
from tests.mechanisms.moves import MechanismCase, Move, Play, tried_act
from tests.mechanisms.sealed_bid import (
    PLACE_BID,
    SealedBid,
)
from tests.mechanisms.trading_case import TRADING

CASES = {case.name: case for case in (TRADING, MARKET, BARGAINING, AUCTION)}


def common_acts(game: GameSpec) -> SearchStrategy[Move]:
    """Return acts that every game has, and some that no seat may do."""
    seats = st.sampled_from(game.seats)
    to = st.sampled_from([(), (), (game.seats[-1],), (game.seats[0],), game.seats[:2], ("cook",)])
    return st.one_of(
        st.builds(tried_act, seats, st.just(EventType.SEND_MESSAGE), st.just(Message("Hello")), to),
        st.builds(
            tried_act,
            seats,
            st.just(EventType.SEND_EXPRESSION),
            st.just(ExpressionShown(Expression.HAPPY, 2000)),
        ),
        st.builds(tried_act, seats, st.just(EventType.TYPING), st.sampled_from([Typing(700), Typing(0)])),
        st.builds(
            tried_act,
            seats,
            st.sampled_from([EventType.GAME_END, EventType.GAME_START, EventType.NOTE, PLACE_BID]),
            st.just(NOTHING),
        ),
    )


@st.composite
def plays(draw: DrawFn, case: MechanismCase) -> Play:
    """Draw a game of a kind and up to forty moves."""
    game = draw(case.games())
    own, common = case.acts(game), common_acts(game)
    waits: SearchStrategy[Move] = st.sampled_from([0.0, 0.001, 0.4, 1.0, 3.3])
    quits: SearchStrategy[Move] = st.builds(
        tried_act, st.sampled_from(game.seats), st.just(EventType.FORMAL_QUIT), st.just(NOTHING)
    )
    rare = st.one_of(own, own, own, common, waits, waits, quits)
    at_least = draw(st.sampled_from([0, 8, 25]))
    moves = draw(st.lists(st.one_of(own, own, own, own, common, waits, rare), min_size=at_least, max_size=40))
    return Play(game, moves)


@contextmanager
def sealed_bid_registered() -> Iterator[None]:
    """Register the mechanism of the tests in this process for a while."""
    register(SealedBid())
    try:
        yield
    finally:
        del MECHANISMS[SealedBid.name]
