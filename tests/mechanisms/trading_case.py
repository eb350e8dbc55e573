"""Games and acts of trading, for the laws."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from negoplatform.core.events import (
    NOTHING,
)
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
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec, Rules, Visibility
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.economy import Currency, Economy, Endowment, Good, Quantities
from negoplatform.domain.trading.worth import LogWorth
from tests.mechanisms.moves import SEATS, MechanismCase, Move, TriedAct, tried_act


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


TRADING = MechanismCase("trading", trading_games, trading_acts, valid_trading_act)
