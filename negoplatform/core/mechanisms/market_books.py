"""Books of a market by good and condition, amounts in its money, and the gain of an account."""

from __future__ import annotations

from collections.abc import Sequence

from negoplatform.core.mechanisms.double_auction_state import (
    MarketAccount,
    conditions_of,
    double_auction_state,
    market_terms,
)
from negoplatform.core.state import State
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Money
from negoplatform.domain.utility import Points


def minor_of(game: GameSpec, amount: int | float) -> Money:
    """Return an amount of an event in minor units; amounts of events are known to be exact."""
    scale: int = 10 ** economy_of(game).currency.decimals
    return amount * scale if isinstance(amount, int) else round(amount * scale)


def number_of(game: GameSpec, amount: float) -> int | float:
    """Return an amount in minor units as events have it: in the game's money, whole ones as int."""
    scale: int = 10 ** economy_of(game).currency.decimals
    if isinstance(amount, int) and amount % scale == 0:
        return amount // scale
    return amount / scale


def book_number(game: GameSpec, condition: int, good: int) -> int:
    """Return the number of a book."""
    return condition * len(economy_of(game).goods) + good


def book_place(game: GameSpec, number: int) -> tuple[int, int]:
    """Return the condition and the good of a book, both as numbers from 0."""
    return divmod(number, len(economy_of(game).goods))


def book_name(game: GameSpec, number: int) -> str:
    """Return the good of a book, and its condition where there are several."""
    condition, good = book_place(game, number)
    title, name = economy_of(game).goods[good].title, conditions_of(game)[condition]
    return f"{title}, {name}" if name else title


def find_book(game: GameSpec, good: str | None, condition: str | None) -> int:
    """Return the number of the book of a good and a condition.

    Raises:
        Refused: If there is no such book, or one of the two has to be named and is not.
    """
    return book_number(
        game,
        _index("condition", condition, market_terms(game).conditions),
        _index("good", good, economy_of(game).good_names),
    )


def _index(what: str, name: str | None, names: Sequence[str]) -> int:
    if name is None:
        if len(names) > 1:
            raise Refused(f"Say which {what}: {', '.join(names)}.")
        return 0
    if name not in names:
        raise Refused(f"There is no {what} {name!r} here; there is {', '.join(names) or 'none'}.")
    return names.index(name)


def gain(state: State, seat: Seat, account: MarketAccount) -> Points | None:
    """Return what an account has gained, in the game's money; None while that is not known."""
    game, economy = state.game, economy_of(state.game)
    market, conditions = double_auction_state(state), market_terms(game).conditions
    if conditions and not market.realised:
        return None
    index = conditions.index(market.realised) if conditions else 0
    worth, endowment = economy.worths[seat], economy.endowments[seat]
    now = account.money[index] + worth.of(account.units[index], market.realised)
    before = endowment.money + worth.of(endowment.units, market.realised)
    return number_of(game, account.earned + now - before)
