"""Builder row of a categorical issue: its values as chips, or in a list if they need more room."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence
from functools import partial
from tkinter import ttk

from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.pressable_cell import MARGIN, Cell, CellImages, enable_roving_focus
from negoplatform.gui.widgets.scrolled_frame import disable_wheel
from negoplatform.presentation.bargaining.draft_offer import OnDraftChange
from negoplatform.presentation.bargaining.offer_builder_rows import ChoiceRow

HEIGHT = 31
"""Height of a chip with its margin, in pixels at 96 dpi."""

PADDING_X, GAP = 7, 6
"""Padding from a chip's edge to its text, and gap between the value and its points, in pixels at 96 dpi."""

MAX_LINES = 2
"""Maximum number of lines of chips; values that need more are shown in a list."""

FONTS = ("body", "small")
"""Fonts for values, in order of preference: the first one in which they fit is used."""

CHOOSE_KEYS = ("space", "Return", "KP_Enter")
CLEAR_KEYS = ("Delete", "BackSpace")


class ChoiceChip(Cell):
    """Chip for one value, followed by its points.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        images: Images for cells.
        value: Display text of the value.
        worth: Points of the value, signed; empty if unknown.
        font: Name of the font of the value.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, images: CellImages, value: str, worth: str, font: str
    ) -> None:
        super().__init__(parent, theme, images, height=HEIGHT)
        c = theme.colours
        self._value, self._worth, self._font = value, worth, font
        self._title = self.create_text(0, 0, anchor=theme.west, font=theme.font(font), fill=c.ink)
        self._points = self.create_text(0, 0, anchor=theme.west, font=theme.font("small"), fill=c.muted)
        set_accessible_name(self, "Radiobutton", f"{value} {worth}".strip())

    def show(self, chosen: bool, can_edit: bool) -> None:
        """Show whether the value is chosen; a chosen chip is filled."""
        c = self.theme.colours
        self.itemconfigure(self._title, fill=c.on_primary if chosen else c.ink)
        self.itemconfigure(self._points, fill=c.on_primary if chosen else c.muted)
        self.set_colours(c.primary if chosen else c.card, c.primary if chosen else c.edge, enabled=can_edit)

    def arrange(self, width: int, height: int) -> None:
        """Place the texts in an area of a new size."""
        theme, px = self.theme, self.theme.px
        edge, font = px(MARGIN + PADDING_X), theme.font(self._font)
        words = theme.visual_order(self._value)
        points = theme.font("small").measure(self._worth) + px(GAP) if self._worth else 0
        start = max(edge, (width - font.measure(words) - points) // 2)
        self.itemconfigure(self._title, text=words)
        self.itemconfigure(self._points, text=theme.visual_order(self._worth))
        self.coords(self._title, self.x_from_start(start), height // 2)
        self.coords(
            self._points, self.x_from_start(start + font.measure(words) + px(GAP)), height // 2 + px(1)
        )

    @staticmethod
    def min_width(theme: Theme, value: str, worth: str, font: str) -> int:
        """Return the smallest width, in pixels, at which the whole text is visible."""
        points = theme.font("small").measure(worth) + theme.px(GAP) if worth else 0
        return theme.font(font).measure(value) + points + 2 * theme.px(MARGIN + PADDING_X)


def chip_lines(theme: Theme, row: ChoiceRow, room: int, font: str) -> list[list[int]]:
    """Return the indexes of the values of each line, with each line as full as possible."""
    lines: list[list[int]] = []
    taken = 0
    for index, (value, worth) in enumerate(zip(row.values, row.worths, strict=True)):
        wide = ChoiceChip.min_width(theme, value, worth, font)
        if lines and taken + wide <= room:
            lines[-1].append(index)
            taken += wide
        else:
            lines.append([index])
            taken = wide if wide <= room else room * (MAX_LINES + 1)
    return lines


def chip_font(theme: Theme, rows: Sequence[ChoiceRow], room: int) -> str:
    """Return the name of the font in which the values of all rows fit as chips; empty if no font does.

    Called once for all issues of a game, so that every issue uses the same control.
    """
    return next(
        (font for font in FONTS if all(_fits(theme, row, room, font) for row in rows)),
        "",
    )


def _fits(theme: Theme, row: ChoiceRow, room: int, font: str) -> bool:
    lines = chip_lines(theme, row, room, font)
    widest = max(
        ChoiceChip.min_width(theme, *each, font) for each in zip(row.values, row.worths, strict=True)
    )
    return len(lines) <= MAX_LINES and widest <= room


class ChoiceCells:
    """Control for choosing one of the values; pressing the chosen value clears the choice.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        images: Images for cells.
        row: Initial contents.
        room: Available width in pixels.
        font: Name of the chips' font, from :func:`chip_font`; empty for a list.
        on_change: Called with an edit of the draft.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        images: CellImages,
        row: ChoiceRow,
        *,
        room: int,
        font: str,
        on_change: OnDraftChange,
    ) -> None:
        self.frame = theme.frame(parent)
        self._theme, self._issue, self._on_change = theme, row.issue, on_change
        self._can_edit = True
        self._chosen: int | None = None
        self.cells: list[ChoiceChip] = []
        self.box: ttk.Combobox | None = None
        if font:
            self._make_chips(images, row, chip_lines(theme, row, room, font), font)
        else:
            self.box = self._make_box(row)
        self.show(row, can_edit=True)

    def show(self, row: ChoiceRow, can_edit: bool) -> None:
        """Show the chosen value."""
        self._can_edit, self._chosen = can_edit, row.chosen
        for index, cell in enumerate(self.cells):
            cell.show(index == row.chosen, can_edit)
        if self.box is not None:
            wanted = 0 if row.chosen is None else row.chosen + 1
            if self.box.current() != wanted:
                self.box.current(wanted)
            state = "readonly" if can_edit else "disabled"
            if str(self.box.cget("state")) != state:
                self.box.configure(state=state)

    def widgets(self, issue: str) -> dict[str, tk.Misc]:
        """Return the list, or the chips, by name."""
        if self.box is not None:
            return {issue: self.box}
        return {f"{issue}.{name}": cell for name, cell in zip(self._issue.values, self.cells, strict=True)}

    def _make_chips(self, images: CellImages, row: ChoiceRow, lines: list[list[int]], font: str) -> None:
        theme = self._theme
        for line in lines:
            frame = theme.frame(self.frame)
            frame.pack(fill="x" if len(lines) == 1 else "none", anchor=theme.west)
            for column, index in enumerate(line):
                value, worth = row.values[index], row.worths[index]
                cell = ChoiceChip(frame, theme, images, value, worth, font)
                needed = ChoiceChip.min_width(theme, value, worth, font)
                place = theme.column(column, len(line))
                # A single line is filled, each chip in proportion; of two lines, the shorter would be
                # stretched.
                frame.columnconfigure(place, weight=needed if len(lines) == 1 else 0, minsize=needed)
                cell.grid(row=0, column=place, sticky="ew")
                self._bind(cell, index)
                self.cells.append(cell)
        enable_roving_focus(self.cells, rtl=theme.rtl)

    def _bind(self, cell: ChoiceChip, index: int) -> None:
        cell.bind("<ButtonPress-1>", partial(self._press, cell))
        cell.bind("<ButtonRelease-1>", partial(self._release, cell, index))
        for key in CHOOSE_KEYS:
            cell.bind(f"<{key}>", lambda _event: self._press_on(index))
        for key in CLEAR_KEYS:
            cell.bind(f"<{key}>", lambda _event: self._choose(None))

    def _make_box(self, row: ChoiceRow) -> ttk.Combobox:
        theme = self._theme
        words = [theme.visual_order(text) for text in (theme.translate("Undecided"), *row.choices)]
        box = ttk.Combobox(
            self.frame, values=words, state="readonly", font=theme.font("body"), justify=theme.justify
        )
        box.pack(fill="x", padx=theme.px(1))
        box.bind("<<ComboboxSelected>>", self._on_list_selected)
        disable_wheel(box)
        return box

    def _press(self, cell: ChoiceChip, _event: object) -> None:
        if self._can_edit:
            cell.set_pointer_state(down=True)

    def _release(self, cell: ChoiceChip, index: int, event: tk.Event[tk.Misc]) -> None:
        cell.set_pointer_state(down=False)
        if cell.has_point(event.x_root, event.y_root):
            self._press_on(index)

    def _on_list_selected(self, _event: object) -> None:
        assert self.box is not None
        self.box.selection_clear()
        at = max(0, self.box.current())
        self._choose(None if at == 0 else at - 1)

    def _press_on(self, index: int) -> str:
        return self._choose(None if index == self._chosen else index)

    def _choose(self, index: int | None) -> str:
        issue = self._issue
        value = None if index is None else issue.values[index]
        if self._can_edit:
            self._on_change(lambda draft: draft.choose(issue, value))
        return "break"
