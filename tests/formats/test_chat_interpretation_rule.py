"""Rule that typed messages are interpreted: in game files, and in logs."""

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


def file_with(tmp_path: Path, **rules: Any) -> Path:
    """Return a game file with these rules in addition to its own."""
    document = json.loads((bundled("games") / "practice.json").read_text(encoding="utf-8"))
    document["rules"] |= rules
    path = tmp_path / "game.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_what_is_typed_is_read_unless_the_file_says_otherwise(tmp_path: Path) -> None:
    assert load_game(file_with(tmp_path)).rules.reads_talk is True
    assert load_game(file_with(tmp_path, reads_talk=False)).rules.reads_talk is False


def test_a_game_that_is_read_as_usual_says_nothing_about_it(game: GameSpec) -> None:
    assert "reads_talk" not in dump_game(game)["rules"]


def test_a_game_that_is_not_read_is_written_so_that_it_comes_back(game: GameSpec, tmp_path: Path) -> None:
    silent = replace(game, rules=replace(game.rules, reads_talk=False))
    path = tmp_path / "game.json"

    path.write_text(json.dumps(dump_game(silent)), encoding="utf-8")

    assert load_game(path).rules == silent.rules


def test_anything_but_yes_and_no_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"rules\.reads_talk: true or false belongs here"):
        load_game(file_with(tmp_path, reads_talk="no"))


def test_the_language_of_typed_words_is_written_where_the_game_names_one(
    game: GameSpec, tmp_path: Path
) -> None:
    german = replace(game, rules=replace(game.rules, reading_language="de"))
    path = tmp_path / "game.json"

    path.write_text(json.dumps(dump_game(german)), encoding="utf-8")

    assert load_game(path).rules.effective_reading_language == "de"
    assert game.rules.effective_reading_language == "en"
    assert "reading_language" not in dump_game(game)["rules"]
