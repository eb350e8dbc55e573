"""The laws of every mechanism, with a thousand examples each."""

from __future__ import annotations

from tests.torture.rows import Row, Tally
from tests.torture.suites import run_suite

EXAMPLES = 1000
"""Examples of each law at the full scale."""


def run(scale: float) -> Row:
    """Run every law of every mechanism."""
    examples = max(25, round(EXAMPLES * scale))
    tally = Tally()
    told = run_suite("tests/mechanisms/test_laws.py", NEGOPLATFORM_LAW_EXAMPLES=str(examples))
    tally.runs = told.passed * examples
    tally.expect(told.passed > 0 and not told.failed, f"A law does not hold:\n{told.text}")
    return tally.row("laws", "every law of every mechanism")
