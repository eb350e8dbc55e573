"""A cell of the builder: a rounded area to press, with the keyboard too, and what is drawn in it."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence
from functools import partial
from tkinter import font as tkfont
from typing import Literal

from PIL import Image, ImageDraw, ImageTk

from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.theming.rounded_shapes import SUPERSAMPLING, check_mark, rounded, stretched
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.color_palette import mix_colours

PieceShape = Literal["round", "hollow", "square"]
"""Whose a piece is: the participant's, nobody's yet, another seat's."""

MARGIN = 3
"""Room around a cell for the ring that marks the focus, for 96 dpi."""

PADDING = 6
"""From a cell's edge to what is in it, for 96 dpi."""

RADIUS = 8


class CellImages:
    """The pictures of cells and pieces, each drawn once.

    Args:
        theme: Their looks.
        pictures: What issues look like.
    """

    def __init__(self, theme: Theme, pictures: IssuePhotoCache) -> None:
        self._theme = theme
        self._pictures = pictures
        self._kept: dict[tuple[object, ...], ImageTk.PhotoImage] = {}

    def ground(self, size: tuple[int, int], face: str, edge: str, ring: bool) -> ImageTk.PhotoImage:
        """A cell's area, with its margin."""
        key = "ground", size, face, edge, ring
        if key not in self._kept:
            self._kept[key] = self._theme.picture(self._area(size, face, edge, ring))
        return self._kept[key]

    def piece(self, shape: PieceShape, size: int, colour: str) -> ImageTk.PhotoImage:
        """A piece, to be laid on any ground; ``size`` in pixels."""
        key = shape, size, colour
        if key not in self._kept:
            self._kept[key] = self._theme.picture(piece_image(shape, size, colour))
        return self._kept[key]

    def issue_picture(self, name: str, size: int, *, faded: bool = False) -> ImageTk.PhotoImage | None:
        """The picture of an issue, ``size`` in pixels; None if it has none."""
        return self._pictures.get(name, size, faded=faded)

    def radio(self, chosen: bool, colour: str, face: str, on: str) -> ImageTk.PhotoImage:
        """The mark of a choice: a ring, filled and dotted if it is chosen."""
        key = "radio", chosen, colour, face, on
        if key not in self._kept:
            mark = check_mark(
                self._theme.px(14),
                colour=on if chosen else "",
                face=colour if chosen else face,
                edge=colour,
                ground=face,
                round_box=True,
            )
            self._kept[key] = self._theme.picture(mark)
        return self._kept[key]

    def minus_sign(self, face: str, edge: str, sign: str) -> ImageTk.PhotoImage:
        """The button that takes one back."""
        key = "minus", face, edge, sign
        if key not in self._kept:
            n = self._theme.px(16)
            image = rounded((n, n), n * 0.3, face=face, edge=edge, width=max(1.0, n / 16), ground=face)
            middle, half, thick = n / 2, n * 0.22, max(1, round(n / 11))
            top = round(middle - thick / 2)
            ImageDraw.Draw(image).rectangle(
                (round(middle - half), top, round(middle + half) - 1, top + thick - 1), fill=sign
            )
            self._kept[key] = self._theme.picture(image)
        return self._kept[key]

    def _area(self, size: tuple[int, int], face: str, edge: str, ring: bool) -> Image.Image:
        theme, density = self._theme, max(1.0, self._theme.scale)
        corner = min(theme.px(RADIUS + 2 * MARGIN), size[0] // 2, size[1] // 2)
        image = rounded(
            (2 * corner + 2,) * 2,
            theme.px(RADIUS),
            face=face,
            edge=edge,
            width=density,
            ground=theme.colours.card,
            ring=theme.colours.focus if ring else "",
            ring_width=2 * density if ring else 0,
            gap=density if ring else 3 * density,
        )
        return stretched(image, corner, (max(1, size[0] - 2 * corner), max(1, size[1] - 2 * corner)))


class Cell(tk.Canvas):
    """A canvas with a rounded area; a kind of cell says in :meth:`arrange` what is in it.

    Args:
        parent: Where it is put.
        theme: Its looks.
        art: Its pictures.
        height: With its margin, for 96 dpi.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, art: CellImages, *, height: float) -> None:
        super().__init__(
            parent,
            width=theme.px(44),
            height=theme.px(height),
            bg=theme.colours.card,
            bd=0,
            highlightthickness=0,
            takefocus=0,
        )
        self.theme, self.art = theme, art
        self.enabled = True
        self._colours = theme.colours.soft, theme.colours.line
        self._hover = self._down = self._focused = False
        self._ground = self.create_image(0, 0, anchor="nw")
        self._size = 0, 0
        self.bind("<Enter>", lambda _event: self.set_pointer_state(hover=True))
        self.bind("<Leave>", lambda _event: self.set_pointer_state(hover=False))
        self.bind("<FocusIn>", lambda _event: self._focus_ring(True))
        self.bind("<FocusOut>", lambda _event: self._focus_ring(False))
        self.bind("<Configure>", self._sized)

    @property
    def face(self) -> str:
        """The colour of its area as it is now."""
        face, ink = self._colours[0], self.theme.colours.ink
        if not self.enabled:
            return face
        return (
            mix_colours(face, ink, 0.1)
            if self._down
            else mix_colours(face, ink, 0.05)
            if self._hover
            else face
        )

    def arrange(self, width: int, height: int) -> None:
        """Puts everything where it belongs in an area of a new size."""

    def on_recoloured(self) -> None:
        """Is called when the colour of the area has changed."""

    def set_colours(self, face: str, edge: str, *, enabled: bool) -> None:
        """The colours of its area, and whether it can be pressed."""
        if (self._colours, self.enabled) != ((face, edge), enabled):
            self._colours, self.enabled = (face, edge), enabled
            self.configure(cursor="hand2" if enabled else "")
            self._paint()

    def set_pointer_state(self, *, hover: bool | None = None, down: bool | None = None) -> None:
        """Whether the pointer is over it, and whether it is held down."""
        before = self._hover, self._down
        self._hover = self._hover if hover is None else hover
        self._down = self._down if down is None else down
        if before != (self._hover, self._down):
            self._paint()

    def has_point(self, x_root: int, y_root: int) -> bool:
        """Whether a place on the screen is in it."""
        x, y = x_root - self.winfo_rootx(), y_root - self.winfo_rooty()
        return 0 <= x < self.winfo_width() and 0 <= y < self.winfo_height()

    def x_from_start(self, from_start: int) -> int:
        """A place so many pixels from where reading starts."""
        return self._size[0] - from_start if self.theme.rtl else from_start

    def truncate(self, text: str, font: tkfont.Font, width: int) -> str:
        """A line as Tk has to be given it, cut to a width."""
        if font.measure(text) > width:
            while text and font.measure(text + "…") > width:
                text = text[:-1]
            text = text.rstrip() + "…"
        return self.theme.visual_order(text)

    def _focus_ring(self, focused: bool) -> None:
        self._focused = focused
        self._paint()

    def _sized(self, event: tk.Event[tk.Canvas]) -> None:
        # Before it is laid out a widget is one pixel large.
        if event.width > self.theme.px(2 * (RADIUS + MARGIN)) and (event.width, event.height) != self._size:
            self._size = event.width, event.height
            self.arrange(*self._size)
            self._paint()

    def _paint(self) -> None:
        if self._size[0]:
            edge = self.theme.colours.edge if self._hover and self.enabled else self._colours[1]
            picture = self.art.ground(self._size, self.face, edge, self._focused)
            self.itemconfigure(self._ground, image=picture)
            self.on_recoloured()


def enable_roving_focus(cells: Sequence[Cell], *, rtl: bool) -> None:
    """One stop of Tab for a row of cells, in reading order; the arrow keys go from cell to cell."""

    def come(_event: object, at: int) -> None:
        for index, cell in enumerate(cells):
            cell.configure(takefocus=index == at)

    def go(_event: object, to: int) -> str:
        if 0 <= to < len(cells):
            cells[to].focus_set()
        return "break"

    on = -1 if rtl else 1
    for index, cell in enumerate(cells):
        cell.bind("<FocusIn>", partial(come, at=index), add="+")
        cell.bind("<Right>", partial(go, to=index + on))
        cell.bind("<Left>", partial(go, to=index - on))
    cells[0].configure(takefocus=1)


def corner_anchor(theme: Theme, *, top: bool, start: bool) -> Literal["nw", "ne", "sw", "se"]:
    """The anchor of a corner: at the top or the bottom, where reading starts or at the other side."""
    if start != theme.rtl:
        return "nw" if top else "sw"
    return "ne" if top else "se"


def piece_image(shape: PieceShape, size: int, colour: str) -> Image.Image:
    """A piece on nothing: a disc, a ring or a square with round corners."""
    n = size * SUPERSAMPLING
    mask = Image.new("L", (n, n), 0)
    pen, edge = ImageDraw.Draw(mask), max(SUPERSAMPLING, round(n * 0.11))
    if shape == "square":
        pen.rounded_rectangle(
            (SUPERSAMPLING // 2, SUPERSAMPLING // 2, n - SUPERSAMPLING // 2 - 1, n - SUPERSAMPLING // 2 - 1),
            n * 0.24,
            fill=255,
        )
    else:
        pen.ellipse((0, 0, n - 1, n - 1), fill=255)
    if shape == "hollow":
        pen.ellipse((edge, edge, n - edge - 1, n - edge - 1), fill=0)
    image = Image.new("RGBA", (size, size), colour)
    # Only the mask is made small: mixed with an empty ground, the edge would darken.
    image.putalpha(mask.resize((size, size), Image.Resampling.LANCZOS))
    return image
