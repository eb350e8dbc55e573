"""Drawn scenarios of other platforms, evaluated as their formulas say, and written and read again."""

from __future__ import annotations

from tests.torture.rows import Row, Tally
from tests.torture.suites import run_suite

EXAMPLES = 1000
"""Scenarios in each kind of test at the full scale."""


def run(scale: float) -> Row:
    """Import, evaluate and export the drawn scenarios."""
    examples = max(25, round(EXAMPLES * scale))
    tally = Tally()
    told = run_suite("tests/formats/scenarios", NEGOPLATFORM_SCENARIO_EXAMPLES=str(examples))
    tally.runs = examples
    tally.expect(told.passed > 0 and not told.failed, f"A scenario comes out wrong:\n{told.text}")
    return tally.row("scenarios", "drawn Genius scenarios, for every outcome")
