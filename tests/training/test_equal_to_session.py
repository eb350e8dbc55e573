"""Fast environments: observations, masks, rewards, ends and points are those of sessions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.conversions import parallel_to_aec

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.domain.agreement_rules import Turns
from negoplatform.domain.game import Acceptance, GameSpec
from negoplatform.training import NegotiationEnv, env, parallel_env
from negoplatform.training.aec_env import NegotiationAECEnv

NOWHERE = Path("none")


def game_with_rules(**rules: Any) -> GameSpec:
    game = find_game("campsite", NOWHERE)
    return replace(game, rules=replace(game.rules, **rules))


CASES: dict[str, tuple[str | GameSpec, str, str]] = {
    # The profiles of campsite are drawn by the seed.
    "campsite, boulware": ("campsite", "boulware", "score_change"),
    "campsite, micro": ("campsite", "micro", "final_points"),
    "job_candidate, linear": ("job_candidate", "linear", "final_points"),
    "used_car, micro": ("used_car", "micro", "score_change"),
    "flatmates, tit_for_tat": ("flatmates", "tit_for_tat", "final_points"),
    "resource_exchange, random_bids": ("resource_exchange", "random_bids", "final_points"),
    "turns": (game_with_rules(turns=Turns.ALTERNATING), "conceder", "score_change"),
    "limited offers": (game_with_rules(deadline_offers=20), "conceder", "score_change"),
    "makers accept": (game_with_rules(acceptance=Acceptance.MAKER_ACCEPTS), "boulware", "final_points"),
}


def drawn_actions(
    ncats: NDArray[np.int64], seed: int, acts: tuple[float, float] = (0.1, 0.02)
) -> Iterator[NDArray[np.int64]]:
    """Yield random actions, of which a share accept and a share walk away; the others wait or offer."""
    rng = np.random.default_rng(seed)
    while True:
        action = np.array([rng.integers(count) for count in ncats])
        chance = rng.random()
        action[0] = 3 if chance < acts[1] else 2 if chance < sum(acts) else action[0] % 2
        yield action


def assert_same_info(mine: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert mine.keys() == theirs.keys()
    for name in mine.keys() - {"action_mask"}:
        assert mine[name] == theirs[name], name
    for own, other in zip(mine["action_mask"], theirs["action_mask"], strict=True):
        np.testing.assert_array_equal(own, other)


def assert_same_episode(mine: NegotiationEnv, theirs: NegotiationEnv, seed: int) -> None:
    (observed, info), (other, other_info) = (
        each.reset(options={"game_seed": seed}) for each in (mine, theirs)
    )
    np.testing.assert_array_equal(observed, other)
    assert_same_info(info, other_info)
    space: Any = mine.action_space
    for action in drawn_actions(space.nvec, seed, (0.1, 0.02) if seed % 2 else (0.0, 0.0)):
        found, expected = mine.step(action), theirs.step(action)
        np.testing.assert_array_equal(found[0], expected[0])
        assert found[1:4] == expected[1:4]
        assert_same_info(found[4], expected[4])
        if found[2] or found[3]:
            return


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("case", CASES)
def test_the_single_environment_is_equal_to_its_session(case: str, place: int) -> None:
    game, opponent, reward = CASES[case]
    seats = (find_game(game, NOWHERE) if isinstance(game, str) else game).seats
    options: dict[str, Any] = {"opponent": opponent, "reward": reward, "seat": seats[place]}
    mine, theirs = NegotiationEnv(game, **options), NegotiationEnv(game, fast=False, **options)

    assert mine.has_fast_path
    for seed in range(4):
        assert_same_episode(mine, theirs, seed)
        assert theirs.episode is not None


def test_an_episode_that_needs_a_session_goes_on_in_one() -> None:
    """Two bids of the opponent are on their way at once: its answers take longer than a step."""
    game = game_with_rules(deadline_seconds=60, time_tick_seconds=1.0)
    options: dict[str, Any] = {"opponent": "linear", "step_seconds": 0.3}
    mine, theirs = NegotiationEnv(game, **options), NegotiationEnv(game, fast=False, **options)
    changed = 0

    for seed in range(3):
        assert_same_episode(mine, theirs, seed)
        changed += mine.episode is not None

    assert changed


def test_an_acceptance_on_its_way_is_not_put_off_by_the_own_one() -> None:
    # The learner confirms an offer of its own while the acceptance of the opponent is on its way.
    options: dict[str, Any] = {"step_seconds": 0.3}
    mine, theirs = NegotiationEnv("campsite", **options), NegotiationEnv("campsite", fast=False, **options)
    for each in (mine, theirs):
        each.reset(options={"game_seed": 3})
    everything_for_the_other = (0, 0, 0)

    for head in (1, 0, 2, 0, 0):
        action = np.array([head, *everything_for_the_other])
        found, expected = mine.step(action), theirs.step(action)
        np.testing.assert_array_equal(found[0], expected[0])
        assert found[1:4] == expected[1:4]

    assert found[2]


def test_an_action_array_may_be_used_again() -> None:
    mine, theirs = NegotiationEnv("campsite"), NegotiationEnv("campsite", fast=False)
    for each in (mine, theirs):
        each.reset(options={"game_seed": 3})
        action = np.array([1, 0, 1, 2])
        each.step(action)
        action[:] = (1, 3, 3, 3)
        each.step(action)

    session = mine.play_session()

    assert theirs.episode is not None
    assert session.observation(mine.seat).vector() == theirs.episode.observation(mine.seat).vector()


@pytest.mark.parametrize(
    ("game", "opponent", "place"),
    [("campsite", "boulware", 0), ("job_candidate", "conceder", 1), ("flatmates", "tit_for_tat", 0)],
)
def test_the_aec_environment_is_equal_to_the_converted_parallel_one(
    game: str, opponent: str, place: int
) -> None:
    seats = find_game(game, NOWHERE).seats
    opponents = {seats[1 - place]: opponent}
    options: dict[str, Any] = {"opponents": opponents, "seeds": 50}
    mine, theirs = env(game, **options), parallel_to_aec(parallel_env(game, **options))

    assert isinstance(mine, NegotiationAECEnv)
    for seed in (1, None, 2):
        for each in (mine, theirs):
            each.reset(seed=seed)
        space: Any = mine.action_space(seats[place])
        actions = drawn_actions(space.nvec, 5)
        for agent in mine.agent_iter():
            found, expected = mine.last(), theirs.last()
            assert agent == theirs.agent_selection
            np.testing.assert_array_equal(found[0], expected[0])
            assert found[1:4] == expected[1:4]
            assert_same_info(found[4], expected[4])
            action = None if found[2] or found[3] else next(actions)
            for each in (mine, theirs):
                each.step(action)
        assert theirs.agents == []


@pytest.mark.filterwarnings("ignore:Action space for each agent")  # it is a MultiDiscrete
@pytest.mark.filterwarnings("ignore:We recommend agents")  # they are named like the seats
def test_the_aec_environment_on_the_fast_path_passes_the_checkers_of_pettingzoo() -> None:
    def made() -> Any:
        return env("campsite", opponents={"agent": "boulware"})

    api_test(made(), num_cycles=60)
    seed_test(made, num_cycles=20)


def test_the_state_for_a_critic_is_that_of_the_session() -> None:
    opponents = {"agent": "boulware"}
    mine = env("campsite", opponents=opponents)
    theirs = parallel_to_aec(parallel_env("campsite", opponents=opponents))
    space: Any = mine.action_space("human")
    actions = drawn_actions(space.nvec, 1, (0.0, 0.0))
    for each in (mine, theirs):
        each.reset(seed=4)

    for number in range(6):
        action = next(actions)
        mine.step(action)
        theirs.step(action)
        if number > 2:
            np.testing.assert_array_equal(mine.state(), theirs.state())
        np.testing.assert_array_equal(mine.last()[0], theirs.last()[0])


@pytest.mark.parametrize("options", [{"observation": "dict"}, {"render_mode": "ansi"}, {"codec": "demand"}])
def test_other_aec_environments_play_sessions(options: dict[str, Any]) -> None:
    assert not isinstance(env("campsite", opponents={"agent": "boulware"}, **options), NegotiationAECEnv)
    assert not isinstance(env("campsite", **options), NegotiationAECEnv)
