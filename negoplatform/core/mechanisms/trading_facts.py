"""Facts of a trading game: the data at the start, and what becomes of requests."""

from __future__ import annotations

from collections.abc import Sequence

from negoplatform.core.events import EndedBy, Ending, Event, EventType
from negoplatform.core.mechanisms.base import Fact, fact, game_end
from negoplatform.core.mechanisms.trading_accounts import called, shortage
from negoplatform.core.mechanisms.trading_state import (
    Tape,
    TransactionRequest,
    fee_shares,
    trading_state,
    trading_terms,
    transaction_id_of,
)
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.worth import LogWorth

GAME_DATA, TRADE_REPORTED = "game-data", "trade-reported"
TRANSACTION_CONFIRMATION, TRANSACTION_ERROR = "transaction-confirmation", "transaction-error"

TRANSACTION_NOT_VALID = "TRANSACTION_NOT_VALID"
"""Error code: the buyer lacks the money, or the seller the goods."""
TRANSACTION_NOT_MATCHING = "TRANSACTION_NOT_MATCHING"
"""Error code: the two requests of one id say different things."""
TRANSACTION_EXPIRED = "TRANSACTION_EXPIRED"
"""Error code: the other side's request did not come in time."""
TRANSACTION_WITHDRAWN = "TRANSACTION_WITHDRAWN"
"""Error code: one of the two has withdrawn the proposal, or has left."""


def facts_behind(state: State, event: Event) -> tuple[Fact, ...]:
    """Return each seat's data at the start, and what becomes of requests."""
    match event.type:
        case EventType.GAME_START:
            return tuple(_game_data(state.game, seat) for seat in state.game.seats)
        case "SUBMIT_TRANSACTION":
            return _meet(state, event)
        case "DECLINE_PROPOSAL":
            return _withdrawal(state, event, event.payload.proposal_id)
        case "PROPOSE" if event.payload.answers is not None:
            # A proposal that has just taken the place of another one declines that.
            answered = event.payload.answers
            replaced = answered not in trading_state(state).proposals[event.sender]
            is_call = answered in trading_state(state).calls[event.sender]
            return _withdrawal(state, event, answered) if replaced and not is_call else ()
        case EventType.FORMAL_QUIT:
            return _close_for(state, event.sender)
        case _:
            return ()


def expiry_facts(state: State, now: float) -> tuple[Fact, ...]:
    """Return an error for every request that has waited too long, the oldest first."""
    waits = trading_terms(state.game).request_expires_seconds
    expired = [request for request in trading_state(state).all_requests() if request.t + waits <= now]
    return tuple(
        _error(
            state,
            [request],
            TRANSACTION_EXPIRED,
            f"{called(state, request.counterparty)} did not confirm this trade in time.",
        )
        for request in sorted(expired)
    )


def _meet(state: State, event: Event) -> tuple[Fact, ...]:
    """Return what becomes of a request that has just been submitted."""
    trading, asked = trading_state(state), event.payload
    mine = trading.waiting_request(event.sender, asked.counterparty, asked.transaction_id)
    theirs = trading.waiting_request(asked.counterparty, event.sender, asked.transaction_id)
    assert mine is not None
    if theirs is None:
        lacking = shortage(state, mine.counterparty, not mine.buyer, mine.amount, mine.units)
        if lacking and trading_terms(state.game).check_counterparty_at_submission:
            return (_error(state, [mine], TRANSACTION_NOT_VALID, lacking, to=(mine.sender,)),)
        return ()
    if not mine.mirrors(theirs):
        # The first request goes on waiting: a wrong second one must not destroy it.
        reason = f"The two requests of this transaction differ: {_differences(state, theirs, mine)}."
        return (_error(state, [mine], TRANSACTION_NOT_MATCHING, reason),)
    for seat, buys in ((mine.buying_seat, True), (mine.selling_seat, False)):
        lacking = shortage(state, seat, buys, mine.amount, mine.units)
        if lacking:
            return (_error(state, [theirs, mine], TRANSACTION_NOT_VALID, lacking),)
    return _settlement(state, mine)


def _close_for(state: State, leaver: Seat) -> tuple[Fact, ...]:
    """Return what follows when a seat leaves: its transactions end, and the game with the last pair."""
    reason = f"{called(state, leaver)} has left the market."
    errors = tuple(
        _error(state, [request], TRANSACTION_WITHDRAWN, reason)
        for request in trading_state(state).all_requests()
        if leaver in (request.sender, request.counterparty)
    )
    if len(state.game.seats) - len(trading_state(state).left) < 2:
        return (*errors, game_end(Ending(EndedBy.COMPLETED, by=leaver)))
    return errors


def _withdrawal(state: State, event: Event, proposal_id: int) -> tuple[Fact, ...]:
    """Return the end of the requests that wait for a proposal that an act has taken off the table."""
    pair, its_id = (event.sender, event.to[0]), transaction_id_of(proposal_id)
    reason = f"{called(state, event.sender)} has withdrawn from this trade."
    return tuple(
        _error(state, [request], TRANSACTION_WITHDRAWN, reason)
        for seat, other in (pair, pair[::-1])
        if (request := trading_state(state).waiting_request(seat, other, its_id))
    )


def _game_data(game: GameSpec, seat: Seat) -> Fact:
    economy = economy_of(game)
    endowment, worth = economy.endowments[seat], economy.worths[seat]
    parameters = worth.parameters if isinstance(worth, LogWorth) else ()
    numbers = [economy.currency.to_number(float(parameter)) for parameter in parameters]
    data = {
        "money": economy.currency.to_number(endowment.money),
        "endowment": list(endowment.units),
        "utility_params": numbers,
        "nb_agents": len(game.seats),
        "nb_goods": len(economy.goods),
        "tx_fee": float(trading_terms(game).fee),
        "agent_pbk_to_name": {each: game.names.get(each, each) for each in game.seats},
        "good_pbk_to_name": {good.name: good.title for good in economy.goods},
        "endowment_by_good": dict(zip(economy.good_names, endowment.units, strict=True)),
        "utility_params_by_good": dict(zip(economy.good_names, numbers, strict=False)),
    }
    return fact(GAME_DATA, data, to=(seat,))


def _error(
    state: State,
    dropped: Sequence[TransactionRequest],
    code: str,
    reason: str,
    *,
    to: tuple[Seat, ...] | None = None,
) -> Fact:
    """Return an error about a transaction, which drops requests; to both sides unless given."""
    request = dropped[-1]
    pair = (request.buying_seat, request.selling_seat)
    economy = economy_of(state.game)
    data = {
        "transaction_id": request.transaction_id,
        "error_code": code,
        "reason": reason,
        "pair": list(pair),
        "dropped": [each.sender for each in dropped],
        "amount": economy.currency.to_number(request.amount),
        "quantities": dict(economy.quantities_of(request.units)),
    }
    return fact(TRANSACTION_ERROR, data, to=pair if to is None else to, text=reason)


def _differences(state: State, first: TransactionRequest, second: TransactionRequest) -> str:
    economy = economy_of(state.game)
    found = []
    if first.buyer is second.buyer:
        found.append(f"both want to {'buy' if first.buyer else 'sell'}")
    if first.amount != second.amount:
        amounts = [economy.currency.format(each.amount) for each in (first, second)]
        found.append(f"the price is {amounts[0]} in one and {amounts[1]} in the other")
    if first.units != second.units:
        units = [economy.describe_units(each.units) for each in (first, second)]
        found.append(f"one is about {units[0]} and the other about {units[1]}")
    return "; ".join(found)


def _settlement(state: State, request: TransactionRequest) -> tuple[Fact, ...]:
    """Return the facts of a transaction that both sides have requested."""
    economy = economy_of(state.game)
    buyer, seller = request.buying_seat, request.selling_seat
    for_buyer, for_seller = fee_shares(state.game)
    count = sum(request.units)
    trade = {
        "buyer": buyer,
        "seller": seller,
        "amount": economy.currency.to_number(request.amount),
        "quantities": dict(economy.quantities_of(request.units)),
    }
    confirmed = {
        "transaction_id": request.transaction_id,
        **trade,
        "fee": {
            "buyer": economy.currency.to_number(for_buyer),
            "seller": economy.currency.to_number(for_seller),
        },
        "unit_price": economy.currency.to_number(request.amount / count),
    }
    names = [called(state, seat) for seat in (buyer, seller)]
    text = (
        f"{names[0]} has bought {economy.describe_units(request.units)} from {names[1]} "
        f"for {economy.currency.format(request.amount)}."
    )
    facts = [fact(TRANSACTION_CONFIRMATION, confirmed, to=(buyer, seller), text=text)]
    if trading_terms(state.game).tape is Tape.PUBLIC:
        facts.append(fact(TRADE_REPORTED, trade, text=text))
    return tuple(facts)
