"""Guard of the ticket's buttons: presses that mean something else by now, and trades at a loss. No Tk.

===================================  =================================================================
a press                              effect
===================================  =================================================================
of a button that gains, or whose     performed
gain is not known
of one that loses                    the button asks; a second press of it performs, anything else takes
                                     the question back
soon after the question              ignored: a double click, or a key that is held down
soon after the market has given the  not performed; the button is shown again
button another, worse meaning, or
has opened
soon after it has sent an order      ignored: a key or a button that was pressed twice
===================================  =================================================================
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto

from negoplatform.agent_api.mechanism_actions import PlaceOrder
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.market.ticket_view import ButtonKind, Notice, OrderButton, TicketView

UNREAD_SECONDS = 0.6
"""Seconds within which a new text of a button cannot have been read."""

OPENED_SECONDS = 1.0
"""Seconds after a phase has opened within which a press may have been meant for the one before."""

ANSWER_SECONDS = 2.0
"""Seconds within which a change of the own orders is the answer to an own act."""


class Verdict(Enum):
    """Result of a press."""

    PERFORM = auto()
    ASK = auto()
    IGNORE = auto()
    CHANGED = auto()


@dataclass(frozen=True, slots=True)
class ShownMeaning:
    """Part of a ticket that the market changes, not the participant.

    Args:
        book: The number of the book.
        side: To buy or to sell.
        quantity: The text of the quantity.
        replaces: The own order that a new one would take the place of.
        price: The price of a trade at once; None: there is no order to trade with.
        units: The units of a trade at once.
    """

    book: int
    side: OrderSide
    quantity: str
    replaces: int | None
    price: float | None
    units: int


class PressGuard:
    """Guard that decides on presses; everything that is shown is passed to it.

    Args:
        now: A monotonic clock in seconds.
    """

    def __init__(self, *, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._shown: ShownMeaning | None = None
        self._changed: dict[ButtonKind, float] = {}
        self._question: OrderButton | None = None
        self._pressed_at = float("-inf")
        self._acted_at = self._opened_at = float("-inf")
        self._performed: dict[ButtonKind, float] = {}
        self._phase = 0

    def on_shown(self, book: int, ticket: TicketView, *, phase: int = 0) -> bool:
        """Process what is shown from now on, in a phase by its number; 0: before the first one.

        Returns:
            Whether the market has taken a question back.
        """
        was_asked = self._question is not None
        if phase != self._phase:
            if self._phase:
                self._opened_at = self._now()
            self._phase, self._question, was_asked = phase, None, False
        self._note_changes(book, ticket)
        return was_asked and self._question is None

    def _note_changes(self, book: int, ticket: TicketView) -> None:
        """Find out which buttons do not mean any more what they did."""
        before, shown = self._shown, _meaning_of(book, ticket)
        self._shown = shown
        question = self._question
        if question is not None and not _is_same(question, _button(ticket, question.kind)):
            self._question = None
        if before is None or (before.book, before.side) != (book, shown.side):
            self._changed = {}
            return
        if before.replaces != shown.replaces:
            is_answer = self._now() - self._acted_at < ANSWER_SECONDS
            self._acted_at = float("-inf")
            if not is_answer:
                self._changed[ButtonKind.PLACE] = self._now()
        if before.quantity == shown.quantity and _is_worse(before, shown):
            self._changed[ButtonKind.TAKE] = self._now()

    def on_act(self) -> None:
        """Process that an order is sent or cancelled: what follows from it is expected."""
        self._acted_at, self._question = self._now(), None

    def take_back(self) -> bool:
        """Take the question back, as after a change by the participant; return whether there was one."""
        was_asked, self._question = self._question is not None, None
        self._performed = {}
        return was_asked

    def press(self, button: OrderButton, pressed_at: float) -> Verdict:
        """Return the result of a press.

        Args:
            button: The button as it was shown when it was pressed.
            pressed_at: When it was pressed, on the clock of this guard.
        """
        if 0 <= pressed_at - self._performed.get(button.kind, float("-inf")) < UNREAD_SECONDS:
            return Verdict.IGNORE
        has_changed = 0 <= pressed_at - self._changed.get(button.kind, float("-inf")) < UNREAD_SECONDS
        if has_changed or 0 <= pressed_at - self._opened_at < OPENED_SECONDS:
            self._question = None
            return Verdict.CHANGED
        verdict = self._verdict(button, pressed_at) if button.loss else Verdict.PERFORM
        if verdict is Verdict.PERFORM:
            self._performed[button.kind] = pressed_at
        return verdict

    def _verdict(self, button: OrderButton, pressed_at: float) -> Verdict:
        """Return the result of a press of a button that loses."""
        before, self._pressed_at = self._pressed_at, pressed_at
        question = self._question
        if question is None or not _is_same(question, button):
            self._question = button
            return Verdict.ASK
        return Verdict.IGNORE if pressed_at - before < UNREAD_SECONDS else Verdict.PERFORM

    def with_question(self, ticket: TicketView, translate: Language) -> TicketView:
        """Return the ticket as it is shown: with the question, if one is asked."""
        question = self._question
        if question is None:
            return ticket
        button = replace(question, text=translate("Yes, lose {loss}", loss=question.loss))
        notice = Notice(
            translate(
                "You’d lose {loss} by this. Press once more if you want it; Escape takes it back.",
                loss=question.loss,
            ),
            "bad",
        )
        if question.kind is ButtonKind.PLACE:
            return replace(ticket, place=button, notice=notice, problem="")
        return replace(ticket, take=button, notice=notice, problem="")


def changed_notice(translate: Language) -> Notice:
    """Return that a press came too soon after a change."""
    return Notice(
        translate("The market has just changed, so nothing was sent. Press again if you want this."), "bad"
    )


def _button(ticket: TicketView, kind: ButtonKind) -> OrderButton:
    return ticket.place if kind is ButtonKind.PLACE else ticket.take


def _is_same(asked: OrderButton, button: OrderButton) -> bool:
    """Return whether a button does what was asked about, at the same loss."""
    return (asked.kind, asked.actions, asked.loss) == (button.kind, button.actions, button.loss)


def _meaning_of(book: int, ticket: TicketView) -> ShownMeaning:
    taken = next((action for action in ticket.take.actions if isinstance(action, PlaceOrder)), None)
    return ShownMeaning(
        book,
        ticket.draft.side,
        ticket.draft.quantity,
        ticket.place.replaces,
        None if taken is None else taken.price,
        0 if taken is None else taken.quantity,
    )


def _is_worse(before: ShownMeaning, shown: ShownMeaning) -> bool:
    """Return whether a trade at once is possible only now, for more units, or at a worse price."""
    if shown.price is None:
        return False
    if before.price is None or shown.units > before.units:
        return True
    dearer = shown.price - before.price
    return dearer > 0 if shown.side is OrderSide.BID else dearer < 0
