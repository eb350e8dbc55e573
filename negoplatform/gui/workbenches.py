"""Workbenches of mechanisms by the mechanisms' names: the one place where they are registered."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.mechanisms.trading import Trading
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.gui.table.workbench import Workbench


def _bargaining() -> Workbench:
    from negoplatform.gui.bargaining.bargaining_workbench import BargainingWorkbench

    return BargainingWorkbench()


def _trading() -> Workbench:
    from negoplatform.gui.trading.trading_workbench import TradingWorkbench

    return TradingWorkbench()


def _market() -> Workbench:
    from negoplatform.gui.market.market_workbench import MarketWorkbench

    return MarketWorkbench()


WORKBENCHES: dict[str, Callable[[], Workbench]] = {
    BARGAINING: _bargaining,
    Trading.name: _trading,
    Market.name: _market,
}
"""Makers of workbenches; a workbench is imported only for a game of its kind."""


def make_workbench(game: GameSpec) -> Workbench:
    """Return a new workbench for a game.

    Raises:
        NegoError: If the window shows no games of this kind.
    """
    make = WORKBENCHES.get(game.mechanism)
    if make is None:
        raise NegoError(
            f"{game.name} is a game of the kind {game.mechanism}, which the window does not show; "
            "'negoplatform simulate' plays it among agents."
        )
    return make()
