"""Whole transcript as a drawing: time, name and text. No Tk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from negoplatform.gui.plots.plot_drawing_builder import PlotStyle
from negoplatform.gui.plots.plot_fonts import shorten_text, text_width
from negoplatform.presentation.bidi import wrap_lines
from negoplatform.presentation.color_palette import Palette
from negoplatform.presentation.plots.drawing import Axes, Drawing, DrawingItem, FilledRectangle, TextLabel
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry, entry_text

MARGIN, SIZE, LEADING, GAP = 16.0, 12.0, 17.0, 7.0
TIME, NAME = 48.0, 110.0
"""Widths of the columns before the text."""

BAR = 3.0


def transcript_picture(lines: Sequence[TranscriptEntry], style: PlotStyle) -> Drawing:
    """Return all lines as one drawing, as high as they need."""
    items: list[DrawingItem] = []
    y = MARGIN + LEADING / 2
    for line in lines:
        items += _placed(line, y, style)
        y += len(_words(line, style)) * LEADING + GAP
    height = y + MARGIN
    axes = Axes(0, 0, style.width, height, (0, 1), (0, 1))
    title = style.translate("Transcript")
    return Drawing(style.width, height, style.colours.card, title, tuple(items), axes, style.translate.rtl)


def _placed(line: TranscriptEntry, y: float, style: PlotStyle) -> Iterator[DrawingItem]:
    """Yield the items of one line of the transcript, from a height downwards."""
    colours, words = style.colours, _words(line, style)
    yield _at(MARGIN, y, line.time_text, colours.muted, style)
    who = "" if line.is_emotion else shorten_text(line.who, SIZE, NAME - 14, bold=True)
    if who:
        ink = _ink(line, colours)
        bar = MARGIN + TIME
        x = style.width - bar - BAR if style.translate.rtl else bar
        theirs = colours.theirs if line.mark is None else getattr(colours, line.mark.colour)
        side = colours.mine if line.is_mine else theirs
        yield FilledRectangle(x, y - LEADING / 2 + 1, BAR, len(words) * LEADING - 2, side)
        yield _at(MARGIN + TIME + 8, y, who, ink, style, bold=True)
    for row, text in enumerate(words):
        yield _at(MARGIN + TIME + NAME, y + row * LEADING, text, _ink_of_words(line, colours), style)


def _words(line: TranscriptEntry, style: PlotStyle) -> list[str]:
    most = style.width - 2 * MARGIN - TIME - NAME
    text = f"({line.address}) {entry_text(line)}" if line.address else entry_text(line)
    return [
        row
        for part in text.split("\n")
        for row in wrap_lines(part, most, lambda text: text_width(text, SIZE))
    ]


def _ink(line: TranscriptEntry, colours: Palette) -> str:
    theirs: str = colours.theirs_words if line.mark is None else getattr(colours, line.mark.text_colour)
    return colours.primary if line.is_mine else theirs


def _ink_of_words(line: TranscriptEntry, colours: Palette) -> str:
    if line.kind == "refusal":
        return colours.warning
    quiet = line.is_emotion or not line.who
    return colours.muted if quiet and line.kind != "announcement" else colours.ink


def _at(
    across: float, y: float, text: str, colour: str, style: PlotStyle, *, bold: bool = False
) -> TextLabel:
    """Return a text at a distance from the side where reading starts."""
    if style.translate.rtl:
        return TextLabel(style.width - across, y, text, colour, SIZE, bold, "end")
    return TextLabel(across, y, text, colour, SIZE, bold, "start")
