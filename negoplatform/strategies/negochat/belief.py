"""What the other side may be: a few types, and how likely each is after what was offered and refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, fsum, log
from random import Random

from negoplatform.strategies.negochat.bid_space import Bid, BidUtility

PRECISION = 0.3
"""Luce numbers are ``exp(0.3 v)``, with v in points of the job candidate domain."""


@dataclass(frozen=True, slots=True)
class OpponentType:
    """One thing that the other side may be.

    Args:
        name: What notes call it.
        utility: What bids are worth to it.
        precision: What a point counts in its Luce numbers.
        time_effect: Points that a turn costs it.
    """

    name: str
    utility: BidUtility
    precision: float = PRECISION
    time_effect: float = 0.0


@dataclass(frozen=True, slots=True)
class _Luce:
    """A type's Luce numbers, each as a share of their sum, so that no power of e is too large."""

    shares: list[float]
    log_sum: float

    def at_least(self, points: Sequence[float], least: float) -> float:
        """Return the share of the bids that are worth at least so much."""
        return sum([share for share, worth in zip(self.shares, points, strict=True) if worth >= least])


@dataclass
class Belief:
    """How likely each type is, by Bayes' rule.

    Args:
        types: The types, at least one.
        prior: How likely each is at first; scaled to sum to 1.
        current: The number of the type that the agent acts on.
    """

    types: Sequence[OpponentType]
    prior: Sequence[float]
    current: int = 0
    _logs: list[float] = field(init=False)
    _luce: dict[int, _Luce] = field(init=False, default_factory=dict)
    _observed: set[tuple[bool, Bid]] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        total = fsum(self.prior)
        self._logs = [log(share / total) if share else float("-inf") for share in self.prior]

    @classmethod
    def with_drawn_type(cls, types: Sequence[OpponentType], prior: Sequence[float], rng: Random) -> Belief:
        """Return a belief that begins with a type drawn by chance, each as likely as its prior."""
        current = rng.choices(range(len(types)), weights=prior)[0] if len(types) > 1 else 0
        return cls(types, prior, current)

    @property
    def type(self) -> OpponentType:
        """The type that the agent acts on."""
        return self.types[self.current]

    @property
    def posterior(self) -> list[float]:
        """How likely each type is, 0 to 1; together 1."""
        highest = max(self._logs)
        weights = [exp(each - highest) for each in self._logs]
        total = fsum(weights)
        return [weight / total for weight in weights]

    def observe_offer(self, bid: Bid, turn: int) -> None:
        """Learn from a full offer: P(k | o) ~ P(k) exp(c (v_k(o) - t d)) / sum over b of exp(c v_k(b)).

        An offer that is repeated tells nothing new.

        Args:
            bid: What the other side offered.
            turn: In which turn, from 1.
        """
        if self._is_observed(True, bid):
            return
        self._learn(
            [
                kind.precision * (kind.utility.of(bid) - turn * kind.time_effect)
                - self._luce_numbers(k).log_sum
                for k, kind in enumerate(self.types)
            ]
        )

    def observe_refusal(self, bid: Bid) -> None:
        """Learn from a refusal: P(k | no to o) ~ P(k) times the Luce share of what is at least as good as o.

        One that is repeated tells nothing new.
        """
        if self._is_observed(False, bid):
            return
        self._learn(
            [
                log(max(self._luce_numbers(k).at_least(kind.utility.values, kind.utility.of(bid)), 1e-300))
                for k, kind in enumerate(self.types)
            ]
        )

    def _is_observed(self, offered: bool, bid: Bid) -> bool:
        known = (offered, bid) in self._observed
        self._observed.add((offered, bid))
        return known

    def _learn(self, evidence: list[float]) -> None:
        self._logs = [before + more for before, more in zip(self._logs, evidence, strict=True)]
        highest = max(self._logs)
        self._logs = [each - highest for each in self._logs]
        if self._logs[self.current] < 0:
            self.current = self._logs.index(0.0)

    def _luce_numbers(self, k: int) -> _Luce:
        if k not in self._luce:
            kind = self.types[k]
            top = kind.precision * kind.utility.highest
            raised = [exp(kind.precision * points - top) for points in kind.utility.values]
            total = fsum(raised)
            self._luce[k] = _Luce([each / total for each in raised], top + log(total))
        return self._luce[k]
