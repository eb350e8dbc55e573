"""The wait for others, others whose connections are lost, and the own lost connection, in a real window."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Iterator
from tkinter import ttk

import pytest

from negoplatform.app.session.participant_seat import SessionUpdate
from negoplatform.core.visibility import Observer, view_of
from negoplatform.formats.games import load_game
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.table.table_view import LinkState
from tests.several_seats import village
from tests.window.table.several_window import SessionAtOnce, SeveralWindow
from tests.x_server import Screen

pytestmark = pytest.mark.window

WAITS = "The negotiation begins as soon as everyone is ready."
LOST = "The connection is lost"


@pytest.fixture(autouse=True)
def _on_screen(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])


@pytest.fixture
def window() -> Iterator[SeveralWindow]:
    """Yield the window of a negotiation of two that has begun."""
    opened = SeveralWindow(load_game(bundled("games") / "practice.json"))
    opened.run()
    yield opened
    opened.close()


def lose(window: SeveralWindow, *seats: str) -> None:
    """Report the seats of people whose connections are lost."""
    table = window.table
    view = view_of(table.state, Observer(window.session.seat))
    window.session.updates.put(SessionUpdate(view, None, time.monotonic(), absent=seats))
    window.run()


def test_a_window_whose_session_has_not_begun_says_so_until_it_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SessionAtOnce, "start", lambda _session: None)
    window = SeveralWindow(load_game(bundled("games") / "practice.json"))
    window.run(1.0)
    waiting = window.all_texts
    window.screen.rebuild()
    window.run(0.3)
    rebuilt = window.all_texts
    window.table.start()
    window.run()

    assert WAITS in waiting
    assert WAITS in rebuilt
    assert WAITS not in window.all_texts
    assert window.theme.root.focus_get() is window.widgets["entry"]
    window.close()


def test_a_session_that_begins_at_once_is_not_covered(window: SeveralWindow) -> None:
    window.run(0.9)

    assert WAITS not in window.all_texts


def test_a_lost_connection_of_another_person_is_shown_until_it_is_restored(window: SeveralWindow) -> None:
    note = "Agent has lost the connection. You can go on: everything arrives once the connection is restored."

    lose(window, "agent")
    shown = window.all_texts
    lose(window)

    assert {"has lost the connection", note} <= set(shown)
    assert not {"has lost the connection", note} & set(window.all_texts)


def test_a_lost_connection_leaves_a_note_of_the_experimenter_for_later(window: SeveralWindow) -> None:
    window.screen.show_note("The experimenter is here in a minute.")

    lose(window, "agent")
    meanwhile = window.all_texts
    lose(window)

    assert "The experimenter is here in a minute." not in meanwhile
    assert "The experimenter is here in a minute." in window.all_texts


def test_several_lost_connections_are_named_in_one_sentence() -> None:
    window = SeveralWindow(village(4))
    window.run()

    lose(window, *window.seats[1:3])

    assert any(text.startswith("Robin and Noa have lost the connection.") for text in window.all_texts), (
        window.all_texts
    )
    window.close()


def test_nothing_can_be_typed_or_sent_while_the_own_connection_is_lost(window: SeveralWindow) -> None:
    window.write("How about")
    window.screen.show_link(LinkState(is_lost=True, reason="The host does not answer."))
    window.run()
    covered = window.all_texts
    window.press("x", "Return", "Tab")
    events = len(window.table.events)
    window.screen.show_link(LinkState())
    window.run()

    assert {LOST, "Trying again…", "The host does not answer."} <= set(covered)
    assert len(window.table.events) == events
    assert LOST not in window.all_texts
    assert window.screen._panels.chat.text == "How about"
    assert window.theme.root.focus_get() is window.widgets["entry"]


def test_the_cover_of_a_lost_connection_survives_another_appearance(window: SeveralWindow) -> None:
    window.screen.show_link(LinkState(is_lost=True))
    window.theme.apply_appearance(Appearance(theme="dark"))
    window.screen.rebuild()
    window.run(0.3)

    assert LOST in window.all_texts


def test_a_window_is_closed_without_ending_the_game_while_the_connection_is_lost(
    window: SeveralWindow,
) -> None:
    left: list[bool] = []
    window.screen.show_link(LinkState(is_lost=True))
    window.screen.ask_to_leave(lambda: left.append(True))
    dialog = window.screen._modals._dialog
    assert dialog is not None
    named = {str(button.cget("text")): button for button in buttons(dialog._overlay)}
    named["Close"].invoke()
    window.run()

    assert left == [True]
    assert window.table.state.ending is None


def buttons(widget: tk.Misc) -> Iterator[ttk.Button]:
    """Yield the buttons inside a widget."""
    for child in widget.winfo_children():
        if isinstance(child, ttk.Button):
            yield child
        yield from buttons(child)
