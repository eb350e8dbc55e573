"""The exhaustive sweeps of the suite: every shipped agent with every other, at every game, and its check."""

from __future__ import annotations

from tests.torture.rows import Row, Tally
from tests.torture.suites import run_suite


def run(scale: float) -> Row:
    """Run the exhaustive sweeps of the suite; they have one size, whatever the scale."""
    tally, told = Tally(), run_suite("tests/agents", "tests/testing", "--sweep", "-m", "sweep")
    tally.runs = told.passed
    tally.expect(told.passed > 0 and not told.failed, f"A sweep found something:\n{told.text}")
    return tally.row("sweeps", "every shipped agent with every other, at every game")
