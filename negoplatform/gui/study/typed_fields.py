"""Fields for numbers and texts that are typed."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from tkinter import ttk
from typing import Any

from negoplatform.gui.study.item_field import FieldParts
from negoplatform.gui.study.option_cells import OWN_KEYS_TAG
from negoplatform.gui.theming.theme import FIELD_FONT
from negoplatform.gui.widgets.widget_bound_callbacks import on_text_change
from negoplatform.presentation.study.form_items import number_from

NUMBER_WIDTH = 12
"""Width of a number's field in characters."""

TEXT_WIDTH = 420
"""Maximum width of a field of one line, for 96 dpi."""


class _EntryField:
    """Field of one line."""

    def __init__(self, parent: tk.Misc, parts: FieldParts, *, width: int) -> None:
        theme = parts.theme
        self._theme, self._parts, self._name = theme, parts, parts.item.id
        self.frame = theme.frame(parent)
        self._text = tk.StringVar(theme.root)
        self._entry = ttk.Entry(
            self.frame,
            textvariable=self._text,
            font=theme.font(FIELD_FONT),
            width=width,
            justify=theme.justify,
        )
        self._entry.pack(side=theme.start)
        self._is_filling = False
        on_text_change(self._text, self._entry, self._typed)
        for key in ("Return", "KP_Enter"):
            self._entry.bind(f"<{key}>", parts.on_enter)
        parts.register(self._name, self._entry)

    def focus(self, _name: str) -> None:
        """Give the keyboard focus to the field."""
        self._entry.focus_set()

    def mark(self, names: frozenset[str]) -> None:
        """Do nothing: the sentence above the field is the mark."""

    def wrap_to(self, width: int) -> None:
        """Do nothing: the field is narrower than any width."""

    def _write(self, text: str) -> None:
        self._is_filling = True
        self._text.set(text)
        self._is_filling = False

    def _typed(self) -> None:
        if not self._is_filling:
            self._parts.on_change(self._name)


class NumberField(_EntryField):
    """Field for a number, with its unit.

    Args:
        parent: Parent widget.
        parts: Collaborators of the field.
    """

    def __init__(self, parent: tk.Misc, parts: FieldParts) -> None:
        super().__init__(parent, parts, width=NUMBER_WIDTH)
        theme = parts.theme
        if parts.item.unit:
            unit = theme.label(self.frame, parts.item.unit, "body", theme.colours.muted)
            unit.pack(side=theme.start, padx=theme.padx(8, 0))

    def values(self) -> Mapping[str, Any]:
        """Return the number, the text if it is not a number, or None if the field is empty."""
        return {self._name: number_from(self._text.get())}

    def fill(self, values: Mapping[str, Any]) -> None:
        """Show an answer that was given before."""
        value = values.get(self._name)
        is_number = isinstance(value, int | float)
        text = self._theme.translate.localize_number(str(value)) if is_number else str(value or "")
        self._write(text)


class LineField(_EntryField):
    """Field for a text of one line.

    Args:
        parent: Parent widget.
        parts: Collaborators of the field.
    """

    def __init__(self, parent: tk.Misc, parts: FieldParts) -> None:
        super().__init__(parent, parts, width=10)
        self.frame.pack_propagate(False)
        self._entry.pack_configure(fill="x", expand=True)
        self.frame.configure(height=self._entry.winfo_reqheight())

    def wrap_to(self, width: int) -> None:
        """Fit the field into a width in pixels."""
        self.frame.configure(width=min(width, self._theme.px(TEXT_WIDTH)))

    def values(self) -> Mapping[str, Any]:
        """Return the text without spaces at its ends; None if there is none."""
        return {self._name: self._text.get().strip() or None}

    def fill(self, values: Mapping[str, Any]) -> None:
        """Show an answer that was given before."""
        value = values.get(self._name)
        self._write(value if isinstance(value, str) else "")


class ParagraphField:
    """Field for a text of several lines, in which Enter breaks the line.

    Args:
        parent: Parent widget.
        parts: Collaborators of the field.
    """

    def __init__(self, parent: tk.Misc, parts: FieldParts) -> None:
        theme, c, px = parts.theme, parts.theme.colours, parts.theme.px
        self._theme, self._parts, self._name = theme, parts, parts.item.id
        self.frame = theme.frame(parent)
        ground = ttk.Frame(self.frame, style="Line.TFrame", padding=(px(10), px(7)))
        ground.pack(fill="x", expand=True)
        self._text = tk.Text(
            ground,
            wrap="word",
            undo=True,
            width=10,
            height=parts.item.lines,
            font=theme.font(FIELD_FONT),
            bg=c.card,
            fg=c.ink,
            bd=0,
            padx=0,
            pady=0,
            highlightthickness=0,
            insertbackground=c.ink,
            insertwidth=max(2, px(1.5)),
            selectbackground=c.primary,
            selectforeground=c.on_primary,
            takefocus=1,
        )
        bar = ttk.Scrollbar(ground, orient="vertical", command=self._text.yview)
        self._text.configure(yscrollcommand=bar.set)
        self._text.pack(side=theme.start, fill="both", expand=True)
        if parts.item.lines > 1:
            bar.pack(side=theme.end, fill="y")
        self._text.bind("<FocusIn>", lambda _event: ground.state(["focus"]))
        self._text.bind("<FocusOut>", lambda _event: ground.state(["!focus"]))
        self._text.bind("<Tab>", lambda _event: self._move_on(self._text.tk_focusNext()))
        self._text.bind("<Shift-Tab>", lambda _event: self._move_on(self._text.tk_focusPrev()))
        if theme.root.tk.call("tk", "windowingsystem") == "x11":
            self._text.bind("<ISO_Left_Tab>", lambda _event: self._move_on(self._text.tk_focusPrev()))
        # The area around it scrolls with these keys, but here they move the cursor.
        self._text.bindtags((*self._text.bindtags(), OWN_KEYS_TAG))
        for key, step in (("Up", -1), ("Down", 1)):
            self._text.bind(f"<{key}>", lambda _event, step=step: self._move_cursor(step))  # type: ignore[misc]
        self._text.bind("<<Modified>>", lambda _event: self._modified())
        self._last = ""
        if theme.rtl:
            self._text.tag_configure("side", justify="right")
        parts.register(self._name, self._text)

    def values(self) -> Mapping[str, Any]:
        """Return the text without spaces and line breaks at its ends; None if there is none."""
        return {self._name: self._text.get("1.0", "end").strip() or None}

    def fill(self, values: Mapping[str, Any]) -> None:
        """Show an answer that was given before."""
        value = values.get(self._name)
        self._text.delete("1.0", "end")
        self._text.insert("1.0", value if isinstance(value, str) else "")
        self._text.edit_reset()
        self._last = self._text.get("1.0", "end-1c")
        self._align()

    def focus(self, _name: str) -> None:
        """Give the keyboard focus to the field."""
        self._text.focus_set()

    def mark(self, names: frozenset[str]) -> None:
        """Do nothing: the sentence above the field is the mark."""

    def wrap_to(self, width: int) -> None:
        """Fit the field into a width in pixels."""
        self.frame.configure(width=width)

    def _modified(self) -> None:
        self._text.edit_modified(False)
        text = self._text.get("1.0", "end-1c")
        if text != self._last:
            self._last = text
            self._align()
            self._parts.on_change(self._name)

    def _align(self) -> None:
        """Justify the text to its starting side; tags do not extend to text inserted behind them."""
        if self._theme.rtl:
            self._text.tag_add("side", "1.0", "end")

    def _move_on(self, widget: tk.Misc | None) -> str:
        if widget is not None:
            widget.focus_set()
        return "break"

    def _move_cursor(self, lines: int) -> str:
        text = self._text
        text.tk.call("tk::TextSetCursor", text, text.tk.call("tk::TextUpDownLine", text, lines))
        return "break"
