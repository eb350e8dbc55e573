"""The rules and the page about everything: before the game begins, and whenever they are asked for."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.announce import Announcer
from negoplatform.gui.help_page import HelpPage
from negoplatform.gui.rules_panel import RulesPanel
from negoplatform.gui.theme import Theme
from negoplatform.gui.view import RulesView


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
        self._help = HelpPage(parent, theme, announcer=announcer)
        self._panel: RulesPanel | None = None

    @property
    def is_open(self) -> bool:
        """Whether they, or the page about everything, are being read."""
        return self._panel is not None or self._help.is_open

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
            self._open("rules.close", self._theme.say("Back"), note=self._clock(running))
            self._announcer.tell("rules_open")

    def open_help(self, *, running: bool) -> None:
        """How everything works, over the rules or the table."""
        home = self._home if self._panel is None else self._panel.button
        self._help.open(home, note=self._clock(running))

    def _clock(self, running: bool) -> str:
        return self._theme.say("The clock goes on meanwhile.") if running else ""

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
            on_help=lambda: self.open_help(running=then is None and bool(note)),
        )
        self._announcer.name(name, self._panel.button)
        if self._panel.help is not None:
            self._announcer.name("rules.help", self._panel.help)
