"""Five emotions that the participant can show, and for how long."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from tkinter import ttk

from PIL import Image

from negoplatform.core.action_rules import MAX_DISPLAY_MS
from negoplatform.core.events import Expression
from negoplatform.gui.avatars.face import draw_emoji
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.flow_layout import flow_positions
from negoplatform.gui.widgets.popup import PopupList
from negoplatform.gui.widgets.tooltip import Tooltip
from negoplatform.presentation.formatting import EXPRESSION_WORDS, PARTICIPANTS_EXPRESSIONS
from negoplatform.presentation.i18n import Language

DURATIONS = (2_000, 8_000, MAX_DISPLAY_MS)
"""Milliseconds for which an emotion can be shown; the last, as long as the rules allow, is called staying."""

LAST_SECONDS = 10.0
"""An emotion that is shown for longer is seen to run out only in its last seconds."""

STEP_MS = 100
"""How often the bar under the emotion shrinks."""

EMOJI, GAP, BAR = 18, 1, 3
"""Size of the faces, room between the buttons, height of the bar; for 96 dpi."""

PLAIN_STYLE, CHOSEN_STYLE = "Emotion.Toggle.TButton", "Emotion.Chosen.Toggle.TButton"
"""Narrower than other buttons; the chosen emotion is marked by heavier words too, not by colour alone."""


@dataclass(frozen=True, slots=True)
class EmotionBarState:
    """What the others see of the participant now: an emotion, until when, and whether it can be changed."""

    current: Expression
    until: float | None
    can_express: bool


def duration_words(ms: int, translate: Language) -> tuple[str, str]:
    """A duration on the button, and in the list that it opens."""
    if ms == MAX_DISPLAY_MS:
        return translate("stays"), translate("Show it until I change it")
    seconds = ms // 1000
    return translate("{n} s", n=seconds), translate.plural(
        "Show it for {n} second", "Show it for {n} seconds", seconds
    )


def remaining_share(left: float, total: float, *, steps: bool) -> float:
    """How much of the bar is still there, 0 to 1; in steps of whole seconds where nothing may move."""
    total = min(total, LAST_SECONDS)
    if left <= 0 or total <= 0:
        return 0.0
    return min(1.0, ceil(left) / ceil(total) if steps else left / total)


class EmotionBar:
    """A button per emotion, a face and its word, and a choice of how long it is shown.

    Args:
        parent: Where it is put; it takes the width that it is given, and as many rows as it needs.
        theme: Its looks.
        on_express: Is given the emotion that was pressed, and for how many milliseconds it is shown.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, *, on_express: Callable[[Expression, int], None]
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
        Tooltip(theme, self.duration, theme.translate("How long the other side sees your face"), above=True)
        self._pieces: list[tk.Label | ttk.Button] = [words, *self.buttons.values(), self.duration]
        self._remaining_bar = tk.Frame(self.frame, bg=theme.colours.mine, bd=0)
        self._set_duration(self._duration_ms)
        self._room = 0
        # Measured once, while all are chosen: what follows must not move when another one is.
        self._widths = self._max_widths()
        self._lay_out(sum(self._widths) + (len(self._pieces) - 1) * theme.px(GAP))
        self.frame.configure(width=self._room)
        self.frame.bind("<Configure>", lambda event: self._lay_out(event.width))
        self.frame.bind("<Destroy>", lambda _event: self._stop())

    def show(self, current: Expression, until: float | None, now: float, can_express: bool) -> None:
        """Marks the emotion that the others see.

        Args:
            current: The emotion.
            until: The session time (s) until which it is shown; None: nothing runs out.
            now: The session time.
            can_express: Whether another one can be shown now.
        """
        # What is neutral does not run out: it is what comes after.
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

    # What it is made of

    def _button(self, expression: Expression) -> ttk.Button:
        theme = self._theme
        face = draw_emoji(expression, theme.px(EMOJI))
        normal, faded = theme.picture(face), theme.picture(_faded(face))
        self._pictures += [normal, faded]
        button = ttk.Button(
            self.frame,
            image=(normal, "disabled", faded),  # type: ignore[arg-type]  # Tk takes a list of pictures by state
            compound=theme.start,
            style=CHOSEN_STYLE,
            command=lambda: self._on_express(expression, self._duration_ms),
        )
        self._name(button, theme.translate(EXPRESSION_WORDS[expression]))
        return button

    def _name(self, button: ttk.Button, words: str) -> None:
        """Words beside a picture, closer than on other buttons: there are many in a row."""
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

    # Where it all goes

    def _lay_out(self, room: int) -> None:
        """Puts everything in rows within a width in pixels, without the first words where that saves one."""
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
        """How wide everything is at its widest: chosen, and with the longest word for a duration."""
        widths = [piece.winfo_reqwidth() for piece in self._pieces]
        widths[0] += self._theme.px(GAP + 4)
        return [*widths[:-1], widths[-1] + self._extra_duration_width()]

    def _extra_duration_width(self) -> int:
        """How much wider the choice of the duration can become than it is."""
        theme = self._theme
        measure = theme.font("body").measure
        wide = [measure(theme.visual_order(duration_words(ms, theme.translate)[0])) for ms in DURATIONS]
        return max(wide) - wide[DURATIONS.index(self._duration_ms)]

    # How much time is left

    def _show_remaining(self, left: float | None) -> None:
        """Shows how long the emotion is still seen, in seconds, and goes on by itself."""
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
        """Puts the bar below the emotion that is shown, as long as there is time left."""
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
    """A face that cannot be pressed."""
    pale = face.copy()
    pale.putalpha(face.getchannel("A").point(lambda value: value * 2 // 5))
    return pale
