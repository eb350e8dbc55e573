"""Games that are played for money alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from negoplatform.core.mechanisms import MECHANISMS, register
from negoplatform.core.visibility import Observer, visible_game
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.trading.economy import Endowment
from negoplatform.formats.game_schema import game_schema
from negoplatform.formats.games import GameModel, build_game, dump_game, load_game
from negoplatform.formats.log_header import Header, Occupant, decode_header, encode_header
from negoplatform.formats.strict_json import validate_json
from tests.mechanisms.auction_games import AUCTION
from tests.mechanisms.sealed_bid import SealedBid

POND: dict[str, Any] = {
    "schema": "negoplatform.game/1",
    "name": "pond",
    "mechanism": "money_pool",
    "money": {"unit": "€"},
    "terms": {"rounds": 2, "seconds": 5},
    "seats": {
        "ann": {"endowment": {"money": 1.5}, "called": "Ann"},
        "ben": {"endowment": {}},
        "cho": {"endowment": {"money": 2}},
    },
}


class MoneyPool(SealedBid):
    """Kind of game without goods."""

    name = "money_pool"
    acts = {}  # noqa: RUF012 - none
    facts = {}  # noqa: RUF012 - none

    def check_game(self, game: GameSpec) -> None:
        """Raise NegoError if there are goods."""
        if game.economy is None or game.economy.goods:
            raise NegoError("a money_pool game has money alone")


@pytest.fixture(autouse=True)
def money_pool() -> Iterator[None]:
    """Register the kind of game."""
    register(MoneyPool())
    try:
        yield
    finally:
        del MECHANISMS[MoneyPool.name]


def load(tmp_path: Path, change: dict[str, Any]) -> GameSpec:
    """Load the game with a change; None removes a key."""
    path = tmp_path / "pond.json"
    document = {**deepcopy(POND), **change}
    path.write_text(json.dumps({key: value for key, value in document.items() if value is not None}))
    return load_game(path)


def test_a_game_without_goods_has_money_alone(tmp_path: Path) -> None:
    economy = load(tmp_path, {}).economy

    assert economy is not None
    assert economy.goods == ()
    assert economy.endowments == SeatMap(
        {"ann": Endowment(150, ()), "ben": Endowment(0, ()), "cho": Endowment(200, ())}
    )
    assert economy.worths == SeatMap()


@pytest.mark.parametrize("seat", [None, "ann"])
def test_such_a_game_comes_back_from_its_file_and_from_the_header_of_a_log(
    tmp_path: Path, seat: str | None
) -> None:
    game = load(tmp_path, {})
    shown = game if seat is None else visible_game(game, Observer(seat))
    seats = SeatMap((each, Occupant("agent", "A")) for each in game.seats)
    header = Header("0" * 12, "2026-01-01T00:00:00.000Z", "1", 1, shown, seats, seat or "complete")

    text = json.dumps(dump_game(shown))

    assert build_game(validate_json(GameModel, text, "game"), "game") == shown
    assert decode_header(encode_header(header), "log").game == shown
    assert shown.names["ann"] == "Ann"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"money": None},
            "at goods: this key is missing; a game of the kind 'money_pool' has 'goods', 'money'",
        ),
        ({"seats": {"ann": {"endowment": {}}, "ben": {}}}, "at seats.ben.endowment: this key is missing"),
        (
            {"seats": {"ann": {"endowment": {}}, "ben": {"endowment": {}, "worth": {"units": {}}}}},
            "'seats.ben.worth' belongs to a game with goods, and this one has none",
        ),
        (
            {"seats": {"ann": {"endowment": {}}, "ben": {"endowment": {"goods": {"fish": 1}}}}},
            "at seats.ben.endowment: there is no good 'fish'; there is only money",
        ),
        (
            {"mechanism": "bargaining", "terms": None},
            "a bargaining game has 'issues', at least one, and neither 'goods' nor 'money'",
        ),
        (
            {"mechanism": "bargaining", "terms": None, "money": None},
            "at issues: this key is missing; a game of the kind 'bargaining' has 'issues'",
        ),
    ],
)
def test_what_such_a_game_lacks_or_has_too_much_is_said_in_a_sentence(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    with pytest.raises(InputFileError) as caught:
        load(tmp_path, change)

    assert reason in str(caught.value)


def test_the_schema_of_game_files_knows_games_with_and_without_goods() -> None:
    validator = jsonschema.Draft202012Validator(game_schema())
    without_contents = {key: value for key, value in POND.items() if key != "money"}

    assert validator.is_valid(POND)
    assert validator.is_valid(AUCTION)
    assert not validator.is_valid(without_contents)
    assert not validator.is_valid({**POND, "goods": []})
    assert not validator.is_valid({**POND, "issues": [{"kind": "quantity", "name": "a", "quantity": 2}]})
