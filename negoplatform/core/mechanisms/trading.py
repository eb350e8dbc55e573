"""Trading: seats with goods and money trade in pairs; a transaction settles once both have requested it.

The trading phase of Fetch.ai's trading agent competition (TAC). Seats call for proposals, propose, accept,
confirm and decline in pairs, which is not binding. Then both request the transaction: the requests wait for
each other by pair and id, and where both say the same and both sides can still do it, goods and money move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from negoplatform.core.events import EndedBy, Event, EventType
from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.immutable.persistent_list import PersistentList
from negoplatform.core.immutable.persistent_sorted_map import PersistentSortedMap
from negoplatform.core.mechanisms.base import ActAudience, ActRule, Fact, Mechanism
from negoplatform.core.mechanisms.trading_accounts import score
from negoplatform.core.mechanisms.trading_changes import trading_state_after
from negoplatform.core.mechanisms.trading_checks import (
    MOST_PROPOSALS,
    MOST_WAITING_REQUESTS,
    acceptable_proposals,
    check_trading_act,
    recipients_of,
)
from negoplatform.core.mechanisms.trading_facts import (
    GAME_DATA,
    TRADE_REPORTED,
    TRANSACTION_CONFIRMATION,
    TRANSACTION_ERROR,
    expiry_facts,
    facts_behind,
)
from negoplatform.core.mechanisms.trading_feature_vectors import trading_features
from negoplatform.core.mechanisms.trading_state import (
    ProposalAccepted,
    ProposalCall,
    ProposalDeclined,
    ProposalMade,
    SettledTrade,
    TradingAccount,
    TradingState,
    TradingTerms,
    TransactionRequested,
    fee_shares,
    trading_state,
    trading_terms,
)
from negoplatform.core.state import State
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.worth import LogWorth
from negoplatform.domain.utility import Points

CALL_FOR_PROPOSALS, PROPOSE = "CALL_FOR_PROPOSALS", "PROPOSE"
ACCEPT_PROPOSAL, DECLINE_PROPOSAL = "ACCEPT_PROPOSAL", "DECLINE_PROPOSAL"
SUBMIT_TRANSACTION = "SUBMIT_TRANSACTION"
_NO_MAP: PersistentSortedMap[int, Any] = PersistentSortedMap()
_NO_TRADES: PersistentList[SettledTrade] = PersistentList()
_NO_IDS: PersistentSortedMap[tuple[Seat, str], bool] = PersistentSortedMap()


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
    confidential_facts = frozenset({GAME_DATA})
    terms_class = TradingTerms
    rules = ("talk",)

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

    def view(self, mechanism_state: TradingState, seats: tuple[Seat, ...]) -> TradingState:
        """Return the state with the accounts, dialogues, requests and trades of some seats."""
        return mechanism_state.restricted_to(seats)

    # Acts and facts

    def check(self, state: State, seat: Seat, payload: Any, to: tuple[Seat, ...] = ()) -> None:
        """Raise Refused if the seat may not do this now."""
        check_trading_act(state, seat, payload, to)

    def recipients(self, state: State, seat: Seat, payload: Any) -> tuple[Seat, ...]:
        """Return the other side of the proposal that an act is about."""
        return recipients_of(state, seat, payload)

    def apply(self, state: State, event: Event) -> TradingState:
        """Return the state after an event; money and goods move with confirmations alone."""
        return trading_state_after(state, event)

    def consequences(self, state: State, event: Event) -> tuple[Fact, ...]:
        """Return each seat's data at the start, and what becomes of requests."""
        return facts_behind(state, event)

    # Time

    def next_due(self, state: State) -> float | None:
        """Return the time at which the oldest waiting request expires."""
        waits = trading_terms(state.game).request_expires_seconds
        return min((request.t + waits for request in trading_state(state).all_requests()), default=None)

    def falls_due(self, state: State, now: float) -> tuple[Fact, ...]:
        """Return an error for every request that has waited too long, the oldest first."""
        return expiry_facts(state, now)

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
        """Return the accounts, worths and dialogues that the state holds, and what everybody may know."""
        return trading_features(state)

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
            for each in trading_state(state).all_requests()
        ]
        return lines
