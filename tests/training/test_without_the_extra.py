"""The window without training, and the program without the packages of the extra."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from negoplatform.training import parallel_env
from negoplatform.training.packages import PACKAGES

KEPT_OUT = (*PACKAGES, "scipy", "negoplatform.training")
"""Packages that no module of the window loads."""

HIDE = f"""
import sys
from importlib.machinery import PathFinder

find = PathFinder.find_spec

def find_spec(name, path=None, target=None):
    return None if name.partition(".")[0] in {PACKAGES!r} else find(name, path, target)

PathFinder.find_spec = find_spec
"""
"""Beginning of a program in which the packages of the extra are not installed."""

RUN = (
    HIDE
    + "\nfrom runpy import run_module\n\nrun_module('negoplatform', run_name='__main__', alter_sys=True)\n"
)


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
    )


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    """File of a policy for campsite that always makes the same demand."""
    made = parallel_env("campsite", codec="demand")
    observations, actions = made.observation_space("human"), made.action_space("human").sample()
    categories = [int(n) for n in made.action_space("human")["d"].nvec]  # type: ignore[index]  # a Dict
    assert observations.shape is not None
    inputs, outputs = observations.shape[0], sum(categories) + len(actions["c"])
    layer = {
        "weights": [[0.0] * inputs for _ in range(outputs)],
        "bias": [0.0, 1.0, *[0.0] * (outputs - 3), 2.0],
        "activation": "linear",
    }
    file = tmp_path / "steady.json"
    content = {
        "schema": "negoplatform.policy/1",
        "game": "campsite",
        "mechanism": "bargaining",
        "codec": "demand",
        "layers": [layer],
    }
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


# The window


def test_no_module_of_the_window_loads_training_or_its_packages() -> None:
    program = """
import pkgutil, sys
from importlib import import_module
import negoplatform.cli.main, negoplatform.cli.gui_entry, negoplatform.gui, negoplatform.presentation
for package in (negoplatform.gui, negoplatform.presentation):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        import_module(module.name)
print(*sys.modules)
"""

    done = run(program)

    loaded = set(done.stdout.split())
    assert "negoplatform.gui.shell.window_startup" in loaded, done.stderr
    assert not loaded & set(KEPT_OUT)


def test_a_trained_policy_is_loaded_without_training_and_its_packages(policy: Path) -> None:
    program = """
import sys
from pathlib import Path
from negoplatform.app.catalogue.catalogue import find_agent
print(find_agent(sys.argv[1], Path(sys.argv[2])).name, *sys.modules)
"""

    done = run(program, str(policy), str(policy.parent))

    name, *loaded = done.stdout.split()
    assert "steady" in name, done.stderr
    assert not set(loaded) & set(KEPT_OUT)


# The program without the extra


def test_the_package_is_imported_and_says_what_is_missing_when_it_is_used() -> None:
    program = (
        HIDE
        + """
import negoplatform.training
from negoplatform.domain.errors import NegoError
for name in negoplatform.training.__all__:
    try:
        getattr(negoplatform.training, name)
    except NegoError as error:
        print(error)
"""
    )

    done = run(program)

    (sentence,) = set(done.stdout.splitlines())
    assert sentence.startswith("Training needs numpy, gymnasium, pettingzoo: pip install "), done.stderr
    assert sentence.endswith("pip install '.[training]' in NegoPlatform's source folder.")


def test_the_command_says_which_command_installs_the_extra(tmp_path: Path) -> None:
    out = tmp_path / "policy.json"

    done = run(RUN, "train", "campsite", "--against", "boulware", "--out", str(out))

    assert done.returncode != 0
    assert "pip install '.[training]'" in done.stderr
    assert "Traceback" not in done.stderr
    assert not out.exists()


def test_a_trained_policy_plays_without_the_extra(policy: Path) -> None:
    done = run(RUN, "simulate", "--game", "campsite", "--agents", str(policy), "boulware", "--n", "2")

    assert done.returncode == 0, done.stderr
    assert "steady" in done.stdout
