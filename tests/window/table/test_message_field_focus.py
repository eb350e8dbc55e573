"""Targets of keys, with widgets of every kind that a screen may have."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterator
from tkinter import ttk

import pytest

from negoplatform.gui.chat.message_field import MessageField
from negoplatform.gui.table.keyboard_to_message_field import KeyboardBindings
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.appearance import Appearance
from tests.x_server import Screen

pytestmark = pytest.mark.window


class Room:
    """Screen with a message field, a button, an entry field, and a column with a button and two fields."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.covered = False
        self.pressed = self.closed = 0
        self.frame = theme.frame(theme.root)
        self.frame.pack()
        self.line = MessageField(self.frame, theme, on_change=lambda: None)
        self.button = theme.button(self.frame, "Press", "Plain.TButton", self._press)
        self.field = ttk.Entry(self.frame)
        self.work = theme.frame(self.frame)
        self.order = theme.button(self.work, "Order", "Plain.TButton", self._press)
        self.price, self.units = ttk.Entry(self.work), ttk.Entry(self.work)
        self.home: tk.Misc | None = None
        for widget in (self.line.frame, self.button, self.field):
            widget.pack()
        self.work.pack()
        for widget in (self.order, self.price, self.units):
            widget.pack()
        KeyboardBindings(
            self.frame,
            self.line,
            is_covered=lambda: self.covered,
            close=self._close,
            work=self.work,
            click_home=lambda: self.home,
        )
        self.focus(self.line.text)

    def focus(self, widget: tk.Misc) -> None:
        self.theme.root.update()
        widget.focus_force()
        self.theme.root.update()

    def press(self, *keys: str) -> None:
        for key in keys:
            focused = self.theme.root.focus_get()
            assert focused is not None
            focused.event_generate(f"<{key}>")
            self.theme.root.update()

    def click(self, widget: tk.Misc) -> None:
        for event in ("<Enter>", "<ButtonPress-1>", "<ButtonRelease-1>"):
            widget.event_generate(event, x=5, y=5)
        self.theme.root.update()

    def has_keyboard(self, widget: tk.Misc) -> bool:
        return self.theme.root.focus_get() is widget

    def _press(self) -> None:
        self.pressed += 1

    def _close(self) -> bool:
        self.closed += 1
        return False


@pytest.fixture
def make_room(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Room]]:
    """Function that makes rooms in one window; they must report no problem."""
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    problems: list[BaseException] = []
    theme = Theme("Keys", Appearance(), problems.append)
    theme.fit(400, 300, least=(200, 200))
    yield lambda: Room(theme)
    theme.root.update()
    theme.root.destroy()
    assert problems == []


def test_after_a_click_keys_are_written_and_after_tab_space_presses(make_room: Callable[[], Room]) -> None:
    room = make_room()

    room.click(room.button)
    room.press("a", "space", "b")
    clicked = room.pressed, room.line.content
    room.press("Tab")
    room.press("space", "Return", "c")

    assert clicked == (1, "a b")
    assert (room.pressed, room.line.content) == (3, "a bc")


def test_a_field_keeps_what_is_typed_and_escape_leads_back(make_room: Callable[[], Room]) -> None:
    room = make_room()

    room.click(room.field)
    room.press("7", "BackSpace", "8")
    in_field = room.field.get(), room.line.content
    room.press("Escape", "9")

    assert in_field == ("8", "")
    assert (room.line.content, room.closed) == ("9", 1)


def test_shortcuts_are_no_characters(make_room: Callable[[], Room]) -> None:
    room = make_room()
    room.focus(room.button)

    room.press("Control-b", "Alt-c", "Mod4-d", "F5", "Delete", "Up")

    assert room.line.content == ""
    assert room.has_keyboard(room.button)


def test_nothing_is_routed_while_something_lies_over_the_screen(make_room: Callable[[], Room]) -> None:
    room = make_room()
    room.covered = True

    room.click(room.button)
    room.press("a", "BackSpace", "Escape")

    assert (room.line.content, room.closed) == ("", 0)
    assert room.has_keyboard(room.button)


def test_a_line_that_takes_no_words_takes_no_key_away_from_who_has_the_keyboard(
    make_room: Callable[[], Room],
) -> None:
    room = make_room()
    room.line.enable(False)
    room.focus(room.button)

    room.press("a", "BackSpace", "space")

    assert (room.pressed, room.line.content) == (1, "")
    assert room.has_keyboard(room.button)


def test_a_screen_that_is_built_before_the_old_one_goes_keeps_its_keys(
    make_room: Callable[[], Room],
) -> None:
    old, new = make_room(), make_room()
    old.frame.destroy()

    new.click(new.button)
    new.press("a")
    new.focus(new.button)
    new.press("b")

    assert new.line.content == "ab"


def test_a_number_after_a_field_is_typed_into_it_and_no_message(make_room: Callable[[], Room]) -> None:
    room = make_room()
    room.click(room.units)
    room.press("6")
    room.focus(room.order)

    room.press("9", "7", "BackSpace")
    typed = room.units.get()
    room.focus(room.order)
    room.press("BackSpace", "minus", "8", "comma")

    assert typed == "9", "what is typed at another control takes the place of the text"
    assert room.units.get() == "-8,"
    assert room.line.content == ""


@pytest.mark.parametrize("lost", ["disabled", "hidden"])
def test_a_number_for_a_field_that_takes_nothing_any_more_goes_nowhere(
    make_room: Callable[[], Room], lost: str
) -> None:
    room = make_room()
    room.click(room.price)
    room.press("6")

    if lost == "disabled":
        room.price.configure(state="disabled")
    else:
        room.focus(room.order)
        room.price.pack_forget()
    room.press("7", "8", "Return", "BackSpace")
    numbers = room.line.content
    room.press("o", "k", "7")

    assert (room.price.get(), numbers) == ("6", "")
    assert room.line.content == "ok7", "words go to the message, and then numbers among them too"


def test_a_column_without_fields_leaves_numbers_to_the_message(make_room: Callable[[], Room]) -> None:
    room = make_room()
    room.price.destroy()
    room.units.destroy()
    room.focus(room.order)

    room.press("7")

    assert room.line.content == "7"


def test_a_click_in_the_column_leads_to_its_field_if_it_has_one_for_that(
    make_room: Callable[[], Room],
) -> None:
    room = make_room()

    room.click(room.order)
    without = room.has_keyboard(room.line.text)
    room.home = room.price
    room.click(room.order)

    assert without
    assert room.has_keyboard(room.price)
