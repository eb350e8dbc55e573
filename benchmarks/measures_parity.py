"""Comparison of the measures of outcomes with NegMAS' own functions, on drawn outcomes of drawn games.

Run it with ``python -m benchmarks.measures_parity [GAMES]``; of each game (20) ten outcomes are drawn. It
prints the largest difference of each measure, and the games in which one differs by more than 1e-9. NegMAS
0.16 is needed in an environment of its own, whose interpreter ``NEGMAS_PYTHON`` names.

All ranges are from 0 to 1,000 points, so that distances in shares of a range are distances in utilities.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

from negoplatform.analysis.outcome_measures import MeasuredGame, SessionMeasures
from negoplatform.core.events import EndedBy
from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.issue import CategoricalIssue
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility

SEATS = ("first", "second")
WEIGHTS = (50, 30, 20)
OUTCOMES_PER_GAME = 10
NEGMAS_SCRIPT = Path(__file__).with_name("negmas_measures.py")


def drawn_game(seed: int) -> GameSpec:
    """Return a game of 120 outcomes; each side's worst outcome has 0 points and its best 1,000."""
    rng = Random(seed)
    issues = tuple(
        CategoricalIssue(name, tuple(f"{name}{at}" for at in range(count)))
        for name, count in zip("abc", (6, 5, 4), strict=True)
    )
    preferences = {}
    for seat in SEATS:
        tables = {}
        for issue, weight in zip(issues, rng.sample(WEIGHTS, 3), strict=True):
            scores = [0, 10, *(rng.randint(0, 10) for _ in issue.values[2:])]
            rng.shuffle(scores)
            tables[issue.name] = {
                value: weight * score for value, score in zip(issue.values, scores, strict=True)
            }
        preferences[seat] = Preferences(AdditiveUtility(seat, tables), rng.randint(0, 600))
    return GameSpec(f"drawn_{seed}", issues, SEATS, SeatMap(preferences))


def measured(game: GameSpec, deals: list[Offer]) -> list[SessionMeasures]:
    """Return the measures of agreements."""
    here = MeasuredGame(game)
    return [
        here.measure_session(
            deal=deal,
            ended_by=EndedBy.AGREEMENT,
            points={seat: game.preferences[seat].utility(deal) for seat in SEATS},
            offers=[],
        )
        for deal in deals
    ]


def as_shares(game: GameSpec, deal: Offer) -> list[float]:
    """Return both sides' utility of an outcome, 0 to 1."""
    return [float(game.preferences[seat].utility(deal)) / 1000 for seat in SEATS]


def row(measures: SessionMeasures) -> dict[str, float | None]:
    """Return the measures that NegMAS has too."""
    advantages = {f"advantage of {seat}": measures.seats[seat].advantage for seat in SEATS}
    return {
        "pareto distance": measures.pareto_distance,
        "nash distance": measures.nash_distance,
        "kalai distance": measures.egalitarian_distance,
        "kalai-smorodinsky distance": measures.kalai_smorodinsky_distance,
        "pareto optimality": measures.pareto_optimality,
        "pareto distance, all outcomes": measures.pareto_distance,
        "kalai-smorodinsky distance, rational gains": measures.kalai_smorodinsky_distance,
        **advantages,
    }


def measured_by_negmas(python: str, documents: list[dict[str, Any]]) -> list[list[dict[str, float | None]]]:
    """Return NegMAS' measures of the outcomes of each game."""
    answer = subprocess.run(
        [python, str(NEGMAS_SCRIPT)], input=json.dumps(documents), capture_output=True, text=True, check=False
    )
    if answer.returncode:
        raise SystemExit(f"NegMAS failed:\n{answer.stderr[-2000:]}")
    found: list[list[dict[str, float | None]]] = json.loads(answer.stdout)
    return found


def main(games: int) -> None:
    """Print the largest difference of each measure, and where it differs."""
    python = os.environ.get("NEGMAS_PYTHON")
    if python is None:
        print("NEGMAS_PYTHON is not set: nothing to compare with.")
        return
    documents, here = [], []
    for seed in range(games):
        game = drawn_game(seed)
        outcomes = list(game.outcomes())
        deals = Random(seed).sample(outcomes, OUTCOMES_PER_GAME)
        documents.append(
            {
                "utilities": [as_shares(game, outcome) for outcome in outcomes],
                "reservations": [float(game.preferences[seat].reservation_value) / 1000 for seat in SEATS],
                "agreements": [outcomes.index(deal) for deal in deals],
            }
        )
        here.append([row(each) for each in measured(game, deals)])
    there = measured_by_negmas(python, documents)
    for name in here[0][0]:
        differences: dict[int, float] = {}
        missing = 0
        for seed, (own, other) in enumerate(zip(here, there, strict=True)):
            for one, two in zip(own, other, strict=True):
                first, second = one[name], two[name]
                if first is None or second is None:
                    missing += first is not second
                else:
                    differences[seed] = max(differences.get(seed, 0.0), abs(first - second))
        unlike = [seed for seed, difference in differences.items() if difference > 1e-9]
        most = max(differences.values(), default=0.0)
        print(
            f"{name:42} differs by at most {most:.1e}; by more than 1e-9 in games {unlike}; {missing} missing"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
