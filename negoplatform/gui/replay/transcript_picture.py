"""A whole transcript as a drawing: the time, who it was, and the words. No Tk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from negoplatform.gui.plots.figure import Paper
from negoplatform.gui.plots.plot_fonts import shortened, width_of
from negoplatform.presentation.bidi import wrapped
from negoplatform.presentation.color_palette import Palette
from negoplatform.presentation.plots.drawing import Area, Axes, Drawing, Item, Text
from negoplatform.presentation.transcript.transcript_entries import Line, said

MARGIN, SIZE, LEADING, GAP = 16.0, 12.0, 17.0, 7.0
TIME, NAME = 48.0, 110.0
"""The columns before the words."""

BAR = 3.0


def transcript_picture(lines: Sequence[Line], paper: Paper) -> Drawing:
    """All lines below each other; the drawing is as high as they need."""
    items: list[Item] = []
    y = MARGIN + LEADING / 2
    for line in lines:
        items += _placed(line, y, paper)
        y += len(_words(line, paper)) * LEADING + GAP
    height = y + MARGIN
    axes = Axes(0, 0, paper.width, height, (0, 1), (0, 1))
    title = paper.say("Transcript")
    return Drawing(paper.width, height, paper.colours.card, title, tuple(items), axes, paper.say.rtl)


def _placed(line: Line, y: float, paper: Paper) -> Iterator[Item]:
    """One line of the transcript, from a height on."""
    colours, words = paper.colours, _words(line, paper)
    yield _at(MARGIN, y, line.time, colours.muted, paper)
    who = "" if line.is_emotion else shortened(line.who, SIZE, NAME - 14, bold=True)
    if who:
        ink = _ink(line, colours)
        bar = MARGIN + TIME
        x = paper.width - bar - BAR if paper.say.rtl else bar
        side = colours.mine if line.mine else colours.theirs
        yield Area(x, y - LEADING / 2 + 1, BAR, len(words) * LEADING - 2, side)
        yield _at(MARGIN + TIME + 8, y, who, ink, paper, bold=True)
    for row, text in enumerate(words):
        yield _at(MARGIN + TIME + NAME, y + row * LEADING, text, _ink_of_words(line, colours), paper)


def _words(line: Line, paper: Paper) -> list[str]:
    most = paper.width - 2 * MARGIN - TIME - NAME
    return [
        row
        for part in said(line).split("\n")
        for row in wrapped(part, most, lambda text: width_of(text, SIZE))
    ]


def _ink(line: Line, colours: Palette) -> str:
    return colours.primary if line.mine else colours.theirs_words


def _ink_of_words(line: Line, colours: Palette) -> str:
    if line.kind == "refusal":
        return colours.warning
    quiet = line.is_emotion or not line.who
    return colours.muted if quiet and line.kind != "announcement" else colours.ink


def _at(across: float, y: float, text: str, colour: str, paper: Paper, *, bold: bool = False) -> Text:
    """Words so far from where reading starts."""
    if paper.say.rtl:
        return Text(paper.width - across, y, text, colour, SIZE, bold, "end")
    return Text(across, y, text, colour, SIZE, bold, "start")
