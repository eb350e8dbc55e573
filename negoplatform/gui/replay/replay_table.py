"""Table of rows of which one is marked, for the sections of the researcher's panel."""

from __future__ import annotations

import math
import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from tkinter import ttk

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.timers import Ticker
from negoplatform.presentation.transcript.text_metrics import TextMetrics

STYLE = "Offers.Treeview"

UNSCROLLED = 12
"""Number of rows that always fit without scrolling."""

FIT_MS = 15
"""Milliseconds after a change until the texts in view are shortened."""

CELL_PADDING = 10
"""Space in a column that its text does not have, at 96 dpi."""


@dataclass(frozen=True, slots=True)
class ReplayTableColumn:
    """Column of a table.

    Args:
        name: Its name in the table.
        title: Its title in the window's language.
        width: Its width at 96 dpi.
        stretches: Whether it takes the room that the others leave.
    """

    name: str
    title: str
    width: int
    stretches: bool = False


class ReplayTable:
    """Table whose marked row follows the program, until the user chooses another one.

    A text that is too long for a column that stretches ends with an ellipsis; only rows in view are measured.

    Args:
        parent: The parent widget.
        theme: The window's theme.
        columns: The columns, in reading order.
        on_choose: Called with the number of a row that the user has chosen; the first row is 1.
        scrolls_across: Whether the columns may need more width than there is.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        columns: Sequence[ReplayTableColumn],
        *,
        on_choose: Callable[[int], None],
        scrolls_across: bool = False,
    ) -> None:
        self._theme, self._on_choose = theme, on_choose
        self._columns = tuple(columns)
        self._marked = ""
        self._count = 0
        c = theme.colours
        # A separate focus ring: ttk shows the focus of this widget only in its rows.
        self.frame = tk.Frame(parent, bg=c.card, highlightthickness=theme.px(2))
        self.frame.configure(highlightbackground=c.card, highlightcolor=c.card)
        self._style_table()
        self._stretched = [index for index, column in enumerate(columns) if column.stretches]
        self._rows: list[list[str]] = []
        self._widths: list[tuple[int, ...]] = []
        font = theme.font("small")
        self._metrics = TextMetrics(font.measure, font.metrics("linespace"))
        self.widget = self._make(columns)
        self._fitting = Ticker(self.widget, self._fit)
        self._bar = ttk.Scrollbar(self.frame, orient="vertical", command=self.widget.yview)
        self.widget.configure(yscrollcommand=self._scrolled)
        self.widget.bind("<Configure>", lambda _event: self._fitting.schedule(FIT_MS), add="+")
        if scrolls_across:
            across = ttk.Scrollbar(self.frame, orient="horizontal", command=self.widget.xview)
            self.widget.configure(xscrollcommand=across.set)
            across.pack(side="bottom", fill="x")
        self.widget.pack(side=theme.start, fill="both", expand=True)
        self.widget.bind("<<TreeviewSelect>>", lambda _event: self._choose())
        self.widget.bind("<FocusIn>", lambda _event: self._show_ring(c.focus), add="+")
        self.widget.bind("<FocusOut>", lambda _event: self._show_ring(c.card), add="+")

    def add(self, cells: Sequence[str]) -> None:
        """Add a row at the end."""
        self._count += 1
        self._rows.append([*cells])
        self._widths.append(())
        self.widget.insert("", "end", iid=str(self._count), values=self._drawn(cells))
        self._fitting.schedule(FIT_MS)
        if self._count > UNSCROLLED and not self._bar.winfo_manager():
            self._bar.pack(side=self._theme.end, fill="y", before=self.widget)

    def change(self, number: int, cells: Sequence[str]) -> None:
        """Change the texts of a row."""
        self._rows[number - 1], self._widths[number - 1] = [*cells], ()
        self.widget.item(str(number), values=self._drawn(cells))
        self._fitting.schedule(FIT_MS)

    def mark(self, number: int | None) -> None:
        """Mark a row and scroll to it; None: mark none."""
        if number is None:
            self.widget.selection_set(())
            return
        self._marked = row = str(number)
        self.widget.selection_set(row)
        self.widget.focus(row)
        self.widget.see(row)

    @property
    def is_at_end(self) -> bool:
        """Whether the last row is in view."""
        return self.widget.yview()[1] >= 1.0

    def scroll_to_end(self) -> None:
        """Scroll to the last row."""
        self.widget.yview_moveto(1.0)

    def _scrolled(self, first: float, last: float) -> None:
        self._bar.set(first, last)
        self._fitting.schedule(FIT_MS)

    def _fit(self) -> None:
        """Shorten the texts of the rows in view to the widths of their columns."""
        names = [self._names[index] for index in self._stretched]
        widths = tuple(int(self.widget.column(name, "width")) for name in names)
        first, last = (float(share) for share in self.widget.yview())
        for row in range(int(first * self._count), min(self._count, math.ceil(last * self._count))):
            if self._widths[row] == widths:
                continue
            self._widths[row] = widths
            for index, name, width in zip(self._stretched, names, widths, strict=True):
                text = self._metrics.shorten(self._rows[row][index], width - self._theme.px(CELL_PADDING))
                self.widget.set(str(row + 1), name, self._theme.visual_order(text))

    def _drawn(self, cells: Sequence[str]) -> list[str]:
        return [*map(self._theme.visual_order, cells)]

    def _make(self, columns: Sequence[ReplayTableColumn]) -> ttk.Treeview:
        theme = self._theme
        names = self._names = [column.name for column in columns]
        table = ttk.Treeview(self.frame, columns=names, show="headings", style=STYLE, selectmode="browse")
        for column in columns:
            table.heading(column.name, text=theme.visual_order(column.title), anchor=theme.west)
            wide = theme.px(column.width)
            table.column(column.name, width=wide, minwidth=wide, stretch=column.stretches, anchor=theme.west)
        if theme.rtl:
            table.configure(displaycolumns=names[::-1])
        return table

    def _show_ring(self, colour: str) -> None:
        self.frame.configure(highlightbackground=colour, highlightcolor=colour)

    def _style_table(self) -> None:
        theme, c = self._theme, self._theme.colours
        style = ttk.Style(theme.root)
        font = theme.font("small")
        style.configure(
            STYLE,
            background=c.card,
            fieldbackground=c.card,
            foreground=c.ink,
            font=font,
            rowheight=font.metrics("linespace") + theme.px(9),
            borderwidth=0,
            relief="flat",
        )
        style.layout(STYLE, [("Treeview.treearea", {"sticky": "nswe"})])
        style.map(STYLE, background=[("selected", c.primary)], foreground=[("selected", c.on_primary)])
        style.configure(
            f"{STYLE}.Heading",
            background=c.card,
            foreground=c.muted,
            font=theme.font("small_bold"),
            relief="flat",
            borderwidth=0,
            padding=(theme.px(4), theme.px(5)),
        )
        style.map(f"{STYLE}.Heading", background=[("active", c.soft)])

    def _choose(self) -> None:
        chosen = self.widget.selection()
        # Tk reports the selection made by this program later, when another row may be marked already.
        if chosen and chosen[0] != self._marked:
            self._marked = chosen[0]
            self._on_choose(int(chosen[0]))
