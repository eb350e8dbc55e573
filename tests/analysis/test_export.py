"""Tables of an export, read back from their files and compared with the replay."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.analysis.bidding_measures import offers_sent, trace_proposals
from negoplatform.analysis.export_tables.columns import build_table, legal_stems, text_column
from negoplatform.analysis.export_tables.export import FORMULA_START, Export, csv_bytes
from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.simulation.simulate import simulate
from negoplatform.core.events import (
    EventType,
    Expression,
    OfferMade,
)
from negoplatform.domain.agreement_rules import Outvoted, Quota
from negoplatform.domain.counterpart_settings import CounterpartSettings
from negoplatform.domain.errors import InputFileError, NegoError, Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, NumberIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.solutions.integer_scaling import integer_game
from negoplatform.domain.step_analysis import StepClass, count_steps
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.observer_export import encode_log, filter_log
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from negoplatform.formats.agent_manifest import Manifest
from negoplatform.testing import TrialTable
from tests.analysis.exported import EVEN, column, deal, kept, tables_of
from tests.eventlog.logs import AT, header_for, lines_of, rewrite
from tests.games import COINS, coins_only, make_game, three_seats


def test_a_session_has_the_figures_that_its_replay_gives(tmp_path: Path, game: GameSpec) -> None:
    path = kept(tmp_path, game, deal)

    (row,) = tables_of(path)["sessions"]

    played = replay(read_log(path))
    assert float(row["points_human"]) == played.points["human"] == 25
    assert float(row["points_agent"]) == played.points["agent"] == 25
    assert (row["agreement"], row["end_reason"], row["ended_by_seat"]) == ("1", "agreed", "agent")
    assert float(row["duration_s"]) == played.state.ended_at
    assert row["formally_accepted_by"] == "human; agent"
    assert (row["joint"], row["pareto"], row["dist_pareto"]) == ("50", "1", "0.0")
    assert row["share_of_joint_human"] == "0.5"
    gains = [25 - game.preferences[seat].reservation_value for seat in game.seats]
    assert float(row["nash_product"]) == gains[0] * gains[1] > 0
    assert (row["seed"], row["participant"], row["agent_id_a"]) == (
        "424242",
        "P-SECRET-07",
        "secret_boulware",
    )
    assert (row["n_offers_a"], row["n_full_a"], row["n_partial_a"], row["n_offers_h"]) == ("2", "1", "1", "0")
    assert (row["n_msgs_h"], row["n_emotion_happy_a"]) == ("2", "1")
    assert row["started"] == row["ended"] == AT


def test_mood_and_pace_and_some_settings_of_the_agent_have_columns(tmp_path: Path, game: GameSpec) -> None:
    settings = CounterpartSettings(Expression.ANGRY, 0.8, 4, 1.5)
    config = {"persona": "curt", "politeness": 0.2, "share": 0.4}
    paths = []
    for name, rules in (("s1", game.rules), ("s2", replace(game.rules, counterpart=settings))):
        own = replace(game, rules=rules)
        agent = replace(header_for(own).seats["agent"], config=config if name == "s2" else {})
        seats = header_for(own).seats.with_value("agent", agent)
        paths.append(kept(tmp_path, own, deal, name, seats=seats))

    tables = tables_of(*paths)

    names = ("mood", "mood_intensity", "face_seconds", "pace", "persona_a", "politeness_a", "honesty_a")
    plain, changed = ([row[name] for name in names] for row in tables["sessions"])
    assert plain == ["NEUTRAL", "0.5", "", "1.0", "", "", ""]
    assert changed == ["ANGRY", "0.8", "4.0", "1.5", "curt", "0.2", ""]
    assert column(tables["seats"], "persona") == ["", "", "", "curt"]


def test_two_losses_are_no_nash_product(tmp_path: Path) -> None:
    tables = {seat: {"coins": list(range(5))} for seat in ("human", "agent")}
    game = make_game(tables, issues=(COINS,), reservation=3)

    def play(table: TrialTable) -> None:
        table.human.offers(coins=(2, 2))
        table.human.accepts()
        table.agent.accepts()

    (row,) = tables_of(kept(tmp_path, game, play))["sessions"]

    assert (row["nash_product"], row["rational_h"], row["surplus_share_h"]) == ("0", "0", "")


@pytest.mark.parametrize("name", ["practice", "resource_exchange", "job_candidate", "campsite"])
def test_simulated_sessions_of_a_shipped_game_agree_with_their_replays(tmp_path: Path, name: str) -> None:
    game, agents = find_game(name, tmp_path), [find_agent(a, tmp_path) for a in ("fair", "boulware")]
    list(simulate(game, agents, games=1, seed=3, logs=tmp_path / "logs", report=print))
    logs = {log.header.session_id: log for log in map(read_log, sorted(tmp_path.rglob(LOG_NAME)))}

    tables = tables_of(*(log.path for log in logs.values()))

    assert len(tables["sessions"]) == len(logs) == 2
    for row in tables["sessions"]:
        log = logs[row["session_id"]]
        played = replay(log)
        assert (row["seat_h"], row["seat_a"]) == game.seats
        assert (row["kind_h"], row["kind_a"]) == ("agent", "agent")
        for seat, word in zip(game.seats, ("human", "agent"), strict=True):
            assert float(row[f"points_{word}"]) == played.points[seat]
        offers = [event for event in log.events if isinstance(event.payload, OfferMade)]
        rows = [offer for offer in tables["offers"] if offer["session_id"] == row["session_id"]]
        assert column(rows, "offer_id") == [str(event.seq) for event in offers]
        for offer, event in zip(rows, offers, strict=True):
            worth = [log.header.game.preferences[seat].utility(event.get_offer()) for seat in game.seats]
            assert [float(offer["u_human"]), float(offer["u_agent"])] == worth
        made = trace_proposals(integer_game(log.header.game), offers_sent(log.events))
        for seat in game.seats:
            steps = [p.step for p in made if p is not None and p.seat == seat and p.step is not None]
            (of_seat,) = (
                r for r in tables["seats"] if (r["session_id"], r["seat"]) == (row["session_id"], seat)
            )
            assert {step: int(of_seat[f"n_steps_{step}"]) for step in StepClass} == count_steps(steps)
            own = [offer["step"] for offer in rows if offer["seat"] == seat and offer["step"]]
            assert own == [step.value for step in steps]
    assert len(tables["events"]) == sum(len(log.events) for log in logs.values())


def test_the_version_of_an_agent_is_a_column_of_seats_and_sessions(tmp_path: Path) -> None:
    fair, linear = (find_agent(name, tmp_path) for name in ("fair", "linear"))
    agents = [replace(fair, manifest=Manifest(version="2.1")), linear]
    game = find_game("practice", tmp_path)
    list(simulate(game, agents, games=1, seed=1, logs=tmp_path / "logs", report=print))

    tables = tables_of(*sorted(tmp_path.rglob(LOG_NAME)))

    found = {(row["agent_id"], row["agent_version"]) for row in tables["seats"]}
    assert found == {("fair", "2.1"), ("linear", "")}
    assert {(row["agent_version_h"], row["agent_version_a"]) for row in tables["sessions"]} == {
        ("2.1", ""),
        ("", "2.1"),
    }


def test_the_sandbox_of_an_agent_is_a_column_of_seats(tmp_path: Path, game: GameSpec) -> None:
    seat = game.seats[-1]
    assert header_for(game).isolation[seat].sandbox == "full"

    tables = tables_of(kept(tmp_path, game, deal))

    assert {row["seat"]: row["agent_sandbox"] for row in tables["seats"]} == {game.seats[0]: "", seat: "full"}
    allowed = {row["seat"]: row["agent_permissions"] for row in tables["seats"]}
    assert allowed == {game.seats[0]: "", seat: '{"write": ["secret_folder"]}'}


def test_every_column_of_every_table_is_in_the_codebook(tmp_path: Path, game: GameSpec) -> None:
    tables = tables_of(kept(tmp_path, game, deal))

    described = [(row["table"], row["column"]) for row in tables["codebook"]]
    assert described == [(name, column) for name, rows in tables.items() for column in rows[0]]
    assert set(tables) == {
        "sessions",
        "seats",
        "offers",
        "offer_seats",
        "messages",
        "events",
        "tasks",
        "codebook",
    }
    assert len(set(described)) == len(described)
    assert all(re.fullmatch(r"[a-z][a-z0-9_]{0,31}", column) for _, column in described)
    assert all(row["description"].endswith(".") and row["type"] for row in tables["codebook"])


def test_cells_are_of_the_type_that_the_codebook_says(tmp_path: Path, game: GameSpec) -> None:
    tables = tables_of(kept(tmp_path, game, deal))

    patterns = {"integer": r"-?\d+", "number": r"-?\d+(\.\d+)?(e-\d+)?", "boolean": "[01]"}
    for told in tables["codebook"]:
        labels = told["value_labels"].split(" | ")
        for cell in filter(None, column(tables[told["table"]], told["column"])):
            assert re.fullmatch(patterns.get(told["type"], r"[\s\S]*"), cell), told
            assert not told["value_labels"] or cell in labels, told


def test_a_partial_offer_says_what_is_open_and_counts_it_as_nothing(tmp_path: Path, game: GameSpec) -> None:
    half = Allocation({"human": 1, "agent": 2}, undecided=2)
    path = kept(tmp_path, game, lambda table: table.human.offers(Offer({"grain": half})))

    (row,) = tables_of(path)["offers"]

    assert (row["h_grain"], row["a_grain"], row["open_grain"]) == ("1", "2", "2")
    assert (row["h_wood"], row["a_wood"], row["open_wood"]) == ("", "", "")
    assert float(row["u_human"]) == game.preferences["human"].utility(Offer({"grain": half}))
    assert (row["is_full"], row["pareto"], row["dist_nash"]) == ("0", "", "")
    assert (row["seat"], row["side"], row["actor"], row["kind"]) == ("human", "h", "human", "initial")


def test_a_refused_action_is_in_the_ledger_and_counted(tmp_path: Path, game: GameSpec) -> None:
    def refused(table: TrialTable) -> None:
        with pytest.raises(Refused):
            table.human.accepts(7)
        table.agent.offers(grain=(2, 3))
        with pytest.raises(Refused):
            table.human.accepts()

    tables = tables_of(kept(tmp_path, game, refused))

    assert column(tables["tasks"], "refused") == [
        "There’s no offer on the table yet.",
        "",
        "That offer leaves something undecided, so it cannot be accepted yet.",
    ]
    assert column(tables["tasks"], "intent") == ["accept", "propose", "accept"]
    assert (tables["sessions"][0]["n_refused_h"], tables["sessions"][0]["n_refused_a"]) == ("2", "0")
    refusals = [row for row in tables["events"] if row["type"] == EventType.ACTION_REFUSED]
    assert column(refusals, "subtype") == ["FORMAL_ACCEPT"] * 2


def price_game(**rules: Any) -> GameSpec:
    price = NumberIssue("price", 10, 11, 0.25, unit="€")
    tables = {
        "buyer": {"price": {p: 11 - p for p in price.values}},
        "seller": {"price": {p: p - 10 for p in price.values}},
    }
    return make_game(tables, issues=(price,), **rules)


def test_a_number_stands_as_a_number_under_its_issue(tmp_path: Path) -> None:
    path = kept(tmp_path, price_game(), lambda table: table.participant("seller").offers(price=10.75))

    tables = tables_of(path)

    (row,) = tables["offers"]
    assert (row["v_price"], row["u_human"], row["u_agent"], row["u_own"]) == ("10.75", "0.25", "0.75", "0.75")
    (told,) = (row for row in tables["codebook"] if row["column"] == "v_price")
    assert (told["type"], told["unit_or_range"]) == ("number", "€")


def test_h_is_where_the_human_sits_even_in_the_second_seat(tmp_path: Path) -> None:
    game = price_game()
    seats = dict(header_for(game).seats)
    turned = SeatMap({"buyer": seats["seller"], "seller": seats["buyer"]})
    path = kept(tmp_path, game, lambda table: table.participant("buyer").offers(price=10), seats=turned)

    tables = tables_of(path)

    assert (tables["sessions"][0]["seat_h"], tables["sessions"][0]["seat_a"]) == ("seller", "buyer")
    assert (tables["offers"][0]["side"], tables["offers"][0]["actor"]) == ("a", "agent")
    assert (tables["offers"][0]["u_human"], tables["offers"][0]["u_agent"]) == ("0", "1")


def test_three_seats_have_rows_of_their_own_and_no_sides(tmp_path: Path) -> None:
    def play(table: TrialTable) -> None:
        offer = Offer({"coins": Allocation({"red": 2, "green": 1, "blue": 1}), "colour": "green"})
        table.participant("red").offers(offer)
        for seat in ("red", "green", "blue"):
            table.participant(seat).accepts()

    path = kept(tmp_path, three_seats(), play)

    tables = tables_of(path)

    played = replay(read_log(path))
    assert {row["seat"]: float(row["points"]) for row in tables["seats"]} == dict(played.points)
    assert column(tables["seats"], "side") == ["", "", ""]
    (session,) = tables["sessions"]
    assert (session["seat_h"], session["points_human"], session["end_reason"]) == ("", "", "agreed")
    assert (session["n_seats"], session["joint"]) == ("3", "11")
    (offer,) = tables["offers"]
    assert (offer["seat"], offer["u_own"], offer["h_coins"], offer["open_coins"]) == ("red", "4", "", "0")
    assert (offer["v_colour"], offer["response"], offer["response_seat"]) == ("green", "accept", "green")
    shares = [(row["seat"], row["is_maker"], row["gets_coins"]) for row in tables["offer_seats"]]
    assert shares == [("red", "1", "2"), ("green", "0", "1"), ("blue", "0", "1")]
    assert {row["seat"]: float(row["u"]) for row in tables["offer_seats"]} == dict(played.points)
    assert {row["offer_id"] for row in tables["offer_seats"]} == {offer["offer_id"]}


NASTY = ["=1+1", "+1", "-1", "@A1", 'He said "no", twice', "one\ntwo", "שלום, עולם", "a,b;c", "'quoted"]


def test_text_is_read_back_as_it_was_written(tmp_path: Path, game: GameSpec) -> None:
    path = kept(tmp_path, game, lambda table: [table.human.says(text) for text in NASTY])

    tables = tables_of(path)

    assert column(tables["messages"], "text") == NASTY
    assert column(tables["tasks"], "text") == NASTY


def test_for_a_spreadsheet_formulas_are_made_harmless_and_numbers_are_left(tmp_path: Path) -> None:
    minus = build_table(
        "t", [text_column("a", "."), text_column("b", ".")], [{"a": "=1+1", "b": -1}, {"a": "-x", "b": -0.5}]
    )

    data = csv_bytes(minus, excel=True)

    assert data == b"\xef\xbb\xbfa,b\r\n'=1+1,-1\r\n'-x,-0.5\r\n"
    assert csv_bytes(minus) == b"a,b\r\n=1+1,-1\r\n-x,-0.5\r\n"


@pytest.mark.parametrize(
    "text",
    [
        *("=1+1", "+1", "-1", "@A1", "\t=1", "\r=1", "\n=1+1", "\r\n=1+1", " =1+1", "\xa0=1+1", "\u3000=1"),
        *("\u200b=1", "\ufeff=1", "\x01=1", "\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20A1", "\u22121"),
        *("'=1", "''\t", "\n", "\ta"),
    ],
)
def test_a_text_that_might_be_a_formula_is_quoted_and_can_be_read_back(text: str) -> None:
    table = build_table("t", [text_column("a", ".")], [{"a": text}])

    ((read,),) = list(csv.reader(io.StringIO(csv_bytes(table, excel=True).decode("utf-8-sig"), newline="")))[
        1:
    ]

    assert read == f"'{text}"
    assert FORMULA_START.match(read)


@pytest.mark.parametrize("text", ["a=1", "'quoted", "he said =1", " a", "1-2", "''", "שלום"])
def test_other_texts_stay_as_they_were_typed_in_tables_for_a_spreadsheet(text: str) -> None:
    table = build_table("t", [text_column("a", ".")], [{"a": text}])

    assert csv_bytes(table, excel=True) == b"\xef\xbb\xbf" + csv_bytes(table)


def test_columns_of_issues_have_legal_names_of_their_own() -> None:
    long = "Everything that is in the old house"

    stems = legal_stems(["Price A", "price_a", "price-a", "מחיר", "Café", long, long + "!", "Price A"], 27)

    assert stems == {
        "Price A": "price_a",
        "price_a": "price_a_2",
        "price-a": "price_a_3",
        "מחיר": "issue",
        "Café": "cafe",
        long: "everything_that_is_in_the_o",
        long + "!": "everything_that_is_in_the_2",
    }
    assert all(len(stem) <= 27 for stem in stems.values())


def test_two_games_share_columns_and_leave_empty_what_is_not_theirs(tmp_path: Path) -> None:
    coins = coins_only()
    red = CategoricalIssue("coins", ("many", "few"))
    points = {"many": 1, "few": 0}
    other = make_game({"human": {"coins": points}, "agent": {"coins": points}}, issues=(red,))
    first = kept(tmp_path, coins, lambda table: table.human.offers(coins=(1, 3)), "s1")
    second = kept(tmp_path, other, lambda table: table.human.offers(coins="few"), "s2")

    rows = tables_of(first, second)["offers"]

    assert [(row["h_coins"], row["a_coins"], row["open_coins"], row["v_coins"]) for row in rows] == [
        ("1", "3", "0", ""),
        ("", "", "", "few"),
    ]


def test_an_unfinished_log_has_rows_without_an_end(tmp_path: Path, game: GameSpec) -> None:
    path = kept(tmp_path, game, lambda table: table.human.offers(EVEN))

    tables = tables_of(path)

    (session,) = tables["sessions"]
    empty = ("end_reason", "agreement", "ended", "duration_s", "points_human", "joint", "dist_nash")
    assert [session[name] for name in empty] == [""] * len(empty)
    assert (session["batna_human"], session["n_offers_h"]) != ("", "0")
    (offer,) = tables["offers"]
    assert (offer["is_final"], offer["is_deal"], offer["response"]) == ("", "", "none")


def test_a_log_of_one_seat_gives_what_it_holds(tmp_path: Path, practice: GameSpec) -> None:
    def play(table: TrialTable) -> None:
        table.agent.offers(apples=(2, 4), day="Sunday")
        table.human.accepts()
        table.agent.accepts()

    seen = tmp_path / "seen.jsonl"
    seen.write_bytes(encode_log(filter_log(read_log(kept(tmp_path, practice, play)), "human")))

    tables = tables_of(seen)

    (session,) = tables["sessions"]
    assert (session["view"], session["seed"], session["participant"]) == ("human", "", "")
    assert (session["points_agent"], session["batna_agent"], session["joint"]) == ("", "", "")
    assert float(session["points_human"]) == replay(read_log(seen)).points["human"]
    (offer,) = tables["offers"]
    assert (offer["u_human"] != "", offer["u_agent"], offer["pareto"]) == (True, "", "")
    assert {row["decided_by"] for row in tables["events"]} == {""}


def test_a_log_that_could_not_have_happened_is_refused_and_leaves_no_rows(
    tmp_path: Path, game: GameSpec
) -> None:
    path = kept(tmp_path, game, deal)
    lines = lines_of(path)
    (offer,) = (
        line for line in lines if line.get("type") == "SEND_OFFER" and "wood" in line["payload"]["offer"]
    )
    offer["payload"]["offer"]["wood"]["agent"] = 99
    rewrite(path, lines)
    export = Export()

    with pytest.raises(InputFileError, match=r"line 5: .*add up to 99"):
        export.add(path)

    assert len(export) == 0


def test_one_session_is_not_exported_twice(tmp_path: Path, game: GameSpec) -> None:
    path = kept(tmp_path, game, deal)
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(path.read_bytes())
    export = Export()
    export.add(path)

    with pytest.raises(NegoError, match=r"session s1 was read from .* already"):
        export.add(copy)


@pytest.mark.parametrize(("outvoted", "blue"), [(Outvoted.BOUND, "2"), (Outvoted.LEFT_OUT, "1")])
def test_the_tables_say_who_signed_a_deal_and_what_it_is_worth_to_the_others(
    tmp_path: Path, outvoted: Outvoted, blue: str
) -> None:
    game = three_seats(agreement=Quota(2), outvoted=outvoted)

    def play(table: TrialTable) -> None:
        offer = table.participant("red").offers(coins=(2, 1, 1), colour="red")
        table.participant("green").accepts(offer)
        table.participant("red").accepts(offer)

    tables = tables_of(kept(tmp_path, game, play))

    (row,) = tables["sessions"]
    assert column(tables["seats"], "signed") == ["1", "1", "0"]
    assert column(tables["seats"], "points") == column(tables["seats"], "u") == ["7", "2", blue]
    assert (row["n_needed"], row["outvoted"], row["turns"]) == ("2", outvoted.value, "free")
    assert (row["formally_accepted_by"], row["signed_by"]) == ("green; red", "red; green")
    assert row["joint"] == str(9 + int(blue))
    assert row["nash_product"] == ("6" if outvoted is Outvoted.BOUND else "0")
    assert row["pareto"] == ("1" if outvoted is Outvoted.BOUND else "0")


def test_all_have_signed_an_unanimous_deal_and_nobody_none(tmp_path: Path, game: GameSpec) -> None:
    agreed = kept(tmp_path, game, deal)
    not_agreed = kept(tmp_path, game, lambda table: table.human.quits(), "s2")

    tables = tables_of(agreed, not_agreed)

    assert column(tables["seats"], "signed") == ["1", "1", "", ""]
    assert column(tables["sessions"], "signed_by") == ["human; agent", ""]
    assert column(tables["sessions"], "n_needed") == ["2", "2"]
