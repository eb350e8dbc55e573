"""The transcript as nothing but text."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.selectable_text import ReadOnlyText
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry, entry_paragraph


class TranscriptText(ReadOnlyText):
    """Lines in a field that can be read, selected and copied.

    Args:
        parent: Where it is put.
        theme: Its looks.
        on_close: Is called by Escape and Ctrl+T.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, on_close: Callable[[], object]) -> None:
        super().__init__(parent, theme, on_close=on_close, closing=("<Escape>", "<Control-t>"))

    def write(self, lines: Sequence[TranscriptEntry]) -> None:
        """Shows these lines and no others."""
        self.show(self._paragraphs(lines))

    def add(self, lines: Sequence[TranscriptEntry]) -> None:
        """Adds lines at the end."""
        self.append(self._paragraphs(lines))

    def _paragraphs(self, lines: Sequence[TranscriptEntry]) -> list[str]:
        return [entry_paragraph(line, self._theme.translate) for line in lines]
