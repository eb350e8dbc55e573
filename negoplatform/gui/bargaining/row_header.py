"""Header of an issue's row: title, status, and worth."""

from __future__ import annotations

import tkinter as tk

from PIL import ImageTk

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.pressable_cell import MARGIN
from negoplatform.presentation.bargaining.offer_builder_rows import RowHeaderView
from negoplatform.presentation.issue_agreement import PROGRESS_WORDS, Progress

GAP = 6


class RowHeader:
    """Header of a row, on one line if its parts fit, else on two.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        head: Initial contents.
        room: Available width in pixels.
        picture: Picture of the issue; None if it has none.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        head: RowHeaderView,
        *,
        room: int,
        picture: ImageTk.PhotoImage | None = None,
    ) -> None:
        self._theme, self._room = theme, room - 2 * theme.px(MARGIN)
        muted, wrap = theme.colours.muted, (room - theme.px(2 * MARGIN)) / theme.scale
        self.frame = theme.frame(parent)
        self.frame.columnconfigure(theme.column(2, 4), weight=1)
        self._picture = tk.Label(self.frame, bd=0, padx=0, pady=0, bg=theme.colours.card)
        if picture is not None:
            self._picture.configure(image=picture)
            self._room -= picture.width() + theme.px(GAP)
        self._has_picture = picture is not None
        self._title = theme.label(self.frame, head.title, "bold", wrap=wrap)
        self._status = theme.label(self.frame, "", "small", muted)
        self._detail = theme.label(self.frame, "", "small", muted, wrap=wrap)
        self._two_lines: bool | None = None
        self.show(head)

    def show(self, head: RowHeaderView) -> None:
        """Show the status, and the problem with the typed value if there is one."""
        c = self._theme.colours
        agreed = head.progress is Progress.AGREED
        self._status.write(head.progress_text, c.accept if agreed else c.muted)
        self._detail.write(head.problem or head.detail, c.warning if head.problem else c.muted)
        two_lines = bool(head.problem) or self._too_wide(head)
        if two_lines != self._two_lines:
            self._two_lines = two_lines
            self._place()

    def _too_wide(self, head: RowHeaderView) -> bool:
        small, px = self._theme.font("small"), self._theme.px
        title = self._theme.font("bold").measure(head.title)
        # Measured with the longest status: the cells below must not move when the status changes.
        status = max(small.measure(self._theme.translate(words)) for words in PROGRESS_WORDS.values())
        return title + status + small.measure(head.detail) + 2 * px(GAP) > self._room

    def _place(self) -> None:
        theme, edge = self._theme, MARGIN
        before = GAP if self._has_picture else edge
        if self._has_picture:
            self._picture.grid(row=0, column=theme.column(0, 4), padx=theme.padx(edge, 0))
        self._title.grid(row=0, column=theme.column(1, 4), sticky=theme.west, padx=theme.padx(before, 0))
        self._status.grid(
            row=0,
            column=theme.column(2, 4),
            sticky=f"s{theme.west}",
            padx=theme.padx(GAP, 0),
            pady=(0, theme.px(1)),
        )
        self._detail.grid_forget()
        if self._two_lines:
            self._detail.grid(row=1, column=0, columnspan=4, sticky=theme.west, padx=theme.px(edge))
        else:
            self._detail.grid(
                row=0,
                column=theme.column(3, 4),
                sticky=f"s{theme.east}",
                padx=theme.padx(GAP, edge),
                pady=(0, theme.px(1)),
            )
