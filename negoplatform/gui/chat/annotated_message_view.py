"""Read-only view of a typed message with its parts marked."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.bidi import drawn_text, has_rtl
from negoplatform.presentation.interpretation.interpretation_marks import MarkedSpan, SpanKind

MOST_LINES = 2
"""The greatest number of lines shown."""


class AnnotatedMessageView:
    """A message in quotation marks: terms underlined, ignored text and text against an offer highlighted.

    Args:
        parent: The parent of the view.
        theme: The window's theme.
        spans: The parts of the message.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, spans: Sequence[MarkedSpan]) -> None:
        self._theme = theme
        c = theme.colours
        self.text = tk.Text(
            parent,
            wrap="word",
            width=10,
            height=1,
            font=theme.font("body"),
            bg=c.card,
            fg=c.muted,
            bd=0,
            padx=0,
            pady=0,
            highlightthickness=0,
            takefocus=0,
            cursor="",
            spacing3=theme.px(2),
        )
        # A text field in which the mouse can select would take the focus.
        self.text.bindtags((str(self.text), ".", "all"))
        self.text.tag_configure("all", justify=theme.justify)
        self.text.tag_configure(SpanKind.TERM, foreground=c.primary, underline=True)
        self.text.tag_configure(
            SpanKind.UNREAD, foreground=c.warning, background=c.theirs_soft, underline=True
        )
        self.text.tag_configure(
            SpanKind.AGAINST, foreground=c.danger, background=c.soft, font=theme.font("bold")
        )
        self._write(spans)
        self.text.bind("<Configure>", lambda _event: self.fit())

    def fit(self) -> None:
        """Make the field as high as its text."""
        if self.text.winfo_width() <= 1:
            return
        lines = int(self.text.tk.call(self.text, "count", "-displaylines", "1.0", "end"))
        height = max(1, min(lines, MOST_LINES))
        if int(str(self.text.cget("height"))) != height:
            self.text.configure(height=height)

    def _write(self, spans: Sequence[MarkedSpan]) -> None:
        whole = "".join(span.text for span in spans)
        if self._theme.needs_reordering and has_rtl(whole):
            # Text drawn in another order would not match the marks.
            self.text.insert("end", self._theme.visual_order(f"“{whole}”"), ("all",))
        else:
            self.text.insert("end", "“", ("all",))
            for span in spans:
                self.text.insert("end", drawn_text(span.text), ("all", span.kind.value))
            self.text.insert("end", "”", ("all",))
        self.text.configure(state="disabled")
