"""One categorical issue in the builder: its values side by side, or in a list where they need more room."""

from __future__ import annotations

import tkinter as tk
from functools import partial
from tkinter import ttk

from negoplatform.gui.a11y import name_for_readers
from negoplatform.gui.builder_rows import ChoiceRow
from negoplatform.gui.cell import MARGIN, PAD, Cell, CellArt, rove
from negoplatform.gui.draft import OnChange
from negoplatform.gui.scrolled import no_wheel
from negoplatform.gui.theme import Theme

HEIGHT = 48
"""Of a cell with its margin, for 96 dpi."""

RADIO = 14
"""Room for the mark of a choice, for 96 dpi."""

MOST_BESIDE = 5
"""More values than this stand in a list."""

FONTS = ("body", "small")
"""Values are written in the first of these in which they find room."""

CHOOSE_KEYS = ("space", "Return", "KP_Enter")
WIPE_KEYS = ("Delete", "BackSpace")


class ChoiceCell(Cell):
    """A value, or nothing chosen.

    Args:
        parent: Where it is put.
        theme: Its looks.
        art: Its pictures.
        value: What it says.
        font: The font of it.
        worth: Its points; empty where they are not known, and for nothing chosen.
        is_value: Whether it is a value.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        art: CellArt,
        value: str,
        worth: str,
        font: str,
        *,
        is_value: bool,
    ) -> None:
        super().__init__(parent, theme, art, height=HEIGHT)
        c = theme.colours
        self._value, self._worth, self._font = value, worth, theme.font(font)
        self._is_value, self._chosen = is_value, False
        self._title = self.create_text(0, 0, anchor=theme.west, font=self._font, fill=c.ink)
        self._points = self.create_text(0, 0, anchor=theme.west, font=theme.font("small"), fill=c.muted)
        self._mark = self.create_image(0, 0, anchor=theme.east)
        name_for_readers(self, "Radiobutton", f"{value} {worth}".strip())

    def show(self, chosen: bool, can_edit: bool) -> None:
        """Shows whether it is chosen."""
        c = self.theme.colours
        self._chosen = chosen
        face, edge = (c.mine_soft, c.mine) if chosen and self._is_value else (c.soft, c.line)
        self.dress(face, c.edge if chosen and not self._is_value else edge, enabled=can_edit)
        self.recoloured()

    def arrange(self, width: int, height: int) -> None:
        """Puts everything where it belongs in an area of a new size."""
        px, edge = self.theme.px, self.theme.px(MARGIN + PAD)
        words = self.fitted(self._value, self._font, width - 2 * edge)
        self.itemconfigure(self._title, text=words)
        self.itemconfigure(self._points, text=self.theme.drawn(self._worth))
        low = height - px(MARGIN + 12)
        self.coords(self._title, self.along(edge), px(MARGIN + 12))
        self.coords(self._points, self.along(edge), low)
        self.coords(self._mark, self.along(width - edge), low)

    def recoloured(self) -> None:
        """Is called when the colour of the area has changed."""
        c = self.theme.colours
        colour = (c.mine if self._is_value else c.muted) if self._chosen else c.edge
        self.itemconfigure(self._mark, image=self.art.radio(self._chosen, colour, self.face, c.card))

    @staticmethod
    def needed(theme: Theme, value: str, worth: str, font: str) -> int:
        """The least width that shows everything."""
        points = theme.font("small").measure(worth) + theme.px(RADIO + 2)
        return max(theme.font(font).measure(value), points) + 2 * theme.px(MARGIN + PAD) + 1


class ChoiceCells:
    """The values to choose from.

    Args:
        parent: Where it is put.
        theme: Its looks.
        art: The pictures of cells.
        row: What it shows first.
        room: The width that there is, in pixels.
        on_change: Is given what shall be done to the draft.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        art: CellArt,
        row: ChoiceRow,
        *,
        room: int,
        on_change: OnChange,
    ) -> None:
        self.frame = theme.frame(parent)
        self._theme, self._issue, self._on_change = theme, row.issue, on_change
        self._can_edit = True
        self.cells: list[ChoiceCell] = []
        self.box: ttk.Combobox | None = None
        shown = [(theme.say("Undecided"), ""), *zip(row.values, row.worths, strict=True)]
        font = next((font for font in FONTS if self._width(shown, font) <= room), "")
        if font and len(row.values) <= MOST_BESIDE:
            self._make_cells(art, shown, font)
        else:
            self.box = self._make_box(row)
        self.show(row, can_edit=True)

    def show(self, row: ChoiceRow, can_edit: bool) -> None:
        """Shows the chosen value."""
        self._can_edit = can_edit
        wanted = 0 if row.chosen is None else row.chosen + 1
        for index, cell in enumerate(self.cells):
            cell.show(index == wanted, can_edit)
        if self.box is not None:
            if self.box.current() != wanted:
                self.box.current(wanted)
            state = "readonly" if can_edit else "disabled"
            if str(self.box.cget("state")) != state:
                self.box.configure(state=state)

    def widgets(self, issue: str) -> dict[str, tk.Misc]:
        """The list, or the cells, by name."""
        if self.box is not None:
            return {issue: self.box}
        names = ("undecided", *self._issue.values)
        return {f"{issue}.{name}": cell for name, cell in zip(names, self.cells, strict=True)}

    def _width(self, shown: list[tuple[str, str]], font: str) -> int:
        return sum(ChoiceCell.needed(self._theme, *each, font) for each in shown)

    def _make_cells(self, art: CellArt, shown: list[tuple[str, str]], font: str) -> None:
        for index, (value, worth) in enumerate(shown):
            cell = ChoiceCell(self.frame, self._theme, art, value, worth, font, is_value=index > 0)
            column, needed = (
                self._theme.column(index, len(shown)),
                ChoiceCell.needed(self._theme, value, worth, font),
            )
            self.frame.columnconfigure(column, weight=1, minsize=needed)
            cell.grid(row=0, column=column, sticky="nsew")
            cell.bind("<ButtonPress-1>", partial(self._press, cell))
            cell.bind("<ButtonRelease-1>", partial(self._release, cell, index))
            for key in CHOOSE_KEYS:
                cell.bind(f"<{key}>", lambda _event, index=index: self._choose(index))  # type: ignore[misc]
            for key in WIPE_KEYS:
                cell.bind(f"<{key}>", lambda _event: self._choose(0))
            self.cells.append(cell)
        rove(self.cells, rtl=self._theme.rtl)

    def _make_box(self, row: ChoiceRow) -> ttk.Combobox:
        theme = self._theme
        words = [theme.drawn(text) for text in (theme.say("Undecided"), *row.choices)]
        box = ttk.Combobox(
            self.frame, values=words, state="readonly", font=theme.font("body"), justify=theme.justify
        )
        box.pack(fill="x", padx=theme.px(1))
        box.bind("<<ComboboxSelected>>", self._chosen)
        no_wheel(box)
        return box

    def _press(self, cell: ChoiceCell, _event: object) -> None:
        if self._can_edit:
            cell.touch(down=True)

    def _release(self, cell: ChoiceCell, index: int, event: tk.Event[tk.Misc]) -> None:
        cell.touch(down=False)
        if cell.has_point(event.x_root, event.y_root):
            self._choose(index)

    def _chosen(self, _event: object) -> None:
        assert self.box is not None
        self.box.selection_clear()
        self._choose(max(0, self.box.current()))

    def _choose(self, index: int) -> str:
        issue = self._issue
        value = None if index == 0 else issue.values[index - 1]
        if self._can_edit:
            self._on_change(lambda draft: draft.choose(issue, value))
        return "break"
