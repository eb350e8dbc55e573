"""Puts the table's columns on a grid, as they are arranged."""

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
    """Show the columns of an arrangement in a row of a grid, and take the others away.

    Args:
        parent: The grid; its columns are as many as the table's.
        theme: Its looks.
        frames: The columns.
        arrangement: What is shown.
        row: Of the grid.
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
        # All of the room that is left goes to the talk, or to the only column.
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
    """The same without one of its columns; the talk takes its room."""
    kept = [
        (each, width)
        for each, width in zip(arrangement.shown, arrangement.widths, strict=True)
        if each != column
    ]
    return replace(
        arrangement, shown=tuple(each for each, _ in kept), widths=tuple(width for _, width in kept)
    )
