"""Panel of the result: the deal, the participant's points, and further facts if the game shows them."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from PIL import Image

from negoplatform.gui.theming.rounded_shapes import rounded
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.label_pairs import build_pair_row
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.presentation.table.table_view import ResultView

WIDTH = 384
"""Width of the card, for 96 dpi."""

INNER_WIDTH = WIDTH - 34

BAR_HEIGHT = 10

COLUMN_GAP, OUTER_MARGIN = 24, 40
"""Gap between the result and the terms at its side, and the margin around both, for 96 dpi."""

SIDE_BY_SIDE_MIN_WIDTH, SIDE_BY_SIDE_MAX_HEIGHT = 560, 520
"""Least width and greatest height, for 96 dpi, with which the terms are placed at the side of the result."""


class ResultPanel:
    """Panel that replaces the offer builder when the game is over.

    Args:
        parent: The parent of the panel.
        theme: The window's theme.
        again: Whether another game follows.
        on_close: Called when the participant presses the button.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, again: bool, on_close: Callable[[], None]) -> None:
        self._theme = theme
        self._shown: ResultView | None = None
        px, c = theme.px, theme.colours
        self.frame = theme.card(parent, 16)
        self.frame.configure(width=px(WIDTH))
        self.frame.pack_propagate(False)
        self._result = theme.frame(self.frame)
        self._heading = theme.label(self._result, "", "big", wrap=INNER_WIDTH)
        self._heading.pack(anchor=theme.west)
        self._points = theme.label(self._result, "", "heading", c.primary, wrap=INNER_WIDTH)
        self._points.pack(anchor=theme.west, pady=(px(10), 0))
        self._compared = theme.label(self._result, "", "bold", wrap=INNER_WIDTH)
        self._bar = tk.Label(self._result, bg=c.card, bd=0, padx=0, pady=0)
        self._bar_picture = theme.picture(Image.new("RGB", (1, 1)))
        self._bar_words = theme.label(self._result, "", "small", c.muted, wrap=INNER_WIDTH)
        # Packed from the bottom: the button stays visible however much is above it.
        words, icon = (
            (theme.translate("Play again"), "again") if again else (theme.translate("Done"), "check")
        )
        self.done = theme.button(self.frame, words, "Primary.TButton", on_close, icon=icon)
        self.done.pack(side="bottom", fill="x")
        self._advice = theme.label(self.frame, "", "body", c.muted, wrap=INNER_WIDTH)
        self._advice.pack(side="bottom", anchor=theme.west, pady=px(12))
        self._list = ScrolledFrame(self.frame, theme, width=INNER_WIDTH, height=2000)
        self._side_by_side, self._room = False, INNER_WIDTH
        self._arrange()
        self.frame.bind("<Configure>", lambda event: self._resized(event.width, event.height))

    def show(self, view: ResultView) -> bool:
        """Show the result; return whether it has changed."""
        if view == self._shown:
            return False
        self._shown = view
        self._heading.write(view.heading)
        self._points.write(view.points)
        self._compared.write(view.compared, self._result_colour(view))
        if view.compared:
            self._compared.pack(after=self._points, anchor=self._theme.west)
        self._advice.write(view.advice)
        if view.share is not None and view.no_deal_share is not None:
            self._show_bar(view, view.share, view.no_deal_share)
        self._show_list(view)
        return True

    def _resized(self, width: int, height: int) -> None:
        px = self._theme.px
        beside = width >= px(SIDE_BY_SIDE_MIN_WIDTH) and height < px(SIDE_BY_SIDE_MAX_HEIGHT)
        room = (
            round(width / self._theme.scale) - INNER_WIDTH - COLUMN_GAP - OUTER_MARGIN
            if beside
            else INNER_WIDTH
        )
        if (beside, room) == (self._side_by_side, self._room):
            return
        self._side_by_side, self._room = beside, room
        self._arrange()
        if self._shown is not None:
            self._show_list(self._shown)

    def _arrange(self) -> None:
        """Place the terms at the side of the result, or below it."""
        theme, px = self._theme, self._theme.px
        self._result.pack_forget()
        self._list.frame.pack_forget()
        if self._side_by_side:
            self._result.pack(side=theme.start, anchor="n")
            self._list.frame.pack(side=theme.start, fill="both", expand=True, padx=theme.padx(COLUMN_GAP, 0))
        else:
            self._result.pack(fill="x")
            self._list.frame.pack(fill="both", expand=True, pady=(px(8), 0))

    def _result_colour(self, view: ResultView) -> str:
        """Return the colour of the comparison with no deal; the text says the same."""
        c = self._theme.colours
        return c.accept if view.better > 0 else c.danger if view.better < 0 else c.primary

    def _show_bar(self, view: ResultView, share: float, no_deal: float) -> None:
        """Show the share of the best possible points; its distance from no deal has its own colour."""
        theme, c, px = self._theme, self._theme.colours, self._theme.px
        across, down = px(INNER_WIDTH), px(BAR_HEIGHT)
        low, high = sorted((round(across * share), round(across * no_deal)))
        inside = Image.new("RGB", (across, down), c.track)
        inside.paste(c.primary, (0, 0, low, down))
        inside.paste(self._result_colour(view), (low, 0, high, down))
        mark = min(across - px(2), round(across * no_deal))
        inside.paste(c.card, (max(0, mark - px(2)), 0, min(across, mark + px(4)), down))
        inside.paste(c.ink, (mark, 0, mark + px(2), down))
        image = Image.new("RGB", (across, down), c.card)
        mask = rounded((across, down), down / 2, face="#ffffff", ground="#000000")
        image.paste(inside, mask=mask.convert("L"))
        if theme.rtl:
            image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        self._bar_picture = theme.picture(image)
        self._bar.configure(image=self._bar_picture)
        self._bar_words.write(
            theme.translate("Full bar: your best possible result. Line: what you’d get with no deal.")
        )
        above = self._compared if view.compared else self._points
        self._bar.pack(after=above, anchor=theme.west, pady=(px(8), px(4)))
        self._bar_words.pack(after=self._bar, anchor=theme.west)

    def _show_list(self, view: ResultView) -> None:
        theme, inside = self._theme, self._list.inside
        for child in inside.winfo_children():
            child.destroy()
        for issue, terms, worth in view.rows:
            build_pair_row(theme, inside, (issue, terms), width=self._room - 14)
            if worth:
                theme.label(inside, worth, "small", theme.colours.muted).pack(anchor=theme.east)
        if view.rows and (view.facts or view.left_on_table):
            theme.rule(inside).pack(fill="x", pady=theme.px(8))
        for fact in view.facts:
            share = 0.6 if len(fact[0]) >= len(fact[1]) else 0.4  # the longer text has more room
            build_pair_row(theme, inside, fact, width=self._room - 14, font="small", share=share, quiet=True)
        if view.left_on_table:
            theme.rule(inside).pack(fill="x", pady=theme.px(8))
            left = theme.label(inside, view.left_on_table, "body", wrap=self._room - 14)
            left.pack(anchor=theme.west, pady=(0, theme.px(4)))
        for row in view.left_on_table_rows:
            build_pair_row(theme, inside, row, width=self._room - 14, font="small", quiet=True)
        self._list.bind_scrolling(inside)
