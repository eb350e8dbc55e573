"""The laws of every mechanism, with a thousand examples each, and of random sessions, with two thousand."""

from __future__ import annotations

from tests.torture.rows import Row, Tally
from tests.torture.suites import run_suite

EXAMPLES = 1000
"""Examples of each law of a mechanism at the full scale; those of random sessions are twice as many."""


def run(scale: float) -> Row:
    """Run every law of every mechanism and of random sessions."""
    examples = max(25, round(EXAMPLES * scale))
    tally = Tally()
    files = ("tests/mechanisms/test_laws.py", "tests/eventlog/test_properties.py")
    told = run_suite(*files, NEGOPLATFORM_EXAMPLES=str(2 * examples))
    tally.runs = told.passed * examples
    tally.expect(told.passed > 0 and not told.failed, f"A law does not hold:\n{told.text}")
    return tally.row("laws", "every law of every mechanism")
