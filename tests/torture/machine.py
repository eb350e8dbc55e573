"""The session's interface, used and misused at random, with kills, restarts and disks that fail."""

from __future__ import annotations

from tests.core.test_session_machine import TORTURE
from tests.torture.rows import Row, Tally
from tests.torture.suites import run_suite


def run(scale: float) -> Row:
    """Thousands of random sessions; the state follows from the log in every moment of each."""
    tally = Tally()
    examples = max(10, round(TORTURE.max_examples * scale))
    told = run_suite("tests/core/test_session_machine.py", NEGOPLATFORM_TORTURE=str(examples))
    tally.runs = examples
    tally.expect(told.passed == 1 and not told.failed, f"The machine found something:\n{told.text}")
    tally.remarks.append(f"{TORTURE.stateful_step_count} steps each, at most.")
    return tally.row("machine", "random sessions: fold(log) == state")
