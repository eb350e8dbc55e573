"""List of canned lines with a filter; choosing a line puts it into the message field."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.gui.theming.theme import FIELD_FONT, Theme
from negoplatform.gui.widgets.scrolled_frame import disable_wheel
from negoplatform.gui.widgets.widget_bound_callbacks import on_text_change
from negoplatform.presentation.chat.phrases import PhrasesView
from negoplatform.presentation.transcript.text_metrics import TextMetrics
from negoplatform.presentation.wizard.canned_lines import (
    canned_lines,
    filtered_lines,
    line_sources,
    source_name,
)

ROWS = 7
"""Lines of the list that are shown at once."""


class CannedLinesList:
    """Choice of a source, a filter and the lines.

    Args:
        parent: The parent of the list.
        theme: The window's theme.
        width: The width of the list, for 96 dpi.
        on_choose: Called with a line that was pressed.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, *, width: float, on_choose: Callable[[str], None]
    ) -> None:
        px, c, translate = theme.px, theme.colours, theme.translate
        self._theme, self._on_choose, self._room = theme, on_choose, px(width - 28)
        self._phrases: PhrasesView | None = None
        self._lines: tuple[str, ...] = ()
        self._listed: object = None
        self._is_enabled = True
        font = theme.font("small")
        self._metrics = TextMetrics(font.measure, font.metrics("linespace"))
        self._sources = line_sources(translate.code)
        self.frame = theme.frame(parent)
        theme.label(self.frame, translate("Canned lines"), "bold").pack(anchor=theme.west)
        hint = translate("Choose a line to put it into the message field; it is not sent yet.")
        theme.label(self.frame, hint, "small", c.muted, wrap=width).pack(anchor=theme.west)
        self.source = ttk.Combobox(
            self.frame,
            values=[theme.visual_order(source_name(source, translate)) for source in self._sources],
            state="readonly",
            font=theme.font("body"),
            justify=theme.justify,
        )
        self.source.current(0)
        self.source.bind("<<ComboboxSelected>>", lambda _event: self._choose_source(), add="+")
        disable_wheel(self.source)
        self.source.pack(fill="x", pady=(px(4), 0))
        line = theme.frame(self.frame)
        line.pack(fill="x", pady=(px(4), 0))
        theme.label(line, translate("Filter"), "small", c.muted).pack(side=theme.start)
        self._wanted = tk.StringVar(theme.root)
        self.filter = ttk.Entry(
            line, font=theme.font(FIELD_FONT), textvariable=self._wanted, justify=theme.justify
        )
        self.filter.pack(side=theme.start, fill="x", expand=True, padx=theme.padx(6, 0))
        on_text_change(self._wanted, self.filter, self._fill)
        self.list = self._make_list()

    def show(self, phrases: PhrasesView | None, *, can_choose: bool) -> None:
        """Show the phrases of the window, and whether a line can be chosen."""
        if can_choose != self._is_enabled:
            self._is_enabled = can_choose
            self.list.configure(state="normal" if can_choose else "disabled")
        if phrases != self._phrases:
            self._phrases = phrases
            self._fill()

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by their names in UI tests."""
        return {"lines.source": self.source, "lines.filter": self.filter, "lines.list": self.list}

    def _make_list(self) -> tk.Listbox:
        theme, c, px = self._theme, self._theme.colours, self._theme.px
        place = theme.frame(self.frame)
        place.pack(fill="x", pady=(px(4), 0))
        bar = ttk.Scrollbar(place, orient="vertical")
        made = tk.Listbox(
            place,
            height=ROWS,
            width=10,
            font=theme.font("small"),
            bg=c.card,
            fg=c.ink,
            disabledforeground=c.muted,
            bd=0,
            relief="flat",
            highlightthickness=max(1, px(1)),
            highlightbackground=c.edge,
            highlightcolor=c.focus,
            selectbackground=c.primary,
            selectforeground=c.on_primary,
            selectmode="browse",
            activestyle="dotbox",
            exportselection=False,
            justify=theme.justify,
            yscrollcommand=bar.set,
        )
        bar.configure(command=made.yview)
        made.pack(side=theme.start, fill="both", expand=True)
        bar.pack(side=theme.end, fill="y")
        made.bind("<ButtonRelease-1>", lambda event: self._press(event.y))
        for key in ("Return", "KP_Enter", "space"):
            made.bind(f"<{key}>", lambda _event: self._choose_active())
        return made

    def _choose_source(self) -> None:
        self.source.selection_clear()
        self._fill()

    def _fill(self) -> None:
        """List the lines of the source that the filter finds."""
        source = self._sources[max(0, self.source.current())]
        lines = canned_lines(source, self._phrases, self._theme.translate.code)
        self._lines = filtered_lines(lines, self._wanted.get())
        if self._lines == self._listed:
            return
        self._listed = self._lines
        self.list.configure(state="normal")
        self.list.delete(0, "end")
        self.list.insert("end", *(self._drawn(line) for line in self._lines))
        self.list.configure(state="normal" if self._is_enabled else "disabled")

    def _drawn(self, line: str) -> str:
        return self._theme.visual_order(self._metrics.shorten(line, self._room))

    def _press(self, y: int) -> None:
        index = int(self.list.tk.call(self.list, "nearest", y))
        box = self.list.bbox(index) if index >= 0 else None
        if box is not None and box[1] <= y <= box[1] + box[3]:
            self._choose(index)

    def _choose_active(self) -> str:
        self._choose(int(self.list.index("active")))
        return "break"

    def _choose(self, index: int) -> None:
        if self._is_enabled and 0 <= index < len(self._lines):
            self._on_choose(self._lines[index])
