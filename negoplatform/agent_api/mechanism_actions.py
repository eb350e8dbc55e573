"""Actions of trading and market games: short forms of :class:`MechanismAct` with plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

from negoplatform.agent_api.actions import MechanismAct, MechanismAction
from negoplatform.core.immutable.frozen_json import FrozenJson, copy_json
from negoplatform.core.mechanisms.double_auction_state import DecisionMade, OrderCancelled, OrderPlaced
from negoplatform.core.mechanisms.market import CANCEL_ORDER, DECIDE, PLACE_ORDER
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.mechanisms.trading import (
    ACCEPT_PROPOSAL,
    CALL_FOR_PROPOSALS,
    DECLINE_PROPOSAL,
    PROPOSE,
    SUBMIT_TRANSACTION,
)
from negoplatform.core.mechanisms.trading_state import (
    ProposalAccepted,
    ProposalCall,
    ProposalDeclined,
    ProposalMade,
    TransactionRequested,
)
from negoplatform.domain.errors import AgentError, NegoError, Refused
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Quantities


def _act(action: MechanismAction, kind: str, make: Any, to: tuple[Seat, ...] = ()) -> MechanismAct:
    """Return the act of an action; ``make`` returns its payload."""
    try:
        return MechanismAct(kind, make(), to, action.delay_ms, flushable=action.flushable)
    except AgentError:
        raise
    except NegoError as error:
        raise AgentError(f"{type(action).__name__}: {error}") from None


def _names(goods: Any) -> tuple[str, ...]:
    """Return the names of goods.

    Raises:
        Refused: If they are no list or tuple; a text would be one name for each of its letters.
    """
    if not isinstance(goods, list | tuple):
        raise Refused("The goods of a call for proposals are a tuple of their names.")
    return tuple(goods)


@dataclass(frozen=True, slots=True)
class CallForProposals(MechanismAction):
    """Ask another seat for proposals.

    Args:
        to: The other seat.
        buyer: Whether this seat wants to buy; False: to sell.
        goods: Names of the goods it is about; none means any.
    """

    to: Seat
    buyer: bool
    goods: tuple[str, ...] = ()

    def _make_act(self) -> MechanismAct:
        return _act(
            self, CALL_FOR_PROPOSALS, lambda: ProposalCall(self.buyer, _names(self.goods)), (self.to,)
        )


@dataclass(frozen=True, slots=True)
class Propose(MechanismAction):
    """Propose a transaction to another seat; it does not bind.

    Args:
        to: The other seat.
        buyer: Whether this seat would be the buyer.
        amount: The price of all goods together, in the game's money.
        quantities: The units of each good, such as ``{"wool": 2}``; a good that is missing counts 0.
        answers: The id of the call or proposal that it answers; a proposal is then replaced by this one.
    """

    to: Seat
    buyer: bool
    amount: int | float
    quantities: Mapping[str, int]
    answers: int | None = None

    def _make_act(self) -> MechanismAct:
        return _act(
            self,
            PROPOSE,
            lambda: ProposalMade(self.buyer, self.amount, Quantities(self.quantities), self.answers),
            (self.to,),
        )


@dataclass(frozen=True, slots=True)
class AcceptProposal(MechanismAction):
    """Accept another seat's proposal, or confirm the acceptance of one's own; it does not bind.

    Args:
        proposal_id: The id of the proposal.
    """

    proposal_id: int

    def _make_act(self) -> MechanismAct:
        return _act(self, ACCEPT_PROPOSAL, lambda: ProposalAccepted(self.proposal_id))


@dataclass(frozen=True, slots=True)
class DeclineProposal(MechanismAction):
    """Decline another seat's proposal, or withdraw one's own.

    Args:
        proposal_id: The id of the proposal.
    """

    proposal_id: int

    def _make_act(self) -> MechanismAct:
        return _act(self, DECLINE_PROPOSAL, lambda: ProposalDeclined(self.proposal_id))


@dataclass(frozen=True, slots=True)
class SubmitTransaction(MechanismAction):
    """Request the settlement of a transaction; it is settled once the other side's request matches.

    For a proposal, ``ctx.trading.submit(proposal)`` returns this action.

    Args:
        transaction_id: The id that both sides use.
        buyer: Whether this seat is the buyer.
        counterparty: The other side.
        amount: The price of all goods together, in the game's money.
        quantities: The units of each good; a good that is missing counts 0.
    """

    transaction_id: str
    buyer: bool
    counterparty: Seat
    amount: int | float
    quantities: Mapping[str, int]

    def _make_act(self) -> MechanismAct:
        return _act(
            self,
            SUBMIT_TRANSACTION,
            lambda: TransactionRequested(
                self.transaction_id, self.buyer, self.counterparty, self.amount, Quantities(self.quantities)
            ),
        )


@dataclass(frozen=True, slots=True)
class PlaceOrder(MechanismAction):
    """Place an order in a market.

    Args:
        side: ``bid``, to buy, or ``ask``, to sell.
        price: The price of a unit, in the game's money: at most for a bid, at least for an ask.
        quantity: The units.
        good: The good; None where the game has only one.
        condition: The condition; None where the game has none.
        now: Whether it trades at once with what is in the book, and the rest of it is dropped.
    """

    side: OrderSide | str
    price: int | float
    quantity: int = 1
    _: KW_ONLY
    good: str | None = None
    condition: str | None = None
    now: bool = False

    def _make_act(self) -> MechanismAct:
        return _act(
            self,
            PLACE_ORDER,
            lambda: OrderPlaced(
                self.side,  # type: ignore[arg-type]  # a text becomes a side
                self.price,
                self.quantity,
                self.good,
                self.condition,
                self.now,
            ),
        )


@dataclass(frozen=True, slots=True)
class CancelOrder(MechanismAction):
    """Take an order of one's own out of the book.

    Args:
        order_id: The id of the order.
    """

    order_id: int

    def _make_act(self) -> MechanismAct:
        return _act(self, CANCEL_ORDER, lambda: OrderCancelled(self.order_id))


@dataclass(frozen=True, slots=True)
class Decide(MechanismAction):
    """Decide what the phase of a market game asks, once.

    Args:
        values: The value of each field of the phase, by name.
    """

    values: Mapping[str, Any]

    def _make_act(self) -> MechanismAct:
        return _act(self, DECIDE, lambda: DecisionMade(FrozenJson(copy_json(self.values, 10_000))))
