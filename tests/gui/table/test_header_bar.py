"""Header bar, and its text about the other side's activity, computed without a window."""

from __future__ import annotations

from negoplatform.core.visibility import Observer, view_of
from negoplatform.gui.table.header_bar import HEADER_LAYOUTS, HeaderLayout, choose_layout
from negoplatform.presentation.bargaining.bargaining_presenter import BargainingView
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.offers.offer_valuation import NoDealComparison
from negoplatform.presentation.table.table_view import TableView
from negoplatform.testing import TrialTable
from tests.presentation.bargaining_desk import BargainingDesk


def seen(table: TrialTable, now: float = 0.0) -> TableView[BargainingView]:
    """Return the participant's view of a table, with an empty draft."""
    desk = BargainingDesk("human", {"agent": "Rowan"}, ENGLISH)
    return desk.table(view_of(table.state, Observer("human")), now, Draft(table.state.game))


def test_the_last_minute_is_said_in_words_too(table: TrialTable) -> None:
    table.start()

    assert not seen(table, 539.0).header.urgent
    assert seen(table, 539.0).header.clock_words == "time left"
    assert seen(table, 541.0).header.urgent
    assert seen(table, 541.0).header.clock_words == "last minute"


def test_the_header_says_what_the_figure_is_before_during_and_after(table: TrialTable) -> None:
    table.start()
    before = seen(table).header
    offer = table.human.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    during = seen(table).header
    table.agent.accepts(offer)
    table.human.accepts(offer)
    after = seen(table, 700.0).header

    assert (before.points, before.points_words, before.versus) == ("", "No offer yet", NoDealComparison.OPEN)
    assert (during.points, during.points_words) == ("25", "points if accepted")
    assert (after.points, after.points_words) == ("25", "points – your result")
    assert [header.compared for header in (before, during, after)] == [
        "No deal: 12 points",
        *["13 points better than no deal (12)"] * 2,
    ]
    assert (after.clock_words, after.urgent, after.can_walk_away) == ("negotiation ended", False, False)
    assert before.can_walk_away


def test_the_ring_shows_the_share_of_the_time_that_is_left(table: TrialTable) -> None:
    table.start()

    assert [seen(table, now).header.left for now in (0.0, 300.0, 600.0, 601.0)] == [1.0, 0.5, 0.0, 0.0]


def test_the_other_side_is_said_to_think_only_for_a_while_after_the_participants_own_words(
    table: TrialTable,
) -> None:
    said = table.human.says("What matters to you?")
    assert seen(table, said.t + 1).others[0].activity == "is thinking…"
    assert seen(table, said.t + 7).others[0].activity == ""

    offer = table.human.offers(bananas=(2, 2))
    assert seen(table, offer.t + 1).others[0].activity == "is thinking about your offer…"

    table.agent.says("No.")
    assert seen(table, offer.t + 1).others[0].activity == ""


def form(width: int, *, title: int = 120, subtitle: int = 330) -> HeaderLayout:
    """Return the layout of a header of this width, whose title and subtitle have these widths."""
    return choose_layout(
        lambda form: width - 400 - 48 * form.ring - (180 if form.words else 60), title, subtitle
    )


def test_a_narrow_header_leaves_out_the_ring_first_and_the_title_last() -> None:
    assert form(1200) == HEADER_LAYOUTS[0]
    assert form(930) == HeaderLayout(ring=False, words=True, lines=1)
    assert form(820) == HeaderLayout(ring=False, words=True, lines=2)
    assert form(700) == HeaderLayout(ring=False, words=False, lines=2)
    assert form(600) == HeaderLayout(ring=False, words=False, lines=0)
    assert form(500) == HEADER_LAYOUTS[-1]


def test_a_short_title_needs_no_second_line() -> None:
    assert form(820, subtitle=150) == HEADER_LAYOUTS[0]
