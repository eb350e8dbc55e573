"""Card of the account: what one more unit is worth, what has been gained, holdings, and the unit ladder."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from negoplatform.gui.market.row_canvas import CanvasRow, RowCanvas, RowCell, RowColumn
from negoplatform.gui.table.side_column import CardStyle
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.presentation.bidi import wrap_lines
from negoplatform.presentation.market.account_view import AccountView, LadderRow

PADDING, RING = 12, 2
"""Padding of the card, and width of the focus ring around what scrolls, for 96 dpi."""

DEFAULT_WIDTH = 220
"""Width of wrapped texts before the size of the card is known, for 96 dpi."""

BAR_ROOM = 18
"""Width taken by a scrollbar, for 96 dpi."""

HOLDING_COLUMNS = (RowColumn(), RowColumn(130, "end"))
LADDER_COLUMNS = (RowColumn(18), RowColumn(52), RowColumn(58, "end"), RowColumn(8), RowColumn())
"""Tick, which unit, its worth, a gap, and what it has gained."""

TICK, DOT = "✓", "•"
"""Signs of a traded unit, and of the next one."""


class AccountCard:
    """The main card of the left column.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
    """

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        self._theme = theme
        self._shown: AccountView | None = None
        self._ladder_gap = theme.px(6)
        self.frame = theme.card(parent, PADDING)
        self._list = ScrolledFrame(self.frame, theme, width=1, height=4000)
        self._list.frame.pack(fill="both", expand=True)
        inside = self._list.inside
        self._next = self._make_figure(inside)
        self._gained = self._make_figure(inside)
        self._holdings = RowCanvas(inside, theme, HOLDING_COLUMNS, row_height=20, fits_last=True)
        self._holdings.widget.pack(fill="x", pady=(theme.px(4), 0))
        self._ladder_words = theme.label(inside, "", "small_bold")
        self._ladder = RowCanvas(inside, theme, LADDER_COLUMNS, row_height=21)
        self._announcements_heading = theme.label(inside, theme.translate("Told to you alone"), "small_bold")
        self._announcements = theme.label(inside, "", "small", wrap=DEFAULT_WIDTH)
        self._list.bind_scrolling(inside)

    @property
    def scrollbar(self) -> tk.Misc:
        """Scrollbar, visible while the contents do not fit."""
        return self._list.scrollbar

    def show(self, view: AccountView) -> bool:
        """Show the account; return whether the card needs another height."""
        if view == self._shown:
            return False
        before, self._shown = self._shown, view
        c = self._theme.colours
        self._show_figure(self._next, view.next_unit, view.next_words, c.primary)
        self._show_figure(
            self._gained, view.gained, view.gained_words, c.danger if view.is_loss else c.accept
        )
        self._holdings.show(
            [
                CanvasRow((RowCell(label, c.muted), RowCell(text, c.ink, "small_bold")))
                for label, text in view.rows
            ]
        )
        self._holdings.widget.configure(height=max(1, len(view.rows) * self._holdings.row_height))
        self._show_ladder(view)
        self._show_told(view)
        return before is None or _shape(before) != _shape(view)

    def height(self, width: int, _style: CardStyle, /) -> int:
        """Return the height in pixels at which the card does not scroll."""
        theme, view = self._theme, self._shown
        around = 2 * theme.px(PADDING) + 2 * theme.px(RING)
        if view is None:
            return around
        figure = theme.font("heading").metrics("linespace") + theme.font("small").metrics("linespace")
        figures = sum(bool(text) for text in (view.next_unit, view.gained))
        rows = theme.px(4) + len(view.rows) * self._holdings.row_height
        ladder = 0
        if view.ladder:
            words = theme.font("small_bold").metrics("linespace") + self._ladder_gap + theme.px(2)
            ladder = words + len(view.ladder) * self._ladder.row_height
        announced = 0
        if view.announcements:
            small = theme.font("small")
            lines = wrap_lines("\n".join(view.announcements), width - around, small.measure)
            heading = theme.font("small_bold").metrics("linespace") + self._ladder_gap + theme.px(2)
            announced = heading + len(lines) * small.metrics("linespace")
        return around + figures * (figure + theme.px(4)) + rows + ladder + announced

    def arrange(self, width: int, height: int, style: CardStyle, /) -> None:
        """Fill a card of a size in pixels; its rows adapt to any width by themselves."""
        theme = self._theme
        inside = width - 2 * theme.px(PADDING) - 2 * theme.px(RING)
        if self.height(width, style) > height:
            inside -= theme.px(BAR_ROOM)
        self._announcements.wrap_to(inside)

    def _show_told(self, view: AccountView) -> None:
        self._announcements.write("\n".join(view.announcements))
        for label, gap in (
            (self._announcements_heading, self._ladder_gap),
            (self._announcements, self._theme.px(2)),
        ):
            if not view.announcements:
                label.pack_forget()
            elif not label.winfo_manager():
                label.pack(anchor=self._theme.west, pady=(gap, 0))

    def _make_figure(self, parent: tk.Misc) -> tuple[tk.Frame, BidiLabel, BidiLabel]:
        theme = self._theme
        box = theme.frame(parent)
        figure = theme.label(box, "", "heading")
        figure.pack(anchor=theme.west)
        words = theme.label(box, "", "small", theme.colours.muted)
        words.pack(anchor=theme.west)
        return box, figure, words

    def _show_figure(
        self, made: tuple[tk.Frame, BidiLabel, BidiLabel], text: str, words: str, colour: str
    ) -> None:
        box, figure, below = made
        figure.write(text, colour)
        below.write(words)
        if not text:
            box.pack_forget()
        elif not box.winfo_manager():
            first = made is self._next
            where = self._gained[0] if first and self._gained[0].winfo_manager() else self._holdings.widget
            box.pack(before=where, anchor=self._theme.west, pady=(0, self._theme.px(4)))

    def _show_ladder(self, view: AccountView) -> None:
        self._ladder.show(self._ladder_rows(view.ladder))
        if not view.ladder:
            self._ladder_words.pack_forget()
            self._ladder.widget.pack_forget()
            return
        self._ladder_words.write(view.ladder_words)
        self._ladder.widget.configure(height=len(view.ladder) * self._ladder.row_height)
        if not self._ladder.widget.winfo_manager():
            self._ladder_words.pack(anchor=self._theme.west, pady=(self._ladder_gap, self._theme.px(2)))
            self._ladder.widget.pack(fill="x")

    def _ladder_rows(self, ladder: Sequence[LadderRow]) -> list[CanvasRow]:
        c = self._theme.colours
        rows = []
        for row in ladder:
            done, following = row.status in ("done", "held"), row.status == "next"
            sign = TICK if done else DOT if following else ""
            font = "small_bold" if following else "small"
            colour = c.muted if done else c.ink
            gain = {1: c.accept, -1: c.danger, 0: c.muted}[row.gained]
            rows.append(
                CanvasRow(
                    (
                        RowCell(sign, c.accept if done else c.primary),
                        RowCell(row.label, colour, font),
                        RowCell(row.worth, colour, font),
                        RowCell(""),
                        RowCell(row.result, gain),
                    ),
                    ground=c.mine_soft if following else "",
                )
            )
        return rows


def _shape(view: AccountView) -> tuple[int, ...]:
    """Return on what the height of the card depends."""
    return bool(view.next_unit), bool(view.gained), len(view.rows), len(view.ladder), len(view.announcements)
