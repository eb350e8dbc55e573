"""Parts of the replay by the mechanisms' names: the one place where they are registered."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.app.playback.playback import Playback
from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.mechanisms.trading import Trading
from negoplatform.gui.replay.replay_parts import ReplayParts
from negoplatform.presentation.replay.seat_occupant_names import SeatOccupantNames

PartsFactory = Callable[[Playback, SeatOccupantNames], ReplayParts]


def _bargaining() -> PartsFactory:
    from negoplatform.gui.replay.bargaining_parts import BargainingReplayParts

    return BargainingReplayParts


def _trading() -> PartsFactory:
    from negoplatform.gui.replay.trading_parts import TradingReplayParts

    return TradingReplayParts


def _market() -> PartsFactory:
    from negoplatform.gui.replay.market_parts import MarketReplayParts

    return MarketReplayParts


REPLAY_PARTS: dict[str, Callable[[], PartsFactory]] = {
    BARGAINING: _bargaining,
    Trading.name: _trading,
    Market.name: _market,
}
"""Loaders of the makers of parts; those of a kind of game are imported only for a log of that kind."""


def replay_parts(playback: Playback, participants: SeatOccupantNames) -> ReplayParts:
    """Return the parts of a session's replay; of another kind of game those of bargaining."""
    load = REPLAY_PARTS.get(playback.game.mechanism, _bargaining)
    return load()(playback, participants)
