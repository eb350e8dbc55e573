"""Tabs that select a column of the table in a window too small for all of them."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from tkinter import ttk

from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.table.column_arrangement import COLUMNS, TableColumn

PLAIN, CHOSEN = "Tab.Toggle.TButton", "Tab.Chosen.Toggle.TButton"


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
