"""One quantity issue in the builder: a cell per seat and one for what is undecided, and pieces that move."""

from __future__ import annotations

import tkinter as tk
from dataclasses import dataclass
from functools import partial

from negoplatform.domain.seat import Seat
from negoplatform.gui.a11y import name_for_readers
from negoplatform.gui.builder_rows import QuantityRow
from negoplatform.gui.cell import MARGIN, PAD, Cell, CellArt, Shape, corner, rove
from negoplatform.gui.draft import OnChange
from negoplatform.gui.theme import Theme

HEIGHT = 50
"""Of a cell with its margin, for 96 dpi."""

MOST_DRAWN = 12
"""More pieces than this become one piece and their number."""

LARGEST_PIECE, SMALLEST_PIECE, GAP = 13, 6, 3
"""Sizes of pieces and the room between them, for 96 dpi."""

MINUS = 22
"""Room for the button that takes one back, for 96 dpi."""

FAR = 6
"""So far the pointer goes before it drags, for 96 dpi."""

IN_A_LINE = 4
"""Cells side by side; more seats take another line."""

GIVE_KEYS = ("space", "Return", "KP_Enter", "plus", "KP_Add")
TAKE_KEYS = ("Delete", "BackSpace", "minus", "KP_Subtract")
SIGNS = ("plus", "minus")
"""Keys for which some keyboards need Shift, so that it means nothing more there."""

SHIFT = 0x1


@dataclass(frozen=True, slots=True)
class Pattern:
    """How the pieces of a cell are laid out, in pixels.

    Args:
        size: Of a piece.
        step: From one piece to the next.
        per_line: Pieces in a line; 0: one piece stands for all of them.
    """

    size: int
    step: int
    per_line: int

    def place(self, index: int) -> tuple[int, int]:
        """The top left corner of a piece, from that of the first."""
        return index % self.per_line * self.step, index // self.per_line * self.step


def pattern(quantity: int, across: int, down: int, scale: float) -> Pattern:
    """The largest pieces with which all units of an issue find room in one cell, in one line or two.

    The same for every cell of an issue, so that a piece does not change its size as it moves.
    """
    gap = max(1, round(GAP * scale))
    best = Pattern(0, 0, 0)
    for lines in (1, 2):
        per_line = -(-quantity // lines)
        size = min(
            round(LARGEST_PIECE * scale),
            (across + gap) // per_line - gap,
            (down + gap) // lines - gap,
        )
        if size > best.size:
            best = Pattern(size, size + gap, per_line)
    if quantity > MOST_DRAWN or best.size < SMALLEST_PIECE * scale:
        return Pattern(max(1, min(round(LARGEST_PIECE * scale), down)), 0, 0)
    return best


class QuantityCell(Cell):
    """What one seat gets, or what nobody gets yet.

    Args:
        parent: Where it is put.
        theme: Its looks.
        art: Its pictures.
        who: The seat; None for what is undecided.
        name: Whose it is, as it is shown.
        mine: Whether it is the participant's.
        quantity: The issue's units.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        art: CellArt,
        *,
        who: Seat | None,
        name: str,
        mine: bool,
        quantity: int,
    ) -> None:
        super().__init__(parent, theme, art, height=HEIGHT)
        c = theme.colours
        self.who, self.units = who, -1
        self._called, self._quantity = name, quantity
        self._shape: Shape = "hollow" if who is None else "round" if mine else "square"
        self._colour = c.muted if who is None else c.mine if mine else c.theirs
        self._faces = (
            (c.mine_soft, c.mine_soft) if mine else (c.soft, c.soft if who is None else c.theirs_soft)
        )
        self._edges = c.line, c.edge if who is None else self._colour
        self._title = self.create_text(
            0, 0, anchor=corner(theme, top=True, start=True), font=theme.font("small"), fill=c.muted
        )
        self._figure = self.create_text(
            0, 0, anchor=corner(theme, top=True, start=False), font=theme.font("bold"), fill=c.ink
        )
        self._many = self.create_text(0, 0, anchor=theme.west, font=theme.font("small"), fill=c.ink)
        self._pieces: list[int] = []
        self._pattern = Pattern(1, 1, 0)
        self._ghost: int | None = None
        self.minus = tk.Label(self, bd=0, padx=0, pady=0, cursor="hand2")
        self.minus.bind("<Enter>", lambda _event: self._dress_minus(hover=True))
        self.minus.bind("<Leave>", lambda _event: self._dress_minus())

    def show(self, units: int, can_edit: bool) -> None:
        """Shows how many there are."""
        if units != self.units:
            self.units = units
            name_for_readers(self, "Button", f"{self._called} {units}")
            self.itemconfigure(self._figure, text=str(units))
            self._put_pieces()
        some = int(units > 0)
        self.dress(self._faces[some], self._edges[some], enabled=can_edit)
        self._show_minus(self.who is not None and units > 0 and can_edit)

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
                anchor=corner(self.theme, top=False, start=False),
                width=self.theme.px(MINUS),
                height=self.theme.px(MINUS),
            )
        else:
            self.minus.place_forget()

    def arrange(self, width: int, height: int) -> None:
        """Puts everything where it belongs in an area of a new size."""
        px, edge = self.theme.px, self.theme.px(MARGIN + PAD)
        figure = self.theme.font("bold").measure(str(self._quantity))
        room = width - 2 * edge - figure - px(4)
        self.itemconfigure(self._title, text=self.fitted(self._called, self.theme.font("small"), room))
        self.coords(self._title, self.along(edge), px(MARGIN + 5))
        self.coords(self._figure, self.along(width - edge), px(MARGIN + 3))
        top = self._first_piece()[1]
        self._pattern = pattern(
            self._quantity,
            width - 2 * edge - px(MINUS - PAD + 2),
            height - top - px(MARGIN + 4),
            self.theme.scale,
        )
        self.delete(*self._pieces)
        self._pieces.clear()
        self._put_pieces()

    def recoloured(self) -> None:
        """Is called when the colour of the area has changed."""
        self._dress_minus()

    def lift_one(self, lifted: bool) -> None:
        """Whether the last piece is on its way elsewhere."""
        if self._pieces and self._pattern.per_line:
            self.itemconfigure(self._pieces[-1], state="hidden" if lifted else "normal")

    def show_ghost(self, shape: Shape, colour: str, size: int, x_root: int, y_root: int) -> None:
        """Draws the part of a piece on its way that lies over this cell."""
        x, y = x_root - self.winfo_rootx(), y_root - self.winfo_rooty()
        if self._ghost is None:
            self._ghost = self.create_image(x, y, image=self.art.piece(shape, size, colour))
        self.coords(self._ghost, x, y)

    def hide_ghost(self) -> None:
        """The piece has arrived."""
        if self._ghost is not None:
            self.delete(self._ghost)
            self._ghost = None

    @property
    def piece(self) -> tuple[Shape, str, int]:
        """What a piece of this cell looks like: shape, colour, size in pixels."""
        return self._shape, self._colour, self._pattern.size

    def _first_piece(self) -> tuple[int, int]:
        px = self.theme.px
        return px(MARGIN + PAD), px(MARGIN + 7) + self.theme.font("small").metrics("linespace")

    def _put_pieces(self) -> None:
        """Only what is too much goes and only what is missing comes."""
        if not self.winfo_width() > 1:
            return
        lined = self._pattern.per_line
        wanted = self.units if lined else min(1, self.units)
        while len(self._pieces) > max(0, wanted):
            self.delete(self._pieces.pop())
        picture = self.art.piece(self._shape, self._pattern.size, self._colour)
        left, top = self._first_piece()
        while len(self._pieces) < wanted:
            x, y = self._pattern.place(len(self._pieces)) if lined else (0, 0)
            item = self.create_image(
                self.along(left + x), top + y, anchor=corner(self.theme, top=True, start=True), image=picture
            )
            self._pieces.append(item)
        many = f"× {self.units}" if not lined and self.units > 1 else ""
        self.itemconfigure(self._many, text=many)
        size = self._pattern.size
        self.coords(self._many, self.along(left + size + self.theme.px(4)), top + size // 2)

    def _dress_minus(self, *, hover: bool = False) -> None:
        c = self.theme.colours
        self.minus.configure(bg=self.face, image=self.art.minus(self.face, c.ink if hover else c.edge, c.ink))


class QuantityCells:
    """The cells of one issue.

    A click on a cell moves one unit there, and so does a piece that is dragged from one cell to another; the
    sign in a cell takes one back. With Shift, all of them.

    Args:
        parent: Where it is put.
        theme: Its looks.
        art: The pictures of cells.
        row: What it shows first.
        on_change: Is given what shall be done to the draft.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        art: CellArt,
        row: QuantityRow,
        *,
        on_change: OnChange,
    ) -> None:
        self.frame = theme.frame(parent)
        self._theme, self._issue, self._on_change = theme, row.issue, on_change
        self._can_edit = True
        self._held: QuantityCell | None = None
        self._held_at = 0, 0
        self._dragging = False
        mine, *others = row.units
        whose = [
            (mine[0], mine[1]),
            (None, theme.say("Undecided")),
            *((seat, name) for seat, name, _ in others),
        ]
        self.cells = [
            QuantityCell(
                self.frame, theme, art, who=who, name=name, mine=who == mine[0], quantity=row.issue.quantity
            )
            for who, name in whose
        ]
        columns = min(len(self.cells), IN_A_LINE)
        for index, cell in enumerate(self.cells):
            column = theme.column(index % columns, columns)
            self.frame.columnconfigure(column, weight=1, uniform="cells")
            cell.grid(row=index // columns, column=column, sticky="nsew")
            self._bind(cell)
        rove(self.cells, rtl=theme.rtl)
        self.show(row, can_edit=True)

    def show(self, row: QuantityRow, can_edit: bool) -> None:
        """Shows how the units are divided."""
        self._can_edit = can_edit
        if not can_edit:
            self._let_go()
        units: dict[Seat | None, int] = {seat: number for seat, _, number in row.units}
        units[None] = row.undecided
        for cell in self.cells:
            cell.show(units[cell.who], can_edit)

    def widgets(self, issue: str) -> dict[str, tk.Misc]:
        """The cells and their signs by name."""
        named: dict[str, tk.Misc] = {}
        for cell in self.cells:
            if cell.who is None:
                named[f"{issue}.undecided"] = cell
            else:
                named |= {f"{issue}.{cell.who}.more": cell, f"{issue}.{cell.who}.less": cell.minus}
        return named

    def _bind(self, cell: QuantityCell) -> None:
        cell.bind("<ButtonPress-1>", partial(self._press, cell))
        cell.bind("<B1-Motion>", self._drag)
        cell.bind("<ButtonRelease-1>", self._release)
        cell.bind("<Escape>", lambda _event: self._let_go())
        cell.minus.bind("<ButtonRelease-1>", partial(self._take_by_sign, cell))
        for key in GIVE_KEYS:
            cell.bind(f"<{key}>", partial(self._give, cell=cell, key=key))
        for key in TAKE_KEYS:
            cell.bind(f"<{key}>", partial(self._take, cell=cell, key=key))

    def _all_or_one(self, event: tk.Event[tk.Misc], key: str = "") -> int:
        return self._issue.quantity if int(event.state) & SHIFT and key not in SIGNS else 1

    def _give(self, event: tk.Event[tk.Misc], cell: QuantityCell, key: str = "") -> str:
        if self._can_edit:
            issue, units = self._issue, self._all_or_one(event, key)
            self._on_change(lambda draft: draft.give(issue, cell.who, units))
        return "break"

    def _take(self, event: tk.Event[tk.Misc], cell: QuantityCell, key: str) -> str:
        issue, seat, units = self._issue, cell.who, self._all_or_one(event, key)
        if self._can_edit and seat is not None:
            self._on_change(lambda draft: draft.take(issue, seat, units))
        return "break"

    # The mouse

    def _take_by_sign(self, cell: QuantityCell, event: tk.Event[tk.Misc]) -> None:
        sign = cell.minus
        if 0 <= event.x < sign.winfo_width() and 0 <= event.y < sign.winfo_height():
            self._take(event, cell, key="")

    def _press(self, cell: QuantityCell, event: tk.Event[tk.Misc]) -> None:
        if self._can_edit:
            cell.touch(down=True)
            self._held, self._held_at, self._dragging = cell, (event.x_root, event.y_root), False

    def _drag(self, event: tk.Event[tk.Misc]) -> None:
        cell, far = self._held, self._theme.px(FAR)
        if cell is None or not cell.units:
            return
        if not self._dragging:
            x, y = self._held_at
            if abs(event.x_root - x) <= far and abs(event.y_root - y) <= far:
                return
            self._dragging = True
            cell.focus_set()  # so that Escape lets go
            cell.lift_one(True)
        # Out of the row the piece stays at its edge, so that it is never lost from sight.
        left, top = self.frame.winfo_rootx(), self.frame.winfo_rooty()
        x = max(left, min(event.x_root, left + self.frame.winfo_width()))
        y = max(top, min(event.y_root, top + self.frame.winfo_height()))
        for other in self.cells:
            other.show_ghost(*cell.piece, x, y)
            other.touch(down=other.has_point(event.x_root, event.y_root))

    def _release(self, event: tk.Event[tk.Misc]) -> None:
        cell, dragging = self._held, self._dragging
        over = next((other for other in self.cells if other.has_point(event.x_root, event.y_root)), None)
        self._let_go()
        if cell is None or over is None:
            return
        if dragging:
            issue, units, giver, taker = self._issue, self._all_or_one(event), cell.who, over.who
            self._on_change(lambda draft: draft.move(issue, giver, taker, units))
        elif over is cell:
            self._give(event, cell)

    def _let_go(self) -> None:
        """Whatever is held goes back to where it was."""
        if self._held is not None:
            self._held.lift_one(False)
            for cell in self.cells:
                cell.hide_ghost()
                cell.touch(down=False)
        self._held, self._dragging = None, False
