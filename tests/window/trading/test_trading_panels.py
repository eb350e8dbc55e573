"""Panels of a trading game in a window with several others, which do what the test says."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from negoplatform.core.events import Message
from negoplatform.core.mechanisms.trading_state import (
    ProposalAccepted,
    ProposalDeclined,
    ProposalMade,
    TransactionRequested,
)
from negoplatform.core.session import ActionOrigin
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Quantities
from negoplatform.gui.trading.proposal_card import SETTLE_SECONDS
from negoplatform.gui.trading.trading_workbench import TradingWorkbench
from negoplatform.presentation.appearance import Appearance
from tests.mechanisms.trading_table import ONE, THREE, TWO, worked_example
from tests.window.table.several_window import SeveralWindow
from tests.x_server import Screen

pytestmark = pytest.mark.window

OPEN = Callable[..., SeveralWindow]


@pytest.fixture
def open_window(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> Iterator[OPEN]:
    """Function that opens a window of the worked example with a number of seats."""
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    opened: list[SeveralWindow] = []

    def begin(seats: int = 3, *, fee: float = 0, **options: Any) -> SeveralWindow:
        game = worked_example(fee, seats)
        game = replace(game, rules=replace(game.rules, deadline_seconds=600.0))
        opened.append(SeveralWindow(game, workbench=TradingWorkbench(), **options))
        opened[-1].table.wait(1)
        opened[-1].run()
        return opened[-1]

    yield begin
    for window in opened:
        window.close()


def act(window: SeveralWindow, seat: Seat, kind: str, payload: Any, *to: Seat) -> int:
    """Let a seat act, and the window show it; return the number of the event."""
    event = window.table.session.act(seat, kind, payload, ActionOrigin(to=to))
    window.run()
    return event.seq


def proposed(
    window: SeveralWindow, seat: Seat, *, buyer: bool, amount: float = 10, good: str = "good_1"
) -> int:
    """Let another seat propose one unit to the participant."""
    return act(window, seat, "PROPOSE", ProposalMade(buyer, amount, Quantities({good: 1})), ONE)


def bench(window: SeveralWindow) -> TradingWorkbench:
    """Return the window's workbench."""
    assert isinstance(window.workbench, TradingWorkbench)
    return window.workbench


def fill_in(window: SeveralWindow, seat: Seat, amount: str) -> None:
    """Put one unit of the first good on the ticket."""
    window.press_button(f"ticket.with.{seat}")
    window.press_button("ticket.good_1.more")
    field = window.widgets["ticket.amount"]
    field.focus_force()
    window.run(0.1)
    for char in amount:
        field.event_generate(f"<Key-{'period' if char == '.' else char}>")
    window.run()


def acts_of(window: SeveralWindow, kind: str) -> list[Any]:
    """Return the payloads of the participant's acts of a type."""
    return [event.payload for event in window.table.events if (event.type, event.sender) == (kind, ONE)]


def test_a_tab_shows_one_dialogue_and_the_first_all_open_proposals(open_window: OPEN) -> None:
    window = open_window()
    first = proposed(window, TWO, buyer=False)
    second = proposed(window, THREE, buyer=False, amount=11)
    everywhere = set(bench(window)._dialogues.cards)

    window.press_button(f"dialogue.{THREE}")

    assert everywhere == {first, second}
    assert set(bench(window)._dialogues.cards) == {second}
    assert bench(window).to_document()["work"]["ticket"]["other"] == THREE


def test_tab_ticket_and_message_field_are_for_the_same_seat(open_window: OPEN) -> None:
    window = open_window()

    window.press_button(f"dialogue.{TWO}")
    chosen = [window.screen._talk.address]
    window.press_button(f"dialogue.{THREE}")
    chosen.append(window.screen._talk.address)
    others = [bench(window).to_document()["work"]["ticket"]["other"]]
    window.press_button(f"ticket.with.{TWO}")
    tab = bench(window).to_document()["work"]["tab"]
    window.press_button("dialogue.all")

    assert chosen == [(TWO,), (THREE,)]
    assert (others, tab, window.screen._talk.address) == ([THREE], TWO, ())


def test_words_that_are_typed_on_the_ticket_go_to_the_message_field(open_window: OPEN) -> None:
    window = open_window()
    window.widgets["ticket.amount"].focus_force()
    window.run(0.1)

    window.press("o", "k")

    assert window.screen._panels.chat.text == "ok"
    assert bench(window)._ticket.amount.text == ""


def test_after_a_proposal_by_enter_typed_words_go_to_the_message_field(open_window: OPEN) -> None:
    window = open_window()
    fill_in(window, TWO, "12.5")

    window.press("Return")
    window.run()

    assert len(acts_of(window, "PROPOSE")) == 1
    assert str(window.theme.root.focus_get()) == str(window.widgets["entry"])


def test_enter_says_in_red_why_a_ticket_cannot_be_proposed(open_window: OPEN) -> None:
    window = open_window()
    fill_in(window, TWO, "1.999")

    window.press("Return")

    hint = bench(window)._ticket._hint
    assert hint.logical_text == "This could be two amounts. Please leave out the separator of thousands."
    assert str(hint.cget("foreground")) == window.theme.colours.danger


def test_what_others_do_leaves_the_ticket_as_it_is(open_window: OPEN) -> None:
    window = open_window()
    fill_in(window, TWO, "12.5")
    before = bench(window).to_document()

    proposed(window, TWO, buyer=False)
    number = proposed(window, THREE, buyer=False)
    act(window, THREE, "DECLINE_PROPOSAL", ProposalDeclined(number), ONE)

    assert bench(window).to_document() == before
    assert bench(window)._ticket.amount.text == "12.5"


def test_a_proposal_of_one_s_own_is_made_while_others_are_open(open_window: OPEN) -> None:
    window = open_window()
    proposed(window, TWO, buyer=False, amount=30)
    fill_in(window, TWO, "12.5")

    window.press_button("ticket.propose")

    made = acts_of(window, "PROPOSE")[0]
    assert (made.amount, made.answers) == (12.5, None)
    assert bench(window)._ticket.amount.text == ""


def test_a_refused_proposal_says_why_on_the_ticket_and_stays_there(open_window: OPEN) -> None:
    window = open_window()
    fill_in(window, TWO, "12.5")
    # The window has not shown this yet when the button is pressed.
    window.table.participant(TWO).quits()

    window.press_button("ticket.propose")

    assert bench(window)._ticket.texts[2] == "Agent_2 has left the market."
    assert bench(window)._ticket.amount.text == "12.5"
    assert acts_of(window, "PROPOSE") == []


def test_an_acceptance_that_came_too_late_is_refused_at_the_card(open_window: OPEN) -> None:
    window = open_window()
    number = proposed(window, TWO, buyer=False)
    window.press_button(f"dialogue.{TWO}")
    window.table.session.act(TWO, "DECLINE_PROPOSAL", ProposalDeclined(number), ActionOrigin(to=(ONE,)))

    window.press_button(f"card.{number}.accept")

    heading, _terms, effect, hint = bench(window)._dialogues.cards[number].texts
    assert (heading, effect) == ("Agent_2 withdrew this proposal", "")
    assert hint == "That proposal is no longer open."


def test_the_proposer_confirms_after_the_other_side_has(open_window: OPEN) -> None:
    window = open_window()
    fill_in(window, TWO, "10")
    window.press_button("ticket.propose")
    number = window.table.events[-1].seq
    act(window, TWO, "ACCEPT_PROPOSAL", ProposalAccepted(number), ONE)
    terms = Quantities({"good_1": 1})
    act(window, TWO, "SUBMIT_TRANSACTION", TransactionRequested(f"t-{number}", False, ONE, 10, terms))

    window.press_button(f"card.{number}.accept")

    assert window.screen._view().header.points == "259.31"
    assert bench(window)._account.texts["good_1"][0] == "2"


def test_another_appearance_leaves_ticket_and_tab_as_they_are(open_window: OPEN) -> None:
    window = open_window()
    proposed(window, TWO, buyer=False)
    window.press_button(f"dialogue.{TWO}")
    fill_in(window, TWO, "12.5")
    before = bench(window)._ticket.texts

    window.theme.apply_appearance(Appearance(theme="dark"))
    window.screen.rebuild()
    window.run()

    assert bench(window)._ticket.texts == before
    assert len(bench(window)._dialogues.cards) == 1


def test_the_arrow_keys_go_through_tabs_and_step_units_and_amounts(open_window: OPEN) -> None:
    window = open_window()
    window.widgets["dialogue.all"].focus_force()

    window.press("Right")
    chosen = bench(window).to_document()["work"]["tab"]
    window.widgets["ticket.good_1"].focus_force()
    window.press("Up", "Up", "Down")
    window.widgets["ticket.amount"].focus_force()
    window.press("Up", "Prior")

    ticket = bench(window).to_document()["work"]["ticket"]
    assert chosen == TWO
    assert (ticket["units"], ticket["amount"]) == ({"good_1": 1}, "11.00")


def test_an_emptied_number_of_units_is_nought_when_the_field_is_left(open_window: OPEN) -> None:
    window = open_window()
    window.press_button("ticket.good_1.more")
    field = window.widgets["ticket.good_1"]
    field.focus_force()
    window.run(0.1)

    window.press("BackSpace")
    typed = bench(window)._ticket._goods["good_1"].stepper.text
    window.widgets["entry"].focus_force()
    window.run()

    assert (typed, bench(window)._ticket._goods["good_1"].stepper.text) == ("", "0")
    assert bench(window).to_document()["work"]["ticket"]["units"] == {}


def test_control_z_undoes_on_the_ticket_and_from_the_empty_message_field(open_window: OPEN) -> None:
    window = open_window()
    window.press_button("ticket.good_1.more")
    window.press_button("ticket.good_1.more")
    window.widgets["ticket.good_1"].focus_force()

    window.press("Control-z")
    once = bench(window).to_document()["work"]["ticket"]["units"]
    window.widgets["entry"].focus_force()
    window.press("Control-z")

    assert once == {"good_1": 1}
    assert bench(window).to_document()["work"]["ticket"]["units"] == {}


def test_whoever_leaves_sees_the_market_go_on_and_can_trade_no_more(open_window: OPEN) -> None:
    window = open_window()
    number = proposed(window, TWO, buyer=False)
    window.press_button(f"dialogue.{TWO}")

    window.table.participant(ONE).quits()
    window.run()

    assert bench(window)._ticket.texts[2] == "You have left the game. It ends when time is up."
    assert bench(window)._dialogues.cards[number].buttons == {}
    assert window.screen._view().end is None


def place_of(window: SeveralWindow, name: str) -> tuple[int, int]:
    """Return where a control is on the screen."""
    widget = window.widgets[name]
    assert widget.winfo_viewable()
    return widget.winfo_rootx(), widget.winfo_rooty()


def put_pointer(window: SeveralWindow, name: str) -> None:
    """Put the pointer on a control."""
    x, y = place_of(window, name)
    subprocess.run(["xdotool", "mousemove", "--sync", str(x + 5), str(y + 5)], check=True, timeout=30)
    window.run()


def test_a_dialogue_with_one_card_is_shown_after_a_long_list_that_was_scrolled(open_window: OPEN) -> None:
    window = open_window()
    put_pointer(window, "entry")
    number = proposed(window, THREE, buyer=False)
    for amount in range(10, 16):
        proposed(window, TWO, buyer=False, amount=amount)
    panel = bench(window)._dialogues
    panel._list.canvas.yview_moveto(1.0)
    window.run()

    window.press_button(f"dialogue.{THREE}")

    assert panel._list.inside.winfo_viewable()
    assert panel._scrolled == 0
    assert panel.cards[number].frame.winfo_viewable()


def test_a_card_under_the_pointer_stays_where_it_is_whatever_others_do(open_window: OPEN) -> None:
    window = open_window()
    put_pointer(window, "entry")
    numbers = [proposed(window, TWO, buyer=False, amount=amount) for amount in range(10, 16)]
    window.run()
    used = f"card.{numbers[-1]}.accept"
    put_pointer(window, used)
    places = [place_of(window, used)]

    proposed(window, THREE, buyer=False)
    places.append(place_of(window, used))
    hint = bench(window)._dialogues._below_button
    told = (bool(hint.winfo_viewable()), str(hint.cget("text")))
    for number in numbers[:-1]:
        act(window, TWO, "DECLINE_PROPOSAL", ProposalDeclined(number), ONE)
        places.append(place_of(window, used))
    put_pointer(window, "entry")

    assert len(set(places)) == 1
    assert told == (True, "1 new proposal below")
    assert not hint.winfo_viewable()
    assert place_of(window, used) != places[0]


def test_the_tabs_stay_where_they_are_when_a_proposal_comes(open_window: OPEN) -> None:
    window = open_window(4)
    names = [name for name in window.widgets if name.startswith("dialogue.")]
    before = [(place_of(window, name), window.widgets[name].winfo_width()) for name in names]

    proposed(window, TWO, buyer=False)
    proposed(window, THREE, buyer=False)

    assert [(place_of(window, name), window.widgets[name].winfo_width()) for name in names] == before


def test_a_button_that_binds_never_appears_where_withdraw_was(open_window: OPEN) -> None:
    window = open_window()
    fill_in(window, TWO, "10")
    window.press_button("ticket.propose")
    number = window.table.events[-1].seq
    withdraw = window.widgets[f"card.{number}.decline"]
    before = range(withdraw.winfo_rootx(), withdraw.winfo_rootx() + withdraw.winfo_width())

    act(window, TWO, "ACCEPT_PROPOSAL", ProposalAccepted(number), ONE)
    confirm = window.widgets[f"card.{number}.accept"]
    for sequence in ("<Enter>", "<ButtonPress-1>", "<ButtonRelease-1>"):
        confirm.event_generate(sequence, x=5, y=5)
    window.run()

    after = range(confirm.winfo_rootx(), confirm.winfo_rootx() + confirm.winfo_width())
    assert not set(before) & set(after)
    assert len(acts_of(window, "ACCEPT_PROPOSAL")) == 0


def test_a_click_just_after_a_card_has_moved_is_not_taken(open_window: OPEN) -> None:
    window = open_window()
    number = proposed(window, TWO, buyer=False)
    card = bench(window)._dialogues.cards[number]
    button = card.buttons["accept"]
    card.note_moved()

    for sequence in ("<Enter>", "<ButtonPress-1>", "<ButtonRelease-1>"):
        button.event_generate(sequence, x=5, y=5)
    at_once = acts_of(window, "ACCEPT_PROPOSAL")
    window.run(SETTLE_SECONDS + 0.1)
    for sequence in ("<Enter>", "<ButtonPress-1>", "<ButtonRelease-1>"):
        button.event_generate(sequence, x=5, y=5)
    window.run()

    assert at_once == []
    assert len(acts_of(window, "ACCEPT_PROPOSAL")) == 1


def test_further_clicks_on_accept_do_not_call_the_trade_off(open_window: OPEN) -> None:
    window = open_window()
    number = proposed(window, TWO, buyer=False)
    window.run(0.5)
    card = bench(window)._dialogues.cards[number]

    def click(name: str, ms: int) -> None:
        for sequence in ("<Enter>", "<ButtonPress-1>", "<ButtonRelease-1>"):
            if name in card.buttons:
                card.buttons[name].event_generate(sequence, x=5, y=5, time=ms)
        window.run(0.1)

    click("accept", 1000)
    for further in range(5):
        click("decline", 1060 + 60 * further)
    card.buttons["decline"].event_generate("<Enter>", x=5, y=5, state=0x100)  # came under a held pointer
    card.buttons["decline"].event_generate("<ButtonRelease-1>", x=5, y=5)
    impatient = acts_of(window, "DECLINE_PROPOSAL")
    window.run(SETTLE_SECONDS + 0.15)
    click("decline", 1360)  # made soon after the others, and taken up late
    late = acts_of(window, "DECLINE_PROPOSAL")
    window.run(SETTLE_SECONDS + 0.15)
    click("decline", 3000)

    assert len(acts_of(window, "ACCEPT_PROPOSAL")) == 1
    assert impatient == late == []
    assert len(acts_of(window, "DECLINE_PROPOSAL")) == 1


def test_buttons_that_decline_end_at_one_place_from_right_to_left_too(open_window: OPEN) -> None:
    window = open_window(2, appearance=Appearance(language="he"))
    first = proposed(window, TWO, buyer=True, amount=50, good="good_2")
    other = proposed(window, TWO, buyer=False)

    window.press_button(f"card.{first}.accept")
    window.run()
    ends = [window.widgets[f"card.{number}.decline"].winfo_rootx() for number in (first, other)]

    assert f"card.{first}.accept" not in window.widgets
    assert len(set(ends)) == 1


def test_large_text_leaves_room_for_a_line_of_the_chat(open_window: OPEN) -> None:
    window = open_window(8, appearance=Appearance(text_size=2.0))
    window.table.session.act(TWO, "SEND_MESSAGE", Message("Who has wool?"))
    window.run()

    line = window.theme.font("body").metrics("linespace")
    assert window.widgets["transcript"].winfo_height() >= line
