"""Table of a session's offers: sender, time, points and step class."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from tkinter import ttk
from types import MappingProxyType

from negoplatform.app.playback.offer_metrics import RecordedOffer
from negoplatform.domain.step_analysis import StepClass
from negoplatform.gui.replay.session_plots import SessionPlots
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.timers import Throttle
from negoplatform.presentation.i18n import gettext_noop
from negoplatform.presentation.localized_names import truncate
from negoplatform.presentation.plots.axis_ticks import time_text
from negoplatform.presentation.time_and_points_text import format_number

STEPS: Mapping[StepClass, str] = MappingProxyType(
    {
        StepClass.FORTUNATE: gettext_noop("fortunate"),
        StepClass.SELFISH: gettext_noop("selfish"),
        StepClass.CONCESSION: gettext_noop("concession"),
        StepClass.UNFORTUNATE: gettext_noop("unfortunate"),
        StepClass.NICE: gettext_noop("nice"),
        StepClass.SILENT: gettext_noop("silent"),
    }
)

STYLE = "Offers.Treeview"

WIDTHS = {"number": 28, "time": 44, "who": 66, "points": 48, "step": 104}
"""Widths of the columns at 96 dpi; there is a column of points for every side with known preferences."""

MOST_SEATS = 3
"""Largest number of sides whose columns of points fit; more are scrolled."""

AT_MOST_EVERY_MS = 100
"""Interval between updates while the user drags: finding a row among thousands is slow."""

UNSCROLLED = 12
"""Number of rows that always fit without scrolling."""


class OffersTab:
    """Table with a row per offer; the latest offer is selected, and choosing another goes to it.

    Args:
        parent: The parent widget.
        theme: The window's theme.
        plots: The session's figures.
        on_position: Called with the position of a chosen offer.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, plots: SessionPlots, *, on_position: Callable[[int], None]
    ) -> None:
        self._theme, self._plots, self._on_position = theme, plots, on_position
        self._current: RecordedOffer | None = None
        self._marked = ""
        self._marked_row = Throttle(theme.root, AT_MOST_EVERY_MS, self._mark_now)
        self._rows: list[RecordedOffer] = []
        self._names = {side.seat: side.name for side in plots.seat_styles(theme.colours)}
        self.frame = theme.frame(parent)
        c = theme.colours
        # A separate focus ring: ttk shows the focus of this widget only in its rows.
        self._ring = tk.Frame(self.frame, bg=c.card, highlightthickness=theme.px(2))
        self._ring.configure(highlightbackground=c.card, highlightcolor=c.card)
        self._ring.pack(fill="both", expand=True)
        self.table = self._make_table()
        self._fill()
        self.frame.bind("<Destroy>", lambda _event: self._marked_row.cancel())

    @property
    def focus(self) -> tk.Misc:
        """Widget that takes the keyboard focus."""
        return self.table

    def show(self, position: int, t: float) -> None:  # noqa: ARG002 - the same for every section
        """Select the offer that was sent last."""
        self._fill()
        offer = self._plots.offer_at(position)
        if offer is not self._current:
            self._current = offer
            self._marked_row()

    def _mark_now(self) -> None:
        offer = self._current
        if offer is None:
            self.table.selection_set(())
            return
        self._marked = row = str(offer.number)
        self.table.selection_set(row)
        self.table.focus(row)
        self.table.see(row)

    def _make_table(self) -> ttk.Treeview:
        theme, px = self._theme, self._theme.px
        self._style_table()
        seats = [scale.seat for scale in self._plots.scales]
        columns = ["number", "time", "who", *(f"points{i}" for i in range(len(seats))), "step"]
        titles = [theme.translate("No."), theme.translate("Time"), theme.translate("From")]
        titles += [truncate(self._names[seat], 9) for seat in seats] + [theme.translate("Step")]
        table = ttk.Treeview(self._ring, columns=columns, show="headings", style=STYLE, selectmode="browse")
        for column, title in zip(columns, titles, strict=True):
            table.heading(column, text=theme.visual_order(title), anchor=theme.west)
            wide = px(WIDTHS["points" if column.startswith("points") else column])
            table.column(
                column, width=wide, minwidth=wide, stretch=column in ("who", "step"), anchor=theme.west
            )
        if theme.rtl:
            table.configure(displaycolumns=columns[::-1])
        bar = ttk.Scrollbar(self._ring, orient="vertical", command=table.yview)
        table.configure(yscrollcommand=bar.set)
        self._bar = bar
        if len(seats) > MOST_SEATS:
            across = ttk.Scrollbar(self._ring, orient="horizontal", command=table.xview)
            table.configure(xscrollcommand=across.set)
            across.pack(side="bottom", fill="x")
        table.pack(side=theme.start, fill="both", expand=True)
        table.bind("<<TreeviewSelect>>", self._chosen)
        focus, card = theme.colours.focus, theme.colours.card
        table.bind("<FocusIn>", lambda _event: self._show_ring(focus), add="+")
        table.bind("<FocusOut>", lambda _event: self._show_ring(card), add="+")
        return table

    def _show_ring(self, colour: str) -> None:
        self._ring.configure(highlightbackground=colour, highlightcolor=colour)

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

    def _fill(self) -> None:
        """Write the rows that are new or have changed."""
        rows = self._rows
        for index, offer in enumerate(self._plots.offers):
            row = str(offer.number)
            if index == len(rows):
                self.table.insert("", "end", iid=row, values=self._cells(offer))
                rows.append(offer)
            elif rows[index] is not offer:
                self.table.item(row, values=self._cells(offer))
                rows[index] = offer
        if len(rows) > UNSCROLLED and not self._bar.winfo_manager():
            self._bar.pack(side=self._theme.end, fill="y", before=self.table)

    def _cells(self, offer: RecordedOffer) -> tuple[str, ...]:
        theme, translate = self._theme, self._theme.translate
        step = translate(STEPS[offer.step]) if offer.step is not None else "–"
        if offer.deal:
            step = translate("{step}, deal", step=step) if offer.step is not None else translate("deal")
        points = [format_number(offer.points[scale.seat], translate) for scale in self._plots.scales]
        cells = [str(offer.number), time_text(offer.t), self._names[offer.seat], *points, step]
        return (*map(theme.visual_order, cells),)

    def _chosen(self, _event: object) -> None:
        chosen = self.table.selection()
        if not chosen:
            return
        offer = self._plots.offers[int(chosen[0]) - 1]
        # Tk reports the selection made by this program later, when the replay may be further on.
        if chosen[0] != self._marked:
            self._marked = chosen[0]
            self._current = offer
            self._on_position(offer.position)
