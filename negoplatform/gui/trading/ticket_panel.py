"""Trade ticket: with whom, what, for how much, what it does to the score, and the buttons that send it."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from tkinter import ttk
from typing import Any

from negoplatform.domain.seat_map import Seat
from negoplatform.gui.plots.seat_mark_picture import SeatMarkPictures
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.trading.unit_stepper import UnitStepper
from negoplatform.gui.widgets.flow_layout import FlowLayout
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.gui.widgets.widget_bound_callbacks import add_tag, bind_tag
from negoplatform.presentation.offers.offer_valuation import comparison_colour
from negoplatform.presentation.trading.trade_ticket import TicketGoodView, TradeTicketDraft, TradeTicketView

WIDTH, PADDING, EDGE = 384, 12, 4
"""Width of the ticket and its paddings, for 96 dpi."""

MARK = 12
"""Size of a seat's mark, for 96 dpi."""

HINT_LINES = 2
"""Lines reserved for what is missing or refused, so that the buttons never move."""

TicketChange = Callable[[TradeTicketDraft], TradeTicketDraft]
"""Edit of a ticket."""


@dataclass(frozen=True, slots=True)
class TradeTicketActions:
    """Callbacks of the ticket."""

    change: Callable[[TicketChange], None]
    propose: Callable[[], None]
    ask: Callable[[], None]
    clear: Callable[[], None]
    undo: Callable[[], None]
    redo: Callable[[], None]
    type_words: Callable[[str], None]


class TradeTicketPanel:
    """Card with the trade ticket; every edit is passed on at once.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        actions: Callbacks of the ticket.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, *, actions: TradeTicketActions) -> None:
        self._theme, self._actions = theme, actions
        self._marks = SeatMarkPictures(theme)
        self._shown: TradeTicketView | None = None
        self._others: dict[Seat, ttk.Button] = {}
        self._goods: dict[str, _GoodRow] = {}
        self.frame = theme.card(parent, PADDING)
        self.frame.columnconfigure(0, weight=1)
        # What is too much space goes to the end; what is too little is taken from the goods, which scroll.
        self.frame.rowconfigure(4, weight=1)
        self.frame.rowconfigure(11, weight=1000)
        px = theme.px
        self._inside = px(WIDTH - 2 * PADDING - 2 * EDGE)
        self.clear = self._make_head()
        self._answering = theme.label(self.frame, "", "small", theme.colours.primary, wrap=340)
        self._answering.grid(row=1, column=0, sticky=theme.west, padx=px(EDGE))
        self._flow = FlowLayout(self.frame, theme, gap=4)
        self._flow.frame.grid(row=2, column=0, sticky="ew", padx=px(EDGE), pady=(px(2), px(4)))
        self.buy, self.sell = self._make_sides()
        self._list = ScrolledFrame(self.frame, theme, width=WIDTH - 40, height=2000)
        self._list.frame.grid(row=4, column=0, sticky="nsew", pady=px(2))
        self.amount, self._amount_unit = self._make_amount()
        self._score, self._change, self._notes = self._make_score()
        self.propose, self.ask = self._make_buttons()
        self._hint = self._make_hint()
        self._tag = f"Ticket{self.frame}"
        for key, step in (
            ("<Control-z>", actions.undo),
            ("<Control-y>", actions.redo),
            ("<Control-Z>", actions.redo),
        ):
            bind_tag(self.frame, self._tag, key, partial(_done, step))
        add_tag(self.frame, self._tag)

    def show(self, view: TradeTicketView) -> None:
        """Show the ticket."""
        if view == self._shown:
            return
        self._shown = view
        self._show_others(view)
        self._answering.write(view.answering)
        self._set_shown(self._answering, bool(view.answering))
        for button, chosen in ((self.buy, view.buys), (self.sell, not view.buys)):
            _restyle(button, "Chosen.Toggle.TButton" if chosen else "Toggle.TButton")
            _enable(button, view.can_edit)
        for row in view.goods:
            self._show_good(row, view)
        less, more = view.step_amounts
        self.amount.show(
            view.amount,
            is_same=False,
            can_edit=view.can_edit,
            can_less=less != view.amount and view.amount != "",
            can_more=more != view.amount,
        )
        self._amount_unit.write(view.unit)
        self._show_score(view)
        _enable(self.propose, view.can_propose)
        _enable(self.ask, view.can_ask)
        _enable(self.clear, view.can_clear)
        translate = self._theme.translate
        clear = translate("Cancel") if view.can_cancel else translate("Clear")
        self._theme.set_button_text(self.clear, clear)
        c = self._theme.colours
        self._hint.write(view.problem or view.reason, c.danger if view.problem else c.muted)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name."""
        named: dict[str, tk.Misc] = {
            "ticket.clear": self.clear,
            **{f"ticket.with.{seat}": button for seat, button in self._others.items()},
            "ticket.buy": self.buy,
            "ticket.sell": self.sell,
        }
        for name, row in self._goods.items():
            named[f"ticket.{name}"] = row.stepper.entry
            named[f"ticket.{name}.less"] = row.stepper.less
            named[f"ticket.{name}.more"] = row.stepper.more
        return named | {
            "ticket.amount": self.amount.entry,
            "ticket.amount.less": self.amount.less,
            "ticket.amount.more": self.amount.more,
            "ticket.propose": self.propose,
            "ticket.ask": self.ask,
        }

    @property
    def has_focus(self) -> bool:
        """Whether a control of the ticket has the focus."""
        return str(self.frame.tk.call("focus")).startswith(f"{self.frame}.")

    @property
    def texts(self) -> tuple[str, str, str]:
        """The score line, the change and the hint, as they are shown."""
        return self._score.logical_text, self._change.logical_text, self._hint.logical_text

    # Building

    def _make_head(self) -> ttk.Button:
        theme = self._theme
        line = theme.frame(self.frame)
        line.grid(row=0, column=0, sticky="ew", padx=theme.padx(EDGE, 0))
        theme.label(line, theme.translate("Trade ticket"), "heading").pack(side=theme.start)
        clear = theme.button(
            line, theme.translate("Clear"), "Quiet.TButton", self._actions.clear, icon="clear"
        )
        clear.pack(side=theme.end)
        return clear

    def _make_sides(self) -> tuple[ttk.Button, ttk.Button]:
        theme, px = self._theme, self._theme.px
        line = theme.frame(self.frame)
        line.grid(row=3, column=0, sticky="ew", padx=px(EDGE), pady=(0, px(2)))
        line.columnconfigure((0, 1), weight=1, uniform="sides")
        buttons = []
        for index, (text, buys) in enumerate(
            ((theme.translate("I buy"), True), (theme.translate("I sell"), False))
        ):
            button = theme.button(line, text, "Toggle.TButton", partial(self._choose_side, buys))
            button.grid(
                row=0, column=theme.column(index, 2), sticky="ew", padx=theme.padx(0, 4 * (1 - index))
            )
            buttons.append(button)
        return buttons[0], buttons[1]

    def _make_amount(self) -> tuple[UnitStepper, BidiLabel]:
        theme, px = self._theme, self._theme.px
        theme.rule(self.frame).grid(row=5, column=0, sticky="ew", padx=px(EDGE), pady=px(3))
        line = theme.frame(self.frame)
        line.grid(row=6, column=0, sticky="ew", padx=px(EDGE))
        theme.label(line, theme.translate("Price for all of it"), "bold").pack(side=theme.start)
        unit = theme.label(line, "", "body", theme.colours.muted)
        unit.pack(side=theme.end, padx=theme.padx(4, 0))
        stepper = UnitStepper(
            line,
            theme,
            width=9,
            on_typed=lambda text: self._actions.change(lambda draft: draft.with_amount(text)),
            on_step=self._step_amount,
            on_enter=self._enter,
            on_words=self._actions.type_words,
        )
        stepper.frame.pack(side=theme.end)
        return stepper, unit

    def _make_score(self) -> tuple[BidiLabel, BidiLabel, BidiLabel]:
        theme, px = self._theme, self._theme.px
        line = theme.frame(self.frame)
        line.grid(row=7, column=0, sticky="ew", padx=px(EDGE), pady=(px(5), 0))
        theme.label(line, theme.translate("Your score"), "small", theme.colours.muted).pack(
            side=theme.start, padx=theme.padx(0, 8)
        )
        score = theme.label(line, "", "bold")
        score.pack(side=theme.start)
        change = theme.label(line, "", "heading")
        change.pack(side=theme.end)
        notes = theme.label(self.frame, "", "small", theme.colours.muted, wrap=350)
        notes.grid(row=8, column=0, sticky=theme.west, padx=px(EDGE))
        return score, change, notes

    def _make_buttons(self) -> tuple[ttk.Button, ttk.Button]:
        theme, px = self._theme, self._theme.px
        line = theme.frame(self.frame)
        line.grid(row=9, column=0, sticky="ew", padx=px(EDGE - 2), pady=(px(6), 0))
        line.columnconfigure(theme.column(0, 2), weight=1)
        propose = theme.button(
            line, theme.translate("Propose"), "Primary.TButton", self._actions.propose, icon="offer"
        )
        propose.grid(row=0, column=theme.column(0, 2), sticky="ew", padx=theme.padx(0, 6))
        ask = theme.button(line, theme.translate("Ask for an offer"), "Plain.TButton", self._actions.ask)
        ask.grid(row=0, column=theme.column(1, 2))
        return propose, ask

    def _make_hint(self) -> BidiLabel:
        theme, px = self._theme, self._theme.px
        place = theme.frame(self.frame)
        place.configure(height=HINT_LINES * theme.font("small").metrics("linespace"))
        place.grid(row=10, column=0, sticky="ew", padx=px(EDGE), pady=(px(3), 0))
        place.pack_propagate(False)
        hint = theme.label(place, "", "small", theme.colours.muted, wrap=350)
        hint.pack(anchor=theme.west)
        return hint

    # Showing

    def _show_others(self, view: TradeTicketView) -> None:
        theme = self._theme
        if len(view.others) == 1:
            self._flow.frame.grid_remove()
            return
        if not self._others:
            for seat, name, mark, _ in view.others:
                button = theme.button(
                    self._flow.frame, name, "Small.Toggle.TButton", partial(self._choose_other, seat)
                )
                if mark is not None:
                    picture = self._marks.get(mark, theme.px(MARK))
                    # Named for the disabled button too: Tk would draw it with holes.
                    images: Any = (picture, "disabled", picture)
                    button.configure(image=images, compound=theme.start)
                    theme.set_button_text(button, name)
                self._others[seat] = button
            _rove(list(self._others.values()), rtl=theme.rtl)
            self._flow.frame.update_idletasks()
            self._flow.lay_out(self._inside)
        chosen = view.other or view.others[0][0]
        for seat, _name, _mark, is_here in view.others:
            button = self._others[seat]
            style = "Chosen.Small.Toggle.TButton" if seat == view.other else "Small.Toggle.TButton"
            _restyle(button, style)
            _enable(button, view.can_edit and is_here)
            button.configure(takefocus=seat == chosen)

    def _show_good(self, row: TicketGoodView, view: TradeTicketView) -> None:
        if row.name not in self._goods:
            self._goods[row.name] = _GoodRow(
                self._list.inside,
                self._theme,
                row,
                on_typed=partial(self._type_units, row.name),
                on_step=partial(self._step_units, row.name),
                on_enter=self._enter,
                on_words=self._actions.type_words,
            )
            self._list.bind_scrolling(self._list.inside)
            add_tag(self._list.inside, self._tag)
        self._goods[row.name].show(row, can_edit=view.can_edit)

    def _show_score(self, view: TradeTicketView) -> None:
        colour = comparison_colour(view.versus, self._theme.colours) or self._theme.colours.ink
        self._score.write(view.score)
        self._change.write(view.change, colour)
        notes = "  ·  ".join(filter(None, (view.fee if view.change else "", view.locked)))
        self._notes.write(notes)
        self._set_shown(self._notes, bool(notes))

    @staticmethod
    def _set_shown(label: BidiLabel, shown: bool) -> None:
        if shown and not label.winfo_manager():
            label.grid()
        elif not shown and label.winfo_manager():
            label.grid_remove()

    # Edits

    def _choose_other(self, seat: Seat) -> None:
        self._actions.change(lambda draft: draft.with_other(seat))

    def _choose_side(self, buys: bool) -> None:
        self._actions.change(lambda draft: draft.with_side(buys=buys))

    def _type_units(self, good: str, text: str) -> None:
        bare = text.strip()
        if bare.isascii() and bare.isdigit():
            self._actions.change(lambda draft: draft.with_units(good, int(bare[:4])))
        elif not bare:
            self._actions.change(lambda draft: draft.with_units(good, 0))

    def _step_units(self, good: str, steps: int) -> None:
        most = None
        if self._shown is not None and steps > 0:
            row = next(row for row in self._shown.goods if row.name == good)
            most = row.units if not row.can_add else None
        self._actions.change(
            lambda draft: draft if most is not None else draft.with_units(good, draft.units_of(good) + steps)
        )

    def _step_amount(self, steps: int) -> None:
        for _ in range(abs(steps)):
            if self._shown is not None:
                amount = self._shown.step_amounts[steps > 0]
                self._actions.change(lambda draft, amount=amount: draft.with_amount(amount))  # type: ignore[misc]

    def _enter(self) -> None:
        """Propose what is on the ticket, or show in red why that is not possible."""
        if self._shown is None:
            return
        if self._shown.can_propose:
            self._actions.propose()
        elif self._shown.reason:
            self._hint.write(self._shown.reason, self._theme.colours.danger)


class _GoodRow:
    """Row of a good: its name, what the participant has, and a stepper.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        row: First contents.
        on_typed: Called with what was typed.
        on_step: Called with a number of steps.
        on_enter: Called when Return is pressed.
        on_words: Called with a letter that is typed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        row: TicketGoodView,
        *,
        on_typed: Callable[[str], None],
        on_step: Callable[[int], None],
        on_enter: Callable[[], None],
        on_words: Callable[[str], None],
    ) -> None:
        px = theme.px
        line = theme.frame(parent)
        line.pack(fill="x", padx=px(EDGE - 2), pady=px(1))
        theme.label(line, row.title, "bold").pack(side=theme.start)
        self.stepper = UnitStepper(
            line, theme, width=4, on_typed=on_typed, on_step=on_step, on_enter=on_enter, on_words=on_words
        )
        self.stepper.frame.pack(side=theme.end)
        self._held = theme.label(line, "", "small", theme.colours.muted)
        self._held.pack(side=theme.end, padx=theme.padx(4, 10))

    def show(self, row: TicketGoodView, *, can_edit: bool) -> None:
        """Show the units on the ticket, and what the participant has and would have."""
        self._held.write(row.held)
        typed = self.stepper.text.strip()
        same = (int(typed) if typed.isascii() and typed.isdigit() else 0) == row.units
        self.stepper.show(
            str(row.units),
            is_same=same,
            can_edit=can_edit,
            can_less=row.units > 0,
            can_more=row.can_add,
        )


def _done(step: Callable[[], None], _event: object) -> str:
    step()
    return "break"


def _rove(buttons: list[ttk.Button], *, rtl: bool) -> None:
    """Make buttons one Tab stop, between which the arrow keys move."""

    def move(_event: object, to: int) -> str:
        if 0 <= to < len(buttons):
            buttons[to].focus_set()
        return "break"

    on = -1 if rtl else 1
    for index, button in enumerate(buttons):
        button.bind("<Right>", partial(move, to=index + on))
        button.bind("<Left>", partial(move, to=index - on))


def _enable(button: ttk.Button, can_press: bool) -> None:
    state = "normal" if can_press else "disabled"
    if str(button.cget("state")) != state:
        button.configure(state=state)


def _restyle(button: ttk.Button, style: str) -> None:
    if str(button.cget("style")) != style:
        button.configure(style=style)
