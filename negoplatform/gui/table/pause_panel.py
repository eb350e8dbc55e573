"""Panel over the table while the session is paused."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.game_words import GameWords
from negoplatform.presentation.localized_names import displayable

TEXT_WIDTH = 520
"""Width of the text, for 96 dpi."""


class PausePanel:
    """Message in the middle of the window; it takes the focus, which keeps keys from what it covers.

    Args:
        parent: The widget that the panel covers.
        theme: The window's theme.
        words: The words for the kind of game.
        focus_home: The widget that gets the focus afterwards if the former one is gone.
        announcer: Reports to UI tests that the panel appears or disappears.
        on_before_show: Called before either: an open dialog is no longer valid.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        words: GameWords,
        *,
        focus_home: tk.Misc,
        announcer: UiTestAnnouncer,
        on_before_show: Callable[[], None],
    ) -> None:
        px = theme.px
        self._focus_home = focus_home
        self._announcer, self._on_before_show = announcer, on_before_show
        self._focus: tk.Misc | None = None
        self.frame, inside = build_edged_card(parent, theme)
        translate, muted = theme.translate, theme.colours.muted
        self._theme, self._words = theme, words
        theme.label(inside, translate("Please wait a moment"), "big").pack(anchor=theme.west)
        paused = translate(words.pause)
        theme.label(inside, paused, "heading", wrap=TEXT_WIDTH).pack(anchor=theme.west, pady=px(14))
        theme.rule(inside).pack(fill="x")
        experimenter = theme.label(inside, translate("For the experimenter"), "small", muted)
        experimenter.pack(anchor=theme.west, pady=(px(10), 0))
        self._reason = theme.label(inside, "", "small", muted, wrap=TEXT_WIDTH)
        self._reason.pack(anchor=theme.west, pady=(px(2), px(4)))
        block_keys(self.frame)

    @property
    def is_shown(self) -> bool:
        """Whether the panel is shown."""
        return bool(self.frame.winfo_manager())

    def set_reason(self, reason: str) -> None:
        """Show the panel with a reason for the experimenter, or hide it if the reason is empty."""
        if bool(reason) != self.is_shown:
            self._on_before_show()
        if reason and self._show(reason):
            self._announcer.announce("paused", reason=reason)
        elif self.is_shown and not reason:
            self._hide()
            self._announcer.announce("unpaused")

    def _show(self, reason: str) -> bool:
        """Show the panel; return whether it has changed."""
        advice = self._theme.translate(self._words.disk_advice)
        text = f"{displayable(reason)} {advice}"
        if self.is_shown and self._reason.logical_text == text:
            return False
        self._reason.write(text)
        if not self.is_shown:
            self._focus = focused_widget(self.frame)
            self.frame.place(relx=0.5, rely=0.42, anchor="center")
            self.frame.tkraise()
            self.frame.focus_set()
        return True

    def _hide(self) -> None:
        """Hide the panel and restore the focus."""
        self.frame.place_forget()
        before = self._focus
        (before if before is not None and before.winfo_exists() else self._focus_home).focus_set()


def build_edged_card(parent: tk.Misc, theme: Theme) -> tuple[tk.Frame, tk.Frame]:
    """Return a card with an edge, as it may be over white cards, and the frame for its contents."""
    px, c = theme.px, theme.colours
    card = tk.Frame(parent, bg=c.card, highlightthickness=max(1, px(1)))
    card.configure(highlightbackground=c.muted, highlightcolor=c.muted)
    tk.Frame(card, bg=c.primary, height=px(5)).pack(fill="x")
    inside = theme.frame(card)
    inside.pack(padx=px(30), pady=px(26))
    return card, inside


def block_keys(frame: tk.Frame) -> None:
    """Keep Tab from moving the focus to what the frame covers."""
    for way_out in ("<<NextWindow>>", "<<PrevWindow>>"):
        frame.bind(way_out, lambda _event: "break")


def focused_widget(widget: tk.Misc) -> tk.Misc | None:
    """Return the application's focused widget; the list of a combobox is none of them."""
    try:
        return widget.focus_get()
    except KeyError:
        return None
