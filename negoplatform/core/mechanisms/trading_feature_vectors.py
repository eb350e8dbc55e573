"""Features of a trading game: each seat's account, worths, dialogues and trades as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from negoplatform.core.features.numeric_features import Feature
from negoplatform.core.mechanisms.trading_state import (
    Proposal,
    ProposalStatus,
    SettledTrade,
    trading_state,
)
from negoplatform.core.state import State
from negoplatform.domain.game import Visibility, economy_of
from negoplatform.domain.seat_map import PLATFORM, Seat, SeatMap
from negoplatform.domain.trading.worth import marginal_worth

NO_CALL, CALLS_TO_BUY, CALLS_TO_SELL = 0.0, 1.0, 2.0
"""Numbers of another seat's last call for proposals."""


class TradingHoldings(Feature):
    """A seat's money, its units of each good, and its requests that wait; only the seat itself sees them."""

    money: float = 0.0
    units: tuple[float, ...] = ()
    waiting: float = 0.0


class TradingWorths(Feature):
    """Worth of one more unit of each good to a seat, and of its last unit.

    The latter is 0 where it has no unit. Only the seat itself sees them.
    """

    next_units: tuple[float, ...] = ()
    last_units: tuple[float, ...] = ()


class TradingDialogues(Feature):
    """A seat's dialogues with each other seat, in the game's order; only the seat itself sees them.

    ``calls`` has each one's last call for proposals: 0 for none, 1 if it wants to buy, 2 if to sell. The
    other fields have one proposal with each other seat, the oldest: ``waiting``, one that this seat can
    accept or confirm; ``agreed``, one that both have agreed to; ``made``, one of its own without an answer.
    Each is a 1, then 1 if this seat would buy, else 0, the amount, and the units of each good; only zeros
    where there is none.
    """

    calls: tuple[float, ...] = ()
    waiting: tuple[float, ...] = ()
    agreed: tuple[float, ...] = ()
    made: tuple[float, ...] = ()


class LastTrade(Feature):
    """The number of a seat's trades, and its last one: 1 if it bought, the amount, the units of each good.

    Only the seat itself sees it.
    """

    count: float = 0.0
    bought: bool = False
    amount: float = 0.0
    units: tuple[float, ...] = ()


class TradingActivity(Feature):
    """The number of trades on the tape, of seats that have left, and the last trade on the tape."""

    visibility: ClassVar[Sequence[str]] = (Visibility.PUBLIC,)

    trades: float = 0.0
    left: float = 0.0
    amount: float = 0.0
    units: tuple[float, ...] = ()


def trading_features(state: State) -> SeatMap[Sequence[Feature]]:
    """Return the features of a trading game, by owner: the seats in order, then the platform.

    Each seat has TradingHoldings, TradingDialogues, LastTrade and, where the state holds its worths,
    TradingWorths, as far as the state holds its account. The platform has TradingActivity, which is public.
    Amounts are in the game's money.

    Args:
        state: The whole state, or a view of it.
    """
    trading = trading_state(state)
    last = next(trading.tape.iter_backwards(), None)
    activity = TradingActivity(
        trades=len(trading.tape),
        left=len(trading.left),
        amount=0.0 if last is None else _amount(state, last.amount),
        units=_units(state, last),
    )
    of_seats = [(seat, _seat_features(state, seat)) for seat in trading.accounts]
    return SeatMap([*of_seats, (PLATFORM, [activity])])


def _amount(state: State, money: float) -> float:
    return float(economy_of(state.game).currency.to_number(money))


def _units(state: State, trade: SettledTrade | None) -> tuple[float, ...]:
    return (0.0,) * len(economy_of(state.game).goods) if trade is None else tuple(map(float, trade.units))


def _seat_features(state: State, seat: Seat) -> list[Feature]:
    trading = trading_state(state)
    account, trades = trading.accounts[seat], trading.trades[seat]
    last = next(trades.iter_backwards(), None)
    features: list[Feature] = [
        TradingHoldings(
            money=_amount(state, account.money),
            units=account.units,
            waiting=len(trading.requests[seat]),
        ),
        _dialogues(state, seat),
        LastTrade(
            count=len(trades),
            bought=last is not None and last.buyer == seat,
            amount=0.0 if last is None else _amount(state, last.amount),
            units=_units(state, last),
        ),
    ]
    worth = economy_of(state.game).worths.get(seat)
    if worth is not None:
        margins = [marginal_worth(worth, account.units, good) for good in range(len(account.units))]
        features.append(
            TradingWorths(
                next_units=tuple(_amount(state, more) for more, _ in margins),
                last_units=tuple(_amount(state, less) for _, less in margins),
            )
        )
    return features


def _dialogues(state: State, seat: Seat) -> TradingDialogues:
    trading, others = trading_state(state), state.game.others(seat)
    calls = {
        call.caller: CALLS_TO_BUY if call.buyer else CALLS_TO_SELL
        for call in trading.calls[seat].values()
        if call.caller != seat
    }
    proposals = list(trading.proposals[seat].values())
    waiting, agreed, made = [], [], []
    for proposal in proposals:
        own = proposal.maker == seat
        if proposal.status is ProposalStatus.MATCHED:
            agreed.append(proposal)
        elif own == (proposal.status is ProposalStatus.ACCEPTED):
            waiting.append(proposal)
        elif own:
            made.append(proposal)
    return TradingDialogues(
        calls=tuple(calls.get(other, NO_CALL) for other in others),
        waiting=_proposals(state, seat, waiting),
        agreed=_proposals(state, seat, agreed),
        made=_proposals(state, seat, made),
    )


def _proposals(state: State, seat: Seat, proposals: Iterable[Proposal]) -> tuple[float, ...]:
    """Return the first proposal with each other seat as numbers."""
    oldest: dict[Seat, Proposal] = {}
    for proposal in proposals:
        oldest.setdefault(proposal.other(seat), proposal)
    missing = (0.0,) * (3 + len(economy_of(state.game).goods))
    numbers: list[float] = []
    for other in state.game.others(seat):
        found = oldest.get(other)
        if found is None:
            numbers += missing
        else:
            numbers += (1.0, float(found.buying_seat == seat), _amount(state, found.amount), *found.units)
    return tuple(numbers)
