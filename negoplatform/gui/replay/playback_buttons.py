"""Playback controls: play, steps, offers and speed."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from tkinter import ttk
from typing import Any

from PIL import Image, ImageTk

from negoplatform.app.playback.playback_clock import SPEEDS
from negoplatform.gui.plots.plot_image import marker_image
from negoplatform.gui.theming.icons import icon
from negoplatform.gui.theming.theme import ICON_SIZE, Theme
from negoplatform.gui.theming.ttk_styles import button_text_colour
from negoplatform.gui.widgets.scrolled_frame import disable_wheel
from negoplatform.presentation.plots.axis_ticks import time_text
from negoplatform.presentation.plots.drawing import Marker
from negoplatform.presentation.plots.seat_styles import SeatStyle
from negoplatform.presentation.time_and_points_text import format_number

STYLE = "Plain.TButton"

AROUND = 12
"""Space that a widget of the row has around it at most, at 96 dpi."""

FEW = 2
"""Number of seats whose legend needs no check of its own whether it fits."""

LEGEND_FROM = 860
"""Minimum width of a window that has space for the legend, at 96 dpi."""


@dataclass(frozen=True, slots=True)
class PlaybackCallbacks:
    """Callbacks of the buttons."""

    play: Callable[[], None]
    step: Callable[[int], None]
    offer: Callable[[int], None]
    set_speed: Callable[[float], None]
    shorten_pauses: Callable[[bool], None]


class PlaybackButtons:
    """Row of buttons with the current position and the legend of the timeline's marks.

    Args:
        parent: The parent widget.
        theme: The window's theme.
        callbacks: The callbacks of the buttons.
        sides: The styles of the seats.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, callbacks: PlaybackCallbacks, sides: Sequence[SeatStyle]
    ) -> None:
        self._theme = theme
        self._pictures: list[ImageTk.PhotoImage] = []
        self._playing: bool | None = None
        translate, px = theme.translate, theme.px
        self.frame = theme.frame(parent)
        self._hint = theme.label(self.frame, "", "small", theme.colours.muted)
        self.previous_offer = self._button(
            "next", True, translate("Previous offer (P)"), lambda: callbacks.offer(-1)
        )
        self.previous = self._button(
            "step_back", False, translate("One event back (←)"), lambda: callbacks.step(-1)
        )
        self.play = self._button("play", False, translate("Play or pause (Space)"), callbacks.play)
        self.next = self._button(
            "step_forward", False, translate("One event forward (→)"), lambda: callbacks.step(1)
        )
        self.next_offer = self._button("next", False, translate("Next offer (N)"), lambda: callbacks.offer(1))
        for button in (self.previous_offer, self.previous, self.play, self.next, self.next_offer):
            button.pack(side=theme.start, padx=px(2))
        self._time = theme.label(self.frame, "", "bold")
        self._time.pack(side=theme.start, padx=theme.padx(10, 8))
        self._count = theme.label(self.frame, "", "small", theme.colours.muted)
        self._count.pack(side=theme.start)
        self._make_speed_buttons(callbacks)
        if theme.width >= LEGEND_FROM:
            self._make_legend(sides)
        self._hint.pack(side=theme.end, padx=px(12))
        self.show_playing(False)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the widgets that can be pressed, by name."""
        return {
            "replay.previous_offer": self.previous_offer,
            "replay.previous": self.previous,
            "replay.play": self.play,
            "replay.next": self.next,
            "replay.next_offer": self.next_offer,
            "replay.skip_silences": self.skip,
            "replay.speed": self.speed,
        }

    def show(self, t: float, seconds: float, number: int, count: int) -> None:
        """Show the session time and the number of the current event."""
        self._time.write(f"{time_text(t)} / {time_text(seconds)}")
        self._count.write(self._theme.translate("event {n} of {all}", n=number, all=count))

    def show_message(self, sentence: str) -> None:
        """Show a sentence about the last action."""
        self._hint.write(sentence)

    def show_playing(self, playing: bool) -> None:
        """Show the button as pause or play."""
        if playing != self._playing:
            self._playing = playing
            self._style_button(self.play, "pause" if playing else "play", False)

    def show_speed(self, speed: float) -> None:
        """Show the playback speed."""
        self.speed.current(SPEEDS.index(speed))

    # Making

    def _button(self, name: str, turned: bool, hint: str, command: Callable[[], None]) -> ttk.Button:
        button = self._theme.button(self.frame, "", STYLE, command)
        button.configure(padding=self._theme.px(5))
        self._style_button(button, name, turned)
        for event in ("<Enter>", "<FocusIn>"):
            button.bind(event, lambda _event: self._hint.write(hint), add="+")
        for event in ("<Leave>", "<FocusOut>"):
            button.bind(event, lambda _event: self._hint.write(""), add="+")
        return button

    def _style_button(self, button: ttk.Button, name: str, turned: bool) -> None:
        """Set a button's icon, flipped for the opposite direction and again for right-to-left languages."""
        colours = self._theme.colours
        size, turned = self._theme.px(ICON_SIZE), turned != self._theme.rtl
        drawn = (icon(name, size, colour) for colour in (button_text_colour(colours, STYLE), colours.on_off))
        flip = Image.Transpose.FLIP_LEFT_RIGHT
        usual, off = (self._theme.picture(one.transpose(flip) if turned else one) for one in drawn)
        self._pictures += (usual, off)
        images: Any = (usual, "disabled", off)
        button.configure(image=images, compound="image")

    def _make_speed_buttons(self, callbacks: PlaybackCallbacks) -> None:
        theme, translate = self._theme, self._theme.translate
        self._skipping = tk.BooleanVar(theme.root, value=False)
        pace = theme.frame(self.frame)
        pace.pack(side=theme.end)
        self.skip = ttk.Checkbutton(
            pace,
            text=theme.visual_order(translate("Skip silences")),
            variable=self._skipping,
            command=lambda: callbacks.shorten_pauses(self._skipping.get()),
        )
        words = theme.label(pace, translate("Speed"), "body", theme.colours.muted)
        self.speed = ttk.Combobox(
            pace,
            state="readonly",
            width=5,
            values=[f"{format_number(speed, translate)}×" for speed in SPEEDS],
            font=theme.font("body"),
        )
        disable_wheel(self.speed)
        self.speed.bind(
            "<<ComboboxSelected>>", lambda _event: callbacks.set_speed(SPEEDS[self.speed.current()])
        )
        for piece in (self.skip, words, self.speed):
            piece.pack(side=theme.start, padx=theme.px(4))
        self.show_speed(1.0)

    def _fit_legend(self, width: int) -> None:
        """Show the legend if it fits next to everything else; the marks are at the side, too."""
        legend, theme = self._legend, self._theme
        others = [child for child in self.frame.pack_slaves() if child not in (legend, self._hint)]
        taken = sum(child.winfo_reqwidth() for child in others) + theme.px(AROUND * len(others))
        fits = taken + legend.winfo_reqwidth() + theme.px(2 * AROUND) <= width
        if fits and not legend.winfo_manager():
            legend.pack(side=theme.end, padx=theme.px(10), before=self._hint)
        elif not fits:
            legend.pack_forget()

    def _make_legend(self, sides: Sequence[SeatStyle]) -> None:
        theme = self._theme
        self._legend = legend = theme.frame(self.frame)
        legend.pack(side=theme.end, padx=theme.px(10))
        if len(sides) > FEW:
            self.frame.bind("<Configure>", lambda event: self._fit_legend(event.width))
        marks = [(Marker(0, 0, side.shape, 4, side.colour, side.colour, 1), side.name) for side in sides]
        marks.append(
            (
                Marker(0, 0, "triangle", 4, theme.colours.card, theme.colours.muted, 1.2),
                theme.translate("Platform"),
            )
        )
        for dot, name in marks:
            picture = theme.picture(marker_image(dot, theme.scale))
            self._pictures.append(picture)
            tk.Label(legend, image=picture, bg=theme.colours.card, bd=0).pack(
                side=theme.start, padx=theme.padx(8, 3)
            )
            theme.label(legend, name, "small", theme.colours.muted).pack(side=theme.start)
