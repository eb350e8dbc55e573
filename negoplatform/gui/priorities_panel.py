"""What matters to the participant, and to the other side where the game shows it."""

from __future__ import annotations

import tkinter as tk
from typing import NamedTuple

from PIL import Image, ImageTk

from negoplatform.gui.other_panel import PANEL_WIDTH
from negoplatform.gui.paint import rounded
from negoplatform.gui.pairs import pair_row
from negoplatform.gui.scrolled import ScrolledFrame
from negoplatform.gui.theme import Theme
from negoplatform.gui.view import OtherView, TableView
from negoplatform.gui.worth import IssueWorth, Priorities

INDENT = 10
"""How far the levels of an issue stand in, for 96 dpi."""

BAR_HEIGHT = 6


class Bar(NamedTuple):
    """A bar, how far it is filled, and with what."""

    label: tk.Label
    share: float
    colour: str


class PrioritiesPanel:
    """A card with a row per issue: its title, what it is worth, and a bar for how much hangs on it.

    Args:
        parent: Where it is put.
        theme: Its looks.
    """

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        self._theme = theme
        self._shown: object = None
        self._bars: list[Bar] = []
        self._pictures: list[ImageTk.PhotoImage] = []
        self.frame = theme.card(parent, 12)
        theme.label(self.frame, theme.say("What matters to you"), "bold").pack(anchor=theme.west)
        self._who_sees = theme.label(self.frame, "", "small", theme.colours.muted, wrap=PANEL_WIDTH)
        self._who_sees.pack(anchor=theme.west, pady=(0, theme.px(4)))
        self._list = ScrolledFrame(self.frame, theme, width=PANEL_WIDTH, height=2000)
        self._list.frame.pack(fill="both", expand=True)
        self._width = 0
        self._list.inside.bind("<Configure>", self._resized, add="+")

    def show(self, view: TableView) -> None:
        """Shows what matters; it changes seldom."""
        what = view.priorities, view.their_priorities, view.who_sees_priorities, view.other.name
        if what == self._shown:
            return
        self._shown = what
        self._who_sees.write(view.who_sees_priorities)
        for child in self._list.inside.winfo_children():
            child.destroy()
        self._bars = []
        self._add(view.priorities, self._theme.colours.mine)
        if view.their_priorities is not None:
            self._add_theirs(view.their_priorities, view.other)
        self._list.watch(self._list.inside)
        self._draw_bars()

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        if event.width != self._width:
            self._width = event.width
            self._draw_bars()

    def _add_theirs(self, what: Priorities, other: OtherView) -> None:
        theme = self._theme
        title = theme.say("What matters to {name}", name=other.name)
        theme.rule(self._list.inside).pack(fill="x", pady=theme.px(8))
        theme.label(self._list.inside, title, "bold", wrap=PANEL_WIDTH).pack(anchor=theme.west)
        self._add(what, theme.colours.theirs)

    def _add(self, what: Priorities, colour: str) -> None:
        theme, inside = self._theme, self._list.inside
        for issue in what.issues:
            self._add_issue(issue, colour)
        if not what.together:
            return
        title = theme.label(inside, theme.say("What goes together"), "bold")
        title.pack(anchor=theme.west, pady=(theme.px(8), theme.px(2)))
        for line in what.together:
            theme.label(inside, line, "small", wrap=PANEL_WIDTH - 12).pack(
                anchor=theme.west, pady=theme.px(2)
            )

    def _add_issue(self, issue: IssueWorth, colour: str) -> None:
        theme, inside, px = self._theme, self._list.inside, self._theme.px
        box = theme.frame(inside)
        box.pack(fill="x", pady=(px(4), px(2)))
        pair_row(theme, box, (issue.title, issue.text), width=PANEL_WIDTH - 12, font="small", share=0.5)
        if issue.weight is not None:
            self._add_bar(box, issue.weight, colour)
        if issue.levels:
            levels = theme.frame(box)
            levels.pack(fill="x", padx=theme.beside(INDENT, 0))
            for level in issue.levels:
                pair_row(
                    theme,
                    levels,
                    level,
                    width=PANEL_WIDTH - INDENT - 12,
                    font="small",
                    share=0.66,
                    quiet=True,
                )

    def _add_bar(self, box: tk.Misc, share: float, colour: str) -> None:
        """A bar that says again what the points beside it say; it is as wide as there is room."""
        bar = tk.Label(box, bg=self._theme.colours.card, bd=0, padx=0, pady=0)
        bar.pack(anchor=self._theme.west, pady=self._theme.px(2))
        self._bars.append(Bar(bar, share, colour))

    def _draw_bars(self) -> None:
        theme, c = self._theme, self._theme.colours
        across, down = self._list.inside.winfo_width(), theme.px(BAR_HEIGHT)
        if across < down:
            return
        self._pictures = []
        for bar in self._bars:
            image = rounded((across, down), down / 2, face=c.track, ground=c.card)
            filled = max(down, round(across * bar.share))
            part = rounded(
                (filled, down), down / 2, face=bar.colour, ground=c.card if filled == across else c.track
            )
            # The bar begins on the card, wherever it ends.
            part.paste(
                rounded((down, down), down / 2, face=bar.colour, ground=c.card).crop((0, 0, down // 2, down))
            )
            image.paste(part, (0, 0))
            if theme.rtl:
                image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
            picture = theme.picture(image)
            self._pictures.append(picture)
            bar.label.configure(image=picture)
