"""Dialog with which a participant asks the experimenter a question."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialogs import Dialog
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer

LONGEST = 2000
"""Greatest number of characters of a question."""


class HelpDialog(Dialog):
    """Dialog with a field for a question, which may stay empty.

    Args:
        theme: Theme of the window.
        announcer: Test announcer for opening and closing.
        on_ask: Called with the question.
    """

    def __init__(self, theme: Theme, *, announcer: UiTestAnnouncer, on_ask: Callable[[str], None]) -> None:
        translate = theme.translate
        super().__init__(theme, translate("I have a question"), announcer=announcer)
        self._on_ask = on_ask
        self.add_paragraph(
            translate("The experimenter will be called. If you like, write what your question is about."),
            theme.colours.muted,
        )
        self._field = ttk.Entry(self.body, font=theme.font("body"), justify=theme.justify)
        self._field.pack(fill="x", pady=theme.px(6))
        self._field.bind("<Return>", lambda _event: self._ask())
        self.add_buttons(
            translate("Call the experimenter"), translate("Cancel"), "Primary.TButton", self._ask
        )
        announcer.register("question", self._field)

    def initial_focus(self) -> tk.Misc:
        """Return the field for the question."""
        return self._field

    def _ask(self) -> None:
        question = self._field.get().strip()[:LONGEST]
        self.close()
        self._on_ask(question)
