"""Canvas with rows of short texts, of which only what has changed is drawn again."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from negoplatform.gui.theming.theme import Theme

ROW_HEIGHT = 22
"""Height of a row, for 96 dpi."""

EDGE = 6
"""Room at both ends of a row, for 96 dpi."""

RING_TAG = "ring"


@dataclass(frozen=True, slots=True)
class RowColumn:
    """Column of the rows.

    Args:
        width: Its width for 96 dpi; 0: what the others leave.
        align: The side of the column at which its texts are, in reading direction.
    """

    width: int = 0
    align: Literal["start", "end"] = "start"


@dataclass(frozen=True, slots=True)
class RowCell:
    """Text in a row.

    Args:
        text: The text; what does not fit is cut off.
        colour: Its colour; empty: that of ordinary text.
        font: The name of its font.
    """

    text: str
    colour: str = ""
    font: str = "small"


@dataclass(frozen=True, slots=True)
class CanvasRow:
    """Row of the canvas.

    Args:
        cells: A text for each column.
        ground: The colour behind the row; empty: none.
        bar: Length of a bar behind the texts, as a share, 0 to 1, of the row; it begins at the row's end.
        bar_colour: The colour of the bar.
    """

    cells: tuple[RowCell, ...]
    ground: str = ""
    bar: float = 0.0
    bar_colour: str = ""


EMPTY_ROW = CanvasRow(())
"""Row in which nothing is drawn."""


class RowCanvas:
    """Rows below each other; with ``on_pick`` they can be clicked, and chosen with the arrow keys.

    A row keeps its canvas items, whose texts and colours change: many changes a second do not flicker.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        columns: The columns, in reading order.
        on_pick: Called with the index of a row that is clicked, or chosen and confirmed; None: nothing can be
            picked.
        on_delete: Called with the index of the chosen row when Delete is pressed.
        row_height: Height of a row, for 96 dpi.
        fits_last: Whether the last column of each row is as wide as its text, and the one before it has the
            rest.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        columns: Sequence[RowColumn],
        *,
        on_pick: Callable[[int], object] | None = None,
        on_delete: Callable[[int], object] = lambda _index: None,
        row_height: int = ROW_HEIGHT,
        fits_last: bool = False,
    ) -> None:
        self._fits_last = fits_last
        self._theme, self._columns, self._on_pick = theme, tuple(columns), on_pick
        self._on_delete = on_delete
        self._row_height = theme.px(row_height)
        self._rows: tuple[CanvasRow, ...] = ()
        self._drawn: list[CanvasRow | None] = []
        self._items: list[tuple[int, int, tuple[int, ...]]] = []
        self._width = 0
        self._chosen = -1
        self.widget = canvas = tk.Canvas(
            parent,
            bg=theme.colours.card,
            bd=0,
            highlightthickness=0,
            height=1,
            width=1,
            takefocus=0 if on_pick is None else 1,
            yscrollincrement=self._row_height,
        )
        canvas.bind("<Configure>", lambda event: self._resized(event.width))
        for wheel, step in (("<Button-4>", -2), ("<Button-5>", 2)):
            canvas.bind(wheel, lambda _event, step=step: self.scroll(step))  # type: ignore[misc]
        canvas.bind("<MouseWheel>", lambda event: self.scroll(-2 if event.delta > 0 else 2))
        if on_pick is not None:
            self._bind_keys()

    @property
    def row_height(self) -> int:
        """Height of a row in pixels."""
        return self._row_height

    @property
    def rows(self) -> tuple[CanvasRow, ...]:
        """The rows that are shown."""
        return self._rows

    def show(self, rows: Sequence[CanvasRow]) -> None:
        """Show rows; those that are the same cost nothing."""
        if tuple(rows) == self._rows:
            return
        grown = len(rows) != len(self._rows)
        self._rows = tuple(rows)
        if grown:
            self.widget.configure(scrollregion=(0, 0, 1, len(rows) * self._row_height))
        if self._chosen >= len(rows):
            self._chosen = -1
        self._draw()

    def scroll(self, units: int) -> str:
        """Scroll by rows, if there are more than fit."""
        if len(self._rows) * self._row_height > self.widget.winfo_height():
            self.widget.yview_scroll(units, "units")
        return "break"

    def place_of(self, index: int) -> int:
        """Return the vertical middle of a row in pixels of the canvas."""
        return round((index + 0.5) * self._row_height)

    # Drawing

    def _resized(self, width: int) -> None:
        if width != self._width:
            self._width = width
            self._drawn = [None] * len(self._drawn)
            self._draw()

    def _draw(self) -> None:
        if self._width <= 1:
            return
        while len(self._items) < len(self._rows):
            self._items.append(self._make_items(len(self._items)))
            self._drawn.append(None)
        for index in range(len(self._items)):
            row = self._rows[index] if index < len(self._rows) else EMPTY_ROW
            if self._drawn[index] != row:
                self._draw_row(index, row)
                self._drawn[index] = row
        self._draw_ring()

    def _make_items(self, index: int) -> tuple[int, int, tuple[int, ...]]:
        canvas = self.widget
        ground = canvas.create_rectangle(0, 0, 0, 0, outline="", fill="", state="hidden")
        bar = canvas.create_rectangle(0, 0, 0, 0, outline="", fill="", state="hidden")
        texts = tuple(canvas.create_text(0, self.place_of(index), anchor="w") for _ in self._columns)
        return ground, bar, texts

    def _draw_row(self, index: int, row: CanvasRow) -> None:
        canvas, theme = self.widget, self._theme
        ground, bar, texts = self._items[index]
        top, bottom = index * self._row_height, (index + 1) * self._row_height
        canvas.coords(ground, 0, top, self._width, bottom)
        canvas.itemconfigure(ground, fill=row.ground, state="normal" if row.ground else "hidden")
        length = round(row.bar * self._width)
        ends = (0, length) if theme.rtl else (self._width - length, self._width)
        gap = max(1, theme.px(2))
        canvas.coords(bar, ends[0], top + gap, ends[1], bottom - gap)
        canvas.itemconfigure(bar, fill=row.bar_colour, state="normal" if length else "hidden")
        places = self._column_places()
        if self._fits_last and len(row.cells) == len(places) > 1:
            places = self._with_last_fitted(places, row.cells[-1])
        for column, item in enumerate(texts):
            cell = row.cells[column] if column < len(row.cells) else RowCell("")
            start, width = places[column]
            at_end = (self._columns[column].align == "end") is not theme.rtl
            font = theme.font(cell.font)
            canvas.coords(item, start + width if at_end else start, self.place_of(index))
            canvas.itemconfigure(
                item,
                text=theme.visual_order(self._fitted(cell.text, width, cell.font)),
                fill=cell.colour or theme.colours.ink,
                font=font,
                anchor="e" if at_end else "w",
            )

    def _column_places(self) -> list[tuple[int, int]]:
        """Return the left end and the width of each column in pixels."""
        theme, edge = self._theme, self._theme.px(EDGE)
        fixed = sum(theme.px(column.width) for column in self._columns)
        open_columns = max(1, sum(not column.width for column in self._columns))
        rest = max(0, self._width - 2 * edge - fixed) // open_columns
        widths = [theme.px(column.width) or rest for column in self._columns]
        places, across = [], edge
        for width in widths:
            places.append((self._width - across - width if theme.rtl else across, width))
            across += width
        return places

    def _with_last_fitted(self, places: list[tuple[int, int]], cell: RowCell) -> list[tuple[int, int]]:
        """Return the columns with the last as wide as its text, as far as there is room."""
        *before, (start, width), (last_start, last_width) = places
        both, gap = width + last_width, self._theme.px(6)
        wanted = min(both, self._theme.font(cell.font).measure(cell.text))
        left = min(start, last_start)
        rest = max(0, both - wanted - gap)
        if self._theme.rtl:
            return [*before, (left + both - rest, rest), (left, wanted)]
        return [*before, (left, rest), (left + both - wanted, wanted)]

    def _fitted(self, text: str, width: int, font: str) -> str:
        """Return a text, shortened if it is wider than its column."""
        measure = self._theme.font(font).measure
        if not text or measure(text) <= width:
            return text
        while text and measure(text + "…") > width:
            text = text[:-1]
        return text + "…" if text else ""

    # Picking

    def _bind_keys(self) -> None:
        canvas = self.widget
        canvas.bind("<ButtonPress-1>", self._clicked)
        # The click is used up: it does not lead to the message field.
        canvas.bind("<ButtonRelease-1>", lambda _event: "break")
        for key, step in (("<Up>", -1), ("<Down>", 1)):
            canvas.bind(key, lambda _event, step=step: self._move(step))  # type: ignore[misc]
        for key in ("<Return>", "<space>"):
            canvas.bind(key, lambda _event: self._pick(self._chosen))
        canvas.bind("<Delete>", lambda _event: self._delete())
        canvas.bind("<FocusIn>", lambda _event: self._show_choice())
        canvas.bind("<FocusOut>", lambda _event: self._draw_ring(focused=False))

    def _clicked(self, event: tk.Event[tk.Misc]) -> str:
        index = int(self.widget.canvasy(event.y)) // self._row_height
        self._pick(index)
        return "break"

    def _pick(self, index: int) -> str:
        if self._on_pick is not None and 0 <= index < len(self._rows) and self._rows[index].cells:
            self._chosen = index
            self._draw_ring()
            self._on_pick(index)
        return "break"

    def _delete(self) -> str:
        if 0 <= self._chosen < len(self._rows) and self._rows[self._chosen].cells:
            self._on_delete(self._chosen)
        return "break"

    def _move(self, step: int) -> str:
        """Choose the next row that can be picked, in a direction."""
        full = [index for index, row in enumerate(self._rows) if row.cells]
        if not full:
            return "break"
        if self._chosen not in full:
            self._chosen = full[len(full) // 2]
        else:
            place = full.index(self._chosen) + step
            self._chosen = full[min(max(place, 0), len(full) - 1)]
        self._draw_ring(focused=True)
        return "break"

    def _show_choice(self) -> None:
        """Choose a row for the keyboard, which has reached the canvas."""
        self._move(0)

    def _draw_ring(self, *, focused: bool | None = None) -> None:
        """Draw the ring around the chosen row while the canvas has the focus."""
        canvas, theme = self.widget, self._theme
        canvas.delete(RING_TAG)
        if focused is None:
            focused = self._on_pick is not None and str(canvas.tk.call("focus")) == str(canvas)
        if not focused or not 0 <= self._chosen < len(self._rows):
            return
        thick = theme.px(2)
        top = self._chosen * self._row_height
        canvas.create_rectangle(
            thick // 2,
            top + thick // 2,
            self._width - thick // 2 - 1,
            top + self._row_height - thick // 2 - 1,
            outline=theme.colours.focus,
            width=thick,
            tags=RING_TAG,
        )
