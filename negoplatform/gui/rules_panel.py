"""The rules of the game: before it begins, and whenever they are asked for."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.announce import Announcer
from negoplatform.gui.scrolled import ScrolledFrame
from negoplatform.gui.theme import Theme
from negoplatform.gui.view import RulesView

WIDTH = 620
"""Of the words, for 96 dpi."""


class RulesPanel:
    """Covers what lies below it, with one button that leads on.

    Args:
        parent: What it stands over.
        theme: Its looks.
        view: What it says.
        button: The words on its button.
        icon: The icon on it.
        note: What stands beside the button; empty if nothing.
        escape: Whether Escape presses the button too.
        on_close: Is called when the button is pressed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        view: RulesView,
        *,
        button: str,
        icon: str = "",
        note: str = "",
        escape: bool,
        on_close: Callable[[], None],
    ) -> None:
        px, c = theme.px, theme.colours
        self.frame = theme.frame(parent, c.ground)
        card = theme.card(self.frame, 28)
        card.place(relx=0.5, rely=0.48, anchor="center")
        theme.label(card, view.title, "big", wrap=WIDTH).pack(anchor=theme.west)
        theme.label(card, view.subtitle, "body", c.muted, wrap=WIDTH).pack(
            anchor=theme.west, pady=(px(2), px(6))
        )
        rows = ScrolledFrame(card, theme, width=WIDTH, height=500)
        rows.frame.pack(fill="x")
        for heading, paragraphs in view.sections:
            theme.label(rows.inside, heading, "bold").pack(anchor=theme.west, pady=(px(10), px(2)))
            for text in paragraphs:
                theme.label(rows.inside, text, "body", wrap=WIDTH - 16).pack(anchor=theme.west, pady=px(2))
        rows.watch(rows.inside)
        foot = theme.frame(card)
        foot.pack(fill="x", pady=(px(16), 0))
        self.button = theme.button(foot, button, "Primary.TButton", on_close, icon=icon)
        self.button.pack(side=theme.end)
        if note:
            theme.label(foot, note, "small", c.muted, wrap=WIDTH - 200).pack(side=theme.start)
        for stop in (rows.canvas, self.button):
            for way in ("<<NextWindow>>", "<<PrevWindow>>"):
                stop.bind(way, lambda _event: self._to_the_other(rows.canvas))
            if escape:
                stop.bind("<Escape>", lambda _event: on_close())
        self.frame.place(relwidth=1, relheight=1)
        self.frame.tkraise()
        self.button.focus_set()

    def close(self) -> None:
        """Takes it away for good; who gets the focus is for others to say."""
        self.frame.destroy()

    def _to_the_other(self, rows: tk.Canvas) -> str:
        """Tab goes between the rules, where they scroll, and the button, and not to what lies below."""
        on_rows = str(rows.tk.call("focus")) == str(rows)
        scrolls = int(str(rows.cget("takefocus"))) == 1
        (rows if scrolls and not on_rows else self.button).focus_set()
        return "break"


class Rulebook:
    """Opens the rules, before the game and during it.

    Args:
        parent: What they stand over.
        theme: Their looks.
        view: What they say.
        announcer: Is told when they open and close.
        home: What gets the focus afterwards.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, view: RulesView, *, announcer: Announcer, home: tk.Misc
    ) -> None:
        self._parent, self._theme, self._view = parent, theme, view
        self._announcer = announcer
        self._home = home
        self._panel: RulesPanel | None = None

    @property
    def is_open(self) -> bool:
        """Whether they are being read."""
        return self._panel is not None

    def open_before(self, begin: Callable[[], None]) -> None:
        """Before the game, with the clock still standing; ``begin`` is called when they have been read."""
        say = self._theme.say
        self._open(
            "begin", say("Begin"), icon="play", note=say("The clock starts when you press Begin."), then=begin
        )
        self._announcer.tell("briefing")

    def open(self, *, running: bool) -> None:
        """During the game, or when it is over."""
        if self._panel is None:
            say = self._theme.say
            note = say("The clock goes on meanwhile.") if running else ""
            self._open("rules.close", say("Back"), note=note)
            self._announcer.tell("rules_open")

    def _open(
        self, name: str, button: str, *, icon: str = "", note: str, then: Callable[[], None] | None = None
    ) -> None:
        def close() -> None:
            if self._panel is None:
                return
            self._panel.close()
            self._panel = None
            self._home.focus_set()
            self._announcer.tell("rules_closed")
            if then is not None:
                then()

        self._panel = RulesPanel(
            self._parent,
            self._theme,
            self._view,
            button=button,
            icon=icon,
            note=note,
            # Before the game it would start the clock, which nobody means by it.
            escape=then is None,
            on_close=close,
        )
        self._announcer.name(name, self._panel.button)
