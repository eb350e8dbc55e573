"""The strip above the line for writing, in a real window: what it shows where, and which keys it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from negoplatform.gui.appearance import Appearance
from negoplatform.gui.reading_view import StripView
from tests.screens import Screen
from tests.window.test_transcript import Chat

pytestmark = pytest.mark.window

PROPOSAL = StripView(
    "You propose: 2 Food for you. Send as offer?", "8 points for you", "Send as offer", can_edit=True
)
CHOICE = StripView(
    "Do you mean one of these offers?",
    "Press Alt and its number to send it with your message.",
    choices=(("2 Food for you", "8 points"), ("1 Food for you", "4 points")),
)
GONE = StripView("That offer is no longer on the table.", "Nothing was sent.", can_only_say=False)
WISH = StripView(
    "You wish for: 2 Food for you. Send as offer?",
    "8 points for you",
    "Send as offer",
    can_edit=True,
    can_only_say=False,
    said=True,
)
LONG = StripView(
    "You propose: " + ", ".join(f"{n} Something long for you" for n in range(12)) + ". Send as offer?",
    "8 points for you  ·  3 points better than no deal",
    "Send as offer",
    can_edit=True,
)

Open = Callable[..., Chat]


@pytest.fixture
def open_chat(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens a chat panel in some looks; it must have nothing to complain about at the end."""
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    opened: list[Chat] = []

    def begin(appearance: Appearance | None = None) -> Chat:
        opened.append(Chat(appearance or Appearance()))
        return opened[-1]

    yield begin
    for chat in opened:
        chat.theme.root.update()
        chat.theme.root.destroy()
        assert chat.problems == []


def shown(chat: Chat, view: StripView | None) -> dict[str, object]:
    """Shows a view, and gives the line for writing the keyboard; the strip's buttons by name."""
    chat.panel.show_reading(view)
    chat.focus(chat.panel.entry)
    return {name: each for name, each in chat.panel.widgets().items() if name.startswith("reading.")}


def read_long_ago(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    """The strip has been there for a minute."""
    monkeypatch.setattr("negoplatform.gui.second_press.UNSEEN_SECONDS", -60.0)


def test_each_view_has_the_buttons_that_it_needs(open_chat: Open) -> None:
    chat = open_chat()

    assert [*shown(chat, PROPOSAL)] == ["reading.yes", "reading.edit", "reading.only_say", "reading.back"]
    assert [*shown(chat, CHOICE)] == [
        "reading.choice.1",
        "reading.choice.2",
        "reading.only_say",
        "reading.back",
    ]
    assert [*shown(chat, GONE)] == ["reading.back"]
    assert [*shown(chat, WISH)] == ["reading.yes", "reading.edit", "reading.back"]
    assert [*shown(chat, None)] == []


def test_enter_says_yes_only_to_what_was_there_long_enough(
    open_chat: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = open_chat()
    chat.panel.give_back("2 food for me")
    shown(chat, PROPOSAL)

    chat.press("Return", "KeyRelease-Return")
    too_soon = list(chat.answers.given)
    read_long_ago(chat, monkeypatch)
    chat.panel.entry.event_generate("<Return>", time=5000)

    assert too_soon == []
    assert chat.answers.given == ["yes 0"]
    assert chat.sent == []


def test_a_wish_is_sent_by_enter_from_the_empty_line_alone(
    open_chat: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = open_chat()
    shown(chat, WISH)
    chat.press("Return", "KeyRelease-Return")
    too_soon = list(chat.answers.given)
    read_long_ago(chat, monkeypatch)

    chat.panel.give_back("wait")
    chat.panel.entry.event_generate("<Return>", time=5000)
    chat.panel.entry.event_generate("<KeyRelease-Return>", time=5050)
    with_words = list(chat.answers.given)
    shown(chat, WISH)
    chat.panel.entry.event_generate("<Return>", time=6000)

    assert too_soon == []
    assert (with_words, chat.sent) == ([], ["wait|wait"])
    assert chat.answers.given == ["yes 0"]


def test_alt_and_a_figure_choose_and_a_figure_alone_is_written(
    open_chat: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = open_chat()
    read_long_ago(chat, monkeypatch)
    shown(chat, CHOICE)

    chat.press("Key-2", "Alt-Key-2", "Key-3")
    shown(chat, PROPOSAL)
    chat.press("Key-1")

    assert chat.answers.given == ["yes 1"]
    assert chat.panel.words == "231"


def test_enter_chooses_nothing_among_several(open_chat: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = open_chat()
    chat.panel.give_back("2 or 1")
    read_long_ago(chat, monkeypatch)
    shown(chat, CHOICE)

    chat.press("Return")

    assert (chat.answers.given, chat.sent) == ([], [])


def test_after_what_is_gone_enter_reads_the_words_again(
    open_chat: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = open_chat()
    chat.panel.give_back("Deal!")
    read_long_ago(chat, monkeypatch)
    shown(chat, GONE)

    chat.press("Return")

    assert chat.answers.given == []
    assert chat.sent == ["Deal!|Deal!"]


def test_keys_edit_and_lead_back_only_while_something_is_shown(open_chat: Open) -> None:
    chat = open_chat()
    shown(chat, None)
    chat.press("F2", "Escape")
    before = list(chat.answers.given)
    shown(chat, PROPOSAL)

    chat.press("F2", "Escape")

    assert before == []
    assert chat.answers.given == ["edit", "back"]


def test_the_keyboard_goes_back_to_the_line_when_the_strip_goes(open_chat: Open) -> None:
    chat = open_chat()
    shown(chat, PROPOSAL)
    chat.widgets = chat.panel.widgets()
    chat.focus(chat.widgets["reading.edit"])

    chat.panel.show_reading(None)
    chat.theme.root.update()

    assert chat.at("entry")


@pytest.mark.parametrize("width", [340, 420, 700])
@pytest.mark.parametrize("language", ["en", "de", "he"])
def test_words_and_buttons_stay_within_the_width_that_there_is(
    open_chat: Open, width: int, language: str
) -> None:
    chat = open_chat(Appearance(language=language))
    chat.theme.root.geometry(f"{width}x600")
    chat.theme.root.update()
    shown(chat, LONG)
    chat.theme.root.update()

    left = chat.theme.root.winfo_rootx()
    for name, button in chat.panel.widgets().items():
        if name.startswith("reading."):
            assert button.winfo_rootx() >= left
            assert button.winfo_rootx() + button.winfo_reqwidth() <= left + width
            assert button.winfo_rooty() + button.winfo_height() < chat.panel.entry.winfo_rooty()


def test_a_change_of_figures_alone_leaves_the_buttons_as_they_are(open_chat: Open) -> None:
    chat = open_chat()
    before = shown(chat, PROPOSAL)

    after = shown(
        chat,
        StripView("You propose: 2 Food for you. Send as offer?", "7 points", "Send as offer", can_edit=True),
    )

    assert after == before
