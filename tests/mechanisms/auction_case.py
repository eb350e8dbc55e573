"""Games and acts of the auction of the tests, for the laws."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from negoplatform.core.events import (
    NOTHING,
)
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec, Rules, Visibility
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.economy import Currency, Economy, Endowment, Good
from negoplatform.domain.trading.worth import UnitWorth
from tests.mechanisms.moves import SEATS, MechanismCase, Move, TriedAct, tried_act
from tests.mechanisms.sealed_bid import (
    GIVE_MONEY,
    PLACE_BID,
    BidPlaced,
    MoneyOffered,
    SealedBidTerms,
    auction_of,
    free_money,
)


@st.composite
def auction_games(draw: DrawFn) -> GameSpec:
    """Draw an auction with odd amounts of money."""
    seats = draw(st.sampled_from(SEATS))
    money = st.sampled_from([0, 1, 350, 1234])
    rules = Rules(deadline_seconds=draw(st.sampled_from([None, 20.0])))
    return GameSpec(
        name="lots",
        issues=(),
        seats=seats,
        preferences=SeatMap(),
        visibility=SeatMap(
            (seat, draw(st.sampled_from([Visibility.PUBLIC, Visibility.OWNER]))) for seat in seats
        ),
        rules=rules,
        title="Lots",
        mechanism="sealed_bid",
        economy=Economy(
            (Good("vase"),),
            Currency("€", draw(st.sampled_from([0, 2]))),
            SeatMap((seat, Endowment(draw(money), (draw(st.integers(0, 2)),))) for seat in seats),
            SeatMap((seat, UnitWorth(((draw(money), 7, 3),))) for seat in seats),
            SealedBidTerms(draw(st.integers(1, 4)), draw(st.sampled_from([1.0, 2.5, 9.0]))),
        ),
    )


def auction_acts(game: GameSpec) -> SearchStrategy[Move]:
    """Return acts of the auction, allowed or not."""
    seats = st.sampled_from(game.seats)
    amounts = st.sampled_from([0, 1, 2, 50, 349, 351, 5000])
    recipients = st.sampled_from([(seat,) for seat in game.seats] + [(), ("cook",), game.seats[:2]])
    bids = st.builds(tried_act, seats, st.just(PLACE_BID), amounts.map(BidPlaced))
    gifts = st.builds(tried_act, seats, st.just(GIVE_MONEY), amounts.map(MoneyOffered), recipients)
    return st.one_of(bids, bids, bids, gifts)


def valid_auction_act(state: State, seat: Seat, kind: str) -> TriedAct:
    """Return an act of the auction that is accepted where its type is legal."""
    free = free_money(auction_of(state), seat)
    other = state.game.others(seat)[0]
    match kind:
        case "PLACE_BID":
            return TriedAct(seat, kind, BidPlaced(free))
        case "GIVE_MONEY":
            return TriedAct(seat, kind, MoneyOffered(free), (other,))
        case _:
            return TriedAct(seat, kind, NOTHING)


AUCTION = MechanismCase("sealed_bid", auction_games, auction_acts, valid_auction_act)
