"""Fields for items with options: one of several, several of several, and an order."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from functools import partial
from typing import Any

from negoplatform.gui.study.item_field import FieldParts
from negoplatform.gui.study.option_cells import Mark, OptionCell, link_option_keys
from negoplatform.presentation.study.step_page import unfinished_key

TWO_COLUMNS = 6
"""Number of options above which short ones are in two columns."""

SHORT = 26
"""Number of characters up to which an option is short."""


class _OptionField:
    """Options in one column or two; subclasses define the effect of a press."""

    mark_kind: Mark = "radio"

    def __init__(self, parent: tk.Misc, parts: FieldParts) -> None:
        theme = parts.theme
        self._theme, self._parts, self._name = theme, parts, parts.item.id
        self.frame = theme.frame(parent)
        options = parts.item.options
        is_short = all(len(option) <= SHORT for option in options)
        self._columns = 2 if is_short and len(options) > TWO_COLUMNS else 1
        rows = -(-len(options) // self._columns)
        self._cells: list[OptionCell] = []
        for index, option in enumerate(options):
            cell = OptionCell(
                self.frame, theme, option, mark=self.mark_kind, on_press=partial(self._pressed, index)
            )
            # Down the first column, then down the second: the arrow keys go the same way.
            cell.frame.grid(
                row=index % rows,
                column=theme.column(index // rows, self._columns),
                sticky="nsew",
                pady=(0, theme.px(3)),
            )
            self._cells.append(cell)
            parts.register(f"{self._name}.{index + 1}", cell.frame)
        for column in range(self._columns):
            self.frame.columnconfigure(column, weight=1, uniform="options")
        link_option_keys(self._cells, self._pressed_by_key)

    def _pressed(self, index: int) -> None:
        raise NotImplementedError

    def _pressed_by_key(self, index: int) -> None:
        self._cells[index].frame.focus_set()
        self._pressed(index)

    def _changed(self) -> None:
        self._show()
        self._parts.on_change(self._name)

    def _show(self) -> None:
        raise NotImplementedError

    def _first_cell(self) -> OptionCell:
        return self._cells[0]

    def focus(self, _name: str) -> None:
        """Give the keyboard focus to the chosen option, or to the first one."""
        self._first_cell().frame.focus_set()

    def mark(self, names: frozenset[str]) -> None:
        """Mark the options if the answer is missing."""
        for cell in self._cells:
            cell.mark_fault(self._name in names)

    def wrap_to(self, width: int) -> None:
        """Wrap the options for a width in pixels."""
        for cell in self._cells:
            cell.wrap_to(width // self._columns)


class ChoiceField(_OptionField):
    """Options of which one is chosen; none at first.

    Args:
        parent: Parent widget.
        parts: Collaborators of the field.
    """

    def __init__(self, parent: tk.Misc, parts: FieldParts) -> None:
        self._value: int | None = None
        super().__init__(parent, parts)

    def values(self) -> Mapping[str, Any]:
        """Return the position of the chosen option, from 1."""
        return {self._name: self._value}

    def fill(self, values: Mapping[str, Any]) -> None:
        """Show an answer that was given before."""
        value = values.get(self._name)
        self._value = value if type(value) is int and 1 <= value <= len(self._cells) else None
        self._show()

    def _pressed(self, index: int) -> None:
        again = self._value == index + 1
        if not again or self._parts.item.may_skip:
            self._value = None if again else index + 1
            self._changed()

    def _show(self) -> None:
        for index, cell in enumerate(self._cells, start=1):
            cell.show(chosen=index == self._value)
            if self._value is not None:
                cell.mark_fault(False)
                cell.frame.configure(takefocus=1 if index == self._value else 0)

    def _first_cell(self) -> OptionCell:
        return self._cells[(self._value or 1) - 1]


class ManyField(_OptionField):
    """Options of which any number is chosen.

    Args:
        parent: Parent widget.
        parts: Collaborators of the field.
    """

    mark_kind: Mark = "check"

    def __init__(self, parent: tk.Misc, parts: FieldParts) -> None:
        self._chosen: set[int] = set()
        super().__init__(parent, parts)

    def values(self) -> Mapping[str, Any]:
        """Return the positions of the chosen options from 1, in their order; None: none is chosen."""
        return {self._name: sorted(self._chosen) or None}

    def fill(self, values: Mapping[str, Any]) -> None:
        """Show an answer that was given before."""
        given = values.get(self._name)
        positions = range(1, len(self._cells) + 1)
        self._chosen = {one for one in given if one in positions} if isinstance(given, list) else set()
        self._show()

    def _pressed(self, index: int) -> None:
        self._chosen ^= {index + 1}
        self._changed()

    def _show(self) -> None:
        for index, cell in enumerate(self._cells, start=1):
            cell.show(chosen=index in self._chosen)
            if self._chosen:
                cell.mark_fault(False)


class RankField(_OptionField):
    """Things that are put in order: each press gives the next place, a second press takes it back.

    Shift and an arrow key move a thing up or down in the order.

    Args:
        parent: Parent widget.
        parts: Collaborators of the field.
    """

    mark_kind: Mark = "number"

    def __init__(self, parent: tk.Misc, parts: FieldParts) -> None:
        self._order: list[int] = []
        super().__init__(parent, parts)
        self._columns_are_one()
        for index, cell in enumerate(self._cells):
            cell.bind_key("Shift-Up", partial(self._move, index, -1))
            cell.bind_key("Shift-Down", partial(self._move, index, 1))
            for digit in range(1, min(9, len(self._cells)) + 1):
                cell.bind_key(str(digit), partial(self._put, index, digit))
        theme = parts.theme
        self._hint = theme.label(
            self.frame,
            theme.translate(
                "Press them in your order, starting with the first. Press one again to take it out."
            ),
            "small",
            theme.colours.muted,
        )
        self._hint.grid(
            row=len(self._cells), column=0, columnspan=2, sticky=theme.west, pady=(theme.px(3), 0)
        )

    def values(self) -> Mapping[str, Any]:
        """Return the positions of the things from 1, in their order; None before all have a place."""
        is_complete = len(self._order) == len(self._cells)
        return {self._name: [index + 1 for index in self._order] if is_complete else None}

    def fill(self, values: Mapping[str, Any]) -> None:
        """Show an answer that was given before, or an order that was begun."""
        given = values.get(unfinished_key(self._name)) or values.get(self._name)
        places = given if isinstance(given, list) else []
        positions = range(1, len(self._cells) + 1)
        fits = len(set(places)) == len(places) and all(one in positions for one in places)
        self._order = [one - 1 for one in places] if fits else []
        self._show()

    def unfinished(self) -> Mapping[str, Any]:
        """Return the places of an order that has been begun, for the draft; none if it is complete."""
        is_complete = len(self._order) == len(self._cells)
        places = [] if is_complete else [index + 1 for index in self._order]
        return {unfinished_key(self._name): places}

    def wrap_to(self, width: int) -> None:
        """Wrap the things for a width in pixels."""
        super().wrap_to(width)
        self._hint.wrap_to(width)

    def _columns_are_one(self) -> None:
        """Put all things into one column: an order is read from top to bottom."""
        self._columns = 1
        for row, cell in enumerate(self._cells):
            cell.frame.grid_configure(row=row, column=0)
        self.frame.columnconfigure(1, weight=0, uniform="")

    def _pressed(self, index: int) -> None:
        if index in self._order:
            self._order.remove(index)
        else:
            self._order.append(index)
        self._changed()

    def _put(self, index: int, place: int) -> None:
        """Give a thing a place, as far as there are enough things before it."""
        if index in self._order:
            self._order.remove(index)
        self._order.insert(min(place - 1, len(self._order)), index)
        self._changed()

    def _move(self, index: int, step: int) -> None:
        if index in self._order:
            at = self._order.index(index)
            to = min(max(0, at + step), len(self._order) - 1)
            self._order.insert(to, self._order.pop(at))
            self._changed()

    def _show(self) -> None:
        is_complete = len(self._order) == len(self._cells)
        for index, cell in enumerate(self._cells):
            place = self._order.index(index) + 1 if index in self._order else 0
            cell.show(chosen=False, number=place)
            if is_complete:
                cell.mark_fault(False)
