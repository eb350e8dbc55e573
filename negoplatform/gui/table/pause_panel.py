"""What stands over the table while the session stands still, or is not there yet."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.test_announcer import Announcer
from negoplatform.presentation.formatting import drawable

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
        home: tk.Misc,
        announcer: Announcer,
        before: Callable[[], None],
    ) -> None:
        px = theme.px
        self._home = home
        self._announcer, self._before = announcer, before
        self._focus: tk.Misc | None = None
        self.frame, inside = _edged(parent, theme)
        say, muted = theme.say, theme.colours.muted
        self._theme = theme
        theme.label(inside, say("Please wait a moment"), "big").pack(anchor=theme.west)
        paused = say(
            "The negotiation is paused and the clock is stopped. Nothing is lost. Please tell the "
            "experimenter."
        )
        theme.label(inside, paused, "heading", wrap=WIDTH).pack(anchor=theme.west, pady=px(14))
        theme.rule(inside).pack(fill="x")
        experimenter = theme.label(inside, say("For the experimenter"), "small", muted)
        experimenter.pack(anchor=theme.west, pady=(px(10), 0))
        self._reason = theme.label(inside, "", "small", muted, wrap=WIDTH)
        self._reason.pack(anchor=theme.west, pady=(px(2), px(4)))
        _hold_the_keys(self.frame)

    @property
    def shown(self) -> bool:
        """Whether it stands there now."""
        return bool(self.frame.winfo_manager())

    def follow(self, reason: str) -> None:
        """Stands there for as long as there is a reason, the experimenter's sentence."""
        if bool(reason) != self.shown:
            self._before()
        if reason and self._show(reason):
            self._announcer.tell("paused", reason=reason)
        elif self.shown and not reason:
            self._hide()
            self._announcer.tell("unpaused")

    def _show(self, reason: str) -> bool:
        """Shows it; whether there was anything new to show."""
        advice = self._theme.say(
            "Free up space on that disk, or check why it can’t be written to. The negotiation will "
            "then continue by itself."
        )
        text = f"{drawable(reason)} {advice}"
        if self.shown and self._reason.said == text:
            return False
        self._reason.write(text)
        if not self.shown:
            self._focus = _focus_of(self.frame)
            self.frame.place(relx=0.5, rely=0.42, anchor="center")
            self.frame.tkraise()
            self.frame.focus_set()
        return True

    def _hide(self) -> None:
        """Takes it away; the focus goes back to where it was."""
        self.frame.place_forget()
        before = self._focus
        (before if before is not None and before.winfo_exists() else self._home).focus_set()


class ResumingPanel:
    """Covers a table of which nothing is known yet: its controls are there, and would do nothing.

    Args:
        parent: What it stands over, from now on.
        theme: Its looks.
    """

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        px, say = theme.px, theme.say
        self.frame = theme.frame(parent, theme.colours.ground)
        card, inside = _edged(self.frame, theme)
        card.place(relx=0.5, rely=0.42, anchor="center")
        theme.label(inside, say("One moment, please"), "big").pack(anchor=theme.west)
        resuming = theme.label(inside, say("Resuming the negotiation…"), "heading", wrap=WIDTH)
        resuming.pack(anchor=theme.west, pady=px(14))
        meanwhile = say("The clock is stopped, and nothing is lost.")
        theme.label(inside, meanwhile, "body", theme.colours.muted, wrap=WIDTH).pack(anchor=theme.west)
        _hold_the_keys(self.frame)
        self.frame.place(relwidth=1, relheight=1)
        self.frame.focus_set()

    def close(self) -> None:
        """Takes it away for good; who gets the focus is for others to say."""
        self.frame.destroy()


def _edged(parent: tk.Misc, theme: Theme) -> tuple[tk.Frame, tk.Frame]:
    """A card that may stand over white ones, so that it needs an edge, and what goes into it."""
    px, c = theme.px, theme.colours
    card = tk.Frame(parent, bg=c.card, highlightthickness=max(1, px(1)))
    card.configure(highlightbackground=c.muted, highlightcolor=c.muted)
    tk.Frame(card, bg=c.primary, height=px(5)).pack(fill="x")
    inside = theme.frame(card)
    inside.pack(padx=px(30), pady=px(26))
    return card, inside


def _hold_the_keys(frame: tk.Frame) -> None:
    """Tab does not lead from it to what lies below."""
    for way_out in ("<<NextWindow>>", "<<PrevWindow>>"):
        frame.bind(way_out, lambda _event: "break")


def _focus_of(widget: tk.Misc) -> tk.Misc | None:
    """The widget of ours that has the focus; the list of a combobox is none of them."""
    try:
        return widget.focus_get()
    except KeyError:
        return None
