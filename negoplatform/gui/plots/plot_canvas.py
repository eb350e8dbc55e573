"""Drawing on a canvas: the picture is fixed, and the overlay moves separately."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import replace
from tkinter import font as tkfont
from typing import Literal, assert_never

from PIL import ImageTk

from negoplatform.gui.plots.plot_image import marker_image, shapes_image
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.bidi import wrap_lines
from negoplatform.presentation.plots.drawing import (
    Anchor,
    Drawing,
    DrawingItem,
    FilledArea,
    FilledRectangle,
    Marker,
    Polyline,
    TextLabel,
)

TK_ANCHORS: dict[Anchor, Literal["w", "center", "e"]] = {"start": "w", "middle": "center", "end": "e"}

TIP_WIDTH = 260.0
STILL_TAG, OVERLAY_TAG, TIP_TAG = "still", "moving", "tip"


class PlotCanvas:
    """Canvas that shows a drawing.

    Pointing at a mark shows its tooltip. With the keyboard, the arrow keys go from mark to mark, Return or
    Space picks one, and Escape hides the tooltip.

    Args:
        parent: The parent widget.
        theme: The window's theme.
        on_pick: Called with the position in the log of a mark that was clicked or picked.
        on_click_at: Called with the horizontal value where the user clicked or dragged away from all marks.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_pick: Callable[[int], object] = lambda _position: None,
        on_click_at: Callable[[float], object] = lambda _value: None,
    ) -> None:
        self._theme = theme
        self._on_pick = on_pick
        self._on_click_at = on_click_at
        self._drawing: Drawing | None = None
        self._picture: ImageTk.PhotoImage | None = None
        self._dots: dict[Marker, ImageTk.PhotoImage] = {}
        self._fonts: dict[tuple[float, bool], tkfont.Font] = {}
        self._overlay_items: list[int] = []
        self._overlay_keys: list[DrawingItem] = []
        self._tip_marker: Marker | None = None
        colours = theme.colours
        self.widget = canvas = tk.Canvas(
            parent,
            bg=colours.card,
            bd=0,
            highlightthickness=theme.px(2),
            highlightcolor=colours.focus,
            highlightbackground=colours.card,
            takefocus=1,
        )
        canvas.bind("<Motion>", lambda event: self._show_tip(self._marker_near(event)))
        canvas.bind("<Leave>", lambda _event: self._show_tip(None))
        canvas.bind("<Button-1>", self._click)
        canvas.bind("<B1-Motion>", self._drag)
        canvas.bind("<Left>", lambda _event: self._move_selection(-1))
        canvas.bind("<Right>", lambda _event: self._move_selection(1))
        canvas.bind("<Escape>", lambda _event: self._show_tip(None))
        canvas.bind("<FocusOut>", lambda _event: self._show_tip(None))
        for key in ("<Return>", "<space>"):
            canvas.bind(key, lambda _event: self._pick(self._tip_marker))

    def show(self, drawing: Drawing) -> None:
        """Show a drawing; showing the same one again costs nothing."""
        if drawing is self._drawing:
            return
        self._drawing = drawing
        self._tip_marker = None
        scale, canvas = self._theme.scale, self.widget
        canvas.delete("all")
        self._overlay_items, self._overlay_keys = [], []
        canvas.configure(
            bg=drawing.ground, width=round(drawing.width * scale), height=round(drawing.height * scale)
        )
        self._picture = self._theme.picture(shapes_image(drawing, scale))
        edge = int(canvas.cget("highlightthickness"))
        canvas.create_image(edge, edge, image=self._picture, anchor="nw", tags=STILL_TAG)
        for item in drawing.items:
            if isinstance(item, TextLabel):
                self._create(item, STILL_TAG)

    def show_overlay(self, items: Sequence[DrawingItem]) -> None:
        """Show the overlay; items that only change their position are moved, not created again."""
        looks = list(map(_without_position, items))
        if looks != self._overlay_keys:
            self.widget.delete(OVERLAY_TAG)
            self._overlay_items = [self._create(item, OVERLAY_TAG) for item in items]
            self._overlay_keys = looks
            self.widget.tag_raise(TIP_TAG)
            return
        for made, item in zip(self._overlay_items, items, strict=True):
            self.widget.coords(made, *self._places(item))

    def _create(self, item: DrawingItem, tag: str) -> int:
        canvas, places = self.widget, self._places(item)
        match item:
            case Polyline():
                width = max(1, self._theme.px(item.width))
                return canvas.create_line(*places, fill=item.colour, width=width, tags=tag)
            case Marker():
                return canvas.create_image(*places, image=self._dot(item), tags=tag)
            case FilledRectangle():
                return canvas.create_rectangle(*places, fill=item.fill, outline="", tags=tag)
            case FilledArea():
                return canvas.create_polygon(*places, fill=item.fill, outline="", tags=tag)
            case TextLabel():
                return canvas.create_text(
                    *places,
                    text=self._theme.visual_order(item.text),
                    fill=item.colour,
                    font=self._font(item.size, item.bold),
                    anchor=TK_ANCHORS[item.anchor],
                    tags=tag,
                )
            case _:
                assert_never(item)

    def _places(self, item: DrawingItem) -> list[float]:
        """Return the coordinates of an item in pixels of the canvas."""
        scale, edge = self._theme.scale, int(self.widget.cget("highlightthickness"))
        match item:
            case Polyline(spots) | FilledArea(spots):
                return [part * scale + edge for spot in spots for part in spot]
            case FilledRectangle(x, y, width, height):
                return [part * scale + edge for part in (x, y, x + width, y + height)]
            case Marker() | TextLabel():
                return [item.x * scale + edge, item.y * scale + edge]
            case _:
                assert_never(item)

    def _dot(self, dot: Marker) -> ImageTk.PhotoImage:
        look = _without_position(dot)
        assert isinstance(look, Marker)
        if look not in self._dots:
            self._dots[look] = self._theme.picture(marker_image(look, self._theme.scale))
        return self._dots[look]

    def _font(self, size: float, bold: bool) -> tkfont.Font:
        if (size, bold) not in self._fonts:
            family = self._theme.font("body").actual("family")
            weight: Literal["bold", "normal"] = "bold" if bold else "normal"
            # Negative: a size in pixels, so that text and lines scale alike.
            made = tkfont.Font(self.widget, family=family, size=-max(1, self._theme.px(size)), weight=weight)
            self._fonts[size, bold] = made
        return self._fonts[size, bold]

    # Pointing, clicking and selecting

    def _at(self, event: tk.Event[tk.Misc]) -> tuple[float, float]:
        edge = int(self.widget.cget("highlightthickness"))
        return (event.x - edge) / self._theme.scale, (event.y - edge) / self._theme.scale

    def _marker_near(self, event: tk.Event[tk.Misc]) -> Marker | None:
        return self._drawing.nearest_marker(*self._at(event)) if self._drawing else None

    def _click(self, event: tk.Event[tk.Misc]) -> None:
        self.widget.focus_set()
        near = self._marker_near(event)
        if near is not None and near.position is not None:
            self._pick(near)
        else:
            self._drag(event)

    def _drag(self, event: tk.Event[tk.Misc]) -> None:
        if self._drawing is not None:
            self._on_click_at(self._drawing.axes.value_at(self._at(event)[0]))

    def _pick(self, dot: Marker | None) -> None:
        if dot is not None and dot.position is not None:
            self._on_pick(dot.position)

    def _move_selection(self, by: int) -> None:
        stops = self._drawing.log_markers() if self._drawing else ()
        if stops:
            start = -1 if by > 0 else 0
            at = stops.index(self._tip_marker) if self._tip_marker in stops else start
            self._show_tip(stops[(at + by) % len(stops)])

    def _show_tip(self, dot: Marker | None) -> None:
        """Show the tooltip of a mark next to it; None hides it."""
        if dot is self._tip_marker:
            return
        self._tip_marker = dot
        canvas, theme = self.widget, self._theme
        canvas.delete(TIP_TAG)
        if dot is None or self._drawing is None:
            return
        font, pad = self._font(11, False), theme.px(6)
        lines = wrap_lines(dot.tooltip, theme.px(min(TIP_WIDTH, self._drawing.width - 40)), font.measure)
        x, y = self._places(dot)
        words = canvas.create_text(
            0,
            0,
            text="\n".join(map(theme.visual_order, lines)),
            fill=theme.colours.ink,
            font=font,
            anchor="nw",
            justify=theme.justify,
            tags=TIP_TAG,
        )
        left, top, right, bottom = canvas.bbox(words)
        wide, high = right - left + 2 * pad, bottom - top + 2 * pad
        across, down = round(self._drawing.width * theme.scale), round(self._drawing.height * theme.scale)
        away = theme.px(dot.radius + 8)
        x = min(max(0, x - wide / 2), across - wide)
        y = y - away - high if y - away - high >= 0 else min(y + away, down - high)
        canvas.coords(words, x + pad, y + pad)
        box = canvas.create_rectangle(
            x, y, x + wide, y + high, fill=theme.colours.card, outline=theme.colours.edge, tags=TIP_TAG
        )
        canvas.tag_lower(box, words)


def _without_position(item: DrawingItem) -> DrawingItem:
    """Return an item without its position: an item that looks the same only has to be moved."""
    match item:
        case Polyline(spots) | FilledArea(spots):
            return replace(item, points=((0, 0),) * len(spots))
        case Marker():
            return replace(item, x=0, y=0, tooltip="", position=None)
        case FilledRectangle():
            return replace(item, x=0, y=0, width=0, height=0)
        case TextLabel():
            return replace(item, x=0, y=0)
        case _:
            assert_never(item)
