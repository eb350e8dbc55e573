"""Scenarios whose files are made to exhaust memory or to hold what no game file can."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from negoplatform.cli.main import cli
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.formats.scenarios import scenario_files
from negoplatform.formats.scenarios.scenario import ReadingOptions
from negoplatform.formats.scenarios.scenario_files import read_scenario
from negoplatform.formats.scenarios.scenario_games import ImportedRules, checked_game, scenario_game

pytest.importorskip("yaml")

DOMAIN = "issues:\n- {name: X, type: CategoricalIssue, values: [a, b]}\n"
PROFILE = """type: LinearAdditiveUtilityFunction
weights: [1.0]
reserved_value: 0.1
values:
- {type: TableFun, mapping: {a: 1.0, b: 0.0}}
"""


def billions() -> str:
    """Return YAML with nine levels of lists, each of nine aliases of the one before, the last called i."""
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"{name}: &{name} [{', '.join([f'*{of}'] * 9)}]"
        for of, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    return "\n".join(lines) + "\n"


def put(folder: Path, domain: str = DOMAIN, profile: str = PROFILE) -> list[Path]:
    (folder / "domain.yml").write_text(domain, encoding="utf-8")
    for name in ("one", "two"):
        (folder / f"{name}.yml").write_text(profile, encoding="utf-8")
    return [folder]


@pytest.mark.parametrize(
    ("domain", "profile"),
    [
        (billions() + DOMAIN.replace("X", "*i"), PROFILE),
        (billions() + DOMAIN.replace("CategoricalIssue", "*i"), PROFILE),
        (DOMAIN, billions() + PROFILE.replace("LinearAdditiveUtilityFunction", "*i")),
        (DOMAIN, billions() + PROFILE.replace("TableFun", "*i")),
    ],
    ids=["name", "type of an issue", "type of a utility", "type of a function"],
)
def test_aliases_that_unfold_to_billions_of_values_are_refused(
    tmp_path: Path, domain: str, profile: str
) -> None:
    with pytest.raises(InputFileError, match="its aliases repeat more than 1,000,000 values"):
        read_scenario(put(tmp_path, domain, profile), ReadingOptions())


def test_a_value_that_contains_itself_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="nested too deeply, or one contains itself"):
        read_scenario(put(tmp_path, "issues: &x [*x]\n"), ReadingOptions())


def test_half_a_character_is_refused(tmp_path: Path) -> None:
    domain = {"name": "d", "issuesValues": {"i": {"values": ["\ud800", "y"]}}}
    utilities = {"i": {"DiscreteValueSetUtilities": {"valueUtilities": {"\ud800": 0.5, "y": 1}}}}
    space = {"issueUtilities": utilities, "issueWeights": {"i": 1}, "domain": domain, "name": "p"}
    for name in ("one", "two"):
        (tmp_path / f"{name}.json").write_text(
            json.dumps({"LinearAdditiveUtilitySpace": space}), encoding="utf-8"
        )
    scenario = read_scenario([tmp_path], ReadingOptions())

    with pytest.raises(InputFileError, match="half of a character"):
        checked_game(scenario_game(scenario, scenario.profiles, ImportedRules()), tmp_path)


@pytest.mark.parametrize("number", ["nan", "inf", "1e400"])
def test_a_reservation_value_that_is_not_finite_is_refused(tmp_path: Path, number: str) -> None:
    put(tmp_path)

    done = CliRunner().invoke(cli, ["import-game", str(tmp_path), "--reservation", number])

    assert isinstance(done.exception, NegoError)
    assert "a finite number" in str(done.exception)


ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**400,
    1e400,
    float("nan"),
    "",
    "x",
    "1/0",
    [],
    [[]],
    {},
    {"x": None},
    {1: 2},
    {"y"},
    b"z",
    Decimal("1e5000"),
    "1e5000",
)
"""Values that take the place of each part of a scenario, one after the other."""


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the keys that lead to every part of a value."""
    yield at
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*at, key))


def with_part(value: Any, at: tuple[Any, ...], part: Any) -> Any:
    if not at:
        return part
    copy = value.copy()
    copy[at[0]] = with_part(value[at[0]], at[1:], part)
    return copy


NEGMAS = (
    {
        "issues": [
            {"name": "X", "type": "CategoricalIssue", "values": ["a", "b"]},
            {"name": "Y", "type": "ContiguousIssue", "values": [0, 2]},
        ]
    },
    {
        "type": "LinearAdditiveUtilityFunction",
        "weights": [0.5, 0.5],
        "bias": 0,
        "reserved_outcome": ["a", 1],
        "values": [
            {"type": "TableFun", "mapping": {"a": 1.0, "b": 0.0}},
            {"type": "AffineFun", "slope": 0.5, "bias": 0},
        ],
    },
)

GENIUSWEB = {
    "LinearAdditiveUtilitySpace": {
        "name": "p",
        "domain": {
            "name": "d",
            "issuesValues": {"X": {"values": ["a", "b"]}, "Y": {"range": ["0", "2", "1"]}},
        },
        "issueWeights": {"X": 0.5, "Y": 0.5},
        "issueUtilities": {
            "X": {"discreteutils": {"valueUtilities": {"a": 1, "b": 0}}},
            "Y": {"numberutils": {"lowValue": 0, "lowUtility": 0, "highValue": 2, "highUtility": 1}},
        },
        "reservationBid": {"issuevalues": {"X": "a", "Y": 1}},
    }
}

NEGOLOG = {
    "issueWeights": {"X": 0.5, "Y": 0.5},
    "issues": {"X": {"a": 1, "b": 0}, "Y": {"c": 1, "d": 0}},
    "reservationValue": 0.1,
}


@pytest.mark.parametrize("part", ["domain", "profile", "geniusweb", "negolog"])
def test_any_odd_value_in_any_place_is_read_or_refused_in_a_sentence(
    tmp_path: Path, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = {"domain": NEGMAS[0], "profile": NEGMAS[1], "geniusweb": GENIUSWEB, "negolog": NEGOLOG}
    given: dict[str, Any] = {}
    for reader in ("read_json", "read_yaml"):
        monkeypatch.setattr(scenario_files, reader, lambda path: given[path.name])
    for name in ("domain.yml", "one.yml", "two.yml", "one.json", "two.json"):
        (tmp_path / name).write_text("", encoding="utf-8")
    read = refused = 0
    for at in places(documents[part]):
        for odd in ODD:
            changed = with_part(documents[part], at, odd)
            if part in ("domain", "profile"):
                profile = changed if part == "profile" else NEGMAS[1]
                given = {"domain.yml": changed if part == "domain" else NEGMAS[0]}
                given |= {"one.yml": profile, "two.yml": NEGMAS[1]}
            else:
                given = {"one.json": changed, "two.json": documents[part]}
            try:
                scenario = read_scenario([tmp_path / name for name in given], ReadingOptions())
                checked_game(scenario_game(scenario, scenario.profiles, ImportedRules()), tmp_path)
                read += 1
            except NegoError:
                refused += 1
    assert read
    assert refused


def test_the_measures_beside_the_profiles_of_negolog_are_no_profile(tmp_path: Path) -> None:
    for name in ("profileA", "profileB"):
        (tmp_path / f"{name}.json").write_text(json.dumps(NEGOLOG), encoding="utf-8")
    measures = {"Name": "Made up", "NumberOfBids": 4, "NumberOfIssues": 2, "NashBid": {"X": "a", "Y": "c"}}
    (tmp_path / "specs.json").write_text(json.dumps(measures), encoding="utf-8")

    scenario = read_scenario([tmp_path], ReadingOptions())

    assert [profile.name for profile in scenario.profiles] == ["profileA", "profileB"]
