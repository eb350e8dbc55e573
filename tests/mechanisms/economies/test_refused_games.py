"""Trading and market games that cannot be played are refused when their files are read, in one sentence."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.session.session_plan import with_time_limit, with_usual_limit
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import load_game
from negoplatform.plugins.program_and_user_folders import bundled

Document = dict[str, Any]
Change = Callable[[Document], object]

NUMBER = {"name": "price", "kind": "number", "low": 1, "high": 100}
CHOICE = {"name": "plan", "kind": "some_of", "values": ["a", "b"]}
CORN: Document = {
    "schema": "negoplatform.game/1",
    "name": "corn",
    "mechanism": "market",
    "goods": [{"name": "corn"}],
    "seats": {
        "ann": {"endowment": {"money": 200}, "worth": {"units": {"corn": [60, 50]}}},
        "ben": {"endowment": {"goods": {"corn": 2}}, "worth": {"units": {"corn": [40, 25]}}},
        "cem": {"endowment": {"money": 200}, "worth": {"units": {"corn": [55]}}},
    },
}
LAND: Document = json.loads((bundled("games") / "land_market" / "game.json").read_text(encoding="utf-8"))


def loaded(document: Document, change: Change, folder: Path) -> GameSpec:
    """Return the game of a changed document, read from a file."""
    changed = copy.deepcopy(document)
    change(changed)
    path = folder / "game.json"
    path.write_text(json.dumps(changed), encoding="utf-8")
    return load_game(path)


def terms(**given: Any) -> Change:
    """Return the change that gives a game these terms."""
    return lambda document: document.__setitem__("terms", given)


def phases(*changed: Document) -> Change:
    """Return the change that gives a game these phases, each with a name and ten seconds unless given."""
    return terms(phases=[{"name": f"p{n}", "seconds": 10, **each} for n, each in enumerate(changed)])


def field(**given: Any) -> Change:
    """Return the change that lets everyone decide one value."""
    return phases({"decide": [given]})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (terms(tick="1"), "terms.tick: a number belongs here"),
        (terms(periods={"seconds": True}), "terms.periods.seconds: a number belongs here"),
        (terms(periods={"break_seconds": 0.001}), "a break 0, or 1 to 86,400"),
        (terms(conditions=[""]), "the condition ''"),
        (terms(conditions=["dry\u202e"]), "the condition"),
        (terms(conditions=["drawn", "dry"]), "no condition is named 'drawn'"),
        (terms(realised="dry"), "belongs to a game with 'conditions'"),
        (terms(parameters={"tax": 1}), "belongs to a game with 'rules'"),
        (phases({"name": "a\x1bb"}), "the phase"),
        (phases({"label": "x" * 81}), "the label of the phase 'p0' is too long"),
        (phases({"text": "x" * 4001}), "the text of the phase 'p0' is too long"),
        (phases({"trade": True, "by": ["ann"]}), "nothing is decided, so it has no 'by'"),
        (phases({"decide": [NUMBER], "by": ["ann", "ann"]}), "'by' names each seat once"),
        (phases({"decide": [NUMBER | {"name": f"n{n}"} for n in range(51)]}), "up to 50 values"),
        (phases(*[{"seconds": 86_400}] * 2), "all phases take up to 86,400 seconds"),
        (field(**NUMBER, values=["a"]), "has no 'values'"),
        (field(name="x", low=-1e300, high=1e300), "the largest is 1,000,000,000"),
        (field(name="x", low=0, high=1, step=1e-300), "more than 1,000,000 numbers"),
        (field(name="two\nlines"), "the decision"),
        (field(**NUMBER, label="x" * 81), "the label of the decision 'price' is too long"),
        (field(**CHOICE, most=3), "is 0 to 2"),
        (field(**CHOICE, most=-1), "is 0 to 2"),
        (field(**CHOICE | {"kind": "one_of"}, most=1), "belongs to 'some_of'"),
        (field(**CHOICE | {"values": ["a", " "]}), "1 to 80 characters"),
        (field(**CHOICE | {"values": [f"v{n}" for n in range(1001)]}), "1 to 1,000"),
    ],
)
def test_a_market_that_cannot_be_played_as_written_is_refused(
    change: Change, reason: str, tmp_path: Path
) -> None:
    with pytest.raises(InputFileError) as refusal:
        loaded(CORN, change, tmp_path)

    assert reason in str(refusal.value)
    assert "game.json" in str(refusal.value)


def test_a_seat_that_decides_takes_part_even_with_the_fewest_seats(tmp_path: Path) -> None:
    def change(document: Document) -> None:
        document["fewest_seats"] = 2
        phases({"decide": [NUMBER], "by": ["cem"]})(document)

    with pytest.raises(InputFileError, match=r"with the fewest seats, 2: .* 'cem'"):
        loaded(CORN, change, tmp_path)


def _first_phase(**changed: Any) -> Change:
    return lambda document: document["terms"]["phases"][0]["decide"][0].update(changed)


def _second_phase(**changed: Any) -> Change:
    return lambda document: document["terms"]["phases"][1].update(changed)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_first_phase(kind="one_of", values=["much"]), "a number for each condition"),
        (_second_phase(decide=[{"name": "plots"}]), "some of owner_1"),
        (_second_phase(by=[]), "seats without a plot"),
        (lambda game: game["terms"].update(realised="project"), "remove 'terms.realised'"),
        (lambda game: game["terms"]["parameters"].update(tax=1), "has no 'tax'"),
        (
            lambda game: game["terms"]["parameters"]["values"]["owner_1"].update(project=[1e308, 1e308]),
            "two whole numbers",
        ),
        (
            lambda game: game["terms"]["parameters"]["values"]["owner_1"].update(project=[0.4, 0.6]),
            "two whole numbers",
        ),
        (lambda game: game["terms"]["phases"].append({"name": "start", "seconds": 1}), "'start'"),
    ],
)
def test_a_land_market_whose_rules_would_fail_is_refused(change: Change, reason: str, tmp_path: Path) -> None:
    with pytest.raises(InputFileError) as refusal:
        loaded(LAND, change, tmp_path)

    assert reason in str(refusal.value)


def test_a_time_limit_shorter_than_the_phases_of_a_market_is_refused(tmp_path: Path) -> None:
    game = loaded(CORN, terms(periods={"seconds": 60}), tmp_path)

    with pytest.raises(NegoError, match="the phases take 60 seconds"):
        with_time_limit(game, 10)


def test_a_market_longer_than_the_usual_limit_of_simulations_is_played_to_its_end(tmp_path: Path) -> None:
    short = loaded(CORN, terms(periods={"seconds": 60}), tmp_path)
    long = loaded(CORN, terms(periods={"seconds": 7200}), tmp_path)

    assert with_usual_limit(short).rules.deadline_seconds == 1800
    assert with_usual_limit(long).rules.deadline_seconds == 7200
