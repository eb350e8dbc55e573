"""A few words about a control, beside it while the pointer or the keyboard rests there."""

from __future__ import annotations

import tkinter as tk

from PIL import ImageTk

from negoplatform.gui.theming.rounded_shapes import rounded
from negoplatform.gui.theming.theme import Theme

REST_MS = 450
"""So long the pointer or the keyboard rests at a control before the words appear."""

GAP, ACROSS, DOWN, RADIUS = 6, 9, 5, 6
"""Room between words and control, within the words' area, and the radius of its corners; for 96 dpi."""


class Tooltip:
    """The words about one control; they go with the pointer and the keyboard, and by any press.

    Args:
        theme: Its looks.
        control: The control.
        words: What is said about it; nothing appears while they are empty.
        above: Whether the words stand above the control rather than below it.
    """

    def __init__(self, theme: Theme, control: tk.Misc, words: str, *, above: bool = False) -> None:
        self._theme, self._control, self._above = theme, control, above
        self.words = words
        self._later = ""
        self._pressed = False
        self._label: tk.Label | None = None
        self._picture: ImageTk.PhotoImage | None = None
        for event in ("<Enter>", "<FocusIn>"):
            control.bind(event, lambda _event: self._schedule(), add="+")
        for event in ("<Leave>", "<FocusOut>", "<Key>", "<Unmap>", "<Destroy>"):
            control.bind(event, lambda _event: self._leave(), add="+")
        control.bind("<ButtonPress>", lambda _event: self._press(), add="+")

    @property
    def is_shown(self) -> bool:
        """Whether the words are there now."""
        return self._label is not None

    def show(self) -> None:
        """Show the words at once."""
        self._stop()
        if self.is_shown or not self.words or not self._control.winfo_viewable():
            return
        theme, c = self._theme, self._theme.colours
        words, font = theme.visual_order(self.words), theme.font("small")
        size = font.measure(words) + 2 * theme.px(ACROSS), font.metrics("linespace") + 2 * theme.px(DOWN)
        self._picture = theme.picture(rounded(size, theme.px(RADIUS), face=c.ink, ground=c.card))
        self._label = tk.Label(
            self._control.winfo_toplevel(),
            image=self._picture,
            text=words,
            compound="center",
            font=font,
            fg=c.card,
            bg=c.card,
            bd=0,
            padx=0,
            pady=0,
        )
        x, y = self._position(*size)
        self._label.place(x=x, y=y)

    def hide(self) -> None:
        """Take the words away."""
        self._stop()
        if self._label is not None:
            self._label.destroy()
            self._label = self._picture = None

    def _position(self, width: int, height: int) -> tuple[int, int]:
        """Below the control, or above it where that is out of the window; within its card if it fits."""
        control, window, gap = self._control, self._control.winfo_toplevel(), self._theme.px(GAP)
        left = control.winfo_rootx() - window.winfo_rootx()
        top = control.winfo_rooty() - window.winfo_rooty()
        x = left + (control.winfo_width() - width) // 2
        y = top + control.winfo_height() + gap
        if self._above or y + height > window.winfo_height():
            y = top - self._theme.px(2 * GAP if self._above else GAP) - height
        around = control.master
        if around is None or around.winfo_width() < width:
            around = window
        first = around.winfo_rootx() - window.winfo_rootx()
        return max(first, min(x, first + around.winfo_width() - width)), y

    def _schedule(self) -> None:
        self._stop()
        if not self._pressed:
            self._later = self._control.after(REST_MS, self.show)

    def _press(self) -> None:
        """Whoever presses the control knows what it is for; the keyboard may come to it by that, too."""
        self._pressed = True
        self.hide()

    def _leave(self) -> None:
        self._pressed = False
        self.hide()

    def _stop(self) -> None:
        if self._later:
            self._control.after_cancel(self._later)
            self._later = ""
