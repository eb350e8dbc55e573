"""Cell of the builder: a rounded area that can be pressed, by keyboard too, with a drawing in it."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence
from functools import partial
from tkinter import font as tkfont
from typing import Literal

from PIL import Image, ImageDraw, ImageTk

from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.theming.rounded_shapes import SUPERSAMPLING, rounded, stretched
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.color_palette import mix_colours

PieceShape = Literal["round", "hollow", "square"]
"""Shape of a piece: round for the participant, hollow for undecided units, square for another seat."""

MARGIN = 3
"""Margin of a cell, for the focus ring, in pixels at 96 dpi."""

PADDING = 6
"""Padding of a cell, in pixels at 96 dpi."""

RADIUS = 8


class CellImages:
    """Cache of the images of cells and pieces.

    Args:
        theme: Theme of the window.
        pictures: Pictures of issues.
    """

    def __init__(self, theme: Theme, pictures: IssuePhotoCache) -> None:
        self._theme = theme
        self._pictures = pictures
        self._cache: dict[tuple[object, ...], ImageTk.PhotoImage] = {}

    def ground(self, size: tuple[int, int], face: str, edge: str, ring: bool) -> ImageTk.PhotoImage:
        """Return the area of a cell, with its margin."""
        key = "ground", size, face, edge, ring
        if key not in self._cache:
            self._cache[key] = self._theme.picture(self._area(size, face, edge, ring))
        return self._cache[key]

    def piece(self, shape: PieceShape, size: int, colour: str) -> ImageTk.PhotoImage:
        """Return a piece on transparency; ``size`` in pixels."""
        key = shape, size, colour
        if key not in self._cache:
            self._cache[key] = self._theme.picture(piece_image(shape, size, colour))
        return self._cache[key]

    def issue_picture(self, name: str, size: int, *, faded: bool = False) -> ImageTk.PhotoImage | None:
        """Return the picture of an issue, ``size`` in pixels; None if the issue has none."""
        return self._pictures.get(name, size, faded=faded)

    def minus_sign(self, face: str, edge: str, sign: str) -> ImageTk.PhotoImage:
        """Return the button that takes one unit back."""
        key = "minus", face, edge, sign
        if key not in self._cache:
            n = self._theme.px(16)
            image = rounded((n, n), n * 0.3, face=face, edge=edge, width=max(1.0, n / 16), ground=face)
            middle, half, thick = n / 2, n * 0.22, max(1, round(n / 11))
            top = round(middle - thick / 2)
            ImageDraw.Draw(image).rectangle(
                (round(middle - half), top, round(middle + half) - 1, top + thick - 1), fill=sign
            )
            self._cache[key] = self._theme.picture(image)
        return self._cache[key]

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
    """Canvas with a rounded area; a subclass places its contents in :meth:`arrange`.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        images: Images for cells.
        height: Height with the margin, in pixels at 96 dpi.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, images: CellImages, *, height: float) -> None:
        super().__init__(
            parent,
            width=theme.px(44),
            height=theme.px(height),
            bg=theme.colours.card,
            bd=0,
            highlightthickness=0,
            takefocus=0,
        )
        self.theme, self.images = theme, images
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
        """Current colour of the area."""
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
        """Place the contents in an area of a new size."""

    def on_recoloured(self) -> None:
        """Update the contents after the colour of the area has changed."""

    def set_colours(self, face: str, edge: str, *, enabled: bool) -> None:
        """Set the colours of the area, and whether the cell can be pressed."""
        if (self._colours, self.enabled) != ((face, edge), enabled):
            self._colours, self.enabled = (face, edge), enabled
            self.configure(cursor="hand2" if enabled else "")
            self._paint()

    def set_pointer_state(self, *, hover: bool | None = None, down: bool | None = None) -> None:
        """Set whether the pointer is over the cell, and whether the cell is held down; None keeps a state."""
        before = self._hover, self._down
        self._hover = self._hover if hover is None else hover
        self._down = self._down if down is None else down
        if before != (self._hover, self._down):
            self._paint()

    def has_point(self, x_root: int, y_root: int) -> bool:
        """Return whether a point on the screen is in the cell."""
        x, y = x_root - self.winfo_rootx(), y_root - self.winfo_rooty()
        return 0 <= x < self.winfo_width() and 0 <= y < self.winfo_height()

    def x_from_start(self, from_start: int) -> int:
        """Return the x coordinate of a point at a distance, in pixels, from where reading starts."""
        return self._size[0] - from_start if self.theme.rtl else from_start

    def truncate(self, text: str, font: tkfont.Font, width: int) -> str:
        """Return a line of text in drawing order, truncated to a width in pixels."""
        if font.measure(text) > width:
            while text and font.measure(text + "…") > width:
                text = text[:-1]
            text = text.rstrip() + "…"
        return self.theme.visual_order(text)

    def _focus_ring(self, focused: bool) -> None:
        self._focused = focused
        self._paint()

    def _sized(self, event: tk.Event[tk.Canvas]) -> None:
        # A widget is one pixel large before its first layout.
        if event.width > self.theme.px(2 * (RADIUS + MARGIN)) and (event.width, event.height) != self._size:
            self._size = event.width, event.height
            self.arrange(*self._size)
            self._paint()

    def _paint(self) -> None:
        if self._size[0]:
            edge = self.theme.colours.edge if self._hover and self.enabled else self._colours[1]
            picture = self.images.ground(self._size, self.face, edge, self._focused)
            self.itemconfigure(self._ground, image=picture)
            self.on_recoloured()


def enable_roving_focus(cells: Sequence[Cell], *, rtl: bool) -> None:
    """Make a row of cells one Tab stop, in reading order; the arrow keys move between the cells."""

    def on_focus(_event: object, at: int) -> None:
        for index, cell in enumerate(cells):
            cell.configure(takefocus=index == at)

    def move_focus(_event: object, to: int) -> str:
        if 0 <= to < len(cells):
            cells[to].focus_set()
        return "break"

    on = -1 if rtl else 1
    for index, cell in enumerate(cells):
        cell.bind("<FocusIn>", partial(on_focus, at=index), add="+")
        cell.bind("<Right>", partial(move_focus, to=index + on))
        cell.bind("<Left>", partial(move_focus, to=index - on))
    cells[0].configure(takefocus=1)


def corner_anchor(theme: Theme, *, top: bool, start: bool) -> Literal["nw", "ne", "sw", "se"]:
    """Return a corner's anchor: at the top or the bottom, at the side where reading starts or ends."""
    if start != theme.rtl:
        return "nw" if top else "sw"
    return "ne" if top else "se"


def piece_image(shape: PieceShape, size: int, colour: str) -> Image.Image:
    """Return a piece on transparency: a disc, a ring, or a square with rounded corners."""
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
    # Resize only the mask: mixing with an empty ground would darken the edge.
    image.putalpha(mask.resize((size, size), Image.Resampling.LANCZOS))
    return image
