"""Columns of the table: their placement on a grid, according to an arrangement, and their tabs."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from tkinter import ttk

from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.table.column_arrangement import COLUMNS, Arrangement, TableColumn

PLAIN, CHOSEN = "Tab.Toggle.TButton", "Tab.Chosen.Toggle.TButton"


def place_columns(
    parent: tk.Misc,
    theme: Theme,
    frames: Mapping[TableColumn, tk.Widget],
    arrangement: Arrangement,
    *,
    row: int,
) -> None:
    """Show the columns of an arrangement in a row of a grid, and hide the others.

    Args:
        parent: The parent of the grid, which has as many columns as the table.
        theme: The window's theme.
        frames: The frames of the columns.
        arrangement: The arrangement to show.
        row: The row of the grid.
    """
    shown, count = arrangement.shown, len(COLUMNS)
    for column in COLUMNS:
        if column not in shown:
            frames[column].grid_remove()
    for index in range(count):
        at = theme.column(index, count)
        if index >= len(shown):
            parent.columnconfigure(at, weight=0, minsize=0)
            continue
        before = arrangement.margin if index == 0 else 0
        after = arrangement.margin if index == len(shown) - 1 else arrangement.gap
        # The chat, or the only column, gets the remaining width.
        grows = shown[index] == "talk" or len(shown) == 1
        width = 0 if grows else theme.px(arrangement.widths[index] + before + after)
        parent.columnconfigure(at, weight=int(grows), minsize=width)
        frames[shown[index]].grid(
            row=row,
            column=at,
            sticky="nsew",
            padx=theme.padx(before, after),
            pady=theme.px(arrangement.gap),
        )


def widened(arrangement: Arrangement, column: TableColumn, talk: int) -> Arrangement:
    """Return an arrangement in which a column takes the width of the chat above ``talk``, for 96 dpi."""
    widths = dict(zip(arrangement.shown, arrangement.widths, strict=True))
    spare = max(0, widths["talk"] - talk)
    widths |= {"talk": widths["talk"] - spare, column: widths[column] + spare}
    return replace(arrangement, widths=tuple(widths[each] for each in arrangement.shown))


def without_column(arrangement: Arrangement, column: TableColumn) -> Arrangement:
    """Return an arrangement without one of its columns; the chat takes its width."""
    kept = [
        (each, width)
        for each, width in zip(arrangement.shown, arrangement.widths, strict=True)
        if each != column
    ]
    return replace(
        arrangement, shown=tuple(each for each, _ in kept), widths=tuple(width for _, width in kept)
    )


class Tabs:
    """A button per column, with the visible one marked.

    Args:
        parent: The parent of the tabs.
        theme: The window's theme.
        on_choose: Called with the column whose tab was pressed.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, on_choose: Callable[[TableColumn], None]) -> None:
        self._theme = theme
        self._on_choose = on_choose
        self._shown: tuple[Sequence[TableColumn], TableColumn] | None = None
        style = ttk.Style(theme.root)
        for name, font in ((PLAIN, "body"), (CHOSEN, "bold")):
            style.configure(name, font=theme.font(font), padding=(theme.px(8), theme.px(3)))
        self.buttons: dict[TableColumn, ttk.Button] = {
            column: theme.button(parent, "", PLAIN, lambda column=column: on_choose(column))  # type: ignore[misc]
            for column in COLUMNS
        }

    def write(self, names: Mapping[TableColumn, str]) -> None:
        """Set the texts of the tabs."""
        for column, name in names.items():
            self._theme.set_button_text(self.buttons[column], name)

    def show(self, columns: Sequence[TableColumn], chosen: TableColumn) -> None:
        """Show tabs for some columns and mark the chosen one."""
        if (columns, chosen) == self._shown:
            return
        self._shown = columns, chosen
        for column, button in self.buttons.items():
            button.pack_forget()
            style = CHOSEN if column == chosen else PLAIN
            if str(button.cget("style")) != style:
                button.configure(style=style)
        for column in columns:
            self.buttons[column].pack(side=self._theme.start, padx=self._theme.padx(0, 4))

    def next(self, step: int) -> None:
        """Choose the tab that is ``step`` positions after the marked one."""
        if self._shown is None or not self._shown[0]:
            return
        columns, chosen = self._shown
        self._on_choose(columns[(columns.index(chosen) + step) % len(columns)])
