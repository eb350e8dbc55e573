"""Which bids are good enough in a turn: for oneself, and for the type that the other side may be."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from negoplatform.strategies.negochat.belief import OpponentType
from negoplatform.strategies.negochat.bid_space import BidUtility

GAP = 200
"""A bid may be worth so much less to the other side than the threshold (220 in one version of the source)."""

ROUNDING = 0.01
"""The published tables are rounded up to whole points; so much less reproduces the published clusters."""

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
"""The part of all bids that the published tables let through in each turn, on average; see the tests."""

MIN_BIDS = 4
"""So many bids a computed threshold lets through at least, where there are as many."""

GAP_SHARE = 0.3647
"""The published gap as a part of the six published ranges from worst to best, on average."""


@dataclass(frozen=True, slots=True)
class AspirationLevels:
    """What a bid has to be worth in one turn, against one type; more than this, not as much.

    Args:
        own: For the own side, after what time has cost.
        other: For the type.
    """

    own: float
    other: float


class Thresholds(Protocol):
    """A bar for every type and turn."""

    def at(self, k: int, turn: int) -> AspirationLevels:
        """Return the bar against the type of number ``k`` in a turn from 1; beyond the last turn, the last one."""
        ...


@dataclass(frozen=True, slots=True)
class ThresholdTable:
    """Thresholds that are given: published ones, or an author's.

    Args:
        rows: For each type, the own threshold turn by turn.
        gap: How much less a bid may be worth to the other side.
        rounding: What is taken off, because the figures are rounded up.
    """

    rows: Sequence[Sequence[float]]
    gap: float = GAP
    rounding: float = ROUNDING

    def at(self, k: int, turn: int) -> AspirationLevels:
        """Return the bar of a type and a turn."""
        row = self.rows[k]
        own = row[min(max(turn, 1), len(row)) - 1] - self.rounding
        return AspirationLevels(own, own - self.gap)


@dataclass
class QuantileThresholds:
    """A substitute for games without published thresholds, which is ours.

    Each bid b has the margin ``m(b) = min(u(b) - t d, v'(b) + g)``: u is what it is worth to oneself, less
    what t turns cost; v' is what it is worth to the type, stretched to the own range from worst to best; g is
    the published gap's part of that range. A bid gets over a bar exactly if its margin is above it, so a
    quantile of the margins lets any part of all bids through. The part is that of the published tables.

    Args:
        own: What bids are worth to the own side.
        types: The types.
        time_effect: Points that a turn costs the own side.
        shares: The part of all bids that is let through, turn by turn, above 0 and up to 1.
        least: What no deal is worth to the own side: in the last turn whatever is worth as much is let
            through, as by the published tables of the employer. None: the share counts there too.
    """

    own: BidUtility
    types: Sequence[OpponentType]
    time_effect: float = 0.0
    shares: Sequence[float] = SHARES
    least: float | None = None
    _cached_levels: dict[tuple[int, int], AspirationLevels] = field(init=False, default_factory=dict)

    def at(self, k: int, turn: int) -> AspirationLevels:
        """Return the bar of a type and a turn."""
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
        # Half-way to the next lower margin, so that equal ones are let through together.
        fewest = min(MIN_BIDS, len(margins))
        last = margins[-max(fewest, round(self.shares[turn - 1] * len(margins)))]
        below = bisect_left(margins, last - 1e-9)
        bar = (margins[below - 1] + last) / 2 if below else last - 1
        floor = other.lowest + (bar - gap - own.lowest) / stretch if stretch else float("-inf")
        return AspirationLevels(bar, floor)


@dataclass(frozen=True, slots=True)
class PerTypeThresholds:
    """Thresholds from several sources: for each type its own.

    Args:
        sources: For each type a source, and the number that the type has there.
    """

    sources: Mapping[int, tuple[Thresholds, int]]

    def at(self, k: int, turn: int) -> AspirationLevels:
        """Return the bar of a type and a turn."""
        source, number = self.sources[k]
        return source.at(number, turn)


def cluster(own: BidUtility, other: BidUtility, bar: AspirationLevels, lost: float) -> list[int]:
    """Return the numbers of the bids that get over a bar, in the order of the space.

    Args:
        own: What bids are worth to the own side.
        other: What they are worth to the type.
        bar: The bar.
        lost: What time has cost the own side.
    """
    least = bar.own + lost
    return [
        n
        for n, (u, v) in enumerate(zip(own.values, other.values, strict=True))
        if u > least and v > bar.other
    ]
