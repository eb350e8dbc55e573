"""Result of a market game for its participant, computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.core.mechanisms.double_auction_state import (
    conditions_of,
    double_auction_state,
    market_terms,
    period_of,
)
from negoplatform.core.mechanisms.market_books import book_place, minor_of
from negoplatform.core.mechanisms.market_phase_facts import PERIOD_RESULT
from negoplatform.core.mechanisms.market_terms import CarryOver
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import localized_role, localized_text
from negoplatform.presentation.market.amounts import Amounts
from negoplatform.presentation.market.harberger_texts import harberger_rows, is_harberger
from negoplatform.presentation.market.order_book_view import localized_book_name
from negoplatform.presentation.market.trades_view import own_trades
from negoplatform.presentation.table.work_presenter import WorkResult


def market_result(state: State, seat: Seat, amounts: Amounts, translate: Language) -> WorkResult:
    """Return the result of a game that has ended, as the seat sees it."""
    game = state.game
    points = mechanism_of(game.mechanism).points(state, seat)
    gained = None if points is None else round(minor_of(game, points))
    if gained is None:
        words = ""
    elif gained < 0:
        words = translate("You lost {amount}.", amount=amounts.text(-gained))
    else:
        words = translate("You gained {amount}.", amount=amounts.text(gained))
    better = 0 if gained is None else (gained > 0) - (gained < 0)
    rows = period_rows(state, seat, amounts, translate)
    if gained is not None and is_harberger(game):
        rows = harberger_rows(state, seat, gained, amounts, translate)
    return WorkResult(words, rows=rows, better=better, facts=_facts(state, seat, amounts, translate))


def period_gains(state: State, seat: Seat) -> Mapping[int, int | float]:
    """Return the gain of each trading period that has ended, in the game's money."""
    return {
        event.data["period"]: event.data["gain"]
        for event in state.transcript_of(seat)
        if event.type == PERIOD_RESULT
    }


def period_rows(
    state: State, seat: Seat, amounts: Amounts, translate: Language, *, fewest: int = 2
) -> tuple[tuple[str, str, str], ...]:
    """Return the gain of each trading period that is over: nothing for fewer than ``fewest``."""
    gains = period_gains(state, seat)
    if len(gains) < fewest:
        return ()
    return tuple(
        (
            translate("Period {n}", n=period),
            amounts.signed(minor_of(state.game, gain)),
            _trade_count(state, seat, period, translate),
        )
        for period, gain in gains.items()
    )


def _trade_count(state: State, seat: Seat, period: int, translate: Language) -> str:
    units = sum(
        trade.quantity
        for book in range(len(double_auction_state(state).books))
        for trade in own_trades(state, seat, book)
        if period_of(state.game, trade.phase) == period
    )
    return translate.plural("{n} unit traded", "{n} units traded", units)


def _facts(state: State, seat: Seat, amounts: Amounts, translate: Language) -> tuple[tuple[str, str], ...]:
    """Return own trades by book, the condition that holds, and the last holdings."""
    game, market = state.game, double_auction_state(state)
    account = market.accounts[seat]
    conditions = market_terms(game).conditions
    index = conditions.index(market.realised) if market.realised else 0
    facts: list[tuple[str, str]] = []
    if market.realised:
        facts.append((translate("What holds"), localized_role(market.realised, translate)))
    goods = len(economy_of(game).goods)
    traded = {book_place(game, book)[0] for book in range(len(market.books)) if own_trades(state, seat, book)}
    for book in range(len(market.books)):
        trades = own_trades(state, seat, book)
        if trades or len(market.books) <= goods:
            units = sum(trade.quantity for trade in trades)
            one = market.realised if len(traded) == 1 else ""
            name = localized_book_name(game, book, translate, realised=one)
            facts.append((translate("Units of {good} traded", good=name), str(units)))
    # Where each period begins anew, what is left of the last one is not what was gained.
    begins_anew = market_terms(game).periods.carry is CarryOver.RESET and len(period_gains(state, seat)) > 1
    if (len(conditions_of(game)) == 1 or market.realised) and not begins_anew:
        facts.append((translate("Money at the end"), amounts.text(account.money[index])))
        for good, units in zip(economy_of(game).goods, account.units[index], strict=True):
            title = localized_text(good.title, translate)
            facts.append((translate("{good} at the end", good=title), str(units)))
    return tuple(facts)
