"""Mood and pace of the agents in game files and in the headers of logs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.counterpart_settings import CounterpartSettings
from negoplatform.domain.errors import InputFileError
from negoplatform.domain.expression import Expression
from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import dump_game, load_game
from negoplatform.formats.log_header import decode_header, encode_header
from tests.eventlog.logs import header_for
from tests.formats.test_timing_rules import written
from tests.games import with_rules

SET = CounterpartSettings(Expression.SAD, 0.8, 4.0, 1.5)


def test_a_game_that_sets_none_of_them_says_nothing_about_them(practice: GameSpec) -> None:
    assert "counterpart" not in dump_game(practice)["rules"]


def test_only_what_differs_from_the_default_is_written(practice: GameSpec) -> None:
    game = with_rules(practice, counterpart=CounterpartSettings(mood=Expression.ANGRY))

    assert dump_game(game)["rules"]["counterpart"] == {"mood": "ANGRY"}


def test_what_a_game_sets_is_read_and_written(practice: GameSpec, tmp_path: Path) -> None:
    document = {"mood": "SAD", "mood_intensity": 0.8, "face_seconds": 4.0, "pace": 1.5}

    game = load_game(written(tmp_path, counterpart=document))

    assert game.rules == replace(practice.rules, counterpart=SET)
    assert dump_game(game)["rules"]["counterpart"] == document


def test_the_header_of_a_log_holds_them(practice: GameSpec) -> None:
    header = header_for(with_rules(practice, counterpart=SET))

    assert decode_header(encode_header(header), "log").game.rules.counterpart == SET


@pytest.mark.parametrize(
    ("name", "value"),
    [("mood", "sad"), ("mood", "GRUMPY"), ("mood_intensity", 40), ("face_seconds", 0), ("pace", 5)],
)
def test_a_value_out_of_its_range_is_refused_with_its_place(name: str, value: Any, tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=rf"rules\.counterpart\.{name}"):
        load_game(written(tmp_path, counterpart={name: value}))
