"""One number issue in the builder: a field with less and more, its unit, and a way back to undecided."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.domain.issue import NumberIssue
from negoplatform.gui.lifetimes import when_written
from negoplatform.gui.numbers import plain_text, read_number
from negoplatform.gui.theme import MUTED, Theme
from negoplatform.gui.view import NumberRow

PAGE = 10
"""Steps that the page keys go."""

LONGEST_BESIDE = 9
"""Characters of a unit, or of a number, up to which the unit finds room beside the field."""

KEYS = {"Up": 1, "Down": -1, "Prior": PAGE, "Next": -PAGE}


class NumberCells:
    """The field and its buttons.

    Whatever is typed is handed on at once, key by key, so that what stands in the field and the draft are
    never two different things when another button is pressed.

    Args:
        parent: Where it is put.
        theme: Its looks.
        row: What it shows first.
        undecided: The words on the button that leads back to nothing decided.
        on_write: Is given what stands in the field, after every change of it.
        on_step: Is given the steps that a key or a button goes.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        row: NumberRow,
        *,
        undecided: str,
        on_write: Callable[[NumberIssue, str], None],
        on_step: Callable[[NumberIssue, int], None],
    ) -> None:
        self.frame = theme.frame(parent)
        self.frame.columnconfigure(3, weight=1)
        self._row = row
        self._on_write, self._on_step = on_write, on_step
        self._showing = False
        self._can_edit = True
        self._text = tk.StringVar(theme.root)
        self.entry = ttk.Entry(
            self.frame,
            textvariable=self._text,
            width=_width(row.issue),
            justify="center",
            font=theme.font("bold"),
        )
        when_written(self._text, self.entry, self._written)
        for key, steps in KEYS.items():
            self.entry.bind(f"<{key}>", lambda _event, steps=steps: self._step(steps))  # type: ignore[misc]
        for leaving in ("<FocusOut>", "<Return>"):
            self.entry.bind(leaving, lambda _event: self._put(self._row.text))
        self.less, self.more = self._button("–", -1), self._button("+", 1)
        self._worth = theme.label(self.frame, "", "small", MUTED)
        self._worth.configure(wraplength=theme.px(110), justify="left")
        self.undecided = ttk.Button(
            self.frame, text=undecided, style="Toggle.TButton", command=lambda: on_write(row.issue, "")
        )
        self._apart = len(row.unit) > LONGEST_BESIDE or _width(row.issue) > LONGEST_BESIDE
        self._place(theme)
        self.show(row, can_edit=True)

    def show(self, row: NumberRow, can_edit: bool) -> None:
        """Shows the number; what is being typed for the same number is left as it is typed."""
        self._row, self._can_edit = row, can_edit
        if not self._being_typed():
            self._put(row.text)
        at_low, at_high = row.number == row.issue.low, row.number == row.issue.high
        self.entry.configure(state="normal" if can_edit else "disabled")
        self.less.configure(state="normal" if can_edit and not at_low else "disabled")
        self.more.configure(state="normal" if can_edit and not at_high else "disabled")
        self._worth.configure(text=("   " if self._apart else "\n").join(filter(None, (row.unit, row.worth))))
        nothing = not row.text
        self.undecided.configure(
            style="Chosen.Toggle.TButton" if nothing else "Toggle.TButton",
            state="normal" if can_edit else "disabled",
        )

    def widgets(self, issue: str) -> dict[str, tk.Misc]:
        """The controls by name."""
        return {
            issue: self.entry,
            f"{issue}.less": self.less,
            f"{issue}.more": self.more,
            f"{issue}.undecided": self.undecided,
        }

    def _place(self, theme: Theme) -> None:
        self.less.grid(row=0, column=0)
        self.entry.grid(row=0, column=1, padx=theme.px(2))
        self.more.grid(row=0, column=2)
        if self._apart:
            self._worth.configure(wraplength=theme.px(340))
            self._worth.grid(row=1, column=0, columnspan=5, sticky="w", padx=theme.px(6))
        else:
            self._worth.grid(row=0, column=3, sticky="w", padx=theme.px(6))
        self.undecided.grid(row=0, column=4, sticky="e", padx=theme.px(2))

    def _button(self, sign: str, steps: int) -> ttk.Button:
        return ttk.Button(self.frame, text=sign, style="Step.Unit.TButton", command=lambda: self._step(steps))

    def _step(self, steps: int) -> str:
        if self._can_edit:
            self._on_step(self._row.issue, steps)
            self._put(self._row.text)
        return "break"

    def _written(self) -> None:
        if not self._showing:
            self._on_write(self._row.issue, self._text.get())

    def _being_typed(self) -> bool:
        # Asked of Tk itself: focus_get() fails while the list of a combobox has the focus.
        if str(self.frame.tk.call("focus")) != str(self.entry):
            return False
        found = read_number(self._text.get(), self._row.issue)
        return found.number is not None and found.number == self._row.number

    def _put(self, text: str) -> None:
        if self._text.get() != text:
            self._showing = True
            self._text.set(text)
            self._showing = False
            self.entry.icursor("end")


def _width(issue: NumberIssue) -> int:
    """Characters that the longest number needs, within reason."""
    ends = (issue.low, issue.high, *issue.values[1:2], *issue.values[-2:-1])
    return min(14, max(6, *(len(plain_text(end)) + 1 for end in ends)))
