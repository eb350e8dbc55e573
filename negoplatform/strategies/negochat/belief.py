"""Belief about the other side: a few types, and their probabilities after its offers and refusals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, fsum, log
from random import Random

from negoplatform.domain.seat_map import Seat
from negoplatform.strategies.negochat.bid_space import Bid, BidUtility

PRECISION = 0.3
"""Luce numbers are ``exp(0.3 v)``, with v in points of the job candidate domain."""

TIE_TOLERANCE = 1e-9
"""Difference in the logarithm of a probability that counts as none: what is left of rounding."""


@dataclass(frozen=True, slots=True)
class OpponentType:
    """A possible type of the other side.

    Args:
        name: Its name in notes.
        utility: Its utility of bids.
        precision: The weight of a point in its Luce numbers.
        time_effect: The points that a turn costs it.
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
        """Return the share of the bids with at least these points."""
        return sum([share for share, worth in zip(self.shares, points, strict=True) if worth >= least])


@dataclass
class Belief:
    """Probability of each type, by Bayes' rule.

    Args:
        types: The types, at least one.
        prior: The initial probability of each; scaled to sum to 1.
        current: The number of the type on which the agent acts.
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
        """Return a belief that begins with a type drawn at random, each with its prior probability."""
        current = rng.choices(range(len(types)), weights=prior)[0] if len(types) > 1 else 0
        return cls(types, prior, current)

    @property
    def members(self) -> tuple[Belief, ...]:
        """Beliefs about single seats: this one."""
        return (self,)

    @property
    def needed(self) -> int:
        """Number of the others that have to accept a deal."""
        return 1

    def observe(self, seat: Seat) -> None:
        """Do nothing: there is one other seat, whose offers and refusals all are."""

    @property
    def type(self) -> OpponentType:
        """Type on which the agent acts."""
        return self.types[self.current]

    @property
    def posterior(self) -> list[float]:
        """Probability of each type, 0 to 1; together 1."""
        highest = max(self._logs)
        weights = [exp(each - highest) for each in self._logs]
        total = fsum(weights)
        return [weight / total for weight in weights]

    def observe_offer(self, bid: Bid, turn: int) -> None:
        """Learn from a full offer: P(k | o) ~ P(k) exp(c (v_k(o) - t d)) / sum over b of exp(c v_k(b)).

        A repeated offer gives no new information.

        Args:
            bid: The other side's offer.
            turn: Its turn, from 1.
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
        """Learn from a refusal: P(k | no to o) ~ P(k) times the Luce share of the bids at least as good as o.

        A repeated refusal gives no new information.
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
        if self._logs[self.current] < -TIE_TOLERANCE:
            self.current = self._logs.index(0.0)

    def _luce_numbers(self, k: int) -> _Luce:
        if k not in self._luce:
            kind = self.types[k]
            top = kind.precision * kind.utility.highest
            raised = [exp(kind.precision * points - top) for points in kind.utility.values]
            total = fsum(raised)
            self._luce[k] = _Luce([each / total for each in raised], top + log(total))
        return self._luce[k]
