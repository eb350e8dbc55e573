"""Drawing costs about as much as is drawn, however its looks are made."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.window

MOST = 15.0
"""As many times as a plain area a card may take; one that was put together of small pieces took 30 to 200."""


def test_a_card_is_drawn_in_about_the_time_of_a_plain_area() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "benchmarks.redraw"], check=True, capture_output=True, text=True
    )

    _titles, *lines = told.stdout.splitlines()
    ratios = [float(line.split()[-1].rstrip("x")) for line in lines]
    assert len(ratios) == 4
    assert max(ratios) < MOST
