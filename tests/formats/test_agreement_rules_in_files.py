"""Rules of many seats in game files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.agreement_rules import Agreement, Outvoted, Quota, Turns
from negoplatform.domain.errors import InputFileError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.reader import read_log
from negoplatform.formats.games import dump_game
from tests.eventlog.logs import lines_of, recorded, rewrite
from tests.formats.game_texts import flat, loaded, refused
from tests.games import three_seats


def three(**rules: Any) -> dict[str, Any]:
    """Return the file of a game with three seats."""
    document = flat(rules=rules)
    document["seats"]["broker"] = document["seats"]["agent"]
    return document


@pytest.mark.parametrize(
    ("rules", "agreement", "outvoted", "turns"),
    [
        ({}, Agreement.UNANIMOUS, Outvoted.BOUND, Turns.FREE),
        ({"agreement": "majority"}, Agreement.MAJORITY, Outvoted.BOUND, Turns.FREE),
        ({"agreement": {"quota": 3}, "outvoted": "left_out"}, Quota(3), Outvoted.LEFT_OUT, Turns.FREE),
        ({"turns": "alternating"}, Agreement.UNANIMOUS, Outvoted.BOUND, Turns.ALTERNATING),
    ],
)
def test_the_rules_are_read_and_written(
    tmp_path: Path, rules: dict[str, Any], agreement: object, outvoted: Outvoted, turns: Turns
) -> None:
    game = loaded(tmp_path, three(**rules))

    assert (game.rules.agreement, game.rules.outvoted, game.rules.turns) == (agreement, outvoted, turns)
    assert {key: dump_game(game)["rules"].get(key) for key in rules} == rules
    assert loaded(tmp_path, dump_game(game)) == game


@pytest.mark.parametrize(
    ("quota", "reason"),
    [
        (4, "this game has 3 seats, so the quota is a whole number from 2 to 3, not 4"),
        (1, "the number must be at least 2, not 1"),
        (-3, "the number must be at least 2, not -3"),
        (2.5, "a whole number belongs here, not 2.5"),
        ("2", 'a whole number belongs here, not "2"'),
        (True, "a whole number belongs here, not true"),
    ],
)
def test_a_quota_that_does_not_fit_is_refused_with_file_and_place(
    tmp_path: Path, quota: object, reason: str
) -> None:
    error = refused(tmp_path, three(agreement={"quota": quota}))

    assert str(error) == f"{tmp_path / 'game.json'} at rules.agreement.quota: {reason}."


def test_two_seats_leave_no_choice_of_a_quota(tmp_path: Path) -> None:
    error = refused(tmp_path, flat(rules={"agreement": {"quota": 3}}))

    assert error.reason == "this game has 2 seats, so the quota is 2, not 3"


@pytest.mark.parametrize("agreement", ["most", 2, None, [], True])
def test_any_other_agreement_is_refused_with_what_may_stand_there(tmp_path: Path, agreement: object) -> None:
    error = refused(tmp_path, three(agreement=agreement))

    assert error.where == "rules.agreement"
    assert error.reason.endswith("is not known here; write 'unanimous', 'majority' or {\"quota\": 2}")


@pytest.mark.parametrize(("key", "value"), [("outvoted", "bond"), ("turns", "round")])
def test_other_words_are_refused(tmp_path: Path, key: str, value: str) -> None:
    error = refused(tmp_path, three(**{key: value}))

    assert error.where == f"rules.{key}"


def test_a_quota_in_a_log_has_to_fit_its_seats_too(tmp_path: Path) -> None:
    game: GameSpec = three_seats()
    game = replace(game, rules=replace(game.rules, agreement=Quota(2)))
    log = recorded(tmp_path, game, lambda table: table.start())
    lines = lines_of(log)
    lines[0]["game"]["rules"]["agreement"] = {"quota": 4}
    rewrite(log, lines)

    with pytest.raises(InputFileError, match="this game has 3 seats") as caught:
        read_log(log)

    assert caught.value.where.endswith("rules.agreement.quota")
