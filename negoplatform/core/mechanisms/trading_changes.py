"""Changes of a trading game's state by its events; money and goods move with confirmations alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from negoplatform.core.events import Event, EventType
from negoplatform.core.mechanisms.trading_accounts import account_after, trade_side
from negoplatform.core.mechanisms.trading_state import (
    MOST_CALLS,
    Proposal,
    ProposalStatus,
    SentCall,
    SettledTrade,
    TradingState,
    TransactionRequest,
    proposal_id_of,
    trading_state,
)
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat


def trading_state_after(state: State, event: Event) -> TradingState:
    """Return the state after an event; money and goods move with confirmations alone."""
    trading = trading_state(state)
    match event.type:
        case "CALL_FOR_PROPOSALS":
            return _with_call(trading, event)
        case "PROPOSE":
            return _with_proposal(state, trading, event)
        case "ACCEPT_PROPOSAL":
            return _with_acceptance(trading, event)
        case "DECLINE_PROPOSAL":
            return _without_proposal(trading, event.payload.proposal_id)
        case "SUBMIT_TRANSACTION":
            return _with_request(state, trading, event)
        case EventType.FORMAL_QUIT:
            return _without_seat(state, trading, event.sender)
        case "transaction-confirmation":
            return _settled(state, trading, event)
        case "transaction-error":
            data = event.data
            return _without_requests(trading, data["transaction_id"], data["dropped"], data["pair"])
        case "trade-reported":
            return trading._replace(tape=trading.tape.append(_trade_of(state, event.t, event.data)))
        case _:
            return trading


def _with_call(trading: TradingState, event: Event) -> TradingState:
    asked, recipient = event.payload, event.to[0]
    call = SentCall(event.seq, event.sender, recipient, asked.buyer, asked.goods)
    calls = trading.calls
    for seat in (event.sender, recipient):
        if seat in calls:
            own = calls[seat].with_item(event.seq, call)
            oldest = own.first()
            if oldest is not None and len(own) > MOST_CALLS:
                own = own.without(oldest[0])
            calls = calls.with_value(seat, own)
    return trading._replace(calls=calls)


def _with_proposal(state: State, trading: TradingState, event: Event) -> TradingState:
    made, proposal = event.payload, Proposal.from_event(event, economy_of(state.game))
    if made.answers is not None:
        # A proposal that answers the other side's proposal takes its place.
        answered = _known_proposal(trading, made.answers)
        if answered is not None and answered.recipient == event.sender:
            trading = _without_proposal(trading, made.answers)
    return _with_changed(trading, proposal)


def _known_proposal(trading: TradingState, proposal_id: int) -> Proposal | None:
    for own in trading.proposals.values():
        found: Proposal | None = own.get(proposal_id)
        if found is not None:
            return found
    return None


def _with_changed(trading: TradingState, proposal: Proposal) -> TradingState:
    proposals = trading.proposals
    for seat in (proposal.maker, proposal.recipient):
        if seat in proposals:
            changed = proposals[seat].with_item(proposal.proposal_id, proposal)
            proposals = proposals.with_value(seat, changed)
    return trading._replace(proposals=proposals)


def _with_acceptance(trading: TradingState, event: Event) -> TradingState:
    proposal = _known_proposal(trading, event.payload.proposal_id)
    if proposal is None:
        return trading
    by_maker = event.sender == proposal.maker
    status = ProposalStatus.MATCHED if by_maker else ProposalStatus.ACCEPTED
    return _with_changed(trading, proposal._replace(status=status))


def _without_proposal(trading: TradingState, proposal_id: int) -> TradingState:
    proposals = trading.proposals
    for seat, own in trading.proposals.items():
        if proposal_id in own:
            proposals = proposals.with_value(seat, own.without(proposal_id))
    return trading._replace(proposals=proposals)


def _with_request(state: State, trading: TradingState, event: Event) -> TradingState:
    asked, economy = event.payload, economy_of(state.game)
    if event.sender not in trading.requests:
        return trading
    request = TransactionRequest(
        event.seq,
        event.t,
        event.sender,
        asked.transaction_id,
        asked.buyer,
        asked.counterparty,
        economy.currency.from_number(asked.amount),
        economy.units_of(asked.quantities),
    )
    waiting = (*trading.requests[event.sender], request)
    return trading._replace(requests=trading.requests.with_value(event.sender, waiting))


def _without_requests(
    trading: TradingState, transaction_id: str, seats: Iterable[Seat], pair: Sequence[Seat]
) -> TradingState:
    requests = trading.requests
    for seat in seats:
        if seat in requests:
            left = tuple(
                each
                for each in requests[seat]
                if each.transaction_id != transaction_id or each.counterparty not in pair
            )
            requests = requests.with_value(seat, left)
    return trading._replace(requests=requests)


def _without_seat(state: State, trading: TradingState, leaver: Seat) -> TradingState:
    left = tuple(seat for seat in state.game.seats if seat in (*trading.left, leaver))
    trading = trading._replace(left=left)
    ended = {
        each.proposal_id
        for own in trading.proposals.values()
        for each in own.values()
        if leaver in (each.maker, each.recipient)
    }
    for proposal_id in sorted(ended):
        trading = _without_proposal(trading, proposal_id)
    return trading


def _trade_of(state: State, t: float, data: Mapping[str, Any]) -> SettledTrade:
    economy = economy_of(state.game)
    return SettledTrade(
        t,
        data.get("transaction_id", ""),
        data["buyer"],
        data["seller"],
        economy.currency.from_number(data["amount"]),
        economy.units_of(data["quantities"]),
    )


def _settled(state: State, trading: TradingState, event: Event) -> TradingState:
    trade = _trade_of(state, event.t, event.data)
    pair = (trade.buyer, trade.seller)
    accounts, trades, settled = trading.accounts, trading.trades, trading.settled
    for seat, other in (pair, pair[::-1]):
        if seat in accounts:
            buys = seat == trade.buyer
            side = trade_side(state.game, buys=buys, amount=trade.amount, units=trade.units)
            accounts = accounts.with_value(seat, account_after(accounts[seat], side))
            trades = trades.with_value(seat, trades[seat].append(trade))
            ids = settled[seat].with_item((other, trade.transaction_id), True)
            settled = settled.with_value(seat, ids)
    trading = _without_requests(trading, trade.transaction_id, pair, pair)
    proposal = _proposal_of(trading, trade.transaction_id)
    if proposal is not None and {proposal.maker, proposal.recipient} == set(pair):
        trading = _without_proposal(trading, proposal.proposal_id)
    return trading._replace(accounts=accounts, trades=trades, settled=settled)


def _proposal_of(trading: TradingState, transaction_id: str) -> Proposal | None:
    """Return the proposal of which a transaction has its id; None where it has another id."""
    proposal_id = proposal_id_of(transaction_id)
    return None if proposal_id is None else _known_proposal(trading, proposal_id)
