"""Files of policies: what is read, what is refused with which sentence, and what the network computes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.domain.errors import NegoError
from negoplatform.hosting import agent_process_proxy
from negoplatform.plugins.agent_loader import hash_of
from negoplatform.plugins.policy_files import is_policy_file
from negoplatform.strategies.learned.codec_choice import codec_of
from negoplatform.strategies.learned.policy_file import MOST_LAYERS, MOST_NUMBERS, load_policy
from tests.agents.seating import load
from tests.app.trusting import trusted_agents
from tests.strategies.learned.policies import constant_policy, write_policy

Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def document() -> dict[str, Any]:
    """Content of a sound policy of campsite."""
    return constant_policy("campsite", seat="agent", codec="demand", outputs={1: 2.0, 4: 0.5})


def layer(outputs: int, inputs: int, **content: Any) -> dict[str, Any]:
    """Return a layer of zeros."""
    return {"weights": [[0.0] * inputs for _ in range(outputs)], "bias": [0.0] * outputs, **content}


FAULTS: dict[str, tuple[Change, str]] = {
    "another schema": (lambda d: d.update(schema="negoplatform.policy/2"), "schema: "),
    "no game": (lambda d: d.pop("game"), "game: this key is missing"),
    "an unknown key": (lambda d: d.update(colour=1), "colour: this key is not known here"),
    "a name too long": (lambda d: d.update(name="x" * 41), "name: "),
    "another kind of game": (lambda d: d.update(mechanism="poker"), "mechanism: "),
    "an unknown codec": (lambda d: d.update(codec="words"), "codec: "),
    "a codec of another kind": (lambda d: d.update(codec="order"), "the codec order is for games of"),
    "an unknown activation": (lambda d: d["layers"][0].update(activation="gelu"), "layers.0.activation: "),
    "no layers": (lambda d: d.update(layers=[]), "layers: at least 1 of these belong here, and not 0"),
    "too many layers": (lambda d: d.update(layers=[layer(1, 1)] * (MOST_LAYERS + 1)), "layers: "),
    "no rows": (lambda d: d.update(layers=[{"weights": [], "bias": []}]), "layers.0: "),
    "no columns": (lambda d: d.update(layers=[layer(2, 0)]), "layers.0: "),
    "a short bias": (lambda d: d["layers"][0]["bias"].pop(), "as many numbers in 'bias' as rows"),
    "a short row": (lambda d: d["layers"][0].update(weights=[[1.0, 2.0], [1.0]], bias=[0.0, 0.0]), "columns"),
    "layers that do not fit": (lambda d: d["layers"].append(layer(2, 3)), "layer 2 has 3 columns, but 5"),
    "inputs of another size": (lambda d: d.update(inputs={"offset": [0.0], "scale": [1.0]}), "'inputs' has"),
    "a text as a weight": (lambda d: d["layers"][0]["bias"].__setitem__(0, "1"), "layers.0.bias.0: "),
    "a weight that is true": (lambda d: d["layers"][0]["bias"].__setitem__(0, True), "layers.0.bias.0: "),
    "a step too short": (lambda d: d.update(step_seconds=0.01), "step_seconds: "),
    "another form of continuous values": (lambda d: d.update(continuous="softmax"), "continuous: "),
    "too many numbers": (
        lambda d: d.update(layers=[layer(1000, 65), layer(1000, 1000)]),
        f"at most {MOST_NUMBERS:,} are read",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_malformed_policy_is_refused_with_its_file_and_field(document: dict[str, Any], fault: str) -> None:
    change, sentence = FAULTS[fault]
    change(document)

    with pytest.raises(NegoError) as refusal:
        load_policy(json.dumps(document), "mine.json")

    assert str(refusal.value).startswith("mine.json: ")
    assert sentence in str(refusal.value)
    assert str(refusal.value).endswith(".")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_is_not_finite_is_refused(document: dict[str, Any], number: str) -> None:
    text = json.dumps(document).replace("2.0", number)

    with pytest.raises(NegoError, match=r"^mine\.json: layers\.0\.bias\.1: "):
        load_policy(text, "mine.json")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"schema": "negoplatform.policy/1"', "\x00", b"\xff\xfe"]
)
def test_what_is_no_json_object_is_refused_in_a_sentence(text: str | bytes) -> None:
    with pytest.raises(NegoError, match=r"^mine\.json: the file: .+\.$"):
        load_policy(text, "mine.json")


@pytest.mark.parametrize("content", [{"codec": "x" * 100_000}, {"x" * 100_000: 1}, {"\x1b[2J\n\u202e": 1}])
def test_a_refusal_shows_texts_of_the_file_short_and_without_control_characters(
    document: dict[str, Any], content: dict[str, Any]
) -> None:
    with pytest.raises(NegoError) as refusal:
        load_policy(json.dumps(document | content), "mine.json")

    assert len(str(refusal.value)) < 500
    assert str(refusal.value).isprintable()


def test_a_file_that_is_nested_too_deeply_is_refused_in_a_sentence() -> None:
    with pytest.raises(NegoError, match=r"^mine\.json: "):
        load_policy('{"training": ' + "[" * 100_000, "mine.json")


def test_a_broken_policy_is_a_row_with_its_reason_and_the_rest_work(
    tmp_path: Path, document: dict[str, Any]
) -> None:
    write_policy(tmp_path / "agents" / "sound.json", document)
    text = json.dumps(document)
    (tmp_path / "agents" / "cut.json").write_text(text[: len(text) // 2], encoding="utf-8")
    (tmp_path / "agents" / "other.json").write_text('{"a": 1}', encoding="utf-8")

    rows = {row.name: row for row in trusted_agents(tmp_path)}

    assert rows["sound"].item is not None
    assert rows["cut"].item is None
    assert "cut.json: loading it failed: the file: " in rows["cut"].reason
    assert rows["cut"].reason.count("cut.json") == 1
    assert "other" not in rows


def test_a_json_file_without_the_schema_is_refused_with_what_is_missing(
    tmp_path: Path, document: dict[str, Any]
) -> None:
    del document["schema"]
    file = write_policy(tmp_path / "mine.json", document)

    with pytest.raises(
        NegoError, match=r'mine\.json is not the file of a policy.*"schema": "negoplatform\.policy/1"'
    ):
        find_agent(str(file), tmp_path)


def test_the_network_computes_what_numpy_computes() -> None:
    rng = np.random.default_rng(3)
    sizes = [7, 6, 5, 4]
    pairs = [(rng.normal(size=(b, a)), rng.normal(size=b)) for a, b in pairwise(sizes)]
    offset, scale, x = rng.normal(size=7), rng.normal(size=7), rng.normal(size=7)
    document = {
        "schema": "negoplatform.policy/1",
        "game": "campsite",
        "mechanism": "bargaining",
        "codec": "terms",
        "inputs": {"offset": offset.tolist(), "scale": scale.tolist()},
        "layers": [
            {"weights": weights.tolist(), "bias": bias.tolist(), "activation": activation}
            for (weights, bias), activation in zip(pairs, ("tanh", "relu", "linear"), strict=True)
        ],
    }

    found = load_policy(json.dumps(document), "it").outputs(x)

    first, second, third = pairs
    layer_1 = np.tanh(first[0] @ ((x - offset) * scale) + first[1])
    layer_2 = np.maximum(0, second[0] @ layer_1 + second[1])
    assert found == pytest.approx(third[0] @ layer_2 + third[1])


def test_the_largest_open_output_of_each_choice_is_chosen(document: dict[str, Any]) -> None:
    policy = load_policy(json.dumps(document), "it")
    codec = codec_of(load("campsite").resolve_profiles(1), "agent", "demand")

    everything_open = policy.forward([0.0] * 65, codec, [[1, 1, 1, 1]], Random(1))
    offers_closed = policy.forward([0.0] * 65, codec, [[0, 0, 1, 1]], Random(1))

    assert everything_open.d.tolist() == [1]
    assert offers_closed.d.tolist() == [2]
    assert everything_open.c[0] == pytest.approx(1 / (1 + np.exp(-0.5)))


def test_continuous_values_can_be_clipped(document: dict[str, Any]) -> None:
    codec = codec_of(load("campsite").resolve_profiles(1), "agent", "demand")
    for output, share in ((-0.5, 0.0), (0.5, 0.5), (1.5, 1.0)):
        document["layers"][0]["bias"][4] = output
        policy = load_policy(json.dumps(document | {"continuous": "clip"}), "it")

        assert policy.forward([0.0] * 65, codec, [[1] * 4], Random(1)).c.tolist() == [share]


def test_a_policy_that_draws_has_the_odds_of_its_outputs(document: dict[str, Any]) -> None:
    document["layers"][0]["bias"] = [0.0, float(np.log(3)), 0.0, 50.0, 0.0]
    policy = load_policy(json.dumps(document | {"draws": True}), "it")
    codec = codec_of(load("campsite").resolve_profiles(1), "agent", "demand")
    rng = Random(5)

    heads = [policy.forward([0.0] * 65, codec, [[1, 1, 0, 0]], rng).d[0] for _ in range(2_000)]

    assert {*heads} == {0, 1}
    assert np.mean(heads) == pytest.approx(0.75, abs=0.04)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in the file system")
def test_pipes_and_devices_are_no_policies(tmp_path: Path) -> None:
    # Reading one of them never ends.
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "device.json").symlink_to("/dev/zero")
    (tmp_path / "loop.json").symlink_to("loop.json")

    assert not [path for path in tmp_path.iterdir() if is_policy_file(path)]


def test_the_file_of_a_policy_is_described_without_a_process(
    tmp_path: Path, document: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A process for each of hundreds of policies takes minutes at the start of the program.
    path = write_policy(tmp_path / "sound.json", {**document, "description": "Plays\x1b[2J well."})
    monkeypatch.setattr(agent_process_proxy, "ChildProcess", None)

    (agent,) = agent_process_proxy.discover_agents(path, hash_of(path))

    assert agent.called == "Robin"
    assert agent.description.isprintable()
    with pytest.raises(NegoError, match="changed"):
        agent_process_proxy.discover_agents(path, "0" * 64)


def test_a_file_may_be_as_large_as_the_most_numbers_make_it(tmp_path: Path, document: dict[str, Any]) -> None:
    (last,) = document["layers"]
    inputs, outputs = len(last["weights"][0]), len(last["bias"])
    rows = (MOST_NUMBERS - outputs) // (inputs + 1 + outputs)
    wide = {"weights": [[-1.2345678901234567e-05] * inputs] * rows, "bias": [0.0] * rows}
    layers = [wide, layer(outputs, rows)]

    path = write_policy(tmp_path / "large.json", {**document, "layers": layers})

    assert path.stat().st_size > 20_000_000
    assert [agent.called for agent in agent_process_proxy.discover_agents(path, hash_of(path))] == ["Robin"]
