"""The bar at the top: the game, the time, and what the offer on the table is worth."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from PIL import ImageTk

from negoplatform.gui.caption import Caption
from negoplatform.gui.paint import ring
from negoplatform.gui.theme import Theme
from negoplatform.gui.versus import versus_colour
from negoplatform.gui.view import HeaderView

RING_SIZE = 38
RING_WIDTH = 4.5

RING_STEPS = 120
"""The ring moves in so many steps, so that it is not drawn anew with every look at the clock."""


class Header:
    """Time left, own points of the offer on the table beside no deal, the rules, and walking away.

    Args:
        parent: Where it is put.
        theme: Its looks.
        on_rules: Is called when the rules are asked for.
        on_walk_away: Is called when the button is pressed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_rules: Callable[[], None],
        on_walk_away: Callable[[], None],
    ) -> None:
        self._theme, self._colours = theme, theme.colours
        self._shown: HeaderView | None = None
        self._ring_shown: tuple[int, str] | None = None
        self._ring_picture: ImageTk.PhotoImage | None = None
        px, say = theme.px, theme.say
        self.frame = theme.frame(parent)
        theme.rule(self.frame).pack(side="bottom", fill="x")
        inside = theme.frame(self.frame)
        inside.pack(fill="x", padx=px(20), pady=px(10))
        names = theme.frame(inside)
        names.pack(side=theme.start)
        self._title = theme.label(names, "", "heading", wrap=430)
        self._title.pack(anchor=theme.west)
        self._subtitle = theme.label(names, "", "small", self._colours.muted, wrap=430)
        self._subtitle.pack(anchor=theme.west)
        self.walk_away = theme.button(inside, say("Walk away"), "Quiet.TButton", on_walk_away, icon="leave")
        self.walk_away.pack(side=theme.end)
        self.rules = theme.button(inside, say("Rules"), "Quiet.TButton", on_rules, icon="help")
        self.rules.pack(side=theme.end, padx=px(2))
        self.walk_away.lift()  # Tab goes in stacking order: from where reading starts
        self._gap(inside)
        self._points, self._points_words, self._compared = self._make_points(inside)
        self._gap(inside)
        self._clock, self._clock_words, self._ring = self._make_clock(inside)

    def show(self, view: HeaderView) -> None:
        """Shows a view."""
        if view == self._shown:
            return
        self._shown = view
        c = self._colours
        self._title.write(view.title)
        self._subtitle.write(view.subtitle)
        # As wide as its figures can be: some are narrower, and nothing shall tremble with each second.
        self._clock.configure(width=len(view.clock), anchor=self._theme.west)
        self._clock.write(view.clock, c.danger if view.urgent else c.ink)
        self._clock_words.write(view.clock_words, c.danger if view.urgent else c.muted)
        colour = versus_colour(view.versus, c)
        self._points.write(view.points, colour or c.ink)
        # Nothing, and no room before the words either, where there is no figure.
        self._points_words.pack_configure(padx=self._theme.beside(5 if view.points else 0, 0))
        self._points_words.write(view.points_words, c.ink if view.points else c.muted)
        self._compared.write(view.compared, colour or c.muted)
        self.walk_away.state(["!disabled" if view.can_walk_away else "disabled"])
        self._show_ring(view)

    def _show_ring(self, view: HeaderView) -> None:
        c = self._colours
        step = 0 if view.left is None else round(view.left * RING_STEPS)
        shown = step, c.danger if view.urgent else c.primary
        if shown == self._ring_shown:
            return
        self._ring_shown = shown
        size = self._theme.px(RING_SIZE)
        image = ring(
            size,
            step / RING_STEPS,
            self._theme.px(RING_WIDTH),
            colour=shown[1],
            track=c.track,
            ground=c.card,
            backwards=self._theme.rtl,
        )
        if self._ring_picture is None:
            self._ring_picture = self._theme.picture(image)
            self._ring.configure(image=self._ring_picture)
        else:
            self._ring_picture.paste(image)

    def _gap(self, parent: tk.Misc) -> None:
        self._theme.rule(parent, upright=True).pack(
            side=self._theme.end, fill="y", padx=self._theme.px(14), pady=self._theme.px(3)
        )

    def _make_points(self, parent: tk.Misc) -> tuple[Caption, Caption, Caption]:
        theme, px = self._theme, self._theme.px
        box = theme.frame(parent)
        box.pack(side=theme.end)
        line = theme.frame(box)
        line.pack(anchor=theme.west)
        points = theme.label(line, "", "heading")
        points.pack(side=theme.start)
        words = theme.label(line, "", "body")
        words.pack(side=theme.start, pady=(px(2), 0))
        compared = theme.label(box, "", "small")
        compared.pack(anchor=theme.west)
        return points, words, compared

    def _make_clock(self, parent: tk.Misc) -> tuple[Caption, Caption, tk.Label]:
        theme = self._theme
        box = theme.frame(parent)
        box.pack(side=theme.end)
        clock = theme.label(box, "", "heading")
        clock.pack(anchor=theme.west)
        words = theme.label(box, "", "small")
        words.pack(anchor=theme.west)
        circle = tk.Label(parent, bg=self._colours.card, bd=0)
        circle.pack(side=theme.end, padx=theme.beside(0, 10))
        return clock, words, circle
