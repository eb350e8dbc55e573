"""Scrollbar of the transcript."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Literal

from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.transcript.virtual_column import VirtualColumn

LEAST_THUMB = 0.08
"""The least length of the thumb, as a share of the bar, that can still be grabbed."""


class TranscriptScrollbar:
    """Scrollbar that is shown only while there is something to scroll; its space stays reserved.

    Args:
        parent: The parent, in whose second column and first row the bar is placed.
        theme: The window's theme.
        column: The column of lines that is scrolled.
        on_go: Called after the bar has scrolled the column by dragging.
        on_scroll: Called with the number of steps or pages to scroll.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        column: VirtualColumn,
        *,
        on_go: Callable[[], object],
        on_scroll: Callable[[int, Literal["units", "pages"]], object],
    ) -> None:
        self._theme, self._column = theme, column
        self._on_go, self._on_scroll = on_go, on_scroll
        self._shown = -1, -1
        self._bar = ttk.Scrollbar(parent, orient="vertical", command=self._moved)

    def show(self) -> None:
        """Update the bar to the position of the view."""
        column = self._column
        if column.bottom > 0:
            first, thumb = column.scroll_fraction * (1 - self._thumb), self._thumb
            shown = round(first * column.view), round(thumb * column.view)
            # Setting an unchanged position costs as much as moving the bar, more than drawing a line.
            if shown != self._shown:
                self._shown = shown
                self._bar.set(f"{first:.6f}", f"{first + thumb:.6f}")
            if not self._bar.winfo_manager():
                self._bar.grid(row=0, column=self._theme.column(1, 2), sticky="ns")
        elif self._bar.winfo_manager():
            self._bar.grid_remove()

    @property
    def _thumb(self) -> float:
        return max(LEAST_THUMB, self._column.view / max(1, self._column.total))

    def _moved(self, *args: str) -> None:
        match args:
            case ("moveto", share):
                self._column.scroll_to(float(share) / max(0.01, 1 - self._thumb))
                self._on_go()
            case ("scroll", number, what):
                self._on_scroll(int(float(number)), "pages" if what == "pages" else "units")
