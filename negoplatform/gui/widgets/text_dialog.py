"""Dialog with a text that can be read in full, selected and copied."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialogs import Dialog
from negoplatform.gui.widgets.selectable_text import SelectableText
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer

MIN_LINES, MAX_LINES = 2, 16
"""Minimum and maximum number of visible lines."""

WIDTH = 62
"""Width of the text in characters."""


class TextDialog(Dialog):
    """Dialog with a text to copy.

    Args:
        theme: Theme of the window.
        title: Heading of the dialog.
        intro: Sentence about the text; empty for none.
        texts: Paragraphs of the text.
        announcer: Test announcer for opening and closing.
    """

    def __init__(
        self, theme: Theme, title: str, intro: str, texts: Sequence[str], *, announcer: UiTestAnnouncer
    ) -> None:
        super().__init__(theme, title, announcer=announcer)
        self._announced_text = "\n".join(texts)
        if intro:
            self.add_paragraph(intro, theme.colours.muted)
        self._field = SelectableText(self.body, theme, on_close=self.close)
        rows = sum(1 + len(line) // WIDTH for text in texts for line in text.split("\n"))
        self._field.text.configure(
            width=WIDTH,
            height=min(MAX_LINES, max(MIN_LINES, rows)),
            highlightthickness=theme.px(1),
            highlightbackground=theme.colours.edge,
        )
        self._field.show(texts)
        self._field.text.see("1.0")
        self._field.frame.pack(fill="both", expand=True, pady=(theme.px(8), 0))
        self._close_button = self.add_buttons(
            theme.translate("Copy all"), theme.translate("Close"), "Plain.TButton", self._copy
        )
        announcer.register("dialog.text", self._field.text)

    def initial_focus(self) -> tk.Misc:
        """Return the Close button."""
        return self._close_button

    def _copy(self) -> None:
        self.body.clipboard_clear()
        self.body.clipboard_append(self._announced_text)
        self._announcer.announce("copied", text=self._announced_text)
