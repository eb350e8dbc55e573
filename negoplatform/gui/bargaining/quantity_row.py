"""Builder row of a quantity issue: a cell for each seat and one for the undecided units."""

from __future__ import annotations

import tkinter as tk
from functools import partial

from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.bargaining.quantity_cell import QuantityCell
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.pressable_cell import CellImages, enable_roving_focus
from negoplatform.presentation.bargaining.draft_offer import OnDraftChange
from negoplatform.presentation.bargaining.offer_builder_rows import QuantityRow
from negoplatform.presentation.bargaining.unit_click_counter import UnitClickCounter

DRAG_THRESHOLD = 6
"""Distance that the pointer moves before a drag begins, in pixels at 96 dpi."""

MAX_COLUMNS = 4
"""Maximum number of cells in a line; further seats use another line."""

NUMBER_MS = 1000
"""Longest interval between two digits of one number, in milliseconds."""

GIVE_KEYS = ("space", "Return", "KP_Enter", "plus", "KP_Add")
TAKE_KEYS = ("Delete", "BackSpace", "minus", "KP_Subtract")
SIGN_KEYS = ("plus", "minus")
"""Keys that need Shift on some keyboards; with these, Shift does not mean all units."""

SHIFT = 0x1


class QuantityCells:
    """Cells of one quantity issue.

    A click on a cell gives it one unit, a double click gives it all. Dragging a piece to another cell moves
    it and the pieces after it; the minus sign takes one unit back. With Shift, all units move. Digits set
    the number of units of the focused cell.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        images: Images for cells.
        row: Initial contents.
        on_change: Called with an edit of the draft.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        images: CellImages,
        row: QuantityRow,
        *,
        on_change: OnDraftChange,
    ) -> None:
        self.frame = theme.frame(parent)
        self._theme, self._issue, self._on_change = theme, row.issue, on_change
        self._row, self._can_edit = row, True
        self._drag_source: QuantityCell | None = None
        self._drag_start = 0, 0
        self._dragged = 0
        self._clicks, self._digits = UnitClickCounter(), _ClickSeries(NUMBER_MS)
        self._number = ""
        mine, *others = row.units
        columns = [
            (mine[0], mine[1]),
            (None, theme.translate("Undecided")),
            *((seat, name) for seat, name, _ in others),
        ]
        self.cells = [
            QuantityCell(
                self.frame,
                theme,
                images,
                seat=seat,
                name=name,
                mine=seat == mine[0],
                quantity=row.issue.quantity,
                picture=row.issue.picture,
                mark=dict(row.marks).get(seat or ""),
            )
            for seat, name in columns
        ]
        # Lines as even as possible: three and two cells are wider than four and one.
        lines = -(-len(self.cells) // MAX_COLUMNS)
        per_line = -(-len(self.cells) // lines)
        for index, cell in enumerate(self.cells):
            column = theme.column(index % per_line, per_line)
            self.frame.columnconfigure(column, weight=1, uniform="cells")
            cell.grid(row=index // per_line, column=column, sticky="nsew")
            self._bind(cell)
        enable_roving_focus(self.cells, rtl=theme.rtl)
        self.show(row, can_edit=True)

    def show(self, row: QuantityRow, can_edit: bool) -> None:
        """Show the allocation of the units."""
        self._row, self._can_edit = row, can_edit
        if not can_edit:
            self._cancel_drag()
        units: dict[Seat | None, int] = {seat: number for seat, _, number in row.units}
        units[None] = row.undecided
        for cell in self.cells:
            cell.show(units[cell.seat], can_edit)

    def widgets(self, issue: str) -> dict[str, tk.Misc]:
        """Return the cells and their minus signs by name."""
        named: dict[str, tk.Misc] = {}
        for cell in self.cells:
            if cell.seat is None:
                named[f"{issue}.undecided"] = cell
            else:
                named |= {f"{issue}.{cell.seat}.more": cell, f"{issue}.{cell.seat}.less": cell.minus}
        return named

    def _bind(self, cell: QuantityCell) -> None:
        cell.bind("<ButtonPress-1>", partial(self._press, cell))
        cell.bind("<B1-Motion>", self._drag)
        cell.bind("<ButtonRelease-1>", self._release)
        cell.bind("<Escape>", lambda _event: self._cancel_drag())
        cell.minus.bind("<ButtonRelease-1>", partial(self._take_by_sign, cell))
        for key in GIVE_KEYS:
            cell.bind(f"<{key}>", partial(self._give, cell=cell, key=key))
        for key in TAKE_KEYS:
            cell.bind(f"<{key}>", partial(self._take, cell=cell, key=key))
        for digit in "0123456789":
            for key in (f"<Key-{digit}>", f"<KP_{digit}>"):
                cell.bind(key, partial(self._type, cell=cell, digit=digit))

    # The keyboard

    def _all_or_one(self, event: tk.Event[tk.Misc], key: str = "") -> int:
        return self._issue.quantity if int(event.state) & SHIFT and key not in SIGN_KEYS else 1

    def _give(self, event: tk.Event[tk.Misc], cell: QuantityCell, key: str = "") -> str:
        if self._can_edit:
            issue, units = self._issue, self._all_or_one(event, key)
            self._on_change(lambda draft: draft.give(issue, cell.seat, units))
        return "break"

    def _take(self, event: tk.Event[tk.Misc], cell: QuantityCell, key: str) -> str:
        issue, seat, units = self._issue, cell.seat, self._all_or_one(event, key)
        if self._can_edit and seat is not None:
            self._on_change(lambda draft: draft.take(issue, seat, units))
        return "break"

    def _type(self, event: tk.Event[tk.Misc], cell: QuantityCell, digit: str) -> str:
        """Set the number of units; append a digit that soon follows another if there are enough units."""
        if not self._can_edit:
            return "break"
        follows = self._digits.count(cell, event.time) > 1
        self._number = self._number + digit if follows else digit
        issue, units = self._issue, int(self._number)
        if units > issue.quantity:
            units, self._number = int(digit), digit
        if units <= issue.quantity:
            self._on_change(lambda draft: draft.set_units(issue, cell.seat, units), self._digits.name)
        return "break"

    # The mouse

    def _take_by_sign(self, cell: QuantityCell, event: tk.Event[tk.Misc]) -> None:
        sign = cell.minus
        if 0 <= event.x < sign.winfo_width() and 0 <= event.y < sign.winfo_height():
            self._take(event, cell, key="")

    def _press(self, cell: QuantityCell, event: tk.Event[tk.Misc]) -> None:
        if self._can_edit:
            cell.set_pointer_state(down=True)
            self._drag_source, self._drag_start, self._dragged = cell, (event.x_root, event.y_root), 0

    def _drag(self, event: tk.Event[tk.Misc]) -> None:
        cell, far = self._drag_source, self._theme.px(DRAG_THRESHOLD)
        if cell is None or not cell.units:
            return
        if not self._dragged:
            x, y = self._drag_start
            if abs(event.x_root - x) <= far and abs(event.y_root - y) <= far:
                return
            all_units = int(event.state) & SHIFT
            self._dragged = cell.units if all_units else cell.pieces_from(x, y)
            cell.focus_set()  # so that Escape cancels the drag
            cell.set_dragged(self._dragged)
        # Outside the row the pieces stay at its edge, so that they remain visible.
        left, top = self.frame.winfo_rootx(), self.frame.winfo_rooty()
        x = max(left, min(event.x_root, left + self.frame.winfo_width()))
        y = max(top, min(event.y_root, top + self.frame.winfo_height()))
        for other in self.cells:
            other.show_ghost(cell, self._dragged, x, y)
            other.set_pointer_state(down=other.has_point(event.x_root, event.y_root))

    def _release(self, event: tk.Event[tk.Misc]) -> None:
        cell, dragged = self._drag_source, self._dragged
        over = next((other for other in self.cells if other.has_point(event.x_root, event.y_root)), None)
        self._cancel_drag()
        if cell is None or over is None:
            return
        if dragged:
            issue, giver, taker = self._issue, cell.seat, over.seat
            self._on_change(lambda draft: draft.move(issue, giver, taker, dragged))
        elif over is cell:
            self._click(cell, event)

    def _click(self, cell: QuantityCell, event: tk.Event[tk.Misc]) -> None:
        """Give one unit for a click and all for a double click; each further click gives one unit."""
        issue, seat, click = self._issue, cell.seat, self._clicks.click(cell, event.time, self._allocation)
        all_units = click.units is None or int(event.state) & SHIFT
        units = issue.quantity if all_units else click.units or 0
        self._on_change(
            lambda draft: draft.with_terms(Offer({issue.name: click.start})).give(issue, seat, units),
            "" if click.run is None else f"{id(self)}/{click.run}",
        )
        self._clicks.record_allocation(self._allocation)

    @property
    def _allocation(self) -> Allocation:
        """Current allocation of the units."""
        return Allocation({seat: number for seat, _, number in self._row.units}, self._row.undecided)

    def _cancel_drag(self) -> None:
        """Cancel the drag; the pieces return to their cell."""
        if self._drag_source is not None:
            self._drag_source.set_dragged(0)
            for cell in self.cells:
                cell.hide_ghost()
                cell.set_pointer_state(down=False)
        self._drag_source, self._dragged = None, 0


class _ClickSeries:
    """Counter for key presses on one cell that follow each other quickly.

    Args:
        gap_ms: Longest interval between two of them, in milliseconds.
    """

    def __init__(self, gap_ms: int) -> None:
        self._gap_ms = gap_ms
        self._last: tuple[QuantityCell, int] | None = None
        self._count = self._number = 0

    def count(self, cell: QuantityCell, at_ms: int) -> int:
        """Count a key press; return its position in its series, from 1."""
        last, self._last = self._last, (cell, at_ms)
        if last is not None and last[0] is cell and 0 <= at_ms - last[1] <= self._gap_ms:
            self._count += 1
        else:
            self._count = 1
            self._number += 1
        return self._count

    @property
    def name(self) -> str:
        """Unique name of the series, under which its edits are undone together."""
        return f"{id(self)}/{self._number}"
