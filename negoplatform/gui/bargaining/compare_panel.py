"""Card over the transcript that compares two offers, such as the draft and the offer on the table."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.floating_card import FloatingCard
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.presentation.bargaining.offer_comparison import CompareRow, CompareView

WIDTH = 452
"""Width of the card, in pixels at 96 dpi."""

WRAPS = (112, 86, 86, 108)
"""Widths of the columns, in pixels at 96 dpi: issue, first offer, second offer, difference."""

GAP, PART_INDENT = 10, 10
"""Gap after a column, and indent of the rows of seats, in pixels at 96 dpi."""


class ComparePanel:
    """Comparison of two offers, as a card next to another widget.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        neighbour: Widget next to which the card is placed; a child of the same parent.
        below: Whether the card is placed below that widget instead of at its side.
        on_close: Called when the Close button is pressed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        neighbour: tk.Misc,
        below: bool = False,
        on_close: Callable[[], None],
    ) -> None:
        self._theme, self._neighbour, self._below = theme, neighbour, below
        self._shown: CompareView | None = None
        self._rows: list[tuple[BidiLabel, ...]] = []
        c, px = theme.colours, theme.px
        self._card = FloatingCard(parent, theme)
        self.frame, inside = self._card.frame, self._card.inside
        head = theme.frame(inside)
        head.pack(fill="x", pady=(0, px(6)))
        self._title = theme.label(head, "", "bold", wrap=WIDTH - 110)
        self._title.pack(side=theme.start)
        self.close_button = theme.button(
            head, theme.translate("Close"), "Quiet.TButton", on_close, icon="clear"
        )
        self.close_button.pack(side=theme.end)
        self._list = ScrolledFrame(inside, theme, width=1, height=2000)
        self._list.frame.pack(fill="both", expand=True)
        self._table = self._list.inside
        for index, wrap in enumerate(WRAPS):
            self._table.columnconfigure(theme.column(index, len(WRAPS)), minsize=px(wrap), weight=1)
        self._heads = self._captions(0, "small", c.muted)
        self._total = self._captions(1000, "bold", c.ink)
        self._no_deal = self._captions(1001, "small", c.muted)
        rule = theme.rule(self._table)
        rule.grid(row=999, column=0, columnspan=len(WRAPS), sticky="ew", pady=px(5))
        self.open = False
        neighbour.bind("<Configure>", lambda _event: self._place() if self.open else None, add="+")

    def show(self, view: CompareView) -> None:
        """Show a comparison."""
        if view == self._shown:
            return
        self._shown = view
        self._title.write(view.title)
        heads = ("", view.first, view.second, self._theme.translate("Difference for you"))
        for caption, text in zip(self._heads, heads, strict=True):
            caption.write(text)
        while len(self._rows) < len(view.rows):
            self._rows.append(self._captions(len(self._rows) + 1, "body", self._theme.colours.ink))
        while len(self._rows) > len(view.rows):
            for caption in self._rows.pop():
                caption.destroy()
        rows = zip(
            [*self._rows, self._total, self._no_deal], [*view.rows, view.total, view.no_deal], strict=True
        )
        for captions, row in rows:
            self._write(captions, row)
        self._list.bind_scrolling(self._table)

    def set_open(self, is_open: bool) -> None:
        """Open or close the card."""
        self.open = is_open
        if is_open:
            self._place()
            tk.Misc.lift(self.frame)
        else:
            self.frame.place_forget()

    def _place(self) -> None:
        """Place the card next to the other widget, over it if there is no room, or below it (``below``)."""
        px, over, neighbour = (
            self._theme.px,
            self.frame.nametowidget(self.frame.winfo_parent()),
            self._neighbour,
        )
        gap, room = px(8), (over.winfo_width(), over.winfo_height())
        left, top = neighbour.winfo_rootx() - over.winfo_rootx(), neighbour.winfo_rooty() - over.winfo_rooty()
        across, down = neighbour.winfo_width(), neighbour.winfo_height()
        width = min(px(WIDTH), room[0] - 2 * gap)
        x = left + across + gap if self._theme.rtl else left - gap - width
        y, most = top, down
        if self._below:
            x, y = left + (across - width) // 2, top + down + px(4)
            most = room[1] - y - gap
        elif x < gap or x + width > room[0] - gap:
            x = max(gap, min(left + (across - width) // 2, room[0] - gap - width))
        self._list.set_max_height(10_000)
        self.frame.update_idletasks()
        over_all = self.frame.winfo_reqheight() - most
        if over_all > 0:
            self._list.set_max_height(max(px(40), self._table.winfo_reqheight() - over_all))
        self.frame.place(x=x, y=y, width=width)

    def _captions(self, row: int, font: str, colour: str) -> tuple[BidiLabel, ...]:
        theme = self._theme
        captions = []
        for index, wrap in enumerate(WRAPS):
            caption = theme.label(self._table, "", font, colour, wrap=wrap)
            caption.grid(
                row=row,
                column=theme.column(index, len(WRAPS)),
                sticky=f"n{theme.west}",
                padx=theme.padx(0, GAP),
                pady=(theme.px(2), theme.px(2)),
            )
            captions.append(caption)
        return tuple(captions)

    def _write(self, captions: tuple[BidiLabel, ...], row: CompareRow) -> None:
        c = self._theme.colours
        title, first, second, words = captions
        title.write(row.title)
        if captions in self._rows:
            title.configure(fg=c.muted if row.is_part else c.ink)
            title.grid_configure(padx=self._theme.padx(PART_INDENT if row.is_part else 0, GAP))
        first.write(row.first)
        second.write(row.second)
        # The signs and the words carry the meaning; the colour only helps.
        colour = c.accept if (row.better or 0) > 0 else c.warning if row.better else c.muted
        words.write(row.words, colour)
