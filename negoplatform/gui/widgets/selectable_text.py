"""Words that can be selected and copied, and read by what reads windows aloud; nothing is written there."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import bind_scroll_keys
from negoplatform.presentation.bidi import has_rtl
from negoplatform.presentation.transcript.text_metrics import (
    TextMetrics,
    clean_text,
    is_rtl_text,
    visual_order,
)

AT_THE_END = 30
"""Room that lines leave at their end, for 96 dpi."""

REFILL_MS = 120
"""So long after the last change of width lines are broken anew."""


class ReadOnlyText:
    """Texts in a field that can be read, selected and copied, and not written in.

    Tk draws Hebrew from left to right, so their lines stand here in drawing order; copied they are in
    reading order again, then always whole.

    Args:
        parent: Where it is put.
        theme: Its looks.
        on_close: Is called by the keys that close it.
        closing: These keys.
        scrolls: Whether there may be more than can be seen at once.
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
        """What each line of the field says in reading order; empty for one that stands so already."""
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
            self.text.bind(key, _stopping_event(on_close))

    def show(self, texts: Sequence[str]) -> None:
        """Shows these texts and no others, the last of them in view."""
        self._texts = []
        self._source_lines = []
        self._rtl = []
        self.text.configure(state="normal")
        self.text.delete("1.0", "end")
        self.append(texts)
        self.text.see("end")

    def append(self, texts: Sequence[str]) -> None:
        """Adds texts at the end; stays where it is if the reader has scrolled up."""
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
        """What is selected, in reading order."""
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
            # Nothing can be written into it, so Tab would pass it by; but it is to be read.
            takefocus=1,
        )
        # Beside the button in the corner.
        if theme.rtl:
            text.tag_configure("line", lmargin1=px(AT_THE_END), lmargin2=px(AT_THE_END))
        else:
            text.tag_configure("line", rmargin=px(AT_THE_END))
        text.tag_configure("rtl", justify="right")
        text.tag_raise("sel")
        text.grid(row=0, column=theme.column(0, 2), sticky="nsew")
        return text

    def _add_bar(self) -> None:
        bar = ttk.Scrollbar(self.frame, orient="vertical", command=self.text.yview)
        bar.grid(row=0, column=self._theme.column(1, 2), sticky="ns")

        def shown(low: float, high: float) -> None:
            bar.set(low, high)
            # It comes and goes once at most: the text that fits beside it fits without it, too.
            (bar.grid_remove if float(low) <= 0 and float(high) >= 1 else bar.grid)()

        self.text.configure(yscrollcommand=shown)

    def _bind(self) -> None:
        text = self.text
        bind_scroll_keys(text.bind, text.yview_scroll)
        text.bind("<Home>", _stopping_event(lambda: text.yview_moveto(0)))
        text.bind("<End>", _stopping_event(lambda: text.yview_moveto(1)))
        for key in ("<Control-a>", "<Control-A>"):
            text.bind(key, _stopping_event(lambda: text.tag_add("sel", "1.0", "end-1c")))
        for key in ("<Control-c>", "<Control-C>", "<<Copy>>"):
            text.bind(key, _stopping_event(self._copy))
        # A click gives a field that cannot be written in no focus by itself on X11.
        text.bind("<Button-1>", lambda _event: text.focus_set(), add="+")
        # A text field keeps Tab for itself; here it must lead on, or the keyboard ends here.
        text.bind("<Tab>", lambda _event: _focus_next(text.tk_focusNext()))
        text.bind("<Shift-Tab>", lambda _event: _focus_next(text.tk_focusPrev()))
        text.bind("<Configure>", self._resized)
        text.bind("<Destroy>", lambda _event: self._cancel_refill())

    def _display_lines(self, text: str) -> list[str]:
        """The lines of the field for a text."""
        shown = []
        for part in clean_text(text).split("\n"):
            if not (self._theme.needs_reordering and has_rtl(part)):
                shown.append(part)
                self._source_lines.append("")
                self._rtl.append(False)
                continue
            rtl = is_rtl_text(part, otherwise=self._theme.rtl)
            # Tk would break a line that is in drawing order at the wrong end.
            for piece in self._widths.wrap(part, max(1, self._room())):
                shown.append(visual_order(piece, rtl=rtl))
                self._source_lines.append(piece)
                self._rtl.append(rtl)
        return shown

    def _room(self) -> int:
        return (self._width or self._theme.px(400)) - 2 * self._theme.px(20) - self._theme.px(AT_THE_END)

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


def _stopping_event(call: Callable[[], object]) -> Callable[[tk.Event[tk.Misc]], str]:
    """What a key does, so that Tk does nothing more about it."""

    def pressed(_event: tk.Event[tk.Misc]) -> str:
        call()
        return "break"

    return pressed


def _focus_next(widget: tk.Misc | None) -> str:
    if widget is not None:
        widget.focus_set()
    return "break"
