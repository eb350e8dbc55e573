"""Plots of a recorded session: their items, and the three ways to show them."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from negoplatform.app.playback.outcome_space import outcome_space
from negoplatform.app.playback.playback import TimelineMarkKind
from negoplatform.core.visibility import EXPERIMENTER, Observer
from negoplatform.gui.plots.outcome_plot_drawing import offer_ring, outcomes_plot
from negoplatform.gui.plots.plot_drawing_builder import AxisScale, PlotDrawingBuilder, PlotStyle
from negoplatform.gui.plots.plot_fonts import shorten_text, text_width
from negoplatform.gui.plots.utility_plot_drawing import time_cursor
from negoplatform.presentation.color_palette import DARK, HIGH_CONTRAST, LIGHT, Palette, contrast_ratio
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.plots.axis_ticks import ticks, time_text, time_ticks
from negoplatform.presentation.plots.drawing import (
    Axes,
    DrawingItem,
    FilledArea,
    FilledRectangle,
    Marker,
    Polyline,
    TextLabel,
)
from negoplatform.testing import TrialTable
from tests.games import categorical_only, three_seats
from tests.gui.plots.plotted import NAMES, Session, Whispering, dots, lines, paper, talk, words
from tests.many_seats import FLATS, roof
from tests.x_server import Screen


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path, categorical_only(), talk, NAMES)


# Utility plot


def test_from_four_seats_on_each_has_a_row_in_which_nothing_of_another_is_drawn(tmp_path: Path) -> None:
    def play(table: TrialTable) -> None:
        for flat, year in zip(FLATS, 4 * ["this year", "next year"], strict=True):
            table.participant(flat).offers(kind="grass", year=year, terraces=(1, 1, 0, 0, 0, 0, 0, 0))
            table.wait(5)

    session = Session(tmp_path, roof(), play, {flat: flat.title() for flat in FLATS})
    drawing = session.utilities(paper())

    axes, offers = drawing.axes, [dot for dot in dots(drawing) if dot.position is not None]
    rows = [
        (min(heights), max(heights))
        for side in session.sides()
        if (heights := [dot.y for dot in offers if (dot.shape, dot.edge) == (side.shape, side.colour)])
    ]
    keys = [dot.y for dot in dots(drawing, told=False) if dot.x < axes.left]
    assert len(rows) == len(keys) == 8
    assert axes.top <= rows[0][0]
    assert all(above[1] < below[0] for above, below in pairwise(rows))
    assert all(above < below for above, below in pairwise(keys))
    assert rows[-1][1] <= axes.bottom


def test_each_worth_stays_until_the_next_offer(session: Session) -> None:
    drawing = session.utilities(paper())
    axes = drawing.axes

    flat = [line.points for line in lines(drawing, LIGHT.mine) if line.width == 2 and line.dash is None]

    def level(start: float, end: float, share: float) -> tuple[tuple[float, float], ...]:
        return ((axes.x(start), axes.y(share)), (axes.x(end), axes.y(share)))

    own = [spots for spots in flat if spots[0][1] > axes.top]
    assert own == [level(0, 60, 1), level(60, 120, 0), level(120, 180, 0), level(180, 180, 4 / 11)]


def test_a_mark_tells_whose_the_offer_was_by_form_and_filling(session: Session) -> None:
    drawing = session.utilities(paper())

    first = [dot for dot in dots(drawing) if dot.x == drawing.axes.x(0)]
    second = [dot for dot in dots(drawing) if dot.x == drawing.axes.x(60)]

    assert [(dot.shape, dot.fill) for dot in first] == [("circle", LIGHT.mine), ("square", LIGHT.card)]
    assert [(dot.shape, dot.fill) for dot in second] == [("circle", LIGHT.card), ("square", LIGHT.theirs)]
    assert "Filled mark: this side made the offer." in words(drawing)


def test_no_deal_is_a_dashed_line_for_each_side(session: Session) -> None:
    drawing = session.utilities(paper())
    y = drawing.axes.y(3 / 11)

    for colour in (LIGHT.mine, LIGHT.theirs):
        dashed = [line for line in lines(drawing, colour) if line.dash]
        assert [line.points[0][1] for line in dashed] == [pytest.approx(y)]
    assert {"no deal", "to Participant", "to Rowan", "deal"} <= set(words(drawing))


def test_a_mark_tells_its_offer_in_words(session: Session) -> None:
    drawing = session.utilities(paper())

    tips = list(dict.fromkeys(dot.tooltip for dot in dots(drawing)))

    assert tips[0] == "Offer 1, Participant, 0:00\nParticipant: 11 points\nRowan: 0 points"
    assert tips[-1].splitlines() == [
        "Offer 4, Rowan, 3:00",
        "Participant: 4 points",
        "Rowan: 9 points",
        "concession: less for this side, no less for the other",
        "became the deal",
    ]


def test_as_the_human_nothing_of_the_agents_is_drawn(session: Session) -> None:
    drawing = session.utilities(paper(), Observer("human"))

    assert {dot.shape for dot in dots(drawing)} == {"circle"}
    assert not lines(drawing, LIGHT.theirs)
    assert "to Rowan" not in words(drawing)
    assert not any("Rowan:" in dot.tooltip or "concession" in dot.tooltip for dot in dots(drawing))


def test_the_cursor_is_no_part_of_the_drawing(session: Session) -> None:
    drawing = session.utilities(paper())

    line, mark = time_cursor(drawing, 90, LIGHT.ink)

    assert isinstance(line, Polyline)
    assert isinstance(mark, Marker)
    assert line.points == ((drawing.axes.x(90), drawing.axes.top), (drawing.axes.x(90), drawing.axes.bottom))
    assert line not in drawing.items
    assert time_cursor(drawing, 10_000, LIGHT.ink) == time_cursor(drawing, 180, LIGHT.ink)


def test_a_session_without_an_offer_has_a_plot_too(tmp_path: Path) -> None:
    session = Session(tmp_path, categorical_only(), lambda table: table.human.says("Hello"), NAMES)

    drawing = session.utilities(paper())

    assert dots(drawing) == []
    assert "What the offers were worth" in words(drawing)


# Outcome plot


def test_every_deal_has_its_dot_and_the_best_ones_their_line_and_their_names(session: Session) -> None:
    drawing = session.outcomes(paper())
    space = outcome_space(session.playback.game)
    axes = drawing.axes

    frontier = [line for line in lines(drawing, LIGHT.accept) if len(line.points) == len(space.frontier)]
    named = {
        dot.tooltip: (dot.x, dot.y) for dot in dots(drawing) if dot.tooltip in ("Nash", "Kalai–Smorodinsky")
    }
    plain = {(dot.x, dot.y) for dot in dots(drawing, told=False) if dot.fill == LIGHT.edge}

    assert {(axes.x(x), axes.y(y)) for x, y in space.dots} <= plain
    assert [line.points for line in frontier] == [tuple((axes.x(x), axes.y(y)) for x, y in space.frontier)]
    assert named["Nash"] in {(axes.x(x), axes.y(y)) for x, y in space.nash}
    assert named["Kalai–Smorodinsky"] in {(axes.x(x), axes.y(y)) for x, y in space.kalai_smorodinsky}
    assert any("Nash" in text for text in words(drawing))
    assert any("Kalai–Smorodinsky" in text for text in words(drawing))
    assert {"Points of Participant", "Points of Rowan", "Pareto frontier", "no deal"} <= set(words(drawing))


def test_the_way_of_the_offers_is_numbered_and_joined(session: Session) -> None:
    drawing = session.outcomes(paper())
    axes = drawing.axes

    offers = [dot for dot in dots(drawing) if dot.position is not None]

    assert [(dot.shape, dot.x, dot.y) for dot in offers] == [
        ("circle", axes.x(11), axes.y(0)),
        ("circle", axes.x(6), axes.y(5)),  # red as before, and small now
        ("square", axes.x(0), axes.y(11)),
        ("square", axes.x(4), axes.y(9)),
    ]
    assert {"1", "2", "3", "4"} <= set(words(drawing))
    assert ((axes.x(11), axes.y(0)), (axes.x(6), axes.y(5))) in [
        line.points for line in lines(drawing, LIGHT.mine)
    ]
    assert offers[-1].fill == LIGHT.theirs
    assert "deal" in words(drawing)


def test_what_is_left_out_is_said(session: Session) -> None:
    space = outcome_space(session.playback.game)
    sampled = replace(space, total=1_234_567, sample_size=4000, frontier=(), nash=(), kalai_smorodinsky=())
    partial = [replace(offer, proposal_points=None) for offer in session.offers()]

    drawing = outcomes_plot(
        paper(), replace(sampled, frontier_error="It would take too long."), partial, session.sides()
    )

    said = words(drawing)
    assert "4,000 of 1,234,567 possible deals are shown, chosen at random." in said
    assert "4 incomplete offers aren’t shown here." in said
    assert "It would take too long." in said
    assert "Pareto frontier" not in said
    assert [dot for dot in dots(drawing) if dot.position is not None] == []


def test_of_many_offers_the_first_and_the_last_are_numbered(tmp_path: Path) -> None:
    def haggle(table: TrialTable) -> None:
        for number in range(40):
            table.human.offers(
                colour=("red", "green", "blue")[number % 3], size=("small", "large")[number % 2]
            )
            table.wait(1)

    drawing = Session(tmp_path, categorical_only(), haggle, NAMES).outcomes(paper())

    assert {"1", "40"} <= set(words(drawing))
    assert not {"17", "22"} & set(words(drawing))
    assert len([dot for dot in dots(drawing) if dot.position is not None]) == 40


def test_three_seats_are_shown_two_at_a_time(tmp_path: Path) -> None:
    names = {"red": "Ruth", "green": "Gil", "blue": "Bea"}

    def play(table: TrialTable) -> None:
        table.participant("red").offers(coins=(2, 1, 1), colour="red")
        table.participant("blue").offers(coins=(0, 0, 4), colour="blue")

    session = Session(tmp_path, three_seats(), play, names)
    space = outcome_space(session.playback.game)

    drawing = outcomes_plot(paper(), space, session.offers(), session.sides(), pair=(2, 0))
    offers = [dot for dot in dots(drawing) if dot.position is not None]

    assert {"Points of Bea", "Points of Ruth"} <= set(words(drawing))
    assert (offers[0].x, offers[0].y) == (drawing.axes.x(2), drawing.axes.y(7))
    assert len({dot.shape for dot in offers}) == 2
    frontier = {dot.fill for dot in dots(drawing, told=False) if dot.radius == 3 and dot.shape == "circle"}
    assert LIGHT.ink in frontier
    assert not frontier & {side.colour for side in session.sides()}
    assert len(session.utilities(paper()).items) > 20


def test_a_ring_shows_where_an_offer_lies(session: Session) -> None:
    drawing = session.outcomes(paper())

    (ring,) = offer_ring(drawing, (4, 9), LIGHT.ink)

    assert isinstance(ring, Marker)
    assert (ring.x, ring.y, ring.fill) == (drawing.axes.x(4), drawing.axes.y(9), "")
    assert offer_ring(drawing, None, LIGHT.ink) == ()


# Labels


def test_everything_that_is_no_data_goes_through_the_language(session: Session) -> None:
    for drawing in (
        session.utilities(paper(translate=Whispering())),
        session.outcomes(paper(translate=Whispering())),
    ):
        own = [text for text in words(drawing) if not text.startswith("~")]

        assert all(text.replace(":", "").replace(".", "").isdigit() for text in own), own
        tips = [line for dot in dots(drawing) for line in dot.tooltip.splitlines()]
        assert all(tip.startswith("~") for tip in tips), tips


def test_a_plot_in_hebrew_starts_at_the_right(session: Session) -> None:
    drawing = session.outcomes(paper(translate=Whispering("he")))

    title = next(item for item in drawing.items if isinstance(item, TextLabel) and item.bold)

    assert drawing.rtl
    assert (title.x, title.anchor) == (550, "end")
    assert all(0 <= dot.x <= drawing.width for dot in dots(drawing, told=False))


@pytest.mark.parametrize("colours", [LIGHT, DARK, HIGH_CONTRAST], ids=["light", "dark", "high contrast"])
def test_words_and_lines_can_be_seen(session: Session, colours: Palette) -> None:
    for drawing in (session.utilities(paper(colours)), session.outcomes(paper(colours))):
        for item in drawing.items:
            if isinstance(item, TextLabel) and item.colour != colours.card:  # on a filled mark
                assert contrast_ratio(item.colour, drawing.ground) >= 4.5, item
            if isinstance(item, Polyline) and item.colour != colours.track:  # the grid only helps
                assert contrast_ratio(item.colour, drawing.ground) >= 3, item


def test_nothing_is_drawn_beyond_the_edges(session: Session) -> None:
    for drawing in (session.utilities(paper()), session.outcomes(PlotStyle(LIGHT, ENGLISH, 340, 360))):
        for item in drawing.items:
            for x, y in _spots(item):
                assert 0 <= x <= drawing.width, item
                assert 0 <= y <= drawing.height, item


def _spots(item: DrawingItem) -> list[tuple[float, float]]:
    match item:
        case Polyline(spots) | FilledArea(spots):
            return list(spots)
        case FilledRectangle(x, y, width, height):
            return [(x, y), (x + width, y + height)]
        case TextLabel(x, y, text, size=size, bold=bold, anchor=anchor):
            left = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * text_width(text, size, bold)
            return [(x - left, y - size / 2), (x - left + text_width(text, size, bold), y + size / 2)]
        case Marker():
            return [(item.x, item.y)]


def test_a_label_stays_inside_where_no_place_for_it_is_free() -> None:
    figure = PlotDrawingBuilder(PlotStyle(LIGHT, ENGLISH), "Plot")
    scale = AxisScale((0.0, 1.0), (0.0, 1.0), ("0", "1"), "")
    axes = figure.draw_axes(scale, scale)
    figure.reserve(axes.x(0.5), axes.y(0.5), 1000)

    figure.add_label((axes.x(1.0), axes.y(0.9)), "Nash, Kalai–Smorodinsky", LIGHT.ink, off=10)

    label = figure.drawing().items[-1]
    assert isinstance(label, TextLabel)
    assert label.anchor == "end"
    assert label.x <= axes.right


def test_a_long_name_is_cut() -> None:
    cut = shorten_text("An extraordinarily long name of somebody", 11, 100)

    assert cut.endswith("…")
    assert 80 < text_width(cut, 11) <= 100
    assert shorten_text("Rowan", 11, 100) == "Rowan"


# Axes


def test_the_nearest_mark_is_found(session: Session) -> None:
    drawing = session.outcomes(paper())
    offer = next(dot for dot in dots(drawing) if dot.position is not None)

    assert drawing.nearest_marker(offer.x + 4, offer.y - 3) == offer
    assert drawing.nearest_marker(2, 2) is None
    assert [dot.position for dot in drawing.log_markers()] == [
        moment.position for moment in session.playback.markers(EXPERIMENTER, [TimelineMarkKind.OFFER])
    ]


def test_a_place_on_the_axis_is_a_value_again() -> None:
    axes = Axes(50, 0, 250, 100, (0, 60), (0, 1))

    assert axes.value_at(axes.x(45)) == pytest.approx(45)
    assert (axes.value_at(0), axes.value_at(999)) == (0, 60)


def test_ticks_are_round() -> None:
    assert ticks(0, 1, 6) == (0, 0.2, 0.4, 0.6, 0.8, 1.0)
    assert ticks(-3, 41, 6) == (0, 10, 20, 30, 40)
    assert ticks(0, 0.3, 4) == (0, 0.1, 0.2, 0.3)
    assert ticks(999_000, 1_001_000, 5) == (999_000, 999_500, 1_000_000, 1_000_500, 1_001_000)
    assert time_ticks(260, 8) == (0, 60, 120, 180, 240)
    assert time_ticks(1, 8) == (0, 1)
    assert time_ticks(86_400, 8) == (0, 14_400, 28_800, 43_200, 57_600, 72_000, 86_400)
    assert [time_text(t) for t in (0, 65, 3725)] == ["0:00", "1:05", "1:02:05"]


@pytest.mark.window
def test_a_plot_on_the_screen_is_pointed_at_walked_through_and_clicked() -> None:
    with Screen() as screen:
        found = subprocess.run(
            [sys.executable, "-m", "tests.gui.plots.plot_on_screen"],
            env=screen.env,
            capture_output=True,
            check=True,
            timeout=60,
        )

    told = json.loads(found.stdout)
    assert told["tips"] == ["the first", "the second", "the first", "the second", "", "the first"]
    assert told["picked"] == [8, 3, 50]
    assert told["kept"]
    assert told["cursor"] == [250, 50, 250, 150]
    assert told["errors"] == []
