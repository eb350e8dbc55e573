"""Card of one proposal, with the buttons that answer it."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from tkinter import ttk

from negoplatform.gui.plots.seat_mark_picture import SeatMarkPictures
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.flow_layout import FlowLayout
from negoplatform.presentation.offers.offer_valuation import comparison_colour
from negoplatform.presentation.trading.proposal_cards import ProposalCardView

MARK, STRIPE = 12, 4
"""Size of a seat's mark, and width of the stripe at the side, for 96 dpi."""

SETTLE_SECONDS = 0.6
"""Seconds for which the buttons of a card that has moved take no click: it was meant for another card.

Those of a card whose buttons have changed take none until clicks have paused for so long: the further clicks
of an impatient person on Accept must not call the trade off.
"""


@dataclass(frozen=True, slots=True)
class ProposalCardActions:
    """Callbacks of the buttons on cards, called with the proposal's id."""

    confirm: Callable[[int], None]
    counter: Callable[[int], None]
    decline: Callable[[int], None]


class ProposalCard:
    """Card with a proposal: its maker, its terms, its effect on the score, and its buttons.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        view: First contents.
        marks: Pictures of the seats' marks.
        actions: Callbacks of the buttons.
        focus_home: Called when the focused button is removed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        view: ProposalCardView,
        *,
        marks: SeatMarkPictures,
        actions: ProposalCardActions,
        focus_home: Callable[[], None],
    ) -> None:
        self._theme, self._actions, self._focus_home = theme, actions, focus_home
        self._shown: ProposalCardView | None = None
        self._width = theme.px(300)
        self._top: int | None = None
        self._moved_at = self._changed_at = float("-inf")
        self._pressed_ms, self._held, self._has_changed = 0, "", False
        self.buttons: dict[str, ttk.Button] = {}
        """The buttons: ``accept``, ``counter`` and ``decline``, as far as there are any."""
        px = theme.px
        self.frame = ttk.Frame(parent, style="Line.TFrame", padding=px(6))
        self._stripe = tk.Frame(self.frame, width=px(STRIPE), bd=0)
        self._stripe.pack(side=theme.start, fill="y", padx=theme.padx(2, 0), pady=px(2))
        body = theme.frame(self.frame)
        body.pack(side=theme.start, fill="both", expand=True, padx=px(8))
        head = theme.frame(body)
        head.pack(fill="x")
        if view.mark is not None:
            mark = tk.Label(head, image=marks.get(view.mark, px(MARK)), bg=theme.colours.card, bd=0)
            mark.pack(side=theme.start, padx=theme.padx(0, 5))
        self._heading = theme.label(head, "", "small", theme.colours.muted)
        self._heading.pack(side=theme.start)
        self._terms = theme.label(body, "", "bold", wrap=300)
        self._terms.pack(anchor=theme.west)
        self._effect = theme.label(body, "", "small_bold")
        self._hint = theme.label(body, "", "small", theme.colours.muted, wrap=300)
        self._flow = FlowLayout(body, theme, gap=6)
        self.frame.bind("<Configure>", self._placed)
        self.show(view)

    def show(self, view: ProposalCardView) -> None:
        """Show the proposal as it is now."""
        if view == self._shown:
            return
        before, self._shown = self._shown, view
        c = self._theme.colours
        colour = comparison_colour(view.versus, c)
        self._stripe.configure(bg=colour or c.line)
        live = view.state.is_live and (view.has_controls or bool(view.effect))
        self._heading.write(view.heading)
        self._terms.write(view.terms, c.ink if live else c.muted)
        self._effect.write(view.effect, colour or c.ink)
        self._hint.write(view.problem or view.hint, c.danger if view.problem else c.muted)
        if before is None or _labels(before) != _labels(view):
            if before is not None:
                self._changed_at, self._has_changed = time.monotonic(), True
            self._build_buttons(view)
        for name, enabled in (("accept", view.can_accept), ("counter", True), ("decline", True)):
            button = self.buttons.get(name)
            if button is not None:
                button.state(["!disabled" if enabled else "disabled"])
        self._pack()

    def wrap(self, width: int) -> None:
        """Wrap the texts for a card of a width in pixels."""
        inside = width - self._theme.px(STRIPE + 16 + 16)
        if inside == self._width or inside < self._theme.px(60):
            return
        self._width = inside
        for label in (self._terms, self._hint, self._heading):
            label.wrap_to(inside)
        if self.buttons:
            self._flow.lay_out(inside)

    @property
    def texts(self) -> tuple[str, str, str, str]:
        """Heading, terms, effect and hint, as they are shown."""
        labels = (self._heading, self._terms, self._effect, self._hint)
        return labels[0].logical_text, labels[1].logical_text, labels[2].logical_text, labels[3].logical_text

    def note_moved(self) -> None:
        """Take no click for a moment: the buttons are new, or elsewhere than they were."""
        self._moved_at = time.monotonic()

    def _placed(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is self.frame and event.y != self._top:
            self._top = event.y
            self.note_moved()

    def _build_buttons(self, view: ProposalCardView) -> None:
        had_focus = str(self.frame.tk.call("focus")).startswith(f"{self._flow.frame}.")
        for button in self.buttons.values():
            button.destroy()
        self.buttons = {}
        number = view.proposal_id
        style = "Card.Danger.TButton" if view.lowers else "Card.Accept.TButton"
        if view.accept:
            self._add("accept", view.accept, style, partial(self._actions.confirm, number), "check")
        if view.counter:
            self._add("counter", view.counter, "Toggle.TButton", partial(self._actions.counter, number))
        if view.decline:
            self._add("decline", view.decline, "Toggle.TButton", partial(self._actions.decline, number))
        # At its own side: what withdraws or declines is never where a button that binds was a moment ago.
        self._flow.at_end = self.buttons.get("decline")
        if self.buttons:
            self._flow.frame.update_idletasks()
            # No event follows about a width that the layout has already.
            has = self._flow.frame.winfo_width()
            self._flow.lay_out(has if has > 1 else self._width)
        if had_focus:
            self._focus_home()

    def _add(self, name: str, text: str, style: str, press: Callable[[], None], icon: str = "") -> None:
        button = self._theme.button(self._flow.frame, text, style, press, icon=icon)
        button.bind("<ButtonPress-1>", self._press)
        button.bind("<ButtonRelease-1>", lambda _event: self._release(button))
        self.buttons[name] = button

    def _press(self, event: tk.Event[tk.Misc]) -> str | None:
        now = time.monotonic()
        # By the times of the clicks too: a busy window takes them up later than they were made.
        pause = (event.time - self._pressed_ms) / 1000
        self._pressed_ms, self._held = event.time, ""
        if now - self._changed_at < SETTLE_SECONDS or (self._has_changed and pause < SETTLE_SECONDS):
            self._changed_at = now
            return "break"
        self._has_changed = False
        if now - self._moved_at < SETTLE_SECONDS:
            return "break"
        self._held = str(event.widget)
        return None

    def _release(self, button: ttk.Button) -> str | None:
        if str(button) == self._held:
            return None
        # Tk takes a button for pressed that comes under a pointer that is held down.
        button.state(["!pressed"])
        return "break"

    def _pack(self) -> None:
        """Pack what is not empty, in its order."""
        px = self._theme.px
        for widget in (self._effect, self._hint, self._flow.frame):
            widget.pack_forget()
        for label in (self._effect, self._hint):
            if label.logical_text:
                label.pack(anchor=self._theme.west)
        if self.buttons:
            self._flow.frame.pack(fill="x", pady=(px(4), px(1)))


def _labels(view: ProposalCardView) -> tuple[str, str, str, bool]:
    return view.accept, view.decline, view.counter, view.lowers
