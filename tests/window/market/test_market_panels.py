"""The panels of a market in a real window, while the others' orders come and go."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from negoplatform.core.mechanisms.double_auction_state import (
    OrderCancelled,
    OrderPlaced,
    double_auction_state,
)
from negoplatform.core.mechanisms.market_terms import DecisionField, MarketPeriods, MarketPhase
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.domain.game import GameSpec
from negoplatform.gui.market.market_workbench import MarketWorkbench
from negoplatform.presentation.appearance import Appearance
from tests.mechanisms.grain_market import OTHER, SELLER, grain_market
from tests.window.table.several_window import SeveralWindow
from tests.x_server import Screen

pytestmark = pytest.mark.window

OPEN = Callable[..., SeveralWindow]


@pytest.fixture
def open_window(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> Iterator[OPEN]:
    """Function that opens the window of a buyer in a market that has begun."""
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    opened: list[SeveralWindow] = []

    def begin(game: GameSpec | None = None, **options: Any) -> SeveralWindow:
        game = game or grain_market(periods=MarketPeriods(seconds=600))
        opened.append(SeveralWindow(game, workbench=MarketWorkbench(), **options))
        opened[-1].run()
        return opened[-1]

    yield begin
    for window in opened:
        window.close()


def asks(window: SeveralWindow, price: float, *, seat: str = SELLER, **more: Any) -> int:
    """Let a seat offer a unit; return the order's id."""
    order = OrderPlaced(OrderSide.ASK, price, **more)
    placed = window.table.session.act(seat, "PLACE_ORDER", order)
    window.run()
    return placed.seq


def withdraws(window: SeveralWindow, order_id: int, *, seat: str = SELLER) -> None:
    """Let a seat take an order back."""
    window.table.session.act(seat, "CANCEL_ORDER", OrderCancelled(order_id))
    window.run()


def text_of(window: SeveralWindow, name: str) -> str:
    """Return the text of a button."""
    return str(window.widgets[name].cget("text")).strip()


def field_text(window: SeveralWindow, name: str) -> str:
    """Return the text of a field."""
    entry = window.widgets[name]
    assert isinstance(entry, tk.Entry)
    return entry.get()


def types_price(window: SeveralWindow, text: str) -> None:
    """Type a price into the ticket."""
    entry = window.widgets["ticket.price"]
    assert isinstance(entry, tk.Entry)
    entry.focus_set()
    entry.delete(0, "end")
    entry.insert("end", text)
    window.run()


def own_orders(window: SeveralWindow) -> list[Any]:
    """Return the orders that the participant has placed."""
    placed = [event for event in window.table.events if event.type == "PLACE_ORDER"]
    return [event.payload for event in placed if event.sender == "buyer"]


def test_a_button_that_is_held_down_keeps_the_price_that_it_names(open_window: OPEN) -> None:
    window = open_window()
    first = asks(window, 41)
    take = window.widgets["ticket.take"]

    take.event_generate("<Enter>")
    take.event_generate("<ButtonPress-1>", x=5, y=5)
    window.run()
    withdraws(window, first)
    asks(window, 43, seat=OTHER)
    held = text_of(window, "ticket.take")
    take.event_generate("<ButtonRelease-1>", x=5, y=5)
    window.run()

    assert held == "Buy at €41"
    assert not own_orders(window), "the order was refused, so it is not in the log as an order"
    assert "Nobody sells at €41 any more, so nothing was bought." in window.all_texts
    assert text_of(window, "ticket.take") == "Buy at €43"


def test_a_busy_book_leaves_draft_and_focus_alone_and_draws_no_row_anew(open_window: OPEN) -> None:
    window = open_window()
    types_price(window, "3")
    asks(window, 50)
    book = window.widgets["book"]
    assert isinstance(book, tk.Canvas)
    items = [item for item in book.find_all() if "between" not in book.gettags(item)]

    for price in range(51, 71):
        order = OrderPlaced(OrderSide.ASK, price)
        placed = window.table.session.act(OTHER, "PLACE_ORDER", order)
        window.run(0.05)
        window.table.session.act(OTHER, "CANCEL_ORDER", OrderCancelled(placed.seq))
        window.run(0.05)

    assert field_text(window, "ticket.price") == "3"
    assert str(window.theme.root.focus_get()) == str(window.widgets["ticket.price"])
    assert [item for item in book.find_all() if "between" not in book.gettags(item)] == items


def test_the_ticket_stays_when_the_window_changes_its_colours(open_window: OPEN) -> None:
    window = open_window()
    types_price(window, "37")

    window.theme.apply_appearance(Appearance(theme="dark"))
    window.screen.rebuild()
    window.run()

    assert field_text(window, "ticket.price") == "37"
    assert window.session.drafts[-1]["work"]["tickets"][0]["price"] == "37"


def test_each_condition_has_a_book_and_a_ticket_of_its_own(open_window: OPEN) -> None:
    game = grain_market(periods=MarketPeriods(seconds=600), conditions=("rain", "sun"))
    window = open_window(game)
    asks(window, 60, good="grain", condition="sun")
    types_price(window, "12")

    window.press_button("book.1")
    other_book = text_of(window, "ticket.take")
    other_price = field_text(window, "ticket.price")
    window.press_button("ticket.take")
    window.press_button("book.0")

    assert (other_book, other_price) == ("Buy at €60", "")
    assert field_text(window, "ticket.price") == "12"
    assert [(order.condition, order.price) for order in own_orders(window)] == [("sun", 60)]


def test_a_click_on_a_row_puts_its_price_into_the_ticket(open_window: OPEN) -> None:
    window = open_window()
    asks(window, 44)
    workbench = window.workbench
    assert isinstance(workbench, MarketWorkbench)
    place = workbench.newest_act_place()
    assert place is not None
    book = window.widgets["book"]

    x, y = place[0] - book.winfo_rootx(), place[1] - book.winfo_rooty()
    book.event_generate("<ButtonPress-1>", x=x, y=y)
    book.event_generate("<ButtonRelease-1>", x=x, y=y)
    window.run()

    assert field_text(window, "ticket.price") == "44"
    assert not own_orders(window)
    assert str(window.theme.root.focus_get()) == str(window.widgets["ticket.price"])


@pytest.mark.parametrize("size", [(1280, 800), (1024, 640), (800, 600)])
def test_what_places_orders_is_inside_the_window(open_window: OPEN, size: tuple[int, int]) -> None:
    window = open_window(replace(grain_market(periods=MarketPeriods(seconds=600))), size=size)
    asks(window, 44)

    for name in ("ticket.buy", "ticket.price", "ticket.quantity", "ticket.place", "ticket.take"):
        widget = window.widgets[name]
        bottom = widget.winfo_rooty() + widget.winfo_height()
        right = widget.winfo_rootx() + widget.winfo_width()
        root = window.theme.root
        assert widget.winfo_viewable(), name
        assert bottom <= root.winfo_rooty() + root.winfo_height(), name
        assert right <= root.winfo_rootx() + root.winfo_width(), name


def test_enter_that_is_held_down_places_one_order(open_window: OPEN) -> None:
    window = open_window(grain_market(orders_per_seat=3))
    types_price(window, "7")
    price = window.widgets["ticket.price"]

    for _ in range(2):
        for repetition in range(2):  # X waits longer for the first one than a double click takes
            price.event_generate("<Return>", time=1000 * repetition + 10)
            window.run(0.6)
            price.event_generate("<KeyRelease-Return>", time=1000 * repetition + 1005)
        price.event_generate("<KeyRelease-Return>", time=90_000)

    assert [order.price for order in own_orders(window)] == [7, 7]


def test_enter_that_is_held_down_in_a_form_does_not_decide(open_window: OPEN) -> None:
    fields = (DecisionField("first"), DecisionField("second"))
    window = open_window(
        grain_market(periods=MarketPeriods(), phases=(MarketPhase("guess", 600, decide=fields),))
    )
    entries = [window.widgets[f"decision.{field.name}"] for field in fields]
    for entry in entries:
        entry.focus_force()
        entry.insert(0, "7")  # type: ignore[attr-defined]  # an entry, as all of these
        window.run()
    entries[0].focus_force()
    window.run(0.7)

    for repetition in range(5):
        focused = window.widgets["decide"].focus_get()
        assert focused is not None
        focused.event_generate("<Return>", time=1000 * repetition + 10)
        window.run(0.1)
        focused.event_generate("<KeyRelease-Return>", time=1000 * repetition + 1005)
    held = [event for event in window.table.events if event.type == "DECIDE"]
    for _ in range(2):
        focused = window.widgets["decide"].focus_get()
        assert focused is not None
        focused.event_generate("<KeyRelease-Return>", time=90_000)
        focused.event_generate("<Return>", time=95_000)
        window.run(0.7)

    assert held == []
    assert len([event for event in window.table.events if event.type == "DECIDE"]) == 1


def test_a_form_takes_nothing_that_was_typed_before_it_appeared_and_no_refused_number(
    open_window: OPEN,
) -> None:
    phases = (
        MarketPhase("trade", 60, trade=True),
        MarketPhase("guess", 600, decide=(DecisionField("first", low=10, high=99),)),
    )
    window = open_window(grain_market(periods=MarketPeriods(), phases=phases))
    window.press("F4", "Key-4")

    window.table.wait(61)
    window.run()
    window.press("Key-5")
    presses_enter(window)
    early = field_text(window, "decision.first"), has_focus(window, "decision.first")
    window.run(0.7)
    window.press("Key-5")
    presses_enter(window)
    refused = has_focus(window, "decision.first")
    window.press("Key-2", "Key-0")
    presses_enter(window)
    at_button = has_focus(window, "decide")
    presses_enter(window)
    fast = [event for event in window.table.events if event.type == "DECIDE"]
    window.run(0.6)
    presses_enter(window)

    assert early == ("", True)
    assert refused
    assert at_button
    assert fast == []
    assert len([event for event in window.table.events if event.type == "DECIDE"]) == 1


def test_a_market_without_talk_shows_no_message_field_and_takes_no_keys_for_one(open_window: OPEN) -> None:
    game = grain_market(periods=MarketPeriods(seconds=600))
    window = open_window(replace(game, rules=replace(game.rules, talk=False)))
    shown = set(window.widgets)
    number = asks(window, 50)
    window.widgets["ticket.sell"].event_generate("<ButtonRelease-1>")
    window.widgets["transcript"].event_generate("<Key-a>")
    window.run()

    assert not shown & {"entry", "send", "phrases", "to", "emotion.happy", "emotion.duration"}
    assert {"transcript", "ticket.price"} <= shown
    assert number in double_auction_state(window.table.state).books[0]
    assert [event for event in window.table.events if event.type in ("TYPING", "ACTION_REFUSED")] == []


def test_a_decision_can_be_made_with_the_largest_text(open_window: OPEN) -> None:
    fields = tuple(DecisionField(f"value_{n}", low=0, high=100, label=f"Worth {n}") for n in range(4))
    phase = MarketPhase("declare", 600, text="Declare what it is worth. " * 4, decide=fields)
    game = grain_market(phases=(phase, MarketPhase("market", 60, trade=True)), periods=MarketPeriods())
    window = open_window(game, appearance=Appearance(text_size=2.0))
    window.press_button("tab.offer")
    window.run()

    decide, root = window.widgets["decide"], window.theme.root
    assert decide.winfo_viewable()
    assert decide.winfo_height() >= decide.winfo_reqheight()
    assert decide.winfo_rooty() + decide.winfo_height() <= root.winfo_rooty() + root.winfo_height()


def has_focus(window: SeveralWindow, name: str) -> bool:
    """Return whether a control has the focus."""
    return str(window.theme.root.focus_get()) == str(window.widgets[name])


def click(window: SeveralWindow, name: str) -> None:
    """Click a control with the mouse."""
    for event in ("<Enter>", "<ButtonPress-1>", "<ButtonRelease-1>"):
        window.widgets[name].event_generate(event, x=5, y=5)
    window.run()


def presses_enter(window: SeveralWindow, key: str = "Return") -> None:
    """Press Enter and let it go, as a finger does."""
    focused = window.theme.root.focus_get()
    assert focused is not None
    now = round(time.monotonic() * 1000)
    focused.event_generate(f"<{key}>", time=now)
    focused.event_generate("<KeyRelease-Return>", time=now + 60)
    window.run(0.2)


def test_tab_leads_from_the_price_to_the_quantity_and_numbers_never_to_the_chat(open_window: OPEN) -> None:
    window = open_window()
    window.press("F4", "Key-9", "Tab", "Key-4")

    assert (field_text(window, "ticket.price"), field_text(window, "ticket.quantity")) == ("9", "4")
    window.press("Return")
    assert [(order.price, order.quantity) for order in own_orders(window)] == [(9, 4)]
    assert window.screen._panels.chat.text == ""


def test_after_an_order_by_mouse_or_key_the_next_price_takes_the_place_of_the_last(open_window: OPEN) -> None:
    window = open_window()
    types_price(window, "6")
    presses_enter(window)
    window.press("Key-5")
    typed = field_text(window, "ticket.price")
    click(window, "ticket.place")
    window.press("Key-7")
    after_click = field_text(window, "ticket.price")
    window.press("b", "Key-8")

    assert (typed, after_click, field_text(window, "ticket.price")) == ("5", "7", "8")
    assert [order.price for order in own_orders(window)] == [6, 5]
    assert window.screen._panels.chat.text == ""


def test_a_price_that_is_typed_as_the_period_ends_is_no_message(open_window: OPEN) -> None:
    game = grain_market(periods=MarketPeriods(count=2, seconds=60, break_seconds=60))
    window = open_window(game)
    window.press("F4", "Key-4")

    window.table.wait(61)
    window.run()
    window.press("Key-5", "Return", "F4", "Key-6", "Return")
    in_break = window.screen._panels.chat.text
    window.table.wait(60)
    window.run()

    assert in_break == ""
    assert not [event for event in window.table.events if event.type == "SEND_MESSAGE"]
    assert has_focus(window, "ticket.price")


def test_an_order_at_a_loss_is_sent_by_a_second_press_in_the_same_place(open_window: OPEN) -> None:
    window = open_window()
    types_price(window, "120")

    presses_enter(window)
    asked, none = text_of(window, "ticket.place"), own_orders(window)
    window.press("Escape")
    taken_back = text_of(window, "ticket.place")
    presses_enter(window)
    window.run(0.6)
    presses_enter(window)

    assert (asked, none, taken_back) == ("Yes, lose €10", [], "Place bid at €120")
    assert [order.price for order in own_orders(window)] == [120]


def test_a_dearer_price_is_bought_at_only_after_it_was_shown_for_a_while(open_window: OPEN) -> None:
    window = open_window()
    first = asks(window, 40)
    asks(window, 45, seat=OTHER)
    window.press("F4")
    window.run(0.7)

    withdraws(window, first)
    presses_enter(window, "Control-Return")
    fast = own_orders(window)
    told = window.all_texts
    window.run(0.7)
    presses_enter(window, "Control-Return")

    assert fast == []
    assert "The market has just changed, so nothing was sent. Press again if you want this." in told
    assert [order.price for order in own_orders(window)] == [45]


CHANGED = "The market has just changed, so nothing was sent. Press again if you want this."


def test_enter_twice_buys_once_and_leaves_what_it_says(open_window: OPEN) -> None:
    window = open_window()
    asks(window, 40)
    asks(window, 45, seat=OTHER)
    types_price(window, "60")
    window.run(0.7)

    for _ in range(2):
        presses_enter(window)

    assert [order.price for order in own_orders(window)] == [60]
    assert "You bought 1 at €40." in window.all_texts
    assert CHANGED not in window.all_texts


def test_a_question_that_the_market_takes_back_is_not_taken_back_silently(open_window: OPEN) -> None:
    window = open_window()
    first = asks(window, 120)
    asks(window, 130, seat=OTHER)
    window.press("F4")
    window.run(0.7)
    presses_enter(window, "Control-Return")
    asked = text_of(window, "ticket.take")

    withdraws(window, first)

    assert asked == "Yes, lose €10"
    assert text_of(window, "ticket.take") == "Buy at €130"
    assert CHANGED in window.all_texts


@pytest.mark.parametrize("break_seconds", [0, 60])
def test_a_price_of_the_last_period_is_kept_but_not_sent_by_an_enter_as_the_next_opens(
    open_window: OPEN, break_seconds: int
) -> None:
    window = open_window(
        grain_market(periods=MarketPeriods(count=2, seconds=60, break_seconds=break_seconds))
    )
    types_price(window, "120")
    presses_enter(window)
    asked = text_of(window, "ticket.place")

    window.table.wait(61 + break_seconds)
    window.run()
    price = window.widgets["ticket.price"]
    assert isinstance(price, tk.Entry)
    shown = text_of(window, "ticket.place"), price.get(), price.selection_present()
    presses_enter(window)
    held = own_orders(window)
    told = window.all_texts

    assert asked == "Yes, lose €10"
    assert shown == ("Place bid at €120", "120", True)
    assert held == []
    assert CHANGED in told


def test_a_double_click_cancels_one_order(open_window: OPEN) -> None:
    window = open_window(grain_market(orders_per_seat=3, periods=MarketPeriods(seconds=600)))
    for price in (10, 11):
        window.table.session.act("buyer", "PLACE_ORDER", OrderPlaced(OrderSide.BID, price))
    window.run()

    window.press_button("cancel.1")
    window.press_button("cancel.1")
    twice = len(double_auction_state(window.table.state).own_orders["buyer"])
    window.run(0.6)
    window.press_button("cancel.1")

    assert twice == 1
    assert not double_auction_state(window.table.state).own_orders["buyer"]


def test_the_first_click_into_a_number_selects_it_and_the_next_sets_the_caret(open_window: OPEN) -> None:
    window = open_window()
    types_price(window, "37")
    window.widgets["entry"].focus_set()
    window.run(0.1)
    price = window.widgets["ticket.price"]
    assert isinstance(price, tk.Entry)

    click(window, "ticket.price")
    first = price.selection_present()
    for event in ("<ButtonPress-1>", "<ButtonRelease-1>"):  # elsewhere: it is no double click
        price.event_generate(event, x=60, y=5)
    window.run()

    assert first
    assert not price.selection_present()


def test_after_a_step_of_the_quantity_digits_go_to_the_price(open_window: OPEN) -> None:
    window = open_window()

    click(window, "ticket.quantity.more")
    window.press("Key-9")

    assert (field_text(window, "ticket.price"), field_text(window, "ticket.quantity")) == ("9", "2")


def test_the_ticket_says_that_an_own_order_has_become_a_loss(open_window: OPEN) -> None:
    window = open_window(grain_market(orders_per_seat=3, periods=MarketPeriods(seconds=600)))
    window.table.session.act("buyer", "PLACE_ORDER", OrderPlaced(OrderSide.BID, 100))
    asks(window, 105)
    window.table.session.act("buyer", "PLACE_ORDER", OrderPlaced(OrderSide.BID, 105))
    window.run()

    advice = "Your bid of €100 would now lose €10: cancel it?"
    assert any(text.endswith(advice) for text in window.all_texts)


def test_digits_of_a_break_are_the_price_when_the_market_opens(open_window: OPEN) -> None:
    window = open_window(grain_market(periods=MarketPeriods(count=2, seconds=60, break_seconds=60)))
    window.press("F4", "Key-4")

    window.table.wait(61)
    window.run()
    window.press("Key-5", "Key-1", "Key-2", "BackSpace")
    told = "Your price when the market opens: 51" in window.all_texts
    window.table.wait(60)
    window.run()

    assert told
    assert field_text(window, "ticket.price") == "51"
    assert window.screen._panels.chat.text == ""


@pytest.mark.parametrize("is_talking", [False, True])
def test_digits_go_to_the_price_when_the_market_opens_unless_a_message_is_begun(
    open_window: OPEN, is_talking: bool
) -> None:
    phases = (MarketPhase("rest", 60), MarketPhase("first", 60, trade=True))
    window = open_window(grain_market(periods=MarketPeriods(), phases=phases))
    window.widgets["entry"].focus_force()
    window.write("h" if is_talking else "")

    window.table.wait(61)
    window.run()
    window.press("Key-7")
    opened = field_text(window, "ticket.price")
    window.widgets["transcript"].event_generate("<ButtonRelease-1>")
    window.press("Key-8")
    clicked = field_text(window, "ticket.price")
    window.press("Escape", "Key-9")

    assert (opened, clicked) == (("", "") if is_talking else ("7", "8"))
    assert field_text(window, "ticket.price") == ("" if is_talking else "9")
    assert window.screen._panels.chat.text == ("h789" if is_talking else "")


def test_a_word_that_is_typed_as_the_market_opens_is_a_message(open_window: OPEN) -> None:
    phases = (MarketPhase("rest", 60), MarketPhase("first", 60, trade=True))
    window = open_window(grain_market(periods=MarketPeriods(), phases=phases))

    window.table.wait(61)
    window.run()
    window.press("Key-s", "Key-o", "Key-1")

    assert (field_text(window, "ticket.price"), window.screen._panels.chat.text) == ("", "so1")


def test_an_enter_as_a_phase_begins_sends_no_message(open_window: OPEN) -> None:
    window = open_window(grain_market(periods=MarketPeriods(count=2, seconds=60)))
    window.widgets["entry"].focus_force()
    window.write("h85")
    sent = []

    window.table.wait(61)
    window.run()
    for _ in range(2):
        presses_enter(window)
        sent.append(len([event for event in window.table.events if event.type == "SEND_MESSAGE"]))
        window.run(0.4)

    assert sent == [0, 1]


def test_f3_opens_the_recipients_from_the_price_too(open_window: OPEN) -> None:
    window = open_window()

    window.press("F4", "F3", "Down", "Return")

    assert has_focus(window, "entry")
    window.write("For you.")
    presses_enter(window)
    sent = [event for event in window.table.events if event.type == "SEND_MESSAGE"]
    assert [len(event.to) for event in sent] == [1]


def test_delete_at_an_own_row_of_the_book_cancels_the_order(open_window: OPEN) -> None:
    window = open_window()
    types_price(window, "30")
    presses_enter(window)
    window.widgets["book"].focus_set()
    window.run()

    window.press("Delete")

    assert "Your bid of €30 is cancelled." in window.all_texts


def test_a_side_with_many_prices_takes_free_rows_and_says_what_does_not_fit(open_window: OPEN) -> None:
    window = open_window(grain_market(orders_per_seat=30, periods=MarketPeriods(seconds=600)))
    for price in range(1, 12):
        window.table.session.act("buyer", "PLACE_ORDER", OrderPlaced(OrderSide.BID, price))
    window.run()

    workbench = window.workbench
    assert isinstance(workbench, MarketWorkbench)
    book = workbench._column.book
    shown = [row for row in book._shown_rows if row is not None]
    rest = next(text for text in window.all_texts if text.startswith("Wanted (bids)"))

    assert len(shown) > len(book._shown_rows) // 2
    assert rest == f"Wanted (bids) · {11 - len(shown)} more at lower prices"
