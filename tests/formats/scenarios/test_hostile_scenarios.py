"""Scenarios whose files are made to exhaust memory or to hold what no game file can."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from negoplatform.cli.main import cli
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.formats.scenarios.scenario_files import ReadingOptions, read_scenario
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
