"""Controller that opens and closes the help page over any screen."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.table.rules_and_help_page import RulesAndHelpPage
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.table.table_view import RulesView


class HelpController:
    """Controller of the help page.

    Args:
        parent: The widget that the page covers.
        theme: The window's theme.
        view: The text of the page.
        announcer: Reports to UI tests that the page opens or closes.
        on_close: Called when the page is closed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        view: RulesView,
        *,
        announcer: UiTestAnnouncer,
        on_close: Callable[[], None] = lambda: None,
    ) -> None:
        self._parent, self._theme = parent, theme
        self._announcer, self._view = announcer, view
        self._on_close = on_close
        self._panel: RulesAndHelpPage | None = None

    def set_view(self, view: RulesView) -> None:
        """Set the text of the page; a page that is open keeps its own."""
        self._view = view

    @property
    def is_open(self) -> bool:
        """Whether the page is open."""
        return self._panel is not None

    def open(
        self,
        home: tk.Misc,
        *,
        note: str = "",
        below: tk.Misc | None = None,
        practise: Callable[[], None] | None = None,
    ) -> None:
        """Show the page.

        Args:
            home: The widget that gets the focus afterwards.
            note: Text next to the button; empty: none.
            below: The widget at the top that stays visible; None: the page covers everything.
            practise: Show the guided practice; None: it is not offered.
        """
        if self._panel is not None:
            return

        def close() -> None:
            if self._panel is None:
                return
            self._panel.close()
            self._panel = None
            home.focus_set()
            self._announcer.announce("help_closed")
            self._on_close()

        translate = self._theme.translate
        self._panel = RulesAndHelpPage(
            self._parent,
            self._theme,
            self._view,
            button=translate("Back"),
            note=note,
            escape=True,
            wide=True,
            below=below,
            on_close=close,
            back_label=None if practise is None else (translate("Practise"), practise),
        )
        if self._panel.back is not None:
            self._announcer.register("help.practise", self._panel.back)
        self._announcer.register("help.close", self._panel.button)
        self._announcer.announce("help_open")
