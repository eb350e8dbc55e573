"""Transcript as plain text."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.selectable_text import SelectableText
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry, entry_paragraph


class PlainTextView(SelectableText):
    """Read-only field with the transcript's lines, which can be selected and copied.

    Args:
        parent: The parent of the field.
        theme: The window's theme.
        on_close: Called on Escape and Ctrl+T.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, on_close: Callable[[], object]) -> None:
        super().__init__(parent, theme, on_close=on_close, closing=("<Escape>", "<Control-t>"))

    def write(self, lines: Sequence[TranscriptEntry]) -> None:
        """Replace the text by these lines."""
        self.show(self._paragraphs(lines))

    def add(self, lines: Sequence[TranscriptEntry]) -> None:
        """Append lines."""
        self.append(self._paragraphs(lines))

    def _paragraphs(self, lines: Sequence[TranscriptEntry]) -> list[str]:
        return [entry_paragraph(line, self._theme.translate) for line in lines]
