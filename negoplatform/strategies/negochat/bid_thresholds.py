"""Thresholds of bids in a turn: for the own side, and for the assumed type of the other."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from negoplatform.strategies.negochat.belief import OpponentType
from negoplatform.strategies.negochat.bid_space import BidUtility

GAP = 200
"""Allowed shortfall of a bid from the threshold for the other side (220 in one version of the source)."""

ROUNDING = 0.01
"""Correction for the published tables, which are rounded to whole points; it reproduces their clusters."""

SHARES = (
    0.0310,
    0.0382,
    0.0545,
    0.0707,
    0.0963,
    0.1096,
    0.1418,
    0.1600,
    0.2260,
    0.2566,
    0.3032,
    0.3782,
    0.4991,
    0.7446,
)
"""Share of all bids that the published tables admit in each turn, on average; see the tests."""

MIN_BIDS = 4
"""Least number of bids that a computed threshold admits, where there are as many."""

GAP_SHARE = 0.3647
"""Published gap as a share of the six published ranges from worst to best, on average."""


@dataclass(frozen=True, slots=True)
class AspirationLevels:
    """Thresholds of one turn, against one type; a bid has to exceed them.

    Args:
        own: Points for the own side, after the cost of time.
        other: Points for the type.
    """

    own: float
    other: float


class Thresholds(Protocol):
    """Thresholds for every type and turn."""

    def at(self, k: int, turn: int) -> AspirationLevels:
        """Return the thresholds against type number ``k`` in a turn from 1; after the last turn, its own."""
        ...


@dataclass(frozen=True, slots=True)
class ThresholdTable:
    """Given thresholds: published ones, or an author's.

    Args:
        rows: For each type, the own threshold turn by turn.
        gap: The allowed shortfall for the other side.
        rounding: The correction for figures that are rounded.
    """

    rows: Sequence[Sequence[float]]
    gap: float = GAP
    rounding: float = ROUNDING

    def at(self, k: int, turn: int) -> AspirationLevels:
        """Return the thresholds of a type and a turn."""
        row = self.rows[k]
        own = row[min(max(turn, 1), len(row)) - 1] - self.rounding
        return AspirationLevels(own, own - self.gap)


@dataclass
class QuantileThresholds:
    """Computed thresholds for games without published ones, which is ours.

    Each bid b has the margin ``m(b) = min(u(b) - t d, v'(b) + g)``: u are its own points, less the cost of t
    turns; v' are its points for the type, stretched to the own range from worst to best; g is the published
    gap's share of that range. A bid exceeds the thresholds exactly if its margin is above them, so a quantile
    of the margins admits any share of all bids. The shares are those of the published tables.

    Args:
        own: The own side's utility.
        types: The types.
        time_effect: Points that a turn costs the own side.
        shares: The share of all bids that is admitted, turn by turn, above 0 and up to 1.
        least: The own points of no deal: in the last turn all bids with as many are admitted, as by the
            published tables of the employer. None: the share counts there too.
    """

    own: BidUtility
    types: Sequence[OpponentType]
    time_effect: float = 0.0
    shares: Sequence[float] = SHARES
    least: float | None = None
    _cached_levels: dict[tuple[int, int], AspirationLevels] = field(init=False, default_factory=dict)

    def at(self, k: int, turn: int) -> AspirationLevels:
        """Return the thresholds of a type and a turn."""
        key = k, min(max(turn, 1), len(self.shares))
        if key not in self._cached_levels:
            self._cached_levels[key] = self._compute_levels(*key)
        return self._cached_levels[key]

    def _compute_levels(self, k: int, turn: int) -> AspirationLevels:
        own, other = self.own, self.types[k].utility
        if self.least is not None and turn == len(self.shares):
            return AspirationLevels(self.least - turn * self.time_effect - ROUNDING, float("-inf"))
        width = own.highest - own.lowest
        stretch = width / (other.highest - other.lowest) if other.highest > other.lowest else 0.0
        lost, gap = turn * self.time_effect, GAP_SHARE * width
        margins = sorted(
            min(u - lost, own.lowest + (v - other.lowest) * stretch + gap)
            for u, v in zip(own.values, other.values, strict=True)
        )
        # Half-way to the next lower margin, so that ties are admitted together.
        fewest = min(MIN_BIDS, len(margins))
        last = margins[-max(fewest, round(self.shares[turn - 1] * len(margins)))]
        below = bisect_left(margins, last - 1e-9)
        bar = (margins[below - 1] + last) / 2 if below else last - 1
        floor = other.lowest + (bar - gap - own.lowest) / stretch if stretch else float("-inf")
        return AspirationLevels(bar, floor)


@dataclass(frozen=True, slots=True)
class PerTypeThresholds:
    """Thresholds from several sources, one for each type.

    Args:
        sources: For each type a source, and the number that the type has there.
    """

    sources: Mapping[int, tuple[Thresholds, int]]

    def at(self, k: int, turn: int) -> AspirationLevels:
        """Return the thresholds of a type and a turn."""
        source, number = self.sources[k]
        return source.at(number, turn)


def cluster(own: BidUtility, other: BidUtility, bar: AspirationLevels, lost: float) -> list[int]:
    """Return the numbers of the bids that exceed the thresholds, in the order of the space.

    Args:
        own: The own side's utility.
        other: The type's utility.
        bar: The thresholds.
        lost: Points that time has cost the own side.
    """
    least = bar.own + lost
    return [
        n
        for n, (u, v) in enumerate(zip(own.values, other.values, strict=True))
        if u > least and v > bar.other
    ]
