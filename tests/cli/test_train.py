"""The command ``train``: its files, its table, what it refuses, and Ctrl-C."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from negoplatform.cli.commands.simulate import STOPPED
from negoplatform.cli.main import run
from negoplatform.training.policies import trainer
from negoplatform.training.policies.trainer import Generation, Training, TrainingEffort

Typed = Callable[[str], tuple[int, str, str]]


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Return a function that runs a command in an empty folder, with an empty user folder.

    Generations are small: what the tests look at does not depend on their size.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(trainer, "IN_VECTORS", TrainingEffort(8, 4))
    monkeypatch.setattr(trainer, "IN_SESSIONS", TrainingEffort(2, 1))
    monkeypatch.setattr(trainer, "SAMPLED_EPISODES", 1)

    def typed(line: str) -> tuple[int, str, str]:
        code = run([*line.split(), "--data-dir", str(tmp_path / "data")])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return typed


def test_a_training_writes_a_policy_and_its_learning_curve(command: Typed, tmp_path: Path) -> None:
    code, out, _ = command("train campsite --against boulware --steps 1 --games 2 --out p.json")

    document = json.loads((tmp_path / "p.json").read_text())
    assert code == 0
    assert (document["schema"], document["game"]) == ("negoplatform.policy/1", "campsite")
    assert (document["seat"], document["codec"]) == ("agent", "demand")
    assert document["training"]["against"] == ["boulware"]
    assert ElementTree.parse(tmp_path / "p.svg").getroot().tag.endswith("svg")
    assert f"The policy is in {Path('p.json')}, the learning curve in {Path('p.svg')}." in out
    assert f"copy it to {tmp_path / 'data' / 'agents'}." in out
    rows = [line.split()[0] for line in out.splitlines()[-3:]]
    assert rows == ["p", "boulware", "fair"]


def test_equal_seeds_and_steps_give_equal_files(command: Typed, tmp_path: Path) -> None:
    for name, seed in (("a", 4), ("b", 4), ("c", 5)):
        command(f"train campsite --against boulware --steps 1 --seed {seed} --games 0 --out {name}.json")

    a, b, c = ((tmp_path / f"{name}.json").read_bytes() for name in "abc")
    assert a == b
    assert a != c
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_seat_codec_name_and_curve_are_as_asked_for(command: Typed, tmp_path: Path) -> None:
    asked = "--seat human --codec demand --name Kim --curve c.svg --step-seconds 10 --hold-seconds 0"
    command(f"train campsite --against boulware --steps 1 --games 0 --out p.json {asked}")

    document = json.loads((tmp_path / "p.json").read_text())
    assert (document["seat"], document["codec"], document["name"]) == ("human", "demand", "Kim")
    assert (document["step_seconds"], document["holds_offers_seconds"]) == (10, 0)
    assert (tmp_path / "c.svg").exists()
    assert not (tmp_path / "p.svg").exists()


def test_the_agents_to_compare_are_those_asked_for(command: Typed) -> None:
    asked = "--steps 1 --games 2 --compare linear --out p.json"
    _, out, _ = command(f"train campsite --against boulware --against linear {asked}")

    assert [line.split()[0] for line in out.splitlines()[-2:]] == ["p", "linear"]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ("train nowhere --against boulware --out p.json", 1, "There is no game 'nowhere'"),
        ("train campsite --against no_such --out p.json", 1, "There is no agent 'no_such'"),
        ("train campsite --against boulware --seat third --out p.json", 1, "has no seat 'third'"),
        ("train campsite --against boulware --codec order --out p.json", 1, "The codec order is for games"),
        ("train campsite --against boulware --codec words --out p.json", 1, "There is no codec 'words'"),
        ("train campsite --against boulware --out no/p.json", 1, "there is no folder no"),
        ("train campsite --against boulware --out there.json", 1, "there.json is there already"),
        ("train campsite --against boulware --out p.txt", 1, "p.txt: a policy's file ends in .json"),
        ("train campsite --against boulware --out _p.json", 1, "begins with no '_'"),
        ("train campsite --against boulware --curve p.json --out p.json", 1, "name another one for the"),
        (f"train campsite --against boulware --name {41 * 'x'} --out p.json", 1, "p.json: name: "),
        ("train campsite --against boulware --compare nobody --out p.json", 1, "There is no agent 'nobody'"),
        ("train campsite --against boulware --compare zip --out p.json", 1, "zip plays games of the kind"),
        ("train campsite --against boulware --steps 0 --out p.json", 2, "--steps"),
        ("train campsite --against boulware --minutes 0 --out p.json", 2, "--minutes"),
        ("train campsite --out p.json", 2, "--against"),
        ("train campsite --against tac_baseline --out p.json", 1, "trading"),
    ],
)
def test_what_cannot_be_trained_is_refused_in_a_sentence(
    command: Typed, tmp_path: Path, arguments: str, code: int, sentence: str
) -> None:
    (tmp_path / "there.json").write_text("{}")

    found, out, err = command(arguments)

    assert (found, out) == (code, "")
    assert sentence in err
    assert not (tmp_path / "p.json").exists()


def test_ctrl_c_keeps_the_policy_so_far(
    command: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_whole = Training.run

    def interrupted(self: Training, steps: int) -> Iterator[Generation]:
        yield next(run_whole(self, steps))
        raise KeyboardInterrupt

    monkeypatch.setattr(Training, "run", interrupted)
    code, out, err = command("train campsite --against boulware --steps 9000000 --out p.json")

    assert code == STOPPED
    assert out.startswith("1 generations, ")
    assert "before 9,000,000 steps." in err
    assert json.loads((tmp_path / "p.json").read_text())["training"]["generations"] == 1


def test_a_training_ends_when_its_minutes_are_over(command: Typed, tmp_path: Path) -> None:
    code, _, _ = command("train campsite --against boulware --minutes 0.0001 --games 0 --out p.json")

    assert code == 0
    assert json.loads((tmp_path / "p.json").read_text())["training"]["generations"] == 1


@pytest.mark.parametrize(
    ("game", "opponent", "limit"),
    [("grain_market", "zero_intelligence", ""), ("tac_trading", "tac_baseline", "--time-limit 30 ")],
)
def test_a_policy_of_another_kind_of_game_is_trained_and_plays(
    command: Typed, tmp_path: Path, game: str, opponent: str, limit: str
) -> None:
    asked = f"--steps 1 --games 1 {limit}--step-seconds 20 --out p.json"
    code, out, _ = command(f"train {game} --against {opponent} {asked}")

    document: dict[str, Any] = json.loads((tmp_path / "p.json").read_text())
    assert code == 0
    assert document["codec"] in ("order", "trade")
    assert out.splitlines()[-1].startswith("p ")


def test_an_agent_that_fails_ends_the_training_and_the_policy_is_kept(command: Typed, tmp_path: Path) -> None:
    (tmp_path / "failing.py").write_text(
        "from negoplatform.agent_api.base import NegotiationAgent\n\n\n"
        "class Failing(NegotiationAgent):\n"
        "    def on_send_offer(self, ctx, event):\n"
        "        raise ValueError('no idea')\n"
    )

    code, _, err = command("train practice --against ./failing.py --steps 1000000 --games 1 --out p.json")

    assert code == 1
    assert "An agent failed in these games, so the training ended early; the trace is in " in err
    assert err.count("\n") < 10
    assert (tmp_path / "p.json").exists()
    traces = [file.read_text() for file in (tmp_path / "data" / "crashes").iterdir()]
    assert any("ValueError: no idea" in trace for trace in traces)
