"""P11: hostile files are refused in one line."""

from __future__ import annotations

from tests.torture.rows import Row, Tally
from tests.torture.suites import run_suite


def run(scale: float) -> Row:
    """Every hostile file, whatever the scale: they are few and quick."""
    tally, told = Tally(), run_suite("tests/hostile")
    tally.runs = told.passed + told.failed
    for _ in range(told.passed):
        tally.harm(True, "")
    for _ in range(told.failed):
        tally.harm(False, "A hostile file was not refused as it should be.")
    tally.expect(not told.failed, told.text)
    return tally.row("P11", "hostile files, each refused in a sentence", counts=["detected"])
