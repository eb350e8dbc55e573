"""Drawn Genius scenarios: the imported game gives the utilities of the formulas, for every outcome."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

from negoplatform.domain.offer import Offer
from negoplatform.domain.utility import AdditiveUtility, InteractionUtility
from negoplatform.formats.scenarios.scenario import ReadingOptions
from negoplatform.formats.scenarios.scenario_files import read_scenario
from negoplatform.formats.scenarios.scenario_games import ImportedRules, checked_game, scenario_game
from tests.formats.scenarios.genius_scenarios import STEPS, DrawnScenario, drawn_scenario

EXAMPLES = int(os.environ.get("NEGOPLATFORM_SCENARIO_EXAMPLES", "100"))
"""Scenarios in each kind of test; ``make torture`` sets a thousand."""

ROUNDING = Fraction(1, 2**52)
"""Bound of the error of each floating-point addition, for sums of at most about 2."""


def written(folder: Path, drawn: DrawnScenario) -> Path:
    """Write the files of a scenario into a new folder, and return it."""
    folder.mkdir()
    for name, data in drawn.files.items():
        (folder / name).write_bytes(data)
    return folder


def test_every_outcome_is_worth_what_the_formulas_say(tmp_path: Path) -> None:
    for seed in range(EXAMPLES):
        drawn = drawn_scenario(seed)
        scenario = read_scenario([written(tmp_path / str(seed), drawn)], ReadingOptions(steps=STEPS))

        game = checked_game(scenario_game(scenario, scenario.profiles, ImportedRules()), f"seed {seed}")

        assert game.count_outcomes() == len(list(drawn.outcomes())), seed
        for seat, profile in zip(game.seats, drawn.profiles, strict=True):
            own = game.preferences[seat]
            assert own.reservation_value == float(profile.exact_reservation), seed
            assert own.discount_factor == float(profile.exact_discount), seed
            for outcome in drawn.outcomes():
                levels = [level if isinstance(level, str) else float(level) for level in outcome]
                offer = Offer(zip((issue.name for issue in game.issues), levels, strict=True))
                exact = profile.utility(drawn.issues, outcome)
                assert abs(Fraction(own.utility(offer)) - exact) <= len(levels) * ROUNDING, (seed, outcome)


def test_the_points_of_every_value_are_rounded_once(tmp_path: Path) -> None:
    for seed in range(EXAMPLES):
        drawn = drawn_scenario(seed)
        scenario = read_scenario([written(tmp_path / str(seed), drawn)], ReadingOptions(steps=STEPS))

        game = checked_game(scenario_game(scenario, scenario.profiles, ImportedRules()), f"seed {seed}")

        for seat, profile in zip(game.seats, drawn.profiles, strict=True):
            utility = game.preferences[seat].utility
            assert isinstance(utility, AdditiveUtility | InteractionUtility)
            for issue, imported in zip(drawn.issues, game.issues, strict=True):
                table = utility.additive.tables[imported.name]
                for level in issue.levels:
                    exact = profile.unlimited(issue, level)
                    key = level if isinstance(level, str) else float(level)
                    assert table[key] == float(exact), (seed, issue.name, level)
