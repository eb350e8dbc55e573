"""Read-only text that can be selected and copied, and is readable by screen readers."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import bind_scroll_keys
from negoplatform.presentation.bidi import has_rtl
from negoplatform.presentation.transcript.text_metrics import (
    TextMetrics,
    drawable_text,
    is_rtl_text,
    visual_order,
)

END_MARGIN = 30
"""Margin at the end of lines, in pixels at 96 dpi."""

REFILL_MS = 120
"""Milliseconds between the last change of width and rewrapping."""


class SelectableText:
    """Read-only text field whose texts can be selected and copied.

    Tk draws Hebrew from left to right, so its lines are stored in drawing order; copying restores the reading
    order, of whole lines only.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        on_close: Called by the keys in ``closing``.
        closing: Keys that close the text.
        scrolls: Whether to add a scrollbar, shown while the text does not fit.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_close: Callable[[], object],
        closing: Sequence[str] = ("<Escape>",),
        scrolls: bool = True,
    ) -> None:
        self._theme = theme
        self._texts: list[str] = []
        self._source_lines: list[str] = []
        """Reading order of each line; empty for a line that is stored in reading order."""
        self._rtl: list[bool] = []
        self._later = ""
        self._width = 0
        font = theme.font("body")
        self._widths = TextMetrics(font.measure, font.metrics("linespace"))
        self.frame = theme.frame(parent)
        self.text = self._make_text()
        if scrolls:
            self._add_bar()
        self._bind()
        for key in closing:
            self.text.bind(key, _stopping(on_close))

    def show(self, texts: Sequence[str]) -> None:
        """Replace the text, and scroll to its end."""
        self._texts = []
        self._source_lines = []
        self._rtl = []
        self.text.configure(state="normal")
        self.text.delete("1.0", "end")
        self.append(texts)
        self.text.see("end")

    def append(self, texts: Sequence[str]) -> None:
        """Add texts at the end; keep the position if the reader has scrolled up."""
        at_end = self.text.yview()[1] > 0.999
        self._texts += texts
        self.text.configure(state="normal")
        first = len(self._source_lines) + 1
        shown = "\n".join(part for text in texts for part in self._display_lines(text))
        # No line break at the end: it would be an empty line.
        self.text.insert("end", f"\n{shown}" if first > 1 and texts else shown, "line")
        for number, rtl in enumerate(self._rtl[first - 1 :], first):
            if rtl:
                self.text.tag_add("rtl", f"{number}.0", f"{number}.end")
        self.text.configure(state="disabled")
        if at_end:
            self.text.see("end")

    def selected(self) -> str:
        """Return the selection in reading order."""
        if not self.text.tag_ranges("sel"):
            return ""
        first, last = self.text.index("sel.first"), self.text.index("sel.last")
        start, end = int(first.split(".")[0]), int(last.split(".")[0])
        if not any(self._source_lines[start - 1 : end]):
            return self.text.get(first, last)
        parts = []
        for number in range(start, end + 1):
            low = first if number == start else f"{number}.0"
            high = last if number == end else f"{number}.end"
            drawn = self.text.get(low, high)
            read = self._source_lines[number - 1] if number <= len(self._source_lines) else ""
            parts.append(read if read and drawn else drawn)
        return "\n".join(parts)

    def _make_text(self) -> tk.Text:
        theme, px = self._theme, self._theme.px
        self.frame.rowconfigure(0, weight=1)
        self.frame.columnconfigure(theme.column(0, 2), weight=1)
        text = tk.Text(
            self.frame,
            wrap="word",
            state="disabled",
            bg=theme.colours.card,
            fg=theme.colours.ink,
            font=theme.font("body"),
            bd=0,
            padx=px(18),
            pady=px(14),
            spacing3=px(5),
            width=20,
            height=5,
            selectbackground=theme.colours.primary,
            selectforeground=theme.colours.on_primary,
            inactiveselectbackground=theme.colours.primary,
            insertbackground=theme.colours.ink,
            highlightthickness=px(2),
            highlightbackground=theme.colours.card,
            highlightcolor=theme.colours.focus,
            # Tk's Tab skips a disabled text, but this one is for reading.
            takefocus=1,
        )
        # Keeps the text clear of the button in the corner.
        if theme.rtl:
            text.tag_configure("line", lmargin1=px(END_MARGIN), lmargin2=px(END_MARGIN))
        else:
            text.tag_configure("line", rmargin=px(END_MARGIN))
        text.tag_configure("rtl", justify="right")
        text.tag_raise("sel")
        text.grid(row=0, column=theme.column(0, 2), sticky="nsew")
        return text

    def _add_bar(self) -> None:
        bar = ttk.Scrollbar(self.frame, orient="vertical", command=self.text.yview)
        bar.grid(row=0, column=self._theme.column(1, 2), sticky="ns")

        def shown(low: float, high: float) -> None:
            bar.set(low, high)
            # At most one toggle: a text that fits with the bar also fits without it.
            (bar.grid_remove if float(low) <= 0 and float(high) >= 1 else bar.grid)()

        self.text.configure(yscrollcommand=shown)

    def _bind(self) -> None:
        text = self.text
        bind_scroll_keys(text.bind, text.yview_scroll)
        text.bind("<Home>", _stopping(lambda: text.yview_moveto(0)))
        text.bind("<End>", _stopping(lambda: text.yview_moveto(1)))
        for key in ("<Control-a>", "<Control-A>"):
            text.bind(key, _stopping(lambda: text.tag_add("sel", "1.0", "end-1c")))
        for key in ("<Control-c>", "<Control-C>", "<<Copy>>"):
            text.bind(key, _stopping(self._copy))
        # On X11 a click does not focus a disabled text by itself.
        text.bind("<Button-1>", lambda _event: text.focus_set(), add="+")
        # A text widget would keep Tab to itself, and the focus could not move on.
        text.bind("<Tab>", lambda _event: _focus_next(text.tk_focusNext()))
        text.bind("<Shift-Tab>", lambda _event: _focus_next(text.tk_focusPrev()))
        text.bind("<Configure>", self._resized)
        text.bind("<Destroy>", lambda _event: self._cancel_refill())

    def _display_lines(self, text: str) -> list[str]:
        """Return the lines of the field for a text."""
        shown = []
        for part in drawable_text(text).split("\n"):
            if not (self._theme.needs_reordering and has_rtl(part)):
                shown.append(part)
                self._source_lines.append("")
                self._rtl.append(False)
                continue
            rtl = is_rtl_text(part, otherwise=self._theme.rtl)
            # Tk would wrap a line in drawing order at the wrong end.
            for piece in self._widths.wrap(part, max(1, self._room())):
                shown.append(visual_order(piece, rtl=rtl, keeps_runs=self._theme.keeps_runs))
                self._source_lines.append(piece)
                self._rtl.append(rtl)
        return shown

    def _room(self) -> int:
        return (self._width or self._theme.px(400)) - 2 * self._theme.px(20) - self._theme.px(END_MARGIN)

    def _copy(self) -> None:
        chosen = self.selected()
        if chosen:
            self.text.clipboard_clear()
            self.text.clipboard_append(chosen)

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        if event.width == self._width:
            return
        first, self._width = not self._width, event.width
        if any(self._source_lines):
            self._cancel_refill()
            self._later = self.text.after(1 if first else REFILL_MS, self._refill)

    def _refill(self) -> None:
        self._later = ""
        self.show(self._texts)

    def _cancel_refill(self) -> None:
        if self._later:
            self.text.after_cancel(self._later)
            self._later = ""


def _stopping(call: Callable[[], object]) -> Callable[[tk.Event[tk.Misc]], str]:
    """Return a handler that calls a function and stops further handling by Tk."""

    def pressed(_event: tk.Event[tk.Misc]) -> str:
        call()
        return "break"

    return pressed


def _focus_next(widget: tk.Misc | None) -> str:
    if widget is not None:
        widget.focus_set()
    return "break"
