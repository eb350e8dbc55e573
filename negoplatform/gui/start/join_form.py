"""Form with the address of a host and a code, to join a session from this window."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.refusals_for_translation import localized_refusal

WIDTH, AROUND = 460, 100
"""Width of the contents, and minimum by which the window is wider, for 96 dpi."""


class JoinForm:
    """Screen with the form.

    Args:
        theme: The window's theme.
        address: The address that is filled in.
        code: The code that is filled in.
        problem: The reason for which joining failed, a sentence; empty: none.
        announcer: Reports to UI tests what is shown.
        on_join: Called with the address and the code.
    """

    def __init__(
        self,
        theme: Theme,
        address: str,
        code: str,
        *,
        problem: str = "",
        announcer: UiTestAnnouncer,
        on_join: Callable[[str, str], None],
    ) -> None:
        self._theme, self._announcer, self._on_join = theme, announcer, on_join
        px, c, translate = theme.px, theme.colours, theme.translate
        width = min(WIDTH, round(theme.width) - AROUND)
        self.frame = theme.frame(theme.root, c.ground)
        card = theme.card(self.frame, 30)
        card.place(relx=0.5, rely=0.46, anchor="center")
        theme.label(card, translate("Join a session"), "big", wrap=width).pack(anchor=theme.west)
        theme.label(
            card,
            translate("The host of the session shows its address and a code for each window that joins."),
            "body",
            c.muted,
            wrap=width,
        ).pack(anchor=theme.west, pady=(px(4), px(8)))
        self._address = self._add_field(card, translate("Address of the host"), "join.address", address)
        self._code = self._add_field(card, translate("Code"), "join.code", code)
        if problem:
            theme.label(card, localized_refusal(problem, translate), "bold", c.danger, wrap=width).pack(
                anchor=theme.west, pady=(px(10), 0)
            )
        button = theme.button(card, translate("Join"), "Primary.TButton", self._submit)
        button.pack(anchor=theme.east, pady=(px(16), 0))
        announcer.register("join.join", button)
        self.focus_first()

    def focus_first(self) -> None:
        """Give the keyboard focus to the first field that has to be filled in."""
        field = self._code if self._address.get() else self._address
        field.focus_set()
        field.selection_range(0, "end")

    @property
    def entered(self) -> tuple[str, str]:
        """The address and the code as they are typed."""
        return self._address.get().strip(), self._code.get().strip()

    def _add_field(self, parent: tk.Misc, title: str, name: str, text: str) -> ttk.Entry:
        theme = self._theme
        theme.label(parent, title, "bold").pack(anchor=theme.west, pady=(theme.px(6), theme.px(3)))
        # An address and a code are written from left to right in any language.
        field = ttk.Entry(parent, font=theme.font("heading"), width=26)
        field.insert(0, text)
        field.pack(fill="x")
        for key in ("Return", "KP_Enter"):
            field.bind(f"<{key}>", lambda _event: self._submit())
        self._announcer.register(name, field)
        return field

    def _submit(self) -> None:
        address, code = self.entered
        if address and code:
            self._on_join(address, code)
        else:
            self.focus_first()
