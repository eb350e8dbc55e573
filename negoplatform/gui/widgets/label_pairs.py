"""Pairs of words, side by side, wrapped so that they never ask for more width."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from negoplatform.gui.theming.theme import Theme


def build_pair_row(
    theme: Theme,
    parent: tk.Misc,
    pair: tuple[str, str],
    *,
    width: float,
    font: str = "body",
    share: float = 0.45,
    quiet: bool = False,
) -> None:
    """One pair.

    Args:
        theme: Its looks.
        parent: Where it is put, below what is there.
        pair: The words where reading starts, and those at the other side.
        width: The width of both, for 96 dpi.
        font: Of the second words; the first are bold beside ``body``.
        share: The part of the width that the first words may take.
        quiet: Whether the first words matter less.
    """
    first, second = pair
    row = theme.frame(parent)
    row.pack(fill="x", pady=theme.px(0 if quiet else 2))
    heavy = font if quiet or font != "body" else "bold"
    colour = theme.colours.muted if quiet else theme.colours.ink
    theme.label(row, first, heavy, colour, wrap=width * (share if second else 1)).pack(
        side=theme.start, anchor="n"
    )
    theme.label(row, second, font, wrap=width * (0.97 - share)).pack(side=theme.end, anchor="n")


def build_pair_rows(theme: Theme, parent: tk.Misc, rows: Sequence[tuple[str, str]], *, width: float) -> None:
    """Pairs in place of whatever was there."""
    for child in parent.winfo_children():
        child.destroy()
    for pair in rows:
        build_pair_row(theme, parent, pair, width=width)
