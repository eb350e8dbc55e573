"""Synonyms of issues and values in game files: read, written again, refused where they fit nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.formats.games import GameModel, build_game, dump_game
from negoplatform.formats.strict_json import validate_json
from tests.formats.game_texts import flat, loaded, put, refused


def with_words() -> dict[str, Any]:
    """Return the flat with synonyms for everything."""
    document = flat()
    put(document, "issues.0.synonyms", ["racks", "boards"])
    put(document, "issues.1.synonyms", ["bedroom"])
    put(document, "issues.1.value_synonyms", {"big": ["large", "the big one"]})
    return put(document, "issues.2.synonyms", ["monthly pay"])


def test_issues_bring_their_other_words_from_the_file(tmp_path: Path) -> None:
    shelves, room, rent = loaded(tmp_path, with_words()).issues

    assert isinstance(shelves, QuantityIssue)
    assert shelves.synonyms == ("racks", "boards")
    assert isinstance(room, CategoricalIssue)
    assert room.synonyms == ("bedroom",)
    assert room.value_synonyms == (("big", ("large", "the big one")),)
    assert isinstance(rent, NumberIssue)
    assert rent.synonyms == ("monthly pay",)


def test_a_game_with_synonyms_comes_back_equal(tmp_path: Path) -> None:
    game = loaded(tmp_path, with_words())

    text = json.dumps(dump_game(game))

    assert build_game(validate_json(GameModel, text, "game"), "game") == game


def test_what_has_no_synonyms_is_written_without_them(tmp_path: Path) -> None:
    written = json.dumps(dump_game(loaded(tmp_path, flat())))

    assert "synonyms" not in written


@pytest.mark.parametrize(
    ("place", "value", "where", "reason"),
    [
        (
            "issues.1.value_synonyms",
            {"huge": ["very big"]},
            "issues[1]",
            "there are synonyms for 'huge', which is none of the values",
        ),
        ("issues.0.synonyms", "racks", "issues[0].synonyms", "a list in brackets [ ] belongs here"),
        ("issues.0.synonyms", [""], "issues[0].synonyms[0]", "the text must not be empty"),
        ("issues.0.synonyms", ["rack"] * 51, "issues[0].synonyms", "50"),
        (
            "issues.0.value_synonyms",
            {"2": ["both"]},
            "issues[0].value_synonyms",
            "this key is not known here",
        ),
    ],
)
def test_synonyms_of_nothing_are_refused_with_their_place(
    tmp_path: Path, place: str, value: object, where: str, reason: str
) -> None:
    problem = refused(tmp_path, put(flat(), place, value))

    assert where in str(problem)
    assert reason in str(problem)
