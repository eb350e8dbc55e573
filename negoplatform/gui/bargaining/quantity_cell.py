"""What one seat gets of a quantity issue, drawn: a figure, and pieces or pictures that can be taken up."""

from __future__ import annotations

import tkinter as tk
from dataclasses import dataclass

from PIL import ImageTk

from negoplatform.domain.seat import Seat
from negoplatform.gui.theming.accessibility import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.cell import MARGIN, PADDING, Cell, CellImages, PieceShape, corner_anchor

HEIGHT, HEIGHT_OF_PICTURES = 50, 56
"""Of a cell with its margin, for 96 dpi: with pieces, and with pictures."""

MOST_DRAWN = 12
"""More pieces than this become one piece and their number."""

LARGEST_PIECE, SMALLEST_PIECE, GAP = 13, 6, 3
"""Sizes of pieces and the room between them, for 96 dpi."""

LARGEST_PICTURE, SMALLEST_PICTURE = 22, 13
"""Sizes of pictures, for 96 dpi."""

LEAST_SEEN = 0.5
"""Of a picture on which the next one lies."""

MINUS = 22
"""Room for the button that takes one back, for 96 dpi."""


@dataclass(frozen=True, slots=True)
class PieceGrid:
    """How the pieces of a cell are laid out, in pixels.

    Args:
        size: Of a piece.
        step: From one piece to the next, across.
        per_line: Pieces in a line; 0: one piece stands for all of them.
        offset_y: From one line to the next.
    """

    size: int
    step: int
    per_line: int
    offset_y: int

    def position(self, index: int) -> tuple[int, int]:
        """The top left corner of a piece, from that of the first."""
        return index % self.per_line * self.step, index // self.per_line * self.offset_y

    def index_at(self, x: int, y: int, count: int) -> int | None:
        """The piece at a place, the topmost if several lie there; None beside all of them."""
        for index in reversed(range(count if self.per_line else 0)):
            left, top = self.position(index)
            if left <= x < left + self.size and top <= y < top + self.size:
                return index
        return None


def piece_grid(quantity: int, across: int, down: int, scale: float) -> PieceGrid:
    """The largest pieces with which all units of an issue find room in one cell, in one line or two.

    The same for every cell of an issue, so that a piece does not change its size as it moves.
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
    if quantity > MOST_DRAWN or best.size < SMALLEST_PIECE * scale:
        return PieceGrid(max(1, min(round(LARGEST_PIECE * scale), down)), 0, 0, 0)
    return best


def picture_grid(quantity: int, across: int, down: int, scale: float) -> PieceGrid:
    """The same for pictures, which may lie on one another so that they are large enough to be known."""
    gap = max(1, round(GAP * scale))
    best = PieceGrid(0, 0, 0, 0)
    for lines in (1, 2):
        per_line = -(-quantity // lines)
        size = int(
            min(
                LARGEST_PICTURE * scale,
                across / (1 + LEAST_SEEN * (per_line - 1)),
                (down + gap) / lines - gap,
            )
        )
        if size > best.size:
            step = (across - size) // (per_line - 1) if per_line > 1 else 0
            best = PieceGrid(size, min(step, size + gap), per_line, size + gap)
    if quantity > MOST_DRAWN or best.size < SMALLEST_PICTURE * scale:
        return PieceGrid(max(1, min(round(LARGEST_PICTURE * scale), down)), 0, 0, 0)
    return best


class QuantityCell(Cell):
    """What one seat gets, or what nobody gets yet.

    Args:
        parent: Where it is put.
        theme: Its looks.
        art: Its pictures.
        seat: The seat; None for what is undecided.
        name: Whose it is, as it is shown.
        mine: Whether it is the participant's.
        quantity: The issue's units.
        picture: The picture of a unit; empty: pieces stand for them.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        art: CellImages,
        *,
        seat: Seat | None,
        name: str,
        mine: bool,
        quantity: int,
        picture: str = "",
    ) -> None:
        self._picture = picture if art.issue_picture(picture, theme.px(LARGEST_PICTURE)) else ""
        super().__init__(parent, theme, art, height=HEIGHT_OF_PICTURES if self._picture else HEIGHT)
        c = theme.colours
        self.seat, self.units = seat, -1
        self._seat_name, self._quantity = name, quantity
        self._shape: PieceShape = "hollow" if seat is None else "round" if mine else "square"
        self._colour = c.muted if seat is None else c.mine if mine else c.theirs
        self._faces = (
            (c.mine_soft, c.mine_soft) if mine else (c.soft, c.soft if seat is None else c.theirs_soft)
        )
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
        """Shows how many there are."""
        if units != self.units:
            self.units = units
            set_accessible_name(self, "Button", f"{self._seat_name} {units}")
            self.itemconfigure(self._figure, text=str(units))
            self._put_pieces()
        some = int(units > 0)
        self.set_colours(self._faces[some], self._edges[some], enabled=can_edit)
        self._show_minus(self.seat is not None and units > 0 and can_edit)

    def arrange(self, width: int, height: int) -> None:
        """Puts everything where it belongs in an area of a new size."""
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
        """Is called when the colour of the area has changed."""
        self._style_minus()

    def pieces_from(self, x_root: int, y_root: int) -> int:
        """How many pieces are taken up at a place on the screen: the one there and those behind it."""
        left, top = self._first_piece()
        x = x_root - self.winfo_rootx()
        along = (self.winfo_width() - x if self.theme.rtl else x) - left
        index = self._grid.index_at(along, y_root - self.winfo_rooty() - top, self.units)
        return 1 if index is None else self.units - index

    def set_dragged(self, count: int) -> None:
        """So many of the last pieces are on their way elsewhere; the others are there."""
        for index, piece in enumerate(self._pieces if self._grid.per_line else ()):
            lifted = index >= len(self._pieces) - count
            self.itemconfigure(piece, state="hidden" if lifted else "normal")

    def show_ghost(self, cell: QuantityCell, count: int, x_root: int, y_root: int) -> None:
        """Draws the part of pieces on their way that lies over this cell."""
        x, y = x_root - self.winfo_rootx(), y_root - self.winfo_rooty()
        if self._ghost is None:
            self._ghost = self.create_image(x, y, image=cell.piece_image)
        self.coords(self._ghost, x, y)
        self.itemconfigure(self._ghost_count, text=f"× {count}" if count > 1 else "")
        self.coords(self._ghost_count, x + self.theme.px(LARGEST_PICTURE + 2), y)
        self.tag_raise(self._ghost_count)

    def hide_ghost(self) -> None:
        """The pieces have arrived."""
        if self._ghost is not None:
            self.delete(self._ghost)
            self._ghost = None
            self.itemconfigure(self._ghost_count, text="")

    @property
    def piece_image(self) -> ImageTk.PhotoImage:
        """What a piece of this cell looks like."""
        thing = self.art.issue_picture(self._picture, self._grid.size, faded=self.seat is None)
        return thing or self.art.piece(self._shape, self._grid.size, self._colour)

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
        """Only what is too much goes and only what is missing comes."""
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
            bg=self.face, image=self.art.minus_sign(self.face, c.ink if hover else c.edge, c.ink)
        )
