"""The message field, in a real window."""

from __future__ import annotations

import tkinter as tk

import pytest

from negoplatform.presentation.appearance import Appearance
from tests.window.chat.chat_window import Chat, messages

pytestmark = pytest.mark.window


def test_words_are_handed_on_before_they_are_wiped_and_come_back_before_others(chat: Chat) -> None:
    chat.focus(chat.panel.entry)
    chat.press("H", "i")
    assert (chat.panel.text, chat.typed) == ("Hi", 2)

    chat.press("Return", "Return")
    chat.press("o", "h")
    chat.panel.restore_text("Hi")

    assert chat.sent == ["Hi|Hi"]
    assert chat.panel.text == "Hi oh"


def test_a_hint_is_read_in_the_empty_line_and_is_no_words_of_it(chat: Chat) -> None:
    hint = next(child for child in chat.panel.entry.master.winfo_children() if isinstance(child, tk.Label))
    chat.focus(chat.panel.entry)
    assert hint.winfo_viewable()
    chat.press("Return")
    assert (chat.panel.text, chat.sent) == ("", [])

    chat.press("H")
    assert not hint.winfo_viewable()

    chat.press("BackSpace")
    assert hint.winfo_viewable()
    chat.panel.show(False, "Message Rowan")
    chat.theme.root.update()
    assert not hint.winfo_viewable()
    assert str(chat.panel.button.cget("state")) == "disabled"


def test_tab_with_shift_which_is_a_key_of_its_own_on_x11_alone_leads_back(chat: Chat) -> None:
    chat.focus(chat.panel.entry)
    before = chat.panel.entry.tk_focusPrev()

    chat.press("Shift-Tab")

    assert before is not None
    assert chat.theme.root.focus_get() == before


def test_whoever_speaks_sees_what_they_said(chat: Chat) -> None:
    chat.panel.transcript_view.add(messages(0, 100))
    chat.press("Home")
    chat.focus(chat.panel.entry)

    chat.press("H", "Return")

    assert chat.drawn()[-1] == "message 99"


LONG = "so this is how it would be "


def rows(chat: Chat) -> int:
    return int(str(chat.panel.entry.cget("height")))


def test_the_line_grows_with_its_words_up_to_four_rows_and_shrinks_again(chat: Chat) -> None:
    chat.focus(chat.panel.entry)
    seen = [rows(chat)]
    for _ in range(6):
        chat.panel.restore_text(LONG * 2)
        chat.theme.root.update()
        seen.append(rows(chat))
    chat.press("Return")

    assert seen == sorted(seen)
    assert (seen[0], seen[-1], rows(chat)) == (1, 4, 1)


def test_shift_and_enter_break_the_line_and_enter_sends_it_with_its_breaks(chat: Chat) -> None:
    chat.focus(chat.panel.entry)
    chat.press("a", "Shift-Return", "b", "Shift-KP_Enter", "Shift-Return", "c", "Shift-Return")
    before = rows(chat), chat.panel.text
    chat.press("Return")

    assert before == (4, "a\nb\n\nc")
    assert chat.sent == ["a\nb\n\nc|a\nb\n\nc"]


def test_breaks_that_are_pasted_are_kept_and_what_is_selected_is_replaced(chat: Chat) -> None:
    chat.theme.root.clipboard_clear()
    chat.theme.root.clipboard_append("I need 3 firewood\r\nand 1 water")
    chat.focus(chat.panel.entry)
    chat.press("x", "Control-a", "Control-v")

    assert chat.panel.text == "I need 3 firewood\nand 1 water"
    chat.press("Control-z")
    assert chat.panel.text == "x"


def test_of_a_megabyte_that_is_pasted_a_messages_length_stays_and_a_sentence_says_so(chat: Chat) -> None:
    family = "👩🏽\u200d💻"
    chat.theme.root.clipboard_clear()
    chat.theme.root.clipboard_append(family * 80_000)
    chat.focus(chat.panel.entry)
    chat.press("x", "Control-v")

    # Tk itself damages a few emoji of a clipboard as long as this.
    assert chat.panel.text.startswith("x" + family * 200)
    assert 3900 < len(chat.panel.text) <= 4000
    said = chat.panel._note.logical_text
    assert said.endswith("a message has at most 4,000 characters.")
    chat.press("BackSpace")
    assert chat.panel._note.logical_text == ""


def test_a_pasted_text_that_just_fits_is_not_cut(chat: Chat) -> None:
    chat.theme.root.clipboard_clear()
    chat.theme.root.clipboard_append("ab\r\n" * 1333 + "c")
    chat.focus(chat.panel.entry)
    chat.press("Control-v")

    assert chat.panel.text == "ab\n" * 1333 + "c"
    assert chat.panel._note.logical_text == ""


def test_what_is_selected_on_the_screen_is_pasted_by_the_middle_button_and_cut_too(chat: Chat) -> None:
    selected = "z" * 5000
    chat.theme.root.selection_handle(lambda start, length: selected[int(start) : int(start) + int(length)])
    chat.theme.root.selection_own()
    chat.focus(chat.panel.entry)
    chat.press("a")
    chat.panel.entry.event_generate("<<PasteSelection>>", x=1, y=1)

    assert len(chat.panel.text) == 4000
    assert chat.panel.text.strip("z") == "a"


def test_four_thousand_characters_are_written_and_sent_whole(chat: Chat) -> None:
    text = ("word " * 800).strip()
    chat.panel.restore_text(text)
    chat.focus(chat.panel.entry)
    assert rows(chat) == 4

    chat.press("Return")

    assert chat.sent == [f"{text}|{text}"]


def test_undo_takes_back_words_and_only_without_words_something_else(chat: Chat) -> None:
    undone: list[str] = []
    chat.panel.line.on_undo, chat.panel.line.on_redo = (
        lambda: undone.append("un"),
        lambda: undone.append("re"),
    )
    chat.focus(chat.panel.entry)
    chat.press("a", "b", "space", "c", "d")

    chat.press("Control-z")
    assert (chat.panel.text, undone) == ("ab ", [])
    chat.press("Control-y", "Control-z", "Control-z")
    assert (chat.panel.text, undone) == ("", [])
    chat.press("Control-z")
    chat.press("Control-Shift-Z", "Control-y", "Control-y")

    assert (chat.panel.text, undone) == ("ab cd", ["un", "re"])


@pytest.mark.parametrize("look", [Appearance(language="he")], indirect=True)
def test_from_right_to_left_words_begin_at_the_right_also_when_others_are_written(chat: Chat) -> None:
    chat.focus(chat.panel.entry)

    def from_the_right() -> int:
        box = chat.panel.entry.bbox("insert")
        assert box is not None
        return chat.panel.entry.winfo_width() - box[0]

    empty = from_the_right()
    chat.press("a", "b")
    chat.press("Return", "c", "BackSpace")

    assert chat.sent
    assert empty == from_the_right() < 10
