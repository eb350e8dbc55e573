"""Files of policies from the networks of other learners."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from negoplatform.domain.errors import NegoError
from negoplatform.strategies.learned.policy_file import Policy, load_policy
from negoplatform.training import NegotiationEnv, parallel_env, save_policy


def random_layers(*widths: int) -> list[tuple[Any, Any]]:
    """Return the weights and biases of a chain of layers with these numbers of inputs and outputs."""
    rng = np.random.default_rng(5)
    return [(rng.normal(size=(after, before)), rng.normal(size=after)) for before, after in pairwise(widths)]


@pytest.fixture
def env() -> NegotiationEnv:
    return NegotiationEnv("campsite", seat="agent", step_seconds=20)


def load(path: Path) -> Policy:
    return load_policy(path.read_bytes(), path)


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_the_file_has_the_outputs_of_the_network(
    env: NegotiationEnv, activation: str, tmp_path: Path
) -> None:
    observation, info = env.reset(seed=1)
    size, outputs = len(observation), sum(map(len, info["action_mask"]))
    layers = random_layers(size, 6, outputs)
    offset, scale = np.linspace(-1, 1, size), np.linspace(0.1, 0.2, size)

    save_policy(
        tmp_path / "p.json",
        env.settings,
        layers,
        activation=activation,
        offset=offset,
        scale=scale,
        name="Kim",
    )

    policy = load(tmp_path / "p.json")
    (first, first_bias), (last, last_bias) = layers
    hidden = first @ ((observation - offset) * scale) + first_bias
    hidden = np.tanh(hidden) if activation == "tanh" else np.maximum(hidden, 0)
    assert policy.outputs(observation.tolist()) == pytest.approx(last @ hidden + last_bias)
    model = policy.model
    assert (model.name, model.game, model.seat) == ("Kim", "campsite", "agent")
    assert (model.codec, model.step_seconds) == ("terms", 20)


def test_the_file_chooses_the_actions_of_the_environment(env: NegotiationEnv, tmp_path: Path) -> None:
    observation, info = env.reset(seed=1)
    layers = random_layers(len(observation), sum(map(len, info["action_mask"])))
    save_policy(tmp_path / "p.json", env.settings, layers)
    ((weights, bias),) = layers
    scores = np.split(
        weights @ observation + bias, np.cumsum([len(each) for each in info["action_mask"]])[:-1]
    )
    best = [
        int(np.argmax(np.where(each, own, -np.inf)))
        for each, own in zip(info["action_mask"], scores, strict=True)
    ]
    codec = env.play_session().learners["agent"].codec

    action = load(tmp_path / "p.json").forward(observation.tolist(), codec, info["action_mask"], Random(1))

    assert action.d.tolist() == best


def test_one_of_both_scalings_is_enough(env: NegotiationEnv, tmp_path: Path) -> None:
    observation, info = env.reset(seed=1)
    layers = random_layers(len(observation), sum(map(len, info["action_mask"])))

    save_policy(tmp_path / "p.json", env.settings, layers, scale=np.full(len(observation), 0.5))

    inputs = load(tmp_path / "p.json").model.inputs
    assert inputs is not None
    assert set(inputs.offset) == {0.0}
    assert set(inputs.scale) == {0.5}


@pytest.mark.parametrize(
    ("widths", "content", "sentence"),
    [
        ((3, 16), {}, "it takes 3 numbers and gives 16"),
        ((65, 3), {}, "it takes 65 numbers and gives 3"),
        ((65, 16), {"name": ""}, "p.json: name: "),
        ((65, 16), {"colour": "red"}, "p.json: colour: "),
        ((65, 16), {"offset": [0.0]}, "'inputs' has 65 numbers in 'offset' and in 'scale'"),
        ((65, 4, 16), {"activation": "softmax"}, "p.json: layers.0.activation: "),
    ],
)
def test_a_network_that_does_not_fit_is_refused_and_nothing_is_written(
    env: NegotiationEnv, widths: tuple[int, ...], content: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(NegoError, match=sentence):
        save_policy(tmp_path / "p.json", env.settings, random_layers(*widths), **content)

    assert not list(tmp_path.iterdir())


def test_a_file_is_not_replaced(env: NegotiationEnv, tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    file.write_text("mine", encoding="utf-8")

    with pytest.raises(NegoError, match=r"p\.json"):
        save_policy(file, env.settings, random_layers(65, 16))

    assert file.read_text(encoding="utf-8") == "mine"


def test_settings_with_several_learners_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NegoError, match="A policy plays in one seat"):
        save_policy(tmp_path / "p.json", parallel_env("campsite").settings, random_layers(65, 16))
