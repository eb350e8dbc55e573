"""Two offers side by side, such as the draft and the offer on the table: a card over the transcript."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.caption import Caption
from negoplatform.gui.compare_view import CompareRow, CompareView
from negoplatform.gui.theme import Theme

WIDTH = 452
"""Of the card, for 96 dpi."""

WRAPS = (112, 86, 86, 108)
"""Of its columns: issue, first offer, second offer, difference."""

GAP = 10


class ComparePanel:
    """The card; it hangs beside another widget for as long as it is open.

    Args:
        parent: Where it is put.
        theme: Its looks.
        beside: The widget that it stands beside, a child of the same parent.
        below: Whether it hangs below that widget rather than at its side.
        on_close: Is called when its button is pressed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        beside: tk.Misc,
        below: bool = False,
        on_close: Callable[[], None],
    ) -> None:
        self._theme, self._beside, self._below = theme, beside, below
        self._shown: CompareView | None = None
        self._rows: list[tuple[Caption, ...]] = []
        c, px = theme.colours, theme.px
        # No card: its round corners would let another ground show through.
        self.frame = tk.Frame(parent, bg=c.edge, bd=0)
        inside = tk.Frame(self.frame, bg=c.card, padx=px(14), pady=px(10))
        inside.pack(fill="both", padx=max(1, px(1)), pady=max(1, px(1)))
        head = theme.frame(inside)
        head.pack(fill="x", pady=(0, px(6)))
        self._title = theme.label(head, "", "bold", wrap=WIDTH - 110)
        self._title.pack(side=theme.start)
        self.close_button = theme.button(head, theme.say("Close"), "Quiet.TButton", on_close, icon="clear")
        self.close_button.pack(side=theme.end)
        self._table = theme.frame(inside)
        self._table.pack(fill="x")
        for index, wrap in enumerate(WRAPS):
            self._table.columnconfigure(theme.column(index, len(WRAPS)), minsize=px(wrap), weight=1)
        self._heads = self._captions(0, "small", c.muted)
        self._total = self._captions(1000, "bold", c.ink)
        self._no_deal = self._captions(1001, "small", c.muted)
        rule = theme.rule(self._table)
        rule.grid(row=999, column=0, columnspan=len(WRAPS), sticky="ew", pady=px(5))
        self.open = False

    def show(self, view: CompareView) -> None:
        """Shows the difference."""
        if view == self._shown:
            return
        self._shown = view
        self._title.write(view.title)
        heads = ("", view.first, view.second, self._theme.say("Difference for you"))
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

    def set_open(self, is_open: bool) -> None:
        """Opens or closes it."""
        self.open = is_open
        px, rtl = self._theme.px, self._theme.rtl
        if is_open and self._below:
            self.frame.place(
                in_=self._beside,
                relx=0.5,
                rely=1.0,
                y=px(4),
                anchor="n",
                bordermode="outside",
                width=px(WIDTH),
            )
            tk.Misc.lift(self.frame)
        elif is_open:
            self.frame.place(
                in_=self._beside,
                relx=1.0 if rtl else 0.0,
                x=px(8) if rtl else -px(8),
                y=0,
                anchor="nw" if rtl else "ne",
                bordermode="outside",
                width=px(WIDTH),
            )
            tk.Misc.lift(self.frame)
        else:
            self.frame.place_forget()

    def _captions(self, row: int, font: str, colour: str) -> tuple[Caption, ...]:
        theme = self._theme
        captions = []
        for index, wrap in enumerate(WRAPS):
            caption = theme.label(self._table, "", font, colour, wrap=wrap)
            caption.grid(
                row=row,
                column=theme.column(index, len(WRAPS)),
                sticky=f"n{theme.west}",
                padx=theme.beside(0, GAP),
                pady=(theme.px(2), theme.px(2)),
            )
            captions.append(caption)
        return tuple(captions)

    def _write(self, captions: tuple[Caption, ...], row: CompareRow) -> None:
        c = self._theme.colours
        title, first, second, words = captions
        title.write(row.title)
        first.write(row.first)
        second.write(row.second)
        # Signs and words say it; the colour only helps.
        colour = c.accept if (row.better or 0) > 0 else c.warning if row.better else c.muted
        words.write(row.words, colour)
