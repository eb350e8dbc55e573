"""Columns of the table for each window size, and their widths."""

from __future__ import annotations

import pytest

from negoplatform.presentation.table.column_arrangement import (
    COLUMNS,
    MIN_WIDTHS,
    Arrangement,
    arrange_columns,
)
from negoplatform.presentation.text_size_fitting import ROOM

TITLE_BAR = 24

SCREENS = [(1024, 640), (1280, 720), (1366, 768), (1440, 900), (1920, 1080), (2560, 1440)]


def at(screen: tuple[int, int], text_size: float = 1.0) -> Arrangement:
    """Return the arrangement of a maximised window."""
    return arrange_columns(screen[0] / text_size, (screen[1] - TITLE_BAR) / text_size, "talk")


def covered(arrangement: Arrangement) -> int:
    """Return the total width, from edge to edge."""
    between = (len(arrangement.shown) - 1) * arrangement.gap
    return sum(arrangement.widths) + between + 2 * arrangement.margin


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_shows_all_columns_at_ordinary_text_size(screen: tuple[int, int]) -> None:
    arrangement = at(screen)

    assert arrangement.shown == COLUMNS
    assert arrangement.tabs == ()
    for column, width in zip(arrangement.shown, arrangement.widths, strict=True):
        assert width >= MIN_WIDTHS[column]


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("text_size", [1.0, 1.3, 1.5, 2.0])
def test_the_columns_fill_the_window_and_leave_no_void(screen: tuple[int, int], text_size: float) -> None:
    if text_size > 1.5 and screen == (1024, 640):
        return  # drawn at 150 %
    arrangement = at(screen, text_size)

    assert screen[0] / text_size - 5 <= covered(arrangement) <= screen[0] / text_size
    assert arrangement.margin < 100


def test_large_text_folds_the_side_column_and_then_the_builder_into_tabs() -> None:
    assert at((1440, 900), 1.5).shown == ("talk", "offer")
    assert at((1440, 900), 1.5).tabs == ("offer", "side")
    assert at((1440, 900), 2.0).shown == ("talk",)
    assert at((1440, 900), 2.0).tabs == COLUMNS


def test_beside_the_talk_stands_what_was_chosen_last() -> None:
    assert arrange_columns(900, 500, "side").shown == ("talk", "side")
    assert arrange_columns(900, 500, "talk").shown == ("talk", "offer")


def test_one_column_has_the_whole_width() -> None:
    arrangement = arrange_columns(*ROOM, "offer")

    assert arrangement.shown == ("offer",)
    assert covered(arrangement) == ROOM[0]


def test_the_side_column_is_wide_enough_for_preferences_on_a_laptop() -> None:
    assert at((1366, 768)).widths[0] >= 300
