"""Panels that cover the table: no update yet, a pause of the session, a lost connection."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.table.pause_panel import (
    TEXT_WIDTH,
    PausePanel,
    block_keys,
    build_edged_card,
    focused_widget,
)
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.timers import Ticker
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.game_words import GameWords
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.table.table_view import LinkState

WAITING_MS = 700
"""Milliseconds after the participant is ready from which the wait for the first update is explained."""


class CoverPanel:
    """Panel over a widget whose controls exist, but would have no effect.

    Args:
        parent: The widget that the panel covers, from its construction on.
        theme: The window's theme.
        title: The heading.
        text: The sentence below it.
        detail: A smaller sentence below that.
        experimenter: A sentence for the experimenter; empty: none.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        title: str,
        text: str,
        *,
        detail: str = "",
        experimenter: str = "",
    ) -> None:
        px, muted = theme.px, theme.colours.muted
        self._before = focused_widget(parent)
        self.frame = theme.frame(parent, theme.colours.ground)
        card, inside = build_edged_card(self.frame, theme)
        card.place(relx=0.5, rely=0.42, anchor="center")
        theme.label(inside, title, "big").pack(anchor=theme.west)
        theme.label(inside, text, "heading", wrap=TEXT_WIDTH).pack(anchor=theme.west, pady=px(14))
        if detail:
            theme.label(inside, detail, "body", muted, wrap=TEXT_WIDTH).pack(anchor=theme.west)
        if experimenter:
            theme.rule(inside).pack(fill="x", pady=(px(14), 0))
            heading = theme.label(inside, theme.translate("For the experimenter"), "small", muted)
            heading.pack(anchor=theme.west, pady=(px(10), 0))
            reason = theme.label(inside, displayable(experimenter), "small", muted, wrap=TEXT_WIDTH)
            reason.pack(anchor=theme.west, pady=(px(2), 0))
        block_keys(self.frame)
        self.frame.place(relwidth=1, relheight=1)
        self.frame.focus_set()

    def close(self, home: tk.Misc | None = None) -> None:
        """Destroy the panel; the former widget gets the focus, or ``home``; None: the caller sets it."""
        self.frame.destroy()
        before = self._before
        if home is not None:
            (before if before is not None and before.winfo_exists() else home).focus_set()


class CoveringPanels:
    """Panels of one appearance of the table that keep input from a session that cannot take it.

    Args:
        table: The widget that the panels cover.
        window: The widget that the panel of a lost connection covers, with all that is next to the table.
        theme: The window's theme.
        words: The words for the kind of game.
        focus_home: The widget that gets the focus afterwards if the former one is gone.
        announcer: Reports to UI tests that a panel appears or disappears.
        on_before_show: Called before either: an open dialog is no longer valid.
        is_resuming: Whether the session is an interrupted one, of which nothing is known yet.
    """

    def __init__(
        self,
        table: tk.Misc,
        window: tk.Misc,
        theme: Theme,
        words: GameWords,
        *,
        focus_home: tk.Misc,
        announcer: UiTestAnnouncer,
        on_before_show: Callable[[], None],
        is_resuming: bool,
    ) -> None:
        self._table, self._window, self._theme, self._words = table, window, theme, words
        self._focus_home, self._announcer, self._on_before_show = focus_home, announcer, on_before_show
        self._pause = PausePanel(
            table,
            theme,
            words,
            focus_home=focus_home,
            announcer=announcer,
            on_before_show=on_before_show,
        )
        self._first: CoverPanel | None = None
        self._lost: CoverPanel | None = None
        self._link = LinkState()
        self._waiting = Ticker(self._pause.frame, self.show_waiting)
        self.is_resuming = is_resuming
        """Whether the session is an interrupted one, of which nothing is known yet."""
        if is_resuming:
            self._show_resuming()

    @property
    def is_shown(self) -> bool:
        """Whether a panel is shown."""
        return self._first is not None or self._lost is not None or self._pause.is_shown

    @property
    def is_paused(self) -> bool:
        """Whether the panel of a pause is shown."""
        return self._pause.is_shown

    @property
    def is_link_lost(self) -> bool:
        """Whether the panel of a lost connection is shown."""
        return self._lost is not None

    @property
    def is_waiting(self) -> bool:
        """Whether the panel of the wait for the first update is shown."""
        return self._first is not None and not self.is_resuming

    def expect_update(self) -> None:
        """Show the panel of the wait if no update comes soon."""
        if self._first is None:
            self._waiting.schedule(WAITING_MS)

    def show_waiting(self) -> None:
        """Show that the session has not begun."""
        if self._first is not None:
            return
        translate = self._theme.translate
        self._first = CoverPanel(
            self._table,
            self._theme,
            translate("One moment, please"),
            translate(self._words.begins_soon),
        )
        if self._lost is not None:
            self._lost.frame.tkraise()
        self._announcer.announce("awaiting_session", after_drawn=self._first.frame)

    def begin(self) -> None:
        """Uncover the table at the first update; the caller sets the focus."""
        self._waiting.stop()
        if self._first is not None:
            self._first.close()
            self._first, self.is_resuming = None, False
            self._on_before_show()

    def close(self) -> None:
        """Show nothing more: the widgets of this appearance are replaced."""
        self._waiting.stop()

    def set_pause_reason(self, reason: str) -> None:
        """Show the panel of a pause with a reason for the experimenter, or hide it if that is empty."""
        self._pause.set_reason(reason)

    def show_link(self, link: LinkState) -> None:
        """Cover the table while the connection is lost; what is typed and prepared stays."""
        if link == self._link:
            return
        if link.is_lost != self._link.is_lost:
            self._on_before_show()
        self._link = link
        if self._lost is not None:
            self._lost.close(None if link.is_lost else self._focus_home)
            self._lost = None
        if not link.is_lost:
            self._announcer.announce("link_restored")
            return
        translate = self._theme.translate
        self._lost = CoverPanel(
            self._window,
            self._theme,
            translate("The connection is lost"),
            translate("Trying again…"),
            detail=translate("What you have written and prepared stays as it is."),
            experimenter=link.reason,
        )
        self._announcer.announce("link_lost", after_drawn=self._lost.frame, reason=link.reason)

    def _show_resuming(self) -> None:
        translate = self._theme.translate
        self._first = CoverPanel(
            self._table,
            self._theme,
            translate("One moment, please"),
            translate(self._words.please_resume),
            detail=translate("The clock is stopped, and nothing is lost."),
        )
        self._announcer.announce("resuming", after_drawn=self._first.frame)
