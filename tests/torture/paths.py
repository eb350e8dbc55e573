"""The two paths of simulated games, with five thousand drawn games."""

from __future__ import annotations

from tests.torture.rows import Row, Tally
from tests.torture.suites import run_suite

CASES = 5000
"""Drawn triples of bidders, games and seeds at the full scale."""


def run(scale: float) -> Row:
    """Play every drawn game on both paths."""
    cases = max(50, round(CASES * scale))
    tally = Tally()
    told = run_suite("tests/app/simulation/test_fast_path.py", NEGOPLATFORM_FAST_PATH_CASES=str(cases))
    tally.runs = cases
    tally.expect(told.passed > 0 and not told.failed, f"The paths differ:\n{told.text}")
    return tally.row("paths", "a game on the fast path is the game of the full path")
