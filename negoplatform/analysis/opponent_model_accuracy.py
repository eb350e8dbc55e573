"""Accuracy of an agent's opponent model, compared with the true preferences.

The measures follow Baarslag, Hendrikx, Hindriks and Jonker 2013, "Predicting the performance of opponent
models in automated negotiation" (WI-IAT). NumPy and SciPy belong to the extra ``tournament``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

from negoplatform.analysis.tournament.score_statistics import import_numpy, import_scipy_stats
from negoplatform.domain.errors import AgentError, text_of
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import sample_outcomes
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.solutions.integer_scaling import integer_game

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

MOST_COMPARED = 20_000
"""Number of outcomes up to which all are compared; of larger games a random sample is."""

SAMPLE_SIZE = 5_000
"""Size of that sample, drawn with replacement and always the same."""

DIGITS = 9
"""Decimal places to which estimates are rounded, so that rounding errors decide no order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAccuracy:
    """Accuracy of an opponent model at one moment.

    Estimated and true utilities are both taken from 0 to 1 over the compared outcomes, ``(u - min) /
    (max - min)``. None where a measure has no value, such as a correlation with a constant estimate.

    Args:
        outcomes: The number of outcomes over which estimate and truth are compared.
        sampled: Whether these are a random sample of all outcomes.
        pearson: Correlation of the estimated with the true utilities, -1 to 1.
        spearman: Rank correlation, -1 to 1.
        kendall: Kendall's tau-b, -1 to 1.
        rmse: Root of the mean squared difference of the utilities, 0 to 1. An estimate that is the same for
            all outcomes counts as 0.5.
        weight_rank_distance: Share of the pairs of issues whose weights the model ranks in the opposite way,
            0 to 1; a tie on one side only counts half. The true weight of an issue is its range of points.
            None for a model without weights, and with one issue.
        frontier_precision: Share of the outcomes on the estimated Pareto frontier that are on the true one, 0
            to 1. The estimated frontier combines the agent's own points with its estimates; both frontiers
            are those of the compared outcomes.
        frontier_recall: Share of the outcomes on the true frontier that are on the estimated one, 0 to 1.
        note: The reason in a sentence why there are no measures; empty if there are.
    """

    outcomes: int
    sampled: bool
    pearson: float | None = None
    spearman: float | None = None
    kendall: float | None = None
    rmse: float | None = None
    weight_rank_distance: float | None = None
    frontier_precision: float | None = None
    frontier_recall: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRow(ModelAccuracy):
    """Row of ``models.csv``: an agent's model of the other seat at one point of a game.

    Args:
        game: The game.
        seed: Its seed.
        seat: The seat of the agent.
        agent: The agent.
        opponent: The agent in the other seat.
        at: The progress at which the model was asked, 0 to 1.
    """

    KEYS: ClassVar[tuple[str, ...]] = ("game", "seed", "seat", "agent", "opponent", "at")
    game: str
    seed: int
    seat: Seat
    agent: str
    opponent: str
    at: float


class TruePreferences:
    """True preferences of a seat, prepared for comparisons with models of it.

    Args:
        game: The game, with resolved profiles.
        agent: The seat of the agent that has the model.
        seat: The seat whose preferences are estimated.

    Raises:
        NotVisible: If the preferences of a seat are hidden in this game.
        NegoError: If the game has no issues, a seat still has several profiles, a utility has no tables, or
            NumPy or SciPy is not installed.
    """

    def __init__(self, game: GameSpec, agent: Seat, seat: Seat) -> None:
        self._numpy, self._stats = import_numpy(), import_scipy_stats()
        exact = integer_game(game)
        self.sampled = game.count_outcomes() > MOST_COMPARED
        drawn = sample_outcomes(game.issues, game.seats, SAMPLE_SIZE) if self.sampled else game.outcomes()
        self._offers: Sequence[Offer] = tuple(drawn)
        own, other = (
            self._numpy.array([float(exact.utilities[one](offer)) for offer in self._offers])
            for one in (agent, seat)
        )
        self._own, self._other = own, self._from_0_to_1(other)
        self._frontier = self._undominated(other)
        tables = exact.utilities[seat].tables
        self._weights = {name: max(table.values()) - min(table.values()) for name, table in tables.items()}

    def compare(self, model: Any) -> ModelAccuracy:
        """Return the accuracy of a model; if the model fails, a note says how.

        Args:
            model: An object with ``estimate_utility(offer)``; see
                ``negoplatform.agent_api.context.OpponentModel``.
        """
        try:
            return self._compare(self._estimates(model), _weights_of(model))
        except KeyboardInterrupt:
            raise  # Ctrl-C was pressed
        except BaseException as error:  # noqa: BLE001 - whatever the author's code raises, SystemExit included
            return self.without_measures(f"The model failed: {text_of(error)}")

    def without_measures(self, note: str) -> ModelAccuracy:
        """Return a result that consists of a note."""
        return ModelAccuracy(outcomes=len(self._offers), sampled=self.sampled, note=note)

    def _compare(self, found: Array, weights: Mapping[str, float] | None) -> ModelAccuracy:
        numpy, stats, true = self._numpy, self._stats, self._other
        estimate = self._from_0_to_1(found)
        differs = bool(estimate.min() < estimate.max()) and bool(true.min() < true.max())
        frontier = self._undominated(estimate)
        both = int((frontier & self._frontier).sum())
        return ModelAccuracy(
            outcomes=len(true),
            sampled=self.sampled,
            pearson=float(numpy.corrcoef(true, estimate)[0, 1]) if differs else None,
            spearman=float(stats.spearmanr(true, estimate).statistic) if differs else None,
            kendall=float(stats.kendalltau(true, estimate).statistic) if differs else None,
            rmse=float(numpy.sqrt(numpy.mean((true - estimate) ** 2))),
            weight_rank_distance=None if weights is None else rank_distance(self._weights, weights),
            frontier_precision=both / int(frontier.sum()),
            frontier_recall=both / int(self._frontier.sum()),
        )

    def _estimates(self, model: Any) -> Array:
        many: Callable[[Sequence[Offer]], Sequence[float]] | None = getattr(model, "estimate_utilities", None)
        found = [*map(model.estimate_utility, self._offers)] if many is None else [*many(self._offers)]
        if len(found) != len(self._offers):
            raise AgentError(f"It estimated {len(found)} of {len(self._offers)} offers.")
        estimates: Array = self._numpy.array(found, dtype=float)
        if not self._numpy.isfinite(estimates).all():
            raise AgentError("An estimate is not a finite number.")
        return estimates

    def _from_0_to_1(self, values: Array) -> Array:
        low, high = values.min(), values.max()
        constant: Array = self._numpy.full(len(values), 0.5)
        return constant if low == high else ((values - low) / (high - low)).round(DIGITS)

    def _undominated(self, other: Array) -> Array:
        """Return which outcomes are Pareto efficient by the own points and some for the other seat."""
        numpy, own = self._numpy, self._own
        order = numpy.lexsort((-other, -own))
        mine, theirs = own[order], other[order]
        # In a group of equal own points the first has the most for the other seat.
        first = numpy.searchsorted(-mine, -mine, side="left")
        before = numpy.concatenate(([-numpy.inf], numpy.maximum.accumulate(theirs)))[first]
        efficient = (theirs == theirs[first]) & (theirs > before)
        found: Array = numpy.zeros(len(own), dtype=bool)
        found[order] = efficient
        return found


def rank_distance(true: Mapping[str, float], estimated: Mapping[str, float]) -> float | None:
    """Return the share of pairs of issues that two sets of weights rank in opposite ways, 0 to 1.

    A pair that is tied in one of them only counts half (Fagin, Kumar & Sivakumar 2003, "Comparing top k
    lists", with p = 1/2). None with fewer than two issues.

    Raises:
        AgentError: If the estimate lacks an issue, or has a weight that is no finite number.
    """
    for issue in true:
        if issue not in estimated or not isfinite(estimated[issue]):
            raise AgentError(f"Its weights have no finite number for the issue {issue!r}.")
    pairs = [
        (_sign(true[a] - true[b]), _sign(round(estimated[a] - estimated[b], DIGITS)))
        for a, b in combinations(true, 2)
    ]
    return sum(abs(a - b) / 2 for a, b in pairs) / len(pairs) if pairs else None


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _weights_of(model: Any) -> Mapping[str, float] | None:
    weights = getattr(model, "weights", None)
    if callable(weights):
        weights = weights()
    return weights if isinstance(weights, Mapping) else None
