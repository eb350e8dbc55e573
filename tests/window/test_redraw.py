"""The time of drawing depends on the size of the drawn area, not on its style."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.window

MOST = 15.0
"""Maximum ratio of a card's time to that of a plain area; one composed of small pieces took 30 to 200."""


def test_a_card_is_drawn_in_about_the_time_of_a_plain_area() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "benchmarks.redraw"], check=True, capture_output=True, text=True
    )

    _titles, *lines = told.stdout.splitlines()
    ratios = [float(line.split()[-1].rstrip("x")) for line in lines]
    assert len(ratios) == 4
    assert max(ratios) < MOST
