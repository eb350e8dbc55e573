"""Arbitrary bytes, as input of the readers of logs, game files and replies of agents' processes."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys

from tests.fuzz.targets import TARGETS
from tests.torture.rows import Row, Tally
from tests.torture.suites import ROOT, run_suite

SECONDS = 300
"""Seconds for each target."""


def run(scale: float) -> Row:
    """Fuzz every target, guided by coverage; without atheris try only the fixed inputs."""
    tally = Tally()
    if importlib.util.find_spec("atheris") is None:
        told = run_suite("tests/fuzz")
        tally.runs = told.passed
        tally.expect(not told.failed, told.text)
        tally.remarks.append("atheris is not installed, so only the fixed inputs of the tests were tried.")
        return tally.row("fuzz", "readers of logs, games and agents' words")
    for target in TARGETS:
        _fuzz(target, max(5, round(SECONDS * scale)), tally)
    return tally.row("fuzz", "readers of logs, games and agents' words")


def _fuzz(target: str, seconds: int, tally: Tally) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.run_atheris", target, str(seconds)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    text = ran.stdout.decode(errors="replace")
    units = re.search(r"number_of_executed_units:\s*(\d+)", text)
    tally.runs += int(units[1]) if units else 0
    tally.expect(ran.returncode == 0 and units is not None, f"{target}: {text[-1500:]}")
    if units:
        tally.remarks.append(f"{target}: {int(units[1]):,} inputs in {seconds} s.")
