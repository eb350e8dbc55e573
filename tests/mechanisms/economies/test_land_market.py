"""The land market: declarations, taxes, speculation, shares, and the author's state that its events fill."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from negoplatform.core.events import EndedBy
from negoplatform.core.mechanisms.double_auction_state import OrderPlaced, double_auction_state
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.visibility import Observer, visible_event
from negoplatform.domain.errors import InputFileError, NegoError, Refused
from negoplatform.formats.games import load_game
from tests.mechanisms.economies import authors_state
from tests.mechanisms.economies.land import (
    DEVELOPER,
    FOLDER,
    OWNER_1,
    OWNER_2,
    OWNERS,
    SPECULATOR_1,
    SPECULATOR_2,
    SPECULATORS,
    Land,
    declared,
    finished,
    land,
    land_market,
    played_out,
    trading,
)

SEATS = (*OWNERS, *SPECULATORS)


# The course of the game


def test_the_phases_are_declare_speculate_market_declare_speculate() -> None:
    table = played_out()

    assert [event.data["phase_name"] for event in table.facts("phase-transition")] == [
        "declare",
        "speculate",
        "market",
        "final_declare",
        "final_speculate",
    ]
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.COMPLETED


def test_the_game_runs_its_course_by_time_alone() -> None:
    table = land()

    table.wait(120 + 60 + 180 + 120 + 60)

    assert table.state.ending is not None
    assert table.state.ended_at == 540
    assert {event.data["phase_name"] for event in table.facts("decisions-made")} == {
        "declare",
        "speculate",
        "final_declare",
        "final_speculate",
    }


def test_a_seat_does_only_what_its_part_and_the_phase_allow() -> None:
    table = land()

    with pytest.raises(Refused, match="nothing for you to decide"):
        table.declares(SPECULATOR_1, 100, 100)
    with pytest.raises(Refused, match="The market is closed now"):
        table.orders(SPECULATOR_1, OrderSide.BID, 50)
    with pytest.raises(Refused, match=r"Worth without the project: choose a number in steps of 10"):
        table.declares(OWNER_1, 405, 300)
    table.declares(OWNER_1, 400, 300)
    with pytest.raises(Refused, match="You’ve already decided"):
        table.declares(OWNER_1, 400, 300)
    declared_already = declared()
    with pytest.raises(Refused, match=r"Plots to buy: choose some of owner_1, owner_2, developer, or none"):
        declared_already.buys_plots(SPECULATOR_1, SPECULATOR_2)
    with pytest.raises(Refused, match="choose each once"):
        declared_already.buys_plots(SPECULATOR_1, OWNER_1, OWNER_1)


def test_the_condition_with_the_highest_sum_of_declarations_holds() -> None:
    table = declared()

    (known,) = table.facts("condition-realised")

    assert known.data == {"condition": "project", "winningCondition": 1}
    assert known.payload.text == "project holds: its declarations add up to €1,600.00."
    other = land()
    other.declares(OWNER_1, 600, 200)
    other.declares(OWNER_2, 500, 200)
    other.declares(DEVELOPER, 300, 500)
    assert other.facts("condition-realised")[0].data["condition"] == "no_project"


def test_who_does_not_declare_declares_the_least_possible() -> None:
    table = land()
    table.declares(OWNER_1, 400, 300)

    table.wait(120)

    (published,) = table.facts("declarations")
    assert {plot["owner"]: plot["values"] for plot in published.data["plots"]} == {
        OWNER_1: [400, 300],
        OWNER_2: [250, 350],
        DEVELOPER: [100, 500],
    }


def test_nobody_sees_a_declaration_before_the_phase_ends() -> None:
    table = land()

    act = table.declares(OWNER_1, 410, 310)

    assert [seat for seat in SEATS if visible_event(act, Observer(seat))] == [OWNER_1]
    for seat in SEATS[1:]:
        assert "410" not in repr(table.context(seat).mechanism_state)


# Money


def test_the_first_declaration_is_taxed_at_one_per_cent_under_the_condition_that_holds() -> None:
    table = declared()

    assert [table.money(seat) for seat in OWNERS] == [997, 995, 992]
    assert [table.money(seat, condition=0) for seat in OWNERS] == [1000, 1000, 1000]
    assert [table.money(seat) for seat in SPECULATORS] == [1000, 1000]


def test_half_of_what_a_plot_is_worth_beyond_its_declaration_goes_to_its_buyer() -> None:
    table = declared()
    half = (table.worths(OWNER_2)[1] - 500) / 2

    table.buys_plots(SPECULATOR_1, OWNER_2)
    table.buys_plots(SPECULATOR_2)

    assert half != 0
    assert table.money(SPECULATOR_1) == 1000 + half
    assert table.money(OWNER_2) == 995 - half
    profits = {event.to: event.data["profit"] for event in table.facts("profit")}
    assert profits == {(SPECULATOR_1,): half, (OWNER_2,): -half}


def test_of_several_buyers_of_a_plot_one_is_drawn() -> None:
    winners = set()
    for seed in range(1, 13):
        table = declared(land(seed=seed))
        for seat in SPECULATORS:
            table.buys_plots(seat, DEVELOPER)
        sold = {event.to[0] for event in table.facts("profit")}
        assert len(sold) == 2
        assert DEVELOPER in sold
        winners |= sold - {DEVELOPER}
    assert winners == set(SPECULATORS)


def test_the_final_tax_is_paid_out_to_the_shares_to_the_last_cent() -> None:
    table = trading()
    table.orders(OWNER_1, OrderSide.ASK, 50, 4)
    for seat in (OWNER_2, DEVELOPER, SPECULATOR_1, SPECULATOR_2):
        table.orders(seat, OrderSide.BID, 50)
    finished(table)
    first_tax, last_tax = 300 + 500 + 800, 6_930 + 15_510 + 21_450
    worths = {seat: round(table.worths(seat)[1] * 100) for seat in OWNERS}

    after = {seat: table.account(seat).money[1] for seat in SEATS}

    assert [table.account(seat).units[1][0] for seat in SEATS] == [1, 6, 6, 6, 6]
    # What the last tax takes is what the shares pay: 43,890 cents do not divide by 25 shares.
    assert sum(after.values()) == 5 * 100_000 - first_tax + sum(worths.values())
    assert after[SPECULATOR_2] == pytest.approx(100_000 - 5_000 + last_tax * 6 / 25, abs=1)


def test_points_are_what_a_seat_has_gained_its_plot_included() -> None:
    table = played_out()
    mechanism = mechanism_of("market")

    for seat in SEATS:
        points = mechanism.points(table.state, seat)
        assert points == pytest.approx(table.money(seat) - 1000)
    assert table.context(OWNER_1).standing == mechanism.points(table.state, OWNER_1)


def test_shares_are_traded_under_the_condition_that_holds_alone() -> None:
    table = trading()

    table.orders(OWNER_1, OrderSide.ASK, 50)
    table.orders(SPECULATOR_1, OrderSide.BID, 50)

    assert (table.account(SPECULATOR_1).units, table.money(SPECULATOR_1)) == (((5,), (6,)), 950)
    with pytest.raises(Refused, match="It is known that project holds; trade under this condition"):
        table.session.act(OWNER_1, "PLACE_ORDER", OrderPlaced(OrderSide.ASK, 50, 1, condition="no_project"))


def test_a_signal_is_off_by_five_per_cent_at_most_and_private_ones_are_their_owner_s() -> None:
    for seed in range(1, 9):
        table = trading(land(seed=seed))
        expected = sum(table.worths(seat)[1] for seat in OWNERS) * 33 / 100 / 25
        (public,) = table.facts("public-signal")
        private = {event.to: event.data["signals"] for event in table.facts("signals")}
        assert set(private) == {(seat,) for seat in SEATS}
        for signal in (public.data["publicSignal"], *private.values()):
            assert signal[0] == 0
            assert abs(signal[1] / expected - 1) <= 0.0501
    assert len({tuple(signal) for signal in private.values()}) > 1


def test_who_leaves_is_waited_for_no_longer() -> None:
    table = declared()

    table.session.formal_quit(SPECULATOR_2)
    table.buys_plots(SPECULATOR_1)

    assert table.phase() == "market"


# The author's state


def test_a_seat_s_state_says_who_it_is_who_else_there_is_and_which_phase_it_is() -> None:
    table = declared()

    meta = table.typed(OWNER_2).meta

    assert (meta.player_name, meta.player_number, meta.phase) == (OWNER_2, 2, 2)
    assert meta.players == [{"number": i, "name": seat} for i, seat in enumerate(SEATS, start=1)]


def test_a_seat_s_state_holds_its_own_wallet_signals_declarations_and_property() -> None:
    table = trading()
    first, second = (table.typed(seat).private_information for seat in (OWNER_1, OWNER_2))

    assert first.declarations == [{"condition": 0, "value": 400}, {"condition": 1, "value": 300}]
    assert first.property == {"id": 1, "owner": OWNER_1, "values": table.worths(OWNER_1)}
    assert first.value_signals == table.facts("signals", OWNER_1)[0].data["signals"]
    assert first.value_signals != second.value_signals
    assert [(entry["condition"], entry["balance"], entry["shares"]) for entry in first.wallet] == [
        (0, 1000, 5),
        (1, 997, 5),
    ]
    assert second.wallet[1]["balance"] == 995
    assert second.property["owner"] == OWNER_2
    assert table.typed(SPECULATOR_1).private_information.property == {}


def test_an_event_about_a_profit_does_not_change_the_property() -> None:
    table = declared()
    table.buys_plots(SPECULATOR_1, OWNER_1)
    table.buys_plots(SPECULATOR_2)

    (profit,) = table.facts("profit", OWNER_1)

    assert profit.data["property"] == {}
    assert table.typed(OWNER_1).private_information.property["owner"] == OWNER_1


def test_the_tax_rates_are_those_of_the_phase_and_of_the_game() -> None:
    def rates(table: Land) -> tuple[float, float, float]:
        public = table.typed(SPECULATOR_1).public_information
        return public.tax_rate, public.initial_tax_rate, public.final_tax_rate

    table = trading()
    assert table.phase() == "market"
    assert rates(table) == (1, 1, 33)
    table.wait(180)
    assert table.phase() == "final_declare"
    assert rates(table) == (33, 1, 33)


def test_every_seat_knows_the_boundaries_the_conditions_and_the_public_signal() -> None:
    table = trading()

    for seat in SEATS:
        public = table.typed(seat).public_information
        assert public.boundaries[OWNER_1] == {
            "no_project": {"min": 300, "max": 600},
            "project": {"min": 200, "max": 500},
        }
        assert public.conditions == [{"id": 0, "name": "no_project"}, {"id": 1, "name": "project"}]
        assert public.public_signal == table.facts("public-signal")[0].data["publicSignal"]


def test_a_field_of_one_name_in_two_parts_is_filled_in_each_by_its_own_key() -> None:
    private = trading().typed(OWNER_1)

    assert private.private_information.value_signals != []
    assert private.public_information.value_signals == []


def test_the_description_of_the_condition_that_holds_is_empty_before_the_conditions_are_known() -> None:
    state = type(land().typed(OWNER_1))(7)

    assert state.meta.game_id == 7
    assert state.public_information.winning_condition_description() == {}
    public = declared().typed(OWNER_1).public_information
    assert public.winning_condition == 1
    assert public.winning_condition_description() == {"id": 1, "name": "project"}


def test_an_asset_movement_sets_the_wallet_of_the_condition_that_holds() -> None:
    table = played_out()

    for seat in SEATS:
        wallet = table.typed(seat).private_information.wallet
        account = table.account(seat)
        assert wallet[1]["balance"] == account.money[1] / 100
        assert wallet[1]["shares"] == account.units[1][0]
        assert (wallet[0]["balance"], wallet[0]["shares"]) == (1000, 5)


def test_each_seat_s_state_has_the_trades_of_the_session_and_an_empty_book_at_its_end() -> None:
    table = played_out()

    for seat in SEATS:
        public = table.typed(seat).public_information
        assert set(public.market_state.orders) == set()
        assert [(trade.from_id, trade.to_id, trade.price) for trade in public.market_state.trades] == [
            (OWNER_1, SPECULATOR_1, 50),
            (OWNER_1, DEVELOPER, 50),
        ]


# Classes of another author


@pytest.fixture
def own_land(tmp_path: Path) -> Path:
    """Copy the game into a folder with the state classes of the documentation."""
    (tmp_path / "game.json").write_text((FOLDER / "game.json").read_text())
    (tmp_path / "state.py").write_text(inspect.getsource(authors_state))
    return tmp_path / "game.json"


def test_state_classes_of_the_documented_form_work_unchanged(own_land: Path) -> None:
    table = played_out(land(land_market(own_land)))

    state = table.typed(SPECULATOR_1)
    assert type(state).__name__ == "HarbergerGameState"
    assert state.public_information.market_state.orders == {}
    assert len(state.public_information.market_state.trades) == 2
    assert state.private_information.wallet[1]["shares"] == 7
    assert state.private_information.wallet[1]["balance"] == table.money(SPECULATOR_1)
    assert state.public_information.winning_condition_description() == {"id": 1, "name": "project"}
    assert state.update.__self__ is state


# Games that are none


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda terms: terms.update(conditions=[]), "need 'terms.conditions'|exactly the conditions|decide"),
        (lambda terms: terms["parameters"].pop("values"), "'terms.parameters.values' has the range"),
        (
            lambda terms: terms["parameters"]["values"].update(cook={}),
            "'terms.parameters.values' has the range",
        ),
        (
            lambda terms: terms["parameters"]["values"][OWNER_1].update(project=[9, 3]),
            "'terms.parameters.values.owner_1' has two whole numbers, the least and the greatest, for "
            "each of no_project, project",
        ),
        (
            lambda terms: terms["parameters"].update(final_tax_rate=101),
            "'terms.parameters.final_tax_rate' is a tax rate, 0 to 100 per cent",
        ),
        (lambda terms: terms["phases"].pop(), "need the phases declare, speculate, market, final_declare"),
        (lambda terms: terms["phases"][0].update(by=[OWNER_1]), "in the phase 'declare' decide owner_1"),
        (lambda terms: terms["phases"][1].update(by=[OWNER_1]), "seats without a plot decide on 'plots'"),
        (lambda terms: terms.update(rules="chess"), "there are no rules 'chess' for phases; there is harb"),
    ],
)
def test_a_game_that_does_not_fit_its_rules_is_refused(tmp_path: Path, change: Any, reason: str) -> None:
    document = json.loads((FOLDER / "game.json").read_text())
    change(document["terms"])
    path = tmp_path / "game.json"
    path.write_text(json.dumps(document))

    with pytest.raises((InputFileError, NegoError), match=reason):
        load_game(path)


def test_what_is_drawn_follows_from_the_seed() -> None:
    def course(seed: int) -> list[Any]:
        table = played_out(land(seed=seed))
        return [(event.type, event.payload) for event in table.events]

    assert course(3) == course(3)
    assert course(3) != course(4)


def test_no_seat_s_view_holds_the_seed_of_what_is_drawn() -> None:
    table = land()

    assert double_auction_state(table.state).realised == ""
    for seat in SEATS:
        economy = table.context(seat).game.economy
        assert economy is not None
        assert economy.chance == 0


def test_a_game_is_read_the_same_in_a_process_that_has_written_one_before() -> None:
    program = """
from negoplatform.core.mechanisms.market_terms import MarketTerms
from negoplatform.domain.trading.economy import Economy, Good
from negoplatform.formats.game_files.game_economy import dump_economy
from negoplatform.formats.games import load_game
from negoplatform.plugins.program_and_user_folders import bundled
dump_economy(Economy((Good("grain"),), terms=MarketTerms()))
print(load_game(bundled("games") / "grain_market.json").name)
"""

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert (done.stdout, done.stderr) == ("grain_market\n", "")
