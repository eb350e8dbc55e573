"""Text sizes: those that fit a window, and the message about one that does not."""

from __future__ import annotations

import pytest

from negoplatform.presentation.appearance import TEXT_SIZES
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.text_size_fitting import larger, largest_that_fits, size_note, smaller

TITLE_BAR = 24


@pytest.mark.parametrize("screen", [(1280, 720), (1280, 800), (1366, 768), (1440, 900), (1920, 1080)])
def test_text_of_twice_the_size_fits_a_laptop(screen: tuple[int, int]) -> None:
    assert largest_that_fits(screen[0], screen[1] - TITLE_BAR) == 2.0


def test_the_smallest_screen_holds_every_size_up_to_150_percent() -> None:
    assert largest_that_fits(1024, 640 - TITLE_BAR) == 1.5


def test_a_window_that_has_room_for_nothing_gets_the_smallest_size() -> None:
    assert largest_that_fits(100, 100) == TEXT_SIZES[0]


def test_sizes_go_up_and_down_in_steps_from_the_one_that_is_drawn() -> None:
    assert larger(1.0, 1.0, 2.0) == 1.15
    assert larger(2.0, 2.0, 2.0) is None
    assert smaller(1.5) == 1.3
    assert smaller(TEXT_SIZES[0]) is None


def test_a_size_that_does_not_fit_can_be_asked_for_once_and_again_in_a_larger_window() -> None:
    assert larger(1.5, 1.5, 1.5) == 1.75
    assert larger(1.75, 1.5, 1.5) is None
    assert larger(1.75, 1.5, 2.0) == 1.75


def test_a_size_that_does_not_fit_is_said_in_one_sentence() -> None:
    assert size_note(1.5, 1.5, fills_screen=True, translate=ENGLISH) == ""
    assert (
        size_note(2.0, 1.5, fills_screen=True, translate=ENGLISH)
        == "150% is the largest text size that fits this screen."
    )
    assert size_note(2.0, 1.3, fills_screen=False, translate=ENGLISH).startswith(
        "130% is the largest text size that fits this window."
    )
