"""Words of kinds of games by the mechanisms' names: the one place where they are registered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from negoplatform.core.events import Event
from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.trading import Trading
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.replay.event_words import ActWords, GeneralWords

WordsFactory = Callable[[Iterable[Event], GameSpec, Mapping[Seat, str], Language, Seat], ActWords]


def _trading() -> WordsFactory:
    from negoplatform.presentation.replay.trading_words import TradingWords

    return TradingWords


def _market() -> WordsFactory:
    from negoplatform.presentation.replay.market_words import MarketWords

    return MarketWords


WORDS: dict[str, Callable[[], WordsFactory]] = {Trading.name: _trading, Market.name: _market}
"""Loaders of the words of kinds of games that have some."""


def act_words(
    events: Iterable[Event],
    game: GameSpec,
    names: Mapping[Seat, str],
    translate: Language,
    *,
    seat: Seat = "",
) -> ActWords:
    """Return the words for a session of a game.

    Args:
        events: The events that the observer may see.
        game: The game.
        names: The names of all seats.
        translate: The window's language, with the game's texts.
        seat: The seat as whose participant the observer reads; empty: as an observer of everything.
    """
    load = WORDS.get(game.mechanism)
    return (GeneralWords if load is None else load())(events, game, names, translate, seat)
