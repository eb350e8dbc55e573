"""Layout of a side's priorities without a window, with letters of one width."""

from __future__ import annotations

import pytest

from negoplatform.formats.games import load_game
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.bargaining.priorities_layout import (
    PrioritiesLayout,
    PrioritySection,
    Style,
    lay_out_priorities,
)
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.offers.issue_valuation_texts import Priorities, priorities
from negoplatform.presentation.transcript.layout_items import TextLayout
from negoplatform.presentation.transcript.text_metrics import TextMetrics

LETTER, LINE = 7, 15
"""Approximate width and height of letters of 12 pixels."""

WIDTH, ROOM = 294, 325
"""Inner size of the card on a screen of 1366 × 768, next to a tracker of six issues and a small face."""


def setter(*, rtl: bool = False) -> TextLayout:
    widths = {
        name: TextMetrics(lambda text: LETTER * len(text), LINE)
        for name in ("body", "bold", "small", "small_bold")
    }
    return TextLayout(widths, round, rtl=rtl, needs_reordering=False)


def laid(
    what: Priorities, width: int = WIDTH, *, style: Style = "flow", rtl: bool = False
) -> PrioritiesLayout:
    section = PrioritySection("What matters to you", "Only you can see this", what, "mine")
    return lay_out_priorities([section], width, setter(rtl=rtl), style=style, together="Combinations")


@pytest.fixture(params=["employer", "candidate"])
def six_issues(request: pytest.FixtureRequest) -> Priorities:
    """List of a seat's priorities in job_candidate, which has more of them than any other shipped game."""
    game = load_game(bundled("games") / "job_candidate.json")
    return priorities(game, game.preferences[request.param], ENGLISH)


def test_six_issues_with_all_their_values_find_room_on_a_laptop(six_issues: Priorities) -> None:
    assert laid(six_issues).height <= ROOM
    assert laid(six_issues, style="lines").height > ROOM


@pytest.mark.parametrize("style", ["flow", "lines"])
@pytest.mark.parametrize("width", [120, 220, WIDTH, 480])
def test_every_value_stands_with_its_points_inside_of_the_card(
    six_issues: Priorities, style: Style, width: int
) -> None:
    found = laid(six_issues, width, style=style)

    drawn = " ".join(line for words in found.texts for line in words.lines)
    for issue in six_issues.issues:
        for value, points in issue.levels:
            assert all(word in drawn for word in (*value.split(), points))
    for words in found.texts:
        assert words.x >= 0
        assert words.x + max(LETTER * len(line) for line in words.lines) <= width
        assert words.y + LINE * len(words.lines) <= found.height


def test_bars_begin_and_end_at_the_same_place_so_that_they_can_be_compared(six_issues: Priorities) -> None:
    bars = laid(six_issues).bars

    assert len(bars) == len(six_issues.issues)
    assert len({(bar.x, bar.width) for bar in bars}) == 1
    assert max(bar.share for bar in bars) == 1


def test_nothing_lies_over_anything_else(six_issues: Priorities) -> None:
    places = [
        (words.y, words.x, words.x + LETTER * len(words.lines[0]))
        for words in laid(six_issues).texts
        if len(words.lines) == 1
    ]

    for y, left, right in places:
        beside = [other for other in places if other[0] == y and other[1:] != (left, right)]
        assert all(right <= start or end <= left for _, start, end in beside)


def test_it_is_mirrored_where_one_reads_from_right_to_left(six_issues: Priorities) -> None:
    left, right = laid(six_issues), laid(six_issues, rtl=True)

    assert right.height == left.height
    assert [WIDTH - bar.x - bar.width for bar in right.bars] == [bar.x for bar in left.bars]


def test_a_picture_stands_before_the_title_of_its_issue(six_issues: Priorities) -> None:
    left, right = laid(six_issues), laid(six_issues, rtl=True)

    assert len(left.pictures) == len(six_issues.issues)
    for thing in left.pictures:
        (title,) = [words for words in left.texts if words.y == thing.y and words.font == "small_bold"][:1]
        assert thing.x + thing.width < title.x
    assert [WIDTH - thing.x - thing.width for thing in right.pictures] == [thing.x for thing in left.pictures]
