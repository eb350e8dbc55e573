"""JSON Schema of a game file: accepts what the reader accepts, and finds faults that an editor can find."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given

from negoplatform.domain.game import GameSpec
from negoplatform.formats.game_schema import DIALECT, game_schema
from negoplatform.formats.games import dump_game
from negoplatform.plugins.program_and_user_folders import bundled
from tests.formats.game_texts import flat, put
from tests.formats.strategies import games

VALIDATOR = jsonschema.Draft202012Validator(game_schema())


NINE_SEATS = {f"seat_{i}": flat()["seats"]["agent"] for i in range(9)}


def faults(document: object) -> list[str]:
    """Return the faults that the schema finds."""
    return [error.message for error in VALIDATOR.iter_errors(document)]


def places(schema: Any, at: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every part of a schema with its place."""
    if isinstance(schema, dict):
        yield at, schema
        for key, part in schema.items():
            yield from places(part, f"{at}/{key}")
    elif isinstance(schema, list):
        for i, part in enumerate(schema):
            yield from places(part, f"{at}/{i}")


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(game_schema())

    assert game_schema()["$schema"] == DIALECT


@pytest.mark.parametrize("path", sorted(bundled("games").glob("*.json")), ids=lambda path: path.stem)
def test_every_shipped_game_is_valid(path: Path) -> None:
    assert faults(json.loads(path.read_text(encoding="utf-8"))) == []


@given(games())
def test_every_game_that_is_written_is_valid(game: GameSpec) -> None:
    assert faults(json.loads(json.dumps(dump_game(game)))) == []


def test_a_file_with_every_kind_of_key_is_valid() -> None:
    document = flat(
        title="The flat",
        rules={
            "acceptance": "maker_accepts",
            "deadline_seconds": 60,
            "time_tick_seconds": 2.5,
            "agreement": {"quota": 2},
            "outvoted": "left_out",
            "turns": "alternating",
        },
        announcements=[{"at_seconds": 5, "type": "rent-rises", "data": {"by": 3}, "to": ["human"]}],
    )
    mine = document["seats"]["human"].pop("preferences")
    mine["interactions"] = [{"points": 1.5, "when": {"room": ["big"], "rent": {"at_least": 450}}}]
    mine["time_cost"] = {"points": 1, "period_seconds": 30}
    document["seats"]["human"] |= {"profiles": {"poor": {"preferences": mine}}, "profile": "drawn"}

    assert faults(document) == []


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("schema", "negoplatform.game/2"),
        ("name", "The flat"),
        ("colour", "red"),
        ("issues", []),
        ("issues.0.kind", "amount"),
        ("issues.0.quantity", 0),
        ("issues.0.quantity", "2"),
        ("issues.0.name", "4 shelves"),
        ("issues.1.values", ["big", "big"]),
        ("issues.2.step", 0),
        ("issues.2.low", "400"),
        ("seats", {"human": {}}),
        ("seats", NINE_SEATS),
        ("seats.human", {"story": "Nothing else."}),
        ("seats.human.preferences", None),
        ("seats.human.profiles", {}),
        ("seats.human.profiles", {"poor": {"preferences": {"issues": {}, "reservation_value": 0}}}),
        ("seats.human.preferences.reservation_value", "3"),
        ("seats.human.preferences.batna", 3),
        ("seats.human.preferences.issues.shelves", {}),
        ("seats.human.preferences.issues.shelves", {"per_unit": 1, "linear": [0, 1]}),
        ("seats.human.preferences.issues.rent", {"linear": [0]}),
        ("seats.human.preferences.issues.rent.weight", 40),
        ("seats.human.preferences.scale", 0),
        ("seats.human.preferences.interactions", [{"points": 1, "when": {"room": "big"}}]),
        ("seats.human.visibility", {"preferences": "secret"}),
        ("rules", {"acceptance": "maybe"}),
        ("rules", {"deadline_seconds": -1}),
        ("rules", {"agreement": "most"}),
        ("rules", {"agreement": {"quota": 1}}),
        ("rules", {"agreement": {"quota": 2, "of": 3}}),
        ("rules", {"outvoted": "bond"}),
        ("rules", {"turns": "round"}),
        ("own_state", {"file": "state.py", "sha256": ""}),
    ],
)
def test_what_the_reader_would_refuse_is_found(place: str, value: object) -> None:
    assert faults(put(flat(), place, value))


def test_eight_seats_are_valid_and_nine_are_not() -> None:
    eight = dict(list(NINE_SEATS.items())[:8])

    assert faults(put(flat(), "seats", eight)) == []
    assert len(faults(put(flat(), "seats", NINE_SEATS))) == 1


def test_a_game_with_goods_may_have_sixteen_seats_and_draw_what_they_have() -> None:
    document = json.loads((bundled("games") / "tac_market.json").read_text(encoding="utf-8"))
    document["seats"] = {f"seat_{i}": {} for i in range(16)}

    assert faults(document) == []
    assert faults({**document, "seats": {**document["seats"], "seat_16": {}}})
    assert faults({key: value for key, value in document.items() if key != "endowments"})


def test_null_counts_as_not_given_as_it_does_for_the_reader() -> None:
    document = flat(title=None, own_state=None)
    put(document, "seats.human.profiles", None)
    put(document, "seats.human.preferences.opt_out", None)
    put(document, "seats.human.preferences.issues.shelves", {"per_unit": 2, "by_units": None})

    assert faults(document) == []


def test_a_name_may_have_letters_of_any_alphabet() -> None:
    document = put(flat(), "issues.0.name", "Regalböden 2_a-b")
    document["seats"]["Käufer"] = document["seats"].pop("human")

    assert [fault for fault in faults(document) if "match" in fault] == []


def test_every_key_says_what_it_means() -> None:
    for at, part in places(game_schema()):
        for key, place in part.get("properties", {}).items():
            if "/oneOf/" not in at and "/allOf/" not in at:  # conditions repeat keys
                assert place.get("description"), f"{at}/{key}"


def test_numbers_are_numbers_and_nothing_in_it_is_made_for_python() -> None:
    for at, part in places(game_schema()):
        assert not {"ge", "gt", "le", "lt", "discriminator"} & set(part), at
        if part.get("type") == "number" and "default" in part:
            assert not isinstance(part["default"], str), at
