"""The rule for the buttons that ask for an offer, in game files and in headers of logs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.domain.errors import InputFileError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import dump_game, load_game
from negoplatform.plugins.program_and_user_folders import bundled
from tests.eventlog.logs import header_for


def written(tmp_path: Path, value: object) -> Path:
    """Return the practice game's file with a value for the rule."""
    document = json.loads((bundled("games") / "practice.json").read_text(encoding="utf-8"))
    document["rules"]["offer_requests"] = value
    path = tmp_path / "game.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_a_game_has_the_buttons_and_its_file_and_log_do_not_mention_them(practice: GameSpec) -> None:
    assert practice.rules.offer_requests
    assert "offer_requests" not in dump_game(practice)["rules"]


def test_a_game_without_the_buttons_says_so_in_its_file_and_in_the_log(tmp_path: Path) -> None:
    game = load_game(written(tmp_path, False))

    assert not game.rules.offer_requests
    assert dump_game(game)["rules"]["offer_requests"] is False
    assert header_for(game).game.rules == game.rules


def test_anything_but_true_or_false_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"rules\.offer_requests: true or false belongs here"):
        load_game(written(tmp_path, "no"))


def test_the_rule_is_a_part_of_the_game(practice: GameSpec) -> None:
    without = replace(practice, rules=replace(practice.rules, offer_requests=False))

    assert dump_game(without) != dump_game(practice)
