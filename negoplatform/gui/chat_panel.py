"""The transcript, and the line in which the participant writes."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk

from negoplatform.gui.lifetimes import when_written
from negoplatform.gui.lines import Line
from negoplatform.gui.theme import Theme
from negoplatform.gui.transcript import Transcript
from negoplatform.gui.transcript_paint import Face


class ChatPanel:
    """Shows lines as they come, and hands on what is written.

    Between the transcript and the line for writing there is ``emotions_place``, which its owner fills.

    Args:
        parent: Where it is put.
        theme: Its looks.
        on_send: Is given the words; it is called once per press.
        on_typing: Is called when a key changed the words.
        on_words: Is called whenever the words are others, whoever changed them.
        on_phrases: Is called when the participant wants to choose from ready phrases.
        face: Gives the small round picture beside the other side's lines.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_send: Callable[[str], None],
        on_typing: Callable[[], object],
        on_words: Callable[[], object],
        on_phrases: Callable[[], object],
        face: Face | None = None,
    ) -> None:
        self._theme = theme
        self._on_send = on_send
        self._on_typing = on_typing
        self._last = ""
        self._hinted = ""
        self.frame = theme.frame(parent)
        self.frame.columnconfigure(0, weight=1)
        self.frame.rowconfigure(0, weight=1)
        # Made in the order in which they are seen, for that is the order of Tab.
        self._talk = Transcript(self.frame, theme, face=face)
        self._talk.frame.grid(row=0, column=0, sticky="nsew", padx=theme.px(2))
        theme.rule(self.frame).grid(row=1, column=0, sticky="ew")
        self.emotions_place = theme.frame(self.frame)
        self.emotions_place.grid(row=2, column=0, sticky="ew", padx=theme.px(12), pady=(theme.px(8), 0))
        self._words = tk.StringVar(theme.root)
        self._make_composer(on_phrases)
        when_written(self._words, self.entry, self._changed(on_words))

    @property
    def transcript(self) -> tk.Canvas:
        """What shows the lines, and has the keyboard to scroll them."""
        return self._talk.canvas

    def widgets(self) -> dict[str, tk.Misc]:
        """What can be pressed, written in and read, by name."""
        return {
            "transcript": self._talk.canvas,
            "text_view": self._talk.text_view,
            "new_messages": self._talk.new_messages,
            "phrases": self.phrases,
            "entry": self.entry,
            "send": self.button,
        }

    def add(self, lines: Sequence[Line]) -> None:
        """Adds lines at the end; stays where it is if the reader has scrolled up."""
        self._talk.add(lines)

    def clear(self) -> None:
        """Takes all lines away."""
        self._talk.clear()

    def show(self, can_talk: bool, hint: str) -> None:
        """Whether something may be said now, and what stands in the empty line."""
        state = "normal" if can_talk else "disabled"
        if str(self.entry.cget("state")) != state:
            for control in (self.entry, self.button, self.phrases):
                control.configure(state=state)
        self._hinted = hint if can_talk else ""
        self._show_hint()

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

    def _make_composer(self, on_phrases: Callable[[], object]) -> None:
        theme, px, say = self._theme, self._theme.px, self._theme.say
        line = theme.frame(self.frame)
        line.grid(row=3, column=0, sticky="ew", padx=px(11), pady=px(8))
        line.columnconfigure(theme.column(1, 3), weight=1)
        self.phrases = theme.button(line, say("Phrases"), "Plain.TButton", on_phrases, icon="phrases")
        self.entry = ttk.Entry(
            line,
            textvariable=self._words,
            font=theme.font("body"),
            width=10,
            justify=theme.justify,
        )
        self.button = theme.button(line, say("Send"), "Primary.TButton", self._send, icon="send")
        self.phrases.grid(row=0, column=theme.column(0, 3))
        self.entry.grid(row=0, column=theme.column(1, 3), sticky="ew", padx=px(6))
        self.button.grid(row=0, column=theme.column(2, 3))
        self._hint = theme.label(line, "", "body", theme.colours.muted)
        self._hint.configure(anchor=theme.west, cursor="xterm")
        self._hint.bind("<Button-1>", lambda _event: self.entry.focus_set())
        self.entry.bind("<Return>", lambda _event: self._send())
        self.entry.bind("<KP_Enter>", lambda _event: self._send())
        self.entry.bind("<KeyRelease>", lambda _event: self._typed())
        self.entry.bind("<Control-t>", lambda _event: self._show_text())

    def _changed(self, on_words: Callable[[], object]) -> Callable[[], None]:
        def changed() -> None:
            self._show_hint()
            on_words()

        return changed

    def _show_hint(self) -> None:
        """A hint lies over the empty line: in it, it would be sent, kept and given back like words."""
        self._hint.write(self._hinted)
        wanted = bool(self._hinted) and not self.words
        if wanted and not self._hint.winfo_manager():
            # Beside the cursor, which blinks where words will begin.
            room = self._theme.px(13)
            self._hint.place(in_=self.entry, x=room, rely=0.5, relwidth=1.0, width=-2 * room, anchor="w")
        elif not wanted and self._hint.winfo_manager():
            self._hint.place_forget()

    def _send(self) -> str:
        text = self.words
        if text.strip() and str(self.entry.cget("state")) == "normal":
            # Handed on before they are wiped, so that they are never nowhere.
            self._on_send(text)
            self._words.set("")
            self._last = ""
            # Whoever speaks wants to see what they said, wherever they were reading.
            self._talk.to_end()
        return "break"

    def _typed(self) -> None:
        now = self.words
        if now != self._last:
            self._last = now
            if now:
                self._on_typing()

    def _show_text(self) -> str:
        self._talk.show_text(not self._talk.text_shown)
        return "break"
