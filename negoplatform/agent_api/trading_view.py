"""Trading side of a seat, ``ctx.trading``: its goods, money and dialogues in a trading game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from negoplatform.agent_api.mechanism_actions import SubmitTransaction
from negoplatform.core.mechanisms.trading_accounts import account_after, score, trade_side
from negoplatform.core.mechanisms.trading_state import (
    Proposal,
    ProposalStatus,
    SentCall,
    SettledTrade,
    TradingAccount,
    TransactionRequest,
    fee_shares,
    trading_state,
    trading_terms,
    transaction_id_of,
)
from negoplatform.core.state import State
from negoplatform.domain.errors import NotVisible
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Money
from negoplatform.domain.trading.worth import LogWorth
from negoplatform.domain.utility import Points


class GameData(NamedTuple):
    """Data of a seat at the start of a trading game, in the words of the trading agent competition.

    Attributes:
        money: The money at the start.
        endowment: The units of each good at the start.
        utility_params: The parameter of each good; empty where the worth is not logarithmic.
        nb_agents: The number of seats.
        nb_goods: The number of goods.
        tx_fee: The fee of every transaction.
        agent_pbk_to_name: The name of each seat.
        good_pbk_to_name: The name of each good.
    """

    money: int | float
    endowment: list[int]
    utility_params: list[float]
    nb_agents: int
    nb_goods: int
    tx_fee: float
    agent_pbk_to_name: dict[str, str]
    good_pbk_to_name: dict[str, str]


class StateUpdate(NamedTuple):
    """A seat's own state of the game, as after a disconnection.

    Attributes:
        game_data: What it has received at the start.
        confirmed_transactions: Its settled transactions, oldest first.
        money: Its money now.
        holdings: Its units of each good now, by name.
    """

    game_data: GameData
    confirmed_transactions: tuple[SettledTrade, ...]
    money: int | float
    holdings: dict[str, int]


class TradingView:
    """A seat's own side of a trading game: read-only, and nothing in it leads back to the session.

    Amounts of money are in the game's money, such as 12.5; those of proposals, requests and trades are in its
    minor units, and :meth:`price_of` converts them.

    Args:
        state: The state as the seat sees it.
        seat: The seat.
    """

    __slots__ = ("_account", "_seat", "_state")

    def __init__(self, state: State, seat: Seat) -> None:
        put = object.__setattr__
        put(self, "_state", state)
        put(self, "_seat", seat)
        put(self, "_account", trading_state(state).accounts[seat])

    _account: TradingAccount
    _seat: Seat
    _state: State

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"ctx.trading is read-only; {name!r} cannot be set.")

    # Goods and money

    @property
    def goods(self) -> tuple[str, ...]:
        """Names of the goods, in the game's order."""
        return economy_of(self._state.game).good_names

    @property
    def money(self) -> int | float:
        """This seat's money."""
        return self._number(self._account.money)

    @property
    def holdings(self) -> dict[str, int]:
        """This seat's units of each good, by name."""
        return dict(zip(self.goods, self._account.units, strict=True))

    @property
    def free_money(self) -> int | float:
        """This seat's money less what its waiting requests would cost."""
        return self._number(self._free.money)

    @property
    def free_goods(self) -> dict[str, int]:
        """This seat's units of each good less what its waiting requests would give away."""
        return dict(zip(self.goods, self._free.units, strict=True))

    @property
    def _free(self) -> TradingAccount:
        """Account less what waiting requests lock; what they would bring does not count."""
        money, units = self._account
        for request in self.pending:
            side = trade_side(
                self._state.game, buys=request.buyer, amount=request.amount, units=request.units
            )
            money += min(0, side.money)
            units = tuple(a + min(0, b) for a, b in zip(units, side.units, strict=True))
        return TradingAccount(money, units)

    @property
    def fee_share(self) -> tuple[int | float, int | float]:
        """Shares of the fee that a buyer and a seller pay."""
        buyer, seller = fee_shares(self._state.game)
        return self._number(buyer), self._number(seller)

    # Score

    def score(self) -> Points:
        """Return the score now: money and worth of the goods."""
        return self._score(self._account)

    def score_after(self, *, buyer: bool, amount: float, quantities: Mapping[str, int]) -> Points:
        """Return the score after a transaction, with this seat's share of the fee.

        Args:
            buyer: Whether this seat would be the buyer.
            amount: The price of all goods together, in the game's money.
            quantities: The units of each good; a good that is missing counts 0.

        Raises:
            NegoError: If there is no such good.
        """
        economy = economy_of(self._state.game)
        minor = round(amount * 10**economy.currency.decimals)
        return self._score(self._after(buyer, minor, economy.units_of(quantities)))

    def gain(self, proposal: Proposal) -> Points:
        """Return what a proposal's transaction would change in this seat's score."""
        buys = proposal.buying_seat == self._seat
        return self._score(self._after(buys, proposal.amount, proposal.units)) - self.score()

    def marginal(self, good: str, change: int = 1) -> float:
        """Return what more or fewer units of a good are worth to this seat, in the game's money.

        Args:
            good: The good.
            change: The units: 1 for one more, -1 for one less.

        Returns:
            The change of the worth, without money and fees: below 0 for fewer units.
        """
        economy = economy_of(self._state.game)
        units = list(self._account.units)
        units[economy.good_names.index(good)] += change
        before, after = self._worth(self._account.units), self._worth(tuple(units))
        return float((after - before) / 10**economy.currency.decimals)

    def can_trade(self, *, buyer: bool, amount: float, quantities: Mapping[str, int]) -> bool:
        """Return whether this seat has the free money or goods for its side of a transaction."""
        economy = economy_of(self._state.game)
        minor = round(amount * 10**economy.currency.decimals)
        side = trade_side(self._state.game, buys=buyer, amount=minor, units=economy.units_of(quantities))
        after = account_after(self._free, side)
        return after.money >= 0 and min(after.units) >= 0

    def can_do(self, proposal: Proposal) -> bool:
        """Return whether this seat has the free money or goods for its side of a proposal."""
        return self.can_trade(
            buyer=proposal.buying_seat == self._seat,
            amount=self.price_of(proposal),
            quantities=self.quantities_of(proposal),
        )

    def round_amount(self, amount: float) -> int | float:
        """Return an amount of money with the decimals that the game's money has."""
        return self._number(round(amount * 10 ** economy_of(self._state.game).currency.decimals))

    # Dialogues and transactions

    @property
    def others(self) -> tuple[Seat, ...]:
        """The other seats that have not left, in the game's order."""
        left = trading_state(self._state).left
        return tuple(seat for seat in self._state.game.others(self._seat) if seat not in left)

    @property
    def calls(self) -> tuple[SentCall, ...]:
        """Calls for proposals that this seat has made or received, oldest first."""
        return tuple(trading_state(self._state).calls[self._seat].values())

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """Open proposals that this seat has made or received, oldest first."""
        return tuple(trading_state(self._state).proposals[self._seat].values())

    def proposal(self, proposal_id: int) -> Proposal | None:
        """Return one of :attr:`proposals`; None if it is not among them any more."""
        found: Proposal | None = trading_state(self._state).proposals[self._seat].get(proposal_id)
        return found

    @property
    def pending(self) -> tuple[TransactionRequest, ...]:
        """This seat's requests that wait for the other side's."""
        return trading_state(self._state).requests[self._seat]

    @property
    def confirmed_transactions(self) -> tuple[SettledTrade, ...]:
        """This seat's settled transactions, oldest first."""
        return tuple(trading_state(self._state).trades[self._seat])

    @property
    def tape(self) -> tuple[SettledTrade, ...]:
        """All trades, oldest first, where the game shows them to everyone; else none."""
        return tuple(trading_state(self._state).tape)

    def price_of(self, deal: Proposal | TransactionRequest | SettledTrade) -> int | float:
        """Return the amount of a proposal, a request or a trade in the game's money."""
        return self._number(deal.amount)

    def quantities_of(self, deal: Proposal | TransactionRequest | SettledTrade) -> dict[str, int]:
        """Return the units of a proposal, a request or a trade by the names of the goods."""
        return dict(economy_of(self._state.game).quantities_of(deal.units))

    def submit(self, proposal: Proposal, delay_ms: float = 0) -> SubmitTransaction:
        """Return the action that requests the transaction of a proposal."""
        return SubmitTransaction(
            transaction_id_of(proposal.proposal_id),
            proposal.buying_seat == self._seat,
            proposal.other(self._seat),
            self.price_of(proposal),
            self.quantities_of(proposal),
            delay_ms=delay_ms,
        )

    def is_waiting_for_me(self, proposal: Proposal) -> bool:
        """Return whether it is this seat's turn to accept a proposal, or to confirm that it was accepted."""
        own_turn = ProposalStatus.ACCEPTED if proposal.maker == self._seat else ProposalStatus.OPEN
        return proposal.status is own_turn

    def has_requested(self, proposal: Proposal) -> bool:
        """Return whether this seat's request of a proposal's transaction waits for the other side's."""
        other, its_id = proposal.other(self._seat), transaction_id_of(proposal.proposal_id)
        return trading_state(self._state).waiting_request(self._seat, other, its_id) is not None

    # Game data

    @property
    def game_data(self) -> GameData:
        """Data that this seat has received at the start."""
        game, economy = self._state.game, economy_of(self._state.game)
        endowment, worth = economy.endowments[self._seat], economy.worths[self._seat]
        parameters = worth.parameters if isinstance(worth, LogWorth) else ()
        scale = 10**economy.currency.decimals
        return GameData(
            self._number(endowment.money),
            list(endowment.units),
            [parameter / scale for parameter in parameters],
            len(game.seats),
            len(economy.goods),
            float(trading_terms(game).fee),
            {seat: game.names.get(seat, seat) for seat in game.seats},
            {good.name: good.title for good in economy.goods},
        )

    def get_state_update(self) -> StateUpdate:
        """Return this seat's own state: what it began with, its settled transactions and what it has now."""
        return StateUpdate(self.game_data, self.confirmed_transactions, self.money, self.holdings)

    def _after(self, buys: bool, amount: Money, units: tuple[int, ...]) -> TradingAccount:
        side = trade_side(self._state.game, buys=buys, amount=amount, units=units)
        return account_after(self._account, side)

    def _score(self, account: TradingAccount) -> Points:
        points = score(self._state.game, self._seat, account)
        if points is None:
            raise NotVisible("The game does not show this seat what its goods are worth.")
        return points

    def _worth(self, units: tuple[int, ...]) -> float:
        worth: Any = economy_of(self._state.game).worths[self._seat]
        return float(worth.of(units))

    def _number(self, amount: Money) -> int | float:
        return economy_of(self._state.game).currency.to_number(amount)
