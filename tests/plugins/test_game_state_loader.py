"""A game's folder with a state.py: loaded, checked, and found again for a log."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game, list_games
from negoplatform.app.simulation.simulate import simulate
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.eventlog.observer_export import encode_log, filter_log
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.code_file_trust_hash import code_file
from negoplatform.plugins.game_state_loader import with_matching_state_plugin
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import TrialTable
from tests.app.trusting import trust_all
from tests.eventlog.logs import lines_of, rewrite

NOWHERE = Path("no such folder")


@pytest.fixture
def fair() -> AgentPlugin:
    """Agent that plays the logged games."""
    return find_agent("fair", NOWHERE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Copy of the shipped example in a user's folder."""
    return Path(shutil.copytree(bundled("games") / "land_sale", tmp_path / "land_sale"))


def test_the_shipped_example_fills_its_fields_from_camel_case_keys() -> None:
    table = TrialTable(find_game("land_sale", NOWHERE))
    table.wait(200)

    mine, theirs = (table.context(seat).state for seat in ("human", "agent"))

    assert mine is not None
    assert theirs is not None
    told = mine.model_dump()
    assert told["public_information"]["tax_rate"] == 0.05
    assert told["public_information"]["initial_tax_rate"] == 0.1
    assert told["private_information"]["value_signals"] == [140000.0, 155000.0]
    assert theirs.model_dump()["private_information"]["value_signals"] == [130000.0, 150000.0]
    assert mine.public_information.winning_condition_description() == {"name": "Tax falls"}  # type: ignore[attr-defined]


def test_a_folder_a_file_in_it_and_its_name_mean_the_same_game(folder: Path) -> None:
    by_folder, by_file = find_game(str(folder), NOWHERE), find_game(str(folder / "game.json"), NOWHERE)

    assert by_folder.own_state is not None
    assert by_file.own_state is not None
    assert by_folder.own_state.sha256 == by_file.own_state.sha256


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def f(:", "loading it failed: line 1: invalid syntax"),
        ("x = 1", "must hold one subclass of GameState"),
        ("raise SystemExit", "loading it failed: it raised SystemExit"),
    ],
)
def test_a_broken_state_file_is_one_sentence(folder: Path, text: str, reason: str) -> None:
    (folder / "state.py").write_text(text)

    with pytest.raises(NegoError, match=reason):
        find_game(str(folder), NOWHERE)


def test_an_announcement_that_the_state_does_not_take_is_told_when_the_game_is_chosen(folder: Path) -> None:
    game = json.loads((folder / "game.json").read_text())
    game["announcements"][-1]["data"]["taxRate"] = "five per cent"
    (folder / "game.json").write_text(json.dumps(game))

    with pytest.raises(NegoError, match="taxRate"):
        find_game(str(folder), NOWHERE)


def test_a_broken_folder_is_a_row_with_its_reason_beside_the_others(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "games" / "plots")
    (tmp_path / "games" / "plots" / "state.py").write_text("import nothing_of_the_kind")
    trust_all(tmp_path)

    rows = {row.name: row for row in list_games(tmp_path)}

    assert rows["plots"].item is None
    assert "nothing_of_the_kind" in rows["plots"].reason
    assert rows["practice"].item is not None


def test_a_game_that_brings_code_is_listed_and_not_played_until_that_is_trusted(
    folder: Path, tmp_path: Path
) -> None:
    ran = tmp_path / "it ran"
    shutil.copytree(folder, tmp_path / "games" / "plots")
    state = tmp_path / "games" / "plots" / "state.py"
    state.write_text(f"import pathlib\npathlib.Path({str(ran)!r}).touch()\n{state.read_text()}")
    game = json.loads((tmp_path / "games" / "plots" / "game.json").read_text())
    (tmp_path / "games" / "plots" / "game.json").write_text(json.dumps({**game, "name": "plots"}))

    (row,) = [row for row in list_games(tmp_path) if row.name == "plots"]

    assert row.item is None
    assert row.untrusted == code_file(state)
    assert row.preview is not None
    assert row.preview.seats == find_game("land_sale", NOWHERE).seats
    with pytest.raises(
        NegoError, match=r"The game 'plots' is not trusted yet: negoplatform trust .*state\.py"
    ):
        find_game("plots", tmp_path)
    assert not ran.exists()
    played = find_game("plots", tmp_path, trusting=[row.untrusted])
    assert played.own_state is not None
    assert played.own_state.sha256 == row.untrusted.sha256
    assert ran.exists()
    assert find_game("plots", tmp_path) == played, "trusted from now on"


def test_a_log_finds_the_state_that_it_was_played_with(tmp_path: Path, fair: AgentPlugin) -> None:
    game = find_game("land_sale", NOWHERE)
    list(simulate(game, [fair, fair], games=1, seed=1, logs=tmp_path / "logs", report=print))
    log = read_log(next((tmp_path / "logs").iterdir()))
    assert log.header.game.own_state is not None
    assert log.header.game.own_state.state_class is None

    found = with_matching_state_plugin(log.header.game, [game])
    played = replay(replace(log, header=replace(log.header, game=found)))

    typed = played.state.typed["human"].model_dump()
    assert typed["public_information"]["initial_tax_rate"] == 0.1


def test_a_seats_export_replays_with_its_own_state_alone(tmp_path: Path, fair: AgentPlugin) -> None:
    game = find_game("land_sale", NOWHERE)
    list(simulate(game, [fair, fair], games=1, seed=1, logs=tmp_path / "logs", report=print))
    log = filter_log(read_log(next((tmp_path / "logs").iterdir())), "agent")
    (tmp_path / "agent.jsonl").write_bytes(encode_log(log))

    again = read_log(tmp_path / "agent.jsonl")
    found = with_matching_state_plugin(again.header.game, [game])
    played = replay(replace(again, header=replace(again.header, game=found)))

    assert list(played.state.typed) == ["agent"]
    assert b"140.0" not in encode_log(log), "the other seat's signal"


def test_what_the_game_does_not_announce_is_found_in_a_log(tmp_path: Path, fair: AgentPlugin) -> None:
    game = find_game("land_sale", NOWHERE)
    list(simulate(game, [fair, fair], games=1, seed=1, logs=tmp_path / "logs", report=print))
    file = next((tmp_path / "logs").iterdir()) / "events.jsonl"
    lines = lines_of(file)
    signal = next(line for line in lines if "'signals': [130000.0, 150000.0]" in str(line.get("payload")))
    signal["payload"]["data"]["signals"][0] = 131.0
    rewrite(file, lines)

    with pytest.raises(InputFileError, match="announces no such thing"):
        replay(read_log(file))
