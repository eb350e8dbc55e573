"""Benchmark of markets: two engines that agree, agents that gain, and the printed report."""

from __future__ import annotations

from statistics import fmean

import pytest

from benchmarks.market import (
    bare_loop,
    efficiencies,
    engine,
    gode_sunder_market,
    main,
    market_path,
    order_stream,
    tac_gains,
)
from negoplatform.analysis.trade_measures import equilibrium


@pytest.mark.parametrize("seed", range(5))
def test_the_order_book_and_the_bare_loop_make_the_same_trades(seed: int) -> None:
    orders, lines, bare_lines = order_stream(600, seed), list[str](), list[str]()

    _, trades = engine(orders, lines)
    _, bare_trades = bare_loop(orders, bare_lines)

    assert trades == bare_trades
    assert lines == bare_lines
    assert len(trades) > 50


def test_the_market_of_the_benchmark_is_that_of_gode_and_sunder_in_form() -> None:
    game = gode_sunder_market()
    assert game.economy is not None

    found = equilibrium(game.economy, 0)

    assert len([seat for seat in game.seats if seat.startswith("buyer")]) == 6
    assert len(game.seats) == 12
    assert found is not None
    assert 95 <= found.price <= 105


def test_zero_intelligence_traders_reach_over_90_per_cent_of_the_possible_gain_on_average() -> None:
    assert fmean(efficiencies("zero_intelligence", 3, periods=1)) > 0.9


def test_the_tac_baseline_gains_and_never_loses() -> None:
    for gains in tac_gains(4, seats=4):
        assert min(gains) >= 0
        assert sum(gains) > 0


def test_orders_of_a_session_have_a_cost_in_ten_parts() -> None:
    _, log = market_path(100)

    costs = log.tenths()
    assert log.orders == 100
    assert len(costs) == 10
    assert min(costs) > 0


def test_the_report_has_ratios(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--orders", "300", "--tries", "1", "--seeds", "0", "--markets", "0"]) == 0

    out = capsys.readouterr().out
    assert out.count("of it") == 3
    assert "last tenth" in out
