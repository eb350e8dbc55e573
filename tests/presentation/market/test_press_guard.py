"""Presses of the ticket's buttons that are asked about, held back or ignored."""

from __future__ import annotations

from typing import Any

from negoplatform.agent_api.mechanism_actions import PlaceOrder
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.market.press_guard import PressGuard, Verdict
from negoplatform.presentation.market.ticket_view import ButtonKind, TicketView
from tests.mechanisms.grain_market import OTHER
from tests.presentation.market.seen_market import SeenMarket


class Desk:
    """A market as a buyer sees it, with the guard of the ticket, on a clock that the test moves."""

    def __init__(self, **terms: Any) -> None:
        self.seen = SeenMarket(**terms)
        self.time = 100.0
        self.guard = PressGuard(now=lambda: self.time)
        self.look()

    def look(self, *, after: float = 0.0) -> TicketView:
        """Let time pass, and show what there is then."""
        self.time += after
        ticket = self.seen.view.ticket
        self.guard.on_shown(0, ticket)
        return self.guard.with_question(ticket, ENGLISH)

    def writes(self, price: str) -> TicketView:
        self.seen.writes(price)
        self.guard.take_back()
        return self.look()

    def press(self, kind: ButtonKind, *, after: float = 0.0) -> Verdict:
        """Press a button as it is shown, after some time."""
        ticket = self.look(after=after)
        return self.guard.press(ticket.place if kind is ButtonKind.PLACE else ticket.take, self.time)


def test_an_order_at_a_loss_is_placed_by_a_second_press_only() -> None:
    desk = Desk()
    desk.writes("120")

    first = desk.press(ButtonKind.PLACE, after=5)
    asked = desk.look()
    second = desk.press(ButtonKind.PLACE, after=1)

    assert (first, second) == (Verdict.ASK, Verdict.PERFORM)
    assert asked.place.text == "Yes, lose €10"
    assert asked.notice.text.startswith("You’d lose €10 by this.")


def test_a_key_that_is_held_down_never_answers_the_question() -> None:
    desk = Desk()
    desk.writes("120")

    verdicts = [desk.press(ButtonKind.PLACE, after=0.3) for _ in range(6)]

    assert verdicts == [Verdict.ASK, *[Verdict.IGNORE] * 5]


def test_another_price_or_another_button_takes_the_question_back() -> None:
    desk = Desk()
    desk.seen.table.ask(130)
    desk.writes("120")
    desk.press(ButtonKind.PLACE, after=5)

    other = desk.press(ButtonKind.TAKE, after=1)
    again = desk.press(ButtonKind.PLACE, after=1)
    desk.writes("121")
    anew = desk.press(ButtonKind.PLACE, after=1)

    assert (other, again, anew) == (Verdict.ASK, Verdict.ASK, Verdict.ASK)


def test_an_order_that_gains_is_placed_at_once() -> None:
    desk = Desk()
    desk.writes("90")

    assert desk.press(ButtonKind.PLACE) is Verdict.PERFORM


def test_a_dearer_price_that_has_just_come_up_is_not_bought_at() -> None:
    desk = Desk()
    cheap = desk.seen.table.ask(40)
    desk.seen.table.ask(45, seat=OTHER)
    desk.look(after=5)

    desk.seen.table.cancel(cheap)
    desk.look()
    soon, later = desk.press(ButtonKind.TAKE, after=0.2), desk.press(ButtonKind.TAKE, after=0.6)

    assert (soon, later) == (Verdict.CHANGED, Verdict.PERFORM)


def test_a_cheaper_price_is_no_reason_to_wait() -> None:
    desk = Desk()
    desk.seen.table.ask(45)
    desk.look()
    desk.look(after=5)

    desk.seen.table.ask(40, seat=OTHER)

    assert desk.press(ButtonKind.TAKE) is Verdict.PERFORM


def test_a_change_of_an_order_that_was_filled_is_no_new_order() -> None:
    desk = Desk(orders_per_seat=1)
    desk.seen.table.bid(80)
    desk.writes("90")
    changing = desk.look(after=5).place

    desk.seen.table.ask(80)
    placing = desk.look().place
    soon, later = desk.press(ButtonKind.PLACE, after=0.3), desk.press(ButtonKind.PLACE, after=0.6)

    assert (changing.text, placing.text) == ("Change bid to €90", "Place bid at €90")
    assert (soon, later) == (Verdict.CHANGED, Verdict.PERFORM)


def test_what_follows_from_an_own_order_holds_nothing_back() -> None:
    desk = Desk(orders_per_seat=1)
    desk.writes("80")
    (order,) = desk.look(after=5).place.actions
    assert isinstance(order, PlaceOrder)

    desk.guard.on_act()
    desk.seen.table.bid(80)
    desk.look(after=0.1)
    desk.writes("85")

    assert desk.press(ButtonKind.PLACE) is Verdict.PERFORM
