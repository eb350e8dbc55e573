"""Bad input of environments: one sentence each, and nothing has happened; and how a game is described."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.strategies.learned.vector_action import VectorAction
from negoplatform.training import (
    NegotiationEnv,
    NegotiationParallelEnv,
    NegotiationVectorEnv,
    env,
    parallel_env,
)
from tests.training.shipped_games import GAMES, mixed_opponents

NAN, INFINITY = float("nan"), float("inf")

STEPS = r"A step takes 0\.1 to 3,600 seconds, not "

OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"step_seconds": 0}, STEPS),
    ({"step_seconds": -5}, STEPS),
    ({"step_seconds": 1e9}, STEPS),
    ({"step_seconds": NAN}, STEPS),
    ({"step_seconds": INFINITY}, STEPS),
    ({"step_seconds": "5"}, STEPS),
    ({"step_seconds": None}, STEPS),
    ({"step_seconds": True}, STEPS),
    ({"codec": "words"}, "There is no codec 'words'; there are terms, demand, order, trade"),
    ({"codec": 3}, "A codec is named by a text"),
    ({"codec": ["terms"]}, "A codec is named by a text"),
    (
        {"codec": "order"},
        "The codec order is for games of the kind market, and campsite is of the kind bargaining",
    ),
    ({"reward": "fame"}, "There is no reward 'fame'; there are final_points, score_change"),
    ({"reward": ["final_points"]}, "There is no reward"),
    ({"reward": None}, "There is no reward None"),
    ({"observation": "picture"}, "The observation is 'vector' or 'dict', not 'picture'"),
    ({"observation": None}, "The observation is 'vector' or 'dict', not None"),
    ({"render_mode": "human"}, "The render mode is 'ansi' or None, not 'human'"),
    ({"log": 3}, "The logs go into a folder, given by its path, not 3"),
    ({"log": ""}, "The logs go into a folder, given by its path, not ''"),
    ({"opponents": {"referee": "fair"}}, "campsite has no seat 'referee'; its seats are human, agent"),
    ({"opponents": {"agent": "no_such"}}, "There is no agent 'no_such'; there is "),
    ({"opponents": {"agent": "no_such.py"}}, r"no_such\.py"),
    (
        {"opponents": {"agent": "zip"}},
        "zip plays games of the kind market, and campsite is of the kind bargaining",
    ),
    ({"opponents": {"agent": 3}}, "An opponent is the name, the file or the plug-in of an agent, not 3"),
    ({"opponents": ["fair"]}, "Opponents are agents by seat"),
    ({"opponents": "fair"}, "Opponents are agents by seat"),
    (
        {"opponents": {"agent": "fair", "human": "fair"}},
        "All seats of campsite have an agent, so none is left for a learner",
    ),
]
"""Options of environments with the sentence that each is refused with."""

ACTIONS: list[tuple[Any, str]] = [
    (None, "The actions of a step are a mapping by learner, not None"),
    ([0, 0, 0, 0], "The actions of a step are a mapping by learner"),
    ({"referee": [0, 0, 0, 0]}, "campsite has no learner 'referee'; its learners are human"),
    ({"agent": [0, 0, 0, 0]}, "campsite has no learner 'agent'; its learners are human"),
    ({"human": None}, "A value of an action is a finite number, not None"),
    ({"human": 1}, "This action has 4 numbers, and here are 1"),
    ({"human": "wait"}, "A value of an action is a finite number, not 'wait'"),
    ({"human": [0, 0, 0]}, "This action has 4 numbers, and here are 3"),
    ({"human": [0] * 9}, "This action has 4 numbers, and here are 9"),
    ({"human": [1, NAN, 0, 0]}, "A value of an action is a finite number, not nan"),
    ({"human": [1, INFINITY, 0, 0]}, "A value of an action is a finite number, not inf"),
    ({"human": [1, 0.5, 0, 0]}, r"The number of a category is whole, not 0\.5"),
    ({"human": {"e": [1]}}, "The values of an action are c and d, not 'e'"),
    ({"human": {"c": [1.0]}}, "c of this action has 0 numbers, and here are 1"),
    ({"human": VectorAction(0, 1, None, (2,))}, "d of this action has 4 numbers, and here are 1"),
]
"""Actions of a step with the sentence that each is refused with."""


def campsite(**options: Any) -> NegotiationParallelEnv:
    return parallel_env("campsite", **{"opponents": {"agent": "conceder"}, **options})


def many_games() -> NegotiationVectorEnv:
    return NegotiationVectorEnv("campsite", num_envs=2)


@pytest.mark.parametrize(("options", "sentence"), OPTIONS, ids=str)
def test_an_option_that_does_not_fit_is_refused_in_a_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NegoError, match=sentence) as refused:
        campsite(**options)

    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        *((options, sentence) for options, sentence in OPTIONS if "All seats" not in sentence),
        ({"seat": "referee"}, "campsite has no seat 'referee'; its seats are human, agent"),
        ({"opponent": "no_such"}, "There is no agent 'no_such'"),
        ({"opponent": "tac_baseline"}, "tac_baseline plays games of the kind trading"),
        ({"seeds": 0}, "The number of seeds is a whole number from 1 up to 9007199254740993, not 0"),
        ({"seeds": 1.5}, r"The number of seeds is a whole number from 1 up to 9007199254740993, not 1\.5"),
    ],
    ids=str,
)
def test_the_environment_of_one_learner_refuses_them_too(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NegoError, match=sentence):
        NegotiationEnv("campsite", **options)


@pytest.mark.parametrize("game", ["no_such", "", 3, None])
@pytest.mark.parametrize("make", [parallel_env, env, NegotiationEnv])
def test_a_game_that_does_not_exist_is_refused_with_the_names_of_those_that_do(
    game: Any, make: Callable[..., object]
) -> None:
    with pytest.raises(NegoError, match=r"There is no game .*; there is campsite, "):
        make(game)


@pytest.mark.parametrize(("content", "reason"), [(None, "cannot be read"), ("{", "line 1"), ("[]", "")])
def test_a_file_that_is_no_game_is_refused_with_its_name(
    content: str | None, reason: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")

    with pytest.raises(NegoError, match=rf"mine\.json.*{reason}"):
        parallel_env(file)


# Resets


every_bad_seed = pytest.mark.parametrize("seed", [-1, 2**53 + 1, "1", 1.5, True, NAN], ids=str)


@every_bad_seed
def test_a_seed_that_is_none_is_refused_and_the_episode_goes_on(seed: Any) -> None:
    made = campsite()
    made.reset(seed=1)
    made.step({})

    with pytest.raises(NegoError, match="The seed is a whole number from 0 to 9007199254740992, not "):
        made.reset(seed=seed)

    assert made.episode is not None
    assert made.episode.now == 5


@every_bad_seed
@pytest.mark.parametrize("make", [lambda: NegotiationEnv("campsite"), many_games])
def test_the_environments_of_gymnasium_refuse_such_a_seed_too(make: Callable[[], Any], seed: Any) -> None:
    with pytest.raises(NegoError, match="The seed is a whole number from 0 to 9007199254740992, not "):
        make().reset(seed=seed)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (3, "The options of a reset are a mapping"),
        ("game_seed", "The options of a reset are a mapping"),
        *(
            ({"game_seed": seed}, "game_seed is a whole number from 0")
            for seed in (-1, 2**53 + 1, "1", 1.5, None)
        ),
    ],
    ids=str,
)
@pytest.mark.parametrize("make", [campsite, lambda: NegotiationEnv("campsite"), many_games])
def test_options_of_a_reset_that_do_not_fit_are_refused(
    make: Callable[[], Any], options: Any, sentence: str
) -> None:
    with pytest.raises(NegoError, match=sentence):
        make().reset(options=options)


@pytest.mark.parametrize("make", [campsite, lambda: NegotiationEnv("campsite"), many_games])
def test_whole_numbers_of_numpy_are_seeds(make: Callable[[], Any]) -> None:
    one, two = make(), make()

    first = one.reset(seed=7, options={"game_seed": 12})
    second = two.reset(seed=np.int64(7), options={"game_seed": np.int32(12)})

    np.testing.assert_equal(first, second)


def test_a_bad_seed_of_one_of_many_games_is_refused_and_all_go_on() -> None:
    made = many_games()
    made.reset(seed=1)
    expected = many_games()
    expected.reset(seed=1)

    for bad in ({"seed": [1, -1]}, {"seed": 5, "options": {"game_seed": [1, 2, 3]}}):
        with pytest.raises(NegoError, match=r"not -1|3 seeds"):
            made.reset(**bad)

    np.testing.assert_equal(made.reset(), expected.reset())


# Steps


@pytest.mark.parametrize(("actions", "sentence"), ACTIONS, ids=str)
def test_an_action_that_does_not_fit_is_refused_and_nothing_has_happened(actions: Any, sentence: str) -> None:
    made = campsite()
    made.reset(seed=1)

    with pytest.raises(NegoError, match=sentence):
        made.step(actions)

    assert made.episode is not None
    assert made.episode.now == 0


def test_one_bad_action_keeps_those_of_other_learners_from_being_performed() -> None:
    made = parallel_env("campsite")
    made.reset(seed=1)

    with pytest.raises(NegoError, match="and here are 1"):
        made.step({"human": [1, 1, 1, 1], "agent": [1]})

    _, _, _, _, infos = made.step({})
    assert infos["agent"]["action_mask"][0].tolist() == [1, 1, 0, 1], "there is no offer to accept"


def test_numbers_beyond_the_space_are_clipped_to_it() -> None:
    beyond, within = campsite(), campsite()
    beyond.reset(seed=1)
    within.reset(seed=1)

    seen, _, _, _, _ = beyond.step({"human": [1, 99, -99, 2]})
    same, _, _, _, _ = within.step({"human": [1, 3, 0, 2]})

    assert np.array_equal(seen["human"], same["human"])


@pytest.mark.parametrize("do", [lambda made: made.step({}), lambda made: made.state()], ids=["step", "state"])
def test_before_the_first_reset_there_is_no_episode(do: Callable[[Any], object]) -> None:
    with pytest.raises(NegoError, match=r"There is no episode; call reset\(\) first"):
        do(campsite())


def test_before_the_first_reset_there_is_nothing_to_describe() -> None:
    with pytest.raises(NegoError, match=r"There is no episode; call reset\(\) first"):
        campsite(render_mode="ansi").render()


def test_a_step_after_the_end_is_refused() -> None:
    made = campsite()
    made.reset(seed=1)
    made.step({"human": [3, 0, 0, 0]})
    assert not made.agents

    with pytest.raises(NegoError, match=r"This episode is over; call reset\(\) to begin another one"):
        made.step({"human": [0, 0, 0, 0]})


@pytest.mark.parametrize("fast", [True, False])
def test_a_step_of_one_learner_after_the_end_changes_nothing(fast: bool) -> None:
    made = NegotiationEnv("campsite", fast=fast)
    made.reset(seed=1)
    ended, _, was_over, _, _ = made.step([3, 0, 0, 0])

    after, reward, is_over, _, _ = made.step([1, 3, 3, 3])

    assert was_over
    assert is_over
    assert reward == 0
    assert np.array_equal(after, ended)


def test_the_action_of_a_learner_that_has_left_is_ignored() -> None:
    made = parallel_env("grain_market")
    made.reset(seed=1)
    leave = made.action_space("seller_1").sample()
    leave["d"][0] = 5
    made.step({"seller_1": leave})
    assert "seller_1" not in made.agents

    _, rewards, _, _, _ = made.step({"seller_1": leave})

    assert set(rewards) == set(made.agents) == set(made.possible_agents) - {"seller_1"}


@pytest.mark.parametrize("space", ["action_space", "observation_space"])
def test_a_seat_without_a_learner_has_no_space(space: str) -> None:
    with pytest.raises(NegoError, match="campsite has no learner 'agent'; its learners are human"):
        getattr(campsite(), space)("agent")


@pytest.mark.parametrize("reward", [lambda _before, _after: None, lambda _before, _after: NAN])
def test_a_reward_that_is_no_number_is_refused(reward: Any) -> None:
    made = campsite(reward=reward)
    made.reset(seed=1)

    with pytest.raises(NegoError, match="The reward of a step is a finite number, not "):
        made.step({})


# Opponents

FAILING = """
from negoplatform.agent_api import NegotiationAgent


class Failing(NegotiationAgent):
    def on_send_offer(self, ctx, event):
        raise RuntimeError("no idea")
"""


def test_the_failure_of_an_opponent_is_warned_of_and_the_episode_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "failing.py"
    file.write_text(FAILING, encoding="utf-8")
    made = campsite(opponents={"agent": str(file)}, log=tmp_path / "logs")
    made.reset(seed=1)

    with pytest.warns(RuntimeWarning, match=r"An agent failed, and the episode goes on: .*no idea"):
        made.step({"human": [1, 3, 3, 3]})

    made.step({})
    assert made.agents == ["human"]
    made.close()
    (log,) = (tmp_path / "logs").glob("*/events.jsonl")
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()[1:]]
    (failed,) = (event["payload"] for event in events if event["type"] == "AGENT_FAILED")
    assert "RuntimeError (no idea)" in failed["reason"]


# Rendering


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_state_of_every_game_is_described_in_a_few_lines(game: GameSpec) -> None:
    made = parallel_env(game, opponents=mixed_opponents(game), render_mode="ansi")
    made.reset(seed=1)
    made.step({})

    described = made.render()

    assert described is not None
    first, *rest = described.splitlines()
    assert first == f"{game.name} at 5 s"
    assert 1 <= len(rest) <= 30
    assert all(line.strip() and len(line) < 200 for line in rest)
    assert "<" not in described
    assert "object at" not in described


def test_the_end_of_a_game_is_described() -> None:
    made = campsite(render_mode="ansi")
    made.reset(seed=1)

    made.step({"human": [3, 0, 0, 0]})

    described = made.render()
    assert described is not None
    assert described.splitlines()[-1] == "ended by quit"
