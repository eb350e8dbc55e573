"""Choice of who gets what the participant says, above the message field."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import disable_wheel
from negoplatform.gui.widgets.tooltip import Tooltip
from negoplatform.presentation.chat.address_view import Address, AddressView

CHARACTERS = 14
"""Width of the list in characters; longer names are cut off."""

LOCK = 14
"""Size of the lock, for 96 dpi."""


class AddressField:
    """List of recipients, and a sentence while not everyone is chosen.

    Args:
        parent: The parent of the field.
        theme: The window's theme.
        on_choose: Called with the chosen recipients.
        on_chosen: Called after the choice, when the list is closed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_choose: Callable[[Address], None],
        on_chosen: Callable[[], object],
    ) -> None:
        self._theme, self._on_choose, self._on_chosen = theme, on_choose, on_chosen
        self._shown: AddressView | None = None
        translate, c = theme.translate, theme.colours
        self.frame = theme.frame(parent)
        theme.label(self.frame, translate("To:"), "body", c.muted).pack(
            side=theme.start, padx=theme.padx(0, 6)
        )
        self.box = ttk.Combobox(
            self.frame, state="readonly", width=CHARACTERS, font=theme.font("body"), justify=theme.start
        )
        disable_wheel(self.box)
        set_accessible_name(self.box, "Combobox", translate("Who gets what you say"))
        self.box.bind("<<ComboboxSelected>>", lambda _event: self._chosen())
        self.box.pack(side=theme.start)
        Tooltip(theme, self.box, translate("Who gets what you say (F3)"), above=True)
        self._lock_picture = theme.icon("lock", c.primary, LOCK)
        self._lock = tk.Label(self.frame, image=self._lock_picture, bg=c.card, bd=0, padx=0, pady=0)
        self._note = theme.label(self.frame, "", "small_bold", c.primary)

    def show(self, view: AddressView) -> None:
        """Show the recipients that can be chosen, and those that are."""
        if view == self._shown:
            return
        self._shown = view
        theme = self._theme
        self.box.configure(values=[theme.visual_order(text) for _address, text in view.options])
        self.box.current(view.chosen)
        self.box.configure(state="readonly" if view.can_choose else "disabled")
        self._note.write(view.note)
        if view.note and not self._note.winfo_manager():
            self._lock.pack(side=theme.start, padx=theme.padx(10, 4))
            self._note.pack(side=theme.start)
        elif not view.note:
            self._lock.pack_forget()
            self._note.pack_forget()

    def open(self) -> None:
        """Open the list by keyboard."""
        if not self.box.instate(["disabled"]):
            self.box.focus_set()
            self.box.event_generate("<Down>")

    def _chosen(self) -> None:
        if self._shown is not None:
            self._on_choose(self._shown.options[self.box.current()][0])
        self._on_chosen()
