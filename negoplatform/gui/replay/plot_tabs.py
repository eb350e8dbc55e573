"""Tabs with the researcher's plots: the offers' utilities over time, and the possible deals."""

from __future__ import annotations

import tkinter as tk
from abc import ABC, abstractmethod
from collections.abc import Callable
from tkinter import ttk

from negoplatform.app.playback.offer_metrics import RecordedOffer
from negoplatform.app.playback.outcome_space import OutcomeSpace
from negoplatform.gui.plots.outcome_plot_drawing import offer_ring
from negoplatform.gui.plots.plot_canvas import PlotCanvas
from negoplatform.gui.plots.plot_drawing_builder import PlotStyle
from negoplatform.gui.plots.utility_plot_drawing import time_cursor
from negoplatform.gui.replay.session_plots import SessionPlots
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.bidi import wrap_lines
from negoplatform.presentation.plots.drawing import Drawing, DrawingItem
from negoplatform.presentation.plots.offer_description import offer_description

REDRAW_MS = 60
"""Delay after the last change of size until a plot is drawn again."""

LEAST_HEIGHT = 200
LEAST_LINES = 5
"""Least number of text lines about the latest offer, below a plot."""

WIDE, BESIDE = 560, 200
"""Width of a tab from which the text is next to the plot, and the text's width then; at 96 dpi."""


class PlotTab(ABC):
    """Plot, with the latest offer in words.

    Args:
        parent: The parent widget.
        theme: The window's theme.
        plots: The session's figures.
        on_position: Called with the position of a mark that was picked.
        on_time: Called with the horizontal value at a point that was clicked.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        plots: SessionPlots,
        *,
        on_position: Callable[[int], None],
        on_time: Callable[[float], None],
    ) -> None:
        self._theme, self._plots = theme, plots
        self._at = (0, 0.0)
        self._size = (0, 0)
        self._later = ""
        self._drawing: Drawing | None = None
        self._last_offer: RecordedOffer | None = None
        self.frame = theme.frame(parent)
        sides = plots.seat_styles(theme.colours)
        examples = {(offer.step, offer.deal): offer for offer in plots.offers}.values()
        self._texts = [offer_description(offer, sides, theme.translate) for offer in examples]
        self._room = room = theme.frame(self.frame)
        room.configure(width=theme.px(BESIDE))
        room.pack_propagate(False)
        self._words = theme.label(room, "", "small")
        self._words.pack(anchor=theme.west)
        self._place = theme.frame(self.frame)
        self._place.pack(side="top", fill="both", expand=True)
        self._place.pack_propagate(False)
        self._place_words(0)
        self._message_label = theme.label(self._place, "", "body", theme.colours.muted, wrap=320)
        self.plot = PlotCanvas(self._place, theme, on_pick=on_position, on_click_at=on_time)
        self.frame.bind("<Configure>", lambda event: self._place_words(event.width))
        self._place.bind("<Configure>", self._resized)
        self._place.bind("<Destroy>", lambda _event: self._stop())

    @property
    def focus(self) -> tk.Misc:
        """Widget that takes the keyboard focus."""
        return self.plot.widget

    def show(self, position: int, t: float) -> None:
        """Show the position of the replay."""
        self._at = position, t
        offer = self._plots.offer_at(position)
        if offer is not self._last_offer:
            self._last_offer = offer
            sides = self._plots.seat_styles(self._theme.colours)
            self._words.write("" if offer is None else offer_description(offer, sides, self._theme.translate))
        if self._drawing is not None:
            self.plot.show_overlay(self.overlay(self._drawing))

    def _place_words(self, width: int) -> None:
        """Place the text below the plot, or next to it if the tab is wide enough."""
        theme = self._theme
        beside = width > theme.px(WIDE)
        wrap = (theme.px(BESIDE) if beside else max(width, theme.px(346))) - theme.px(16)
        self._words.wrap_to(wrap)
        # As high as any of the texts, so that the plot keeps its size from offer to offer.
        font = theme.font("small")
        lines = max((len(wrap_lines(text, wrap, font.measure)) for text in self._texts), default=0)
        self._room.configure(height=max(LEAST_LINES, lines) * font.metrics("linespace"))
        self._room.pack(
            side=theme.end if beside else "bottom",
            fill="y" if beside else "x",
            padx=theme.px(8),
            pady=(theme.px(4), 0),
            before=self._place,
        )

    @abstractmethod
    def draw(self, style: PlotStyle) -> Drawing | None:
        """Return the plot for a size; None if it cannot be drawn yet."""

    @abstractmethod
    def overlay(self, drawing: Drawing) -> tuple[DrawingItem, ...]:
        """Return the items that show the position of the replay on the plot."""

    def show_message(self, sentence: str) -> None:
        """Show a sentence instead of the plot."""
        self._message_label.write(sentence)
        self._message_label.place(relx=0.5, rely=0.4, anchor="center")

    def redraw(self) -> None:
        """Draw the plot for the available space."""
        self._later = ""
        scale = self._theme.scale
        edge = 2 * int(self.plot.widget.cget("highlightthickness"))
        style = PlotStyle(
            self._theme.colours,
            self._theme.translate,
            (self._size[0] - edge) / scale,
            max(LEAST_HEIGHT, (self._size[1] - edge) / scale),
        )
        self._drawing = self.draw(style)
        if self._drawing is not None:
            self._message_label.place_forget()
            self.plot.show(self._drawing)
            self.plot.widget.pack(anchor="n")
            self.show(*self._at)

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        size = (event.width, event.height)
        if size == self._size or min(size) < 50:
            return
        first, self._size = self._size == (0, 0), size
        self._stop()
        self._later = self._place.after(1 if first else REDRAW_MS, self.redraw)

    def _stop(self) -> None:
        if self._later:
            self._place.after_cancel(self._later)
            self._later = ""


class UtilitiesTab(PlotTab):
    """Plot of the offers' utilities over time."""

    def draw(self, style: PlotStyle) -> Drawing | None:
        """Return the plot for a size."""
        return self._plots.utilities(style)

    def overlay(self, drawing: Drawing) -> tuple[DrawingItem, ...]:
        """Return a line at the session time."""
        return time_cursor(drawing, self._at[1], self._theme.colours.ink)


class OutcomesTab(PlotTab):
    """Plot of the possible deals, which are computed when the tab is first opened.

    It has the points of two seats; in a game of more, a button shows the next two.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        plots: SessionPlots,
        *,
        on_position: Callable[[int], None],
        on_time: Callable[[float], None],
    ) -> None:
        super().__init__(parent, theme, plots, on_position=on_position, on_time=on_time)
        self.other_axes: ttk.Button | None = None
        if len(plots.axis_pairs) > 1:
            self.other_axes = theme.button(
                self.frame, theme.translate("Other seats on the axes"), "Toggle.TButton", self._show_next_axes
            )
            self.other_axes.pack(side="top", anchor=theme.west, padx=theme.px(8), before=self._place)

    def _show_next_axes(self) -> None:
        self._plots.show_next_axes()
        if self._size != (0, 0):
            self.redraw()

    def draw(self, style: PlotStyle) -> Drawing | None:
        """Return the plot for a size; None before :meth:`set_outcomes`."""
        space = self._plots.space
        return None if space is None or len(space.scales) < 2 else self._plots.outcomes(style, space)

    def overlay(self, drawing: Drawing) -> tuple[DrawingItem, ...]:
        """Return a ring around the latest offer."""
        offer = self._plots.offer_at(self._at[0])
        points = None if offer is None else offer.proposal_points
        return offer_ring(drawing, points, self._theme.colours.ink, self._plots.axes)

    def set_outcomes(self, space: OutcomeSpace) -> None:
        """Store the outcomes and draw the plot."""
        self._plots.space = space
        if self._size != (0, 0):
            self.redraw()
