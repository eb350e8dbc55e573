"""The line for writing: a field that wraps, grows with its words and takes line breaks."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.garbage_collection import bind_tag

MOST_LINES = 4
"""The field grows up to so many lines; with more of them it scrolls."""


class MessageEntry:
    """A text field as high as its words.

    Shift+Enter breaks the line; what Enter does is its owner's to say. Ctrl+Z takes back what was written, or
    calls ``on_undo`` while nothing is written.

    Args:
        parent: Where it is put.
        theme: Its looks.
        on_change: Is called after every change of the words, before the next key is looked at.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, on_change: Callable[[], object]) -> None:
        self._theme = theme
        self._on_change = on_change
        self._last_content = ""
        self._hinted = ""
        self._rows = 1
        self.on_undo: Callable[[], object] = lambda: None
        self.on_redo: Callable[[], object] = lambda: None
        px = theme.px
        self.frame = ttk.Frame(parent, style="Line.TFrame", padding=(px(12), px(7)))
        self.frame.columnconfigure(theme.column(0, 2), weight=1)
        self.text = self._make_text()
        self.text.grid(row=0, column=theme.column(0, 2), sticky="nsew")
        self._bar = ttk.Scrollbar(self.frame, orient="vertical", command=self.text.yview)
        self.text.configure(yscrollcommand=self._bar.set)
        self._hint = theme.label(self.frame, "", "body", theme.colours.muted)
        self._hint.configure(anchor=theme.west, cursor="xterm")
        self._hint.bind("<Button-1>", lambda _event: self.focus_input())
        self._bind()
        self._align()

    @property
    def content(self) -> str:
        """What is written, without line breaks at its ends."""
        return self.text.get("1.0", "end-1c").strip("\n")

    @property
    def enabled(self) -> bool:
        """Whether something can be written."""
        return str(self.text.cget("state")) == "normal"

    def write(self, words: str) -> None:
        """Replace everything that is written; Ctrl+Z does not bring it back."""
        enabled = self.enabled
        self.text.configure(state="normal")
        self.text.delete("1.0", "end")
        self.text.insert("1.0", words)
        self.text.edit_reset()
        self.text.mark_set("insert", "end-1c")
        self.text.configure(state="normal" if enabled else "disabled")
        self.check_for_change()

    def type(self, char: str) -> None:
        """Write a character at the cursor, as if its key had been pressed here."""
        if not self.enabled:
            return
        self.focus_input()
        self.text.tk.call("tk::TextInsert", self.text, char)
        self.check_for_change()

    def erase(self) -> None:
        """Erase what is selected, or the character before the cursor."""
        if not self.enabled:
            return
        self.focus_input()
        if self.text.tag_ranges("sel"):
            self.text.delete("sel.first", "sel.last")
        elif self.text.compare("insert", ">", "1.0"):
            self.text.delete("insert-1c")
        self.check_for_change()

    def paste(self) -> None:
        """Write what the clipboard holds in place of what is selected; line breaks are kept."""
        if not self.enabled:
            return
        self.focus_input()
        try:
            pasted = self.text.clipboard_get()
        except tk.TclError:  # it is empty, or holds no text
            return
        self.text.configure(autoseparators=False)
        self.text.edit_separator()
        if self.text.tag_ranges("sel"):
            self.text.delete("sel.first", "sel.last")
        self.text.insert("insert", "\n".join(pasted.splitlines()))
        self.text.edit_separator()
        self.text.configure(autoseparators=True)
        self.text.see("insert")
        self.check_for_change()

    def undo(self) -> None:
        """Take back one step of what was written, or of what ``on_undo`` does."""
        if self.content:
            self._undo_step("undo")
        else:
            self.on_undo()

    def redo(self) -> None:
        """Repeat what was taken back last, of what was written first."""
        if self.text.tk.getboolean(self.text.tk.call(self.text, "edit", "canredo")):
            self._undo_step("redo")
        else:
            self.on_redo()

    def focus_input(self) -> None:
        """Give the keyboard to it; cursor and selection stay where they were."""
        self.text.focus_set()

    def enable(self, can_write: bool) -> None:
        """Set whether something can be written."""
        if can_write != self.enabled:
            c = self._theme.colours
            self.text.configure(
                state="normal" if can_write else "disabled",
                bg=c.card if can_write else c.off,
                fg=c.ink if can_write else c.on_off,
            )
            self.frame.state(["!disabled" if can_write else "disabled"])

    def show_hint(self, hint: str) -> None:
        """Show a hint for as long as nothing is written; none if it is empty."""
        self._hinted = hint
        self._place_hint()

    def check_for_change(self) -> None:
        """Notice a change of the words."""
        self.text.edit_modified(False)
        words = self.text.get("1.0", "end-1c")
        if words == self._last_content:
            return
        self._last_content = words
        self._align()
        self._grow()
        self._place_hint()
        self._on_change()

    def _make_text(self) -> tk.Text:
        theme, c = self._theme, self._theme.colours
        return tk.Text(
            self.frame,
            wrap="word",
            width=10,
            height=1,
            undo=True,
            font=theme.font("body"),
            bg=c.card,
            fg=c.ink,
            bd=0,
            padx=0,
            pady=0,
            highlightthickness=0,
            insertbackground=c.ink,
            insertwidth=max(2, theme.px(1.5)),
            selectbackground=c.primary,
            selectforeground=c.on_primary,
            selectborderwidth=0,
            takefocus=1,
        )

    def _bind(self) -> None:
        text = self.text
        text.bind("<FocusIn>", lambda _event: self.frame.state(["focus"]))
        text.bind("<FocusOut>", lambda _event: self.frame.state(["!focus"]))
        self.frame.bind("<Button-1>", lambda _event: self.focus_input())
        text.bind("<Configure>", lambda _event: self._resized())
        # A text field keeps Tab for itself, and writes a line break for Enter.
        text.bind("<Tab>", self._focus_next)
        for key in ("Return", "KP_Enter"):
            text.bind(f"<Shift-{key}>", lambda _event: self._do(lambda: self.type("\n")))
        # By itself the field would mark the end of its last row too, and copy it as a line break.
        text.bind("<<SelectAll>>", lambda _event: self._do(lambda: text.tag_add("sel", "1.0", "end-1c")))
        text.bind("<<Paste>>", lambda _event: self._do(self.paste))
        for key in ("z", "Z", "y", "Y"):
            text.bind(f"<Control-{key}>", self._undo_or_redo)
        text.bind("<<Modified>>", lambda _event: self.check_for_change())
        # Between the field's own bindings and the window's: <<Modified>> alone comes after keys that wait.
        after = f"Written{text}"
        text.bindtags((str(text), "Text", after, *text.bindtags()[2:]))
        bind_tag(text, after, "<Key>", lambda _event: self.check_for_change())
        bind_tag(text, after, "<space>", lambda _event: self._end_word())

    def _focus_next(self, _event: object) -> str:
        following = self.text.tk_focusNext()
        if following is not None:
            following.focus_set()
        return "break"

    def _undo_or_redo(self, event: tk.Event[tk.Misc]) -> str:
        shifted = int(event.state) & 0x1
        (self.redo if shifted or event.keysym in "yY" else self.undo)()
        return "break"

    def _end_word(self) -> None:
        """Let Ctrl+Z take back words one by one; Tk would take back everything since the last deletion."""
        self.text.edit_separator()
        self.check_for_change()

    def _do(self, act: Callable[[], None]) -> str:
        act()
        return "break"

    def _undo_step(self, way: str) -> None:
        try:
            self.text.tk.call(self.text, "edit", way)
        except tk.TclError:  # there is nothing to take back
            return
        self.text.see("insert")
        self.check_for_change()

    def _align(self) -> None:
        """Set words to the side where reading starts; tags do not reach what is written behind them."""
        if self._theme.rtl:
            self.text.tag_configure("side", justify="right")
            self.text.tag_add("side", "1.0", "end")

    def _resized(self) -> None:
        self._grow()
        self._place_hint()

    def _grow(self) -> None:
        """Make the field as high as its words."""
        if self.text.winfo_width() <= 1:
            return
        lines = int(self.text.tk.call(self.text, "count", "-displaylines", "1.0", "end"))
        rows = max(1, min(lines, MOST_LINES))
        if lines > MOST_LINES and not self._bar.winfo_manager():
            self._bar.grid(row=0, column=self._theme.column(1, 2), sticky="ns")
        elif lines <= MOST_LINES and self._bar.winfo_manager():
            self._bar.grid_remove()
        if rows != self._rows:
            self._rows = rows
            self.text.configure(height=rows)
        if lines <= MOST_LINES:
            self.text.yview_moveto(0)

    def _place_hint(self) -> None:
        """Show the hint over the empty field: in it, it would be sent, kept and given back like words."""
        # Beside the cursor, which blinks where words will begin.
        gap = self._theme.px(3)
        self._hint.write(self._shortened(self._hinted, self.text.winfo_width() - 2 * gap))
        wanted = bool(self._hinted) and not self._last_content
        if wanted and not self._hint.winfo_manager():
            self._hint.place(in_=self.text, x=gap, rely=0.5, relwidth=1.0, width=-2 * gap, anchor="w")
        elif not wanted and self._hint.winfo_manager():
            self._hint.place_forget()

    def _shortened(self, hint: str, room: int) -> str:
        """The hint in one row."""
        measure = self._theme.font("body").measure
        if room <= 0 or measure(hint) <= room:
            return hint
        while hint and measure(f"{hint}…") > room:
            hint = hint[:-1]
        return f"{hint.rstrip()}…"
