"""Screens of one participant after the other: what they lead to, and what is left of them."""

from __future__ import annotations

import sys

import pytest

from tests.x_server import Screen

pytestmark = pytest.mark.window


def test_a_screen_that_is_gone_leaves_nothing_behind_and_never_led_to_its_session(screen: Screen) -> None:
    told = screen.run(sys.executable, "-m", "tests.window.programs.screen_leaks", capture_output=True)

    early, late, live = map(int, told.stdout.split()[:3])
    behind_the_seat = told.stdout.split()[3:]
    assert live == 0
    assert behind_the_seat == []
    # One thing of each of the three screens in between would make three; a call that is waiting makes one.
    assert late - early < 3
