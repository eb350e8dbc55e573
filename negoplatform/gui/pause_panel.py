"""What stands over the table while the session stands still, or is not there yet."""

from __future__ import annotations

import tkinter as tk

from negoplatform.gui.texts import drawable
from negoplatform.gui.theme import BACKGROUND, BLUE, CARD, LINE, MUTED, Theme

WORDS = "The negotiation is paused and the clock stands still; nothing is lost. Please tell the experimenter."

RESUMING = "The negotiation is being resumed …"

MEANWHILE = "The clock stands still meanwhile, and nothing is lost."

ADVICE = "Make room on that disk, or see why it cannot be written; then the negotiation goes on by itself."


class PausePanel:
    """A calm word in the middle; it takes the focus, so that no key reaches what lies below it.

    Args:
        parent: What it stands over.
        theme: Its looks.
        home: What gets the focus afterwards, unless something else had it before.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, home: tk.Misc) -> None:
        px = theme.px
        self._home = home
        self._focus: tk.Misc | None = None
        self.frame, inside = _edged(parent, theme)
        theme.label(inside, "Please wait a moment", "big").pack(anchor="w")
        words = theme.label(inside, WORDS, "heading")
        words.configure(wraplength=px(520), justify="left")
        words.pack(anchor="w", pady=px(14))
        tk.Frame(inside, bg=LINE, height=px(1)).pack(fill="x")
        theme.label(inside, "For the experimenter", "small", MUTED).pack(anchor="w", pady=(px(10), 0))
        self._reason = theme.label(inside, "", "small", MUTED)
        self._reason.configure(wraplength=px(520), justify="left")
        self._reason.pack(anchor="w", pady=(px(2), px(4)))

    @property
    def shown(self) -> bool:
        """Whether it stands there now."""
        return bool(self.frame.winfo_manager())

    def show(self, reason: str) -> bool:
        """Shows it, with the experimenter's sentence; whether there was anything new to show."""
        text = f"{drawable(reason)} {ADVICE}"
        if self.shown and self._reason.cget("text") == text:
            return False
        self._reason.configure(text=text)
        if not self.shown:
            self._focus = _focus_of(self.frame)
            self.frame.place(relx=0.5, rely=0.42, anchor="center")
            self.frame.tkraise()
            self.frame.focus_set()
        return True

    def hide(self) -> None:
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
        px = theme.px
        self.frame = theme.frame(parent, BACKGROUND)
        card, inside = _edged(self.frame, theme)
        card.place(relx=0.5, rely=0.42, anchor="center")
        theme.label(inside, "One moment, please", "big").pack(anchor="w")
        theme.label(inside, RESUMING, "heading").pack(anchor="w", pady=px(14))
        theme.label(inside, MEANWHILE, "body", MUTED).pack(anchor="w")
        for way_out in ("<<NextWindow>>", "<<PrevWindow>>"):
            self.frame.bind(way_out, lambda _event: "break")
        self.frame.place(relwidth=1, relheight=1)
        self.frame.focus_set()

    def close(self) -> None:
        """Takes it away for good; who gets the focus is for others to say."""
        self.frame.destroy()


def _edged(parent: tk.Misc, theme: Theme) -> tuple[tk.Frame, tk.Frame]:
    """A card that may stand over white ones, so that it needs an edge, and what goes into it."""
    px = theme.px
    card = tk.Frame(parent, bg=CARD, highlightthickness=px(1))
    card.configure(highlightbackground=MUTED, highlightcolor=MUTED)
    tk.Frame(card, bg=BLUE, height=px(5)).pack(fill="x")
    inside = theme.frame(card)
    inside.pack(padx=px(30), pady=px(26))
    return card, inside


def _focus_of(widget: tk.Misc) -> tk.Misc | None:
    """The widget of ours that has the focus; the list of a combobox is none of them."""
    try:
        return widget.focus_get()
    except KeyError:
        return None
