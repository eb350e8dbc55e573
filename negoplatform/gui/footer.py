"""The line at the bottom: whether everything is kept, whose place it is, and how large things are drawn."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import replace

from negoplatform.gui.appearance import TEXT_SIZES, Appearance
from negoplatform.gui.texts import drawable
from negoplatform.gui.theme import Theme


class Footer:
    """Quiet words, and what changes the looks.

    Args:
        parent: Where it is put.
        theme: Its looks.
        participant: The participant's code.
        on_wear: Is given other looks when they are asked for.
        on_help: Is called when somebody wants to know how everything works.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        participant: str,
        on_wear: Callable[[Appearance], None],
        on_help: Callable[[], None],
    ) -> None:
        self._theme = theme
        say, now = theme.say, theme.appearance
        self.frame = theme.frame(parent)
        theme.rule(self.frame).pack(side="top", fill="x")
        inside = theme.frame(self.frame)
        inside.pack(fill="x", padx=theme.px(20), pady=theme.px(1))
        self._saved = theme.label(inside, "", "small", theme.colours.muted)
        self._saved.pack(side=theme.start)
        if participant:
            theme.label(inside, "·", "small", theme.colours.muted).pack(side=theme.start, padx=theme.px(8))
            code = say("Participant {code}", code=drawable(participant))
            theme.label(inside, code, "small", theme.colours.muted).pack(side=theme.start)
        # In a row of its own: it may be a long sentence, with a path.
        self._note = theme.label(self.frame, "", "small_bold", theme.colours.primary)
        self.frame.bind("<Configure>", lambda event: self._note.wrap_to(event.width - theme.px(40)))
        other = "light" if theme.colours.dark else "dark"
        self.other_theme = theme.button(
            inside,
            say("Switch to light") if theme.colours.dark else say("Switch to dark"),
            "Small.Quiet.TButton",
            lambda: on_wear(replace(now, theme=other)),
            icon="sun" if theme.colours.dark else "moon",
        )
        self.larger = theme.button(inside, "A+", "Small.Quiet.TButton", lambda: on_wear(now.larger()))
        self.smaller = theme.button(inside, "A–", "Small.Quiet.TButton", lambda: on_wear(now.smaller()))
        words = theme.label(inside, say("Text size"), "small", theme.colours.muted)
        self.help = theme.button(
            inside, say("How this works (F1)"), "Small.Quiet.TButton", on_help, icon="help"
        )
        for piece in (self.other_theme, self.larger, self.smaller, words, self.help):
            piece.pack(side=theme.end, padx=theme.px(2))
        largest = max(size for size in TEXT_SIZES if size <= theme.most_text_size)
        self.larger.state(["!disabled" if now.text_size < largest else "disabled"])
        self.smaller.state(["!disabled" if now.text_size > TEXT_SIZES[0] else "disabled"])
        # Tab goes in stacking order: from where reading starts.
        for button in (self.help, self.smaller, self.larger, self.other_theme):
            button.tkraise()

    def note(self, text: str) -> None:
        """Says something in passing."""
        self._note.write(text)
        if text:
            self._note.pack(
                side="bottom", anchor=self._theme.west, padx=self._theme.px(20), pady=(0, self._theme.px(4))
            )

    def show(self, *, saved: bool, events: int) -> None:
        """Says whether all that has happened is on the disk."""
        say = self._theme.say
        if not saved:
            self._saved.write(say("Paused: nothing is being recorded now"), self._theme.colours.warning)
            return
        text = say.count("● Everything is saved ({n} event)", "● Everything is saved ({n} events)", events)
        self._saved.write(text, self._theme.colours.muted)
