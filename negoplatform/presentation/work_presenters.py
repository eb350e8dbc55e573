"""Presenters of mechanisms by the mechanisms' names: the one place where they are registered."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.mechanisms.trading import Trading
from negoplatform.presentation.table.work_presenter import WorkPresenterFactory


def _bargaining() -> WorkPresenterFactory:
    from negoplatform.presentation.bargaining.bargaining_presenter import BargainingPresenter

    return BargainingPresenter


def _trading() -> WorkPresenterFactory:
    from negoplatform.presentation.trading.trading_presenter import TradingPresenter

    return TradingPresenter


def _market() -> WorkPresenterFactory:
    from negoplatform.presentation.market.market_presenter import MarketPresenter

    return MarketPresenter


WORK_PRESENTERS: dict[str, Callable[[], WorkPresenterFactory]] = {
    BARGAINING: _bargaining,
    Trading.name: _trading,
    Market.name: _market,
}
"""Loaders of the presenters' classes; a presenter is imported only for a game of its kind."""
