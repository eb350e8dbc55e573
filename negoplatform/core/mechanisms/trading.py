"""Trading: seats with goods and money trade in pairs; a transaction settles once both have requested it.

The trading phase of Fetch.ai's trading agent competition (TAC). Seats call for proposals, propose, accept,
confirm and decline in pairs, which is not binding. Then both request the transaction: the requests wait for
each other by pair and id, and where both say the same and both sides can still do it, goods and money move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from negoplatform.core.events import EndedBy, Ending, Event, EventType, Nothing
from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.mechanisms.base import ActAudience, ActRule, Fact, Mechanism, fact, game_end
from negoplatform.core.mechanisms.trading_state import (
    MOST_CALLS,
    Proposal,
    ProposalAccepted,
    ProposalCall,
    ProposalDeclined,
    ProposalMade,
    ProposalStatus,
    SentCall,
    SettledTrade,
    Tape,
    TradingAccount,
    TradingState,
    TradingTerms,
    TransactionRequest,
    TransactionRequested,
    fee_shares,
    proposal_id_of,
    trading_state,
    trading_terms,
    transaction_id_of,
)
from negoplatform.core.persistent_list import PersistentList
from negoplatform.core.persistent_sorted_map import PersistentSortedMap
from negoplatform.core.state import State
from negoplatform.domain.economy import Money
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.game import GameSpec, Visibility, economy_of
from negoplatform.domain.seat_map import PLATFORM, Seat, SeatMap
from negoplatform.domain.utility import Points
from negoplatform.domain.worth import LogWorth

CALL_FOR_PROPOSALS, PROPOSE = "CALL_FOR_PROPOSALS", "PROPOSE"
ACCEPT_PROPOSAL, DECLINE_PROPOSAL = "ACCEPT_PROPOSAL", "DECLINE_PROPOSAL"
SUBMIT_TRANSACTION = "SUBMIT_TRANSACTION"
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

MOST_WAITING_REQUESTS = 50
"""Most requests of a seat that wait at a time."""

MOST_PROPOSALS = 100
"""Most proposals of a seat that may lead to a transaction at a time."""

_NO_MAP: PersistentSortedMap[int, Any] = PersistentSortedMap()
_NO_TRADES: PersistentList[SettledTrade] = PersistentList()
_NO_IDS: PersistentSortedMap[tuple[Seat, str], bool] = PersistentSortedMap()


class TradingHoldings(Feature):
    """A seat's money and its units of each good; only the seat itself sees them."""

    money: float = 0.0
    units: tuple[float, ...] = ()
    waiting: float = 0.0


class TradingActivity(Feature):
    """The number of trades on the tape, and of seats that have left."""

    visibility: ClassVar[Sequence[str]] = (Visibility.PUBLIC,)

    trades: float = 0.0
    left: float = 0.0


class Trading(Mechanism):
    """Trading in pairs: dialogues that are not binding, and transactions that both sides request."""

    name = "trading"
    acts: ClassVar[Mapping[str, ActRule]] = MappingProxyType(
        {
            CALL_FOR_PROPOSALS: ActRule(ProposalCall, ActAudience.ONE_SEAT, intention="call"),
            PROPOSE: ActRule(ProposalMade, ActAudience.ONE_SEAT, flushes=True, intention="propose"),
            ACCEPT_PROPOSAL: ActRule(
                ProposalAccepted, ActAudience.ONE_SEAT, flushes=True, intention="accept"
            ),
            DECLINE_PROPOSAL: ActRule(
                ProposalDeclined, ActAudience.ONE_SEAT, flushes=True, intention="decline"
            ),
            SUBMIT_TRANSACTION: ActRule(TransactionRequested, ActAudience.SENDER, intention="submit"),
        }
    )
    facts: ClassVar[Mapping[str, bool]] = MappingProxyType(
        {GAME_DATA: False, TRANSACTION_CONFIRMATION: True, TRANSACTION_ERROR: True, TRADE_REPORTED: True}
    )
    terms_class = TradingTerms

    # Game

    def check_game(self, game: GameSpec) -> None:
        """Raise NegoError unless the game has goods, and a fee that its money can express."""
        if game.economy is None or not game.economy.goods:
            raise NegoError("a trading game has 'goods', at least one, and no 'issues'")
        game.economy.currency.from_number(trading_terms(game).fee)
        for seat, worth in game.economy.worths.items():
            if not isinstance(worth, LogWorth) and not hasattr(worth, "by_good"):
                raise NegoError(
                    f"'seats.{seat}.worth' depends on conditions, which a trading game does not have"
                )

    def initial_state(self, game: GameSpec) -> TradingState:
        """Return the endowments that the game holds."""
        endowments = economy_of(game).endowments
        known = tuple(endowments)
        accounts = SeatMap(
            (seat, TradingAccount(endowment.money, endowment.units)) for seat, endowment in endowments.items()
        )
        return TradingState(
            accounts,
            SeatMap((seat, _NO_MAP) for seat in known),
            SeatMap((seat, _NO_MAP) for seat in known),
            SeatMap((seat, ()) for seat in known),
            SeatMap((seat, _NO_TRADES) for seat in known),
            SeatMap((seat, _NO_IDS) for seat in known),
        )

    def view(self, mechanism_state: TradingState, seat: Seat | None) -> TradingState:
        """Return the state with the seat's own account, dialogues, requests and trades."""
        return mechanism_state.restricted_to((seat,) if seat else ())

    # Acts and facts

    def check(self, state: State, seat: Seat, payload: Any, to: tuple[Seat, ...] = ()) -> None:
        """Raise Refused if the seat may not do this now."""
        trading = trading_state(state)
        if seat in trading.left and isinstance(payload, Nothing | _OwnPayload):
            raise Refused("You’ve left the market.")
        for other in to if isinstance(payload, _OwnPayload) else ():
            if other in trading.left:
                raise Refused(f"{_called(state, other)} has left the market.")
        match payload:
            case ProposalCall(goods=goods):
                _units(state, dict.fromkeys(goods, 1))
            case ProposalMade():
                self._check_proposal(state, seat, payload, to)
            case ProposalAccepted(proposal_id):
                _check_acceptance(state, seat, proposal_id, to)
            case ProposalDeclined(proposal_id):
                proposal = _live_proposal(trading, seat, proposal_id)
                _check_addressed(state, proposal, seat, to)
            case TransactionRequested():
                self._check_request(state, seat, payload)

    def recipients(self, state: State, seat: Seat, payload: Any) -> tuple[Seat, ...]:
        """Return the other side of the proposal that an act is about."""
        if (
            isinstance(payload, ProposalAccepted | ProposalDeclined)
            and seat in trading_state(state).proposals
        ):
            return (_live_proposal(trading_state(state), seat, payload.proposal_id).other(seat),)
        return ()

    @staticmethod
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
        _check_own_half(state, seat, made.buyer, amount, units)

    @staticmethod
    def _check_request(state: State, seat: Seat, asked: TransactionRequested) -> None:
        trading, other = trading_state(state), asked.counterparty
        if other not in state.game.seats or other == seat:
            raise Refused(f"A transaction needs another seat of this game, not {other!r}.")
        if other in trading.left:
            raise Refused(f"{_called(state, other)} has left the market.")
        amount, units = _money(state, asked.amount), _units(state, asked.quantities)
        if trading.waiting_request(seat, other, asked.transaction_id):
            raise Refused(f"You’ve already submitted this transaction; it waits for {_called(state, other)}.")
        if trading.is_settled(seat, other, asked.transaction_id):
            raise Refused("This transaction has already been settled; a new one needs a new id.")
        if len(trading.requests[seat]) >= MOST_WAITING_REQUESTS:
            raise Refused("Too many of your transactions are waiting; wait until some are settled.")
        _check_own_half(state, seat, asked.buyer, amount, units)

    def apply(self, state: State, event: Event) -> TradingState:
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

    def consequences(self, state: State, event: Event) -> tuple[Fact, ...]:
        """Return each seat's data at the start, and what becomes of requests."""
        match event.type:
            case EventType.GAME_START:
                return tuple(_game_data(state.game, seat) for seat in state.game.seats)
            case "SUBMIT_TRANSACTION":
                return self._meet(state, event)
            case "DECLINE_PROPOSAL":
                return _withdrawal(state, event, event.payload.proposal_id)
            case "PROPOSE" if event.payload.answers is not None:
                # A proposal that has just taken the place of another one declines that.
                answered = event.payload.answers
                replaced = answered not in trading_state(state).proposals[event.sender]
                is_call = answered in trading_state(state).calls[event.sender]
                return _withdrawal(state, event, answered) if replaced and not is_call else ()
            case EventType.FORMAL_QUIT:
                return self._close_for(state, event.sender)
            case _:
                return ()

    @staticmethod
    def _meet(state: State, event: Event) -> tuple[Fact, ...]:
        """Return what becomes of a request that has just been submitted."""
        trading, asked = trading_state(state), event.payload
        mine = trading.waiting_request(event.sender, asked.counterparty, asked.transaction_id)
        theirs = trading.waiting_request(asked.counterparty, event.sender, asked.transaction_id)
        assert mine is not None
        if theirs is None:
            lacking = _lacking(state, mine.counterparty, not mine.buyer, mine.amount, mine.units)
            if lacking and trading_terms(state.game).check_counterparty_at_submission:
                return (_error(state, [mine], TRANSACTION_NOT_VALID, lacking, to=(mine.sender,)),)
            return ()
        if not mine.mirrors(theirs):
            # The first request goes on waiting: a wrong second one must not destroy it.
            reason = f"The two requests of this transaction differ: {_differences(state, theirs, mine)}."
            return (_error(state, [mine], TRANSACTION_NOT_MATCHING, reason),)
        for seat, buys in ((mine.buying_seat, True), (mine.selling_seat, False)):
            lacking = _lacking(state, seat, buys, mine.amount, mine.units)
            if lacking:
                return (_error(state, [theirs, mine], TRANSACTION_NOT_VALID, lacking),)
        return _settlement(state, mine)

    @staticmethod
    def _close_for(state: State, leaver: Seat) -> tuple[Fact, ...]:
        """Return what follows when a seat leaves: its transactions end, and the game with the last pair."""
        reason = f"{_called(state, leaver)} has left the market."
        errors = tuple(
            _error(state, [request], TRANSACTION_WITHDRAWN, reason)
            for request in _all_requests(state)
            if leaver in (request.sender, request.counterparty)
        )
        if len(state.game.seats) - len(trading_state(state).left) < 2:
            return (*errors, game_end(Ending(EndedBy.COMPLETED, by=leaver)))
        return errors

    # Time

    def next_due(self, state: State) -> float | None:
        """Return the time at which the oldest waiting request expires."""
        waits = trading_terms(state.game).request_expires_seconds
        return min((request.t + waits for request in _all_requests(state)), default=None)

    def falls_due(self, state: State, now: float) -> tuple[Fact, ...]:
        """Return an error for every request that has waited too long, the oldest first."""
        waits = trading_terms(state.game).request_expires_seconds
        expired = [request for request in _all_requests(state) if request.t + waits <= now]
        return tuple(
            _error(
                state,
                [request],
                TRANSACTION_EXPIRED,
                f"{_called(state, request.counterparty)} did not confirm this trade in time.",
            )
            for request in sorted(expired)
        )

    # Points and presentation

    def legal(self, state: State, seat: Seat) -> frozenset[str]:
        """Return the acts that are open; what the other side could do is not known, and not considered."""
        trading = trading_state(state)
        account = trading.accounts.get(seat)
        others = [other for other in state.game.others(seat) if other not in trading.left]
        if account is None or seat in trading.left:
            return frozenset()
        kinds = {str(EventType.FORMAL_QUIT)}
        if not others:
            return frozenset(kinds)
        kinds.add(CALL_FOR_PROPOSALS)
        if account.money >= fee_shares(state.game)[0] or any(account.units):
            if trading.proposals_of(seat) < MOST_PROPOSALS:
                kinds.add(PROPOSE)
            if len(trading.requests[seat]) < MOST_WAITING_REQUESTS:
                kinds.add(SUBMIT_TRANSACTION)
        if len(trading.proposals[seat]):
            kinds.add(DECLINE_PROPOSAL)
        if any(acceptable_proposals(state, seat)):
            kinds.add(ACCEPT_PROPOSAL)
        return frozenset(kinds)

    def points(self, state: State, seat: Seat) -> Points | None:
        """Return the score: the money and the worth of the goods, in the game's money."""
        ended = state.ending is not None and state.ending.ended_by is not EndedBy.ABORTED
        return self.standing(state, seat) if ended else None

    def standing(self, state: State, seat: Seat) -> Points | None:
        """Return the same while the game runs."""
        account = trading_state(state).accounts.get(seat)
        return None if account is None else score(state.game, seat, account)

    def features(self, state: State, now: float) -> SeatMap[Sequence[Feature]]:  # noqa: ARG002 - time changes none
        """Return the holdings that the state holds, and what everybody may know."""
        trading, currency = trading_state(state), economy_of(state.game).currency
        own = [
            (
                seat,
                [
                    TradingHoldings(
                        money=float(currency.to_number(account.money)),
                        units=account.units,
                        waiting=len(trading.requests[seat]),
                    )
                ],
            )
            for seat, account in trading.accounts.items()
        ]
        activity = TradingActivity(trades=len(trading.tape), left=len(trading.left))
        return SeatMap([*own, (PLATFORM, [activity])])

    def describe(self, state: State) -> list[str]:
        """Return the accounts, the proposals that are open and the requests that wait."""
        trading, economy = trading_state(state), economy_of(state.game)
        lines = [
            f"{seat}: {economy.currency.format(account.money)}, {economy.describe_units(account.units)}"
            for seat, account in trading.accounts.items()
        ]
        proposals = {each.proposal_id: each for own in trading.proposals.values() for each in own.values()}
        lines += [
            f"proposal {each.proposal_id} ({each.status}): {each.buying_seat} buys "
            f"{economy.describe_units(each.units)} from {each.selling_seat} for "
            f"{economy.currency.format(each.amount)}"
            for each in proposals.values()
        ]
        lines += [
            f"transaction {each.transaction_id} of {each.sender} waits for {each.counterparty}"
            for each in _all_requests(state)
        ]
        return lines


_OwnPayload = ProposalCall | ProposalMade | ProposalAccepted | ProposalDeclined | TransactionRequested


class TradeSide(NamedTuple):
    """Changes that a trade makes for one side: its money, with its share of the fee, and its units."""

    money: Money
    units: tuple[int, ...]


def trade_side(game: GameSpec, *, buys: bool, amount: Money, units: tuple[int, ...]) -> TradeSide:
    """Return what a transaction changes for its buyer or its seller.

    Args:
        game: The game.
        buys: Whether it is the buyer's side.
        amount: The price, in minor units.
        units: The units of each good.
    """
    for_buyer, for_seller = fee_shares(game)
    if buys:
        return TradeSide(-amount - for_buyer, units)
    return TradeSide(amount - for_seller, tuple(-count for count in units))


def account_after(account: TradingAccount, side: TradeSide) -> TradingAccount:
    """Return an account after a trade; it may be negative, where the trade is not valid."""
    units = tuple(a + b for a, b in zip(account.units, side.units, strict=True))
    return TradingAccount(account.money + side.money, units)


def score(game: GameSpec, seat: Seat, account: TradingAccount) -> Points | None:
    """Return the score of an account: money and worth of goods, in the game's money; None: it is hidden."""
    economy = economy_of(game)
    worth = economy.worths.get(seat)
    return None if worth is None else economy.currency.to_number(account.money + worth.of(account.units))


def acceptable_proposals(state: State, seat: Seat) -> Iterable[Proposal]:
    """Yield the proposals that a seat can accept, or confirm once accepted, with what it has now."""
    for proposal in trading_state(state).proposals.get(seat, _NO_MAP).values():
        waits_for_seat = proposal.status is (
            ProposalStatus.OPEN if proposal.recipient == seat else ProposalStatus.ACCEPTED
        )
        buys = proposal.buying_seat == seat
        if waits_for_seat and not _lacking(state, seat, buys, proposal.amount, proposal.units):
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


def _called(state: State, seat: Seat) -> str:
    return state.game.names.get(seat, seat)


def _lacking(state: State, seat: Seat, buys: bool, amount: Money, units: tuple[int, ...]) -> str:
    """Return what a seat lacks for its side of a transaction, a sentence; empty: nothing."""
    account = trading_state(state).accounts[seat]
    after = account_after(account, trade_side(state.game, buys=buys, amount=amount, units=units))
    if min(after.units) < 0:
        return f"{_called(state, seat)} does not have enough to sell."
    if after.money < 0:
        return f"{_called(state, seat)} does not have enough money."
    return ""


def _check_own_half(state: State, seat: Seat, buys: bool, amount: Money, units: tuple[int, ...]) -> None:
    economy, account = economy_of(state.game), trading_state(state).accounts[seat]
    side = trade_side(state.game, buys=buys, amount=amount, units=units)
    after = account_after(account, side)
    if min(after.units) < 0:
        raise Refused(f"You don’t have that much to sell; you have {economy.describe_units(account.units)}.")
    if after.money < 0:
        currency, fee = economy.currency, trading_terms(state.game).fee
        with_fee = " with your share of the fee" if fee else ""
        raise Refused(
            f"You don’t have enough money: this costs {currency.format(-side.money)}{with_fee}, "
            f"and you have {currency.format(account.money)}."
        )


def _live_proposal(trading: TradingState, seat: Seat, proposal_id: int) -> Proposal:
    proposal: Proposal | None = trading.proposals[seat].get(proposal_id)
    if proposal is None:
        raise Refused("That proposal is no longer open.")
    return proposal


def _check_addressed(state: State, proposal: Proposal, seat: Seat, to: tuple[Seat, ...]) -> None:
    if to and to != (proposal.other(seat),):
        raise Refused(f"That proposal is between you and {_called(state, proposal.other(seat))}.")


def _check_acceptance(state: State, seat: Seat, proposal_id: int, to: tuple[Seat, ...]) -> None:
    proposal = _live_proposal(trading_state(state), seat, proposal_id)
    _check_addressed(state, proposal, seat, to)
    other = _called(state, proposal.other(seat))
    if proposal.status is ProposalStatus.MATCHED:
        raise Refused("Both of you have already accepted that proposal.")
    if proposal.recipient == seat and proposal.status is ProposalStatus.ACCEPTED:
        raise Refused(f"You’ve already accepted that proposal; it waits for {other}.")
    if proposal.maker == seat and proposal.status is ProposalStatus.OPEN:
        raise Refused(f"{other} has to accept your proposal first.")
    _check_own_half(state, seat, proposal.buying_seat == seat, proposal.amount, proposal.units)


def _withdrawal(state: State, event: Event, proposal_id: int) -> tuple[Fact, ...]:
    """Return the end of the requests that wait for a proposal that an act has taken off the table."""
    pair, its_id = (event.sender, event.to[0]), transaction_id_of(proposal_id)
    reason = f"{_called(state, event.sender)} has withdrawn from this trade."
    return tuple(
        _error(state, [request], TRANSACTION_WITHDRAWN, reason)
        for seat, other in (pair, pair[::-1])
        if (request := trading_state(state).waiting_request(seat, other, its_id))
    )


def _all_requests(state: State) -> list[TransactionRequest]:
    return [request for own in trading_state(state).requests.values() for request in own]


# What events change


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
    made, economy = event.payload, economy_of(state.game)
    proposal = Proposal(
        event.seq,
        event.sender,
        event.to[0],
        made.buyer,
        economy.currency.from_number(made.amount),
        economy.units_of(made.quantities),
        made.answers,
    )
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


# Facts


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
    names = [_called(state, seat) for seat in (buyer, seller)]
    text = (
        f"{names[0]} has bought {economy.describe_units(request.units)} from {names[1]} "
        f"for {economy.currency.format(request.amount)}."
    )
    facts = [fact(TRANSACTION_CONFIRMATION, confirmed, to=(buyer, seller), text=text)]
    if trading_terms(state.game).tape is Tape.PUBLIC:
        facts.append(fact(TRADE_REPORTED, trade, text=text))
    return tuple(facts)
