"""NegMAS' side of ``benchmarks/parity.py``, run by an interpreter that has NegMAS 0.16 and nothing from here.

It reads matches as JSON from standard input and writes the agreements to standard output.
"""

from __future__ import annotations

import json
import random
import sys

from negmas.negotiators.helpers import PolyAspiration, TimeCurve
from negmas.preferences import MappingUtilityFunction
from negmas.sao import MiCRONegotiator, SAOMechanism, TimeBasedConcedingNegotiator


class AlignedAspiration(PolyAspiration, TimeCurve):
    """NegMAS' polynomial curve on a clock that is at 0 before the first offer."""

    def __init__(self, exponent: float, offers: int) -> None:
        super().__init__(1.0, exponent)
        self.offers = offers

    def utility_at(self, t: float) -> float:
        """Return the aspiration at NegMAS' relative time."""
        step = t * (self.offers + 1) - 1
        return super().utility_at(min(1.0, max(0.0, step / self.offers)))


def negotiator(strategy: dict, offers: int, clock: str):
    """Return NegMAS' own negotiator for a strategy."""
    if strategy["agent"] == "micro":
        return MiCRONegotiator()
    exponent = 1 / (strategy["exponent"] or 1.0)
    curve = AlignedAspiration(exponent, offers) if clock == "aligned" else PolyAspiration(1.0, exponent)
    return TimeBasedConcedingNegotiator(offering_curve=curve)


def played(match: dict, clock: str) -> list[int] | None:
    """Return the points of both sides of the agreement; None without one."""
    outcomes = [(place,) for place in range(len(match["points"][0]))]
    mechanism = SAOMechanism(outcomes=outcomes, n_steps=match["offers"], one_offer_per_step=True)
    sides = zip(match["strategies"], match["points"], match["reservations"], strict=True)
    for strategy, points, reservation in sides:
        utility = MappingUtilityFunction(
            dict(zip(outcomes, map(float, points), strict=True)),
            reserved_value=float(reservation),
            outcome_space=mechanism.outcome_space,
        )
        mechanism.add(negotiator(strategy, match["offers"], clock), ufun=utility)
    agreement = mechanism.run().agreement
    return None if agreement is None else [points[agreement[0]] for points in match["points"]]


def main() -> None:
    """Play all matches with both clocks."""
    random.seed(1)
    matches = json.load(sys.stdin)
    json.dump(
        [{clock: played(match, clock) for clock in ("own", "aligned")} for match in matches], sys.stdout
    )


if __name__ == "__main__":
    main()
