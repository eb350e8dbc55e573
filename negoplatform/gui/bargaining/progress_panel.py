"""Panel with the status of every issue: a mark, the issue, and words."""

from __future__ import annotations

import tkinter as tk
from typing import NamedTuple

from PIL import Image, ImageDraw

from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.rounded_shapes import SUPERSAMPLING
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.presentation.bargaining.issue_progress_view import ProgressRow, ProgressView
from negoplatform.presentation.color_palette import Palette
from negoplatform.presentation.issue_agreement import Progress

MARK_SIZE = 16

PADDING = 12

BESIDE_MARK = 24
"""Width taken by a mark, in pixels at 96 dpi."""


def draw_progress_mark(progress: Progress, size: int, colours: Palette) -> Image.Image:
    """Return a ticked disc, an empty disc, a disc with = or a square with ≠: distinct without colours."""
    n, c = size * SUPERSAMPLING, colours
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


class ProgressRowWidgets(NamedTuple):
    """Widgets of a row of the panel."""

    mark: tk.Label
    title: BidiLabel
    words: BidiLabel


class ProgressPanel:
    """Card with a row for each issue.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
    """

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        self._theme = theme
        self._shown: ProgressView | None = None
        self._rows: list[ProgressRowWidgets] = []
        self._width = theme.px(200)
        self._marks = {
            progress: theme.picture(draw_progress_mark(progress, theme.px(MARK_SIZE), theme.colours))
            for progress in Progress
        }
        self.frame = theme.card(parent, PADDING)
        head = theme.frame(self.frame)
        # Indented like the rows, which have a focus ring around them.
        head.pack(fill="x", padx=theme.px(2), pady=(0, theme.px(4)))
        theme.label(head, theme.translate("Progress"), "bold").pack(side=theme.start)
        self._summary = theme.label(head, "", "small", theme.colours.muted)
        self._summary.pack(side=theme.end)
        self._head = head
        self._list = ScrolledFrame(self.frame, theme, width=1, height=4000)
        self._list.frame.pack(fill="both", expand=True)

    def show(self, view: ProgressView) -> bool:
        """Show the status of the issues; return whether it changed."""
        if view == self._shown:
            return False
        before, self._shown = self._shown, view
        self._summary.write(view.summary)
        if not self._rows:
            for row in view.rows:
                self._add(row)
            self._list.bind_scrolling(self._list.inside)
        for index, (row, line) in enumerate(zip(view.rows, self._rows, strict=True)):
            if before is None or before.rows[index] != row:
                self._write(line, row)
        return True

    @property
    def height(self) -> int:
        """Height in pixels at which nothing has to scroll."""
        px = self._theme.px
        head = self._head_height() + px(4)
        return 2 * px(PADDING) + head + sum(map(self._height_of, self._rows)) + 2 * px(2)

    def _head_height(self) -> int:
        return max(child.winfo_reqheight() for child in self._head.winfo_children())

    def _height_of(self, row: ProgressRowWidgets) -> int:
        # Measure the labels: their frame learns their size only when Tk is idle.
        title, words = row.title.winfo_reqheight(), row.words.winfo_reqheight()
        texts = max(title, words) if self._fits_on_line(row) else title + words
        mark = self._theme.px(MARK_SIZE) + self._theme.px(1)
        return max(texts, mark) + 2 * self._theme.px(1)

    def _fits_on_line(self, row: ProgressRowWidgets) -> bool:
        """Return whether title and words fit side by side."""
        theme = self._theme
        needed = theme.font("small_bold").measure(row.title.logical_text) + theme.font("small").measure(
            row.words.logical_text
        )
        return needed + theme.px(10) < self._width

    def arrange(self, width: int) -> None:
        """Wrap the texts for a card of a width in pixels."""
        px = self._theme.px
        inside = width - 2 * px(PADDING) - px(BESIDE_MARK) - 2 * px(2)
        if inside == self._width or inside < px(60):
            return
        self._width = inside
        if self._shown is not None:
            for line, row in zip(self._rows, self._shown.rows, strict=True):
                self._write(line, row)

    def _add(self, row: ProgressRow) -> None:
        theme, px = self._theme, self._theme.px
        line = theme.frame(self._list.inside)
        line.pack(fill="x", pady=px(1))
        mark = tk.Label(line, bg=theme.colours.card, bd=0, padx=0, pady=0)
        mark.pack(side=theme.start, anchor="n", padx=theme.padx(0, 8), pady=(px(1), 0))
        texts = theme.frame(line)
        texts.pack(side=theme.start, fill="x", expand=True)
        title = theme.label(texts, row.title, "small_bold")
        title.pack(anchor=theme.west, side=theme.start)
        words = theme.label(texts, "", "small")
        self._rows.append(ProgressRowWidgets(mark, title, words))

    def _write(self, line: ProgressRowWidgets, row: ProgressRow) -> None:
        """Show a row, with the words next to the title if both fit on the line, else below it."""
        theme = self._theme
        line.mark.configure(image=self._marks[row.progress])
        line.words.write(row.words, self._colour(row.progress))
        for caption in (line.title, line.words):
            caption.wrap_to(self._width)
        on_line = self._fits_on_line(line)
        line.title.pack_configure(side=theme.start if on_line else "top")
        line.words.pack(side=theme.end if on_line else "top", anchor=theme.west)

    def _colour(self, progress: Progress) -> str:
        c = self._theme.colours
        return c.accept if progress is Progress.AGREED else c.muted
