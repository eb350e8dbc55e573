"""Placement of the table's columns on a grid, according to an arrangement."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from dataclasses import replace

from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.table.column_arrangement import COLUMNS, Arrangement, TableColumn


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
