"""Views of goods with their worth, of money, and of waiting requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from negoplatform.agent_api.trading_view import TradingView
from negoplatform.core.mechanisms.trading_state import (
    TransactionRequest,
    proposal_id_of,
    trading_state,
    trading_terms,
)
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.worth import LogWorth
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.trading.money_texts import (
    change_text,
    good_title,
    money_text,
    units_text,
)


@dataclass(frozen=True, slots=True)
class GoodRowView:
    """Row of a good.

    Args:
        name: Name of the good in the game's file.
        title: Its name for people.
        units: Units that the participant has.
        waiting: Units that waiting requests would give away.
        next_worth: What one more unit would add to the score.
        last_worth: What one unit less would take from it, in words; empty without any units.
    """

    name: str
    title: str
    units: int
    waiting: int
    next_worth: str
    last_worth: str


@dataclass(frozen=True, slots=True)
class TradingAccountView:
    """View of a participant's goods and money.

    Args:
        money: The money.
        goods: The goods, in the game's order.
        locked: What waiting requests would cost, in words; empty if nothing.
    """

    money: str
    goods: tuple[GoodRowView, ...]
    locked: str


@dataclass(frozen=True, slots=True)
class WaitingRequestView:
    """Row of a request that waits for the other side's.

    Args:
        transaction_id: Its id.
        text: What is traded, with whom.
        seconds: Seconds left until it expires, in words.
        proposal_id: The proposal that it belongs to; 0: none.
    """

    transaction_id: str
    text: str
    seconds: str
    proposal_id: int


def account_view(state: State, seat: Seat, translate: Language) -> TradingAccountView:
    """Return what a seat owns; ``state`` as visible to it."""
    economy, view = economy_of(state.game), TradingView(state, seat)
    currency = economy.currency
    free = view.free_goods
    rows = []
    for good in economy.goods:
        units = view.holdings[good.name]
        rows.append(
            GoodRowView(
                good.name,
                good_title(good, translate),
                units,
                units - free[good.name],
                change_text(view.marginal(good.name, 1), currency, translate),
                _last_worth(state, seat, good.name, translate) if units else "",
            )
        )
    money = trading_state(state).accounts[seat].money
    return TradingAccountView(
        money=money_text(money, currency, translate),
        goods=tuple(rows),
        locked=locked_text(state, seat, translate),
    )


def _last_worth(state: State, seat: Seat, good: str, translate: Language) -> str:
    """Return what one unit less of a good takes from the score, in words where no price makes up for it."""
    economy, view = economy_of(state.game), TradingView(state, seat)
    worth = economy.worths.get(seat)
    if isinstance(worth, LogWorth) and not worth.shift and view.holdings[good] == 1:
        return translate("keep the last one")
    loss = change_text(view.marginal(good, -1), economy.currency, translate)
    return translate("last {worth}", worth=loss)


def locked_text(state: State, seat: Seat, translate: Language) -> str:
    """Return what a seat's waiting requests would cost it; empty if nothing waits."""
    economy, view = economy_of(state.game), TradingView(state, seat)
    account = trading_state(state).accounts[seat]
    money = account.money - economy.currency.from_number(view.free_money)
    units = tuple(
        mine - view.free_goods[good.name] for mine, good in zip(account.units, economy.goods, strict=True)
    )
    parts = [money_text(money, economy.currency, translate)] if money else []
    if any(units):
        parts.append(units_text(units, economy.goods, translate))
    if not parts:
        return ""
    return translate("Reserved for trades that wait: {what}", what=", ".join(parts))


def waiting_requests(
    state: State, seat: Seat, names: Mapping[Seat, str], now: float, translate: Language
) -> tuple[WaitingRequestView, ...]:
    """Return the requests of a seat that wait for the other side's, oldest first."""
    economy = economy_of(state.game)
    waits = trading_terms(state.game).request_expires_seconds
    rows = []
    for request in trading_state(state).requests[seat]:
        name = names.get(request.counterparty, request.counterparty)
        values = {
            "goods": units_text(request.units, economy.goods, translate),
            "name": name,
            "amount": money_text(request.amount, economy.currency, translate),
        }
        text = (
            translate("Buy {goods} from {name} for {amount}", **values)
            if request.buyer
            else translate("Sell {goods} to {name} for {amount}", **values)
        )
        rows.append(
            WaitingRequestView(
                request.transaction_id,
                text,
                translate("{s} s", s=seconds_left(request, waits, now)),
                proposal_id_of(request.transaction_id) or 0,
            )
        )
    return tuple(rows)


def seconds_left(request: TransactionRequest, waits: float, now: float) -> int:
    """Return the whole seconds until a request expires, rounded up."""
    return max(0, ceil(request.t + waits - now - 1e-6))
