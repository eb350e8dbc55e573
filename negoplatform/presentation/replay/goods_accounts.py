"""Accounts of all seats at one moment of a recorded session of goods and money. No Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.core.mechanisms.double_auction_state import (
    conditions_of,
    current_phase,
    double_auction_state,
)
from negoplatform.core.mechanisms.market_checks import deciders
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.mechanisms.trading_state import trading_state
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import localized_role, localized_text
from negoplatform.presentation.market.amounts import Amounts
from negoplatform.presentation.market.phase_view import decided_rows
from negoplatform.presentation.market.unit_worths import gain_so_far
from negoplatform.presentation.trading.account_view import locked_text, waiting_requests
from negoplatform.presentation.trading.money_texts import good_title, score_text

LINE_SEPARATOR = " · "


@dataclass(frozen=True, slots=True)
class SeatAccountView:
    """View of a seat's account.

    Args:
        seat: The seat.
        name: The name of its occupant.
        worth: Its gain or its score so far; empty while that is not known.
        lines: Its money and units, and what it waits for, in words.
    """

    seat: Seat
    name: str
    worth: str
    lines: tuple[str, ...]


def market_accounts(
    state: State, names: Mapping[Seat, str], translate: Language
) -> tuple[SeatAccountView, ...]:
    """Return the accounts that a state of a market shows.

    Args:
        state: The state as the observer sees it.
        names: The names of all seats.
        translate: The window's language, with the game's texts.
    """
    game, market = state.game, double_auction_state(state)
    amounts = Amounts(economy_of(game).currency, translate)
    views = []
    for seat in market.accounts:
        gained = gain_so_far(state, seat)
        worth = ""
        if gained is not None:
            worth = translate("gain {amount}", amount=amounts.signed(gained))
        lines = [*_holdings(state, seat, amounts, translate), *_market_notes(state, seat, names, translate)]
        views.append(SeatAccountView(seat, names[seat], worth, tuple(lines)))
    return tuple(views)


def _holdings(state: State, seat: Seat, amounts: Amounts, translate: Language) -> list[str]:
    """Return money and units, a line for each condition that may still hold."""
    game, market = state.game, double_auction_state(state)
    account, lines = market.accounts[seat], []
    for condition, name in enumerate(conditions_of(game)):
        if market.realised and name != market.realised:
            continue
        money = amounts.text(account.money[condition])
        if account.committed_money[condition]:
            free = amounts.text(account.free_money(condition))
            money = translate("{amount} ({free} free)", amount=money, free=free)
        parts = [money]
        for good, each in enumerate(economy_of(game).goods):
            units: int | str = account.units[condition][good]
            free_units = account.free_units(condition, good)
            if free_units != units:
                units = translate("{amount} ({free} free)", amount=units, free=free_units)
            parts.append(f"{localized_text(each.title, translate)}: {units}")
        line = LINE_SEPARATOR.join(parts)
        lines.append(f"{localized_role(name, translate)}: {line}" if name else line)
    return lines


def _market_notes(state: State, seat: Seat, names: Mapping[Seat, str], translate: Language) -> list[str]:
    """Return a seat's orders, its decision in this phase, and whether it has left."""
    market, phase, notes = double_auction_state(state), current_phase(state), []
    if count := len(market.own_orders[seat]):
        notes.append(translate.plural("{n} order in the book", "{n} orders in the books", count))
    if phase is not None and phase.decide and state.ending is None:
        decided = market.decision_of(seat, phase)
        if decided is not None:
            rows = decided_rows(phase, decided.to_dict(), "", names, translate)
            what = "; ".join(f"{title}: {text}" for title, text in rows)
            notes.append(translate("decided – {decision}", decision=what))
        elif seat in deciders(state):
            notes.append(translate("decides now"))
    if seat in market.left:
        notes.append(translate("has left"))
    return notes


def trading_accounts(
    state: State, names: Mapping[Seat, str], now: float, translate: Language
) -> tuple[SeatAccountView, ...]:
    """Return the accounts that a state of trading shows.

    Args:
        state: The state as the observer sees it.
        names: The names of all seats.
        now: The session time (s).
        translate: The window's language, with the game's texts.
    """
    economy, trading = economy_of(state.game), trading_state(state)
    amounts, rules = Amounts(economy.currency, translate), mechanism_of(state.game.mechanism)
    views = []
    for seat, account in trading.accounts.items():
        points = rules.standing(state, seat)
        worth = ""
        if points is not None:
            worth = translate("score {points}", points=score_text(points, economy.currency, translate))
        goods = [
            f"{good_title(good, translate)}: {units}"
            for good, units in zip(economy.goods, account.units, strict=True)
        ]
        lines = [LINE_SEPARATOR.join((amounts.text(account.money), *goods))]
        if trading.requests[seat]:
            lines.append(locked_text(state, seat, translate))
        lines += [
            translate("waits {time}: {what}", time=request.seconds, what=request.text)
            for request in waiting_requests(state, seat, names, now, translate)
        ]
        if seat in trading.left:
            lines.append(translate("has left"))
        views.append(SeatAccountView(seat, names[seat], worth, tuple(filter(None, lines))))
    return tuple(views)
