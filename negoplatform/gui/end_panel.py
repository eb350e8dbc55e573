"""The end: the deal, the participant's own points, and whatever else the game lets them see."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from PIL import Image

from negoplatform.gui.paint import rounded
from negoplatform.gui.pairs import pair_row
from negoplatform.gui.scrolled import ScrolledFrame
from negoplatform.gui.theme import Theme
from negoplatform.gui.view import EndView

WIDTH = 384
"""Of the card, for 96 dpi."""

INSIDE = WIDTH - 34

BAR_HEIGHT = 10


class EndPanel:
    """Takes the builder's place when the game is over.

    Args:
        parent: Where it is put.
        theme: Its looks.
        again: Whether the next game follows.
        on_close: Is called when the participant is done.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, again: bool, on_close: Callable[[], None]) -> None:
        self._theme = theme
        self._shown: EndView | None = None
        px, c = theme.px, theme.colours
        self.frame = theme.card(parent, 16)
        self.frame.configure(width=px(WIDTH))
        self.frame.pack_propagate(False)
        self._heading = theme.label(self.frame, "", "big", wrap=INSIDE)
        self._heading.pack(anchor=theme.west)
        self._points = theme.label(self.frame, "", "heading", c.primary, wrap=INSIDE)
        self._points.pack(anchor=theme.west, pady=(px(10), px(4)))
        self._bar = tk.Label(self.frame, bg=c.card, bd=0, padx=0, pady=0)
        self._bar_picture = theme.picture(Image.new("RGB", (1, 1)))
        self._bar_words = theme.label(self.frame, "", "small", c.muted, wrap=INSIDE)
        # From below, so that the button is there however much stands above it.
        words, icon = (theme.say("Play again"), "again") if again else (theme.say("Done"), "check")
        self.done = theme.button(self.frame, words, "Primary.TButton", on_close, icon=icon)
        self.done.pack(side="bottom", fill="x")
        self._advice = theme.label(self.frame, "", "body", c.muted, wrap=INSIDE)
        self._advice.pack(side="bottom", anchor=theme.west, pady=px(12))
        self._list = ScrolledFrame(self.frame, theme, width=INSIDE, height=2000)
        self._list.frame.pack(fill="both", expand=True, pady=(px(8), 0))

    def show(self, view: EndView) -> bool:
        """Shows the end; whether there was anything new to show."""
        if view == self._shown:
            return False
        self._shown = view
        self._heading.write(view.heading)
        self._points.write(view.points)
        self._advice.write(view.advice)
        if view.share is not None and view.no_deal_share is not None:
            self._show_bar(view.share, view.no_deal_share)
        self._show_list(view)
        return True

    def _show_bar(self, share: float, no_deal: float) -> None:
        """Own points of the most that was there; a line marks what no deal gives, and words say so."""
        theme, c, px = self._theme, self._theme.colours, self._theme.px
        across, down = px(INSIDE), px(BAR_HEIGHT)
        image = rounded((across, down), down / 2, face=c.track, ground=c.card)
        filled = round(across * share)
        if filled >= down:
            image.paste(rounded((filled, down), down / 2, face=c.primary, ground=c.track), (0, 0))
        mark = min(across - px(2), round(across * no_deal))
        # On the filled part it would hardly be seen by itself.
        image.paste(c.card, (max(0, mark - px(2)), 0, min(across, mark + px(4)), down))
        image.paste(c.ink, (mark, 0, mark + px(2), down))
        if theme.rtl:
            image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        self._bar_picture = theme.picture(image)
        self._bar.configure(image=self._bar_picture)
        self._bar_words.write(
            theme.say("The whole bar is the most you could get, the line what no deal gives.")
        )
        self._bar.pack(after=self._points, anchor=theme.west)
        self._bar_words.pack(after=self._bar, anchor=theme.west, pady=(px(3), 0))

    def _show_list(self, view: EndView) -> None:
        theme, inside = self._theme, self._list.inside
        for child in inside.winfo_children():
            child.destroy()
        for issue, terms, worth in view.rows:
            pair_row(theme, inside, (issue, terms), width=INSIDE - 14)
            if worth:
                theme.label(inside, worth, "small", theme.colours.muted).pack(anchor=theme.east)
        if view.rows and view.facts:
            theme.rule(inside).pack(fill="x", pady=theme.px(8))
        for fact in view.facts:
            pair_row(theme, inside, fact, width=INSIDE - 14, font="small", share=0.6, quiet=True)
        self._list.watch(inside)
