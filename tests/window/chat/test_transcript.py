"""The transcript, in a real window."""

from __future__ import annotations

import time
import tkinter as tk

import pytest

from negoplatform.core.events import Expression
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry
from tests.window.chat.chat_window import Chat, messages

pytestmark = pytest.mark.window

SHALOM = "שלום"


def test_of_ten_thousand_lines_only_those_in_view_exist(chat: Chat) -> None:
    chat.panel.transcript_view.add(messages(0, 10_000))
    chat.theme.root.update()

    assert chat.drawn()[-1] == "message 9999"
    assert len(chat.canvas.find_all()) < 200
    chat.press("Home")
    assert chat.drawn()[0] == "message 0"
    assert len(chat.canvas.find_all()) < 200


def test_new_lines_leave_a_reader_further_up_where_they_are_and_a_button_leads_down(chat: Chat) -> None:
    chat.panel.transcript_view.add(messages(0, 100))
    chat.press("Prior", "Prior")
    before = chat.drawn()

    chat.panel.transcript_view.add(messages(100, 102))
    chat.theme.root.update()

    assert chat.drawn() == before
    news = chat.widgets["new_messages"]
    assert news.winfo_viewable()
    chat.focus(news)
    chat.press("Return")
    assert chat.drawn()[-1] == "message 101"
    assert not news.winfo_viewable()
    assert chat.at("entry")

    chat.press("Prior")
    assert news.winfo_viewable()
    chat.focus(chat.canvas)
    chat.press("End")
    assert not news.winfo_viewable()


def unread(chat: Chat) -> str:
    """Return the number above the button that leads down; empty if there is none."""
    frame = chat.canvas.master
    assert frame is not None
    labels = [child for child in frame.winfo_children() if isinstance(child, tk.Label)]
    return "".join(str(label.cget("text")) for label in labels if label.winfo_viewable())


def test_the_button_counts_what_was_not_seen_yet(chat: Chat) -> None:
    chat.panel.transcript_view.add(messages(0, 100))
    chat.press("Home")
    assert unread(chat) == ""

    chat.panel.transcript_view.add(
        [*messages(100, 103), TranscriptEntry("emotion_theirs", "Rowan", "Rowan looks sad")]
    )
    chat.theme.root.update()
    assert unread(chat) == "3"
    chat.panel.transcript_view.add(messages(103, 300))
    chat.theme.root.update()
    assert unread(chat) == "99+"

    for _ in range(300):
        if "message 296" not in chat.drawn():
            chat.press("Next")
    chat.press("Up")
    assert 0 < int(unread(chat) or 0) < 10
    chat.press("End")
    chat.press("Home")
    assert unread(chat) == ""


def test_what_is_added_one_by_one_stands_as_if_it_was_there_from_the_beginning(chat: Chat) -> None:
    kinds = ("theirs", "theirs", "emotion_theirs", "theirs", "mine", "mine", "note", "mine", "theirs")
    lines = [
        TranscriptEntry(
            kind, "You" if kind == "mine" else "Rowan", f"{kind} {number}", expression=Expression.NEUTRAL
        )
        for number, kind in enumerate(kinds)
    ]
    typing = TranscriptEntry("typing", "Rowan", "")
    for line in lines:
        chat.panel.transcript_view.show_typing(typing)
        chat.theme.root.update()
        chat.panel.transcript_view.show_typing(None)
        chat.panel.transcript_view.add([line])
        chat.theme.root.update()
    one_by_one = chat.places(), len(chat.canvas.find_all())

    chat.panel.transcript_view.clear()
    chat.panel.transcript_view.add(lines)
    chat.theme.root.update()

    assert (chat.places(), len(chat.canvas.find_all())) == one_by_one


def dots(chat: Chat) -> list[tuple[float, ...]]:
    """Return the positions of the dots that show that the other side is typing."""
    return [tuple(chat.canvas.coords(f"dot{n}")) for n in range(3) if chat.canvas.find_withtag(f"dot{n}")]


def test_dots_stand_where_the_words_will_and_are_no_line(chat: Chat) -> None:
    typing = TranscriptEntry("typing", "Rowan", "", expression=Expression.NEUTRAL)
    chat.panel.transcript_view.add(messages(0, 2))
    for _ in range(2):
        chat.panel.transcript_view.show_typing(typing)
    chat.theme.root.update()
    (x, top), *_ = dots(chat)
    chat.press("Control-t", "Control-a", "Control-c", "Escape")
    assert chat.clipboard() == "00:00  Rowan: message 0\n00:00  Rowan: message 1"

    chat.panel.transcript_view.add(messages(2, 3))
    chat.panel.transcript_view.show_typing(None)
    chat.theme.root.update()

    (item,) = (item for _, text, item in chat.texts() if text == "message 2")
    left, upper = chat.canvas.coords(item)
    assert dots(chat) == []
    assert left == x
    assert upper < top < upper + 20


def test_who_reads_further_up_is_not_moved_by_dots(chat: Chat) -> None:
    chat.panel.transcript_view.add(messages(0, 100))
    chat.theme.root.update()
    chat.press("Prior", "Up")
    before = chat.places()

    chat.panel.transcript_view.show_typing(TranscriptEntry("typing", "Rowan", ""))
    chat.theme.root.update()
    assert chat.places() == before
    assert unread(chat) == ""
    chat.panel.transcript_view.show_typing(None)
    chat.theme.root.update()

    assert chat.places() == before


@pytest.mark.parametrize("look", [Appearance(reduce_motion=True)], indirect=True)
def test_dots_stand_still_where_nothing_may_move(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    moved: list[int] = []
    monkeypatch.setattr(
        "negoplatform.gui.transcript.painter.TranscriptPainter.darken_dot", lambda _self, n: moved.append(n)
    )
    monkeypatch.setattr("negoplatform.gui.transcript.time_label_and_typing_dots.STEP_MS", 1)

    chat.panel.transcript_view.show_typing(TranscriptEntry("typing", "Rowan", ""))
    end = time.monotonic() + 0.2
    while time.monotonic() < end:
        chat.theme.root.update()

    assert len(dots(chat)) == 3
    assert moved == []


def point_at(chat: Chat, said: str) -> None:
    """Move the pointer to the line with a text."""
    (item,) = [item for _, text, item in chat.texts() if text == said]
    x, y = map(round, chat.canvas.coords(item))
    chat.canvas.event_generate("<Motion>", x=x, y=y + 2)
    chat.theme.root.update()


def test_the_time_of_a_line_is_what_the_clock_showed_and_is_seen_while_the_pointer_is_there(
    chat: Chat,
) -> None:
    chat.panel.transcript_view.add(
        [
            TranscriptEntry("mine", "You", "Hello", clock="09:41"),
            TranscriptEntry("theirs", "Rowan", "Good day", t=61),
        ]
    )
    chat.theme.root.update()
    assert chat.drawn() == ["Hello", "Good day"]

    point_at(chat, "Hello")
    assert sorted(chat.drawn()) == ["09:41 left", "Good day", "Hello"]
    point_at(chat, "Good day")
    assert sorted(chat.drawn()) == ["01:01", "Good day", "Hello"]
    chat.canvas.event_generate("<Leave>")
    chat.theme.root.update()

    assert chat.drawn() == ["Hello", "Good day"]


def test_the_talk_is_scrolled_and_its_marked_line_copied_from_the_line_for_writing(chat: Chat) -> None:
    chat.panel.transcript_view.add(messages(0, 100))
    chat.theme.root.update()
    end = chat.places()
    chat.click("message 98")
    chat.focus(chat.panel.entry)

    chat.press("Prior")
    assert chat.places() != end
    chat.press("Next", "x", "Control-c")
    assert (chat.places(), chat.clipboard()) == (end, "message 98")
    chat.press("Control-a", "Control-c")

    assert chat.clipboard() == "x"


def tips(chat: Chat) -> list[str]:
    """Return the texts of the tooltips."""
    children = chat.theme.root.winfo_children()
    return [str(child.cget("text")) for child in children if isinstance(child, tk.Label)]


def test_a_button_without_words_is_explained_to_the_pointer_and_the_keyboard(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("negoplatform.gui.widgets.tooltip.REST_MS", 1)
    button = chat.widgets["text_view"]

    def rest() -> None:
        end = time.monotonic() + 0.1
        while time.monotonic() < end:
            chat.theme.root.update()

    chat.focus(button)
    rest()
    assert tips(chat) == ["Show the chat as text (Ctrl+T)"]
    chat.press("Tab")
    rest()
    assert tips(chat) == []
    button.event_generate("<Enter>")
    rest()
    assert len(tips(chat)) == 1
    button.event_generate("<ButtonPress-1>")
    rest()
    assert tips(chat) == []


def test_keys_and_the_wheel_scroll(chat: Chat) -> None:
    chat.panel.transcript_view.add(messages(0, 100))
    chat.theme.root.update()
    end = chat.places()

    for away, back in (("Prior", "Next"), ("Up", "Down"), ("Button-4", "Button-5"), ("Home", "End")):
        chat.press(away)
        assert chat.places() != end
        chat.press(back)
        assert chat.places() == end


def test_a_step_moves_everything_in_view_alike(chat: Chat) -> None:
    chat.panel.transcript_view.add(messages(0, 100))
    chat.theme.root.update()
    before = {text: top for top, text in chat.places()}

    chat.press("Up")

    after = {text: top for top, text in chat.places()}
    step = {after[text] - before[text] for text in before.keys() & after.keys()}
    assert step == {chat.theme.px(48)}


def test_the_marked_line_is_copied(chat: Chat) -> None:
    offer = TranscriptEntry(
        "offer_mine", "You", "Your offer", ("You", "Rowan"), (("Bananas", "4", "0"),), "1 point for you"
    )
    chat.panel.transcript_view.add([TranscriptEntry("mine", "You", "Hello [exit] $x"), offer])
    chat.theme.root.update()

    chat.click("Hello [exit] $x")
    chat.press("Control-c")
    assert chat.clipboard() == "Hello [exit] $x"
    chat.click("Your offer")
    chat.press("Control-c")
    assert chat.clipboard() == "Your offer\nBananas: You 4, Rowan 0\n1 point for you"


def test_a_mark_is_seen_and_goes_with_escape(chat: Chat) -> None:
    chat.panel.transcript_view.add(
        [TranscriptEntry("mine", "You", "Hello"), TranscriptEntry("theirs", "Rowan", "Good day")]
    )
    chat.theme.root.update()
    unmarked = len(chat.canvas.find_all())

    chat.click("Good day")
    assert len(chat.canvas.find_all()) == unmarked + 2
    chat.click("Hello")
    assert len(chat.canvas.find_all()) == unmarked + 2
    chat.press("Escape")
    assert len(chat.canvas.find_all()) == unmarked


def test_all_lines_as_text_are_one_key_away(chat: Chat) -> None:
    chat.panel.transcript_view.add(messages(0, 3))
    chat.press("Control-t")
    text = chat.theme.root.focus_get()
    assert isinstance(text, tk.Text)

    chat.panel.transcript_view.add(messages(3, 4))
    chat.press("Control-a", "Control-c")

    assert chat.clipboard() == "\n".join(f"00:00  Rowan: message {number}" for number in range(4))
    chat.press("x")
    assert text.get("1.0", "end-1c") == chat.clipboard()
    chat.press("Escape")
    assert chat.at("entry")
    assert not text.winfo_exists()


def test_hebrew_is_copied_in_reading_order(chat: Chat) -> None:
    words = f"{SHALOM} Rowan, {SHALOM} " * 8
    chat.panel.transcript_view.add(
        [TranscriptEntry("theirs", "Rowan", "Hello"), TranscriptEntry("mine", SHALOM, words)]
    )
    chat.press("Control-t")
    chat.theme.root.update()

    chat.press("Control-a", "Control-c")

    assert chat.clipboard().split() == f"00:00 Rowan: Hello 00:00 {SHALOM}: {words}".split()


@pytest.mark.parametrize(
    "look",
    [Appearance(language="he", theme="dark"), Appearance(theme="high_contrast", text_size=2.0)],
    indirect=True,
)
def test_whatever_is_said_can_be_drawn_in_every_look_and_width(chat: Chat) -> None:
    odd = [
        "",
        "x" * 4000,
        "a\n" * 2000,
        "\x00\ud800\u202e",
        f"{SHALOM} {'y' * 500}",
        "{ [ \\ $",
        "你好" * 900,
    ]
    for text in odd:
        for kind in ("mine", "theirs", "note", "announcement", "refusal"):
            chat.panel.transcript_view.add([TranscriptEntry(kind, "Rowan", text)])
        chat.panel.transcript_view.add(
            [
                TranscriptEntry(
                    "offer_theirs", text, text, (text, text), ((text, "1", "2"), (text, text)), text
                )
            ]
        )
        chat.theme.root.update()
    for width in (240, 900):
        chat.theme.root.geometry(f"{width}x500")
        chat.theme.root.update()
        for _ in range(40):
            chat.press("Prior")
    chat.panel.transcript_view.clear()

    assert chat.drawn() == []


def test_a_name_is_told_once_more_than_one_other_speaks(chat: Chat) -> None:
    chat.panel.transcript_view.add(messages(0, 2))
    chat.theme.root.update()
    assert "Rowan" not in chat.drawn()

    chat.panel.transcript_view.add([TranscriptEntry("theirs", "Kim", "Me too")])
    chat.theme.root.update()

    assert chat.drawn() == ["Rowan", "message 0", "message 1", "Kim", "Me too"]


def test_tab_goes_through_what_is_seen_from_top_to_bottom(chat: Chat) -> None:
    for name in ("text_view", "phrases", "entry", "send", "transcript"):
        chat.press("Tab")
        assert chat.at(name), name


def test_tab_passes_by_what_the_text_covers(chat: Chat) -> None:
    chat.panel.transcript_view.add(messages(0, 100))
    chat.press("Home")
    chat.panel.transcript_view.add(messages(100, 101))
    chat.press("Control-t")
    text = chat.theme.root.focus_get()

    for name in ("text_view", "phrases", "entry", "send"):
        chat.press("Tab")
        assert chat.at(name), name
    chat.press("Tab")
    assert chat.theme.root.focus_get() is text

    chat.press("Escape")
    for name in ("send", "transcript", "text_view", "new_messages", "phrases"):
        chat.press("Tab")
        assert chat.at(name), name
