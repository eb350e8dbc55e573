"""What stands over the table while the session stands still, or is not there yet."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.test_announcer import UiTestAnnouncer
from negoplatform.presentation.formatting import displayable

WIDTH = 520
"""Of the words, for 96 dpi."""


class PausePanel:
    """A calm word in the middle; it takes the focus, so that no key reaches what lies below it.

    Args:
        parent: What it stands over.
        theme: Its looks.
        home: What gets the focus afterwards, unless something else had it before.
        announcer: Is told when it comes and goes.
        before: Is called before it does either: what was being asked no longer stands so.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        focus_home: tk.Misc,
        announcer: UiTestAnnouncer,
        on_before_show: Callable[[], None],
    ) -> None:
        px = theme.px
        self._focus_home = focus_home
        self._announcer, self._on_before_show = announcer, on_before_show
        self._focus: tk.Misc | None = None
        self.frame, inside = _build_edged_card(parent, theme)
        translate, muted = theme.translate, theme.colours.muted
        self._theme = theme
        theme.label(inside, translate("Please wait a moment"), "big").pack(anchor=theme.west)
        paused = translate(
            "The negotiation is paused and the clock is stopped. Nothing is lost. Please tell the "
            "experimenter."
        )
        theme.label(inside, paused, "heading", wrap=WIDTH).pack(anchor=theme.west, pady=px(14))
        theme.rule(inside).pack(fill="x")
        experimenter = theme.label(inside, translate("For the experimenter"), "small", muted)
        experimenter.pack(anchor=theme.west, pady=(px(10), 0))
        self._reason = theme.label(inside, "", "small", muted, wrap=WIDTH)
        self._reason.pack(anchor=theme.west, pady=(px(2), px(4)))
        _block_keys(self.frame)

    @property
    def is_shown(self) -> bool:
        """Whether it stands there now."""
        return bool(self.frame.winfo_manager())

    def set_reason(self, reason: str) -> None:
        """Stands there for as long as there is a reason, the experimenter's sentence."""
        if bool(reason) != self.is_shown:
            self._on_before_show()
        if reason and self._show(reason):
            self._announcer.announce("paused", reason=reason)
        elif self.is_shown and not reason:
            self._hide()
            self._announcer.announce("unpaused")

    def _show(self, reason: str) -> bool:
        """Shows it; whether there was anything new to show."""
        advice = self._theme.translate(
            "Free up space on that disk, or check why it can’t be written to. The negotiation will "
            "then continue by itself."
        )
        text = f"{displayable(reason)} {advice}"
        if self.is_shown and self._reason.logical_text == text:
            return False
        self._reason.write(text)
        if not self.is_shown:
            self._focus = _focused_widget(self.frame)
            self.frame.place(relx=0.5, rely=0.42, anchor="center")
            self.frame.tkraise()
            self.frame.focus_set()
        return True

    def _hide(self) -> None:
        """Takes it away; the focus goes back to where it was."""
        self.frame.place_forget()
        before = self._focus
        (before if before is not None and before.winfo_exists() else self._focus_home).focus_set()


class ResumingPanel:
    """Covers a table of which nothing is known yet: its controls are there, and would do nothing.

    Args:
        parent: What it stands over, from now on.
        theme: Its looks.
    """

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        px, translate = theme.px, theme.translate
        self.frame = theme.frame(parent, theme.colours.ground)
        card, inside = _build_edged_card(self.frame, theme)
        card.place(relx=0.5, rely=0.42, anchor="center")
        theme.label(inside, translate("One moment, please"), "big").pack(anchor=theme.west)
        resuming = theme.label(inside, translate("Resuming the negotiation…"), "heading", wrap=WIDTH)
        resuming.pack(anchor=theme.west, pady=px(14))
        meanwhile = translate("The clock is stopped, and nothing is lost.")
        theme.label(inside, meanwhile, "body", theme.colours.muted, wrap=WIDTH).pack(anchor=theme.west)
        _block_keys(self.frame)
        self.frame.place(relwidth=1, relheight=1)
        self.frame.focus_set()

    def close(self) -> None:
        """Takes it away for good; who gets the focus is for others to say."""
        self.frame.destroy()


def _build_edged_card(parent: tk.Misc, theme: Theme) -> tuple[tk.Frame, tk.Frame]:
    """A card that may stand over white ones, so that it needs an edge, and what goes into it."""
    px, c = theme.px, theme.colours
    card = tk.Frame(parent, bg=c.card, highlightthickness=max(1, px(1)))
    card.configure(highlightbackground=c.muted, highlightcolor=c.muted)
    tk.Frame(card, bg=c.primary, height=px(5)).pack(fill="x")
    inside = theme.frame(card)
    inside.pack(padx=px(30), pady=px(26))
    return card, inside


def _block_keys(frame: tk.Frame) -> None:
    """Tab does not lead from it to what lies below."""
    for way_out in ("<<NextWindow>>", "<<PrevWindow>>"):
        frame.bind(way_out, lambda _event: "break")


def _focused_widget(widget: tk.Misc) -> tk.Misc | None:
    """The widget of ours that has the focus; the list of a combobox is none of them."""
    try:
        return widget.focus_get()
    except KeyError:
        return None
