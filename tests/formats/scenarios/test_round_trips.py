"""Games that are exported and imported again have the same utilities."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec, Preferences, TimeCost
from negoplatform.domain.issue import CategoricalIssue
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility, InteractionUtility
from negoplatform.formats.scenarios.scenario import ReadingOptions
from negoplatform.formats.scenarios.scenario_files import read_scenario
from negoplatform.formats.scenarios.scenario_games import ImportedRules, checked_game, scenario_game
from negoplatform.formats.scenarios.scenario_writers import FORMATS, exported_files
from tests.formats.scenarios.genius_scenarios import STEPS, drawn_scenario
from tests.formats.scenarios.test_drawn_genius_scenarios import EXAMPLES, written
from tests.games import categorical_only, shipped_games


def read_again(folder: Path, files: dict[str, str], steps: int | None = None) -> GameSpec:
    """Return the game of files that were written."""
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    scenario = read_scenario([folder], ReadingOptions(steps=steps))
    return checked_game(scenario_game(scenario, scenario.profiles, ImportedRules()), folder)


def worths(game: GameSpec) -> list[tuple[float, ...]]:
    """Return the utilities of all seats for every outcome, in their order."""
    return [tuple(game.preferences[seat].utility(o) for seat in game.seats) for o in game.outcomes()]


def limits(game: GameSpec) -> list[tuple[float, float]]:
    return [(own.reservation_value, own.discount_factor) for own in game.preferences.values()]


@pytest.mark.parametrize("target", list(FORMATS))
def test_a_drawn_scenario_comes_back_with_the_same_utilities(tmp_path: Path, target: str) -> None:
    compared = 0
    for seed in range(EXAMPLES):
        folder = written(tmp_path / f"{seed}", drawn_scenario(seed))
        scenario = read_scenario([folder], ReadingOptions(steps=STEPS))
        game = checked_game(scenario_game(scenario, scenario.profiles, ImportedRules()), folder)
        if target != "genius":
            plain = [(seat, replace(own, discount_factor=1.0)) for seat, own in game.preferences.items()]
            game = replace(game, preferences=type(game.preferences)(plain))
        try:
            files = exported_files(game, target, rescale=False)
        except NegoError:
            continue  # a limit or a reservation value that the format cannot hold

        again = read_again(tmp_path / f"{seed}" / "again", files)

        assert worths(again) == worths(game), seed
        assert limits(again) == limits(game), seed
        compared += 1
    assert compared > EXAMPLES / 10


@pytest.mark.parametrize("target", list(FORMATS))
def test_the_points_of_every_seat_keep_their_proportions_when_they_are_rescaled(
    tmp_path: Path, target: str
) -> None:
    for game in shipped_games("bargaining"):
        plain = _without_extras(game)
        if plain is None or plain.count_outcomes() > 20_000:
            continue

        files = exported_files(plain, target, rescale=True)
        again = read_again(tmp_path / game.name, files)

        assert set(again.seats) == set(plain.seats)
        for seat in plain.seats:
            utility = plain.preferences[seat].utility
            width = utility.highest - utility.lowest
            for mine, theirs in zip(plain.outcomes(), again.outcomes(), strict=True):
                share = (utility(mine) - utility.lowest) / width
                assert again.preferences[seat].utility(theirs) == pytest.approx(share, abs=1e-12)


def test_a_limit_of_all_points_keeps_its_place_when_points_are_rescaled(tmp_path: Path) -> None:
    tables = {"colour": {"red": 0.5, "green": 1.5}, "size": {"small": 0.25, "large": 0.5}}
    own = Preferences(InteractionUtility(AdditiveUtility("human", tables), (), at_most=1), 0.75)
    issues = CategoricalIssue("colour", ("red", "green")), CategoricalIssue("size", ("small", "large"))
    game = replace(categorical_only(), issues=issues, preferences=SeatMap({"human": own, "agent": own}))

    again = read_again(tmp_path / "again", exported_files(game, "genius", rescale=True))

    shares = [(own.utility(offer) - 0.75) / 0.25 for offer in game.outcomes()]
    assert sorted(shares) == [0, 1, 1, 1]
    assert [worth[0] for worth in worths(again)] == pytest.approx(shares)
    assert again.preferences["human"].reservation_value == 0


def _without_extras(game: GameSpec) -> GameSpec | None:
    """Return a game without time costs, the worst outcome as reserve; None if issues interact."""
    settled = game.resolve_profiles(1)
    if not all(isinstance(own.utility, AdditiveUtility) for own in settled.preferences.values()):
        return None
    plain = [
        (seat, Preferences(own.utility, own.utility.lowest)) for seat, own in settled.preferences.items()
    ]
    return replace(settled, preferences=type(settled.preferences)(plain))


@pytest.mark.parametrize(
    ("target", "changes", "missing"),
    [
        ("genius", {"time_cost": TimeCost(1, 60)}, "a cost of time, which Genius cannot hold"),
        ("genius", {"opt_out": 3}, "another value of quitting than of a timeout"),
        ("geniusweb", {"discount_factor": 0.5}, "a discount factor, which GeniusWeb cannot hold"),
        ("genius", {}, "--rescale makes its worst outcome 0 and its best one 1"),
    ],
)
def test_what_a_format_cannot_hold_is_refused_by_name(
    target: str, changes: dict[str, Any], missing: str
) -> None:
    game = next(game for game in shipped_games("bargaining") if game.name == "resource_exchange")
    mine = replace(game.preferences[game.seats[0]], **changes)
    game = replace(game, preferences=game.preferences.with_value(game.seats[0], mine))

    with pytest.raises(NegoError) as caught:
        exported_files(game, target, rescale=False)

    assert missing in str(caught.value)


WEB = """{"LinearAdditiveUtilitySpace": {"name": "p", "domain": {"name": "party", "issuesValues": {
 "Food": {"values": ["Chips", "Catering"]}, "price": {"range": ["12", "18", "1.5"]}}},
 "issueWeights": {"Food": 0.6, "price": 0.4},
 "issueUtilities": {"Food": {"%s": {"valueUtilities": {"Chips": 0.75, "Catering": 0.25}}},
  "price": {"%s": {"lowValue": 12, "lowUtility": 0.3, "highValue": 18, "highUtility": 0.6}}},
 "reservationBid": {"issuevalues": {"Food": "Catering", "price": 15}}}}"""


@pytest.mark.parametrize(
    "names",
    [("DiscreteValueSetUtilities", "NumberValueSetUtilities"), ("discreteutils", "numberutils")],
)
def test_a_geniusweb_reserve_is_worth_what_its_bid_is(tmp_path: Path, names: tuple[str, str]) -> None:
    files = {f"{name}.json": WEB % names for name in ("a", "b")}

    game = read_again(tmp_path / "party", files)

    own = game.preferences["a"]
    assert own.reservation_value == 0.6 * 0.25 + 0.4 * 0.45
    assert worths(game)[0] == pytest.approx((0.57, 0.57))
    assert [issue.count(game.seats) for issue in game.issues] == [2, 5]


def test_files_of_negmas_are_read_with_their_value_functions(tmp_path: Path) -> None:
    domain = """
issues:
- {name: Color, type: CategoricalIssue, values: [a, "b, c", 'x "y"']}
- {name: n, type: ContiguousIssue, values: [0, 5]}
- {name: list of ints, type: DiscreteCardinalIssue, values: [1, 2, 7]}
name: mydom
type: DiscreteCartesianOutcomeSpace
"""
    function = """
name: u
type: LinearAdditiveUtilityFunction
reserved_value: %s
values:
- {type: TableFun, mapping: {a: 1, "b, c": 0.5, 'x "y"': 0.25}}
- {type: AffineFun, bias: 0.1, slope: 0.15}
- {type: TableFun, mapping: {1: 0, 2: 1, 7: 0.3}}
weights: [0.5, 0.3, 0.2]
"""
    files = {"mydom.yml": domain, "u1.yml": function % "0.3", "u2.yml": function % "-.inf"}

    with pytest.raises(NegoError, match="choose a number \\(--reservation\\)"):
        read_again(tmp_path / "no", files)
    game = read_again(tmp_path / "yes", files | {"u2.yml": function % "0.25"})

    assert worths(game)[0] == pytest.approx((0.53, 0.53))
    assert worths(game)[-1][0] == pytest.approx(0.5 * 0.25 + 0.3 * 0.85 + 0.2 * 0.3)
    assert [own.reservation_value for own in game.preferences.values()] == [0.3, 0.25]


def test_without_pyyaml_a_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)

    with pytest.raises(NegoError, match=r"which needs PyYAML: pip install '\.\[scenarios\]'"):
        read_again(tmp_path / "yaml", {"a.yml": "issues: []"})
