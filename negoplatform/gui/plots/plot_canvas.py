"""A drawing on the screen: its picture stands still, and what moves over it moves alone."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import replace
from tkinter import font as tkfont
from typing import Literal, assert_never

from PIL import ImageTk

from negoplatform.gui.plots.shape_image import dot_image, shapes_image
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.bidi import wrapped
from negoplatform.presentation.plots.drawing import Anchor, Area, Dot, Drawing, Item, Line, Text

TK_ANCHORS: dict[Anchor, Literal["w", "center", "e"]] = {"start": "w", "middle": "center", "end": "e"}

TIP_WIDTH = 260.0
STILL, MOVING, TIP = "still", "moving", "tip"


class Plot:
    """A drawing on a canvas.

    Whoever points at a mark is told what it is. With the keyboard, the arrow keys go from mark to mark,
    Return or Space picks one, and Escape takes what is told away.

    Args:
        parent: Where the canvas is put.
        theme: How the window looks.
        on_pick: Is given the position in the log of a mark that was clicked or picked.
        on_place: Is given the value from left to right where somebody clicked or dragged beside all marks.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_pick: Callable[[int], object] = lambda _position: None,
        on_place: Callable[[float], object] = lambda _value: None,
    ) -> None:
        self._theme = theme
        self._on_pick = on_pick
        self._on_place = on_place
        self._drawing: Drawing | None = None
        self._picture: ImageTk.PhotoImage | None = None
        self._dots: dict[Dot, ImageTk.PhotoImage] = {}
        self._fonts: dict[tuple[float, bool], tkfont.Font] = {}
        self._moving: list[int] = []
        self._looks: list[Item] = []
        self._told: Dot | None = None
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
        canvas.bind("<Motion>", lambda event: self._tell(self._near(event)))
        canvas.bind("<Leave>", lambda _event: self._tell(None))
        canvas.bind("<Button-1>", self._click)
        canvas.bind("<B1-Motion>", self._drag)
        canvas.bind("<Left>", lambda _event: self._walk(-1))
        canvas.bind("<Right>", lambda _event: self._walk(1))
        canvas.bind("<Escape>", lambda _event: self._tell(None))
        canvas.bind("<FocusOut>", lambda _event: self._tell(None))
        for key in ("<Return>", "<space>"):
            canvas.bind(key, lambda _event: self._pick(self._told))

    def show(self, drawing: Drawing) -> None:
        """Puts a drawing on the canvas; the same one costs nothing."""
        if drawing is self._drawing:
            return
        self._drawing = drawing
        self._told = None
        scale, canvas = self._theme.scale, self.widget
        canvas.delete("all")
        self._moving, self._looks = [], []
        canvas.configure(
            bg=drawing.ground, width=round(drawing.width * scale), height=round(drawing.height * scale)
        )
        self._picture = self._theme.picture(shapes_image(drawing, scale))
        edge = int(canvas.cget("highlightthickness"))
        canvas.create_image(edge, edge, image=self._picture, anchor="nw", tags=STILL)
        for item in drawing.items:
            if isinstance(item, Text):
                self._create(item, STILL)

    def move(self, items: Sequence[Item]) -> None:
        """Shows what moves over the drawing; what only changes its place is not made anew."""
        looks = list(map(_look, items))
        if looks != self._looks:
            self.widget.delete(MOVING)
            self._moving = [self._create(item, MOVING) for item in items]
            self._looks = looks
            self.widget.tag_raise(TIP)
            return
        for made, item in zip(self._moving, items, strict=True):
            self.widget.coords(made, *self._places(item))

    def _create(self, item: Item, tag: str) -> int:
        canvas, places = self.widget, self._places(item)
        match item:
            case Line():
                width = max(1, self._theme.px(item.width))
                return canvas.create_line(*places, fill=item.colour, width=width, tags=tag)
            case Dot():
                return canvas.create_image(*places, image=self._dot(item), tags=tag)
            case Area():
                return canvas.create_rectangle(*places, fill=item.fill, outline="", tags=tag)
            case Text():
                return canvas.create_text(
                    *places,
                    text=self._theme.drawn(item.text),
                    fill=item.colour,
                    font=self._font(item.size, item.bold),
                    anchor=TK_ANCHORS[item.anchor],
                    tags=tag,
                )
            case _:
                assert_never(item)

    def _places(self, item: Item) -> list[float]:
        """Where an item is, in the canvas's pixels."""
        scale, edge = self._theme.scale, int(self.widget.cget("highlightthickness"))
        match item:
            case Line(spots):
                return [part * scale + edge for spot in spots for part in spot]
            case Area(x, y, width, height):
                return [part * scale + edge for part in (x, y, x + width, y + height)]
            case Dot() | Text():
                return [item.x * scale + edge, item.y * scale + edge]
            case _:
                assert_never(item)

    def _dot(self, dot: Dot) -> ImageTk.PhotoImage:
        look = _look(dot)
        assert isinstance(look, Dot)
        if look not in self._dots:
            self._dots[look] = self._theme.picture(dot_image(look, self._theme.scale))
        return self._dots[look]

    def _font(self, size: float, bold: bool) -> tkfont.Font:
        if (size, bold) not in self._fonts:
            family = self._theme.font("body").actual("family")
            weight: Literal["bold", "normal"] = "bold" if bold else "normal"
            # Negative: pixels, so that words and lines grow alike.
            made = tkfont.Font(self.widget, family=family, size=-max(1, self._theme.px(size)), weight=weight)
            self._fonts[size, bold] = made
        return self._fonts[size, bold]

    # Pointing, clicking and walking

    def _at(self, event: tk.Event[tk.Misc]) -> tuple[float, float]:
        edge = int(self.widget.cget("highlightthickness"))
        return (event.x - edge) / self._theme.scale, (event.y - edge) / self._theme.scale

    def _near(self, event: tk.Event[tk.Misc]) -> Dot | None:
        return self._drawing.dot_near(*self._at(event)) if self._drawing else None

    def _click(self, event: tk.Event[tk.Misc]) -> None:
        self.widget.focus_set()
        near = self._near(event)
        if near is not None and near.position is not None:
            self._pick(near)
        else:
            self._drag(event)

    def _drag(self, event: tk.Event[tk.Misc]) -> None:
        if self._drawing is not None:
            self._on_place(self._drawing.axes.value_at(self._at(event)[0]))

    def _pick(self, dot: Dot | None) -> None:
        if dot is not None and dot.position is not None:
            self._on_pick(dot.position)

    def _walk(self, by: int) -> None:
        stops = self._drawing.stops() if self._drawing else ()
        if stops:
            start = -1 if by > 0 else 0
            at = stops.index(self._told) if self._told in stops else start
            self._tell(stops[(at + by) % len(stops)])

    def _tell(self, dot: Dot | None) -> None:
        """Says what a mark is, beside it; None: says nothing."""
        if dot is self._told:
            return
        self._told = dot
        canvas, theme = self.widget, self._theme
        canvas.delete(TIP)
        if dot is None or self._drawing is None:
            return
        font, pad = self._font(11, False), theme.px(6)
        lines = wrapped(dot.tip, theme.px(min(TIP_WIDTH, self._drawing.width - 40)), font.measure)
        x, y = self._places(dot)
        words = canvas.create_text(
            0,
            0,
            text="\n".join(map(theme.drawn, lines)),
            fill=theme.colours.ink,
            font=font,
            anchor="nw",
            justify=theme.justify,
            tags=TIP,
        )
        left, top, right, bottom = canvas.bbox(words)
        wide, high = right - left + 2 * pad, bottom - top + 2 * pad
        across, down = round(self._drawing.width * theme.scale), round(self._drawing.height * theme.scale)
        away = theme.px(dot.radius + 8)
        x = min(max(0, x - wide / 2), across - wide)
        y = y - away - high if y - away - high >= 0 else min(y + away, down - high)
        canvas.coords(words, x + pad, y + pad)
        box = canvas.create_rectangle(
            x, y, x + wide, y + high, fill=theme.colours.card, outline=theme.colours.edge, tags=TIP
        )
        canvas.tag_lower(box, words)


def _look(item: Item) -> Item:
    """An item without its place: what has the same look only has to be moved."""
    match item:
        case Line(spots):
            return replace(item, spots=((0, 0),) * len(spots))
        case Dot():
            return replace(item, x=0, y=0, tip="", position=None)
        case Area():
            return replace(item, x=0, y=0, width=0, height=0)
        case Text():
            return replace(item, x=0, y=0)
        case _:
            assert_never(item)
