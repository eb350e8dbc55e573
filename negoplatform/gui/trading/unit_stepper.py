"""Field for a number with buttons for less and more; the arrow keys step as well."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.widget_bound_callbacks import on_text_change

STEP_KEYS = {"Up": 1, "Down": -1, "Prior": 10, "Next": -10}
"""Steps of each key."""


CONTROL, ALT = 0x4, 0x8
"""Bits of an event's state with which a letter is a shortcut."""


class UnitStepper:
    """Field, and buttons that step; what is typed is passed on at each keystroke.

    The buttons are no Tab stops, because the arrow keys do the same in the field.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        width: Width of the field in characters.
        on_typed: Called with the text of the field when the participant has changed it.
        on_step: Called with a number of steps, below 0 for less.
        on_enter: Called when Return is pressed.
        on_words: Called with a letter that is typed, which is no part of a number.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        width: int,
        on_typed: Callable[[str], None],
        on_step: Callable[[int], None],
        on_enter: Callable[[], None],
        on_words: Callable[[str], None],
    ) -> None:
        self.frame = theme.frame(parent)
        self._on_typed, self._on_step = on_typed, on_step
        self._showing = False
        self._shown = ""
        self._text = tk.StringVar(theme.root)
        self.less = theme.button(self.frame, "–", "Step.TButton", lambda: on_step(-1))
        self.entry = ttk.Entry(
            self.frame, textvariable=self._text, width=width, justify="center", font=theme.font("bold")
        )
        self.more = theme.button(self.frame, "+", "Step.TButton", lambda: on_step(1))
        for button in (self.less, self.more):
            button.configure(takefocus=0)
        on_text_change(self._text, self.entry, self._changed)
        for key, steps in STEP_KEYS.items():
            self.entry.bind(f"<{key}>", lambda _event, steps=steps: self._step(steps))  # type: ignore[misc]
        for key in ("Return", "KP_Enter"):
            self.entry.bind(f"<{key}>", lambda _event: self._entered(on_enter))
        self.entry.bind("<KeyPress>", lambda event: self._typed(event, on_words))
        self.entry.bind("<FocusOut>", lambda _event: self._write(self._shown))
        self.entry.bind("<FocusIn>", lambda _event: self.entry.selection_range(0, "end"))
        # Less and more keep their sides in every language, like the numbers that they step through.
        for column, widget in enumerate((self.less, self.entry, self.more)):
            widget.grid(row=0, column=column, padx=theme.px(1))

    def show(self, text: str, *, is_same: bool, can_edit: bool, can_less: bool, can_more: bool) -> None:
        """Show a text.

        Args:
            text: The text.
            is_same: Whether what is typed means the same, so that it stays while the field has the focus.
            can_edit: Whether the participant can change it.
            can_less: Whether a step down is possible.
            can_more: Whether a step up is possible.
        """
        self._shown = text
        if not (is_same and self._has_focus):
            self._write(text)
        for widget, enabled in (
            (self.entry, can_edit),
            (self.less, can_edit and can_less),
            (self.more, can_edit and can_more),
        ):
            state = "normal" if enabled else "disabled"
            if str(widget.cget("state")) != state:
                widget.configure(state=state)

    @property
    def text(self) -> str:
        """Text in the field."""
        return self._text.get()

    @property
    def _has_focus(self) -> bool:
        # Tk is asked itself: focus_get() fails while the list of a combobox has the focus.
        return str(self.frame.tk.call("focus")) == str(self.entry)

    def _write(self, text: str) -> None:
        if self._text.get() != text:
            self._showing = True
            self._text.set(text)
            self._showing = False
            self.entry.icursor("end")

    def _changed(self) -> None:
        if not self._showing:
            self._on_typed(self._text.get())

    def _step(self, steps: int) -> str:
        if str(self.entry.cget("state")) == "normal":
            self._on_step(steps)
        return "break"

    @staticmethod
    def _typed(event: tk.Event[tk.Misc], on_words: Callable[[str], None]) -> str | None:
        shortcut = isinstance(event.state, int) and event.state & (CONTROL | ALT)
        if shortcut or not event.char.isalpha():
            return None
        on_words(event.char)
        return "break"

    def _entered(self, on_enter: Callable[[], None]) -> str:
        on_enter()
        return "break"
