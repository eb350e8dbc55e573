"""Result of a trading game for a participant: score, holdings and trades; computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.mechanisms.trading_accounts import score
from negoplatform.core.mechanisms.trading_state import TradingAccount, fee_shares, trading_state
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.table.work_presenter import WorkResult
from negoplatform.presentation.trading.money_texts import (
    change_text,
    good_title,
    money_text,
    score_text,
    sign_of,
    units_text,
)

MOST_TRADES = 12
"""Most trades that are listed; the newest are kept."""


def trading_result(state: State, seat: Seat, names: Mapping[Seat, str], translate: Language) -> WorkResult:
    """Return what is shown of the result of a game that has ended.

    Args:
        state: The session, as visible to the participant.
        seat: Seat of the participant.
        names: Displayed names of the other seats.
        translate: Translation into the window's language.
    """
    economy, trading = economy_of(state.game), trading_state(state)
    currency, start, end = economy.currency, economy.endowments[seat], trading.accounts[seat]
    points = mechanism_of(state.game.mechanism).points(state, seat)
    before = score(state.game, seat, TradingAccount(start.money, start.units))
    rows = [
        (
            translate("Money"),
            _from_to(
                money_text(start.money, currency, translate), money_text(end.money, currency, translate)
            ),
            "",
        )
    ]
    for good, first, last in zip(economy.goods, start.units, end.units, strict=True):
        rows.append((good_title(good, translate), _from_to(str(first), str(last)), ""))
    gain = 0 if points is None or before is None else points - before
    facts = []
    if before is not None:
        facts.append((translate("Score at the start"), score_text(before, currency, translate)))
    facts.append((translate("Trades"), str(len(trading.trades[seat]))))
    for_buyer, for_seller = fee_shares(state.game)
    fees = sum(for_buyer if trade.buyer == seat else for_seller for trade in trading.trades[seat])
    if fees:
        facts.append((translate("Fees paid"), money_text(fees, currency, translate)))
    return WorkResult(
        points=""
        if points is None
        else translate("Your score: {score}", score=score_text(points, currency, translate)),
        rows=tuple(rows),
        compared="" if points is None else _compared(state, gain, translate),
        better=sign_of(gain, currency),
        facts=(*facts, *_trades(state, seat, names, translate)),
    )


def _from_to(first: str, last: str) -> str:
    return last if first == last else f"{first} → {last}"


def _compared(state: State, gain: float, translate: Language) -> str:
    currency = economy_of(state.game).currency
    if not sign_of(gain, currency):
        return translate("The same as at the start")
    return translate("{change} compared with the start", change=change_text(gain, currency, translate))


def _trades(
    state: State, seat: Seat, names: Mapping[Seat, str], translate: Language
) -> list[tuple[str, str]]:
    """Return the newest trades: what was traded with whom, and the price."""
    economy = economy_of(state.game)
    rows = []
    for trade in list(trading_state(state).trades[seat])[-MOST_TRADES:]:
        goods = units_text(trade.units, economy.goods, translate)
        label = (
            translate("Bought {goods} from {name}", goods=goods, name=names.get(trade.seller, trade.seller))
            if trade.buyer == seat
            else translate("Sold {goods} to {name}", goods=goods, name=names.get(trade.buyer, trade.buyer))
        )
        rows.append((label, money_text(trade.amount, economy.currency, translate)))
    return rows
