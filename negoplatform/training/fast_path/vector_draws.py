"""Random numbers of many games at once, the same as those of ``random.Random`` in each of them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

FIRST_WORDS = 64
"""Words of 32 bits that are drawn for each game at first."""

MOST_SEEDS = 20_000
"""Seeds of which the numbers are kept."""


class VectorDraws:
    """Random numbers of many games, which are computed when a game draws the first.

    Args:
        count: The number of games.
        seed_of: Returns the seed of the ``Random`` with the same numbers, of a game's seed.
    """

    def __init__(self, count: int, seed_of: Callable[[int], str]) -> None:
        self._seed_of = seed_of
        self._by_seed: dict[int, NDArray[np.uint32]] = {}
        self._words = np.zeros((count, FIRST_WORDS), dtype=np.uint32)
        self._has_words = np.zeros(count, dtype=bool)
        self._seeds = np.zeros(count, dtype=np.int64)
        self._at = np.zeros(count, dtype=np.int64)

    def begin(self, games: Ints, seeds: Ints) -> None:
        """Begin some games, each with its seed."""
        self._seeds[games], self._at[games], self._has_words[games] = seeds, 0, False

    def below(self, games: Ints, bounds: Ints) -> Ints:
        """Return a number from 0 up and below a bound for each of some games, as ``randrange`` draws it.

        Args:
            games: The numbers of the games, each once.
            bounds: The bounds, 1 or more; of 1 nothing is drawn.
        """
        found = np.zeros(len(games), dtype=np.int64)
        waiting = (bounds > 1).nonzero()[0]
        if not len(waiting):
            return found
        shifts = 32 - np.frexp(bounds)[1]
        while len(waiting):
            which = games[waiting]
            drawn = self._next_words(which) >> shifts[waiting]
            fits = drawn < bounds[waiting]
            found[waiting[fits]] = drawn[fits]
            waiting = waiting[~fits]
        return found

    def _next_words(self, games: Ints) -> Ints:
        at = self._at[games]
        if int(at.max()) >= self._words.shape[1]:
            self._words = np.zeros((len(self._words), 2 * self._words.shape[1]), dtype=np.uint32)
            self._has_words[:] = False
            self._by_seed.clear()
        for game in games[~self._has_words[games]].tolist():
            self._words[game] = self._words_of(int(self._seeds[game]))
            self._has_words[game] = True
        self._at[games] = at + 1
        return self._words[games, at].astype(np.int64)

    def _words_of(self, seed: int) -> NDArray[np.uint32]:
        """Return the first words of 32 bits that the generator of a game's seed gives."""
        found = self._by_seed.get(seed)
        if found is None:
            if len(self._by_seed) >= MOST_SEEDS:
                self._by_seed.clear()
            count = self._words.shape[1]
            number = Random(self._seed_of(seed)).getrandbits(32 * count)
            found = self._by_seed[seed] = np.frombuffer(number.to_bytes(4 * count, "little"), dtype="<u4")
        return found
