"""Requests that wait for the other side's, with the seconds left."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import partial
from tkinter import ttk
from typing import NamedTuple

from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.presentation.trading.account_view import WaitingRequestView

PADDING, MOST_HEIGHT = 12, 140
"""Padding of the card, and the height from which its rows scroll, for 96 dpi."""


class RequestWidgets(NamedTuple):
    """Widgets of a request's row."""

    frame: tk.Frame
    text: BidiLabel
    seconds: BidiLabel
    call_off: ttk.Button | None


class RequestsPanel:
    """Card with a row for each waiting request; it is hidden while there are none.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        on_call_off: Called with the id of the proposal whose trade is called off.
        focus_home: Called when the focused button is removed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        on_call_off: Callable[[int], None],
        focus_home: Callable[[], None],
    ) -> None:
        self._theme, self._on_call_off, self._focus_home = theme, on_call_off, focus_home
        self._rows: dict[str, RequestWidgets] = {}
        px = theme.px
        self.frame = theme.card(parent, PADDING)
        theme.label(self.frame, theme.translate("Waiting for the other side"), "bold").pack(
            anchor=theme.west, padx=px(2)
        )
        self._list = ScrolledFrame(self.frame, theme, width=300, height=MOST_HEIGHT)
        self._list.frame.pack(fill="both", expand=True, pady=(px(2), 0))

    def show(self, views: tuple[WaitingRequestView, ...], *, can_act: bool) -> None:
        """Show the waiting requests."""
        wanted = {view.transaction_id for view in views}
        focus = str(self.frame.tk.call("focus"))
        for name in set(self._rows) - wanted:
            row = self._rows.pop(name)
            had_focus = focus.startswith(f"{row.frame}.")
            row.frame.destroy()
            if had_focus:
                self._focus_home()
        for view in views:
            if view.transaction_id not in self._rows:
                self._rows[view.transaction_id] = self._make_row(view)
                self._list.bind_scrolling(self._list.inside)
            row = self._rows[view.transaction_id]
            row.text.write(view.text)
            row.seconds.write(view.seconds)
            if row.call_off is not None:
                row.call_off.state(["!disabled" if can_act else "disabled"])

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the buttons by name."""
        return {
            f"request.{name}.call_off": row.call_off
            for name, row in self._rows.items()
            if row.call_off is not None
        }

    def _make_row(self, view: WaitingRequestView) -> RequestWidgets:
        theme, px = self._theme, self._theme.px
        line = theme.frame(self._list.inside)
        line.pack(fill="x", pady=px(1))
        call_off = None
        if view.proposal_id:
            call_off = theme.button(
                line,
                theme.translate("Call off"),
                "Small.Toggle.TButton",
                partial(self._on_call_off, view.proposal_id),
            )
            call_off.pack(side=theme.end)
        seconds = theme.label(line, "", "small_bold", theme.colours.warning)
        seconds.pack(side=theme.end, padx=px(6))
        text = theme.label(line, view.text, "small", wrap=210)
        text.pack(side=theme.start, padx=theme.padx(2, 0))
        return RequestWidgets(line, text, seconds, call_off)
