"""Small game files for tests, as values of JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.errors import InputFileError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import load_game


def flat(**changes: Any) -> dict[str, Any]:
    """Return the file of a game with one issue of each kind."""
    mine = {
        "issues": {
            "shelves": {"per_unit": 2},
            "room": {"values": {"big": 5, "small": 1}},
            "rent": {"linear": [10, 0]},
        },
        "reservation_value": 3,
    }
    theirs = {
        "issues": {
            "shelves": {"by_units": [0, 1, 3]},
            "room": {"values": {"big": 0, "small": 4}},
            "rent": {"by_number": [0, 1, 2, 4, 8]},
        },
        "reservation_value": 2,
    }
    return {
        "schema": "negoplatform.game/1",
        "name": "flat",
        "issues": [
            {"kind": "quantity", "name": "shelves", "quantity": 2},
            {"kind": "categorical", "name": "room", "values": ["big", "small"]},
            {"kind": "number", "name": "rent", "low": 400, "high": 600, "step": 50, "unit": "€"},
        ],
        "seats": {"human": {"preferences": mine}, "agent": {"preferences": theirs}},
        **changes,
    }


def put(document: dict[str, Any], place: str, value: object) -> dict[str, Any]:
    """Set the value at a place such as ``issues.0.name``, and return the document."""
    *way, last = [int(part) if part.isdigit() else part for part in place.split(".")]
    found: Any = document
    for part in way:
        found = found[part]
    found[last] = value
    return document


def written(folder: Path, document: dict[str, Any]) -> Path:
    """Write a document to a file, and return its path."""
    path = folder / "game.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def loaded(folder: Path, document: dict[str, Any]) -> GameSpec:
    """Return the game that a document describes."""
    return load_game(written(folder, document))


def refused(folder: Path, document: dict[str, Any]) -> InputFileError:
    """Return the error for a document that is no game, and check that it is one sentence."""
    with pytest.raises(InputFileError) as caught:
        loaded(folder, document)

    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
    return caught.value
