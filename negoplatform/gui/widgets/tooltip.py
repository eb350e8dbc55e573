"""Tooltip: a short text at a control, shown while the pointer or the focus rests there."""

from __future__ import annotations

import tkinter as tk

from PIL import ImageTk

from negoplatform.gui.theming.rounded_shapes import rounded
from negoplatform.gui.theming.theme import Theme

REST_MS = 450
"""Milliseconds of rest at a control before its tooltip appears."""

GAP, ACROSS, DOWN, RADIUS = 6, 9, 5, 6
"""Distance to the control, horizontal and vertical padding, and corner radius, in pixels at 96 dpi."""


class Tooltip:
    """Tooltip of one control, hidden when the pointer or the focus leaves and by any press.

    Args:
        theme: Theme of the window.
        control: Control with the tooltip.
        words: Text; no tooltip while it is empty.
        above: Whether to show the tooltip above the control instead of below.
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
        """Whether the tooltip is visible."""
        return self._label is not None

    def show(self) -> None:
        """Show the tooltip at once."""
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
        """Hide the tooltip."""
        self._stop()
        if self._label is not None:
            self._label.destroy()
            self._label = self._picture = None

    def _position(self, width: int, height: int) -> tuple[int, int]:
        """Return the position below the control, or above if there is no room; within its card if it fits."""
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
        """Hide the tooltip until the pointer or focus leaves: after a press no hint is needed."""
        self._pressed = True
        self.hide()

    def _leave(self) -> None:
        self._pressed = False
        self.hide()

    def _stop(self) -> None:
        if self._later:
            self._control.after_cancel(self._later)
            self._later = ""
