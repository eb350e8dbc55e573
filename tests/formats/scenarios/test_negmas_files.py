"""Files of NegMAS and GeniusWeb as they are in use: discounts, minus infinity, files with measures."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.formats.scenarios.scenario import ReadingOptions
from negoplatform.formats.scenarios.scenario_files import read_scenario
from negoplatform.formats.scenarios.scenario_games import ImportedRules, checked_game, scenario_game
from negoplatform.formats.scenarios.scenario_writers import exported_files

DOMAIN = """{"name": "dates", "type": "DiscreteCartesianOutcomeSpace",
 "issues": [{"name": "day", "type": "CategoricalIssue", "values": ["Mon", "Tue"]}]}"""
ADDITIVE = """{"type": "LinearAdditiveUtilityFunction", "reserved_value": %s, "weights": [0.5],
 "values": [{"type": "TableFun", "mapping": {"Mon": 2, "Tue": 1}}]}"""
DISCOUNTED = """{"type": "ExpDiscountedUFun", "discount": %s, %s"reserved_value": -Infinity, "ufun": %s}"""
RELATIVE = '"factor": "relative_time", '


def read(folder: Path, options: ReadingOptions, **files: str) -> GameSpec:
    for name, text in files.items():
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
    scenario = read_scenario([folder], options)
    return checked_game(scenario_game(scenario, scenario.profiles, ImportedRules()), folder)


def dates(folder: Path, function: str, options: ReadingOptions | None = None) -> GameSpec:
    return read(folder, options or ReadingOptions(), dates=DOMAIN, a=function, b=ADDITIVE % "0.25")


def test_a_discount_over_relative_time_is_that_of_the_game(tmp_path: Path) -> None:
    game = dates(tmp_path, DISCOUNTED % ("0.75", RELATIVE, ADDITIVE % "0.1"))

    own = game.preferences["a"]
    assert (own.discount_factor, own.reservation_value) == (0.75, 0.1)
    assert own.utility(Offer({"day": "Mon"})) == 1


def test_a_discount_for_each_step_is_refused_or_taken_over_the_whole_game(tmp_path: Path) -> None:
    function = DISCOUNTED % ("0.75", "", ADDITIVE % "0.1")

    with pytest.raises(NegoError, match=r"a\.json at factor: its discount factor is for each step"):
        dates(tmp_path, function)
    game = dates(tmp_path, function, ReadingOptions(discount_over_time=True))

    assert game.preferences["a"].discount_factor == 0.75
    assert "a.json: Its discount factor counts over the whole game" in game.description


@pytest.mark.parametrize("discount", ["1.0", "null", "0"])
def test_a_discount_without_effect_is_none_whatever_its_time(tmp_path: Path, discount: str) -> None:
    game = dates(tmp_path, DISCOUNTED % (discount, "", ADDITIVE % "0.1"))

    assert game.preferences["a"].discount_factor == 1
    assert "Its discount" not in game.description


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (DISCOUNTED % ("1.5", RELATIVE, ADDITIVE % 0), "a discount factor is above 0 and at most 1"),
        (
            DISCOUNTED % ("0.5", '"factor": "real_time", ', ADDITIVE % 0),
            "a discount by 'real_time' cannot be",
        ),
        (
            '{"type": "ExpDiscountedUFun", "discount": 0.5, "factor": "relative_time", "reserved_value": 0.2,'
            f' "dynamic_reservation": false, "ufun": {ADDITIVE % 0}}}',
            "the reservation value is not 0 and not discounted",
        ),
        (ADDITIVE % "-Infinity", "it is minus infinity, which a game cannot say"),
        (
            '{"type": "anl2025.ufun.MaxCenterUFun", "n_edges": 3, "outcome_space": {}}',
            "a MaxCenterUFun is about the agreements of several negotiations",
        ),
    ],
)
def test_a_function_that_no_game_can_have_is_refused_with_the_reason(
    tmp_path: Path, function: str, reason: str
) -> None:
    with pytest.raises(NegoError, match=reason):
        dates(tmp_path, function)


def test_minus_infinity_is_replaced_by_the_reservation_value_that_is_chosen(tmp_path: Path) -> None:
    game = dates(tmp_path, ADDITIVE % "-Infinity", ReadingOptions(reservation=Fraction(1, 2)))

    assert game.preferences["a"].reservation_value == 0.5


def test_a_discount_survives_the_way_to_negmas_and_back(tmp_path: Path) -> None:
    game = dates(tmp_path, DISCOUNTED % ("0.75", RELATIVE, ADDITIVE % "0.1"))
    again = tmp_path / "again"
    again.mkdir()
    for name, text in exported_files(game, "negmas", rescale=False).items():
        (again / name).with_suffix(".json").write_text(text, encoding="utf-8")

    back = read(again, ReadingOptions())

    assert [(own.discount_factor, own.reservation_value) for own in back.preferences.values()] == [
        (0.75, 0.1),
        (1, 0.25),
    ]


WEB = """{"LinearAdditiveUtilitySpace": {"domain": {"name": "d", "issuesValues": {
 "x": {"values": ["a", "b"]}, "y": {"values": ["c", "d"]}, "z": {"values": ["e", "f"]}}},
 "issueWeights": {"x": 0.3, "y": 0.3, "z": 0.4000000000000001},
 "issueUtilities": {"x": {"discreteutils": {"valueUtilities": {"a": 1, "b": 0}}},
  "y": {"discreteutils": {"valueUtilities": {"c": 1, "d": 0.5}}},
  "z": {"discreteutils": {"valueUtilities": {"e": 0, "f": 1}}}}}}"""


def test_a_file_with_measures_between_profiles_is_left_out_and_named(tmp_path: Path) -> None:
    game = read(tmp_path, ReadingOptions(), a=WEB, b=WEB, specials='{"nash": {}, "pareto_front": []}')

    assert list(game.seats) == ["a", "b"]
    assert "Left out, because they are no domain and no profile: specials.json." in game.description


@pytest.mark.parametrize("target", ["genius", "geniusweb", "negmas"])
def test_points_that_exceed_1_by_rounding_alone_are_exported(tmp_path: Path, target: str) -> None:
    game = read(tmp_path, ReadingOptions(), a=WEB, b=WEB)
    assert sum(map(Fraction, ("0.3", "0.3", "0.4000000000000001"))) > 1

    files = exported_files(game, target, rescale=False)

    assert len(files) == 3
