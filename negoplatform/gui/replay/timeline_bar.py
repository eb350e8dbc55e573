"""Timeline at the bottom: every event of the session, and the current position."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PIL import ImageTk

from negoplatform.app.playback.playback import ObservedEvent
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.plots.plot_image import to_image
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.bidi import wrap_lines
from negoplatform.presentation.plots.seat_styles import SeatStyle
from negoplatform.presentation.replay.timeline_view import TimelineLayout, TimelineRow, timeline_height

TIP_WIDTH = 300
REDRAW_MS = 60
"""Delay after the last change of width until the marks are drawn again."""

TICK_ROOM = 90
"""Width per time label at 96 dpi."""


class TimelineBar:
    """Timeline canvas: a click or drag goes to a time, and pointing at a mark shows its tooltip.

    Args:
        parent: The parent widget.
        theme: The window's theme.
        describe: Returns the tooltip of an event.
        on_seek: Called with the session time that was clicked or dragged to.
        on_pick: Called with an event whose mark was clicked.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        describe: Callable[[ObservedEvent], str],
        on_seek: Callable[[float], None],
        on_pick: Callable[[ObservedEvent], None],
    ) -> None:
        self._theme, self._describe = theme, describe
        self._on_seek, self._on_pick = on_seek, on_pick
        self._rows: tuple[TimelineRow, ...] = ()
        self._seat_styles: Mapping[Seat, SeatStyle] = {}
        self._seconds = 1.0
        self._layout: TimelineLayout | None = None
        self._picture: ImageTk.PhotoImage | None = None
        self._described: ObservedEvent | None = None
        self._at: tuple[float, ObservedEvent | None] = (0.0, None)
        self._later = ""
        c = theme.colours
        self.canvas = canvas = tk.Canvas(
            parent,
            bg=c.card,
            bd=0,
            height=1,
            highlightthickness=theme.px(2),
            highlightcolor=c.focus,
            highlightbackground=c.card,
            takefocus=1,
            cursor="hand2",
        )
        canvas.bind("<Configure>", self._resized)
        canvas.bind("<Destroy>", lambda _event: self._stop())
        canvas.bind("<Motion>", lambda event: self._show_tip(self._moment_at(event)))
        canvas.bind("<Leave>", lambda _event: self._show_tip(None))
        canvas.bind("<Button-1>", self._click)
        canvas.bind("<B1-Motion>", self._drag)
        canvas.bind("<FocusIn>", lambda _event: self._show_tip(self._at[1]))
        canvas.bind("<FocusOut>", lambda _event: self._show_tip(None))
        canvas.bind("<Escape>", lambda _event: self._show_tip(None))

    def show(self, tracks: Sequence[TimelineRow], sides: Mapping[Seat, SeatStyle], seconds: float) -> None:
        """Show the events of a session."""
        self._rows, self._seat_styles, self._seconds = tuple(tracks), sides, seconds
        height = self._theme.px(timeline_height(len(tracks)))
        if int(float(self.canvas.cget("height"))) != height:
            self.canvas.configure(height=height)
        self._redraw()

    def move(self, t: float, moment: ObservedEvent | None) -> None:
        """Move the line to a session time; ``moment`` is the event at it, if there is one."""
        before, self._at = self._at[1], (t, moment)
        self._place_line()
        if moment is not before and self.canvas.focus_get() is self.canvas:
            self._show_tip(moment)

    # Drawing

    def _resized(self, _event: tk.Event[tk.Misc]) -> None:
        self._stop()
        if self._layout is None:
            self._redraw()
        elif self._layout.width != self._width():
            self._later = self.canvas.after(REDRAW_MS, self._redraw)

    def _width(self) -> float:
        return (self.canvas.winfo_width() - 2 * self._edge) / self._theme.scale

    @property
    def _edge(self) -> int:
        return int(self.canvas.cget("highlightthickness"))

    def _redraw(self) -> None:
        self._later = ""
        theme, canvas = self._theme, self.canvas
        canvas.delete("all")
        if self._width() < 200 or not self._rows:
            self._layout = None
            return
        names = [theme.font("small").measure(theme.visual_order(track.name)) for track in self._rows]
        indent = max(names) / theme.scale + 24
        plan = self._layout = TimelineLayout(
            self._rows, self._seconds, width=self._width(), indent=indent, rtl=theme.rtl
        )
        image = to_image(plan.drawing(self._seat_styles, theme.colours), theme.scale, words=False)
        self._picture = theme.picture(image)
        canvas.create_image(self._edge, self._edge, image=self._picture, anchor="nw")
        write = partial(canvas.create_text, font=theme.font("small"), fill=theme.colours.muted)
        side = plan.width - 8 if theme.rtl else 8
        for row, track in enumerate(self._rows):
            write(*self._pixels(side, plan.y(row)), text=theme.visual_order(track.name), anchor=theme.west)
        for x, text in plan.ticks(round(plan.width / TICK_ROOM)):
            write(*self._pixels(x, plan.height - 8), text=text)
        c = theme.colours
        canvas.create_rectangle(0, 0, 0, 0, fill=c.primary, outline="", tags="gone")
        canvas.create_line(0, 0, 0, 0, fill=c.primary, width=max(1, theme.px(2)), tags="line")
        canvas.create_polygon(0, 0, 0, 0, 0, 0, fill=c.primary, outline="", tags="handle")
        self._described = None
        self._place_line()

    def _place_line(self) -> None:
        plan = self._layout
        if plan is None:
            return
        (x, top), (_, low) = (self._pixels(plan.x(self._at[0]), y) for y in (1, plan.axes.bottom))
        zero, n = self._pixels(plan.x(0.0), 0)[0], self._theme.px(5)
        self.canvas.coords("line", x, top, x, low + n)
        self.canvas.coords("handle", x - n, top, x + n, top, x, top + n * 1.4)
        bar = self._theme.px(2)
        self.canvas.coords("gone", min(zero, x), low + bar, max(zero, x), low + bar + self._theme.px(3))

    def _pixels(self, x: float, y: float) -> tuple[float, float]:
        return x * self._theme.scale + self._edge, y * self._theme.scale + self._edge

    def _stop(self) -> None:
        if self._later:
            self.canvas.after_cancel(self._later)
            self._later = ""

    # Pointing and clicking

    def _event_position(self, event: tk.Event[tk.Misc]) -> tuple[float, float]:
        scale = self._theme.scale
        return (event.x - self._edge) / scale, (event.y - self._edge) / scale

    def _moment_at(self, event: tk.Event[tk.Misc]) -> ObservedEvent | None:
        return self._layout.moment_at(*self._event_position(event)) if self._layout else None

    def _click(self, event: tk.Event[tk.Misc]) -> None:
        self.canvas.focus_set()
        moment = self._moment_at(event)
        if moment is not None:
            self._on_pick(moment)
        else:
            self._drag(event)

    def _drag(self, event: tk.Event[tk.Misc]) -> None:
        if self._layout is not None:
            self._on_seek(self._layout.time_at(self._event_position(event)[0]))

    def _show_tip(self, moment: ObservedEvent | None) -> None:
        """Show the tooltip of an event next to its mark; None hides it."""
        if moment is self._described:
            return
        self._described = moment
        canvas, theme, plan = self.canvas, self._theme, self._layout
        canvas.delete("tip")
        if moment is None or plan is None:
            return
        font, pad, c = theme.font("small"), theme.px(6), theme.colours
        lines = wrap_lines(self._describe(moment), theme.px(TIP_WIDTH), font.measure)[:3]
        words = canvas.create_text(
            0, 0, text="\n".join(map(theme.visual_order, lines)), font=font, fill=c.ink, anchor="nw",
            tags="tip", justify=theme.justify,
        )  # fmt: skip
        left, top, right, bottom = canvas.bbox(words)
        wide, high = right - left + 2 * pad, bottom - top + 2 * pad
        x, y = self._pixels(*plan.mark_position(moment))
        away, most = theme.px(12), canvas.winfo_width() - wide - self._edge
        # Next to the mark: a box above it would not fit into the canvas.
        x = x + away if x + away <= most else x - away - wide
        y = min(max(self._edge, y - high / 2), canvas.winfo_height() - high - self._edge)
        canvas.coords(words, x + pad, y + pad)
        box = canvas.create_rectangle(x, y, x + wide, y + high, fill=c.card, outline=c.edge, tags="tip")
        canvas.tag_lower(box, words)
