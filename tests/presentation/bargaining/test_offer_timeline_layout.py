"""The timeline of all offers: the position of each, and the comparison of two."""

from __future__ import annotations

from itertools import pairwise

import pytest

from negoplatform.core.visibility import Observer, view_of
from negoplatform.presentation.bargaining.offer_timeline_layout import (
    HEIGHT,
    NEWEST,
    PAD,
    WIDEST_STEP,
    mark_height,
    nearest_mark,
    place_marks,
    timeline_drawing,
)
from negoplatform.presentation.color_palette import LIGHT
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.plots.drawing import Marker, Polyline
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry
from negoplatform.testing import TrialTable
from tests.games import burdens
from tests.presentation.bargaining_desk import BargainingDesk

DESK = BargainingDesk("human", {"agent": "Rowan"}, ENGLISH)
WHOLE = {"bananas": (4, 0), "grain": (3, 2), "wood": (0, 3), "spices": (0, 3)}


def offers(table: TrialTable) -> list[TranscriptEntry]:
    """Return the offers as the human sees them."""
    state = view_of(table.state, Observer("human")).state
    lines = DESK.transcript_entries(state, state.transcript_of("human"))
    return [line for line in lines if line.kind.startswith("offer")]


def test_an_offer_is_as_high_as_it_is_worth_and_a_partial_one_is_a_range(table: TrialTable) -> None:
    table.human.offers(WHOLE)
    table.agent.offers(bananas=(1, 3))

    whole, partial = offers(table)

    assert whole.share_range == pytest.approx((25 / 40, 25 / 40))
    assert partial.share_range == pytest.approx((4 / 40, 28 / 40))
    first, second = place_marks([whole, partial], 400)
    assert first.low == first.high == mark_height(25 / 40)
    assert PAD <= second.high < second.y < second.low <= HEIGHT - PAD


def test_nothing_of_the_other_sides_points_is_told(table: TrialTable) -> None:
    """Make an offer worth 0 to the human and 35 to the other side."""
    table.agent.offers(bananas=(0, 4), grain=(0, 5), wood=(0, 3), spices=(0, 3))

    (line,) = offers(table)

    assert line.share_range[0] == line.share_range[1] == 0
    assert "35" not in repr(line)


def test_where_everything_costs_the_best_is_still_the_highest() -> None:
    table = TrialTable(burdens())
    table.human.offers(chores=(0, 10))
    table.agent.offers(chores=(10, 0))
    table.human.offers(chores=(5, 5))

    assert [line.share_range[0] for line in offers(table)] == [1.0, 0.0, 0.5]


def test_offers_stand_in_their_order_from_where_reading_starts_however_many_there_are() -> None:
    lines = [
        TranscriptEntry("offer_mine" if i % 2 else "offer_theirs", "", "", seq=i, share_range=(0.5, 0.5))
        for i in range(300)
    ]

    few, many, turned = (
        place_marks(lines[:3], 500),
        place_marks(lines, 500),
        place_marks(lines[:3], 500, rtl=True),
    )

    assert [b.x - a.x for a, b in pairwise(few)] == [WIDEST_STEP, WIDEST_STEP]
    assert PAD < many[0].x < many[-1].x < 500 - PAD
    assert [500 - mark.x for mark in turned] == [mark.x for mark in few]


@pytest.mark.parametrize("rtl", [False, True])
def test_words_at_the_end_are_covered_by_no_offer_and_by_no_line(rtl: bool) -> None:
    lines = [TranscriptEntry("offer_mine", "", "", seq=i, share_range=(0.5, 0.5)) for i in range(200)]

    marks = place_marks(lines, 500, end=60, rtl=rtl)
    drawn = timeline_drawing(marks, 500, no_deal=0.5, chosen=None, colours=LIGHT, title="", end=60, rtl=rtl)

    no_deal = drawn.items[0]
    assert isinstance(no_deal, Polyline)
    places = [mark.x for mark in marks] + [x for x, _y in no_deal.points]
    free = (0, 60) if rtl else (440, 500)
    assert not [x for x in places if free[0] - NEWEST < x < free[1] + NEWEST]


def test_the_nearest_offer_is_meant_and_none_far_from_all() -> None:
    marks = place_marks([TranscriptEntry("offer_mine", "", "", seq=i) for i in range(3)], 500)

    assert nearest_mark(marks, marks[1].x + 4) == 1
    assert nearest_mark(marks, 400) is None
    assert nearest_mark((), 10) is None


def test_own_offers_are_discs_the_other_sides_squares_and_the_newest_is_larger() -> None:
    lines = [
        TranscriptEntry("offer_theirs", "", "", share_range=(0.2, 0.2)),
        TranscriptEntry("offer_mine", "", "", share_range=(0.3, 0.9)),
        TranscriptEntry("offer_theirs", "", "", share_range=(0.4, 0.4)),
    ]
    marks = place_marks(lines, 300)

    drawn = timeline_drawing(marks, 300, no_deal=0.3, chosen=0, colours=LIGHT, title="")

    ring, first, second, third = (item for item in drawn.items if isinstance(item, Marker))
    assert [dot.shape for dot in (first, second, third)] == ["square", "circle", "square"]
    assert third.radius > first.radius
    assert (second.fill, first.fill) == (LIGHT.card, LIGHT.theirs)
    assert (ring.edge, ring.x) == (LIGHT.focus, first.x)


def test_two_offers_are_compared_with_the_later_one_first(table: TrialTable) -> None:
    mine = table.human.offers(WHOLE)
    theirs = table.agent.offers(bananas=(3, 1), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    again = table.agent.offers(bananas=(2, 2), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    view = view_of(table.state, Observer("human"))

    one = DESK.bargaining.comparison(view.state, 0.0, (mine.seq, theirs.seq))
    two = DESK.bargaining.comparison(view.state, 0.0, (again.seq, theirs.seq))

    assert one is not None
    assert (one.first, one.second, one.total.words) == ("Rowan’s offer", "Your offer", "4 points worse")
    assert two is not None
    assert (two.first, two.second) == ("The later offer", "The earlier offer")
    assert DESK.bargaining.comparison(view.state, 0.0, (mine.seq, 10_000)) is None
