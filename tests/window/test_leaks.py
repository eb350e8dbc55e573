"""A program that serves one participant after the other, all day, does not become slower."""

from __future__ import annotations

import sys

import pytest

from tests.x_server import Screen

pytestmark = pytest.mark.window


def test_a_screen_that_is_gone_leaves_nothing_behind(screen: Screen) -> None:
    told = screen.run(sys.executable, "-m", "tests.window.programs.screen_leaks", capture_output=True)

    early, late, live = map(int, told.stdout.split())
    assert live == 0
    # One thing of each of the three screens in between would make three; a call that is waiting makes one.
    assert late - early < 3
