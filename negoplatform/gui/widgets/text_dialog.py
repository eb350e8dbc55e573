"""Words in a small window that can be read to the end, selected and copied."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialogs import Dialog
from negoplatform.gui.widgets.selectable_text import ReadOnlyText
from negoplatform.gui.widgets.test_announcer import UiTestAnnouncer

LINES, MOST_LINES = 2, 16
"""How many lines of the text are seen at once."""

LETTERS = 62
"""How wide the text is."""


class TextDialog(Dialog):
    """Says something that somebody may want to take along.

    Args:
        theme: Its looks.
        title: What it says first.
        intro: A sentence about the text; empty for none.
        texts: The text, paragraph by paragraph.
        announcer: Is told that it opened and closed.
    """

    def __init__(
        self, theme: Theme, title: str, intro: str, texts: Sequence[str], *, announcer: UiTestAnnouncer
    ) -> None:
        super().__init__(theme, title, announcer=announcer)
        self._announced_text = "\n".join(texts)
        if intro:
            self.add_paragraph(intro, theme.colours.muted)
        self._field = ReadOnlyText(self.body, theme, on_close=self.close)
        rows = sum(1 + len(line) // LETTERS for text in texts for line in text.split("\n"))
        self._field.text.configure(
            width=LETTERS,
            height=min(MOST_LINES, max(LINES, rows)),
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
        """What closes it."""
        return self._close_button

    def _copy(self) -> None:
        self.body.clipboard_clear()
        self.body.clipboard_append(self._announced_text)
        self._announcer.announce("copied", text=self._announced_text)
