"""Ticket: side, price and quantity of the next order, what it would gain, and the buttons that place it."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from tkinter import ttk

from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.gui.market.number_field import STEP_KEYS, SteppedNumberField
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.widget_bound_callbacks import add_tag, bind_tag
from negoplatform.presentation.key_debounce import KeyDebounce
from negoplatform.presentation.market.ticket_view import OrderButton, TicketView, Tone

SHORTCUTS = 0x4 | 0x8
"""Control and Alt in the state of a key's event: with them, a letter is no side."""

NOTICE_LINES = 2
"""Lines that are reserved for what became of the last act, so that nothing below moves."""

LABEL = 74
"""Width of the labels of the fields, for 96 dpi."""


@dataclass(frozen=True, slots=True)
class TicketActions:
    """Callbacks of the ticket.

    Args:
        choose_side: Choose to buy or to sell.
        write_price, write_quantity: Change the text of a field.
        step_price, step_quantity: Change a number by steps.
        press: Do what a button says: the one that was shown when it was pressed; with the time of a
            monotonic clock at which it was. Returns whether an order was sent.
        take_back: Take a question back; return whether there was one.
    """

    choose_side: Callable[[OrderSide], object]
    write_price: Callable[[str], object]
    write_quantity: Callable[[str], object]
    step_price: Callable[[int], object]
    step_quantity: Callable[[int], object]
    press: Callable[[OrderButton, float], bool]
    take_back: Callable[[], bool]


class LatchedButton:
    """Button that keeps its text and its order while it is held down.

    What it does is what it said when it was pressed, even if the market moves before it is released.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        style: The style of the button.
        on_press: Called with the button's view, and the time at which it was pressed.
    """

    def __init__(
        self, parent: tk.Misc, theme: Theme, style: str, on_press: Callable[[OrderButton, float], object]
    ) -> None:
        self._theme, self._on_press = theme, on_press
        self._view = self._waiting = OrderButton("")
        self._is_held, self._held_since = False, 0.0
        self.button = theme.button(parent, "", style, self.press)
        self._style = style
        self.button.bind("<ButtonPress-1>", lambda _event: self._hold(), add="+")
        # After the button's own binding, which presses it.
        self.button.bind("<ButtonRelease-1>", lambda _event: self.button.after_idle(self._let_go), add="+")

    def show(self, view: OrderButton) -> None:
        """Show what the button would do; not before it is released, if it is held."""
        self._waiting = view
        if self._is_held or view == self._view:
            return
        self._view = view
        self._theme.set_button_text(self.button, view.text)
        state = "normal" if view.actions else "disabled"
        style = "Danger.TButton" if view.tone == "bad" and view.actions else self._style
        if (str(self.button.cget("state")), str(self.button.cget("style"))) != (state, style):
            self.button.configure(state=state, style=style)

    @property
    def why_not(self) -> str:
        """Reason why the button is disabled; empty where that is obvious."""
        return "" if self._view.actions else self._view.why

    def press(self) -> bool:
        """Do what the button says; return whether it can be pressed."""
        if self._view.actions:
            self._on_press(self._view, self._held_since if self._is_held else time.monotonic())
        return bool(self._view.actions)

    def _hold(self) -> None:
        self._is_held, self._held_since = True, time.monotonic()

    def _let_go(self) -> None:
        self._is_held = False
        self.show(self._waiting)


class TicketPanel:
    """The ticket; every change is passed on, and what is shown comes from the view.

    Keys in the ticket: B and S choose the side, the arrows change price and quantity, Enter places the order,
    and Ctrl+Enter trades at once.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        actions: Callbacks.
        room: Width for wrapped texts, for 96 dpi.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, actions: TicketActions, *, room: int) -> None:
        self._theme, self._actions = theme, actions
        self._shown: TicketView | None = None
        px, c = theme.px, theme.colours
        self.frame = theme.frame(parent)
        self._market = theme.label(self.frame, "", "small", c.muted, wrap=room)
        self._market.pack(anchor=theme.west)
        self.buy, self.sell = self._make_sides()
        self.price = SteppedNumberField(
            self._line(theme.translate("Price")),
            theme,
            on_typed=actions.write_price,
            on_step=actions.step_price,
        )
        self.price.frame.pack(side=theme.start)
        self._unit = theme.label(self.price.frame.master, "", "small", c.muted)
        self._unit.pack(side=theme.start, padx=px(6))
        self.quantity = SteppedNumberField(
            self._line(theme.translate("Quantity")),
            theme,
            on_typed=actions.write_quantity,
            on_step=actions.step_quantity,
            after_step=self.focus_price,
        )
        self.quantity.frame.pack(side=theme.start)
        self._advice = theme.label(self.frame, "", "bold", wrap=room)
        self._advice.pack(anchor=theme.west, pady=(px(4), 0))
        buttons = theme.frame(self.frame)
        buttons.pack(fill="x", pady=(px(4), 0))
        buttons.columnconfigure((0, 1), weight=1, uniform="buttons")
        self.place = LatchedButton(buttons, theme, "Primary.TButton", self._pressed)
        self.take = LatchedButton(buttons, theme, "Accept.TButton", self._pressed)
        self.place.button.grid(row=0, column=theme.column(0, 2), sticky="ew", padx=theme.padx(0, 6))
        self.take.button.grid(row=0, column=theme.column(1, 2), sticky="ew")
        self._at_once = theme.label(buttons, "", "small_bold", c.muted)
        self._at_once.grid(row=1, column=theme.column(0, 2))
        self._gain = theme.label(buttons, "", "small_bold")
        self._gain.grid(row=1, column=theme.column(1, 2))
        self._notice_area = theme.frame(self.frame)
        self._notice_area.configure(height=NOTICE_LINES * theme.font("small_bold").metrics("linespace"))
        self._notice_area.pack_propagate(False)
        self._notice_area.pack(fill="x", pady=(px(4), 0))
        self._notice = theme.label(self._notice_area, "", "small_bold", wrap=room)
        self._notice.pack(anchor=theme.west)
        self._tag = f"Ticket{self.frame}"
        self._enter = KeyDebounce()

    def show(self, view: TicketView) -> None:
        """Show the ticket; its fields are left alone while they say the same."""
        if view == self._shown:
            return
        self._shown = view
        self._market.write(view.market_price)
        self._unit.write(view.unit)
        for side, button in ((OrderSide.BID, self.buy), (OrderSide.ASK, self.sell)):
            style = "Chosen.Toggle.TButton" if view.draft.side is side else "Toggle.TButton"
            if str(button.cget("style")) != style:
                button.configure(style=style)
            state = "normal" if view.can_edit else "disabled"
            if str(button.cget("state")) != state:
                button.configure(state=state)
        self.price.show(view.draft.price, can_edit=view.can_edit)
        self.quantity.show(view.draft.quantity, can_edit=view.can_edit)
        self._advice.write(view.advice, self._tone_colour(view.tone))
        self.place.show(view.place)
        self.take.show(view.take)
        self._at_once.write(view.place.gain)
        self._gain.write(view.take.gain, self._tone_colour(view.take.tone))
        if view.problem:
            self._notice.write(view.problem, self._theme.colours.warning)
        else:
            self._notice.write(view.notice.text, self._tone_colour(view.notice.tone))

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name."""
        return {
            "ticket.buy": self.buy,
            "ticket.sell": self.sell,
            **self.price.widgets("ticket.price"),
            **self.quantity.widgets("ticket.quantity"),
            "ticket.place": self.place.button,
            "ticket.take": self.take.button,
        }

    @property
    def can_edit(self) -> bool:
        """Whether the ticket can be changed."""
        return self._shown is not None and self._shown.can_edit

    def focus_price(self) -> None:
        """Put the focus into the price, whose text is selected."""
        self.price.focus()

    # Building

    def _make_sides(self) -> tuple[ttk.Button, ttk.Button]:
        theme, actions = self._theme, self._actions
        line = theme.frame(self.frame)
        line.pack(fill="x", pady=(theme.px(4), 0))
        line.columnconfigure((0, 1), weight=1, uniform="sides")

        def choose(side: OrderSide) -> None:
            actions.choose_side(side)
            self.focus_price()

        buy = theme.button(line, theme.translate("Buy"), "Toggle.TButton", lambda: choose(OrderSide.BID))
        sell = theme.button(line, theme.translate("Sell"), "Toggle.TButton", lambda: choose(OrderSide.ASK))
        buy.grid(row=0, column=theme.column(0, 2), sticky="ew", padx=theme.padx(0, 6))
        sell.grid(row=0, column=theme.column(1, 2), sticky="ew")
        return buy, sell

    def _line(self, label: str) -> tk.Frame:
        theme = self._theme
        line = theme.frame(self.frame)
        line.pack(fill="x", pady=(theme.px(4), 0))
        room = theme.frame(line)
        room.configure(width=theme.px(LABEL), height=theme.px(24))
        room.pack_propagate(False)
        room.pack(side=theme.start)
        theme.label(room, label, "body").pack(side=theme.start)
        return line

    def bind_keys(self) -> None:
        """Bind the keys of the ticket, ahead of all other bindings of its controls."""

        def letter(side: OrderSide) -> Callable[[tk.Event[tk.Misc]], str | None]:
            def pressed(event: tk.Event[tk.Misc]) -> str | None:
                if int(event.state) & SHORTCUTS or self._shown is None or not self._shown.can_edit:
                    return None
                self._actions.choose_side(side)
                self.focus_price()
                return "break"

            return pressed

        def arrow(steps: int) -> Callable[[tk.Event[tk.Misc]], str | None]:
            def pressed(event: tk.Event[tk.Misc]) -> str | None:
                # A field steps its own number.
                if isinstance(event.widget, ttk.Entry) or self._shown is None or not self._shown.can_edit:
                    return None
                self._actions.step_price(steps)
                return "break"

            return pressed

        for key, side in (("b", OrderSide.BID), ("s", OrderSide.ASK)):
            for name in (key, key.upper()):
                bind_tag(self.frame, self._tag, f"<Key-{name}>", letter(side))
        for key, steps in STEP_KEYS.items():
            bind_tag(self.frame, self._tag, f"<{key}>", arrow(steps))
        bind_tag(self.frame, self._tag, "<Control-Return>", lambda event: self._press(self.take, event))
        bind_tag(
            self.frame, self._tag, "<KeyRelease-Return>", lambda event: self._enter.on_release(event.time)
        )
        # A release is not reported here once the focus is elsewhere.
        bind_tag(self.frame, self._tag, "<FocusIn>", lambda _event: self._enter.reset())
        bind_tag(self.frame, self._tag, "<Escape>", lambda _event: self._take_back())
        add_tag(self.frame, self._tag)
        for entry in (self.price.entry, self.quantity.entry):
            entry.bind("<Return>", lambda event: self._press(self.place, event))

    def _pressed(self, button: OrderButton, at: float) -> None:
        """Do what a button says; the next price that is typed takes the place of the one that was sent."""
        if self._actions.press(button, at):
            self.focus_price()
        elif str(self.frame.tk.call("focus")) == str(self.price.entry):
            self.price.select()

    def _take_back(self) -> str | None:
        return "break" if self._actions.take_back() else None

    def _press(self, button: LatchedButton, event: tk.Event[tk.Misc]) -> str:
        """Press a button by a key, once while the key is held down, or say why it cannot be pressed."""
        if not self._enter.is_new_press(event.time):
            return "break"
        if not button.press() and button.why_not:
            self._notice.write(button.why_not, self._theme.colours.warning)
            if str(self.frame.tk.call("focus")) == str(self.price.entry):
                self.price.select()
        return "break"

    def _tone_colour(self, tone: Tone) -> str:
        c = self._theme.colours
        return {"plain": c.ink, "good": c.accept, "bad": c.danger}[tone]
