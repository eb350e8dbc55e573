"""Mechanisms with games and acts of all kinds, for the laws that hold for every one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from negoplatform.core.events import (
    NOTHING,
    Accepted,
    Drafting,
    Event,
    EventType,
    Expression,
    ExpressionShown,
    Message,
    OfferMade,
    Typing,
)
from negoplatform.core.frozen_json import FrozenJson
from negoplatform.core.mechanisms import MECHANISMS, register
from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.mechanisms.double_auction_state import (
    DecisionMade,
    OrderCancelled,
    OrderPlaced,
    double_auction_state,
)
from negoplatform.core.mechanisms.market import CANCEL_ORDER, DECIDE, PLACE_ORDER, possible_order
from negoplatform.core.mechanisms.market_terms import (
    CarryOver,
    DecisionField,
    DecisionKind,
    Identities,
    MarketPeriods,
    MarketPhase,
    MarketTerms,
)
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.mechanisms.trading import (
    ACCEPT_PROPOSAL,
    CALL_FOR_PROPOSALS,
    DECLINE_PROPOSAL,
    PROPOSE,
    SUBMIT_TRANSACTION,
)
from negoplatform.core.mechanisms.trading_checks import acceptable_proposals
from negoplatform.core.mechanisms.trading_state import (
    ProposalAccepted,
    ProposalCall,
    ProposalDeclined,
    ProposalMade,
    Tape,
    TradingTerms,
    TransactionRequested,
    fee_shares,
    trading_state,
    transaction_id_of,
)
from negoplatform.core.session import ActionOrigin
from negoplatform.core.state import State
from negoplatform.domain.agreement_rules import Agreement, Outvoted, Quota, Turns
from negoplatform.domain.economy import Currency, Economy, Endowment, Good, Quantities
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import Acceptance, GameSpec, Preferences, Rules, Visibility
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import AdditiveUtility
from negoplatform.domain.worth import ConditionWorth, LogWorth, UnitWorth
from negoplatform.testing import TrialTable
from tests.mechanisms.sealed_bid import (
    GIVE_MONEY,
    PLACE_BID,
    BidPlaced,
    MoneyOffered,
    SealedBid,
    SealedBidTerms,
    auction_of,
    free_money,
)

AGREEMENTS: list[Agreement | Quota] = [Agreement.UNANIMOUS, Agreement.MAJORITY, Quota(2)]
SEATS = [("human", "agent"), ("buyer", "seller", "broker"), ("red", "green", "blue", "grey")]


class TriedAct(NamedTuple):
    """Act that a seat tries, allowed or not."""

    seat: Seat
    type: str
    payload: Any
    to: tuple[Seat, ...] = ()


def tried_act(seat: Seat, kind: str, payload: Any, to: tuple[Seat, ...] = ()) -> TriedAct:
    """Return an act; ``st.builds`` of the class itself would draw any texts as recipients."""
    return TriedAct(seat, kind, payload, to)


Move = TriedAct | float | Callable[[State], TriedAct]
"""Act, seconds that pass, or an act that depends on the state."""


@dataclass(frozen=True)
class Play:
    """A game, and what the seats try in it."""

    game: GameSpec
    moves: list[Move]


@dataclass(frozen=True)
class MechanismCase:
    """A mechanism with games and acts to try.

    Args:
        name: The name of the mechanism.
        games: Games of this kind.
        acts: Acts of the mechanism that may be tried in a game.
        valid_act: Returns an act of a type that is legal for a seat in a state.
    """

    name: str
    games: Callable[[], SearchStrategy[GameSpec]]
    acts: Callable[[GameSpec], SearchStrategy[Move]]
    valid_act: Callable[[State, Seat, str], TriedAct]


@st.composite
def bargaining_games(draw: DrawFn) -> GameSpec:
    """Draw a game with few outcomes, so that random seats sometimes agree."""
    seats = draw(st.sampled_from(SEATS))
    tables: dict[str, Any] = {"crates": {0: 0, 1: 3, 2: 4}, "day": {"Friday": -1, "Sunday": 2}}
    return GameSpec(
        name="small",
        issues=(QuantityIssue("crates", 2), CategoricalIssue("day", ("Friday", "Sunday"))),
        seats=seats,
        preferences=SeatMap((seat, Preferences(AdditiveUtility(seat, tables), 1)) for seat in seats),
        visibility=SeatMap(
            (seat, draw(st.sampled_from([Visibility.PUBLIC, Visibility.OWNER]))) for seat in seats
        ),
        rules=Rules(
            acceptance=draw(st.sampled_from(Acceptance)),
            allow_partial=draw(st.booleans()),
            deadline_seconds=draw(st.sampled_from([None, 20.0, 7.5])),
            share_drafts=draw(st.booleans()),
            agreement=draw(st.sampled_from(AGREEMENTS)),
            outvoted=draw(st.sampled_from(Outvoted)),
            turns=draw(st.sampled_from(Turns)),
        ),
        title="Small",
    )


def bargaining_acts(game: GameSpec) -> SearchStrategy[Move]:
    """Return acts of bargaining, allowed or not."""
    seats = st.sampled_from(game.seats)
    offers = st.sampled_from(
        [
            Offer({"crates": Allocation({game.seats[0]: 1, game.seats[-1]: 1}), "day": "Sunday"}),
            Offer({"crates": Allocation({game.seats[1]: 2}), "day": "Friday"}),
            Offer({"day": "Sunday"}),
            Offer({"crates": Allocation({game.seats[0]: 1}, 1)}),
            Offer({"day": "Monday"}),
            Offer(),
        ]
    )
    return st.one_of(
        st.builds(tried_act, seats, st.just(EventType.SEND_OFFER), offers.map(OfferMade)),
        st.builds(tried_act, seats, st.just(EventType.OFFER_IN_PROGRESS), (st.none() | offers).map(Drafting)),
        st.builds(tried_act, seats, st.just(EventType.FORMAL_ACCEPT), st.integers(0, 9).map(Accepted)),
        seats.map(lambda seat: lambda state: TriedAct(seat, EventType.FORMAL_ACCEPT, accept_newest(state))),
        seats.map(lambda seat: lambda state: TriedAct(seat, EventType.FORMAL_ACCEPT, accept_newest(state))),
    )


def accept_newest(state: State) -> Accepted:
    """Return an acceptance of the offer on the table, or of none."""
    on_table = bargaining_state(state).on_table
    return Accepted(on_table.offer_id if on_table else 0)


def valid_bargaining_act(state: State, seat: Seat, kind: str) -> TriedAct:
    """Return an act of bargaining that is accepted where its type is legal."""
    payload: Any = {
        EventType.SEND_OFFER: OfferMade(Offer({"day": "Sunday"})),
        EventType.OFFER_IN_PROGRESS: Drafting(None),
        EventType.FORMAL_ACCEPT: accept_newest(state),
        EventType.FORMAL_QUIT: NOTHING,
    }[EventType(kind)]
    return TriedAct(seat, kind, payload)


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


@st.composite
def trading_games(draw: DrawFn) -> GameSpec:
    """Draw a trading game with odd fees, and goods of which some seats have none."""
    seats = draw(st.sampled_from(SEATS))
    money = st.sampled_from([0, 1, 350, 20_000])
    units = st.integers(0, 3)
    return GameSpec(
        name="fair",
        issues=(),
        seats=seats,
        preferences=SeatMap(),
        visibility=SeatMap(
            (seat, draw(st.sampled_from([Visibility.PUBLIC, Visibility.OWNER]))) for seat in seats
        ),
        rules=Rules(deadline_seconds=draw(st.sampled_from([None, 20.0]))),
        title="Fair",
        mechanism="trading",
        economy=Economy(
            (Good("wool"), Good("wine", "Wine")),
            Currency("€", 2),
            SeatMap((seat, Endowment(draw(money), (draw(units), draw(units)))) for seat in seats),
            SeatMap((seat, LogWorth((8000.0, draw(st.sampled_from([2000.0, 33.5]))))) for seat in seats),
            TradingTerms(
                draw(st.sampled_from([0, 1, 0.01, 2.55])),
                draw(st.sampled_from([1, 2.5, 30])),
                draw(st.booleans()),
                draw(st.sampled_from(Tape)),
            ),
        ),
    )


def trading_acts(game: GameSpec) -> SearchStrategy[Move]:
    """Return acts of a trading game, allowed or not; many of them answer what is there."""
    seats = st.sampled_from(game.seats)
    recipients = st.sampled_from([(seat,) for seat in game.seats] + [(), ("cook",), game.seats[:2]])
    amounts = st.sampled_from([0, 1, 2.5, 0.005, 10, 500])
    quantities = st.sampled_from(
        [
            Quantities({"wool": 1}),
            Quantities({"wine": 2, "wool": 1}),
            Quantities({"wine": 9}),
            Quantities({"salt": 1}),
        ]
    )
    ids = st.sampled_from(["x", "t-4", "t-6"])
    calls = st.builds(
        tried_act,
        seats,
        st.just(CALL_FOR_PROPOSALS),
        st.builds(ProposalCall, st.booleans(), st.sampled_from([(), ("wool",), ("salt",)])),
        recipients,
    )
    proposals = st.builds(
        tried_act,
        seats,
        st.just(PROPOSE),
        st.builds(ProposalMade, st.booleans(), amounts, quantities, st.sampled_from([None, None, 4, 7])),
        recipients,
    )
    requests = st.builds(
        tried_act,
        seats,
        st.just(SUBMIT_TRANSACTION),
        st.builds(
            TransactionRequested,
            ids,
            st.booleans(),
            st.sampled_from((*game.seats, "cook")),
            amounts,
            quantities,
        ),
    )
    answer = st.sampled_from([ACCEPT_PROPOSAL, DECLINE_PROPOSAL, SUBMIT_TRANSACTION, "mirror"])
    answers = st.tuples(seats, answer, st.integers(0, 3)).map(
        lambda drawn: lambda state: answer_in_trading(state, *drawn)
    )
    return st.one_of(calls, proposals, proposals, requests, answers, answers, answers)


def answer_in_trading(state: State, seat: Seat, kind: str, which: int) -> TriedAct:
    """Return an act about a proposal that a seat knows, or the mirror of another seat's request."""
    trading = trading_state(state)
    if kind == "mirror":
        waiting = [request for own in trading.requests.values() for request in own]
        if not waiting:
            return TriedAct(seat, CALL_FOR_PROPOSALS, ProposalCall(True), (state.game.others(seat)[0],))
        request = waiting[which % len(waiting)]
        economy = state.game.economy
        assert economy is not None
        mirror = TransactionRequested(
            request.transaction_id,
            not request.buyer,
            request.sender,
            economy.currency.to_number(request.amount),
            economy.quantities_of(request.units),
        )
        return TriedAct(request.counterparty, SUBMIT_TRANSACTION, mirror)
    proposals = list(trading.proposals[seat].values())
    if not proposals:
        return TriedAct(seat, ACCEPT_PROPOSAL, ProposalAccepted(99), (state.game.others(seat)[0],))
    proposal = proposals[which % len(proposals)]
    to = (proposal.other(seat),)
    match kind:
        case "ACCEPT_PROPOSAL":
            return TriedAct(seat, kind, ProposalAccepted(proposal.proposal_id), to)
        case "DECLINE_PROPOSAL":
            return TriedAct(seat, kind, ProposalDeclined(proposal.proposal_id), to)
    economy = state.game.economy
    assert economy is not None
    request_of = TransactionRequested(
        transaction_id_of(proposal.proposal_id),
        proposal.buying_seat == seat,
        proposal.other(seat),
        economy.currency.to_number(proposal.amount),
        economy.quantities_of(proposal.units),
    )
    return TriedAct(seat, SUBMIT_TRANSACTION, request_of)


def valid_trading_act(state: State, seat: Seat, kind: str) -> TriedAct:
    """Return an act of a trading game that is accepted where its type is legal."""
    trading, economy = trading_state(state), state.game.economy
    assert economy is not None
    others = [other for other in state.game.others(seat) if other not in trading.left]
    to = (others[0] if others else state.game.others(seat)[0],)
    account = trading.accounts[seat]
    sells = next((name for name, n in zip(economy.good_names, account.units, strict=True) if n), None)
    buys = account.money >= fee_shares(state.game)[0]
    amount, units = (0, Quantities({"wool": 1})) if buys else (100, Quantities({sells or "wool": 1}))
    match kind:
        case "CALL_FOR_PROPOSALS":
            return TriedAct(seat, kind, ProposalCall(True), to)
        case "PROPOSE":
            return TriedAct(seat, kind, ProposalMade(buys, amount, units), to)
        case "SUBMIT_TRANSACTION":
            return TriedAct(seat, kind, TransactionRequested("new", buys, to[0], amount, units))
        case "DECLINE_PROPOSAL":
            proposal_id = next(iter(trading.proposals[seat]), 99)
            return TriedAct(seat, kind, ProposalDeclined(proposal_id))
        case "ACCEPT_PROPOSAL":
            found = next(iter(acceptable_proposals(state, seat)), None)
            return TriedAct(seat, kind, ProposalAccepted(found.proposal_id if found else 99))
        case _:
            return TriedAct(seat, kind, NOTHING)


@st.composite
def market_games(draw: DrawFn) -> GameSpec:
    """Draw a market with one or two goods, conditions or none, and phases of all kinds."""
    seats = draw(st.sampled_from(SEATS))
    goods = draw(st.sampled_from([(Good("grain"),), (Good("grain"), Good("wool", "Wool"))]))
    conditions = draw(st.sampled_from([(), ("dry", "wet")]))
    decide = MarketPhase(
        "declare",
        draw(st.sampled_from([2, 7.5])),
        decide=(DecisionField("value"), DecisionField("whom", DecisionKind.SOME_OF, values=seats)),
        by=draw(st.sampled_from([(), seats[:1]])),
    )
    trade, pause = MarketPhase("market", draw(st.sampled_from([3, 40])), trade=True), MarketPhase("rest", 1)
    phases = draw(st.sampled_from([(), (decide, trade), (trade, pause, decide)]))
    carry = draw(st.sampled_from(CarryOver))
    periods = (
        MarketPeriods()
        if phases
        else MarketPeriods(draw(st.integers(1, 3)), 6, draw(st.sampled_from([0, 1.5])), carry)
    )
    terms = MarketTerms(
        lowest=draw(st.sampled_from([0, 1])),
        highest=draw(st.sampled_from([4, 200])),
        orders_per_seat=draw(st.sampled_from([1, 2, 50])),
        order_lifetime_seconds=draw(st.sampled_from([None, None, 1.5])),
        identities=draw(st.sampled_from(Identities)),
        conditions=conditions,
        realised=draw(st.sampled_from(["drawn", *conditions])),
        periods=periods,
        phases=phases,
    )
    money, units = st.sampled_from([0, 1, 35, 5000]), st.integers(0, 3)
    tables = UnitWorth(((9, 7, 3),) * len(goods))
    worth: Any = ConditionWorth(tuple((name, tables) for name in conditions)) if conditions else tables
    return GameSpec(
        name="stall",
        issues=(),
        seats=seats,
        preferences=SeatMap(),
        visibility=SeatMap(
            (seat, draw(st.sampled_from([Visibility.PUBLIC, Visibility.OWNER]))) for seat in seats
        ),
        rules=Rules(deadline_seconds=draw(st.sampled_from([None, 500.0]))),
        title="Stall",
        mechanism="market",
        economy=Economy(
            goods,
            Currency("€", 0),
            SeatMap((seat, Endowment(draw(money), tuple(draw(units) for _ in goods))) for seat in seats),
            SeatMap((seat, worth) for seat in seats),
            terms,
            draw(st.integers(0, 3)),
        ),
    )


def market_acts(game: GameSpec) -> SearchStrategy[Move]:
    """Return acts of a market, allowed or not."""
    seats = st.sampled_from(game.seats)
    orders = st.builds(
        OrderPlaced,
        st.sampled_from(OrderSide),
        st.sampled_from([0, 1, 2, 3, 4, 0.5, 300]),
        st.sampled_from([1, 1, 2, 3, 900]),
        st.sampled_from(["grain", "grain", "wool", None, "salt"]),
        st.sampled_from(["dry", "wet", None, None]),
        st.sampled_from([False, False, False, True]),
    )
    placed = st.builds(tried_act, seats, st.just(PLACE_ORDER), orders)
    possible = seats.map(lambda seat: lambda state: valid_market_act(state, seat, PLACE_ORDER))
    cancelled = seats.map(lambda seat: lambda state: valid_market_act(state, seat, CANCEL_ORDER))
    decided = seats.map(lambda seat: lambda state: valid_market_act(state, seat, DECIDE))
    odd = st.builds(
        tried_act,
        seats,
        st.just(DECIDE),
        st.sampled_from(
            [
                DecisionMade(FrozenJson(values))
                for values in ({}, {"value": 900}, {"value": 3.5, "whom": []}, {"price": 3})
            ]
        ),
    )
    return st.one_of(placed, placed, placed, possible, possible, cancelled, decided, odd)


def valid_market_act(state: State, seat: Seat, kind: str) -> TriedAct:
    """Return an act of a market that is accepted where its type is legal."""
    market = double_auction_state(state)
    match kind:
        case "PLACE_ORDER":
            return TriedAct(seat, kind, possible_order(state, seat) or OrderPlaced(OrderSide.BID, 1))
        case "CANCEL_ORDER":
            return TriedAct(seat, kind, OrderCancelled(next(iter(market.own_orders[seat]), 99)))
        case "DECIDE":
            return TriedAct(seat, kind, DecisionMade(FrozenJson({"value": 3, "whom": [seat]})))
        case _:
            return TriedAct(seat, kind, NOTHING)


CASES = {
    "trading": MechanismCase("trading", trading_games, trading_acts, valid_trading_act),
    "market": MechanismCase("market", market_games, market_acts, valid_market_act),
    "bargaining": MechanismCase("bargaining", bargaining_games, bargaining_acts, valid_bargaining_act),
    "sealed_bid": MechanismCase("sealed_bid", auction_games, auction_acts, valid_auction_act),
}


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


def played(play: Play) -> TrialTable:
    """Return the table after every move was tried; a refusal stops only its own move."""
    table = TrialTable(play.game, agents_may_fail=True)
    table.start()
    for move in play.moves:
        try_move(table, move)
    assert table.errors == []
    return table


def try_move(table: TrialTable, move: Move) -> None:
    """Let time pass, or try an act."""
    if isinstance(move, float):
        table.wait(move)
        return
    act = move if isinstance(move, TriedAct) else move(table.state)
    try:
        table.session.act(act.seat, act.type, act.payload, ActionOrigin(to=act.to))
    except Refused:
        return


def next_event(table: TrialTable, act: TriedAct) -> Event:
    """Perform an act that has to be accepted, and return its event."""
    return table.session.act(act.seat, act.type, act.payload, ActionOrigin(to=act.to))


@contextmanager
def sealed_bid_registered() -> Iterator[None]:
    """Register the mechanism of the tests in this process for a while."""
    register(SealedBid())
    try:
        yield
    finally:
        del MECHANISMS[SealedBid.name]
