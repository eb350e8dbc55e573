"""Options of a tournament's blocks: logs, measures and models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from negoplatform.domain.solutions.integer_scaling import integer_game
from negoplatform.eventlog.reader import read_log
from negoplatform.formats.games import load_game
from negoplatform.plugins.program_and_user_folders import bundled
from tests.app.tournament.small_tournaments import ENDS_EVERY_PROCESS, plan, play


@pytest.mark.parametrize(("keep", "kept"), [("none", []), ("failed", []), ("all", ["1", "2", "3"])])
def test_logs_are_kept_by_game_pair_and_seed(tmp_path: Path, keep: str, kept: list[str]) -> None:
    play(plan(tmp_path, ("random_bids",), keep_logs=keep), tmp_path)

    folder = tmp_path / "out" / "logs" / "practice" / "random_bids--random_bids"
    assert sorted(path.name for path in folder.glob("*")) == kept
    for path in folder.glob("*"):
        assert read_log(path).header.seed == int(path.name)


def test_the_log_of_a_game_in_which_an_agent_failed_is_kept(tmp_path: Path) -> None:
    (tmp_path / "fails.py").write_text(
        ENDS_EVERY_PROCESS.replace("os.kill(os.getpid(), signal.SIGKILL)", "raise ValueError('no')"),
        encoding="utf-8",
    )

    found = play(plan(tmp_path, ("fails.py",), seeds={"n": 2}), tmp_path)

    games = found.played[0].games
    assert all(game.failures == (1, 1) for game in games)
    assert "It raised ValueError (no)" in games[0].troubles[0]
    folder = tmp_path / "out" / "logs" / "practice" / "fails--fails"
    assert sorted(path.name for path in folder.iterdir()) == ["1", "2"]


def test_advantages_are_the_same_with_and_without_measures(tmp_path: Path) -> None:
    agents, games = ("conceder", "boulware"), ("practice", "campsite")
    measured = play(plan(tmp_path, agents, games), tmp_path, out="measured")
    plain = play(plan(tmp_path, agents, games, measures=False), tmp_path, out="plain")

    with_measures = [game for block in measured.played for game in block.games]
    without = [game for block in plain.played for game in block.games]
    assert [game.advantages for game in with_measures] == [game.advantages for game in without]
    assert {game.ended_by for game in without} != set()
    assert all(game.measures for game in with_measures)
    assert not any(game.measures for game in without)
    assert all(curve.own for game in with_measures for curve in game.curves or ())
    assert {game.curves is None for game in with_measures} == {False}
    assert {game.curves is None for game in without} == {True}


@pytest.mark.parametrize("measures", [True, False])
def test_advantage_and_welfare_count_what_is_left_after_the_discount(tmp_path: Path, measures: bool) -> None:
    document = json.loads((bundled("games") / "practice.json").read_text(encoding="utf-8"))
    for seat in document["seats"].values():
        seat["preferences"]["discount_factor"] = 0.1
    (tmp_path / "discounted.json").write_text(json.dumps(document), encoding="utf-8")

    found = play(plan(tmp_path, ("linear", "boulware"), ("discounted.json",), measures=measures), tmp_path)

    exact = integer_game(load_game(tmp_path / "discounted.json"))
    seats = [(exact.to_points(exact.reservation[s]), exact.utility_range(s)[1]) for s in exact.game.seats]
    for game in (game for block in found.played for game in block.games):
        for i, (none, most) in enumerate(seats):
            points = game.points[i]
            assert points is not None
            assert game.advantages[i] == pytest.approx((points - none) / (exact.to_points(most) - none))
        best = max(sum(exact.integer_points(offer)) for offer in exact.game.outcomes())
        share = sum(points or 0 for points in game.points) / exact.to_points(best)
        assert game.welfare == (pytest.approx(share) if measures else None)
    assert any(game.points != (0, 0) and game.seconds > 0 for game in found.played[0].games)
