"""What is agreed, open and disputed so far: a mark, the issue, and words."""

from __future__ import annotations

import tkinter as tk
from typing import NamedTuple

from PIL import Image, ImageDraw

from negoplatform.gui.agreement import Progress
from negoplatform.gui.caption import Caption
from negoplatform.gui.other_panel import PANEL_WIDTH
from negoplatform.gui.paint import TIMES
from negoplatform.gui.palette import Palette
from negoplatform.gui.scrolled import ScrolledFrame
from negoplatform.gui.theme import Theme
from negoplatform.gui.view import TrackerRow, TrackerView

MARK_SIZE = 16

WORDS_WIDTH = PANEL_WIDTH - 36
"""Of what stands beside a mark, for 96 dpi."""

MOST_HEIGHT = 170
"""Of the rows, for 96 dpi; more of them scroll."""


def draw_mark(progress: Progress, size: int, colours: Palette) -> Image.Image:
    """A full disc with a tick, a hollow one, one with an =, a square with a ≠: shapes, not colours alone."""
    n, c = size * TIMES, colours
    image = Image.new("RGB", (n, n), c.card)
    pen = ImageDraw.Draw(image)
    box, line = (n * 0.06, n * 0.06, n * 0.94, n * 0.94), round(n * 0.1)
    match progress:
        case Progress.AGREED:
            pen.ellipse(box, fill=c.accept)
            points = [(n * 0.28, n * 0.52), (n * 0.44, n * 0.68), (n * 0.73, n * 0.34)]
            pen.line(points, fill=c.on_accept, width=line, joint="curve")
        case Progress.OPEN:
            pen.ellipse(box, outline=c.edge, width=line)
        case Progress.SAME | Progress.DIFFER:
            if progress is Progress.SAME:
                pen.ellipse(box, outline=c.edge, width=line)
            else:
                pen.rounded_rectangle(box, n * 0.2, outline=c.edge, width=line)
                pen.line([(n * 0.38, n * 0.78), (n * 0.62, n * 0.22)], fill=c.ink, width=line)
            for y in (0.4, 0.6):
                pen.line([(n * 0.3, n * y), (n * 0.7, n * y)], fill=c.ink, width=line)
    return image.resize((size, size), Image.Resampling.LANCZOS)


class Row(NamedTuple):
    """What a row of the tracker is made of."""

    mark: tk.Label
    title: Caption
    words: Caption


class TrackerPanel:
    """A card with a row per issue.

    Args:
        parent: Where it is put.
        theme: Its looks.
    """

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        self._theme = theme
        self._shown: TrackerView | None = None
        self._rows: list[Row] = []
        self._marks = {
            progress: theme.picture(draw_mark(progress, theme.px(MARK_SIZE), theme.colours))
            for progress in Progress
        }
        self.frame = theme.card(parent, 12)
        head = theme.frame(self.frame)
        head.pack(fill="x", pady=(0, theme.px(4)))
        theme.label(head, theme.say("Progress"), "bold").pack(side=theme.start)
        self._summary = theme.label(head, "", "small", theme.colours.muted)
        self._summary.pack(side=theme.end)
        self._list = ScrolledFrame(self.frame, theme, width=PANEL_WIDTH, height=MOST_HEIGHT)
        self._list.frame.pack(fill="x")

    def show(self, view: TrackerView) -> None:
        """Shows how far the seats are."""
        if view == self._shown:
            return
        before, self._shown = self._shown, view
        self._summary.write(view.summary)
        if not self._rows:
            for row in view.rows:
                self._add(row)
            self._list.watch(self._list.inside)
        for index, (row, line) in enumerate(zip(view.rows, self._rows, strict=True)):
            if before is None or before.rows[index] != row:
                self._write(line, row)

    def _add(self, row: TrackerRow) -> None:
        theme, px = self._theme, self._theme.px
        line = theme.frame(self._list.inside)
        line.pack(fill="x", pady=px(2))
        mark = tk.Label(line, bg=theme.colours.card, bd=0, padx=0, pady=0)
        mark.pack(side=theme.start, anchor="n", padx=theme.beside(0, 6), pady=(px(1), 0))
        texts = theme.frame(line)
        texts.pack(side=theme.start, fill="x", expand=True)
        title = theme.label(texts, row.title, "small_bold", wrap=WORDS_WIDTH)
        title.pack(anchor=theme.west, side=theme.start)
        words = theme.label(texts, "", "small", wrap=WORDS_WIDTH)
        self._rows.append(Row(mark, title, words))

    def _write(self, line: Row, row: TrackerRow) -> None:
        """The words stand beside the title if both find room there, else below it."""
        theme = self._theme
        line.mark.configure(image=self._marks[row.progress])
        line.words.write(row.words, self._colour(row.progress))
        needed = theme.font("small_bold").measure(row.title) + theme.font("small").measure(row.words)
        beside = needed + theme.px(10) < theme.px(WORDS_WIDTH)
        line.title.pack_configure(side=theme.start if beside else "top")
        line.words.pack(side=theme.end if beside else "top", anchor=theme.west)

    def _colour(self, progress: Progress) -> str:
        c = self._theme.colours
        return c.accept if progress is Progress.AGREED else c.muted
