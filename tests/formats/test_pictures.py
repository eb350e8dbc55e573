"""Pictures of issues in game files: read, written again, refused where none are allowed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from negoplatform.domain.issue import PICTURES
from negoplatform.formats.game_schema import game_schema
from negoplatform.formats.games import GameModel, build_game, dump_game
from negoplatform.formats.strict_json import validate_json
from tests.formats.game_texts import flat, loaded, put, refused


def test_issues_of_every_kind_bring_their_picture_and_a_game_comes_back_equal(tmp_path: Path) -> None:
    document = flat()
    for i, name in enumerate(("book", "house", "coin")):
        put(document, f"issues.{i}.picture", name)

    game = loaded(tmp_path, document)

    assert [issue.picture for issue in game.issues] == ["book", "house", "coin"]
    assert build_game(validate_json(GameModel, json.dumps(dump_game(game)), "game"), "game") == game


def test_what_has_no_picture_is_written_without_one(tmp_path: Path) -> None:
    assert "picture" not in json.dumps(dump_game(loaded(tmp_path, flat())))


@pytest.mark.parametrize(
    "name", ["unicorn", "../apple.png", "folder/apple.png", "apple.jpg", "", "C:\\a.png"]
)
def test_a_picture_that_there_is_not_is_refused_with_those_that_there_are(tmp_path: Path, name: str) -> None:
    problem = refused(tmp_path, put(flat(), "issues.0.picture", name))

    assert "issues[0].picture" in str(problem)
    assert f"there is no picture {name!r}; there is apple, banana" in str(problem)


def test_a_picture_of_the_games_own_has_to_lie_beside_it(tmp_path: Path) -> None:
    document = put(flat(), "issues.0.picture", "my_shelf.png")
    problem = refused(tmp_path, document)
    assert "issues[0].picture" in str(problem)
    assert "there is no file my_shelf.png beside the game" in str(problem)

    (tmp_path / "my_shelf.png").touch()

    game = loaded(tmp_path, document)
    assert (game.issues[0].picture, game.folder) == ("my_shelf.png", tmp_path)


def test_the_folder_is_no_part_of_the_game_and_nobody_in_a_seat_learns_it(tmp_path: Path) -> None:
    game = loaded(tmp_path, flat())

    assert str(tmp_path) not in json.dumps(dump_game(game))
    assert game.redacted_for(["human"]).folder is None


@pytest.mark.parametrize("name", [*PICTURES, "my_shelf.png"])
def test_the_schema_knows_every_picture(name: str) -> None:
    schema = game_schema()["$defs"]["QuantityIssueModel"]["properties"]["picture"]

    assert Draft202012Validator(schema).is_valid(name)
    assert not Draft202012Validator(schema).is_valid("unicorn")
