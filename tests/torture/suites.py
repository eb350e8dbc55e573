"""Long runs of parts of the test suite."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Told:
    """Result of a part of the suite.

    Args:
        passed: The number of tests that passed.
        failed: The number of tests that failed, or could not be run.
        skipped: The number of tests that were skipped.
        text: The end of the output.
    """

    passed: int
    failed: int
    skipped: int
    text: str


def run_suite(*paths: str, **environment: str) -> Told:
    """Run tests in a separate process."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout=0"]
        ran = subprocess.run(
            [*command, f"--junit-xml={report}", *paths],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        text = ran.stdout.decode(errors="replace")[-3000:]
        if not report.is_file():
            return Told(0, 1, 0, text)
        cases = list(ElementTree.parse(report).iter("testcase"))
    failed = sum(case.find("failure") is not None or case.find("error") is not None for case in cases)
    skipped = sum(case.find("skipped") is not None for case in cases)
    return Told(len(cases) - failed - skipped, failed, skipped, text)
