"""Checks of the acts of a trading game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from negoplatform.core.events import Nothing
from negoplatform.core.mechanisms.trading_accounts import called, check_own_half, shortage
from negoplatform.core.mechanisms.trading_state import (
    Proposal,
    ProposalAccepted,
    ProposalCall,
    ProposalDeclined,
    ProposalMade,
    ProposalStatus,
    TradingState,
    TransactionRequested,
    trading_state,
)
from negoplatform.core.state import State
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Money

MOST_WAITING_REQUESTS = 50
"""Most requests of a seat that wait at a time."""

MOST_PROPOSALS = 100
"""Most proposals of a seat that may lead to a transaction at a time."""

_OwnPayload = ProposalCall | ProposalMade | ProposalAccepted | ProposalDeclined | TransactionRequested


def check_trading_act(state: State, seat: Seat, payload: Any, to: tuple[Seat, ...]) -> None:
    """Raise Refused if the seat may not do this now."""
    trading = trading_state(state)
    if seat in trading.left and isinstance(payload, Nothing | _OwnPayload):
        raise Refused("You’ve left the market.")
    for other in to if isinstance(payload, _OwnPayload) else ():
        if other in trading.left:
            raise Refused(f"{called(state, other)} has left the market.")
    match payload:
        case ProposalCall(goods=goods):
            _units(state, dict.fromkeys(goods, 1))
        case ProposalMade():
            _check_proposal(state, seat, payload, to)
        case ProposalAccepted(proposal_id):
            _check_acceptance(state, seat, proposal_id, to)
        case ProposalDeclined(proposal_id):
            proposal = _live_proposal(trading, seat, proposal_id)
            _check_addressed(state, proposal, seat, to)
        case TransactionRequested():
            _check_request(state, seat, payload)


def recipients_of(state: State, seat: Seat, payload: Any) -> tuple[Seat, ...]:
    """Return the other side of the proposal that an act is about."""
    if isinstance(payload, ProposalAccepted | ProposalDeclined) and seat in trading_state(state).proposals:
        return (_live_proposal(trading_state(state), seat, payload.proposal_id).other(seat),)
    return ()


def _check_proposal(state: State, seat: Seat, made: ProposalMade, to: tuple[Seat, ...]) -> None:
    trading = trading_state(state)
    amount, units = _money(state, made.amount), _units(state, made.quantities)
    if trading.proposals_of(seat) >= MOST_PROPOSALS:
        raise Refused("Too many of your proposals are open; withdraw one first.")
    if made.answers is not None:
        call = trading.calls[seat].get(made.answers)
        answered = trading.proposals[seat].get(made.answers)
        if call is None and answered is None:
            raise Refused("What this proposal answers is not open.")
        pair = {call.caller, call.recipient} if call else {answered.maker, answered.recipient}
        if to and to[0] not in pair:
            raise Refused("What this proposal answers belongs to another dialogue.")
    check_own_half(state, seat, made.buyer, amount, units)


def _check_request(state: State, seat: Seat, asked: TransactionRequested) -> None:
    trading, other = trading_state(state), asked.counterparty
    if other not in state.game.seats or other == seat:
        raise Refused(f"A transaction needs another seat of this game, not {other!r}.")
    if other in trading.left:
        raise Refused(f"{called(state, other)} has left the market.")
    amount, units = _money(state, asked.amount), _units(state, asked.quantities)
    if trading.waiting_request(seat, other, asked.transaction_id):
        raise Refused(f"You’ve already submitted this transaction; it waits for {called(state, other)}.")
    if trading.is_settled(seat, other, asked.transaction_id):
        raise Refused("This transaction has already been settled; a new one needs a new id.")
    if len(trading.requests[seat]) >= MOST_WAITING_REQUESTS:
        raise Refused("Too many of your transactions are waiting; wait until some are settled.")
    check_own_half(state, seat, asked.buyer, amount, units)


def _check_acceptance(state: State, seat: Seat, proposal_id: int, to: tuple[Seat, ...]) -> None:
    proposal = _live_proposal(trading_state(state), seat, proposal_id)
    _check_addressed(state, proposal, seat, to)
    other = called(state, proposal.other(seat))
    if proposal.status is ProposalStatus.MATCHED:
        raise Refused("Both of you have already accepted that proposal.")
    if proposal.recipient == seat and proposal.status is ProposalStatus.ACCEPTED:
        raise Refused(f"You’ve already accepted that proposal; it waits for {other}.")
    if proposal.maker == seat and proposal.status is ProposalStatus.OPEN:
        raise Refused(f"{other} has to accept your proposal first.")
    check_own_half(state, seat, proposal.buying_seat == seat, proposal.amount, proposal.units)


def _check_addressed(state: State, proposal: Proposal, seat: Seat, to: tuple[Seat, ...]) -> None:
    if to and to != (proposal.other(seat),):
        raise Refused(f"That proposal is between you and {called(state, proposal.other(seat))}.")


def _live_proposal(trading: TradingState, seat: Seat, proposal_id: int) -> Proposal:
    proposal: Proposal | None = trading.proposals[seat].get(proposal_id)
    if proposal is None:
        raise Refused("That proposal is no longer open.")
    return proposal


def acceptable_proposals(state: State, seat: Seat) -> Iterable[Proposal]:
    """Yield the proposals that a seat can accept, or confirm once accepted, with what it has now."""
    for proposal in trading_state(state).proposals[seat].values():
        waits_for_seat = proposal.status is (
            ProposalStatus.OPEN if proposal.recipient == seat else ProposalStatus.ACCEPTED
        )
        buys = proposal.buying_seat == seat
        if waits_for_seat and not shortage(state, seat, buys, proposal.amount, proposal.units):
            yield proposal


def _money(state: State, amount: int | float) -> Money:
    try:
        return economy_of(state.game).currency.from_number(amount)
    except NegoError as error:
        raise Refused(f"{str(error).rstrip('.')}.") from None


def _units(state: State, quantities: Mapping[str, int]) -> tuple[int, ...]:
    try:
        return economy_of(state.game).units_of(quantities)
    except NegoError as error:
        raise Refused(str(error)) from None
