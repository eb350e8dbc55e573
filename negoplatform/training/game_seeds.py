"""Seeds of the games of an environment, drawn from its generator in batches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from negoplatform.domain.errors import NegoError
from negoplatform.training.episode import LARGEST_SEED

SEEDS = 10_000
"""Usual number of the seeds from which those of games are drawn: 0 and those below it."""

BATCH = 256
"""Seeds that are drawn at once; the same numbers as one by one."""


def _check_seeds(seeds: int) -> None:
    """Check a number of seeds.

    Raises:
        NegoError: If it is not a whole number from 1 to that of all seeds.
    """
    if isinstance(seeds, bool) or not isinstance(seeds, int) or not 1 <= seeds <= LARGEST_SEED + 1:
        raise NegoError(
            f"The number of seeds is a whole number from 1 up to {LARGEST_SEED + 1}, not {seeds!r}."
        )


class GameSeeds:
    """Seeds of the games of one environment.

    Args:
        seeds: The number of seeds.

    Raises:
        NegoError: If it is not a whole number from 1 to that of all seeds.
    """

    def __init__(self, seeds: int) -> None:
        _check_seeds(seeds)
        self._seeds = seeds
        self._generator: np.random.Generator | None = None
        self._drawn: list[int] = []

    def next(self, generator: np.random.Generator) -> int:
        """Return the next seed of the environment's present generator."""
        if not self._drawn or generator is not self._generator:
            self._generator = generator
            self._drawn = generator.integers(self._seeds, size=BATCH)[::-1].tolist()
        return self._drawn.pop()


class VectorSeeds:
    """Seeds of the games of many environments, each of which has its own generator.

    Args:
        count: The number of environments.
        seeds: The number of seeds.

    Raises:
        NegoError: If it is not a whole number from 1 to that of all seeds.
    """

    def __init__(self, count: int, seeds: int) -> None:
        _check_seeds(seeds)
        self._seeds = seeds
        self.generators: list[np.random.Generator] = []
        """The generators; made when the first seed is drawn."""
        self.generator_seeds: list[int] = []
        """The seeds of the generators."""
        self._count = count
        self._drawn: NDArray[np.int64] = np.zeros((count, BATCH), dtype=np.int64)
        self._at = np.full(count, BATCH, dtype=np.int64)

    def reseed(self, games: NDArray[np.int64], seeds: Sequence[int | None]) -> None:
        """Give some environments new generators, where their seed is not None; all get one at first."""
        if not self.generators:
            made = [seeding.np_random(seed) for seed in seeds]
            self.generators = [generator for generator, _ in made]
            self.generator_seeds = [seed for _, seed in made]
            return
        for game in games.tolist():
            seed = seeds[game]
            if seed is not None:
                self.generators[game], self.generator_seeds[game] = seeding.np_random(seed)
                self._at[game] = BATCH

    def draw(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the next seed of each of some environments."""
        for game in games[self._at[games] == BATCH].tolist():
            self._drawn[game] = self.generators[game].integers(self._seeds, size=BATCH)
            self._at[game] = 0
        at = self._at[games]
        self._at[games] = at + 1
        found: NDArray[np.int64] = self._drawn[games, at]
        return found
