"""Label for wrapped text in either writing direction."""

from __future__ import annotations

import tkinter as tk
from tkinter import font as tkfont

from negoplatform.presentation.bidi import RIGHT_TO_LEFT, drawn_text, has_rtl, to_visual_order, wrap_lines


class BidiLabel(tk.Label):
    """Label that also shows Hebrew and Arabic correctly where Tk would reverse them.

    Args:
        parent: The parent of the label.
        text: The text, in logical order.
        font: The font.
        colour: The colour of the text.
        ground: The colour behind the text.
        wrap: The width in pixels at which lines break; 0: no wrapping.
        rtl: Whether the window is laid out from right to left.
        reorders: Whether Tk needs each line in visual order.
        keeps_runs: Whether Tk draws each run of right-to-left letters itself.
    """

    def __init__(
        self,
        parent: tk.Misc,
        text: str,
        *,
        font: tkfont.Font,
        colour: str,
        ground: str,
        wrap: int,
        rtl: bool,
        reorders: bool,
        keeps_runs: bool = False,
    ) -> None:
        super().__init__(
            parent, font=font, fg=colour, bg=ground, bd=0, padx=0, pady=0, justify="right" if rtl else "left"
        )
        self._font = font
        self._wrap = wrap
        self._rtl = rtl
        self._reorders = reorders
        self._keeps_runs = keeps_runs
        self.logical_text = ""
        self._set_drawn_text("")
        self.write(text)

    def write(self, text: str, colour: str = "") -> None:
        """Change the text, and the colour if one is given; an unchanged text costs nothing."""
        if colour and self.cget("fg") != colour:
            self.configure(fg=colour)
        if text != self.logical_text:
            self.configure(height=0)  # as high as the text
            self.logical_text = text
            self._set_drawn_text(text)

    def clear_but_keep_room(self) -> None:
        """Remove the text; the label stays as high as it was, so that nothing below it moves."""
        if self.logical_text:
            lines = max(1, round(self.winfo_reqheight() / self._font.metrics("linespace")))
            self.write("")
            self.configure(height=lines)

    def wrap_to(self, width: int) -> None:
        """Wrap lines at another width in pixels."""
        if width != self._wrap:
            self._wrap = width
            self._set_drawn_text(self.logical_text)

    def _set_drawn_text(self, text: str) -> None:
        text = drawn_text(text)
        if not (self._reorders and has_rtl(text)):
            # Without right-to-left letters this only removes the marks, which some fonts draw.
            drawn = to_visual_order(text) if self._reorders else text
            self.configure(text=drawn, wraplength=self._wrap)
            return
        lines = wrap_lines(text, self._wrap, self._font.measure) if self._wrap else text.split("\n")
        # The mark: a line without right-to-left letters belongs to the text around it.
        mark = RIGHT_TO_LEFT if self._rtl else ""
        visual = (to_visual_order(mark + line, rtl=self._rtl, keeps_runs=self._keeps_runs) for line in lines)
        self.configure(text="\n".join(visual), wraplength=0)
