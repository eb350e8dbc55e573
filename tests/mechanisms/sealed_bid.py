"""A small mechanism for tests: units of one good are auctioned in rounds of sealed bids.

In each round every seat may place one bid, which no other seat sees. A round closes when all seats have
placed one, or when its time is up; then the highest bid wins a unit at the second-highest price (Vickrey
1961, doi.org/10.1111/j.1540-6261.1961.tb02789.x). Seats may give each other money, which only the two see,
and may leave. After the last round, or when fewer than two seats are left, the game has run its course.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from negoplatform.core.events import EndedBy, Ending, Event, EventType, Nothing
from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.mechanisms import ActAudience, ActRule, Fact, Mechanism, fact, game_end
from negoplatform.core.state import State
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.game import GameSpec, Visibility
from negoplatform.domain.seat_map import PLATFORM, Seat, SeatMap
from negoplatform.domain.trading.economy import Economy, Money

PLACE_BID, GIVE_MONEY = "PLACE_BID", "GIVE_MONEY"
ROUND_OPENED, ROUND_CLOSED = "round-opened", "round-closed"
ACCOUNT_CHANGED, MONEY_GIVEN = "account-changed", "money-given"


@dataclass(frozen=True, slots=True)
class SealedBidTerms:
    """Settings of the auction.

    Args:
        rounds: The number of rounds: as many units are sold.
        seconds: The time of a round, in seconds.
    """

    rounds: int = 3
    seconds: float = 20.0

    def __post_init__(self) -> None:
        if not 1 <= self.rounds <= 1000 or not 1 <= self.seconds <= 3600:
            raise NegoError("an auction has 1 to 1,000 rounds of 1 to 3,600 seconds")


@dataclass(frozen=True, slots=True)
class BidPlaced:
    """Bid for the unit of the present round, in minor units of money."""

    price: Money

    def __post_init__(self) -> None:
        _check_amount(self.price)


@dataclass(frozen=True, slots=True)
class MoneyOffered:
    """Amount of money for another seat, in minor units."""

    amount: Money

    def __post_init__(self) -> None:
        _check_amount(self.amount)


def _check_amount(amount: object) -> None:
    if type(amount) is not int or not 0 <= amount <= 10**12:
        raise Refused("An amount of money is a whole number of minor units, 0 or more.")


class Account(NamedTuple):
    """Money and units of a seat."""

    money: Money
    units: int


class SealedBidState(NamedTuple):
    """State of the auction; a view holds only its own account and bid.

    Args:
        round: The number of the round, from 1; 0 before the first.
        opened_at: The session time (s) at which the round was opened.
        left: The seats that have left.
        accounts: The accounts.
        bids: The bids of this round.
    """

    round: int
    opened_at: float
    left: tuple[Seat, ...]
    accounts: SeatMap[Account]
    bids: SeatMap[Money]


class OwnAccount(Feature):
    """A seat's money and units; only the seat itself sees them."""

    money: float = 0.0
    units: float = 0.0


class AuctionRound(Feature):
    """The number of the round."""

    visibility: ClassVar[Sequence[str]] = (Visibility.PUBLIC,)

    number: float = 0.0


class SealedBid(Mechanism):
    """Rounds of sealed bids for one unit each."""

    name = "sealed_bid"
    acts: ClassVar[Mapping[str, ActRule]] = MappingProxyType(
        {
            PLACE_BID: ActRule(BidPlaced, ActAudience.SENDER, intention="bid"),
            GIVE_MONEY: ActRule(MoneyOffered, ActAudience.ONE_SEAT, flushes=True, intention="give"),
        }
    )
    facts: ClassVar[Mapping[str, bool]] = MappingProxyType(
        {ROUND_OPENED: False, ROUND_CLOSED: True, ACCOUNT_CHANGED: False, MONEY_GIVEN: True}
    )
    terms_class = SealedBidTerms

    def check_game(self, game: GameSpec) -> None:
        """Raise NegoError unless exactly one good is sold."""
        if game.economy is None or len(game.economy.goods) != 1:
            raise NegoError("a sealed_bid game has exactly one good, and no issues")

    def initial_state(self, game: GameSpec) -> SealedBidState:
        """Return the endowments that the game holds."""
        accounts = SeatMap(
            (seat, Account(endowment.money, endowment.units[0]))
            for seat, endowment in economy_of(game).endowments.items()
        )
        return SealedBidState(0, 0.0, (), accounts, SeatMap())

    def view(self, mechanism_state: SealedBidState, seats: tuple[Seat, ...]) -> SealedBidState:
        """Return the state with the accounts and bids of some seats alone."""
        return mechanism_state._replace(
            accounts=mechanism_state.accounts.restricted_to(seats),
            bids=mechanism_state.bids.restricted_to(seats),
        )

    def check(self, state: State, seat: Seat, payload: Any, to: tuple[Seat, ...] = ()) -> None:
        """Raise Refused if the seat has left, has placed its bid, or lacks the money."""
        auction = auction_of(state)
        match payload:
            case BidPlaced() | MoneyOffered() | Nothing() if seat in auction.left:
                raise Refused("You’ve left the auction.")
            case BidPlaced() if seat in auction.bids:
                raise Refused("You’ve already placed a bid in this round.")
            case BidPlaced(amount) | MoneyOffered(amount) if amount > free_money(auction, seat):
                raise Refused("You don’t have that much money.")
            case MoneyOffered(0):
                raise Refused("There’s nothing to give.")

    def apply(self, state: State, event: Event) -> SealedBidState:
        """Return the state after an event; accounts change with facts alone."""
        auction = auction_of(state)
        match event.type:
            case "PLACE_BID":
                return auction._replace(bids=auction.bids.with_value(event.sender, event.payload.price))
            case EventType.FORMAL_QUIT:
                left = tuple(seat for seat in state.game.seats if seat in (*auction.left, event.sender))
                return auction._replace(left=left)
            case "round-opened":
                return auction._replace(round=event.data["round"], opened_at=event.t)
            case "round-closed":
                return auction._replace(bids=SeatMap())
            case "account-changed":
                data = event.data
                return self._credit(auction, data["seat"], data["money"], data["units"])
            case "money-given":
                data = event.data
                auction = self._credit(auction, data["from"], -data["amount"], 0)
                return self._credit(auction, data["to"], data["amount"], 0)
            case _:
                return auction

    @staticmethod
    def _credit(auction: SealedBidState, seat: Seat, money: Money, units: int) -> SealedBidState:
        """Change an account, if this state holds it."""
        account = auction.accounts.get(seat)
        if account is None:
            return auction
        changed = Account(account.money + money, account.units + units)
        return auction._replace(accounts=auction.accounts.with_value(seat, changed))

    def consequences(self, state: State, event: Event) -> tuple[Fact, ...]:
        """Return the first round after the start, what a gift moves, and the close of a complete round."""
        auction = auction_of(state)
        match event.type:
            case EventType.GAME_START:
                return (self._opened(1),)
            case "GIVE_MONEY":
                pair = (event.sender, event.to[0])
                amount = event.payload.amount
                given = {"from": pair[0], "to": pair[1], "amount": amount}
                return (fact(MONEY_GIVEN, given, to=pair),)
            case "PLACE_BID" | EventType.FORMAL_QUIT if self._is_complete(state):
                return self._close_round(state)
            case EventType.FORMAL_QUIT if len(auction.left) > len(state.game.seats) - 2:
                return (game_end(Ending(EndedBy.COMPLETED)),)
            case _:
                return ()

    def next_due(self, state: State) -> float | None:
        """Return the time at which the round closes."""
        auction = auction_of(state)
        return auction.opened_at + terms_of(state.game).seconds if auction.round else None

    def falls_due(self, state: State, now: float) -> tuple[Fact, ...]:
        """Return the close of the round, once its time is up."""
        due = self.next_due(state)
        return self._close_round(state) if due is not None and now >= due else ()

    def legal(self, state: State, seat: Seat) -> frozenset[str]:
        """Return the acts that are open."""
        auction = auction_of(state)
        if seat in auction.left:
            return frozenset()
        open_acts = {EventType.FORMAL_QUIT}
        bid = set() if seat in auction.bids else {PLACE_BID}
        give = {GIVE_MONEY} if free_money(auction, seat) else set()
        return frozenset({*open_acts, *bid, *give})

    def points(self, state: State, seat: Seat) -> float | None:
        """Return the money and the worth of the units, in minor units."""
        ended = state.ending is not None and state.ending.ended_by is not EndedBy.ABORTED
        return self.standing(state, seat) if ended else None

    def standing(self, state: State, seat: Seat) -> float | None:
        """Return the same while the game runs."""
        account, worth = auction_of(state).accounts.get(seat), economy_of(state.game).worths.get(seat)
        return None if account is None or worth is None else account.money + worth.of([account.units])

    def features(self, state: State, now: float) -> SeatMap[Sequence[Feature]]:
        """Return the accounts that the state holds, and the round."""
        auction = auction_of(state)
        own = [(seat, [OwnAccount(money=a.money, units=a.units)]) for seat, a in auction.accounts.items()]
        return SeatMap([*own, (PLATFORM, [AuctionRound(number=auction.round)])])

    def describe(self, state: State) -> list[str]:
        """Return the round and the accounts."""
        auction, currency = auction_of(state), economy_of(state.game).currency
        accounts = [
            f"{seat}: {currency.format(a.money)}, units: {a.units}" for seat, a in auction.accounts.items()
        ]
        return [f"round {auction.round} of {terms_of(state.game).rounds}", *accounts]

    def _is_complete(self, state: State) -> bool:
        auction = auction_of(state)
        bidders = [seat for seat in state.game.seats if seat not in auction.left]
        return len(bidders) > 1 and all(seat in auction.bids for seat in bidders)

    def _close_round(self, state: State) -> tuple[Fact, ...]:
        auction = auction_of(state)
        # The first seat wins among equal bids; one that has left may still win with its bid.
        ranked = sorted(auction.bids.items(), key=lambda bid: (-bid[1], state.game.seats.index(bid[0])))
        facts = []
        if ranked:
            winner, price = ranked[0][0], ranked[1][1] if len(ranked) > 1 else 0
            closed = {"winner": winner, "price": price}
            facts.append(fact(ROUND_CLOSED, closed, text=f"{winner} pays {price}."))
            changed = {"seat": winner, "money": -price, "units": 1}
            facts.append(fact(ACCOUNT_CHANGED, changed, to=(winner,)))
        else:
            facts.append(fact(ROUND_CLOSED, {"winner": None, "price": 0}, text="Nobody placed a bid."))
        if auction.round < terms_of(state.game).rounds:
            return (*facts, self._opened(auction.round + 1))
        return (*facts, game_end(Ending(EndedBy.COMPLETED)))

    @staticmethod
    def _opened(number: int) -> Fact:
        return fact(ROUND_OPENED, {"round": number})


def auction_of(state: State) -> SealedBidState:
    """Return the auction's part of a state."""
    assert isinstance(state.mechanism_state, SealedBidState)
    return state.mechanism_state


def economy_of(game: GameSpec) -> Economy:
    """Return the economy of a game that has one."""
    assert game.economy is not None
    return game.economy


def terms_of(game: GameSpec) -> SealedBidTerms:
    """Return the settings of the auction."""
    terms: SealedBidTerms = economy_of(game).terms
    return terms


def free_money(auction: SealedBidState, seat: Seat) -> Money:
    """Return a seat's money apart from what its bid may cost."""
    return auction.accounts[seat].money - auction.bids.get(seat, 0)
