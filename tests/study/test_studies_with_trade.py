"""Studies with games of goods: the check, rehearsed visits, payment and the tables."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from negoplatform.app.rehearsal.rehearsal import rehearse
from negoplatform.app.rehearsal.rehearsal_people import draw_negotiator, player_of, usual_people
from negoplatform.app.rehearsal.rehearsal_report import build_report
from negoplatform.app.rehearsal.rehearsal_text import report_lines
from negoplatform.app.study.reachable_points import points_range, usual_points
from negoplatform.app.study.study_check import check_study
from negoplatform.app.study.study_data import StudyData, study_data
from negoplatform.app.study.study_folder import StudyFolder, load_study
from negoplatform.cli.main import cli
from negoplatform.core.events import EndedBy
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.visit_log import read_visit, replay_visit
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.study.payment_rows import result_rows
from negoplatform.study.payment import round_up
from negoplatform.study.stages import NegotiationStage
from negoplatform.study.visit_events import SessionClosed
from tests.games import shipped_games
from tests.study.rehearsals import fail, people
from tests.study.studies import Change, write_study
from tests.study.test_study_tables import rows_of

STAGES: list[dict[str, Any]] = [
    {
        "kind": "consent",
        "id": "consent",
        "text": "consent.md",
        "tick": ["age", "data"],
        "declined": "goodbye.md",
    },
    {
        "kind": "negotiation",
        "id": "practice",
        "game": "tac_trading",
        "partner": "trader",
        "counts": False,
        "minutes": 2,
    },
    {
        "kind": "rounds",
        "id": "trade",
        "partner": "trader",
        "rounds": [{"id": "first", "game": "tac_trading", "minutes": 2}],
    },
    {"kind": "negotiation", "id": "auction", "game": "grain_market", "partner": "crowd"},
    {"kind": "payment", "id": "pay"},
    {"kind": "page", "id": "debrief", "text": "debrief.md"},
    {"kind": "end", "id": "end", "text": "thanks.md"},
]


def trade_study(folder: Path, change: Change = lambda _study: None) -> StudyFolder:
    def make(study: dict[str, Any]) -> None:
        study["factors"], study["stages"] = {}, [dict(stage) for stage in STAGES]
        study["design"] = {"seed": 7, "participants": 8}
        study["partners"] = {
            "trader": {"agent": "tac_baseline", "name": "Sam"},
            "crowd": {"agent": "zip", "name": "Robin"},
        }
        study["payment"] = {
            "currency": "EUR",
            "show_up": "4.00",
            "points": {"rounds": "sum", "of": ["trade", "auction"], "rate": "0.01", "no_deal_counts": False},
            "least": "4.00",
            "most": "12.00",
        }
        change(study)

    return load_study(write_study(folder / "trade", make), folder / "data")


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory: pytest.TempPathFactory) -> tuple[StudyFolder, StudyData]:
    folder = trade_study(tmp_path_factory.mktemp("study"))
    data = study_data(folder, folder.data_dir, is_test=True)
    visits = rehearse(folder, data, people(), participants=2, seed=3, report=fail)
    assert [visit.end for visit in visits] == ["finished"] * 2
    return folder, data


def test_the_check_finds_nothing_wrong_with_games_of_goods(tmp_path: Path) -> None:
    findings = check_study(trade_study(tmp_path))

    assert list(findings) == []


def test_the_points_of_a_market_have_bounds_and_a_usual_amount(tmp_path: Path) -> None:
    folder = trade_study(tmp_path)
    model = folder.study.model
    played = model.stage("auction")
    assert isinstance(played, NegotiationStage)

    # Three periods; in each, trade can gain 280 in all, of which a sixth, halved, is usual.
    assert usual_points(folder, model, played) == Fraction(3 * 280, 6) / 2
    # Without its money a buyer has lost 500 in each period.
    worst, best = points_range(folder, model, played) or (0, 0)
    assert worst == -1500
    assert best > usual_points(folder, model, played)


def test_a_market_whose_rules_pay_for_decisions_has_no_bounds(tmp_path: Path) -> None:
    def change(study: dict[str, Any]) -> None:
        study["stages"][3] |= {"game": "land_market"}
        study["partners"]["crowd"]["agent"] = "land_trader"

    folder = trade_study(tmp_path, change)
    played = folder.study.model.stage("auction")
    assert isinstance(played, NegotiationStage)

    assert points_range(folder, folder.study.model, played) is None
    assert [finding.reason for finding in check_study(folder)] == []


def of_several(study: dict[str, Any]) -> None:
    """Play the trading game for three to eight, with four seats in practice and five in the auction."""
    study["stages"][1] |= {"game": "tac_market", "seats": 4}
    study["stages"][3] |= {"game": "tac_market", "seats": 5, "minutes": 1, "partner": "trader"}
    study["payment"]["most"] = "21.00"


def test_a_study_says_how_many_seats_of_a_game_are_filled(tmp_path: Path) -> None:
    folder = trade_study(tmp_path, of_several)
    data = study_data(folder, folder.data_dir, is_test=True)

    visits = rehearse(folder, data, people(), participants=1, seed=3, report=fail)

    assert [finding.reason for finding in check_study(folder)] == []
    assert [visit.end for visit in visits] == ["finished"]
    seats = {
        log.header.study.step: [len(log.header.game.seats), len(log.header.seats)]
        for log in map(read_log, data.sessions.glob("*/events.jsonl"))
        if log.header.study is not None
    }
    assert seats == {"practice": [4, 4], "trade.1": [2, 2], "auction": [5, 5]}


def test_the_number_of_seats_may_depend_on_a_factor_and_is_part_of_a_frozen_study(tmp_path: Path) -> None:
    def change(study: dict[str, Any]) -> None:
        of_several(study)
        study["factors"] = {"size": ["few", "many"]}
        study["design"]["between"] = ["size"]
        study["stages"][3]["seats"] = {"by": "size", "few": 3, "many": 8}

    folder = trade_study(tmp_path, change)

    found = {
        name: model.stage("auction").seats  # type: ignore[union-attr]  # a negotiation
        for name, model in folder.study.models.items()
    }
    assert sorted(found.values()) == [3, 8]  # type: ignore[type-var]  # none of them is None
    assert folder.study.sha256 != trade_study(tmp_path / "other", of_several).study.sha256


def test_fewer_seats_lower_the_points_that_are_compared_with_the_payment(tmp_path: Path) -> None:
    def most(count: int) -> Fraction:
        def change(study: dict[str, Any]) -> None:
            of_several(study)
            study["stages"][3]["seats"] = count

        folder = trade_study(tmp_path / str(count), change)
        played = folder.study.model.stage("auction")
        assert isinstance(played, NegotiationStage)
        found = points_range(folder, folder.study.model, played)
        assert found is not None
        return found[1]

    assert most(3) < most(8)


WRONG: dict[str, tuple[Change, str]] = {
    "a time limit that cuts a market short": (
        lambda study: study["stages"][3].update(minutes=2),
        "takes up to 380 s, more than 2 minutes",
    ),
    "an agent of another kind of game": (
        lambda study: study["partners"]["crowd"].update(agent="linear"),
        "grain_market",
    ),
    "more seats than the game has": (
        lambda study: study["stages"][3].update(game="tac_market", seats=9, minutes=1, partner="trader"),
        "tac_market is played with 3 to 8 seats, not with 9",
    ),
    "a number of seats for a game that has only one": (
        lambda study: study["stages"][3].update(seats=5),
        "grain_market is played with 6 seats, not with 5",
    ),
    "a participant in a seat that is not filled": (
        lambda study: study["stages"][3].update(
            game="tac_market", seats=3, seat="white", minutes=1, partner="trader"
        ),
        "white",
    ),
    "a maximum payment below the usual one": (
        lambda study: study["payment"].update(most="4.50"),
        "less than the usual one",
    ),
    "a quiz about a game without offers": (
        lambda study: study["stages"].insert(
            1,
            {
                "kind": "quiz",
                "id": "quiz",
                "questions": [
                    {
                        "id": "none",
                        "ask": "Points?",
                        "number": True,
                        "correct": {"from_game": "tac_trading", "is": "no_deal"},
                    }
                ],
            },
        ),
        "no answer is computed from it",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_the_check_names_what_is_wrong_with_a_game_of_goods(wrong: str, tmp_path: Path) -> None:
    change, reason = WRONG[wrong]

    found = [finding.reason for finding in check_study(trade_study(tmp_path, change))]

    assert len(found) == 1
    assert reason in found[0]


@pytest.mark.parametrize("game", ["tac_trading", "grain_market", "land_market"])
def test_the_usual_people_of_a_rehearsal_play_every_game_of_goods(game: str) -> None:
    (spec,) = [each for each in shipped_games() if each.name == game]
    negotiator = draw_negotiator(usual_people().kinds[0].negotiator, Random(1))

    player = player_of(spec.resolve_profiles(0), negotiator)

    assert player.plugin.plays(spec)
    assert player.config["timing"] == negotiator.config["timing"]


def test_people_of_a_rehearsal_trade_and_are_paid_for_their_points(
    rehearsed: tuple[StudyFolder, StudyData],
) -> None:
    folder, data = rehearsed

    for path in sorted(data.root.rglob("visit.jsonl")):
        state = replay_visit(folder.study, read_visit(path))
        played = {
            step: closed for step, closed in state.sessions.items() if isinstance(closed, SessionClosed)
        }
        assert [*played] == ["practice", "trade.1", "auction"]
        assert {closed.end for closed in played.values()} == {EndedBy.TIMEOUT, EndedBy.COMPLETED}
        paid = [Fraction(played[step].points or 0) for step in ("trade.1", "auction")]
        assert paid[0] > Fraction("239.86")  # more than without any trade
        payment = state.payment
        assert payment is not None
        assert payment.amount == round_up(Decimal(float(4 + sum(paid) / 100)), None)


def test_the_others_in_a_market_have_different_names(rehearsed: tuple[StudyFolder, StudyData]) -> None:
    _folder, data = rehearsed

    logs = [read_log(path) for path in data.sessions.glob("*grain_market*/events.jsonl")]

    for log in logs:
        agents = [who.name for who in log.header.seats.values() if who.kind == "agent"]
        assert len(agents) == 5
        assert len(set(agents)) == 5
        assert any(event.type == "contract-fulfilled" for event in log.events)


def test_the_export_has_accounts_points_and_trades_of_games_of_goods(
    rehearsed: tuple[StudyFolder, StudyData], tmp_path: Path
) -> None:
    folder, _data = rehearsed
    where = ["--data-dir", str(folder.data_dir)]

    result = CliRunner().invoke(
        cli, ["study", "export", str(folder.root), "--test", "--out", str(tmp_path / "t"), *where]
    )

    assert result.exit_code == 0, result.output
    folders = {table: rows_of(tmp_path / "t" / f"{table}.csv") for table in ("seats", "trades", "accounts")}
    people_rows = [row for row in folders["seats"] if row["kind"] == "human"]
    assert len(people_rows) == 2 * 3
    assert all(float(row["points"]) > 0 for row in people_rows)
    assert folders["trades"]
    assert folders["accounts"]
    gains = {row["session_id"]: (row["gain"], row["n_trades"]) for row in people_rows}
    for row in rows_of(tmp_path / "t" / "participants.csv"):
        for step in ("practice", "trade_1", "auction"):
            assert (row[f"{step}_gain"], row[f"{step}_n_trades"]) == gains[row[f"{step}_session"]]
            assert row[f"{step}_agreement"] == "", "there are no deals in these games"
            assert f"{step}_pareto" not in row
        assert 0 < float(row["auction_efficiency"]) <= 1


def test_a_rehearsal_has_no_deals_in_games_of_goods(rehearsed: tuple[StudyFolder, StudyData]) -> None:
    folder, data = rehearsed

    report = build_report(folder, data, people(), [], seed=3)

    lines = [line for line in report_lines(report) if line.startswith(("Cell", "Game"))]
    assert lines
    assert all("played to the end in" in line for line in lines)
    assert not any("deals" in line for line in lines)


def test_a_market_in_rounds_ended_neither_with_a_deal_nor_without(
    rehearsed: tuple[StudyFolder, StudyData],
) -> None:
    folder, data = rehearsed
    path = min(data.root.rglob("visit.jsonl"))
    state = replay_visit(folder.study, read_visit(path))
    result = next(step for step in state.steps if step.id == "trade.1.result")

    rows = dict(result_rows(state, result, ENGLISH))

    assert rows["How it ended"] == "Played to the end"
