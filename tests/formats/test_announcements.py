"""Announcements in game files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.errors import InputFileError
from negoplatform.domain.seat_map import SeatMap
from negoplatform.formats.games import dump_game, load_game
from negoplatform.formats.log_header import Header, Occupant, decode_header, encode_header
from tests.formats.test_game_files import written


def announcing(*told: Any) -> Any:
    def change(game: dict[str, Any]) -> None:
        game["announcements"] = list(told)

    return change


TAX = {
    "type": "tax-announced",
    "at_seconds": 60,
    "data": {"taxRate": 0.2, "of": [1, None, "ä"]},
    "text": "Tax!",
}


def test_an_announcement_is_read_and_written_again(tmp_path: Path) -> None:
    game = load_game(written(tmp_path, announcing(TAX)))

    (told,) = game.announcements

    assert (told.type, told.at_seconds, told.data, told.text, told.to) == (
        "tax-announced",
        60.0,
        TAX["data"],
        "Tax!",
        (),
    )
    assert dump_game(game)["announcements"] == [{**TAX, "to": []}]


def test_a_logs_header_keeps_what_was_announced(tmp_path: Path) -> None:
    game = load_game(written(tmp_path, announcing(TAX)))
    seats = SeatMap((seat, Occupant("agent", seat)) for seat in game.seats)

    header = decode_header(encode_header(Header("s", "now", "0", 1, game, seats)), "log")

    assert header.game.announcements == game.announcements


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({}, "type: this key is missing"),
        ({"type": "Tax"}, "small letters and digits"),
        ({"type": "tax-"}, "small letters and digits"),
        ({"type": "send-offer"}, "the program itself has an event of the name 'send-offer'"),
        ({"type": "time"}, "the program itself has an event of the name 'time'"),
        ({"type": "tax", "to": ["ghost"]}, "announcements[0] is for 'ghost', but there is only"),
        ({"type": "tax", "at_seconds": -1}, "at least 0"),
        ({"type": "tax", "data": [1]}, "an object in braces"),
        ({"type": "tax", "data": {"x": float("nan")}}, "NaN is no number"),
        ({"type": "tax", "when": 3}, "this key is not known here"),
    ],
)
def test_a_bad_announcement_is_one_sentence(tmp_path: Path, told: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputFileError) as caught:
        load_game(written(tmp_path, announcing(told)))

    assert reason in str(caught.value)
