"""Cross-entropy method: a search of parameters that needs no gradient.

Rubinstein (1999), "The cross-entropy method for combinatorial and continuous optimization", Methodology and
Computing in Applied Probability 1, 127-190; with the noise of Szita and Lőrincz (2006), "Learning Tetris
using the noisy cross-entropy method", Neural Computation 18, 2936-2941.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Parameters = NDArray[np.float64]

ELITE_SHARE = 0.2
"""Share of the candidates from which the next generation is drawn."""

NOISE_GENERATIONS = 40
"""Generations over which the added noise falls to 0."""


class CrossEntropy:
    """Normal distribution of parameters, moved towards the best candidates of each generation.

    Args:
        mean: The first mean.
        deviation: The first standard deviation of every parameter.
        candidates: The number of candidates of a generation.
        seed: The seed of all draws.
    """

    def __init__(self, mean: Parameters, *, deviation: float, candidates: int, seed: int) -> None:
        self.mean = np.array(mean, dtype=np.float64)
        self.deviation = np.full(len(mean), deviation)
        self.generation = 0
        self._first_deviation = deviation
        self._candidates = candidates
        self._elite = max(2, round(ELITE_SHARE * candidates))
        self._rng = np.random.default_rng(seed)

    def draw(self) -> Parameters:
        """Return the candidates of a generation, a row each; the first one is the mean itself."""
        found = self._rng.normal(self.mean, self.deviation, (self._candidates, len(self.mean)))
        found[0] = self.mean
        return found

    def update(self, candidates: Parameters, scores: Parameters) -> None:
        """Move the distribution towards the candidates with the highest scores.

        Args:
            candidates: Those that :meth:`draw` returned.
            scores: The score of each.
        """
        best = candidates[np.argsort(-scores, kind="stable")[: self._elite]]
        self.generation += 1
        noise = self._first_deviation * max(0.0, 1 - self.generation / NOISE_GENERATIONS) * 0.2
        self.mean = best.mean(0)
        self.deviation = np.sqrt(best.var(0) + noise**2)
