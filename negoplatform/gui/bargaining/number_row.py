"""Builder row of a number issue: a field with buttons for less and more, its unit, and Undecided."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk

from negoplatform.domain.issue import NumberIssue
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.widget_bound_callbacks import on_text_change
from negoplatform.presentation.bargaining.draft_offer import OnDraftChange
from negoplatform.presentation.bargaining.offer_builder_rows import NumberRow
from negoplatform.presentation.issue_number_text import parse_number, plain_number

PAGE_STEP = 10
"""Steps moved by the Page Up and Page Down keys."""

MAX_INLINE_LENGTH = 9
"""Length of a unit, or of a number, up to which the unit fits on the field's line, in characters."""

STEP_KEYS = {"Up": 1, "Down": -1, "Prior": PAGE_STEP, "Next": -PAGE_STEP}


class NumberCells:
    """Field and buttons for a number.

    Each keystroke is passed on at once, so the field and the draft always agree when another button is
    pressed.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        row: Initial contents.
        on_change: Called with an edit of the draft.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, row: NumberRow, *, on_change: OnDraftChange) -> None:
        self.frame = theme.frame(parent)
        self._row, self._on_change = row, on_change
        self._showing = False
        self._can_edit = True
        self._text = tk.StringVar(theme.root)
        self.less = self._button(theme, "–", -1)
        self.entry = ttk.Entry(
            self.frame,
            textvariable=self._text,
            width=_width(row.issue),
            justify="center",
            font=theme.font("bold"),
        )
        on_text_change(self._text, self.entry, self._on_typed)
        for key, steps in STEP_KEYS.items():
            self.entry.bind(f"<{key}>", lambda _event, steps=steps: self._step(steps))  # type: ignore[misc]
        for leaving in ("<FocusOut>", "<Return>"):
            self.entry.bind(leaving, lambda _event: self._set_text(self._row.text))
        self.more = self._button(theme, "+", 1)
        self._apart = len(row.unit) > MAX_INLINE_LENGTH or _width(row.issue) > MAX_INLINE_LENGTH
        self._value_label = theme.label(
            self.frame, "", "small", theme.colours.muted, wrap=340 if self._apart else 96
        )
        self.undecided = theme.button(
            self.frame,
            theme.translate("Undecided"),
            "Toggle.TButton",
            lambda: on_change(lambda draft: draft.write(row.issue, "")),
        )
        self._place(theme)
        self.show(row, can_edit=True)

    def show(self, row: NumberRow, can_edit: bool) -> None:
        """Show the number; leave the field alone while the same number is being typed in another form."""
        self._row, self._can_edit = row, can_edit
        if not self._is_being_typed():
            self._set_text(row.text)
        at_low, at_high = row.number == row.issue.low, row.number == row.issue.high
        _configure_if_changed(self.entry, state="normal" if can_edit else "disabled")
        _configure_if_changed(self.less, state="normal" if can_edit and not at_low else "disabled")
        _configure_if_changed(self.more, state="normal" if can_edit and not at_high else "disabled")
        self._value_label.write(("   " if self._apart else "\n").join(filter(None, (row.unit, row.worth))))
        _configure_if_changed(
            self.undecided,
            style="Toggle.TButton" if row.text else "Chosen.Toggle.TButton",
            state="normal" if can_edit else "disabled",
        )

    def widgets(self, issue: str) -> dict[str, tk.Misc]:
        """Return the controls by name."""
        return {
            issue: self.entry,
            f"{issue}.less": self.less,
            f"{issue}.more": self.more,
            f"{issue}.undecided": self.undecided,
        }

    def _place(self, theme: Theme) -> None:
        # Less and more keep their sides in every language, like the numbers that they step through.
        for column, widget in enumerate((self.less, self.entry, self.more)):
            widget.grid(row=0, column=column + 2 if theme.rtl else column, padx=theme.px(1))
        self.frame.columnconfigure(theme.column(3, 5), weight=1)
        if self._apart:
            self._value_label.grid(row=1, column=0, columnspan=5, sticky=theme.west, padx=theme.px(4))
        else:
            self._value_label.grid(row=0, column=theme.column(3, 5), sticky=theme.west, padx=theme.px(6))
        self.undecided.grid(row=0, column=theme.column(4, 5), sticky=theme.east, padx=theme.px(2))

    def _button(self, theme: Theme, sign: str, steps: int) -> ttk.Button:
        return theme.button(self.frame, sign, "Step.TButton", lambda: self._step(steps))

    def _step(self, steps: int) -> str:
        if self._can_edit:
            issue = self._row.issue
            self._on_change(lambda draft: draft.step(issue, steps))
            self._set_text(self._row.text)
        return "break"

    def _on_typed(self) -> None:
        if not self._showing:
            issue, text = self._row.issue, self._text.get()
            self._on_change(lambda draft: draft.write(issue, text), issue.name)

    def _is_being_typed(self) -> bool:
        # Ask Tk directly: focus_get() fails while the list of a combobox has the focus.
        if str(self.frame.tk.call("focus")) != str(self.entry):
            return False
        found = parse_number(self._text.get(), self._row.issue)
        return found.number is not None and found.number == self._row.number

    def _set_text(self, text: str) -> None:
        if self._text.get() != text:
            self._showing = True
            self._text.set(text)
            self._showing = False
            self.entry.icursor("end")


def _configure_if_changed(widget: ttk.Widget, **wanted: str) -> None:
    """Set only the options that differ: Tk redraws a widget even if nothing changes."""
    fresh = {option: value for option, value in wanted.items() if str(widget.cget(option)) != value}
    if fresh:
        widget.configure(**fresh)


def _width(issue: NumberIssue) -> int:
    """Return the width in characters for the longest number, from 6 to 14."""
    ends = (issue.low, issue.high, *issue.values[1:2], *issue.values[-2:-1])
    return min(14, max(6, *(len(plain_number(end)) + 1 for end in ends)))
