"""Offers of many games at once by their worth, as the codec ``demand`` chooses them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from negoplatform.agent_api.frequency_opponent_model import LEARNING_RATE
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.strategies.learned.bargaining_codecs import ESTIMATE_DIGITS, FIT_SHARE
from negoplatform.training.fast_path.vector_draws import Ints
from negoplatform.training.fast_path.vector_games import VectorGames
from negoplatform.training.fast_path.vector_profiles import Floats

MOST_ESTIMATES = 2_000_000
"""Estimates that are computed at once."""


class VectorDemands:
    """Estimates of the opponents' preferences, and the offers of the learners that follow from them.

    The same as ``FrequencyEstimate`` and ``DemandCodec`` in each game.

    Args:
        games: The games.
    """

    def __init__(self, games: VectorGames) -> None:
        self._games = games
        prepared = games.first_prepared
        issues, opponent = prepared.game.issues, prepared.game.seats[1 - games.place]
        self._issues = len(issues)
        levels: list[list[Any]] = [_levels(issue) for issue in issues]
        offsets = np.cumsum([0, *map(len, levels)])
        self._level_count = int(offsets[-1])
        names = [issue.name for issue in issues]
        self._levels: Ints = np.array(
            [
                [offsets[i] + levels[i].index(_level(offer, name, opponent)) for i, name in enumerate(names)]
                for offer in prepared.play.all_offers
            ],
            dtype=np.int64,
        )
        """Of each outcome, the column of the opponent's level of each issue."""
        # An offer has its terms sorted by name, and sums of floats depend on the order.
        self._by_name = sorted(range(self._issues), key=names.__getitem__)
        self._gain = LEARNING_RATE / self._issues
        n = games.count
        self._weights: Floats = np.empty((n, self._issues))
        self._counts: Floats = np.empty((n, self._level_count))
        self._highest: Floats = np.empty((n, self._issues))
        self._last: Ints = np.empty((n, self._issues), dtype=np.int64)
        games.on_bid = self.hear

    def begin(self, games: Ints) -> None:
        """Forget everything about some games."""
        self._weights[games] = 1 / self._issues
        self._counts[games] = 1
        self._highest[games] = 1
        self._last[games] = -1

    def hear(self, games: Ints, outcomes: Ints) -> None:
        """Observe an offer of the opponent in each of some games."""
        asked = self._levels[outcomes]
        kept = asked == self._last[games]
        total = 1 + self._gain * kept.sum(1, keepdims=True)
        most = 1 - self._issues * self._gain / total
        weights = self._weights[games]
        weights = np.where(kept & (weights < most), weights + self._gain, weights) / total
        # One after the other, as sum() adds them.
        summed = np.zeros(len(games))
        for issue in range(self._issues):
            summed = summed + weights[:, issue]
        self._weights[games] = weights / summed[:, None]
        for issue in range(self._issues):
            level = asked[:, issue]
            self._counts[games, level] += 1
            found = self._counts[games, level]
            self._highest[games, issue] = np.maximum(self._highest[games, issue], found)
        self._last[games] = asked

    def offers(self, games: Ints, demanded: NDArray[np.float32]) -> Ints:
        """Return the outcome that each of some games offers.

        Args:
            games: The numbers of the games.
            demanded: The continuous value of each action, from 0 to 1.
        """
        step = max(1, MOST_ESTIMATES // len(self._levels))
        parts = [
            self._offers(games[at : at + step], demanded[at : at + step]) for at in range(0, len(games), step)
        ]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)

    def _offers(self, games: Ints, demanded: NDArray[np.float32]) -> Ints:
        start, end, ranked = self._spans(games, demanded)
        totals: Floats = np.zeros((len(games), len(self._levels)))
        for issue in self._by_name:
            column = self._levels[:, issue]
            counts = self._counts[games][:, column]
            totals += self._weights[games, issue, None] * counts / self._highest[games, issue, None]
        totals[:] = np.round(np.minimum(1.0, totals), ESTIMATE_DIGITS)
        in_order = np.take_along_axis(totals, ranked, axis=1)
        places = np.arange(len(self._levels))
        in_order[(places < start[:, None]) | (places >= end[:, None])] = -1.0
        # The last one of those that are equal.
        best = len(self._levels) - 1 - np.argmax(in_order[:, ::-1], axis=1)
        found: Ints = ranked[np.arange(len(games)), best]
        return found

    def _spans(self, games: Ints, demanded: NDArray[np.float32]) -> tuple[Ints, Ints, Ints]:
        """Return each game's first place, the one after the last, and the outcomes from worst to best."""
        combination = self._games.combination[games]
        start, end = np.empty(len(games), dtype=np.int64), np.empty(len(games), dtype=np.int64)
        ranked = np.empty((len(games), len(self._levels)), dtype=np.int64)
        for number in np.unique(combination):
            which = np.flatnonzero(combination == number)
            own = self._games.own_outcomes(int(number))
            points = np.array(own.ranked_points, dtype=np.float64)
            least = max(own.lowest, own.reservation_value)
            span = max(0, own.highest - least)
            target = least + demanded[which].astype(np.float64) * span
            first = np.minimum(np.searchsorted(points, target, side="left"), len(points) - 1)
            first = np.searchsorted(points, points[first], side="left")
            start[which] = first
            end[which] = np.searchsorted(points, points[first] + FIT_SHARE * span, side="right")
            ranked[which] = own.ranked
        return start, end, ranked


def _levels(issue: Issue) -> list[Any]:
    return list(range(issue.quantity + 1)) if isinstance(issue, QuantityIssue) else list(issue.values)


def _level(offer: Offer, issue: str, seat: Seat) -> object:
    term = offer.get(issue)
    return term.of(seat) if isinstance(term, Allocation) else term
