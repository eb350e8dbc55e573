"""Rating scales: the points of one, several statements with one, and divisions of points."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

from negoplatform.gui.study.item_field import FieldParts
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.pressable_cell import Cell, CellImages, enable_roving_focus

HEIGHT = 42
"""Height of a point with its margin, for 96 dpi."""

DIVISION_HEIGHT = 66
"""Height of a division of points with its margin, for 96 dpi."""

MOST_WIDTH, MATRIX_WIDTH, DIVISION_WIDTH = 76, 50, 72
"""Maximum width of a point on its own, in a matrix, and of a division, for 96 dpi."""

LEAST_STATEMENT = 190
"""Minimum width of a statement next to its scale, for 96 dpi; in less space, the scale is below it."""

ROWS_PER_HEADER = 8
"""Rows of a matrix after which the names of the points are repeated, so that they stay visible."""


class ScalePoint(Cell):
    """Point of a scale, with one text or two below each other.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        images: Images for cells.
        texts: One text, or two.
        name: Its name for screen readers.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, images: CellImages, texts: Sequence[str], name: str
    ) -> None:
        super().__init__(parent, theme, images, height=HEIGHT if len(texts) == 1 else DIVISION_HEIGHT)
        self._texts = [
            self.create_text(0, 0, text=text, font=theme.font("bold"), fill=theme.colours.ink)
            for text in texts
        ]
        self._is_missing = self._is_chosen = False
        set_accessible_name(self, "Radiobutton", name)
        self.show(chosen=False)

    def show(self, *, chosen: bool | None = None, missing: bool | None = None) -> None:
        """Show whether the point is chosen, or the answer missing; None keeps a state."""
        self._is_chosen = self._is_chosen if chosen is None else chosen
        self._is_missing = self._is_missing if missing is None else missing
        c = self.theme.colours
        for text in self._texts:
            self.itemconfigure(text, fill=c.on_primary if self._is_chosen else c.ink)
        edge = c.primary if self._is_chosen else c.danger if self._is_missing else c.edge
        self.set_colours(c.primary if self._is_chosen else c.card, edge, enabled=True)

    def arrange(self, width: int, height: int) -> None:
        """Place the texts in an area of a new size."""
        for index, text in enumerate(self._texts, start=1):
            share = 0.5 if len(self._texts) == 1 else 0.3 if index == 1 else 0.7
            self.coords(text, width // 2, round(height * share))


class Scale:
    """Points in a row, of which none is chosen at first and then at most one.

    A digit chooses a point, arrow keys move between them, Space and Enter choose the focused one.

    Args:
        parent: Parent widget.
        parts: Collaborators of the field.
        name: Name of the answer.
        texts: Texts of the points, in reading direction.
        names: Names of the points for screen readers.
        most_width: Maximum width of a point, for 96 dpi.
    """

    def __init__(
        self,
        parent: tk.Misc,
        parts: FieldParts,
        name: str,
        *,
        texts: Sequence[Sequence[str]],
        names: Sequence[str],
        most_width: int = MOST_WIDTH,
    ) -> None:
        theme = parts.theme
        self._theme, self._name, self._most_width = theme, name, most_width
        self._on_change, self._may_skip = parts.on_change, parts.item.may_skip
        self.value: int | None = None
        self.frame = theme.frame(parent)
        self.cells: list[ScalePoint] = []
        for index, (text, about) in enumerate(zip(texts, names, strict=True)):
            cell = ScalePoint(self.frame, theme, parts.images, text, about)
            cell.grid(row=0, column=theme.column(index, len(texts)), sticky="ew")
            self._bind(cell, index)
            self.cells.append(cell)
            parts.register(f"{name}.{index + 1}", cell)
        enable_roving_focus(self.cells, rtl=theme.rtl)
        for cell in self.cells:
            for digit in range(1, min(10, len(self.cells)) + 1):
                for key in (f"<Key-{digit % 10}>", f"<KP_{digit % 10}>"):
                    cell.bind(key, partial(self._choose_by_key, digit))

    def fill(self, value: Any) -> None:
        """Show an answer; one that does not fit shows none."""
        is_point = type(value) is int and 1 <= value <= len(self.cells)
        self.value = value if is_point else None
        self._show()

    def focus(self) -> None:
        """Give the keyboard focus to the chosen point, or to the first one."""
        self.cells[(self.value or 1) - 1].focus_set()

    def mark(self, missing: bool) -> None:
        """Set whether the answer is marked as missing."""
        for cell in self.cells:
            cell.show(missing=missing)

    def fit(self, width: int) -> int:
        """Fit the points into a width in pixels, and return the width that they take."""
        count = len(self.cells)
        each = min(self._theme.px(self._most_width), width // count)
        for column in range(count):
            self.frame.columnconfigure(column, minsize=each, uniform="points")
        return each * count

    def _bind(self, cell: ScalePoint, index: int) -> None:
        cell.bind("<ButtonPress-1>", lambda _event: cell.set_pointer_state(down=True))
        cell.bind("<ButtonRelease-1>", partial(self._released, cell, index))
        for key in ("space", "Return", "KP_Enter"):
            cell.bind(f"<{key}>", partial(self._choose_by_key, index + 1))
        if self._may_skip:
            for key in ("Delete", "BackSpace"):
                cell.bind(f"<{key}>", lambda _event: self._set(None))

    def _released(self, cell: ScalePoint, index: int, event: tk.Event[tk.Misc]) -> None:
        cell.set_pointer_state(down=False)
        if cell.has_point(event.x_root, event.y_root):
            again = self.value == index + 1 and self._may_skip
            cell.focus_set()
            self._set(None if again else index + 1)

    def _choose_by_key(self, value: int, _event: object) -> str:
        self.cells[value - 1].focus_set()
        return self._set(value)

    def _set(self, value: int | None) -> str:
        if value != self.value:
            self.value = value
            self._show()
            self._on_change(self._name)
        return "break"

    def _show(self) -> None:
        for index, cell in enumerate(self.cells, start=1):
            cell.show(chosen=index == self.value, missing=False if self.value is not None else None)
            cell.configure(takefocus=1 if index == (self.value or 1) else 0)


class ScaleEnds:
    """Names of the first, the middle and the last point, in a row as wide as the scale.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        ends: The three names; an empty one is left out.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, ends: tuple[str, str, str]) -> None:
        self._theme = theme
        self.frame = theme.frame(parent)
        self._labels: list[BidiLabel] = []
        sides: tuple[Literal["left", "center", "right"], ...] = (theme.start, "center", theme.end)
        anchors = (theme.west, "", theme.east)
        for index, (text, side, anchor) in enumerate(zip(ends, sides, anchors, strict=True)):
            label = theme.label(self.frame, text, "small", theme.colours.muted)
            label.configure(justify=side)
            label.grid(row=0, column=theme.column(index, 3), sticky=f"n{anchor}")
            self._labels.append(label)

    def fit(self, width: int) -> None:
        """Wrap the names for a scale of a width in pixels."""
        shown = [label for label in self._labels if label.logical_text]
        share = width // max(2, len(shown)) - self._theme.px(6)
        for index, label in enumerate(self._labels):
            label.wrap_to(max(1, share))
            column = self._theme.column(index, 3)
            middle = self._labels[1].logical_text
            minimum = width // 3 if middle else 0 if index == 1 else width // 2
            self.frame.columnconfigure(column, minsize=minimum, weight=1 if minimum else 0)


def _scale(parent: tk.Misc, parts: FieldParts, name: str, about: str = "", most: int = MOST_WIDTH) -> Scale:
    """Return the scale of an item with numbered points."""
    item = parts.item
    first, middle, last = item.ends
    named = {1: first, (item.points + 1) // 2: middle if item.points % 2 else "", item.points: last}
    names = [f"{about} {point} {named.get(point, '')}".strip() for point in range(1, item.points + 1)]
    texts = [[str(point)] for point in range(1, item.points + 1)]
    return Scale(parent, parts, name, texts=texts, names=names, most_width=most)


class LikertField:
    """Rating scale with names below its ends.

    Args:
        parent: Parent widget.
        parts: Collaborators of the field.
    """

    def __init__(self, parent: tk.Misc, parts: FieldParts) -> None:
        theme = parts.theme
        self._name = parts.item.id
        self.frame = theme.frame(parent)
        self._scale = _scale(self.frame, parts, self._name, parts.item.ask)
        self._scale.frame.pack(anchor=theme.west)
        self._ends = ScaleEnds(self.frame, theme, parts.item.ends)
        self._ends.frame.pack(anchor=theme.west, pady=(theme.px(1), 0))

    def values(self) -> Mapping[str, Any]:
        """Return the answer."""
        return {self._name: self._scale.value}

    def fill(self, values: Mapping[str, Any]) -> None:
        """Show an answer that was given before."""
        self._scale.fill(values.get(self._name))

    def focus(self, _name: str) -> None:
        """Give the keyboard focus to the scale."""
        self._scale.focus()

    def mark(self, names: frozenset[str]) -> None:
        """Mark the scale if its answer is missing."""
        self._scale.mark(self._name in names)

    def wrap_to(self, width: int) -> None:
        """Fit the scale into a width in pixels."""
        self._ends.fit(self._scale.fit(width))


class MatrixField:
    """Statements with one rating scale each; the names of the points are repeated every eight rows.

    Args:
        parent: Parent widget.
        parts: Collaborators of the field.
    """

    def __init__(self, parent: tk.Misc, parts: FieldParts) -> None:
        theme = parts.theme
        self._theme = theme
        self.frame = theme.frame(parent)
        self._headers: list[tuple[ScaleEnds, int]] = []
        self._rows: dict[str, tuple[BidiLabel, Scale, int]] = {}
        self._rules: list[tuple[tk.Frame, int]] = []
        line = 0
        for index, (name, text) in enumerate(zip(parts.item.fields, parts.item.options, strict=True)):
            if index % ROWS_PER_HEADER == 0:
                self._headers.append((ScaleEnds(self.frame, theme, parts.item.ends), line))
                line += 1
            self._rules.append((theme.rule(self.frame), line))
            label = theme.label(self.frame, text)
            scale = _scale(self.frame, parts, name, text, MATRIX_WIDTH)
            self._rows[name] = label, scale, line + 1
            line += 3

    def values(self) -> Mapping[str, Any]:
        """Return the answers of all rows."""
        return {name: scale.value for name, (_label, scale, _line) in self._rows.items()}

    def fill(self, values: Mapping[str, Any]) -> None:
        """Show answers that were given before."""
        for name, (_label, scale, _line) in self._rows.items():
            scale.fill(values.get(name))

    def focus(self, name: str) -> None:
        """Give the keyboard focus to a row."""
        row = self._rows.get(name) or next(iter(self._rows.values()))
        row[1].focus()

    def mark(self, names: frozenset[str]) -> None:
        """Mark the rows whose answers are missing."""
        c = self._theme.colours
        for name, (label, scale, _line) in self._rows.items():
            scale.mark(name in names)
            label.configure(fg=c.danger if name in names else c.ink)

    def wrap_to(self, width: int) -> None:
        """Fit the rows into a width in pixels: scales next to their statements, or below them."""
        theme, px = self._theme, self._theme.px
        scales = [scale for _label, scale, _line in self._rows.values()]
        taken = 0
        for scale in scales:
            taken = scale.fit(min(width, round(width * 0.6)))
        room = width - taken - px(14)
        stacked = room < px(LEAST_STATEMENT)
        if stacked:
            for scale in scales:
                taken = scale.fit(width)
            room = width
        first, second = (0, 0) if stacked else (theme.column(0, 2), theme.column(1, 2))
        for column in (0, 1):
            self.frame.columnconfigure(column, weight=0, minsize=0)
        self.frame.columnconfigure(first, minsize=room)
        for header, line in self._headers:
            header.fit(taken)
            header.frame.grid(row=line, column=second, sticky=theme.west, pady=(px(6), px(4)))
        for rule, line in self._rules:
            rule.grid(row=line, column=0, columnspan=2, sticky="ew")
        for label, scale, line in self._rows.values():
            label.wrap_to(room - px(8))
            label.grid(row=line, column=first, sticky=theme.west, pady=px(5))
            below = line + 1 if stacked else line
            scale.frame.grid(row=below, column=second, sticky=theme.west, pady=px(3))


class AllocationField:
    """Divisions of points between oneself and another person, side by side.

    Args:
        parent: Parent widget.
        parts: Collaborators of the field.
    """

    def __init__(self, parent: tk.Misc, parts: FieldParts) -> None:
        theme, translate = parts.theme, parts.theme.translate
        self._theme, self._name = theme, parts.item.id
        self.frame = theme.frame(parent)
        own, other = translate("You get"), translate("The other person gets")
        heads = theme.frame(self.frame)
        self._heads = [
            theme.label(heads, own, "small_bold", theme.colours.mine),
            theme.label(heads, other, "small_bold", theme.colours.theirs_words),
        ]
        for label, share in zip(self._heads, (0.3, 0.7), strict=True):
            across = 1.0 if theme.rtl else 0.0
            label.place(relx=across, rely=share, anchor=theme.west)
        divisions = parts.item.divisions
        names = [f"{own} {mine}, {other} {theirs}" for mine, theirs in divisions]
        self._scale = Scale(
            self.frame, parts, self._name, texts=divisions, names=names, most_width=DIVISION_WIDTH
        )
        heads.grid(row=0, column=theme.column(0, 2), sticky="ns", padx=theme.padx(0, 8))
        self._scale.frame.grid(row=0, column=theme.column(1, 2), sticky=theme.west)
        self._heads_frame = heads

    def values(self) -> Mapping[str, Any]:
        """Return the answer."""
        return {self._name: self._scale.value}

    def fill(self, values: Mapping[str, Any]) -> None:
        """Show an answer that was given before."""
        self._scale.fill(values.get(self._name))

    def focus(self, _name: str) -> None:
        """Give the keyboard focus to the divisions."""
        self._scale.focus()

    def mark(self, names: frozenset[str]) -> None:
        """Mark the divisions if the answer is missing."""
        self._scale.mark(self._name in names)

    def wrap_to(self, width: int) -> None:
        """Fit the divisions into a width in pixels."""
        px = self._theme.px
        heads = min(max(label.winfo_reqwidth() for label in self._heads), width // 4)
        for label in self._heads:
            label.wrap_to(heads)
        self._heads_frame.configure(width=heads)
        self._scale.fit(width - heads - px(10))
