"""The bar beside a transcript: how far it is scrolled, and by which it is scrolled."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Literal

from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.transcript.virtual_column import VirtualColumn

LEAST_THUMB = 0.08
"""The length of the thumb, as a share, with which it can still be taken hold of."""


class TranscriptBar:
    """Shown while there is more than what is in view; its room is kept.

    Args:
        parent: Where it is put, in the second column of the first row.
        theme: Its looks.
        column: What is scrolled.
        on_go: Is called once it was scrolled by dragging.
        on_scroll: Is given how many steps or pages it shall be scrolled.
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
        """Shows where the view is."""
        column = self._column
        if column.bottom > 0:
            first, thumb = column.scroll_fraction * (1 - self._thumb), self._thumb
            shown = round(first * column.view), round(thumb * column.view)
            # To be told the same again costs a bar as much as to be moved, more than what is written.
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

    def _moved(self, *told: str) -> None:
        match told:
            case ("moveto", share):
                self._column.scroll_to(float(share) / max(0.01, 1 - self._thumb))
                self._on_go()
            case ("scroll", number, what):
                self._on_scroll(int(float(number)), "pages" if what == "pages" else "units")
