"""The participant's goods and money."""

from __future__ import annotations

import tkinter as tk
from typing import NamedTuple

from negoplatform.gui.table.side_column import CardStyle
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.presentation.trading.account_view import GoodRowView, TradingAccountView

PADDING, BETWEEN = 12, 4
"""Padding of the card, and gap between two goods, for 96 dpi."""


class GoodLabels(NamedTuple):
    """Labels of a good's row."""

    title: BidiLabel
    units: BidiLabel
    next_worth: BidiLabel
    last_worth: BidiLabel


class AccountPanel:
    """Card with money, and a row for each good: how many, and what the next and the last one are worth.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
    """

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        self._theme = theme
        self._shown: TradingAccountView | None = None
        self._rows: dict[str, GoodLabels] = {}
        px = theme.px
        self.frame = theme.card(parent, PADDING)
        self._head = theme.frame(self.frame)
        self._head.pack(fill="x", padx=px(2), pady=(0, px(3)))
        theme.label(self._head, theme.translate("Your money"), "bold").pack(side=theme.start)
        self._money = theme.label(self._head, "", "bold", theme.colours.primary)
        self._money.pack(side=theme.end)
        self._locked = theme.label(self.frame, "", "small", theme.colours.warning, wrap=180)
        self._list = ScrolledFrame(self.frame, theme, width=1, height=4000)
        self._list.frame.pack(fill="both", expand=True)
        self._width = px(180)

    def show(self, view: TradingAccountView) -> bool:
        """Show goods and money; return whether the card needs another height."""
        if view == self._shown:
            return False
        before, self._shown = self._shown, view
        self._money.write(view.money)
        self._locked.write(view.locked)
        if bool(view.locked) != bool(self._locked.winfo_manager()):
            if view.locked:
                self._locked.pack(anchor=self._theme.west, padx=self._theme.px(2), before=self._list.frame)
            else:
                self._locked.pack_forget()
        for row in view.goods:
            self._show_row(row)
        return before is None or before.locked != view.locked

    @property
    def scrollbar(self) -> tk.Misc:
        """Scrollbar, visible while the goods do not fit."""
        return self._list.scrollbar

    def height(self, width: int, style: CardStyle, /) -> int:  # noqa: ARG002 - one style
        """Return the height in pixels at which a card of a width in pixels does not scroll."""
        self._wrap(width)
        px = self._theme.px
        head = self._money.winfo_reqheight() + px(3)
        locked = self._locked.winfo_reqheight() if self._locked.logical_text else 0
        rows = sum(
            row.units.winfo_reqheight() + row.next_worth.winfo_reqheight() + px(BETWEEN)
            for row in self._rows.values()
        )
        return 2 * px(PADDING) + head + locked + rows + 2 * px(2)

    @property
    def texts(self) -> dict[str, tuple[str, str, str]]:
        """Units, next and last worth of each good, as they are shown."""
        return {
            name: (row.units.logical_text, row.next_worth.logical_text, row.last_worth.logical_text)
            for name, row in self._rows.items()
        }

    def arrange(self, width: int, height: int, style: CardStyle, /) -> None:  # noqa: ARG002 - its list scrolls
        """Fill a card of a size in pixels."""
        self._wrap(width)

    def _wrap(self, width: int) -> None:
        inside = width - self._theme.px(2 * PADDING + 8)
        if inside != self._width and inside > self._theme.px(60):
            self._width = inside
            self._locked.wrap_to(inside)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the scrollbar by its name."""
        return {"account.bar": self.scrollbar}

    def _show_row(self, row: GoodRowView) -> None:
        theme = self._theme
        if row.name not in self._rows:
            self._rows[row.name] = self._make_row(row)
            self._list.bind_scrolling(self._list.inside)
        labels = self._rows[row.name]
        labels.units.write(f"{row.units}")
        labels.next_worth.write(theme.translate("next {worth}", worth=row.next_worth))
        labels.last_worth.write(row.last_worth)

    def _make_row(self, row: GoodRowView) -> GoodLabels:
        theme, px = self._theme, self._theme.px
        box = theme.frame(self._list.inside)
        box.pack(fill="x", pady=(0, px(BETWEEN)))
        top = theme.frame(box)
        top.pack(fill="x")
        title = theme.label(top, row.title, "bold")
        title.pack(side=theme.start)
        units = theme.label(top, "", "heading")
        units.pack(side=theme.end)
        below = theme.frame(box)
        below.pack(fill="x")
        next_worth = theme.label(below, "", "small", theme.colours.accept)
        next_worth.pack(side=theme.start)
        last_worth = theme.label(below, "", "small", theme.colours.muted)
        last_worth.pack(side=theme.end)
        return GoodLabels(title, units, next_worth, last_worth)
