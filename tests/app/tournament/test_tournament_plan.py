"""Plans of tournaments: who plays whom at which game, and what makes a block another one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.app.simulation.full_path import prepare_seat
from negoplatform.app.tournament import tournament_plan
from negoplatform.app.tournament.tournament_plan import SEEDS_PER_BLOCK, check_entrants
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.tournament_file import check_entrant_name
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.program_and_user_folders import bundled
from tests.app.tournament.small_tournaments import plan

AGENT = """
from negoplatform.agent_api import Bidder

class Mine(Bidder):
    def least(self, ctx):
        return self.bids.highest
"""


def test_every_pair_sits_both_ways_and_each_agent_plays_itself_once(tmp_path: Path) -> None:
    planned = plan(tmp_path, ("conceder", "linear", "micro"))

    seatings = [tuple(agent.name for agent in block.agents) for block in planned.blocks()]

    assert len(seatings) == len(set(seatings)) == 9
    assert seatings.count(("linear", "linear")) == 1
    assert {("micro", "linear"), ("linear", "micro")} <= set(seatings)


def test_given_seatings_without_self_play_leave_each_pair_once(tmp_path: Path) -> None:
    planned = plan(tmp_path, ("conceder", "linear", "micro"), seatings="given", self_play=False)

    seatings = [tuple(agent.name for agent in block.agents) for block in planned.blocks()]

    assert seatings == [("conceder", "linear"), ("conceder", "micro"), ("linear", "micro")]


def test_blocks_cover_every_seed_once(tmp_path: Path) -> None:
    planned = plan(tmp_path, ("conceder",), seeds={"from": 5, "n": 2 * SEEDS_PER_BLOCK + 3})

    seeds = [seed for b in planned.blocks() for seed in range(b.first_seed, b.first_seed + b.games)]

    assert seeds == list(range(5, 5 + 2 * SEEDS_PER_BLOCK + 3))


def test_more_seeds_keep_the_blocks_that_were_full(tmp_path: Path) -> None:
    few = plan(tmp_path, ("conceder",), seeds={"n": SEEDS_PER_BLOCK}).blocks()
    many = plan(tmp_path, ("conceder",), seeds={"n": 2 * SEEDS_PER_BLOCK}).blocks()

    assert [block.key for block in few] == [block.key for block in many[:1]]


@pytest.mark.parametrize(
    "change",
    [
        {"talk": True},
        {"measures": False},
        {"models": {"at": [0.5]}},
        {"keep_logs": "all"},
        {"seeds": {"from": 2, "n": 3}},
        {"deadline": {"seconds": 30}},
    ],
)
def test_what_changes_results_changes_the_key(tmp_path: Path, change: dict[str, Any]) -> None:
    (usual,) = plan(tmp_path, ("conceder",)).blocks()
    (changed,) = plan(tmp_path, ("conceder",), **change).blocks()

    assert changed.key != usual.key


def test_an_agents_code_and_settings_are_part_of_the_key(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(AGENT, encoding="utf-8")
    one = {"agent": "mine.py", "name": "mine"}
    (before,) = plan(tmp_path, (one,)).blocks()
    (with_settings,) = plan(tmp_path, ({**one, "settings": {"mood": "SAD"}},)).blocks()
    file.write_text(AGENT.replace("highest", "lowest"), encoding="utf-8")
    (changed,) = plan(tmp_path, (one,)).blocks()

    assert len({before.key, with_settings.key, changed.key}) == 3


def test_other_files_in_an_agents_own_folder_are_part_of_the_key(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "agent.py").write_text(AGENT, encoding="utf-8")
    (folder / "table.txt").write_text("1", encoding="utf-8")
    (before,) = plan(tmp_path, ("mine/agent.py",)).blocks()
    (folder / "table.txt").write_text("2", encoding="utf-8")
    (changed,) = plan(tmp_path, ("mine/agent.py",)).blocks()

    assert changed.key != before.key


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(AGENT, encoding="utf-8")
    (tmp_path / "domains").mkdir()
    game = (bundled("games") / "practice.json").read_text(encoding="utf-8")
    (tmp_path / "domains" / "mine.json").write_text(game, encoding="utf-8")

    planned = plan(tmp_path, ("mine.py",), ("domains/mine.json",))

    assert [who.name for who in planned.entrants] == ["mine"]
    assert [game.spec.name for game in planned.games] == ["practice"]


def test_a_pattern_stands_for_all_games_that_match_it(tmp_path: Path) -> None:
    for name in ("practice", "campsite"):
        game = (bundled("games") / f"{name}.json").read_text(encoding="utf-8")
        (tmp_path / f"{name}.json").write_text(game, encoding="utf-8")

    relative = plan(tmp_path, games=("*.json",))
    absolute = plan(tmp_path, games=(f"{tmp_path}/*.json",))

    assert [game.spec.name for game in relative.games] == ["campsite", "practice"]
    assert [game.sha256 for game in absolute.games] == [game.sha256 for game in relative.games]
    with pytest.raises(NegoError, match=r"No file matches other/\*\.json in"):
        plan(tmp_path, games=("other/*.json",))
    with pytest.raises(NegoError, match=r"\*\*x is no pattern of files"):
        plan(tmp_path, games=("**x",))


@pytest.mark.parametrize(
    ("deadline", "offers", "seconds"),
    [
        ({"offers": 7}, 7, 600),
        ({"seconds": 8}, None, 8),
        ({"offers": 7, "seconds": 8}, 7, 8),
    ],
)
def test_a_limit_of_the_tournament_replaces_that_of_the_games_and_leaves_the_other(
    tmp_path: Path, deadline: dict[str, int], offers: int | None, seconds: float
) -> None:
    rules = plan(tmp_path, deadline=deadline).games[0].spec.rules

    assert (rules.deadline_offers, rules.deadline_seconds) == (offers, seconds)


def test_limits_outside_of_their_ranges_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NegoError, match=r"deadline\.offers: the number must be at most"):
        plan(tmp_path, deadline={"offers": 10**9, "seconds": 8})


def test_agents_do_not_talk_unless_the_file_says_so(tmp_path: Path) -> None:
    assert not plan(tmp_path).games[0].spec.rules.talk
    assert plan(tmp_path, talk=True).games[0].spec.rules.talk


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("three_way", "three_way has 3 seats; a tournament is of games with two"),
        ("tac_trading", "tac_trading is a game of the kind 'trading'; a tournament is of games with offers"),
    ],
)
def test_other_games_are_refused_by_name(tmp_path: Path, game: str, sentence: str) -> None:
    with pytest.raises(NegoError, match=sentence):
        plan(tmp_path, games=(game,))


def test_a_game_without_a_deadline_needs_one(tmp_path: Path) -> None:
    document = json.loads((bundled("games") / "practice.json").read_text(encoding="utf-8"))
    document["rules"].pop("deadline_seconds", None)
    (tmp_path / "endless.json").write_text(json.dumps({**document, "name": "endless"}), encoding="utf-8")

    with pytest.raises(NegoError, match=r"endless has no deadline; give the tournament one"):
        plan(tmp_path, games=("endless.json",), deadline=None)


def test_two_agents_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NegoError, match="Two agents of the tournament are called 'conceder'; give one"):
        plan(tmp_path, ("conceder", {"agent": "conceder", "settings": {"mood": "SAD"}}))


def test_one_agent_with_different_settings_enters_under_two_names(tmp_path: Path) -> None:
    slow = {"agent": "conceder", "name": "slow", "settings": {"exponent": 0.5}}

    planned = plan(tmp_path, ("conceder", slow))

    assert [who.name for who in planned.entrants] == ["conceder", "slow"]
    assert len(planned.blocks()) == 4


@pytest.mark.parametrize("name", ["Conceder", "CONCEDER"])
def test_names_that_differ_in_case_alone_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(NegoError, match=f"'conceder' and '{name}', which is one name for files"):
        plan(tmp_path, ("conceder", {"agent": "conceder", "name": name, "settings": {"mood": "SAD"}}))


@pytest.mark.parametrize("name", ["=1+1", "+1", "-x", "@me", "a/b", "x\ny", "con", ""])
def test_a_name_that_is_no_folder_or_that_a_spreadsheet_computes_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="begins with a letter or digit"):
        check_entrant_name(name)


def test_a_name_that_is_taken_from_a_file_is_checked_too(tmp_path: Path) -> None:
    (tmp_path / "=cmd.json").write_text("{}")
    agent = bundled("agents") / "micro.py"

    with pytest.raises(NegoError, match=r"is no name of an agent in a tournament: .* \"name\": …"):
        plan(tmp_path, (f"{agent}@=cmd.json",))


def test_a_setting_that_an_agent_does_not_know_is_refused_before_the_first_game(tmp_path: Path) -> None:
    wrong = {"agent": "boulware", "name": "slow", "settings": {"exponnt": 0.1}}

    with pytest.raises(NegoError, match=r"slow cannot play practice as .*: .*There is no setting 'exponnt'"):
        check_entrants(plan(tmp_path, ("conceder", wrong)))


def test_every_agent_is_made_once_for_each_seat_with_its_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[str, str, Mapping[str, object]]] = []

    def noted(game: GameSpec, plugin: AgentPlugin, seat: str, *rest: Any, **more: Any) -> PreparedAgent:
        made.append((plugin.name, seat, plugin.settings))
        return prepare_seat(game, plugin, seat, *rest, **more)

    monkeypatch.setattr(tournament_plan, "prepare_seat", noted)
    settings = {"exponent": 0.1}

    check_entrants(plan(tmp_path, ("conceder", {"agent": "boulware", "settings": settings})))

    seats = plan(tmp_path, ("conceder",)).games[0].spec.seats
    assert made == [
        *(("conceder", seat, {}) for seat in seats),
        *(("boulware", seat, settings) for seat in seats),
    ]


def test_an_unknown_agent_is_named(tmp_path: Path) -> None:
    with pytest.raises(NegoError, match="There is no agent 'nobody_at_all'"):
        plan(tmp_path, ("nobody_at_all",))
