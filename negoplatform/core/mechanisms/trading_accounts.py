"""Accounts of a trading game: what a transaction changes in them, and what a seat lacks for one."""

from __future__ import annotations

from typing import NamedTuple

from negoplatform.core.mechanisms.trading_state import (
    TradingAccount,
    fee_shares,
    trading_state,
    trading_terms,
)
from negoplatform.core.state import State
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Money
from negoplatform.domain.utility import Points


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


def called(state: State, seat: Seat) -> str:
    """Return the name by which a seat is called, or else its own."""
    return state.game.names.get(seat, seat)


def shortage(state: State, seat: Seat, buys: bool, amount: Money, units: tuple[int, ...]) -> str:
    """Return what a seat lacks for its side of a transaction, a sentence; empty: nothing."""
    account = trading_state(state).accounts[seat]
    after = account_after(account, trade_side(state.game, buys=buys, amount=amount, units=units))
    if min(after.units) < 0:
        return f"{called(state, seat)} does not have enough to sell."
    if after.money < 0:
        return f"{called(state, seat)} does not have enough money."
    return ""


def check_own_half(state: State, seat: Seat, buys: bool, amount: Money, units: tuple[int, ...]) -> None:
    """Raise Refused unless a seat has the money and the goods for its side of a transaction."""
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
