"""The transcript, and the line in which the participant writes."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.gui.lifetimes import when_written
from negoplatform.gui.scrolled import scroll_by_keys
from negoplatform.gui.theme import AMBER, BLUE, CARD, GREY, INK, MUTED, SOFT_BLUE, Theme
from negoplatform.gui.view import Line


class ChatPanel:
    """Shows lines as they come, and hands on what is written.

    Args:
        parent: Where it is put.
        theme: Its looks.
        on_send: Is given the words; it is called once per press.
        on_typing: Is called when a key changed the words.
        on_words: Is called whenever the words are others, whoever changed them.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_send: Callable[[str], None],
        on_typing: Callable[[], None],
        on_words: Callable[[], None],
    ) -> None:
        self._theme = theme
        self._on_send = on_send
        self._on_typing = on_typing
        self._last = ""
        self.frame = theme.frame(parent)
        self.frame.columnconfigure(0, weight=1)
        self.frame.rowconfigure(0, weight=1)
        self.transcript = self._make_transcript()
        self._words = tk.StringVar(theme.root)
        self.entry = ttk.Entry(self.frame, textvariable=self._words, font=theme.font("body"))
        when_written(self._words, self.entry, on_words)
        self.entry.bind("<Return>", lambda _event: self._send())
        self.entry.bind("<KeyRelease>", lambda _event: self._typed())
        self.button = ttk.Button(self.frame, text="Send", style="Primary.TButton", command=self._send)
        self._hint = theme.label(self.frame, "", "small", MUTED)

    def place_composer(self, row: int) -> None:
        """Puts the line for writing under what stands above it."""
        self._hint.grid(row=row, column=0, columnspan=3, sticky="w", padx=self._theme.px(4))
        self.entry.grid(row=row + 1, column=0, sticky="ew", pady=self._theme.px(4), padx=self._theme.px(4))
        self.button.grid(row=row + 1, column=1, columnspan=2, sticky="e", pady=self._theme.px(4))

    def add(self, lines: list[Line]) -> None:
        """Adds lines at the end; stays where it is if the reader has scrolled up."""
        if not lines:
            return
        at_end = self.transcript.yview()[1] > 0.999
        self.transcript.configure(state="normal")
        for line in lines:
            self._insert(line)
        self.transcript.configure(state="disabled")
        if at_end:
            self.transcript.see("end")

    def show(self, can_talk: bool, hint: str) -> None:
        """Whether something may be said now."""
        state = "normal" if can_talk else "disabled"
        if str(self.entry.cget("state")) != state:
            self.entry.configure(state=state)
            self.button.configure(state=state)
        if self._hint.cget("text") != hint:
            self._hint.configure(text=hint)

    @property
    def words(self) -> str:
        """What stands in the line and has not been sent."""
        return self._words.get()

    def give_back(self, text: str) -> None:
        """Puts words that were not said back into the line, before whatever stands there by now."""
        # At once: what is kept of the words at any moment is all of them.
        self._words.set(f"{text} {self.words}" if self.words else text)
        self._last = self.words
        self.entry.icursor("end")

    def _send(self) -> str:
        text = self.words
        if text.strip() and str(self.entry.cget("state")) == "normal":
            # Handed on before they are wiped, so that they are never nowhere.
            self._on_send(text)
            self._words.set("")
            self._last = ""
        return "break"

    def _typed(self) -> None:
        now = self.words
        if now != self._last:
            self._last = now
            if now:
                self._on_typing()

    def _make_transcript(self) -> tk.Text:
        px = self._theme.px
        text = tk.Text(
            self.frame,
            wrap="word",
            state="disabled",
            bg=CARD,
            fg=INK,
            font=self._theme.font("body"),
            bd=0,
            padx=px(12),
            pady=px(8),
            highlightthickness=px(2),
            highlightbackground=CARD,
            highlightcolor=BLUE,
            cursor="arrow",
            spacing3=px(2),
            width=20,
            height=5,
            # Nothing can be written into it, so Tab would pass it by; but it is to be read.
            takefocus=1,
        )
        bar = ttk.Scrollbar(self.frame, orient="vertical", command=text.yview)
        text.configure(yscrollcommand=bar.set)
        text.grid(row=0, column=0, columnspan=2, sticky="nsew")
        bar.grid(row=0, column=2, sticky="ns")
        self._make_tags(text)
        scroll_by_keys(text.bind, text.yview_scroll)
        # A text field keeps Tab for itself; here it must lead on, or the keyboard ends here.
        text.bind("<Tab>", lambda _event: _go_on(text.tk_focusNext()))
        text.bind("<Shift-Tab>", lambda _event: _go_on(text.tk_focusPrev()))
        return text

    def _make_tags(self, text: tk.Text) -> None:
        px, font = self._theme.px, self._theme.font
        wide = px(150)
        text.tag_configure("who", font=font("small"), foreground=MUTED, spacing1=px(8))
        text.tag_configure(
            "mine", background=SOFT_BLUE, lmargin1=wide, lmargin2=wide, lmargincolor=CARD, rmargin=px(6)
        )
        text.tag_configure(
            "theirs", background=GREY, lmargin1=px(6), lmargin2=px(6), rmargin=wide, rmargincolor=CARD
        )
        text.tag_configure("right", lmargin1=wide, lmargin2=wide)
        text.tag_configure("left", lmargin1=px(6), lmargin2=px(6))
        text.tag_configure("title", font=font("bold"))
        text.tag_configure("note", foreground=MUTED, font=font("small"), justify="center", spacing1=px(6))
        text.tag_configure(
            "announcement",
            foreground=INK,
            font=font("bold"),
            justify="center",
            spacing1=px(10),
            spacing3=px(6),
        )
        text.tag_configure("refusal", foreground=AMBER, font=font("bold"), justify="center", spacing1=px(6))
        stop = wide + px(130)
        text.tag_configure("mine_row", tabs=(stop,))
        text.tag_configure("theirs_row", tabs=(px(136),))

    def _insert(self, line: Line) -> None:
        text = self.transcript
        if line.kind in ("note", "announcement", "refusal"):
            text.insert("end", f"{line.text}\n", line.kind)
            return
        mine = line.kind in ("mine", "offer_mine")
        side, box = ("right", "mine") if mine else ("left", "theirs")
        text.insert("end", f"{line.who}\n", ("who", side))
        if not line.rows:
            text.insert("end", f"{line.text}\n", box)
            return
        text.insert("end", f"{line.text}\n", (box, "title"))
        for issue, terms in line.rows:
            # A title that is wider than its column has its terms on the next line.
            fits = self._theme.font("body").measure(issue) < self._theme.px(122)
            text.insert("end", f"{issue}{'' if fits else chr(10)}\t{terms}\n", (box, f"{box}_row"))
        text.insert("end", f"{line.footer}\n", (box, "title"))


def _go_on(widget: tk.Misc | None) -> str:
    if widget is not None:
        widget.focus_set()
    return "break"
