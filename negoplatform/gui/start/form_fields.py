"""Titles and fields in two columns."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence
from tkinter import ttk

from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import FIELD_FONT, Theme
from negoplatform.gui.widgets.scrolled_frame import disable_wheel

TITLES_WIDTH = 132
"""Width of the column of titles, for 96 dpi."""

FIELDS_WIDTH = 200
"""Width at which text under a field wraps, for 96 dpi."""

NARROW = 1250
"""Window width, for 96 dpi, below which titles are placed above their fields."""


class FormFields:
    """Part of a form: a title and its field side by side, or one above the other in a narrow window.

    Args:
        parent: The parent of the form.
        theme: The window's theme.
    """

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        self._theme = theme
        self._row = 0
        self._stacked = theme.root.winfo_width() < theme.px(NARROW)
        self.frame = theme.frame(parent)
        if not self._stacked:
            self.frame.columnconfigure(theme.column(0, 2), minsize=theme.px(TITLES_WIDTH))
        self.frame.columnconfigure(theme.column(1, 2), weight=1)

    def clear(self) -> None:
        """Remove all fields."""
        for child in self.frame.winfo_children():
            child.destroy()
        self._row = 0
        # An empty frame keeps its former height.
        self.frame.configure(height=1)

    def heading(self, text: str) -> None:
        """Add a heading above the rows that follow."""
        title = self._theme.label(self.frame, text, "bold")
        title.grid(
            row=self._next(), column=0, columnspan=2, sticky=self._theme.west, pady=(self._theme.px(14), 0)
        )

    def entry(self, title: str, text: str, width: int = 12) -> ttk.Entry:
        """Add a text field."""
        field = ttk.Entry(
            self.frame, font=self._theme.font(FIELD_FONT), width=width, justify=self._theme.justify
        )
        field.insert(0, text)
        self._place(title, field)
        return field

    def choice(self, title: str, choices: Sequence[str], index: int) -> ttk.Combobox:
        """Add a field with a list of choices."""
        drawn = [self._theme.visual_order(choice) for choice in choices]
        field = ttk.Combobox(
            self.frame,
            values=drawn,
            state="readonly",
            font=self._theme.font("body"),
            width=12,
            justify=self._theme.justify,
        )
        if drawn:
            field.current(index)
        field.bind("<<ComboboxSelected>>", lambda _event: field.selection_clear(), add="+")
        disable_wheel(field)
        self._place(title, field)
        return field

    def check(self, title: str, variable: tk.BooleanVar) -> ttk.Checkbutton:
        """Add a check button with its title."""
        field = ttk.Checkbutton(self.frame, text=self._theme.visual_order(title), variable=variable)
        field.grid(
            row=self._next(), column=0, columnspan=2, sticky=self._theme.west, pady=(self._theme.px(8), 0)
        )
        return field

    def note(self, text: str, colour: str = "", *, wide: bool = False) -> BidiLabel:
        """Add small text under the preceding field; if ``wide``, under its title too."""
        theme = self._theme
        wide = wide or self._stacked
        width = FIELDS_WIDTH + (TITLES_WIDTH if wide and not self._stacked else 0)
        label = theme.label(self.frame, text, "small", colour or theme.colours.muted, wrap=width)
        row, start = self._next(), 0 if wide else theme.column(1, 2)
        label.grid(row=row, column=start, columnspan=2 if wide else 1, sticky=theme.west)
        return label

    def _place(self, title: str, field: tk.Widget) -> None:
        theme, row = self._theme, self._next()
        gap = theme.px(8)
        if self._stacked:
            label = theme.label(self.frame, title, wrap=FIELDS_WIDTH)
            label.grid(row=row, column=0, columnspan=2, sticky=theme.west, pady=(gap, 0))
            field.grid(row=self._next(), column=0, columnspan=2, sticky="ew")
            return
        label = theme.label(self.frame, title, wrap=TITLES_WIDTH - 10)
        label.grid(row=row, column=theme.column(0, 2), sticky=theme.west, pady=(gap, 0))
        field.grid(row=row, column=theme.column(1, 2), sticky="ew", pady=(gap, 0))

    def _next(self) -> int:
        self._row += 1
        return self._row
