"""The rules and the help page, before the game and on request."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.table.help_controller import HelpController
from negoplatform.gui.table.rules_and_help_page import RulesAndHelpPage
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.table.table_view import RulesView

RULES, HELP = "rules", "help"
"""The names of the pages."""


class RulesController:
    """Controller of the pages, before the game and during it.

    During the game the header stays visible: time runs on and may cost points, unless the game pauses while a
    page is open.

    Args:
        parent: The widget that the pages cover.
        theme: The window's theme.
        view: The text of the rules.
        help_view: The text of the help page.
        header: The widget that stays visible during the game.
        pauses: Whether the session is paused while a page is open.
        announcer: Reports to UI tests that a page opens or closes.
        focus_home: The widget that gets the focus afterwards.
        on_page: Called with the name of the open page, or with an empty string.
        pictures: Pictures of issues.
        on_practise: Show the practice, offered on the help page before the game begins; None: not offered.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        view: RulesView,
        help_view: RulesView,
        *,
        header: tk.Misc,
        pauses: bool,
        announcer: UiTestAnnouncer,
        focus_home: tk.Misc,
        on_page: Callable[[str], None],
        pictures: IssuePhotoCache | None = None,
        on_practise: Callable[[], None] | None = None,
    ) -> None:
        self._parent, self._theme, self._view = parent, theme, view
        self._header, self._pauses = header, pauses
        self._announcer = announcer
        self._focus_home = focus_home
        self._on_page = on_page
        self._pictures = pictures
        self._on_practise = on_practise
        self._help = HelpController(
            parent, theme, help_view, announcer=announcer, on_close=self._on_page_changed
        )
        self._panel: RulesAndHelpPage | None = None

    @property
    def page(self) -> str:
        """The name of the open page; empty: none."""
        return HELP if self._help.is_open else RULES if self._panel is not None else ""

    @property
    def is_open(self) -> bool:
        """Whether a page is open."""
        return bool(self.page)

    def open_before_game(
        self,
        begin: Callable[[], None],
        *,
        leave: str,
        on_leave: Callable[[], None],
        on_ask: Callable[[], None] | None = None,
    ) -> None:
        """Show the rules before the game, with the clock stopped.

        Args:
            begin: Called when the rules have been read.
            leave: The text of the button that leaves; empty: no button.
            on_leave: Called when that button is pressed.
            on_ask: Called for a question to the experimenter; None: it is not offered.
        """
        translate = self._theme.translate
        note = translate("The clock starts when you press Begin.")
        way_back = (leave, on_leave) if leave else None
        self._open(
            "begin",
            translate("Begin"),
            icon="play",
            note=note,
            then=begin,
            back_label=way_back,
            on_ask=on_ask,
        )
        self._announcer.announce("briefing")

    def open(self, *, running: bool) -> None:
        """Show the rules during the game, or after it if not ``running``."""
        if self._panel is None:
            self._open("rules.close", self._theme.translate("Back"), note=self._clock(running))
            self._announcer.announce("rules_open")
            self._on_page_changed()

    def show_note(self, text: str) -> None:
        """Show a note above the rules before the game, which cover the table's own notes."""
        if self._panel is not None:
            self._panel.show_note(text)

    def open_help(self, *, running: bool, begun: bool = True) -> None:
        """Show the help page; before the game has ``begun``, it covers the header too."""
        home = self._home() if self._panel is None else self._panel.button
        practise = None if begun else self._on_practise
        self._help.open(
            home, note=self._clock(running), below=self._header if begun else None, practise=practise
        )
        self._on_page_changed()

    def _home(self) -> tk.Misc:
        """Return what gets the focus afterwards: a field for a number again, else the message field."""
        path = str(self._parent.tk.call("focus"))
        if path and self._parent.tk.call("winfo", "class", path) == "TEntry":
            found: tk.Misc = self._parent.nametowidget(path)
            return found
        return self._focus_home

    def _on_page_changed(self) -> None:
        self._on_page(self.page)

    def _clock(self, running: bool) -> str:
        translate = self._theme.translate
        if not running:
            return ""
        return (
            translate("The clock is stopped while you read.")
            if self._pauses
            else translate("The clock keeps running.")
        )

    def _open(
        self,
        name: str,
        button: str,
        *,
        icon: str = "",
        note: str,
        then: Callable[[], None] | None = None,
        back_label: tuple[str, Callable[[], None]] | None = None,
        on_ask: Callable[[], None] | None = None,
    ) -> None:
        home = self._home()

        def close() -> None:
            if self._panel is None:
                return
            self._panel.close()
            self._panel = None
            (home if home.winfo_exists() else self._focus_home).focus_set()
            self._announcer.announce("rules_closed")
            if then is not None:
                then()
            else:
                self._on_page_changed()

        self._panel = RulesAndHelpPage(
            self._parent,
            self._theme,
            self._view,
            button=button,
            icon=icon,
            note=note,
            # Before the game, the button starts the clock, which Escape should not do.
            escape=then is None,
            wide=bool(self._view.issues),
            pictures=self._pictures,
            below=None if then is not None else self._header,
            on_close=close,
            on_help=lambda: self.open_help(running=then is None and bool(note), begun=then is None),
            back_label=back_label,
            on_ask=on_ask,
        )
        if self._panel.ask is not None:
            self._announcer.register("rules.ask", self._panel.ask)
        self._announcer.register(name, self._panel.button)
        if self._panel.help is not None:
            self._announcer.register("rules.help", self._panel.help)
        if self._panel.back is not None:
            self._announcer.register("rules.leave", self._panel.back)
