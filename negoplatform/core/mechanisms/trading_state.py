"""Acts of a trading game, and its part of the state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from negoplatform.core.events import Event
from negoplatform.core.immutable.frozen_json import MAX_EXACT_INTEGER
from negoplatform.core.immutable.persistent_list import PersistentList
from negoplatform.core.immutable.persistent_sorted_map import PersistentSortedMap
from negoplatform.core.state import State
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.economy import Economy, Money, Quantities

LONGEST_TRANSACTION_ID = 100
"""Most characters of a transaction's id."""

MOST_GOODS_NAMED = 100
"""Most goods that one act names."""

MOST_CALLS = 100
"""Most calls for proposals that a seat's part of the state holds; the oldest ones give way."""


class Tape(StrEnum):
    """The seats that see a settled trade."""

    PUBLIC = "public"
    """All seats."""
    PRIVATE = "private"
    """The buyer and the seller."""


@dataclass(frozen=True, slots=True)
class TradingTerms:
    """Settings of a trading game, in its file under ``terms``.

    Args:
        fee: What every settled transaction costs, in the game's money; buyer and seller pay half each,
            and the buyer the odd minor unit.
        request_expires_seconds: Seconds for which a transaction request waits for the other side's.
        check_counterparty_at_submission: Whether a request is refused at once where the other side lacks
            the money or the goods. This tells its sender something about the other side; if false, it is
            found when the transaction is settled.
        tape: The seats that see a settled trade.
    """

    fee: int | float = 0
    request_expires_seconds: int | float = 30
    check_counterparty_at_submission: bool = True
    tape: Tape = Tape.PRIVATE

    def __post_init__(self) -> None:
        if not 0 <= self.fee <= 10**9:
            raise NegoError("'fee' is an amount of money, 0 or more")
        if not 1 <= self.request_expires_seconds <= 86_400:
            raise NegoError("'request_expires_seconds' is 1 to 86,400")


@dataclass(frozen=True, slots=True)
class ProposalCall:
    """Call for proposals: what its sender would like to trade.

    Args:
        buyer: Whether the sender wants to buy; False: to sell.
        goods: Names of the goods it is about; none means any.
    """

    buyer: bool
    goods: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_flag("buyer", self.buyer)
        if not isinstance(self.goods, tuple) or len(self.goods) > MOST_GOODS_NAMED:
            raise Refused("A call for proposals names up to 100 goods.")
        if not all(type(good) is str for good in self.goods) or len(set(self.goods)) < len(self.goods):
            raise Refused("A call for proposals names each good once.")


@dataclass(frozen=True, slots=True)
class ProposalMade:
    """Proposal of a transaction to one other seat.

    Args:
        buyer: Whether its sender would be the buyer.
        amount: The price of all goods together, in the game's money.
        quantities: The units of each good; a good that is missing counts 0.
        answers: The id of the call or the proposal that it answers; None: of none.
    """

    buyer: bool
    amount: int | float
    quantities: Quantities
    answers: int | None = None

    def __post_init__(self) -> None:
        _check_flag("buyer", self.buyer)
        object.__setattr__(self, "amount", checked_amount(self.amount))
        object.__setattr__(self, "quantities", checked_quantities(self.quantities))
        if self.answers is not None and (
            type(self.answers) is not int or not 1 <= self.answers <= MAX_EXACT_INTEGER
        ):
            raise Refused("A proposal answers a call or a proposal by its id, or none.")


@dataclass(frozen=True, slots=True)
class ProposalAccepted:
    """Acceptance of a proposal by its recipient, or, once accepted, its confirmation by its maker.

    Args:
        proposal_id: The seq of its PROPOSE.
    """

    proposal_id: int

    def __post_init__(self) -> None:
        _check_id(self.proposal_id)


@dataclass(frozen=True, slots=True)
class ProposalDeclined:
    """Refusal of a proposal by its recipient, or its withdrawal by its maker.

    Args:
        proposal_id: The seq of its PROPOSE.
    """

    proposal_id: int

    def __post_init__(self) -> None:
        _check_id(self.proposal_id)


@dataclass(frozen=True, slots=True)
class TransactionRequested:
    """Request of one side to settle a transaction; it is settled once both sides' requests match.

    Args:
        transaction_id: The id that both sides use: ``t-`` and the proposal's id, or any other text.
        buyer: Whether its sender is the buyer.
        counterparty: The other side.
        amount: The price of all goods together, in the game's money.
        quantities: The units of each good; a good that is missing counts 0.
    """

    transaction_id: str
    buyer: bool
    counterparty: Seat
    amount: int | float
    quantities: Quantities

    def __post_init__(self) -> None:
        text = self.transaction_id
        if type(text) is not str or not text.strip() or not text.isprintable():
            raise Refused("A transaction has an id, a text that is not empty.")
        if len(text) > LONGEST_TRANSACTION_ID:
            raise Refused(f"The id of a transaction has up to {LONGEST_TRANSACTION_ID} characters.")
        _check_flag("buyer", self.buyer)
        if type(self.counterparty) is not str:
            raise Refused("The counterparty of a transaction is a seat.")
        object.__setattr__(self, "amount", checked_amount(self.amount))
        object.__setattr__(self, "quantities", checked_quantities(self.quantities))


def transaction_id_of(proposal_id: int) -> str:
    """Return the id of the transaction that a proposal describes."""
    return f"t-{proposal_id}"


def proposal_id_of(transaction_id: str) -> int | None:
    """Return the id of the proposal that the id of a transaction names; None if it names none."""
    number = transaction_id.removeprefix("t-")
    if not (number.isascii() and number.isdigit()):
        return None
    return int(number) if transaction_id == transaction_id_of(int(number)) else None


def checked_amount(amount: object) -> int | float:
    """Return an amount of money, whole ones as int.

    Raises:
        Refused: If it is no finite number, 0 or more.
    """
    if isinstance(amount, bool) or not isinstance(amount, int | float):
        raise Refused("An amount of money is a number, 0 or more.")
    # The number itself: a subclass may compare and convert as it likes.
    number = int.__add__(amount, 0) if isinstance(amount, int) else float.__add__(amount, 0.0)
    if not 0 <= number <= 10**12:
        raise Refused("An amount of money is a number, 0 or more.")
    return int(number) if number == int(number) else number


def checked_quantities(quantities: object) -> Quantities:
    """Return numbers of units by good.

    Raises:
        Refused: If they are none, or count less than one unit in all.
    """
    if not isinstance(quantities, Quantities):
        raise Refused("Quantities are whole numbers of units by the names of goods.")
    if not quantities:
        raise Refused("Name at least one unit of a good.")
    if len(quantities) > MOST_GOODS_NAMED:
        raise Refused("A transaction names up to 100 goods.")
    return quantities


def _check_flag(name: str, value: object) -> None:
    if type(value) is not bool:
        raise Refused(f"{name!r} is true or false.")


def _check_id(value: object) -> None:
    if type(value) is not int or not 1 <= value <= MAX_EXACT_INTEGER:
        raise Refused("A proposal is named by its id.")


class TradingAccount(NamedTuple):
    """Money and goods of a seat.

    Args:
        money: Its money, in minor units.
        units: Its units of each good, in the order of the game's goods.
    """

    money: Money
    units: tuple[int, ...]


class ProposalStatus(StrEnum):
    """State of a proposal that may still lead to a transaction."""

    OPEN = "open"
    """Not answered by the recipient."""
    ACCEPTED = "accepted"
    """Accepted by the recipient."""
    MATCHED = "matched"
    """Accepted, and confirmed by the maker."""


class Proposal(NamedTuple):
    """Proposal of a transaction between two seats.

    Args:
        proposal_id: The seq of its PROPOSE.
        maker: The seat that made it.
        recipient: The seat to which it was made.
        buyer: Whether its maker would be the buyer.
        amount: The price, in minor units.
        units: The units of each good, in the order of the game's goods.
        answers: The id of the call or proposal that it answers; None: of none.
        status: Its state.
    """

    proposal_id: int
    maker: Seat
    recipient: Seat
    buyer: bool
    amount: Money
    units: tuple[int, ...]
    answers: int | None
    status: ProposalStatus = ProposalStatus.OPEN

    @classmethod
    def from_event(cls, event: Event, economy: Economy) -> Proposal:
        """Return the proposal that a PROPOSE makes."""
        made: ProposalMade = event.payload
        return cls(
            event.seq,
            event.sender,
            event.to[0],
            made.buyer,
            economy.currency.from_number(made.amount),
            economy.units_of(made.quantities),
            made.answers,
        )

    @property
    def buying_seat(self) -> Seat:
        """Seat that would buy."""
        return self.maker if self.buyer else self.recipient

    @property
    def selling_seat(self) -> Seat:
        """Seat that would sell."""
        return self.recipient if self.buyer else self.maker

    def other(self, seat: Seat) -> Seat:
        """Return the side that is not the given one."""
        return self.recipient if seat == self.maker else self.maker


class SentCall(NamedTuple):
    """Call for proposals from one seat to another.

    Args:
        call_id: The seq of its CALL_FOR_PROPOSALS.
        caller: The seat that made it.
        recipient: The seat to which it was made.
        buyer: Whether the caller wants to buy.
        goods: Names of the goods it is about; none means any.
    """

    call_id: int
    caller: Seat
    recipient: Seat
    buyer: bool
    goods: tuple[str, ...]


class TransactionRequest(NamedTuple):
    """Request that waits for the other side's.

    Args:
        seq: The seq of its SUBMIT_TRANSACTION.
        t: The session time (s) at which it was submitted.
        sender: The seat that submitted it.
        transaction_id: The id of the transaction.
        buyer: Whether the sender is the buyer.
        counterparty: The other side.
        amount: The price, in minor units.
        units: The units of each good, in the order of the game's goods.
    """

    seq: int
    t: float
    sender: Seat
    transaction_id: str
    buyer: bool
    counterparty: Seat
    amount: Money
    units: tuple[int, ...]

    @property
    def buying_seat(self) -> Seat:
        """Seat that buys."""
        return self.sender if self.buyer else self.counterparty

    @property
    def selling_seat(self) -> Seat:
        """Seat that sells."""
        return self.counterparty if self.buyer else self.sender

    def mirrors(self, other: TransactionRequest) -> bool:
        """Return whether two requests are the two sides of one transaction."""
        return (
            self.transaction_id == other.transaction_id
            and self.buyer is not other.buyer
            and (self.sender, self.counterparty) == (other.counterparty, other.sender)
            and (self.amount, self.units) == (other.amount, other.units)
        )


class SettledTrade(NamedTuple):
    """Settled transaction.

    Args:
        t: The session time (s) of its settlement.
        transaction_id: Its id; empty where the reader is neither buyer nor seller.
        buyer: The seat that bought.
        seller: The seat that sold.
        amount: The price, in minor units, without fees.
        units: The units of each good, in the order of the game's goods.
    """

    t: float
    transaction_id: str
    buyer: Seat
    seller: Seat
    amount: Money
    units: tuple[int, ...]


class TradingState(NamedTuple):
    """A trading game's part of the state; a seat's view holds its own values only.

    Args:
        accounts: Each seat's account.
        calls: The calls for proposals that each seat made or received, by id.
        proposals: The proposals that each seat made or received and that may still lead to a transaction, by
            id.
        requests: Each seat's requests that wait for the other side.
        trades: Each seat's settled transactions, oldest first.
        settled: The other side and the id of each of them, in any order.
        tape: All trades, oldest first, where the game shows them to everyone; else empty.
        left: The seats that have left, in the game's order.
    """

    accounts: SeatMap[TradingAccount]
    calls: SeatMap[PersistentSortedMap[int, SentCall]]
    proposals: SeatMap[PersistentSortedMap[int, Proposal]]
    requests: SeatMap[tuple[TransactionRequest, ...]]
    trades: SeatMap[PersistentList[SettledTrade]]
    settled: SeatMap[PersistentSortedMap[tuple[Seat, str], bool]]
    tape: PersistentList[SettledTrade] = PersistentList()
    left: tuple[Seat, ...] = ()

    def restricted_to(self, seats: tuple[Seat, ...]) -> TradingState:
        """Return the state with the values of some seats, and what everybody may see."""
        return self._replace(
            accounts=self.accounts.restricted_to(seats),
            calls=self.calls.restricted_to(seats),
            proposals=self.proposals.restricted_to(seats),
            requests=self.requests.restricted_to(seats),
            trades=self.trades.restricted_to(seats),
            settled=self.settled.restricted_to(seats),
        )

    def waiting_request(self, seat: Seat, other: Seat, transaction_id: str) -> TransactionRequest | None:
        """Return a seat's request of an id with another seat, if it waits; None if it does not."""
        for request in self.requests.get(seat, ()):
            if (request.counterparty, request.transaction_id) == (other, transaction_id):
                return request
        return None

    def is_settled(self, seat: Seat, other: Seat, transaction_id: str) -> bool:
        """Return whether two seats have settled a transaction of an id."""
        own = self.settled.get(seat)
        return own is not None and (other, transaction_id) in own

    def all_requests(self) -> list[TransactionRequest]:
        """Return the waiting requests of all seats that the state shows."""
        return [request for own in self.requests.values() for request in own]

    def proposals_of(self, seat: Seat) -> int:
        """Return the number of a seat's own proposals that may still lead to a transaction."""
        return sum(proposal.maker == seat for proposal in self.proposals[seat].values())


def trading_state(state: State) -> TradingState:
    """Return the trading game's part of a state."""
    mechanism_state: Any = state.mechanism_state
    assert isinstance(mechanism_state, TradingState)
    return mechanism_state


def trading_terms(game: GameSpec) -> TradingTerms:
    """Return the settings of a trading game."""
    terms: TradingTerms = economy_of(game).terms
    return terms


def fee_shares(game: GameSpec) -> tuple[Money, Money]:
    """Return the shares of the fee that buyer and seller pay, in minor units."""
    economy = economy_of(game)
    fee = economy.currency.from_number(trading_terms(game).fee)
    return (fee + 1) // 2, fee // 2
