"""Buttons of the offer builder that ask the other side for an offer."""

from __future__ import annotations

from collections.abc import Callable
from tkinter import Misc

from negoplatform.core.events import Message
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.timers import Ticker
from negoplatform.gui.widgets.tooltip import Tooltip
from negoplatform.presentation.bargaining.offer_request_view import OfferRequest, OfferRequestsView

GAP, ROW_GAP = 6, 4
"""Gaps between the buttons side by side, and one below the other, in pixels at 96 dpi."""

SENT_MS = 2_000
"""Milliseconds for which a pressed button is marked: as long as a second press is no second request."""

STYLE, SENT_STYLE = "Small.Toggle.TButton", "Chosen.Small.Toggle.TButton"


class OfferRequestButtons:
    """Two quiet buttons; each sends its message at once, and is marked for a moment.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        on_send: Called with the message.
    """

    def __init__(self, parent: Misc, theme: Theme, *, on_send: Callable[[Message], None]) -> None:
        self._theme, self._on_send = theme, on_send
        self.frame = theme.frame(parent)
        self.frame.columnconfigure((0, 1), weight=1)
        self.in_return = _RequestButton(self.frame, theme, on_send)
        self.fairer = _RequestButton(self.frame, theme, on_send)
        self._width = 0

    def show(self, view: OfferRequestsView) -> None:
        """Show the requests that can be sent now."""
        self.in_return.show(view.in_return)
        self.fairer.show(view.fairer)
        if self._width:
            self.place(self._width)

    def place(self, width: int) -> None:
        """Place the buttons side by side in a width in pixels, or one below the other if they don't fit."""
        self._width = width
        theme, (first, second) = self._theme, (self.in_return.button, self.fairer.button)
        side_by_side = first.winfo_reqwidth() + second.winfo_reqwidth() + theme.px(GAP) <= width
        if side_by_side:
            first.grid(
                row=0, column=theme.column(0, 2), columnspan=1, sticky="ew", padx=theme.padx(0, GAP), pady=0
            )
            second.grid(row=0, column=theme.column(1, 2), columnspan=1, sticky="ew", pady=0)
        else:
            first.grid(row=0, column=0, columnspan=2, sticky="ew", padx=0, pady=0)
            second.grid(row=1, column=0, columnspan=2, sticky="ew", pady=(theme.px(ROW_GAP), 0))

    def widgets(self) -> dict[str, Misc]:
        """Return the buttons by name, for scripts and tests that drive the window."""
        return {"ask_in_return": self.in_return.button, "ask_fairer": self.fairer.button}


class _RequestButton:
    """Button of one request, with its tooltip."""

    def __init__(self, parent: Misc, theme: Theme, on_send: Callable[[Message], None]) -> None:
        self._theme, self._on_send = theme, on_send
        self._request: OfferRequest | None = None
        self.button = theme.button(parent, "", STYLE, self._press)
        self._tooltip = Tooltip(theme, self.button, "", above=True)
        self._unmark = Ticker(self.button, lambda: self.button.configure(style=STYLE))

    def show(self, request: OfferRequest) -> None:
        if request == self._request:
            return
        if self._request is None or request.label != self._request.label:
            self._theme.set_button_text(self.button, request.label)
            set_accessible_name(self.button, "Button", request.label)
        self._request, self._tooltip.words = request, request.hint
        self.button.configure(state="disabled" if request.message is None else "normal")

    def _press(self) -> None:
        """Send the message that was shown when the button was pressed."""
        if self._request is None or self._request.message is None:
            return
        self.button.configure(style=SENT_STYLE)
        self._unmark.schedule(SENT_MS)
        self._on_send(self._request.message)
