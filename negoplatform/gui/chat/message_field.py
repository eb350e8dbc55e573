"""Message field, which wraps, grows with its text and accepts line breaks."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.core.action_rules import LONGEST_MESSAGE
from negoplatform.domain.visible_text import cut_text
from negoplatform.gui.theming.theme import FIELD_FONT, Theme
from negoplatform.gui.widgets.widget_bound_callbacks import bind_tag

MOST_LINES = 4
"""The greatest number of lines to which the field grows; with more lines it scrolls."""


class MessageField:
    """Text field as high as its text.

    Shift+Enter breaks the line; Enter is bound by the owner. Ctrl+Z undoes an edit, or calls ``on_undo``
    while the field is empty.

    Args:
        parent: The parent of the field.
        theme: The window's theme.
        on_change: Called after every change of the text, before the next key is handled.
        on_cut: Called after a pasted text was cut, because a message is no longer than
            :data:`LONGEST_MESSAGE`.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_change: Callable[[], object],
        on_cut: Callable[[], object] = lambda: None,
    ) -> None:
        self._theme = theme
        self._on_change, self._on_cut = on_change, on_cut
        self._last_content = ""
        self._hinted = ""
        self._rows = 1
        self._is_private = False
        self.is_hidden = False
        """Whether the field is not shown, because there is no talk in the game."""
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
        """The text, without line breaks at its ends."""
        return self.text.get("1.0", "end-1c").strip("\n")

    @property
    def enabled(self) -> bool:
        """Whether the field is editable."""
        return str(self.text.cget("state")) == "normal"

    def write(self, words: str) -> None:
        """Replace the text; Ctrl+Z does not restore it."""
        enabled = self.enabled
        self.text.configure(state="normal")
        self.text.delete("1.0", "end")
        self.text.insert("1.0", words)
        self.text.edit_reset()
        self.text.mark_set("insert", "end-1c")
        self.text.configure(state="normal" if enabled else "disabled")
        self.check_for_change()

    def type(self, char: str) -> None:
        """Insert a character at the cursor, as if its key had been pressed in the field."""
        if not self.enabled:
            return
        self.focus_input()
        self.text.tk.call("tk::TextInsert", self.text, char)
        self.check_for_change()

    def erase(self) -> None:
        """Delete the selection, or the character before the cursor."""
        if not self.enabled:
            return
        self.focus_input()
        if self.text.tag_ranges("sel"):
            self.text.delete("sel.first", "sel.last")
        elif self.text.compare("insert", ">", "1.0"):
            self.text.delete("insert-1c")
        self.check_for_change()

    def paste(self) -> None:
        """Replace the selection by the clipboard's text; line breaks are kept."""
        if not self.enabled:
            return
        self.focus_input()
        try:
            pasted = self.text.clipboard_get()
        except tk.TclError:  # it is empty, or holds no text
            return
        self._insert_pasted(pasted, replaces_selection=True)

    def _paste_selection(self, event: tk.Event[tk.Misc]) -> None:
        """Insert what is selected on the screen where the middle button was clicked (X11)."""
        moved = "expr {[info exists tk::Priv(mouseMoved)] && $tk::Priv(mouseMoved)}"
        if not self.enabled or self.text.tk.getboolean(self.text.tk.eval(moved)):
            return
        try:
            pasted = str(self.text.selection_get())  # type: ignore[no-untyped-call]  # no types
        except tk.TclError:
            return
        self.focus_input()
        self.text.mark_set("insert", f"@{event.x},{event.y}")
        self._insert_pasted(pasted, replaces_selection=False)

    def _insert_pasted(self, pasted: str, *, replaces_selection: bool) -> None:
        """Insert as much of a text as fits in a message: Tk needs a minute for a megabyte of emoji."""
        text = self.text
        text.configure(autoseparators=False)
        text.edit_separator()
        if replaces_selection and text.tag_ranges("sel"):
            text.delete("sel.first", "sel.last")
        room = max(0, LONGEST_MESSAGE - len(text.get("1.0", "end-1c")))
        # A line break may have two characters.
        beginning = "\n".join(pasted[: 2 * room + 2].splitlines())
        fits = cut_text(beginning, room)
        text.insert("insert", fits)
        text.edit_separator()
        text.configure(autoseparators=True)
        text.see("insert")
        self.check_for_change()
        if fits != beginning or len(pasted) > 2 * room + 2:
            self._on_cut()

    def undo(self) -> None:
        """Undo an edit, or call ``on_undo`` while the field is empty."""
        if self.content:
            self._undo_step("undo")
        else:
            self.on_undo()

    def redo(self) -> None:
        """Redo the edit that was undone last; without one, call ``on_redo``."""
        if self.text.tk.getboolean(self.text.tk.call(self.text, "edit", "canredo")):
            self._undo_step("redo")
        else:
            self.on_redo()

    def focus_input(self) -> None:
        """Focus the field unless it is hidden; cursor and selection stay where they were."""
        if not self.is_hidden:
            self.text.focus_set()

    def enable(self, can_write: bool) -> None:
        """Set whether the field is editable."""
        if can_write != self.enabled:
            c = self._theme.colours
            self.text.configure(
                state="normal" if can_write else "disabled", fg=c.ink if can_write else c.on_off
            )
            self.frame.state(["!disabled" if can_write else "disabled"])
            self._colour_ground()

    def mark_private(self, is_private: bool) -> None:
        """Set whether the field has another colour, because not everyone gets what is typed."""
        if is_private != self._is_private:
            self._is_private = is_private
            self.frame.state(["alternate" if is_private else "!alternate"])
            self._colour_ground()

    def _colour_ground(self) -> None:
        c = self._theme.colours
        usual = c.mine_soft if self._is_private else c.card
        self.text.configure(bg=usual if self.enabled else c.off)
        self._hint.configure(bg=usual)

    def show_hint(self, hint: str) -> None:
        """Show a hint while the field is empty; an empty hint hides it."""
        self._hinted = hint
        self._place_hint()

    def check_for_change(self) -> None:
        """Call ``on_change`` and update the layout if the text has changed."""
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
            font=theme.font(FIELD_FONT),
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
        # By default a text field handles Tab itself, and inserts a line break on Enter.
        text.bind("<Tab>", lambda _event: self._focus(text.tk_focusNext()))
        # On Windows and macOS this is Tab too; X11 has a key of its own for it.
        text.bind("<Shift-Tab>", lambda _event: self._focus(text.tk_focusPrev()))
        for key in ("Return", "KP_Enter"):
            text.bind(f"<Shift-{key}>", lambda _event: self._do(lambda: self.type("\n")))
        # By default the field would select the end of its last line too, and copy it as a line break.
        text.bind("<<SelectAll>>", lambda _event: self._do(lambda: text.tag_add("sel", "1.0", "end-1c")))
        text.bind("<<Paste>>", lambda _event: self._do(self.paste))
        text.bind("<<PasteSelection>>", lambda event: self._do(lambda: self._paste_selection(event)))
        for key in ("z", "Z", "y", "Y"):
            text.bind(f"<Control-{key}>", self._undo_or_redo)
        text.bind("<<Modified>>", lambda _event: self.check_for_change())
        # Between the field's own bindings and the window's: <<Modified>> arrives only after pending keys.
        after = f"Written{text}"
        text.bindtags((str(text), "Text", after, *text.bindtags()[2:]))
        bind_tag(text, after, "<Key>", lambda _event: self.check_for_change())
        bind_tag(text, after, "<space>", lambda _event: self._end_word())

    def _focus(self, widget: tk.Misc | None) -> str:
        if widget is not None:
            widget.focus_set()
        return "break"

    def _undo_or_redo(self, event: tk.Event[tk.Misc]) -> str:
        shifted = int(event.state) & 0x1
        (self.redo if shifted or event.keysym in "yY" else self.undo)()
        return "break"

    def _end_word(self) -> None:
        """Let Ctrl+Z undo word by word; Tk would undo everything since the last deletion."""
        self.text.edit_separator()
        self.check_for_change()

    def _do(self, act: Callable[[], None]) -> str:
        act()
        return "break"

    def _undo_step(self, way: str) -> None:
        try:
            self.text.tk.call(self.text, "edit", way)
        except tk.TclError:  # there is nothing to undo
            return
        self.text.see("insert")
        self.check_for_change()

    def _align(self) -> None:
        """Justify the text to the starting side; tags do not extend to text inserted behind them."""
        if self._theme.rtl:
            self.text.tag_configure("side", justify="right")
            self.text.tag_add("side", "1.0", "end")

    def _resized(self) -> None:
        self._grow()
        self._place_hint()

    def _grow(self) -> None:
        """Make the field as high as its text."""
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
        """Show the hint over the empty field: as part of the text it would be sent, saved and restored."""
        # Next to the cursor, which blinks where the text will begin.
        gap = self._theme.px(3)
        self._hint.write(self._shortened(self._hinted, self.text.winfo_width() - 2 * gap))
        wanted = bool(self._hinted) and not self._last_content
        if wanted and not self._hint.winfo_manager():
            self._hint.place(in_=self.text, x=gap, rely=0.5, relwidth=1.0, width=-2 * gap, anchor="w")
        elif not wanted and self._hint.winfo_manager():
            self._hint.place_forget()

    def _shortened(self, hint: str, room: int) -> str:
        """Return the hint, truncated to one line."""
        measure = self._theme.font(FIELD_FONT).measure
        if room <= 0 or measure(hint) <= room:
            return hint
        while hint and measure(f"{hint}…") > room:
            hint = hint[:-1]
        return f"{hint.rstrip()}…"
