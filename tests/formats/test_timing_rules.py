"""Rules of a game about time, other than the deadline: in its file, and in the logs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.errors import InputFileError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import dump_game, load_game
from negoplatform.plugins.program_and_user_folders import bundled


def written(tmp_path: Path, **rules: Any) -> Path:
    """Return a game file with these rules in addition to its own."""
    document = json.loads((bundled("games") / "practice.json").read_text(encoding="utf-8"))
    document["rules"] |= rules
    path = tmp_path / "game.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


OPTIONAL = ("help_pauses", "show_left_on_table", "opening_delay_seconds", "closing_seconds")


def test_a_game_that_sets_none_of_them_says_nothing_about_them(practice: GameSpec) -> None:
    assert not set(OPTIONAL) & set(dump_game(practice)["rules"])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("help_pauses", True),
        ("show_left_on_table", True),
        ("opening_delay_seconds", 12.5),
        ("opening_delay_seconds", 0.0),
        ("closing_seconds", 30.0),
        ("closing_seconds", 0.0),
    ],
)
def test_what_a_game_sets_is_read_and_written(
    name: str, value: Any, practice: GameSpec, tmp_path: Path
) -> None:
    game = load_game(written(tmp_path, **{name: value}))

    assert game.rules == replace(practice.rules, **{name: value})
    assert dump_game(game)["rules"][name] == value


def test_five_seconds_for_last_words_are_usual(practice: GameSpec) -> None:
    assert practice.rules.closing == 5.0
    assert replace(practice.rules, closing_seconds=30.0).closing == 30.0


def test_a_time_below_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"rules\.closing_seconds"):
        load_game(written(tmp_path, closing_seconds=-1))


def test_a_number_of_offers_is_read_and_written(practice: GameSpec, tmp_path: Path) -> None:
    game = load_game(written(tmp_path, deadline_offers=100))

    assert game.rules == replace(practice.rules, deadline_offers=100)
    assert dump_game(game)["rules"]["deadline_offers"] == 100
    assert "deadline_offers" not in dump_game(practice)["rules"]


@pytest.mark.parametrize("offers", [0, 1_000_001, 1.5, "ten"])
def test_a_number_of_offers_out_of_range_is_refused_with_its_place(offers: object, tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"rules\.deadline_offers"):
        load_game(written(tmp_path, deadline_offers=offers))


def test_a_market_has_no_offers_to_count(tmp_path: Path) -> None:
    document = json.loads((bundled("games") / "grain_market.json").read_text(encoding="utf-8"))
    document["rules"] = {**document.get("rules", {}), "deadline_offers": 5}
    path = tmp_path / "market.json"
    path.write_text(json.dumps(document), encoding="utf-8")

    with pytest.raises(InputFileError, match=r"rules\.deadline_offers.*'bargaining'"):
        load_game(path)
