"""The shipped trading games: the figures of the worked example, a resumption, and what the baseline gains."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.agent_api.trading_view import TradingView
from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.simulation.simulate import simulate
from negoplatform.core.mechanisms.trading_state import TradingAccount
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.trading.worth import LogWorth
from tests.mechanisms.bench import Bench
from tests.mechanisms.trading_table import ONE, TWO, Table

NOWHERE = Path("no such folder")


def test_the_shipped_example_has_the_figures_of_the_documentation() -> None:
    market = Table(find_game("tac_trading", NOWHERE))
    market.start()

    before = market.scores()
    market.submit(ONE, TWO, buyer=True)
    market.submit(TWO, ONE, buyer=False)

    assert (before, market.scores()) == ([213.86, 141.59], [259.31, 142.96])


def test_a_score_is_money_and_the_sum_of_parameters_times_logarithms() -> None:
    worth = LogWorth((8000.0, 2000.0))
    account = TradingAccount(20_000, (1, 2))

    assert account.money + worth.of(account.units) == pytest.approx(21_386.29436)
    assert worth.of((0, 1)) == -8_000_000


def test_a_seat_s_state_after_a_resumption_is_its_state_before() -> None:
    market = Table(find_game("tac_trading", NOWHERE))
    market.start()
    market.submit(ONE, TWO, buyer=True)
    market.submit(TWO, ONE, buyer=False)

    again = Bench(market.state.game, market.events)

    for seat in (ONE, TWO):
        before = market.context(seat).trading.get_state_update()
        assert TradingView(view_of(again.state, Observer(seat)).state, seat).get_state_update() == before
        assert len(before.confirmed_transactions) == 1


def test_the_baseline_gains_by_trading() -> None:
    game = find_game("tac_trading", NOWHERE)
    agents = [find_agent("tac_baseline", NOWHERE)] * 2

    (result, *_) = simulate(
        game, agents, games=1, seed=1, logs=None, report=lambda error: pytest.fail(str(error))
    )

    for points, before in zip(result.points.values(), (213.87, 141.59), strict=True):
        assert points is not None
        assert points > before
