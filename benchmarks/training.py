"""Benchmark of training: the environments compared with one of Gymnasium that does nothing.

All in one run, as ratios of steps per second of processor time, medians of several rounds in which each is
measured in turn:

- The single environment compared with a bare one with the same spaces, which returns zeros and never ends;
  and with a second one, whose episodes end after as many steps as those of the single one do on average. All
  are made by ``gymnasium.make``, so all are wrapped by its passive checker and its check of the order of
  calls.
- The AEC environment compared with a bare one of PettingZoo, and with the bare one of Gymnasium.
- The vector environment compared with the single one.
- The command ``negoplatform train``, a process of its own with everything about it.

The actions are drawn beforehand: heads at random among waiting and offering; also accepting; also walking
away, where a game takes two or three steps. Each environment first plays until it has seen most of the seeds
from which games are drawn.

Run it with ``python -m benchmarks.training [--steps 10000] [--rounds 5] [--envs 4096] [--train 1000000]``.
"""

from __future__ import annotations

import argparse
import gc
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv

import negoplatform.training  # registers the environments

NAME = "negoplatform/Negotiation-v0"
BARE = "negoplatform/Bare-v0"
MIXES = {"waits and offers": 2, "also accepts": 3, "also quits": 4}
"""Numbers of the heads among which each kind of actions is drawn."""

SEEDS = 1_000
"""Seeds from which games are drawn."""

Vector = NDArray[np.float32]


class BareEnv(gymnasium.Env[Vector, Any]):
    """Environment that does nothing.

    Args:
        like: The environment whose spaces it has.
        length: The steps of an episode; 0: it never ends.
    """

    def __init__(self, like: gymnasium.Env[Vector, Any], length: int = 0) -> None:
        self.observation_space, self.action_space = like.observation_space, like.action_space
        self._left, self._length = 0, length
        self._shape = like.observation_space.shape or ()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vector, dict[str, Any]]:
        """Return zeros."""
        super().reset(seed=seed, options=options)
        self._left = self._length
        return np.zeros(self._shape, np.float32), {}

    def step(self, action: Any) -> tuple[Vector, float, bool, bool, dict[str, Any]]:
        """Return zeros."""
        self._left -= 1
        return np.zeros(self._shape, np.float32), 0.0, self._left == 0, False, {}


class BareAECEnv(AECEnv[str, Vector, Any]):  # type: ignore[misc]  # it has no types
    """Environment of one agent that does nothing.

    Args:
        like: The environment whose spaces it has.
    """

    def __init__(self, like: gymnasium.Env[Vector, Any]) -> None:
        super().__init__()
        self.possible_agents, self.metadata = ["seat"], {"name": "bare"}
        self._like, self._shape = like, like.observation_space.shape or ()

    def observation_space(self, agent: str) -> Any:
        """Return the space."""
        return self._like.observation_space

    def action_space(self, agent: str) -> Any:
        """Return the space."""
        return self._like.action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin."""
        self.agents, self.agent_selection = list(self.possible_agents), "seat"
        self.rewards = {"seat": 0.0}
        self._cumulative_rewards = {"seat": 0.0}
        self.terminations, self.truncations = {"seat": False}, {"seat": False}
        self.infos: dict[str, dict[str, Any]] = {"seat": {}}

    def observe(self, agent: str) -> Vector:
        """Return zeros."""
        return np.zeros(self._shape, np.float32)

    def step(self, action: Any) -> None:
        """Do nothing."""


def drawn_actions(ncats: Sequence[int], heads: int, count: int = 1000) -> NDArray[np.int64]:
    """Return random actions whose head is one of the first ones, a row each."""
    rng = np.random.default_rng(1)
    return np.stack([rng.integers(0, heads, count), *(rng.integers(0, each, count) for each in ncats[1:])], 1)


def single_seconds(env: gymnasium.Env[Vector, Any], actions: Sequence[Any], steps: int) -> float:
    """Return the processor time of some steps of an environment of Gymnasium, with new episodes."""
    env.reset()
    count = len(actions)
    started = time.process_time()
    for number in range(steps):
        _, _, terminated, truncated, _ = env.step(actions[number % count])
        if terminated or truncated:
            env.reset()
    return time.process_time() - started


def mean_length(env: gymnasium.Env[Vector, Any], actions: Sequence[Any], steps: int) -> float:
    """Return the mean number of steps of an episode."""
    env.reset(seed=1)
    ends = 0
    for number in range(steps):
        _, _, terminated, truncated, _ = env.step(actions[number % len(actions)])
        if terminated or truncated:
            ends += 1
            env.reset()
    return steps / max(1, ends)


def aec_seconds(env: Any, actions: Sequence[Any], steps: int) -> float:
    """Return the processor time of some steps of an environment of PettingZoo, with new episodes."""
    env.reset()
    done, count = 0, len(actions)
    started = time.process_time()
    while done < steps:
        for _ in env.agent_iter(steps - done):
            _, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(actions[done % count])
                done += 1
        if not env.agents:
            env.reset()
    return time.process_time() - started


def vector_seconds(env: Any, actions: Sequence[Any], steps: int) -> float:
    """Return the processor time of some steps of each environment of a vector environment."""
    started = time.process_time()
    for number in range(steps):
        env.step(actions[number % len(actions)])
    return time.process_time() - started


def rates(measured: dict[str, tuple[Callable[[], float], int]], rounds: int) -> dict[str, float]:
    """Return steps per second, medians of rounds in which all are measured in turn.

    Args:
        measured: By name, a function that returns the seconds of some steps, and their number.
        rounds: The number of rounds.
    """
    found: dict[str, list[float]] = {name: [] for name in measured}
    for _ in range(rounds):
        for name, (seconds_of, steps) in measured.items():
            gc.collect()
            found[name].append(steps / seconds_of())
    return {name: median(each) for name, each in found.items()}


def mix_lines(mix: str, *, game: str, opponent: str, steps: int, rounds: int, envs: int) -> Iterator[str]:
    """Yield the table of one kind of actions."""
    options: dict[str, Any] = {"game": game, "opponent": opponent, "seeds": SEEDS}
    single = gymnasium.make(NAME, **options)
    bare = gymnasium.make(BARE, like=single.unwrapped)
    ncats = single.unwrapped.action_space.nvec.tolist()  # type: ignore[attr-defined]  # a MultiDiscrete
    chosen = list(drawn_actions(ncats, MIXES[mix]))
    length = mean_length(single, chosen, steps)
    ending = gymnasium.make(BARE, like=single.unwrapped, length=round(length))
    aec = negoplatform.training.env(game, opponents=_others(single, opponent), seeds=SEEDS)
    bare_aec = BareAECEnv(single.unwrapped)
    vector = gymnasium.make_vec(NAME, num_envs=envs, vectorization_mode="vector_entry_point", **options)
    many = [
        drawn_actions(ncats, MIXES[mix], envs)[np.random.default_rng(k).permutation(envs)] for k in range(20)
    ]
    vector.reset(seed=1)
    vector_steps = max(20, steps // envs)
    aec_seconds(aec, chosen, steps)
    vector_seconds(vector, many, max(150, vector_steps))
    found = rates(
        {
            "bare": (lambda: single_seconds(bare, chosen, 10 * steps), 10 * steps),
            "ending": (lambda: single_seconds(ending, chosen, 10 * steps), 10 * steps),
            "single": (lambda: single_seconds(single, chosen, steps), steps),
            "bare AEC": (lambda: aec_seconds(bare_aec, chosen, 10 * steps), 10 * steps),
            "AEC": (lambda: aec_seconds(aec, chosen, steps), steps),
            "vector": (lambda: vector_seconds(vector, many, vector_steps), vector_steps * envs),
        },
        rounds,
    )
    of_bare = {name: found[name] / found["bare"] for name in found}
    yield f"{game} against {opponent}, actions: {mix}"
    yield f"  bare environment   {found['bare']:12,.0f} steps/s"
    yield (
        f"  single             {found['single']:12,.0f} steps/s   "
        f"{of_bare['single']:.3f} of bare, {of_bare['single'] / of_bare['ending']:.3f} of bare with episodes"
    )
    yield f"  bare with episodes {found['ending']:12,.0f} steps/s   of {length:.1f} steps on average"
    yield f"  bare AEC           {found['bare AEC']:12,.0f} steps/s"
    yield (
        f"  AEC                {found['AEC']:12,.0f} steps/s   "
        f"{of_bare['AEC'] / of_bare['bare AEC']:.3f} of bare AEC, {of_bare['AEC']:.3f} of bare"
    )
    yield (
        f"  vector, {envs:5,} games {found['vector']:10,.0f} steps/s   "
        f"{found['vector'] / found['single']:.1f} x the single one"
    )


def _others(single: gymnasium.Env[Vector, Any], opponent: str) -> dict[str, str]:
    env: Any = single.unwrapped
    return {seat: opponent for seat in env.settings.game.seats if seat != env.seat}


def train_rate(game: str, opponent: str, steps: int) -> float:
    """Return steps per second of the command ``negoplatform train``, with its start and its files."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with TemporaryDirectory() as folder:
        words = ["train", game, "--against", opponent, "--steps", str(steps)]
        out = str(Path(folder) / "policy.json")
        subprocess.run(
            [sys.executable, "-m", "negoplatform", *words, "--out", out],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return steps / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main(args: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Training: speed of the environments.")
    parser.add_argument("--game", default="campsite", help="the game (campsite)")
    parser.add_argument("--opponent", default="boulware", help="the agent (boulware)")
    parser.add_argument(
        "--steps", type=int, default=10_000, help="steps of a round of the single one (10,000)"
    )
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which medians count (5)")
    parser.add_argument("--envs", type=int, default=4096, help="games of the vector environment (4,096)")
    parser.add_argument("--train", type=int, default=1_000_000, help="steps of the command train; 0: none")
    asked = parser.parse_args(args)
    if BARE not in gymnasium.registry:
        gymnasium.register(BARE, "benchmarks.training:BareEnv")
    for mix in MIXES:
        for line in mix_lines(
            mix,
            game=asked.game,
            opponent=asked.opponent,
            steps=asked.steps,
            rounds=asked.rounds,
            envs=asked.envs,
        ):
            print(line)
    if asked.train:
        print(f"negoplatform train     {train_rate(asked.game, asked.opponent, asked.train):10,.0f} steps/s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
