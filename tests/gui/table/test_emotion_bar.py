"""Rows of the emotion bar, and its texts about the duration of an emotion."""

from __future__ import annotations

import pytest

from negoplatform.gui.table.emotion_bar import DURATIONS, LAST_SECONDS, duration_words, remaining_share
from negoplatform.gui.widgets.flow_layout import flow_positions
from negoplatform.presentation.i18n import ENGLISH


def test_buttons_follow_each_other_like_words() -> None:
    assert flow_positions([50, 30, 30], 120, 5) == [(0, 0), (0, 55), (0, 90)]
    assert flow_positions([50, 30, 30], 119, 5) == [(0, 0), (0, 55), (1, 0)]


def test_a_button_that_is_wider_than_its_row_still_has_one_of_its_own() -> None:
    assert flow_positions([50, 300, 50], 100, 5) == [(0, 0), (1, 0), (2, 0)]
    assert flow_positions([300, 50], 100, 5) == [(0, 0), (1, 0)]


def test_the_bar_shrinks_until_nothing_is_left() -> None:
    shares = [remaining_share(left, 2.0, steps=False) for left in (2.0, 1.5, 0.1, 0.0, -1.0)]

    assert shares == pytest.approx([1, 0.75, 0.05, 0, 0])


def test_with_reduced_motion_it_shrinks_in_whole_seconds() -> None:
    shares = [remaining_share(left, 8.0, steps=True) for left in (8.0, 7.01, 7.0, 0.1, 0.0)]

    assert shares == pytest.approx([1, 1, 7 / 8, 1 / 8, 0])


def test_what_stays_is_seen_to_run_out_only_in_its_last_seconds() -> None:
    shares = [
        remaining_share(left, 600.0, steps=False) for left in (600.0, 2 * LAST_SECONDS, LAST_SECONDS, 1.0)
    ]

    assert shares == pytest.approx([1, 1, 1, 1 / LAST_SECONDS])


def test_every_duration_is_said_in_words() -> None:
    assert [duration_words(ms, ENGLISH) for ms in DURATIONS] == [
        ("2 s", "Show it for 2 seconds"),
        ("8 s", "Show it for 8 seconds"),
        ("stays", "Show it until I change it"),
    ]
