"""The table with several others in a real window: who is shown, and who gets what is said."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from negoplatform.core.events import Event, EventType, Message
from negoplatform.core.session import ActionOrigin
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.presentation.appearance import Appearance
from tests.several_seats import NAMES, village
from tests.window.table.several_window import SeveralWindow
from tests.x_server import Screen

pytestmark = pytest.mark.window

OPEN = Callable[..., SeveralWindow]


@pytest.fixture
def open_window(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> Iterator[OPEN]:
    """Function that opens a window for a number of seats."""
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    opened: list[SeveralWindow] = []

    def begin(seats: int, **options: Any) -> SeveralWindow:
        opened.append(SeveralWindow(village(seats), **options))
        opened[-1].table.wait(1)
        opened[-1].run()
        return opened[-1]

    yield begin
    for window in opened:
        window.close()


def labels(widget: tk.Misc) -> Iterator[BidiLabel]:
    """Yield the visible labels with a text inside a widget."""
    for child in widget.winfo_children():
        if isinstance(child, BidiLabel) and child.logical_text.strip() and child.winfo_viewable():
            yield child
        yield from labels(child)


def others_shown(window: SeveralWindow) -> list[str]:
    """Return the texts of the card with the others."""
    return [label.logical_text for label in labels(window.side.others.frame)]


def talk(window: SeveralWindow) -> list[str]:
    """Return the texts that the chat shows."""
    canvas = window.widgets["transcript"]
    assert isinstance(canvas, tk.Canvas)
    call = window.theme.root.tk.call
    texts = [item for item in canvas.find_all() if call(canvas, "type", item) == "text"]
    texts.sort(key=lambda item: (canvas.coords(item)[1], canvas.coords(item)[0]))
    return [str(call(canvas, "itemcget", item, "-text")) for item in texts]


def messages(window: SeveralWindow) -> list[tuple[str, tuple[str, ...]]]:
    """Return the participant's messages and their recipients."""
    sent: list[Event] = [event for event in window.table.events if event.type == EventType.SEND_MESSAGE]
    return [(event.get_text(), event.to) for event in sent if event.sender == "mill"]


def whispers(window: SeveralWindow, sender: str, text: str, to: str) -> None:
    window.table.session.send_message(sender, Message(text), ActionOrigin(to=(to,)))
    window.run()


def types(window: SeveralWindow, text: str) -> None:
    """Type a text into the message field and send it."""
    window.write(text)
    window.press("Return")


@pytest.mark.parametrize("seats", [3, 4])
def test_a_few_others_have_a_row_each(open_window: OPEN, seats: int) -> None:
    window = open_window(seats)

    others = list(NAMES.items())[1:seats]
    assert others_shown(window) == [text for seat, name in others for text in (name, seat, "Looks calm")]


def test_many_others_are_listed_below_whoever_spoke_last(open_window: OPEN) -> None:
    window = open_window(8)
    window.table.participant("school").says("Hello.")
    window.table.participant("inn").types()
    window.run()

    shown = others_shown(window)
    assert shown[:3] == ["Sasha", "school", "Looks calm"]
    assert shown[3::2] == list(NAMES.values())[1:]
    assert shown[shown.index("Noa") + 1] == "inn · is typing…"
    assert shown[-1] == "brewery · Looks calm"


def test_a_tick_is_at_those_who_have_accepted(open_window: OPEN) -> None:
    window = open_window(4)
    window.offers(
        "farm", water=dict.fromkeys(window.seats, 2), hours=dict.fromkeys(window.seats, 1), place="Market"
    )
    window.run()
    before = window.ticks
    window.table.participant("inn").accepts()
    window.run()

    assert (before, window.ticks) == ([], ["Noa"])


@pytest.mark.parametrize("language", ["en", "de", "he"])
@pytest.mark.parametrize("seats", [3, 5, 8])
def test_no_text_at_the_side_is_cut_off(open_window: OPEN, seats: int, language: str) -> None:
    window = open_window(seats, appearance=Appearance(language=language), size=(1024, 640))
    card = window.side.others.frame

    right, bottom = card.winfo_rootx() + card.winfo_width(), card.winfo_rooty() + card.winfo_height()
    cut = [
        label.logical_text
        for label in labels(card)
        if label.winfo_reqwidth() > label.winfo_width()
        or label.winfo_rootx() + label.winfo_width() > right
        or label.winfo_rooty() + label.winfo_height() > bottom
    ]
    assert cut == []


def test_every_bubble_names_its_speaker(open_window: OPEN) -> None:
    window = open_window(3)
    window.table.participant("farm").says("Hello.")
    window.table.participant("inn").says("Hello!")
    window.run()

    assert talk(window)[1:] == ["Robin", "Hello.", "Noa", "Hello!"]


def test_what_others_say_to_one_another_is_not_shown(open_window: OPEN) -> None:
    window = open_window(4)

    whispers(window, "farm", "Let us two agree.", "inn")
    whispers(window, "farm", "Let us three agree.", "mill")

    assert talk(window)[1:] == ["Robin", "only to you", "Let us three agree."]


# Recipients


def test_recipients_are_chosen_by_keys_and_stay_until_others_are(open_window: OPEN) -> None:
    window = open_window(4)
    window.press("F3", "Down", "Return")

    types(window, "Between us.")
    types(window, "Still between us.")
    window.press("F3", "Home", "Return")
    types(window, "To all.")

    assert messages(window) == [("Between us.", ("farm",)), ("Still between us.", ("farm",)), ("To all.", ())]


def test_while_not_everyone_is_chosen_the_field_looks_different_and_says_so(open_window: OPEN) -> None:
    window = open_window(4)
    usual = window.field_colour
    window.press("F3", "Down", "Down", "Return")

    assert window.field_colour != usual
    assert "Only Noa gets what you say" in window.texts
    assert "Message only Noa" in window.texts


def test_own_words_to_one_are_marked_in_the_chat(open_window: OPEN) -> None:
    window = open_window(3)
    window.press("F3", "Down", "Return")

    types(window, "Between us.")

    assert talk(window)[1:] == ["only to Robin", "Between us."]


def test_a_phrase_goes_to_whom_the_words_go_and_a_refusal_of_an_offer_to_everyone(open_window: OPEN) -> None:
    window = open_window(3)
    window.offers("farm", water=dict.fromkeys(window.seats, 2))
    window.run()
    window.press("F3", "Down", "Down", "Return")

    window.press_button("phrases")
    window.press_button(next(name for name in window.widgets if name.startswith("phrase.")))
    window.press_button("card.decline")

    assert [to for _text, to in messages(window)] == [("inn",), ()]


def test_words_for_one_and_their_recipient_survive_a_crash(open_window: OPEN) -> None:
    before = open_window(4)
    before.press("F3", "Down", "Return")
    before.write("Between us, I could")
    before.run(0.5)

    after = open_window(4, saved_draft=before.session.drafts[-1])
    after.press("Return")

    assert messages(after) == [("Between us, I could", ("farm",))]


def test_words_for_one_are_not_said_to_everyone_when_the_game_has_ended(open_window: OPEN) -> None:
    window = open_window(3)
    window.press("F3", "Down", "Return")
    window.write("Between us")
    window.table.participant("inn").quits()
    window.run()

    window.press("Return")
    refused = messages(window)
    window.press("F3", "Home", "Return", "Return")

    assert refused == []
    assert messages(window) == [("Between us", ())]


def test_after_the_end_a_last_word_is_for_everyone(open_window: OPEN) -> None:
    window = open_window(3)
    window.press("F3", "Down", "Return")
    window.table.participant("inn").quits()
    window.run()

    types(window, "Goodbye!")

    assert messages(window) == [("Goodbye!", ())]
