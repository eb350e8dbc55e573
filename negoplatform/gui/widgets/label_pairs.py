"""Rows of two labels, wrapped so that they never need more than a given width."""

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
    """Add a row of two labels.

    Args:
        theme: Theme of the window.
        parent: Parent widget; the row is packed below its other contents.
        pair: Text where reading starts, and text at the other side.
        width: Width of the row, in pixels at 96 dpi.
        font: Font of the second text; with ``body``, the first text is bold.
        share: Share of the width that the first text may take.
        quiet: Whether to show the first text as less important.
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
    """Replace a widget's contents with rows of two labels."""
    for child in parent.winfo_children():
        child.destroy()
    for pair in rows:
        build_pair_row(theme, parent, pair, width=width)
