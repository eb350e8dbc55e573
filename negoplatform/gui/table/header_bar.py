"""Header bar: the game, the time left, and the value of the offer on the table."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Any, NamedTuple

from PIL import ImageTk

from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.rounded_shapes import ring
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.tooltip import Tooltip
from negoplatform.presentation.offers.offer_valuation import comparison_colour
from negoplatform.presentation.table.table_view import HeaderView

RING_SIZE = 38
RING_WIDTH = 4.5

MAX_TITLE_WIDTH = 430
"""Width of the game's title, for 96 dpi, beyond which it wraps."""

EDGE, GAP, MIN_GAP = 20, 14, 7
"""Margin at both ends, and the margin at both sides of a line between two parts, for 96 dpi."""

PADDING_Y, LOW_PADDING_Y, LOW_HEIGHT = 10, 5, 560
"""Vertical padding; in a window lower than the last value, the second one; for 96 dpi."""

RING_STEPS = 120
"""Number of steps of the ring, which limit how often it is drawn."""


class HeaderLayout(NamedTuple):
    """Contents of the header: the ring, texts on the buttons, and lines below the title; None: no title."""

    ring: bool
    words: bool
    lines: int | None


HEADER_LAYOUTS = (
    HeaderLayout(ring=True, words=True, lines=1),
    HeaderLayout(ring=False, words=True, lines=1),
    HeaderLayout(ring=False, words=True, lines=2),
    HeaderLayout(ring=False, words=False, lines=2),
    HeaderLayout(ring=False, words=False, lines=0),
    HeaderLayout(ring=False, words=False, lines=None),
)
"""The layouts, the fullest first."""


def choose_layout(room: Callable[[HeaderLayout], int], title: int, subtitle: int) -> HeaderLayout:
    """Return the fullest of :data:`HEADER_LAYOUTS` that fits.

    Args:
        room: Return the width in pixels that a layout leaves for the title.
        title: The title's width in pixels.
        subtitle: The width in pixels of the line below it.
    """

    def fits(form: HeaderLayout) -> bool:
        match form.lines:
            case None:
                return True
            case 0:
                return room(form) >= title
            case _:
                # Two lines do not break exactly in the middle.
                slack = 1 if form.lines == 1 else 1.2
                return room(form) >= max(title, slack * subtitle / form.lines)

    return next((form for form in HEADER_LAYOUTS if fits(form)), HEADER_LAYOUTS[-1])


class HeaderBar:
    """Bar with the time left, the points of the standing offer compared with no deal, and buttons.

    Args:
        parent: The parent of the bar.
        theme: The window's theme.
        on_rules: Called when Rules is pressed.
        on_walk_away: Called when Walk away is pressed.
        leave: Label of the button that leaves the game, in English.
        buttons: Whether to show the buttons; a replay has none.
        on_ask: Called for a question to the experimenter; None: it is not offered.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_rules: Callable[[], None],
        on_walk_away: Callable[[], None],
        leave: str = "",
        buttons: bool = True,
        on_ask: Callable[[], None] | None = None,
    ) -> None:
        self._theme, self._colours = theme, theme.colours
        self._shown: HeaderView | None = None
        self._ring_shown: tuple[int, str] | None = None
        self._ring_picture: ImageTk.PhotoImage | None = None
        px, translate = theme.px, theme.translate
        self.frame = theme.frame(parent)
        theme.rule(self.frame).pack(side="bottom", fill="x")
        inside = theme.frame(self.frame)
        inside.pack(fill="x", padx=px(EDGE), pady=px(PADDING_Y))
        self._inside = inside
        self._title_box = theme.frame(inside)
        self._title_box.pack(side=theme.start)
        self._title = theme.label(self._title_box, "", "heading", wrap=MAX_TITLE_WIDTH)
        self._title.pack(anchor=theme.west)
        self._subtitle = theme.label(self._title_box, "", "small", self._colours.muted, wrap=MAX_TITLE_WIDTH)
        self._subtitle.pack(anchor=theme.west)
        self._width = 0
        self._gaps: list[tk.Frame] = []
        leave = translate(leave)
        self.walk_away = theme.button(inside, leave, "Quiet.TButton", on_walk_away, icon="leave")
        self.rules = theme.button(inside, translate("Rules"), "Quiet.TButton", on_rules, icon="help")
        self._words = {self.rules: translate("Rules"), self.walk_away: leave}
        self.ask: ttk.Button | None = None
        if on_ask is not None:
            self.ask = theme.button(inside, "", "Quiet.TButton", on_ask, icon="person")
            self._words = {self.ask: translate("I have a question"), **self._words}
        for button in (self.rules, self.walk_away):
            button.lift()  # Tab follows the stacking order, which is to be the reading order
        self._tips = {button: Tooltip(theme, button, "") for button in self._words}
        self._buttons = tuple(reversed(self._words)) if buttons else ()
        for button in self._buttons:
            button.pack(side=theme.end, padx=px(2))
        if buttons:
            self._gap(inside)
        self._points, self._points_words, self._compared = self._make_points(inside)
        self._gap(inside)
        self._clock, self._clock_words, self._ring = self._make_clock(inside)

    def show(self, view: HeaderView) -> None:
        """Show a view."""
        if view == self._shown:
            return
        self._shown = view
        c = self._colours
        self._title.write(view.title)
        self._subtitle.write(view.subtitle)
        # As wide as the widest digits: the clock must not move with each second.
        self._clock.configure(width=len(view.clock), anchor=self._theme.west)
        self._clock.write(view.clock, c.danger if view.urgent else c.ink)
        self._clock_words.write(view.clock_words, c.danger if view.urgent else c.muted)
        colour = comparison_colour(view.versus, c)
        self._points.write(view.points, (colour if view.colours_points else None) or c.ink)
        # Without a figure, no space before the text either.
        self._points_words.pack_configure(padx=self._theme.padx(5 if view.points else 0, 0))
        self._points_words.write(view.points_words, c.ink if view.points else c.muted)
        self._compared.write(view.compared, colour or c.muted)
        self.walk_away.state(["!disabled" if view.can_walk_away else "disabled"])
        self._show_ring(view)
        self._arrange()

    def fit(self, width: int, height: int) -> None:
        """Fit the contents to a window of this size in pixels."""
        down = self._theme.px(LOW_PADDING_Y if height < self._theme.px(LOW_HEIGHT) else PADDING_Y)
        self._inside.pack_configure(pady=down)
        if width != self._width:
            self._width = width
            self._arrange()

    def _arrange(self) -> None:
        """Choose the fullest layout that fits."""
        theme, px = self._theme, self._theme.px
        if not self._width:
            return
        # Measured by font: a label's requested size is updated only when Tk is idle.
        title = theme.font("heading").measure(self._title.logical_text)
        form = choose_layout(
            self._title_room, title, theme.font("small").measure(self._subtitle.logical_text)
        )
        self._label_buttons(words=form.words)
        room = self._title_room(form)
        for caption in (self._title, self._subtitle):
            caption.wrap_to(min(px(MAX_TITLE_WIDTH), room))
        _set_packed(self._title_box, form.lines is not None, side=theme.start)
        _set_packed(self._subtitle, bool(form.lines), anchor=theme.west)
        _set_packed(self._ring, form.ring, side=theme.end, padx=theme.padx(0, 10))
        for gap in self._gaps:
            gap.pack_configure(padx=px(GAP if form.ring else MIN_GAP))

    def _label_buttons(self, *, words: bool) -> None:
        theme = self._theme
        for button, name in self._words.items():
            theme.set_button_text(button, name if words else "")
            self._tips[button].words = "" if words else name
            button.configure(compound=theme.start if words else "image")

    def _title_room(self, form: HeaderLayout) -> int:
        """Return the width in pixels that a layout leaves for the title."""
        px = self._theme.px
        self._label_buttons(words=form.words)
        points = max(
            self._points.winfo_reqwidth() + px(5) + self._points_words.winfo_reqwidth(),
            self._compared.winfo_reqwidth(),
        )
        clock = max(self._clock.winfo_reqwidth(), self._clock_words.winfo_reqwidth())
        buttons = sum(button.winfo_reqwidth() + 2 * px(2) for button in self._buttons)
        gaps = len(self._gaps) * (px(1) + 2 * px(GAP if form.ring else MIN_GAP))
        ring = px(RING_SIZE + 10) if form.ring else 0
        return self._width - 2 * px(EDGE) - points - clock - buttons - gaps - ring - px(10)

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
        gap = self._theme.rule(parent, upright=True)
        gap.pack(side=self._theme.end, fill="y", padx=self._theme.px(GAP), pady=self._theme.px(3))
        self._gaps.append(gap)

    def _make_points(self, parent: tk.Misc) -> tuple[BidiLabel, BidiLabel, BidiLabel]:
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

    def _make_clock(self, parent: tk.Misc) -> tuple[BidiLabel, BidiLabel, tk.Label]:
        theme = self._theme
        box = theme.frame(parent)
        box.pack(side=theme.end)
        clock = theme.label(box, "", "heading")
        clock.pack(anchor=theme.west)
        words = theme.label(box, "", "small")
        words.pack(anchor=theme.west)
        circle = tk.Label(parent, bg=self._colours.card, bd=0)
        circle.pack(side=theme.end, padx=theme.padx(0, 10))
        return clock, words, circle


def _set_packed(widget: tk.Widget, shown: bool, **where: Any) -> None:
    """Pack a widget or remove it; a widget that is packed already does not move."""
    if not shown:
        widget.pack_forget()
    elif not widget.winfo_manager():
        widget.pack(**where)
