"""P11: hostile files are refused in one line, in less than a second and with little memory."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.hostile.refusals import KINDS, MOST_MEGABYTES, PROMISED_SECONDS, Refusals
from tests.torture.rows import Row, Tally
from tests.torture.suites import run_suite


def run(scale: float) -> Row:
    """Try every hostile file, whatever the scale: there are few, and they are quick."""
    tally, told = Tally(), run_suite("tests/hostile")  # which looks at every sentence, word by word
    tally.expect(told.passed > 0 and not told.failed, told.text)
    if told.skipped:
        tally.remarks.append(f"{told.skipped} tests of hostile files were skipped here.")
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder, tally.trying(kind):
            _try(Refusals(kind, Path(folder)), tally)
    return tally.row("P11", "hostile files, each refused in a sentence", counts=["detected"])


def _try(refusals: Refusals, tally: Tally) -> None:
    refused = refusals.refused()
    for place in refusals.answers:
        tally.runs += 1
        tally.harm(place in refused, f"{place} was not refused.")
    for place, seconds in refusals.seconds():
        tally.delays.append(seconds)
        tally.expect(seconds <= PROMISED_SECONDS, f"{place} was refused after {seconds:.1f} s.")
    most = refusals.report["most"]
    tally.expect(most < MOST_MEGABYTES, f"{most:.0f} MB were used, with the processes that were started.")
