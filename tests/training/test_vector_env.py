"""The vector environment: equal to as many single environments, and what it refuses."""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from numpy.typing import NDArray

import negoplatform.training  # noqa: F401 - registers the environments
from negoplatform.domain.errors import NegoError
from negoplatform.training import NegotiationVectorEnv
from negoplatform.training.fast_path.vector_draws import FIRST_WORDS, VectorDraws

NAME = "negoplatform/Negotiation-v0"
COUNT = 4
AnyVectorEnv = Any
"""A vector environment; Gymnasium's own type has no lists of seeds."""


def vector(count: int = COUNT, mode: AutoresetMode = AutoresetMode.NEXT_STEP, **options: Any) -> AnyVectorEnv:
    return gymnasium.make_vec(
        NAME, num_envs=count, vectorization_mode="vector_entry_point", autoreset_mode=mode, **options
    )


def synchronous(
    count: int = COUNT, mode: AutoresetMode = AutoresetMode.NEXT_STEP, **options: Any
) -> AnyVectorEnv:
    return gymnasium.make_vec(
        NAME,
        num_envs=count,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        **options,
    )


def drawn_actions(env: AnyVectorEnv, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return actions that mostly wait and offer, sometimes accept, and rarely walk away."""
    count = env.num_envs
    found = np.stack([rng.integers(0, each, count) for each in env.single_action_space.nvec], axis=1)
    chance = rng.random(count)
    found[:, 0] = np.where(chance < 0.03, 3, np.where(chance < 0.1, 2, rng.integers(0, 2, count)))
    return found


def assert_same(mine: Any, theirs: Any, key: str = "") -> None:
    """Check that values of the vector environment are those of Gymnasium's, apart from the form of masks."""
    if isinstance(mine, dict):
        assert set(mine) == set(theirs), key
        for name in mine:
            assert_same(mine[name], theirs[name], name)
    elif key == "action_mask":
        none = np.zeros(mine.shape[1])
        rows = [none if each is None else np.concatenate(each) for each in theirs]
        np.testing.assert_array_equal(mine, rows)
    elif key == "final_obs":
        assert [each is None for each in mine] == [each is None for each in theirs]
        for own, other in zip(mine, theirs, strict=True):
            np.testing.assert_array_equal(own, other)
    else:
        np.testing.assert_array_equal(mine, theirs, key)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(
    ("game", "opponent", "reward"),
    [
        ("campsite", "boulware", "final_points"),
        ("practice", "conceder", "score_change"),
        ("resource_exchange", "linear", "score_change"),
    ],
)
def test_it_is_equal_to_as_many_single_environments_of_the_same_seeds(
    game: str, opponent: str, reward: str, mode: AutoresetMode
) -> None:
    options: dict[str, Any] = {"game": game, "opponent": opponent, "reward": reward, "seeds": 40}
    mine, theirs = vector(mode=mode, **options), synchronous(mode=mode, **options)
    rng, ends = np.random.default_rng(2), 0

    for own, other in zip(mine.reset(seed=7), theirs.reset(seed=7), strict=True):
        assert_same(own, other)
    for _ in range(130):
        actions = drawn_actions(mine, rng)
        found, expected = mine.step(actions), theirs.step(actions)
        assert_same(dict(enumerate(found)), dict(enumerate(expected)))
        over = found[2] | found[3]
        ends += int(over.sum())
        if mode is AutoresetMode.DISABLED and over.any():
            renewed = mine.reset(options={"reset_mask": over})
            assert_same(dict(enumerate(renewed)), dict(enumerate(theirs.reset(options={"reset_mask": over}))))

    assert ends > 10


def test_its_spaces_are_those_of_single_environments_and_contain_what_it_returns() -> None:
    mine, theirs = vector(game="job_candidate", opponent="linear"), synchronous(game="job_candidate")

    observations, _ = mine.reset(seed=1)

    for name in ("single_action_space", "action_space", "single_observation_space", "observation_space"):
        assert getattr(mine, name) == getattr(theirs, name)
    assert mine.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert mine.observation_space.contains(observations)
    for _ in range(30):
        results = mine.step(mine.action_space.sample())
        assert mine.observation_space.contains(results[0])


def test_equal_seeds_give_equal_games_and_later_results_leave_earlier_ones_alone() -> None:
    env, runs = vector(seat="agent"), []

    for _ in range(2):
        rng = np.random.default_rng(4)
        first, _ = env.reset(seed=3)
        kept = first.copy()
        runs.append([env.step(drawn_actions(env, rng))[0] for _ in range(40)])
        np.testing.assert_array_equal(first, kept)
    other, _ = env.reset(seed=4)

    np.testing.assert_array_equal(runs[0], runs[1])
    assert not np.array_equal(other, first)


def test_a_game_seed_and_a_seed_for_each_environment_can_be_given() -> None:
    env = vector(3)

    one, one_info = env.reset(options={"game_seed": 11})
    several, several_info = env.reset(options={"game_seed": [11, 12, 11]})
    _, listed = env.reset(seed=[5, 6, 5])

    assert one_info["game_seed"].tolist() == [11, 11, 11]
    assert several_info["game_seed"].tolist() == [11, 12, 11]
    np.testing.assert_array_equal(one[0], several[2])
    assert listed["game_seed"][0] == listed["game_seed"][2]


def test_wrappers_of_gymnasium_accept_it() -> None:
    env = RecordEpisodeStatistics(vector(4))
    env.reset(seed=1)

    results = env.step(np.array([[3, 0, 0, 0]] * 4))

    assert results[4]["episode"]["l"].tolist() == [1, 1, 1, 1]
    assert results[2].all()


def test_a_mask_of_each_environment_says_which_heads_are_open() -> None:
    env = vector(2)
    _, infos = env.reset(seed=1)
    for _ in range(2):  # the opponent has made its first offer by then
        *_, later = env.step(np.zeros((2, 4), dtype=np.int64))

    assert infos["action_mask"][:, :4].tolist() == [[1, 1, 0, 1]] * 2
    assert later["action_mask"][:, :4].tolist() == [[1, 1, 1, 1]] * 2
    assert later["action_mask"].shape == (2, int(env.single_action_space.nvec.sum()))


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"opponent": "micro"}, "clock alone"),
        ({"opponent": "tit_for_tat"}, "vectorization_mode='sync'"),
        ({"game": "three_way"}, "two seats"),
        ({"game": "grain_market", "opponent": "zip"}, "two seats"),
        ({"codec": "demand"}, "codec terms"),
        ({"step_seconds": 7}, "multiple"),
        ({"log": "logs"}, "log='logs'"),
        ({"observation": "dict"}, "vectorization_mode='sync'"),
        ({"colour": "red"}, "no option 'colour'"),
        ({"reward": lambda _before, _after: 0.0}, "final_points or score_change"),
        ({"num_envs": 0}, "from 1 up"),
        ({"seeds": 0}, "from 1 up"),
        ({"autoreset_mode": "Never"}, "NextStep, SameStep"),
    ],
)
def test_what_it_cannot_play_is_refused_with_a_sentence(options: dict[str, Any], part: str) -> None:
    with pytest.raises(NegoError, match=part):
        NegotiationVectorEnv(**options)


def test_actions_and_masks_of_another_size_are_refused() -> None:
    env = vector(2, AutoresetMode.DISABLED)

    with pytest.raises(NegoError, match="call reset"):
        env.step(np.zeros((2, 4), dtype=np.int64))
    env.reset(seed=1)
    with pytest.raises(NegoError, match="2 rows of 4 whole numbers"):
        env.step(np.zeros((2, 3), dtype=np.int64))
    with pytest.raises(NegoError, match="array of 2 booleans"):
        env.reset(options={"reset_mask": np.zeros(2, dtype=bool)})
    with pytest.raises(NegoError, match="3 seeds"):
        env.reset(seed=[1, 2, 3])
    env.step(np.array([[3, 0, 0, 0], [0, 0, 0, 0]]))
    with pytest.raises(NegoError, match="environment 0 has ended"):
        env.step(np.zeros((2, 4), dtype=np.int64))


def test_numbers_drawn_for_many_games_are_those_of_one_generator_each() -> None:
    seeds, bounds = [3, 2**40, 3], [7, 100, 2]
    draws, games = VectorDraws(3, str), np.arange(3)
    draws.begin(games, np.array(seeds))
    randoms = [Random(str(seed)) for seed in seeds]

    for _ in range(2 * FIRST_WORDS):
        found = draws.below(games, np.array(bounds))
        assert found.tolist() == [rng.randrange(most) for rng, most in zip(randoms, bounds, strict=True)]
    assert draws.below(games, np.ones(3, dtype=np.int64)).tolist() == [0, 0, 0]


def test_a_game_seed_takes_the_place_of_a_drawn_one() -> None:
    mine, theirs = vector(), synchronous()
    mine.reset(seed=7)
    theirs.reset(seed=7)

    for options in ({"game_seed": 11}, None, {"game_seed": np.int64(3)}, None):
        found, expected = mine.reset(options=options)[1], theirs.reset(options=options)[1]
        assert found["game_seed"].tolist() == expected["game_seed"].tolist()


@pytest.mark.parametrize(
    "arguments",
    [
        {"seed": -1},
        {"seed": "x"},
        {"seed": 1.5},
        {"seed": [1, "x", 2, 3]},
        {"options": [1]},
        {"options": {"game_seed": -1}},
        {"options": {"game_seed": "x"}},
        {"options": {"game_seed": 1.5}},
        {"options": {"game_seed": 2**70}},
        {"options": {"game_seed": [1, 2]}},
        {"options": {"game_seed": [1, None, 2, 3]}},
    ],
)
def test_what_is_no_seed_is_refused_in_a_sentence(arguments: dict[str, Any]) -> None:
    with pytest.raises(NegoError):
        vector().reset(**arguments)


def test_a_seed_may_be_a_whole_number_of_numpy() -> None:
    seeds = [vector().reset(seed=seed)[1]["game_seed"].tolist() for seed in (5, np.int64(5), np.arange(5, 9))]

    assert seeds[0] == seeds[1] == seeds[2]


@pytest.mark.parametrize("seeds", [0, 1.5, 2**60, 2**64])
def test_a_number_of_seeds_beyond_all_seeds_is_refused(seeds: Any) -> None:
    with pytest.raises(NegoError, match="number of seeds"):
        vector(seeds=seeds)
