"""The session's interface, used and misused at random, with kills, restarts and failing disks."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path

from tests.core.test_session_machine import COUNTS, TORTURE
from tests.torture.rows import Row, Tally
from tests.torture.suites import run_suite


def run(scale: float) -> Row:
    """Run thousands of random sessions; the state follows from the log at every moment of each."""
    tally, counted = Tally(), Counter[str]()
    examples = max(10, round(TORTURE.max_examples * scale))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "counts.jsonl"
        told = run_suite(
            "tests/core/test_session_machine.py",
            NEGOPLATFORM_TORTURE=str(examples),
            **{COUNTS: str(file)},
        )
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            tally.runs += 1
            counted.update(json.loads(line))
    tally.lost = counted["lost"]
    tally.expect(told.passed == 1 and not told.failed, f"The machine found something:\n{told.text}")
    tally.expect(tally.runs >= examples, f"Only {tally.runs} of {examples} sessions were played.")
    tally.expect(
        counted["kills"] > 0 and counted["failed writes"] > 0, "No kill or no failed write was tried."
    )
    tally.remarks.append(
        f"{counted['acts']:,} acts, {TORTURE.stateful_step_count} steps a session at most; "
        f"{counted['kills']:,} kills, each with a restart from the log; {counted['failed writes']:,} failed "
        f"writes; {counted['acknowledged']:,} events acknowledged."
    )
    return tally.row("machine", "random sessions: fold(log) == state", counts=["lost"])
