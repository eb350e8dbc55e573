"""Plot in its own window, operated by pointer and keyboard; prints the results as JSON."""

from __future__ import annotations

import json
import sys

from negoplatform.gui.plots.plot_canvas import OVERLAY_TAG, TIP_TAG, PlotCanvas
from negoplatform.gui.plots.utility_plot_drawing import time_cursor
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.plots.drawing import Axes, Drawing, Marker, TextLabel

DRAWING = Drawing(
    300,
    200,
    "#ffffff",
    "Two marks",
    (
        TextLabel(20, 20, "Two marks", "#000000"),
        Marker(100, 100, fill="#0072b2", tooltip="the first", position=3),
        Marker(200, 100, fill="#0072b2", tooltip="the second", position=8),
    ),
    Axes(50, 50, 250, 150, (0, 100), (0, 1)),
)


def main() -> None:
    """Show the plot, perform every action once, and print the callbacks' arguments."""
    picked: list[float] = []
    errors: list[str] = []
    theme = Theme("Plot", Appearance(), lambda error: errors.append(repr(error)))
    plot = PlotCanvas(theme.root, theme, on_pick=picked.append, on_click_at=picked.append)
    canvas = plot.widget
    canvas.pack()
    plot.show(DRAWING)
    theme.fit(400, 300, (100, 100))
    canvas.focus_force()
    theme.root.update()
    edge = int(canvas.cget("highlightthickness"))

    def told() -> str:
        theme.root.update()
        found = canvas.find_withtag(TIP_TAG)
        # The text is drawn above its box.
        return str(theme.root.tk.call(canvas, "itemcget", found[-1], "-text")) if found else ""

    tips = []
    for key in ("<Right>", "<Right>", "<Right>", "<Left>"):
        canvas.event_generate(key)
        tips.append(told())
    canvas.event_generate("<Return>")
    canvas.event_generate("<Escape>")
    tips.append(told())
    scale = theme.scale
    canvas.event_generate("<Motion>", x=round(102 * scale) + edge, y=round(99 * scale) + edge)
    tips.append(told())
    canvas.event_generate("<Button-1>", x=round(100 * scale) + edge, y=round(100 * scale) + edge)
    canvas.event_generate("<Button-1>", x=round(150 * scale) + edge, y=round(60 * scale) + edge)
    plot.show_overlay(time_cursor(DRAWING, 0, "#000000"))
    before = canvas.find_withtag(OVERLAY_TAG)
    plot.show_overlay(time_cursor(DRAWING, 100, "#000000"))
    theme.root.update()
    json.dump(
        {
            "tips": tips,
            "picked": [round(value) for value in picked],
            "kept": before == canvas.find_withtag(OVERLAY_TAG),
            "cursor": [round((part - edge) / scale) for part in canvas.coords(before[0])],
            "errors": errors,
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
