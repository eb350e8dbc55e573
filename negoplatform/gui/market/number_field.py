"""Field for a number with buttons for less and more, as in the ticket and in the form of a decision."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.widget_bound_callbacks import on_text_change

PAGE_STEP = 10
"""Steps moved by the Page Up and Page Down keys."""

STEP_KEYS = {"Up": 1, "Down": -1, "Prior": PAGE_STEP, "Next": -PAGE_STEP}


class SteppedNumberField:
    """Field and buttons; what is typed is passed on at once and is never changed while it is typed.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        on_typed: Called with the text after each change by the participant.
        on_step: Called with the steps by which the number is to change.
        width: Width of the field in characters.
        after_step: Called after a press of a button, to focus another field than this one.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_typed: Callable[[str], object],
        on_step: Callable[[int], object],
        width: int = 8,
        after_step: Callable[[], object] = lambda: None,
    ) -> None:
        self._on_typed, self._on_step, self._after_step = on_typed, on_step, after_step
        self._is_first_click = False
        self._showing, self._can_edit = False, True
        self.frame = theme.frame(parent)
        self._text = tk.StringVar(theme.root)
        self.less = theme.button(self.frame, "–", "Step.TButton", lambda: self._press(-1))
        self.entry = ttk.Entry(
            self.frame,
            textvariable=self._text,
            width=width,
            justify="center",
            font=theme.font("bold"),
        )
        self.more = theme.button(self.frame, "+", "Step.TButton", lambda: self._press(1))
        for button in (self.less, self.more):
            # The arrow keys do the same, and Tab leads to the next field.
            button.configure(takefocus=0)
        on_text_change(self._text, self.entry, self._typed)
        for key, steps in STEP_KEYS.items():
            self.entry.bind(f"<{key}>", lambda _event, steps=steps: self._step(steps))  # type: ignore[misc]
        # A click into a field without the focus selects its text, as Tab does, unless it selects a part.
        self.entry.bind("<ButtonPress-1>", lambda _event: self._clicked())
        self.entry.bind("<ButtonRelease-1>", lambda _event: self._released())
        # Less and more keep their sides in every language, like the numbers that they step through.
        for widget in (self.less, self.entry, self.more):
            widget.pack(side="left", padx=theme.px(1))

    def show(self, text: str, *, can_edit: bool) -> None:
        """Show a text, and whether it can be changed."""
        self._can_edit = can_edit
        if self._text.get() != text:
            self._showing = True
            self._text.set(text)
            self._showing = False
            self.entry.icursor("end")
            if str(self.entry.tk.call("focus")) == str(self.entry):
                self.select()
        state = "normal" if can_edit else "disabled"
        for widget in (self.less, self.entry, self.more):
            if str(widget.cget("state")) != state:
                widget.configure(state=state)

    def widgets(self, name: str) -> dict[str, tk.Misc]:
        """Return the controls by name."""
        return {name: self.entry, f"{name}.less": self.less, f"{name}.more": self.more}

    def select(self) -> None:
        """Select the text, so that what is typed next takes its place."""
        self.entry.selection_range(0, "end")

    def focus(self) -> None:
        """Focus the field, with its text selected."""
        self.entry.focus_set()
        self.select()

    def _press(self, steps: int) -> None:
        """Step by a button, and focus a field: digits after a click are for the ticket or the form."""
        self.focus()
        self._step(steps)
        self._after_step()

    def _clicked(self) -> None:
        self._is_first_click = str(self.entry.tk.call("focus")) != str(self.entry)

    def _released(self) -> None:
        if self._is_first_click and not self.entry.selection_present():
            self.select()
        self._is_first_click = False

    def _step(self, steps: int) -> str:
        if self._can_edit:
            self._on_step(steps)
        return "break"

    def _typed(self) -> None:
        if not self._showing:
            self._on_typed(self._text.get())
