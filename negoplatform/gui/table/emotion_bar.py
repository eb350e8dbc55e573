"""Bar of five emotions that the participant can show, with their duration."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from tkinter import ttk

from PIL import Image

from negoplatform.core.action_rules import MAX_DISPLAY_MS
from negoplatform.core.events import Expression
from negoplatform.gui.avatars.face_drawing import draw_emoji
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.flow_layout import flow_positions
from negoplatform.gui.widgets.popup_list import PopupList
from negoplatform.gui.widgets.tooltip import Tooltip
from negoplatform.presentation.expression_words import EXPRESSION_WORDS, PARTICIPANTS_EXPRESSIONS
from negoplatform.presentation.i18n import Language

DURATIONS = (2_000, 8_000, MAX_DISPLAY_MS)
"""Milliseconds for which an emotion can be shown; the last is the longest that the rules allow."""

LAST_SECONDS = 10.0
"""Seconds left from which the bar of an emotion shrinks."""

STEP_MS = 100
"""Milliseconds between two steps of the shrinking bar."""

EMOJI, GAP, BAR = 18, 1, 3
"""Size of the emoji, gap between the buttons and height of the bar, for 96 dpi."""

PLAIN_STYLE, CHOSEN_STYLE = "Emotion.Toggle.TButton", "Emotion.Chosen.Toggle.TButton"
"""Styles narrower than other buttons; the chosen one is bold too, as colour alone must not mark it."""


@dataclass(frozen=True, slots=True)
class EmotionBarState:
    """State of the bar: the emotion that the others see, its end, and whether it can be changed."""

    current: Expression
    until: float | None
    can_express: bool


def duration_words(ms: int, translate: Language) -> tuple[str, str]:
    """Return the text of a duration on the button and in the list."""
    if ms == MAX_DISPLAY_MS:
        return translate("stays"), translate("Show it until I change it")
    seconds = ms // 1000
    return translate("{n} s", n=seconds), translate.plural(
        "Show it for {n} second", "Show it for {n} seconds", seconds
    )


def remaining_share(left: float, total: float, *, steps: bool) -> float:
    """Return the remaining share of the bar, 0 to 1; ``steps``: in steps of whole seconds."""
    total = min(total, LAST_SECONDS)
    if left <= 0 or total <= 0:
        return 0.0
    return min(1.0, ceil(left) / ceil(total) if steps else left / total)


class EmotionBar:
    """A button per emotion with its emoji and word, and a button for the duration.

    Args:
        parent: The parent of the bar, which takes the width that it is given and as many rows as it needs.
        theme: The window's theme.
        on_express: Called with the chosen emotion and its duration in milliseconds.
        several: Whether several others see it.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_express: Callable[[Expression, int], None],
        several: bool = False,
    ) -> None:
        self.frame = theme.frame(parent)
        self.buttons: dict[Expression, ttk.Button] = {}
        self._theme = theme
        self._on_express = on_express
        self._pictures: list[object] = []
        self._shown: EmotionBarState | None = None
        self._total = self._share = 0.0
        self._timer = ""
        self._duration_ms = DURATIONS[0]
        self._menu: PopupList | None = None
        style = ttk.Style(theme.root)
        for name, font in ((PLAIN_STYLE, "body"), (CHOSEN_STYLE, "bold")):
            style.configure(name, font=theme.font(font), padding=(theme.px(4), theme.px(2)))
        words = theme.label(self.frame, theme.translate("You feel"), colour=theme.colours.muted)
        words.configure(anchor=theme.west)
        for expression in PARTICIPANTS_EXPRESSIONS:
            self.buttons[expression] = self._button(expression)
        short, _ = duration_words(self._duration_ms, theme.translate)
        self.duration = theme.button(self.frame, short, "Toggle.TButton", self._choose_duration, icon="clock")
        self.duration.configure(style=PLAIN_STYLE)
        how_long = (
            theme.translate("How long the others see your face")
            if several
            else theme.translate("How long the other side sees your face")
        )
        Tooltip(theme, self.duration, how_long, above=True)
        self._pieces: list[tk.Label | ttk.Button] = [words, *self.buttons.values(), self.duration]
        self._remaining_bar = tk.Frame(self.frame, bg=theme.colours.mine, bd=0)
        self._set_duration(self._duration_ms)
        self._room = 0
        # Measured once, in the style of the chosen emotion: choosing another one must not move the others.
        self._widths = self._max_widths()
        self._lay_out(sum(self._widths) + (len(self._pieces) - 1) * theme.px(GAP))
        self.frame.configure(width=self._room)
        self.frame.bind("<Configure>", lambda event: self._lay_out(event.width))
        self.frame.bind("<Destroy>", lambda _event: self._stop())

    def show(self, current: Expression, until: float | None, now: float, can_express: bool) -> None:
        """Mark the emotion that the others see.

        Args:
            current: The emotion.
            until: The session time (s) at which it ends; None: it does not end.
            now: The session time (s).
            can_express: Whether another emotion can be shown now.
        """
        # A neutral expression does not end: it follows the others.
        ends = until if current is not Expression.NEUTRAL and until is not None and until > now else None
        shown = EmotionBarState(current, ends, can_express)
        changed = shown != self._shown
        if changed and (self._shown is None or shown.until != self._shown.until):
            self._total = 0.0 if shown.until is None else shown.until - now
        self._shown = shown
        if changed:
            for expression, button in self.buttons.items():
                button.configure(
                    style=CHOSEN_STYLE if expression is current else PLAIN_STYLE,
                    state="normal" if can_express else "disabled",
                )
            self.duration.configure(state="normal" if can_express else "disabled")
        self._stop()
        self._show_remaining(None if shown.until is None else shown.until - now)

    # Construction

    def _button(self, expression: Expression) -> ttk.Button:
        theme = self._theme
        face = draw_emoji(expression, theme.px(EMOJI))
        normal, faded = theme.picture(face), theme.picture(_faded(face))
        self._pictures += [normal, faded]
        button = ttk.Button(
            self.frame,
            image=(normal, "disabled", faded),  # type: ignore[arg-type]  # Tk takes pictures by state
            compound=theme.start,
            style=CHOSEN_STYLE,
            command=lambda: self._on_express(expression, self._duration_ms),
        )
        self._name(button, theme.translate(EXPRESSION_WORDS[expression]))
        return button

    def _name(self, button: ttk.Button, words: str) -> None:
        """Set a text next to a picture, with less space than on other buttons: there are many in a row."""
        drawn = self._theme.visual_order(words)
        button.configure(text=f"{drawn} " if self._theme.rtl else f" {drawn}")

    def _choose_duration(self) -> None:
        theme, button = self._theme, self.duration
        lines = [theme.visual_order(duration_words(ms, theme.translate)[1]) for ms in DURATIONS]
        chosen = DURATIONS.index(self._duration_ms)
        if self._menu is not None:
            self._menu.close()
        self._menu = menu = PopupList(
            theme, button, lines, chosen, on_choose=lambda index: self._set_duration(DURATIONS[index])
        )
        x = button.winfo_rootx() - theme.root.winfo_rootx() + (button.winfo_width() if theme.rtl else 0)
        y = button.winfo_rooty() - theme.root.winfo_rooty() + button.winfo_height()
        menu.open(x, y + theme.px(2), above=button.winfo_height() + theme.px(4))

    def _set_duration(self, ms: int) -> None:
        self._duration_ms = ms
        self._name(self.duration, duration_words(ms, self._theme.translate)[0])

    # Layout

    def _lay_out(self, room: int) -> None:
        """Place everything in rows within a width in pixels, without the first label if that saves a row."""
        if room <= 1 or room == self._room:
            return
        self._room = room
        theme = self._theme
        gap, bar = theme.px(GAP), theme.px(BAR)
        height = max(piece.winfo_reqheight() for piece in self._pieces)
        places = flow_positions(self._widths, room, gap)
        without = flow_positions(self._widths[1:], room, gap)
        first = int(without[-1][0] < places[-1][0])
        if first:
            places = without
            self._pieces[0].place_forget()
        for piece, width, (row, x) in zip(self._pieces[first:], self._widths[first:], places, strict=True):
            left = room - x - width if theme.rtl else x
            piece.place(x=left, y=row * (height + bar + gap), width=width, height=height)
        rows = places[-1][0] + 1
        self.frame.configure(height=rows * (height + bar) + (rows - 1) * gap)
        self._place_bar()

    def _max_widths(self) -> list[int]:
        """Return the greatest widths of all parts: chosen, and with the longest duration."""
        widths = [piece.winfo_reqwidth() for piece in self._pieces]
        widths[0] += self._theme.px(GAP + 4)
        return [*widths[:-1], widths[-1] + self._extra_duration_width()]

    def _extra_duration_width(self) -> int:
        """Return how much wider the button can become for another duration."""
        theme = self._theme
        measure = theme.font("body").measure
        wide = [measure(theme.visual_order(duration_words(ms, theme.translate)[0])) for ms in DURATIONS]
        return max(wide) - wide[DURATIONS.index(self._duration_ms)]

    # Remaining time

    def _show_remaining(self, left: float | None) -> None:
        """Show the remaining time of the emotion, in seconds, and keep updating it."""
        self._share = (
            0.0 if left is None else remaining_share(left, self._total, steps=self._theme.reduce_motion)
        )
        self._place_bar()
        if left is not None and self._share > 0 and self._shown is not None and self._shown.can_express:
            self._timer = self.frame.after(STEP_MS, lambda: self._tick(left - STEP_MS / 1000))

    def _tick(self, left: float) -> None:
        self._timer = ""
        self._show_remaining(left)

    def _place_bar(self) -> None:
        """Place the bar below the emotion that is shown, while there is time left."""
        button = None if self._shown is None else self.buttons.get(self._shown.current)
        if button is None or self._share <= 0:
            self._remaining_bar.place_forget()
            return
        info = button.place_info()
        x, y, width, height = (int(str(info[key])) for key in ("x", "y", "width", "height"))
        inset = self._theme.px(4)
        full = width - 2 * inset
        wide = max(1, round(full * self._share))
        start = x + inset + (full - wide if self._theme.rtl else 0)
        self._remaining_bar.place(x=start, y=y + height, width=wide, height=self._theme.px(BAR))

    def _stop(self) -> None:
        if self._timer:
            self.frame.after_cancel(self._timer)
            self._timer = ""


def _faded(face: Image.Image) -> Image.Image:
    """Return a paler face, for a disabled button."""
    pale = face.copy()
    pale.putalpha(face.getchannel("A").point(lambda value: value * 2 // 5))
    return pale
