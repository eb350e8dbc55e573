"""Tabs: which of the table's columns is seen where a window has no room for all of them."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from tkinter import ttk

from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.table.column_arrangement import COLUMNS, TableColumn

PLAIN, CHOSEN = "Tab.Toggle.TButton", "Tab.Chosen.Toggle.TButton"


class Tabs:
    """A button per column; the one that is seen is marked.

    Args:
        parent: Where they are put.
        theme: Their looks.
        on_choose: Is given the column that was pressed.
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
        """What the tabs are called."""
        for column, name in names.items():
            self._theme.set_button_text(self.buttons[column], name)

    def show(self, columns: Sequence[TableColumn], chosen: TableColumn) -> None:
        """Show tabs for some columns, one of which is marked."""
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
        """Choose the tab after or before the one that is marked."""
        if self._shown is None or not self._shown[0]:
            return
        columns, chosen = self._shown
        self._on_choose(columns[(columns.index(chosen) + step) % len(columns)])
