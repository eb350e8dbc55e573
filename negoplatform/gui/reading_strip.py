"""The strip above the line for writing: what typed words seem to be meant as, and what to do about it."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Protocol

from negoplatform.gui.caption import Caption
from negoplatform.gui.flow import flow
from negoplatform.gui.reading_view import StripView
from negoplatform.gui.theme import Theme

WIDTH = 480
"""Where its words break before it is known how much room there is, for 96 dpi."""

ENTER, EDIT, BACK = "⏎", "F2", "Esc"
"""The keys that press its buttons while the line for writing has the keyboard."""


class Answers(Protocol):
    """What happens when the participant answers."""

    def yes(self, choice: int, /) -> None:
        """It was meant so; of several meanings this one, 0 for the first."""

    def edit(self) -> None:
        """The terms go into the builder."""

    def only_say(self) -> None:
        """The words are said, and nothing more."""

    def back(self) -> None:
        """Nothing is done."""


class ReadingStrip:
    """Shows a view, or is not there.

    Args:
        parent: Where it is put, on a grid.
        theme: Its looks.
        answers: What its buttons do.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, answers: Answers) -> None:
        self._theme, self._answers = theme, answers
        self._buttons: dict[str, ttk.Button] = {}
        self.view: StripView | None = None
        # An edge of the participant's colour at the starting side, as of what they are about to do.
        self.frame = theme.frame(parent, theme.colours.mine)
        self._inside = theme.frame(self.frame)
        self._inside.pack(fill="both", expand=True, padx=theme.beside(3, 0))
        self._inside.bind("<Configure>", lambda event: self._wrap(event.width))

    @property
    def is_shown(self) -> bool:
        """Whether it is there."""
        return self.view is not None

    def show(self, view: StripView | None) -> None:
        """Shows another view; None: it goes away."""
        if view == self.view:
            return
        before, self.view = self.view, view
        if view is None:
            self._clear()
            self.frame.grid_remove()
        elif before is not None and _shape(before) == _shape(view):
            self._write(view)
        else:
            self._clear()
            line = self._build(view)
            self.frame.grid()
            # By the room that there is, before anything is drawn: else its buttons would jump.
            self.frame.update_idletasks()
            self._wrap(self._inside.winfo_width())
            self._lay_out(line, line.winfo_width())

    def has_keyboard(self) -> bool:
        """Whether the keyboard is with one of its buttons."""
        path = str(self.frame.tk.call("focus"))
        return path.startswith(f"{self.frame}.")

    def widgets(self) -> dict[str, tk.Misc]:
        """Its buttons by name."""
        return {f"reading.{name}": button for name, button in self._buttons.items()}

    def _clear(self) -> None:
        for child in self._inside.winfo_children():
            child.destroy()
        self._buttons = {}

    def _build(self, view: StripView) -> tk.Frame:
        theme, room = self._theme, self._theme.px(10)
        inside = self._inside
        self._heading = theme.label(inside, view.heading, "bold", wrap=WIDTH)
        self._heading.pack(anchor=theme.west, padx=room)
        self._choices = [self._choice(number) for number in range(len(view.choices))]
        self._detail = theme.label(inside, view.detail, "small", theme.colours.muted, wrap=WIDTH)
        self._detail.pack(anchor=theme.west, padx=room, pady=(theme.px(2), 0))
        line = theme.frame(inside)
        line.pack(fill="x", padx=room, pady=(theme.px(6), 0))
        line.bind("<Configure>", lambda event: self._lay_out(line, event.width))
        say = theme.say
        if view.yes:
            style = "Danger.TButton" if view.worse else "Accept.TButton" if view.binds else "Primary.TButton"
            self._button(line, "yes", _with_key(view.yes, ENTER), style, lambda: self._answers.yes(0))
        if view.can_edit:
            words = _with_key(say("Edit in builder"), EDIT)
            self._button(line, "edit", words, "Plain.TButton", self._answers.edit)
        if view.can_only_say:
            self._button(line, "only_say", say("Only say it"), "Plain.TButton", self._answers.only_say)
        words = _with_key(say("Not now") if view.said else say("Back"), BACK)
        self._button(line, "back", words, "Quiet.TButton", self._answers.back)
        self._write(view)
        # Its height has to be about right before its width is known.
        self._lay_out(line, theme.px(WIDTH))
        return line

    def _choice(self, number: int) -> Caption:
        theme = self._theme
        row = theme.frame(self._inside)
        row.pack(fill="x", padx=theme.px(10), pady=(theme.px(4), 0))
        name = f"choice.{number + 1}"
        button = self._button(row, name, str(number + 1), "Plain.TButton", lambda: self._answers.yes(number))
        button.pack(side=theme.start)
        words = theme.label(row, "", wrap=WIDTH)
        words.pack(side=theme.start, padx=theme.px(10))
        return words

    def _button(
        self, parent: tk.Misc, name: str, words: str, style: str, command: Callable[[], None]
    ) -> ttk.Button:
        self._buttons[name] = self._theme.button(parent, words, style, command)
        return self._buttons[name]

    def _lay_out(self, line: tk.Frame, room: int) -> None:
        """Puts the buttons in as many rows as they need: little room is left by large letters."""
        buttons = [child for child in line.winfo_children() if isinstance(child, ttk.Button)]
        widths, gap = [button.winfo_reqwidth() for button in buttons], self._theme.px(6)
        height = max(button.winfo_reqheight() for button in buttons)
        places = flow(widths, room, gap)
        for button, width, (row, x) in zip(buttons, widths, places, strict=True):
            left = room - x - width if self._theme.rtl else x
            button.place(x=left, y=row * (height + gap), width=width, height=height)
        line.configure(height=(places[-1][0] + 1) * (height + gap) - gap)

    def _write(self, view: StripView) -> None:
        self._heading.write(view.heading)
        self._detail.write(view.detail, self._theme.colours.danger if view.worse else "")
        for caption, (words, worth) in zip(self._choices, view.choices, strict=True):
            caption.write(f"{words}  ({worth})")

    def _wrap(self, width: int) -> None:
        """Breaks its words where the room ends."""
        theme = self._theme
        if width <= theme.px(80) or self.view is None:
            return
        for caption in (self._heading, self._detail):
            caption.wrap_to(width - 2 * theme.px(10))
        for caption in self._choices:
            caption.wrap_to(width - theme.px(76))


def _with_key(words: str, key: str) -> str:
    return f"{words}  {key}"


def _shape(view: StripView) -> object:
    """What it is built of; everything else only changes words."""
    return view.yes, len(view.choices), view.can_edit, view.can_only_say, view.binds, view.worse, view.said
