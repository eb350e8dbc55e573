"""Benchmark of drawing a card, compared with a plain area of its size: ``python -m benchmarks.redraw``."""

from __future__ import annotations

import os
import time
import tkinter as tk
from collections.abc import Callable
from statistics import median
from tkinter import ttk

from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.appearance import Appearance
from tests.x_server import Screen

SIZES = ((236, 680), (400, 696), (592, 696), (1100, 900))
"""Sizes of the table's cards at 1280 x 800, and of one on a large screen; for 96 dpi."""

TIMES = 200


def drawn(theme: Theme, change: Callable[[int], object]) -> float:
    """Return the median of the milliseconds from a change until the screen has drawn it."""
    found = []
    for i in range(TIMES):
        began = time.perf_counter()
        change(i)
        theme.root.update_idletasks()
        theme.root.winfo_pointerxy()  # answered after everything that was asked before
        found.append(1000 * (time.perf_counter() - began))
    return median(found)


def measure(theme: Theme, size: tuple[int, int]) -> str:
    """Return one line of the table."""
    width, height = (theme.px(length) for length in size)
    card, plain = ttk.Frame(theme.root, style="Card.TFrame"), tk.Frame(theme.root)
    costs, colours = {}, (theme.colours.ground, theme.colours.card)
    for widget in (plain, card):
        widget.place(x=0, y=0, width=width, height=height)
        theme.root.update()
        if widget is card:
            costs["card"] = drawn(theme, lambda i: card.state(["active" if i % 2 else "!active"]))
        else:
            costs["plain"] = drawn(theme, lambda i: plain.configure(bg=colours[i % 2]))
        widget.destroy()
    ratio = costs["card"] / costs["plain"]
    return f"{f'{width} x {height}':12} {costs['plain']:8.2f} ms {costs['card']:8.2f} ms {ratio:8.1f}x"


def main() -> None:
    """Print the table, using a private screen."""
    problems: list[BaseException] = []
    with Screen() as screen:
        os.environ["DISPLAY"] = screen.env["DISPLAY"]
        theme = Theme("Redraw", Appearance(), problems.append)
        theme.fit(1280, 960, least=(200, 200))
        theme.root.update()
        print(f"{'size':12} {'plain':>11} {'card':>11} {'ratio':>9}")
        for size in SIZES:
            print(measure(theme, size))
        theme.root.destroy()
    if problems:
        raise problems[0]


if __name__ == "__main__":
    main()
