"""The checkers of PettingZoo and Gymnasium on every shipped game; a warning of theirs fails the test."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from negoplatform.app.catalogue.search_path import game_files
from negoplatform.domain.game import GameSpec
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.training import NegotiationEnv, env, parallel_env
from tests.training.shipped_games import AGENTS, GAMES, mixed_opponents

EXPECTED_WARNINGS = (
    # An action is a kind of act and what completes it: a MultiDiscrete, or a Dict with continuous values.
    "Action space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    # Seats have the names that the game's file gives them, as everywhere in the program.
    'We recommend agents to be named in the format <descriptor>_<number>, like "player_0"',
    # Seats have preferences and goods of their own, and see only those: their vectors differ in length.
    "Agents have different observation space sizes",
    "Observations are different shapes",
)
"""The only warnings that are ignored."""

CYCLES = 20
"""Number of steps of a check."""

GIVEN_SEATS = {"all learners": lambda _game: {}, "agents too": mixed_opponents}
"""Agents of the seats that learners do not take."""

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
every_mixture = pytest.mark.parametrize("opponents", GIVEN_SEATS.values(), ids=GIVEN_SEATS)
both_observations = pytest.mark.parametrize("observation", ["vector", "dict"])

pytestmark = pytest.mark.usefixtures("expected_warnings")


@pytest.fixture
def expected_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", re.escape(message) + r"\Z", UserWarning)
        yield


@every_game
@every_mixture
@both_observations
def test_a_parallel_environment_passes_the_api_test(game: GameSpec, opponents: Any, observation: str) -> None:
    checked = parallel_env(game, opponents=opponents(game), observation=observation)

    parallel_api_test(checked, num_cycles=CYCLES)


@every_game
@every_mixture
def test_a_parallel_environment_repeats_itself_with_a_seed(game: GameSpec, opponents: Any) -> None:
    make = partial(parallel_env, game, opponents=opponents(game))

    parallel_seed_test(make, num_cycles=CYCLES)


@every_game
@every_mixture
def test_an_environment_of_turns_passes_the_api_test(game: GameSpec, opponents: Any) -> None:
    checked = env(game, opponents=opponents(game))

    api_test(checked, num_cycles=CYCLES)


@every_game
@every_mixture
def test_an_environment_of_turns_repeats_itself_with_a_seed(game: GameSpec, opponents: Any) -> None:
    make = partial(env, game, opponents=opponents(game))

    seed_test(make, num_cycles=CYCLES)


@every_game
@pytest.mark.parametrize("place", [0, -1], ids=["first seat", "last seat"])
@both_observations
def test_an_environment_of_one_learner_passes_the_check(game: GameSpec, place: int, observation: str) -> None:
    made = gymnasium.make(
        "negoplatform/Negotiation-v0",
        game=game,
        seat=game.seats[place],
        opponent=AGENTS[game.mechanism],
        observation=observation,
        render_mode="ansi",
    )

    check_env(made.unwrapped)

    assert isinstance(made.unwrapped, NegotiationEnv)


@every_game
@pytest.mark.parametrize("place", [0, -1], ids=["first seat", "last seat"])
def test_the_features_of_a_dict_are_in_the_order_of_the_vector(game: GameSpec, place: int) -> None:
    options: dict[str, Any] = {"seat": game.seats[place], "opponent": AGENTS[game.mechanism]}
    by_feature = NegotiationEnv(game, **options, observation="dict")

    vector, _ = NegotiationEnv(game, **options, fast=False).reset(seed=7)
    features, _ = by_feature.reset(seed=7)

    space = by_feature.observation_space
    assert isinstance(space, gymnasium.spaces.Dict)
    assert list(space) == list(features)
    assert np.concatenate(list(features.values())).tolist() == vector.tolist()
    assert np.asarray(gymnasium.spaces.flatten(space, features)).tolist() == vector.tolist()


def test_every_file_of_a_shipped_game_is_checked() -> None:
    assert len(GAMES) == len(game_files(bundled("games"))) > 0


@every_game
def test_every_seat_is_a_learners_where_no_agent_is_named(game: GameSpec) -> None:
    assert parallel_env(game).possible_agents == list(game.seats)
