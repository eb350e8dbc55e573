"""Sessions of a mechanism that is no bargaining: agents, processes, logs, replay, tables."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.simulation.rerun import resimulate
from negoplatform.app.simulation.simulate import simulate
from negoplatform.cli.main import run as run_command
from negoplatform.domain.errors import InputFileError, NegoError, NotInThisGame
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from negoplatform.formats.games import load_game
from negoplatform.testing import TrialTable
from tests.mechanisms.auction_games import AUCTION, BIDDER, logs_of, without_marks
from tests.mechanisms.sealed_bid import PLACE_BID, BidPlaced


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    """Write the auction to a file."""
    path = tmp_path / "vases.json"
    path.write_text(json.dumps(AUCTION))
    return path


@pytest.fixture
def auction(game_file: Path) -> GameSpec:
    """Read the auction."""
    return load_game(game_file)


@pytest.mark.usefixtures("sealed_bid_in_agent_processes")
def test_equal_seeds_give_equal_logs_in_this_process_and_in_others(auction: GameSpec, tmp_path: Path) -> None:
    here = logs_of(auction, tmp_path / "here", isolated=False, games=2)
    again = logs_of(auction, tmp_path / "again", isolated=False, games=2)
    isolated = logs_of(auction, tmp_path / "isolated", isolated=True, games=2)

    by_seed = [
        sorted((without_marks(log) for log in logs), key=lambda lines: lines[0]["seed"])
        for logs in (here, again, isolated)
    ]
    assert by_seed[0] == by_seed[1] == by_seed[2]
    assert {line["type"] for line in by_seed[0][0][1:]} >= {"PLACE_BID", "round-closed", "GAME_END"}


def test_a_game_without_issues_is_not_said_to_hide_anything(auction: GameSpec, tmp_path: Path) -> None:
    plugin = find_agent(BIDDER, tmp_path)

    (result, *_) = simulate(auction, [plugin] * 3, games=1, seed=1, logs=None, report=lambda _e: None)

    assert result.measures is None
    assert result.why_unmeasured == (
        "vases has no issues, and measures compare the outcomes of issues; "
        "in this kind of game only each seat's points are known."
    )


@pytest.mark.usefixtures("sealed_bid_in_agent_processes")
def test_a_log_replays_and_is_run_again_without_a_difference(auction: GameSpec, tmp_path: Path) -> None:
    log = read_log(logs_of(auction, tmp_path, isolated=False, games=1)[0])

    replayed = replay(log)
    again = resimulate(log, tmp_path, [BIDDER])

    assert list(replayed.points) == ["ann", "ben", "cho"]
    assert all(points is not None for points in replayed.points.values())
    assert (again.agents, again.differences) == (3, ())
    assert again.acts > 10


def test_the_commands_show_verify_and_export_such_a_log(
    auction: GameSpec, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = logs_of(auction, tmp_path / "logs", isolated=False, games=1)[0]

    codes = [
        run_command(["log", "verify", str(log)]),
        run_command(["replay", "--step", str(log)]),
        run_command(["replay", "--view", "ben", str(log)]),
        run_command(["export", str(log), "--out", str(tmp_path / "tables")]),
    ]

    assert codes == [0, 0, 0, 0]
    shown = capsys.readouterr().out
    assert "round 4 of 4" in shown
    assert "ann pays" in shown or "ben pays" in shown
    with (tmp_path / "tables" / "seats.csv").open(encoding="utf-8-sig") as table:
        points = [float(row["points"]) for row in csv.DictReader(table)]
    assert points == [float(each) for each in replay(read_log(log)).points.values() if each is not None]


def test_a_bid_is_seen_by_its_bidder_alone(auction: GameSpec) -> None:
    table = TrialTable(auction)
    table.start()
    table.session.act("ann", PLACE_BID, BidPlaced(900))

    assert table.context("ann").mechanism_state.bids["ann"] == 900
    assert "ann" not in table.context("ben").mechanism_state.bids
    assert table.context("ben").game.economy is not None
    assert list(table.context("ben").game.economy.endowments) == ["ben"]  # type: ignore[union-attr]  # checked above


def test_a_context_says_which_questions_do_not_arise(auction: GameSpec) -> None:
    ctx = TrialTable(auction).context("ann")

    with pytest.raises(NotInThisGame, match="which has no offers"):
        _ = ctx.current_offer
    with pytest.raises(NotInThisGame, match="which has no utilities of offers"):
        _ = ctx.reservation_value
    assert ctx.reading is None
    assert ctx.standing == 3050


def test_an_agent_that_does_not_play_this_kind_is_refused_in_a_sentence(
    auction: GameSpec, tmp_path: Path
) -> None:
    fair, bidder = find_agent("fair", tmp_path), find_agent(BIDDER, tmp_path)

    with pytest.raises(NegoError, match="plays games of the kind bargaining, and vases is of the kind seal"):
        list(simulate(auction, [bidder, bidder, fair], games=1, seed=1, logs=None, report=lambda _e: None))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"issues": [{"kind": "quantity", "name": "a", "quantity": 2}]},
            "either issues or goods and money, not both",
        ),
        ({"goods": [{"name": "a"}, {"name": "a"}]}, "at goods: there are two goods named 'a'"),
        ({"goods": [{"name": "a"}, {"name": "vase"}]}, "a sealed_bid game has exactly one good"),
        ({"terms": {"rounds": 0}}, "at terms: an auction has 1 to 1,000 rounds"),
        ({"terms": {"rounds": "two", "seconds": 2}}, "at terms.rounds: a whole number belongs here"),
        ({"terms": {"rounds": 2, "seconds": 2, "lots": 2}}, "at terms.lots: this key is not known here"),
        ({"money": {"decimals": 0}}, "30.5 has more than the 0 decimals of the game's money"),
        (
            {"mechanism": "bargaining", "terms": None},
            "a bargaining game has 'issues', at least one, and neither 'goods' nor 'money'",
        ),
        (
            {"mechanism": "chess"},
            "the mechanism 'chess' is not known; there is bargaining, trading, market, sealed_bid",
        ),
        ({"goods": None}, "'seats.ann.worth' belongs to a game with goods, and this one has none"),
        ({"goods": []}, "at goods: there is no good here; name one, or leave out 'goods' where only money"),
        (
            {"goods": None, "money": None},
            "at goods: this key is missing; a game of the kind 'sealed_bid' has 'goods', 'money' or both",
        ),
        (
            {"seats": {**AUCTION["seats"], "ben": {"preferences": {"issues": {}, "reservation_value": 0}}}},
            "'seats.ben.preferences' belongs to a game with issues, and this one has none",
        ),
        (
            {"rules": {"turns": "alternating"}},
            "at rules.turns: this rule belongs to games of the kind 'bargaining', and this one is of the "
            "kind 'sealed_bid'; remove it",
        ),
        ({"rules": {"agreement": "majority"}}, "at rules.agreement: this rule belongs to"),
        ({"rules": {"agreement": {"quota": 2}}}, "at rules.agreement: this rule belongs to"),
        ({"rules": {"outvoted": "left_out"}}, "at rules.outvoted: this rule belongs to"),
        ({"rules": {"acceptance": "maker_accepts"}}, "at rules.acceptance: this rule belongs to"),
        ({"rules": {"allow_partial": True}}, "at rules.allow_partial: this rule belongs to"),
        ({"rules": {"share_drafts": True}}, "at rules.share_drafts: this rule belongs to"),
        ({"rules": {"reads_talk": False}}, "at rules.reads_talk: this rule belongs to"),
        ({"rules": {"reading_language": "de"}}, "at rules.reading_language: this rule belongs to"),
        ({"rules": {"show_left_on_table": True}}, "at rules.show_left_on_table: this rule belongs to"),
        ({"rules": {"offer_requests": False}}, "at rules.offer_requests: this rule belongs to"),
    ],
)
def test_a_file_that_mixes_kinds_is_refused_with_its_place(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    path = tmp_path / "odd.json"
    path.write_text(
        json.dumps({key: value for key, value in {**AUCTION, **change}.items() if value is not None})
    )

    with pytest.raises(InputFileError) as caught:
        load_game(path)

    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("1e-400", "1e-400 has too many digits to be kept exactly; 0.0 is the nearest number"),
        ("12.000000000000000000000000000000000001", "has too many digits to be kept exactly; 12.0 is"),
        ("12.001", "12.001 has more than the 2 decimals of the game's money"),
        ("123456789012345678901234567890123456", "the number must be at most 1,000,000,000"),
    ],
)
@pytest.mark.parametrize("amount", ["30.5", "12.25"])
def test_an_amount_is_read_exactly_or_refused(tmp_path: Path, amount: str, written: str, reason: str) -> None:
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(AUCTION).replace(amount, written, 1))

    with pytest.raises(InputFileError) as caught:
        load_game(path)

    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("written", "minor"), [("12.250000000000000000000", 1225), ("1.225e1", 1225), ("0.07", 7), ("1e-2", 1)]
)
def test_an_amount_may_be_written_in_any_way_that_is_exact(tmp_path: Path, written: str, minor: int) -> None:
    path = tmp_path / "even.json"
    path.write_text(json.dumps(AUCTION).replace('"money": 30.5', f'"money": {written}', 1))

    economy = load_game(path).economy

    assert economy is not None
    assert economy.endowments["ann"].money == minor
