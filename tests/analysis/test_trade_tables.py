"""Tables of trading and market sessions: orders, trades, proposals, accounts and their measures."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.analysis.export_tables.export import Export, csv_bytes
from negoplatform.analysis.trade_recorder import TradeRecorder
from negoplatform.analysis.trade_records import OrderEnd, TradeRecords
from negoplatform.analysis.trade_session_measures import measure_trades
from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.simulation.simulate import Seatings, simulate
from negoplatform.cli.main import run
from negoplatform.core.events import NOTHING, EventType
from negoplatform.core.fold import apply, initial_state
from negoplatform.core.mechanisms.market_terms import Identities
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.eventlog.observer_export import encode_log, filter_log
from negoplatform.eventlog.reader import read_log
from negoplatform.testing import TrialTable
from tests.mechanisms.grain_market import BUYER, OTHER, SELLER, market

Rows = list[dict[str, str]]


def records_of(table: TrialTable) -> TradeRecords:
    """Return the records of a table, folded again from its events."""
    game = table.state.game
    mechanism = mechanism_of(game.mechanism)
    state = initial_state(game, mechanism)
    recorder = TradeRecorder(state)
    for event in table.events:
        state = apply(state, event, mechanism)
        recorder.add(event, state)
    return recorder.records()


def ends(table: TrialTable) -> list[tuple[int, int, str | None]]:
    """Return quantity, filled units and end of each order."""
    return [(each.quantity, each.filled, each.end) for each in records_of(table).orders]


def simulated(folder: Path, game: str, *agents: str) -> Path:
    """Return the log of one simulated game."""
    none = Path("none")
    plugins = [find_agent(name, none) for name in agents]
    list(
        simulate(
            find_game(game, none),
            plugins[:-1] if len(agents) > 1 else plugins,
            games=1,
            seed=3,
            logs=folder,
            report=_fail,
            fill=plugins[-1],
            how=Seatings.GIVEN,
        )
    )
    (log,) = folder.rglob("events.jsonl")
    return log


def _fail(error: BaseException) -> None:
    raise error


def tables_of(*logs: Path) -> dict[str, Rows]:
    """Return the tables of some logs, read back from the bytes of their files."""
    export = Export()
    for log in logs:
        export.add(log)
    return {
        table.name: list(csv.DictReader(io.StringIO(csv_bytes(table).decode("utf-8"), newline="")))
        for table in export.tables()
    }


@pytest.fixture(scope="module")
def grain_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the log of a market of six zero-intelligence traders."""
    return simulated(
        tmp_path_factory.mktemp("grain"), "grain_market", "zero_intelligence", "zero_intelligence"
    )


@pytest.fixture(scope="module")
def tac_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the log of two traders in pairs."""
    return simulated(tmp_path_factory.mktemp("tac"), "tac_market", "tac_baseline", "tac_baseline")


@pytest.fixture(scope="module")
def grain(grain_log: Path) -> dict[str, Rows]:
    """Return the tables of the market."""
    return tables_of(grain_log)


@pytest.fixture(scope="module")
def tac(tac_log: Path) -> dict[str, Rows]:
    """Return the tables of the traders in pairs."""
    return tables_of(tac_log)


# How orders end


def test_an_order_is_filled_or_partly_filled_until_the_period_ends() -> None:
    table = market()
    table.ask(60, 3)
    table.bid(60, 2)
    table.wait(61)

    assert ends(table) == [(3, 2, OrderEnd.PERIOD_END), (2, 2, OrderEnd.FILLED)]


def test_an_order_is_cancelled_or_replaced() -> None:
    table = market()
    first = table.bid(50)
    table.cancel(first)
    second = table.bid(51)
    table.wait(1)
    table.cancel(second)
    table.wait(1)
    table.bid(52)

    assert ends(table) == [(1, 0, OrderEnd.REPLACED), (1, 0, OrderEnd.CANCELLED), (1, 0, None)]


def test_an_order_expires_or_goes_when_its_seat_leaves() -> None:
    table = market(order_lifetime_seconds=5)
    table.bid(50)
    table.wait(6)
    table.ask(90)
    table.session.act(SELLER, EventType.FORMAL_QUIT, NOTHING)

    assert ends(table) == [(1, 0, OrderEnd.EXPIRED), (1, 0, OrderEnd.LEFT)]


def test_what_is_left_of_an_order_that_trades_at_once_is_dropped() -> None:
    table = market()
    table.ask(60)
    table.bid(60, 3, now=True)

    assert ends(table) == [(1, 1, OrderEnd.FILLED), (3, 1, OrderEnd.DROPPED)]


def test_an_order_knows_the_best_prices_before_it_and_what_its_seat_held() -> None:
    table = market()
    table.ask(90)
    table.bid(60)
    table.ask(80, seat=OTHER)

    found = records_of(table).orders
    assert [(each.best_bid, each.best_ask, each.held) for each in found] == [
        (None, None, 3),
        (None, 90, 0),
        (60, 90, 3),
    ]


def test_the_spread_is_a_mean_over_the_time_with_a_bid_and_an_ask() -> None:
    table = market()
    table.ask(90)
    table.wait(10)
    table.bid(70)
    table.wait(10)
    table.bid(80)
    table.wait(30)

    table.ask(85)

    assert records_of(table).mean_spread == pytest.approx((10 * 20 + 30 * 10) / 40)


def test_gains_and_efficiency_are_those_of_the_trades() -> None:
    table = market()
    table.ask(95)
    table.bid(95)
    table.ask(90, seat=OTHER)
    table.bid(90)
    table.wait(61)

    measures = measure_trades(records_of(table), table.gains())

    # The buyer's units are worth 110 and 90; those that were sold were worth 70 each.
    assert (measures.surplus_max, measures.surplus, measures.efficiency) == (60, 60, 1)
    assert measures.seats[BUYER].gain == 110 + 90 - 95 - 90
    assert measures.seats[SELLER].gain == 95 - 70
    assert (measures.seats[BUYER].bought, measures.seats[OTHER].sold) == (2, 1)
    assert measures.mean_price == 92.5


def test_hidden_identities_are_known_to_the_complete_log_by_the_orders() -> None:
    table = market(identities=Identities.HIDDEN)
    table.ask(60)
    table.bid(60)

    (trade,) = records_of(table).trades
    assert (trade.buyer, trade.seller) == (BUYER, SELLER)


# Tables


def test_every_order_and_every_trade_of_a_market_has_a_row(grain: dict[str, Rows]) -> None:
    kinds = [row["type"] for row in grain["events"]]

    assert len(grain["orders"]) == kinds.count("PLACE_ORDER")
    assert len(grain["trades"]) == kinds.count("contract-fulfilled") > 10
    for side in ("bid", "ask"):
        filled = sum(int(row["filled"]) for row in grain["orders"] if row["order_side"] == side)
        assert filled == len(grain["trades"])
    assert all(row["order_end"] for row in grain["orders"])
    assert {row["good"] for row in grain["trades"]} == {"grain"}
    assert all(float(row["dist_eq"]) == float(row["price"]) - 85 for row in grain["trades"])


def test_no_zero_intelligence_order_is_on_the_wrong_side_of_its_value(grain: dict[str, Rows]) -> None:
    for row in grain["orders"]:
        price, value = float(row["price"]), float(row["value"])
        assert price <= value if row["order_side"] == "bid" else price >= value


@pytest.mark.parametrize("kind", ["grain", "tac"])
def test_accounts_conserve_money_and_units_and_end_with_the_scores(
    kind: str, request: pytest.FixtureRequest
) -> None:
    tables: dict[str, Rows] = request.getfixturevalue(kind)
    fees = float(tables["sessions"][0]["fees"])
    sums: dict[tuple[str, str], list[float]] = {}
    for row in tables["accounts"]:
        found = sums.setdefault((row["moment"], row["period"] + row["good"]), [0.0, 0.0])
        found[0] += float(row["money"])
        found[1] += int(row["units"])

    starts = {good: found for (moment, good), found in sums.items() if moment == "start"}
    for (moment, good), (money, units) in sums.items():
        began = starts["0" + good.lstrip("0123456789")]
        assert units == began[1]
        assert money == pytest.approx(began[0] - (fees if moment == "end" else 0))
    scores = {row["seat"]: float(row["score"]) for row in tables["accounts"] if row["moment"] == "end"}
    assert scores == pytest.approx({row["seat"]: float(row["score"]) for row in tables["seats"]})


@pytest.mark.parametrize("kind", ["grain", "tac"])
def test_the_gains_of_the_seats_are_the_surplus_less_the_fees(
    kind: str, request: pytest.FixtureRequest
) -> None:
    tables: dict[str, Rows] = request.getfixturevalue(kind)
    (session,) = tables["sessions"]

    gains = sum(float(row["gain"]) for row in tables["seats"])
    assert gains == pytest.approx(float(session["surplus"]) - float(session["fees"]))
    efficiency = float(session["surplus"]) / float(session["surplus_max"])
    assert float(session["efficiency"]) == pytest.approx(efficiency)
    assert int(session["n_trades"]) == len(tables["trades"])


def test_periods_and_goods_are_listed_as_json(grain: dict[str, Rows], tac: dict[str, Rows]) -> None:
    periods = json.loads(grain["sessions"][0]["market_periods"])
    goods = json.loads(tac["sessions"][0]["market_goods"])

    assert [each["period"] for each in periods] == [1, 2, 3]
    assert sum(each["trades"] for each in periods) == len(grain["trades"])
    assert [each["good"] for each in goods] == ["wool", "wine", "salt", "honey", "timber"]
    assert all(each["walras_price"] > 0 for each in goods)


def test_every_proposal_has_a_row_with_its_answer(tac: dict[str, Rows]) -> None:
    rows = tac["proposals"]

    assert len(rows) == [row["type"] for row in tac["events"]].count("PROPOSE")
    assert sum(row["settled"] == "1" for row in rows) == len(tac["trades"]) > 0
    for row in rows:
        assert float(row["gain_maker"]) > 0, "the baseline proposes nothing that lowers its own score"
        if row["answer"] == "accepted":
            assert float(row["gain_recipient"]) > 0
            assert row["answer_ms"]


def test_columns_of_bargaining_are_empty(grain: dict[str, Rows]) -> None:
    (session,) = grain["sessions"]

    assert session["end_reason"] == "completed"
    names = ["agreement", "acceptance", "n_needed", "turns", "n_offers", "n_issues", "joint", "pareto"]
    assert [session[name] for name in names] == [""] * len(names)
    assert {row["n_offers"] for row in grain["seats"]} == {""}


def test_logs_of_bargaining_have_none_of_these_tables(tmp_path: Path) -> None:
    log = simulated(tmp_path, "practice", "fair", "fair")

    tables = tables_of(log)

    assert not {"orders", "trades", "proposals", "accounts"} & set(tables)
    assert tables["sessions"][0]["efficiency"] == tables["seats"][0]["gain"] == ""


def test_a_seat_s_view_has_its_own_orders_values_and_account_only(grain_log: Path, tmp_path: Path) -> None:
    file = tmp_path / "view.jsonl"
    file.write_bytes(encode_log(filter_log(read_log(grain_log), "buyer_2")))

    tables = tables_of(file)

    assert {row["seat"] for row in tables["accounts"]} == {"buyer_2"}
    assert {row["seat"] for row in tables["orders"] if row["value"]} == {"buyer_2"}
    assert [row["seat"] for row in tables["seats"] if row["gain"]] == ["buyer_2"]
    assert (tables["sessions"][0]["efficiency"], tables["sessions"][0]["alpha"]) == ("", "")
    assert len(tables["trades"]) == len(tables_of(grain_log)["trades"])


def test_a_public_view_of_trades_has_the_fees_that_the_game_s_terms_say(
    tac_log: Path, tac: dict[str, Rows], tmp_path: Path
) -> None:
    file = tmp_path / "view.jsonl"
    file.write_bytes(encode_log(filter_log(read_log(tac_log), "public")))

    reported = tables_of(file)["trades"]

    names = ("t_ms", "buyer", "seller", "quantities", "amount", "fee_buyer", "fee_seller")
    assert [[row[name] for name in names] for row in reported] == [
        [row[name] for name in names] for row in tac["trades"]
    ]
    assert {row["fee_seller"] for row in reported} == {"0.5"}


def test_the_scripts_read_the_tables_and_the_codebook_has_their_columns(
    grain_log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = simulated(tmp_path / "pair", "tac_trading", "tac_baseline", "tac_baseline")
    assert run(["export", str(grain_log), str(pair), "--out", str(tmp_path / "tables")]) == 0

    folder = tmp_path / "tables"
    described = json.loads((folder / "dataset_description.json").read_text(encoding="utf-8"))
    for table in ("orders", "trades", "proposals", "accounts"):
        assert f'read_table("{table}"' in (folder / "import.R").read_text(encoding="utf-8")
        assert f"{table}.csv" in (folder / "import.sps").read_text(encoding="utf-8")
        assert f'{table} = read_table("{table}")' in (folder / "import_tables.py").read_text(encoding="utf-8")
        assert table in [part["name"] for part in described["distribution"]]
    codebook: Any = csv.DictReader(io.StringIO((folder / "codebook.csv").read_text(encoding="utf-8")))
    assert {"orders", "trades", "accounts"} < {row["table"] for row in codebook}
    assert len((folder / "iago_wide.csv").read_text(encoding="utf-8").splitlines()) == 1, "the header alone"
    assert "2 sessions in" in capsys.readouterr().out


# Summaries


def test_a_replayed_log_ends_with_gains_and_prices(
    grain_log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", str(grain_log)]) == 0

    out = capsys.readouterr().out
    assert "Measures: gains of trade" in out
    assert "equilibrium price €85.00; alpha" in out
    assert "  period 3: " in out
    assert "  seller_3: gain" in out


def test_simulate_prints_efficiency_and_gain_per_agent(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["--game", "tac_trading", "--agents", "tac_baseline", "talking_trader", "--n", "1"]
    assert run(["simulate", *args]) == 0

    out, err = capsys.readouterr()
    assert "efficiency" in out
    agents = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line}
    assert agents["tac_baseline"][0] == agents["talking_trader"][0] == "2"
    assert float(agents["tac_baseline"][1]) > 0
    assert "measures are missing" not in err
