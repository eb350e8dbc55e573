"""Cell with one seat's units of a quantity issue: a number, and pieces or pictures that can be dragged."""

from __future__ import annotations

import tkinter as tk
from dataclasses import dataclass

from PIL import ImageTk

from negoplatform.domain.seat_map import Seat
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.pressable_cell import (
    MARGIN,
    PADDING,
    Cell,
    CellImages,
    PieceShape,
    corner_anchor,
)
from negoplatform.presentation.color_palette import mix_colours
from negoplatform.presentation.plots.seat_styles import SeatMark

HEIGHT, HEIGHT_OF_PICTURES = 50, 56
"""Heights of a cell with its margin, in pixels at 96 dpi: with pieces, and with pictures."""

MAX_DRAWN = 12
"""Number of units up to which each is drawn; more are shown as one piece and a number."""

LARGEST_PIECE, SMALLEST_PIECE, GAP = 13, 6, 3
"""Largest and smallest size of a piece, and the gap between pieces, in pixels at 96 dpi."""

LARGEST_PICTURE, SMALLEST_PICTURE = 22, 13
"""Largest and smallest size of a picture, in pixels at 96 dpi."""

MIN_VISIBLE = 0.5
"""Share of a picture that stays visible when the next one overlaps it."""

MINUS = 22
"""Size of the button that takes one unit back, in pixels at 96 dpi."""


@dataclass(frozen=True, slots=True)
class PieceGrid:
    """Layout of the pieces of a cell, in pixels.

    Args:
        size: Size of a piece.
        step: Horizontal distance from one piece to the next.
        per_line: Pieces in a line; 0 if one piece stands for all of them.
        offset_y: Vertical distance from one line to the next.
    """

    size: int
    step: int
    per_line: int
    offset_y: int

    def position(self, index: int) -> tuple[int, int]:
        """Return the top left corner of a piece, relative to that of the first."""
        return index % self.per_line * self.step, index // self.per_line * self.offset_y

    def index_at(self, x: int, y: int, count: int) -> int | None:
        """Return the index of the topmost piece at a point; None if no piece is there."""
        for index in reversed(range(count if self.per_line else 0)):
            left, top = self.position(index)
            if left <= x < left + self.size and top <= y < top + self.size:
                return index
        return None


def piece_grid(quantity: int, across: int, down: int, scale: float) -> PieceGrid:
    """Return the grid of the largest pieces with which all units of an issue fit in a cell, in 1 or 2 lines.

    The grid is the same for every cell of an issue, so a piece keeps its size when it moves.
    """
    gap = max(1, round(GAP * scale))
    best = PieceGrid(0, 0, 0, 0)
    for lines in (1, 2):
        per_line = -(-quantity // lines)
        size = min(
            round(LARGEST_PIECE * scale),
            (across + gap) // per_line - gap,
            (down + gap) // lines - gap,
        )
        if size > best.size:
            best = PieceGrid(size, size + gap, per_line, size + gap)
    if quantity > MAX_DRAWN or best.size < SMALLEST_PIECE * scale:
        return PieceGrid(max(1, min(round(LARGEST_PIECE * scale), down)), 0, 0, 0)
    return best


def picture_grid(quantity: int, across: int, down: int, scale: float) -> PieceGrid:
    """Return the grid for pictures, which may overlap so that they stay large enough to recognise."""
    gap = max(1, round(GAP * scale))
    best = PieceGrid(0, 0, 0, 0)
    for lines in (1, 2):
        per_line = -(-quantity // lines)
        size = int(
            min(
                LARGEST_PICTURE * scale,
                across / (1 + MIN_VISIBLE * (per_line - 1)),
                (down + gap) / lines - gap,
            )
        )
        if size > best.size:
            step = (across - size) // (per_line - 1) if per_line > 1 else 0
            best = PieceGrid(size, min(step, size + gap), per_line, size + gap)
    if quantity > MAX_DRAWN or best.size < SMALLEST_PICTURE * scale:
        return PieceGrid(max(1, min(round(LARGEST_PICTURE * scale), down)), 0, 0, 0)
    return best


class QuantityCell(Cell):
    """Cell for the units of one seat, or for the undecided units.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        images: Images for cells.
        seat: Seat of the units; None for the undecided units.
        name: Display name of the seat.
        mine: Whether the seat is the participant's.
        quantity: Number of units of the issue.
        picture: Name of the picture of a unit; empty for drawn pieces.
        mark: Mark of the seat; None where there is only one other.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        images: CellImages,
        *,
        seat: Seat | None,
        name: str,
        mine: bool,
        quantity: int,
        picture: str = "",
        mark: SeatMark | None = None,
    ) -> None:
        self._picture = picture if images.issue_picture(picture, theme.px(LARGEST_PICTURE)) else ""
        super().__init__(parent, theme, images, height=HEIGHT_OF_PICTURES if self._picture else HEIGHT)
        c = theme.colours
        self.seat, self.units = seat, -1
        self._seat_name, self._quantity = name, quantity
        self._shape: PieceShape = "hollow" if seat is None else "round" if mine else "square"
        self._colour = c.muted if seat is None else c.mine if mine else c.theirs
        if mark is not None:
            self._colour = getattr(c, mark.colour)
        soft = c.theirs_soft if mark is None else mix_colours(self._colour, c.card, 0.9)
        self._faces = (c.mine_soft, c.mine_soft) if mine else (c.soft, c.soft if seat is None else soft)
        self._edges = c.line, c.edge if seat is None else self._colour
        self._title = self.create_text(
            0, 0, anchor=corner_anchor(theme, top=True, start=True), font=theme.font("small"), fill=c.muted
        )
        self._figure = self.create_text(
            0, 0, anchor=corner_anchor(theme, top=True, start=False), font=theme.font("bold"), fill=c.ink
        )
        self._count_label = self.create_text(0, 0, anchor=theme.west, font=theme.font("small"), fill=c.ink)
        self._pieces: list[int] = []
        self._grid = PieceGrid(1, 1, 0, 1)
        self._ghost: int | None = None
        self._ghost_count = self.create_text(0, 0, anchor="center", font=theme.font("bold"), fill=c.ink)
        self.minus = tk.Label(self, bd=0, padx=0, pady=0, cursor="hand2")
        self.minus.bind("<Enter>", lambda _event: self._style_minus(hover=True))
        self.minus.bind("<Leave>", lambda _event: self._style_minus())

    def show(self, units: int, can_edit: bool) -> None:
        """Show a number of units."""
        if units != self.units:
            self.units = units
            set_accessible_name(self, "Button", f"{self._seat_name} {units}")
            self.itemconfigure(self._figure, text=str(units))
            self._put_pieces()
        some = int(units > 0)
        self.set_colours(self._faces[some], self._edges[some], enabled=can_edit)
        self._show_minus(self.seat is not None and units > 0 and can_edit)

    def arrange(self, width: int, height: int) -> None:
        """Place the contents in an area of a new size."""
        px, edge = self.theme.px, self.theme.px(MARGIN + PADDING)
        figure = self.theme.font("bold").measure(str(self._quantity))
        room = width - 2 * edge - figure - px(4)
        self.itemconfigure(self._title, text=self.truncate(self._seat_name, self.theme.font("small"), room))
        self.coords(self._title, self.x_from_start(edge), px(MARGIN + 5))
        self.coords(self._figure, self.x_from_start(width - edge), px(MARGIN + 3))
        top = self._first_piece()[1]
        lay_out = picture_grid if self._picture else piece_grid
        self._grid = lay_out(
            self._quantity,
            width - 2 * edge - px(MINUS - PADDING + 2),
            height - top - px(MARGIN + 4),
            self.theme.scale,
        )
        self.delete(*self._pieces)
        self._pieces.clear()
        self._put_pieces()

    def on_recoloured(self) -> None:
        """Redraw the minus sign for the new background colour."""
        self._style_minus()

    def pieces_from(self, x_root: int, y_root: int) -> int:
        """Return how many pieces a drag from a point on the screen takes: the one there and all after it."""
        left, top = self._first_piece()
        x = x_root - self.winfo_rootx()
        along = (self.winfo_width() - x if self.theme.rtl else x) - left
        index = self._grid.index_at(along, y_root - self.winfo_rooty() - top, self.units)
        return 1 if index is None else self.units - index

    def set_dragged(self, count: int) -> None:
        """Hide the last ``count`` pieces while they are dragged, and show the others."""
        for index, piece in enumerate(self._pieces if self._grid.per_line else ()):
            lifted = index >= len(self._pieces) - count
            self.itemconfigure(piece, state="hidden" if lifted else "normal")

    def show_ghost(self, cell: QuantityCell, count: int, x_root: int, y_root: int) -> None:
        """Draw the part of the dragged pieces that overlaps this cell."""
        x, y = x_root - self.winfo_rootx(), y_root - self.winfo_rooty()
        if self._ghost is None:
            self._ghost = self.create_image(x, y, image=cell.piece_image)
        self.coords(self._ghost, x, y)
        self.itemconfigure(self._ghost_count, text=f"× {count}" if count > 1 else "")
        self.coords(self._ghost_count, x + self.theme.px(LARGEST_PICTURE + 2), y)
        self.tag_raise(self._ghost_count)

    def hide_ghost(self) -> None:
        """Remove the dragged pieces."""
        if self._ghost is not None:
            self.delete(self._ghost)
            self._ghost = None
            self.itemconfigure(self._ghost_count, text="")

    @property
    def piece_image(self) -> ImageTk.PhotoImage:
        """Image of one piece of this cell."""
        thing = self.images.issue_picture(self._picture, self._grid.size, faded=self.seat is None)
        return thing or self.images.piece(self._shape, self._grid.size, self._colour)

    def _show_minus(self, wanted: bool) -> None:
        if wanted == bool(self.minus.winfo_manager()):
            return
        if wanted:
            pad = self.theme.px(MARGIN + 4)
            self.minus.place(
                relx=0.0 if self.theme.rtl else 1.0,
                rely=1.0,
                x=pad if self.theme.rtl else -pad,
                y=-pad,
                anchor=corner_anchor(self.theme, top=False, start=False),
                width=self.theme.px(MINUS),
                height=self.theme.px(MINUS),
            )
        else:
            self.minus.place_forget()

    def _first_piece(self) -> tuple[int, int]:
        px = self.theme.px
        return px(MARGIN + PADDING), px(MARGIN + 7) + self.theme.font("small").metrics("linespace")

    def _put_pieces(self) -> None:
        """Add missing pieces and delete surplus ones; the others stay."""
        if not self.winfo_width() > 1:
            return
        lined = self._grid.per_line
        wanted = self.units if lined else min(1, self.units)
        while len(self._pieces) > max(0, wanted):
            self.delete(self._pieces.pop())
        left, top = self._first_piece()
        while len(self._pieces) < wanted:
            x, y = self._grid.position(len(self._pieces)) if lined else (0, 0)
            anchor = corner_anchor(self.theme, top=True, start=True)
            item = self.create_image(
                self.x_from_start(left + x), top + y, anchor=anchor, image=self.piece_image
            )
            self._pieces.append(item)
        many = f"× {self.units}" if not lined and self.units > 1 else ""
        self.itemconfigure(self._count_label, text=many)
        size = self._grid.size
        self.coords(self._count_label, self.x_from_start(left + size + self.theme.px(4)), top + size // 2)

    def _style_minus(self, *, hover: bool = False) -> None:
        c = self.theme.colours
        self.minus.configure(
            bg=self.face, image=self.images.minus_sign(self.face, c.ink if hover else c.edge, c.ink)
        )
