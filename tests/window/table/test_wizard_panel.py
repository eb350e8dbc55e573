"""The wizard's panel in a real window: suggestions, the mode, canned lines and the whole state."""

from __future__ import annotations

import subprocess
import sys
import tkinter as tk
from collections.abc import Callable, Iterator
from tkinter import ttk
from typing import Any

import pytest

from negoplatform.agent_api.actions import FormalAccept, SendMessage, SendOffer
from negoplatform.app.session.windows.session_feed import (
    AnswerSuggestion,
    ChangeWizardMode,
    FeedRawEvent,
    FeedRawHeader,
    FeedWizard,
    HoldSuggestion,
    OpenWholeState,
)
from negoplatform.core.events import EventType
from negoplatform.domain.joining_settings import SuggestionVerdict, WizardMode
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.table.table_view import LinkState
from tests.window.wizard_window import WizardWindow, whole_header
from tests.x_server import Screen

pytestmark = pytest.mark.window

OPEN = Callable[..., WizardWindow]

HELLO = SendMessage("Hello! How are you?")
AGAIN = SendMessage("Hello again!")


@pytest.fixture
def open_window(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> Iterator[OPEN]:
    """Yield a function that opens a wizard's window."""
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    opened: list[WizardWindow] = []

    def begin(**options: Any) -> WizardWindow:
        opened.append(WizardWindow(**options))
        return opened[-1]

    yield begin
    for window in opened:
        window.close()


def field(window: WizardWindow) -> str:
    """Return the text in the message field."""
    return window.screen._panels.chat.text


def invoke(window: WizardWindow, name: str) -> None:
    """Press a named control of any kind."""
    widget = window.widgets[name]
    assert isinstance(widget, ttk.Button | ttk.Radiobutton | ttk.Checkbutton)
    widget.invoke()
    window.run()


def answer_yes(window: WizardWindow) -> None:
    """Confirm the open dialog."""
    dialog = window.screen._modals._dialog
    assert dialog is not None

    def buttons(widget: tk.Misc) -> Iterator[ttk.Button]:
        for child in widget.winfo_children():
            if isinstance(child, ttk.Button):
                yield child
            yield from buttons(child)

    next(one for one in buttons(dialog._overlay) if one is not dialog._no_button).invoke()
    window.run()


def test_a_suggestion_is_sent_as_it_is(open_window: OPEN) -> None:
    window = open_window()
    window.suggest(1, HELLO)
    shown = window.all_texts

    window.press_button("suggestion.1.send")
    disabled = not window.is_enabled("suggestion.1.drop")
    window.close_suggestion(1, SuggestionVerdict.SENT)

    assert {"Hello! How are you?", "One suggestion is waiting"} <= set(shown)
    assert window.answers == [AnswerSuggestion(1, send=True)]
    assert disabled
    assert "Hello! How are you?" not in window.all_texts


def test_an_answered_suggestion_leaves_no_gap(open_window: OPEN) -> None:
    window = open_window()
    button = window.widgets["whole_state"]
    before = button.winfo_y()
    window.suggest(1, HELLO)
    below = button.winfo_y()

    window.close_suggestion(1, SuggestionVerdict.SENT)

    assert before == button.winfo_y() < below


def test_a_suggestion_is_dropped(open_window: OPEN) -> None:
    window = open_window()
    window.suggest(1, HELLO)

    window.press_button("suggestion.1.drop")

    assert window.answers == [AnswerSuggestion(1, send=False)]


def test_a_press_that_meets_a_card_which_has_just_moved_does_nothing(
    open_window: OPEN, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window()
    window.suggest(1, HELLO)
    window.suggest(2, AGAIN)
    monkeypatch.setattr("negoplatform.gui.wizard.suggestion_card.ARMED_SECONDS", 3600.0)
    window.close_suggestion(1, SuggestionVerdict.TIMED_OUT_SENT)

    window.press_button("suggestion.2.drop")
    at_once = list(window.answers)
    monkeypatch.setattr("negoplatform.gui.wizard.suggestion_card.ARMED_SECONDS", 0.0)
    window.press_button("suggestion.2.drop")

    assert at_once == []
    assert window.answers == [AnswerSuggestion(2, send=False)]


def test_an_edited_text_is_sent_in_place_of_the_suggested_one(open_window: OPEN) -> None:
    window = open_window()
    window.suggest(1, HELLO)

    window.press_button("suggestion.1.edit")
    window.press("exclam")
    window.press_button("suggestion.1.send")

    assert window.answers == [AnswerSuggestion(1, send=True, steps=(SendMessage("Hello! How are you?!"),))]
    assert field(window) == ""


def test_an_edited_suggestion_without_changes_counts_as_unchanged(open_window: OPEN) -> None:
    window = open_window()
    window.suggest(1, HELLO)

    window.press_button("suggestion.1.edit")
    window.press_button("suggestion.1.send")

    assert window.answers == [AnswerSuggestion(1, send=True)]


def test_a_step_that_is_left_out_is_not_sent(open_window: OPEN) -> None:
    window = open_window()
    window.table.participant(window.seats[1]).offers(apples=(3, 3), day="Saturday")
    window.run()
    window.suggest(1, HELLO, FormalAccept())

    window.press_button("suggestion.1.edit")
    invoke(window, "suggestion.1.sent.0")
    window.press_button("suggestion.1.send")

    assert window.answers == [AnswerSuggestion(1, send=True, steps=(FormalAccept(),))]


def test_an_offer_is_changed_in_the_offer_builder(open_window: OPEN) -> None:
    window = open_window()
    offer = window.offers(window.seats[1], apples=(3, 3), day="Saturday")
    other = window.offers(window.seats[1], apples=(4, 2), day="Saturday")
    window.suggest(1, HELLO, SendOffer(offer, 500))

    window.press_button("suggestion.1.edit")
    window.press_button("suggestion.1.change_offer.1")
    prepared = window.workbench.prepared_offer()
    window.workbench.prepare_offer(other)
    window.run()
    window.press_button("suggestion.1.use_offer.1")
    window.press_button("suggestion.1.send")

    assert prepared == offer
    changed = HELLO, SendOffer(other, 500)
    assert window.answers == [AnswerSuggestion(1, send=True, steps=changed)]


def test_an_offer_that_was_changed_in_the_builder_is_sent_without_another_press(open_window: OPEN) -> None:
    window = open_window()
    offer = window.offers(window.seats[1], apples=(3, 3), day="Saturday")
    other = window.offers(window.seats[1], apples=(4, 2), day="Saturday")
    window.suggest(1, HELLO, SendOffer(offer, 500))

    window.press_button("suggestion.1.edit")
    window.press_button("suggestion.1.change_offer.1")
    window.workbench.prepare_offer(other)
    window.run()
    window.press_button("suggestion.1.send")

    assert window.answers == [AnswerSuggestion(1, send=True, steps=(HELLO, SendOffer(other, 500)))]


def test_the_countdown_of_a_suggestion_stops_while_it_is_edited(open_window: OPEN) -> None:
    window = open_window()
    window.suggest(1, HELLO)

    window.press_button("suggestion.1.edit")
    window.press("exclam")
    window.suggest(1, HELLO, seconds=None)
    shown = window.all_texts
    window.press_button("suggestion.1.cancel")

    assert window.sent == [HoldSuggestion(1, held=True), HoldSuggestion(1, held=False)]
    assert not [text for text in shown if text.endswith(" s left")]
    assert "No time-out while you edit." in shown


def test_last_words_of_the_agent_after_the_game_wait_for_the_wizard_too(open_window: OPEN) -> None:
    window = open_window()
    window.table.human.quits()
    window.run()

    window.suggest(1, HELLO)
    window.press_button("suggestion.1.send")

    assert window.table.state.ending is not None
    assert window.sent == [AnswerSuggestion(1, send=True)]


def test_editing_can_be_cancelled(open_window: OPEN) -> None:
    window = open_window()
    window.suggest(1, HELLO)

    window.press_button("suggestion.1.edit")
    window.press_button("suggestion.1.cancel")

    assert "Hello! How are you?" in window.all_texts
    assert window.answers == []
    assert window.is_enabled("suggestion.1.edit")


@pytest.mark.parametrize(
    ("verdict", "note"),
    [
        (
            SuggestionVerdict.TIMED_OUT_DROPPED,
            "Suggestion 1 is no longer waiting. Your text is in the message field.",
        ),
        (
            SuggestionVerdict.TIMED_OUT_SENT,
            "Suggestion 1 was sent without your changes. Your text is in the message field.",
        ),
    ],
)
def test_a_text_that_is_edited_is_kept_when_its_suggestion_ends(
    open_window: OPEN, verdict: SuggestionVerdict, note: str
) -> None:
    window = open_window()
    window.suggest(1, HELLO)
    window.press_button("suggestion.1.edit")
    window.press("exclam")

    window.close_suggestion(1, verdict)

    assert field(window) == "Hello! How are you?!"
    assert note in window.all_texts


def test_a_text_that_was_answered_is_not_kept_twice(open_window: OPEN) -> None:
    window = open_window()
    window.suggest(1, HELLO)
    window.press_button("suggestion.1.edit")
    window.press("exclam")
    window.press_button("suggestion.1.send")

    window.close_suggestion(1, SuggestionVerdict.EDITED)

    assert field(window) == ""


def test_a_new_suggestion_leaves_the_focus_and_the_words_that_are_typed(open_window: OPEN) -> None:
    window = open_window()
    window.write("I would")

    window.suggest(1, HELLO)
    window.press("x")

    assert window.focused == "entry"
    assert field(window) == "I wouldx"


def test_ctrl_enter_sends_the_oldest_only_while_the_panel_has_the_keyboard(open_window: OPEN) -> None:
    window = open_window()
    window.suggest(1, HELLO)
    window.suggest(2, AGAIN)
    window.run(0.5)

    window.press("Control-Return")
    typing = list(window.sent)
    window.press("F6", "Control-Return")
    answered = list(window.sent)
    window.press("F6")

    assert typing == []
    assert answered == [AnswerSuggestion(1, send=True)]
    assert window.focused == "entry"


def test_ctrl_enter_sends_nothing_while_a_suggestion_is_edited(open_window: OPEN) -> None:
    window = open_window()
    window.suggest(1, HELLO)
    window.press_button("suggestion.1.edit")

    window.press("Control-Return")

    assert window.answers == []


def test_in_autonomous_mode_the_table_says_how_to_act(open_window: OPEN) -> None:
    window = open_window(mode=WizardMode.AUTONOMOUS)
    sentence = "The agent acts by itself. Choose Assisted or Manual to act in its place."
    watching = [window.is_enabled(name) for name in ("entry", "phrases", "walk_away", "lines.list")]
    told = sentence in window.texts

    invoke(window, "mode.manual")
    window.feed(FeedWizard(WizardMode.MANUAL))

    assert watching == [False] * 4
    assert told
    assert window.sent == [ChangeWizardMode(WizardMode.MANUAL)]
    assert window.is_enabled("entry")
    assert sentence not in window.all_texts


def test_the_mode_that_the_session_reports_is_the_one_shown(open_window: OPEN) -> None:
    window = open_window(mode=WizardMode.MANUAL)
    invoke(window, "mode.assisted")

    window.feed(FeedWizard(WizardMode.ASSISTED))

    assert window.widgets["mode.assisted"].instate(["selected"])  # type: ignore[attr-defined]
    assert not window.widgets["mode.manual"].instate(["selected"])  # type: ignore[attr-defined]


def test_a_canned_line_goes_into_the_message_field_and_is_not_sent(open_window: OPEN) -> None:
    window = open_window()
    window.widgets["lines.filter"].insert(0, "thank")  # type: ignore[attr-defined]
    window.run()
    lines = window.widgets["lines.list"]
    assert isinstance(lines, tk.Listbox)
    found = lines.get(0, "end")
    lines.focus_set()
    window.run()

    window.press("Return")

    assert found == ("Thank you.",)
    assert field(window) == "Thank you."
    assert window.focused == "entry"
    assert not [event for event in window.table.events if event.type == EventType.SEND_MESSAGE]


def test_the_whole_state_is_asked_for_and_then_read(open_window: OPEN) -> None:
    window = open_window()
    other = window.seats[1]
    window.table.participant(other).says("Nice weather today.")
    window.offers(other, apples=(3, 3), day="Saturday")
    window.run()

    window.press_button("whole_state")
    unasked = list(window.sent)
    answer_yes(window)
    window.feed(FeedWizard(WizardMode.ASSISTED, is_raw_open=True), FeedRawHeader(whole_header(window)))
    window.feed(*(FeedRawEvent(event) for event in window.table.events))
    page = window.side._page
    assert page is not None
    summary, events = (text.text.get("1.0", "end") for text in (page._summary, page._events))
    window.press_button("whole_state.close")

    assert unasked == []
    assert window.sent == [OpenWholeState()]
    assert "What matters to P01" in summary
    assert "Nice weather today." in events
    assert "(Apples: Agent 3, P01 3; Day: Saturday)" in events
    assert window.side._page is None
    assert window.focused == "entry"


def test_a_whole_state_that_is_open_already_needs_no_question(open_window: OPEN) -> None:
    window = open_window()
    window.feed(FeedWizard(WizardMode.ASSISTED, is_raw_open=True), FeedRawHeader(whole_header(window)))

    window.press_button("whole_state")

    assert window.side._page is not None
    assert window.sent == []


def test_a_small_window_folds_the_panel_out_over_the_table(open_window: OPEN) -> None:
    window = open_window(size=(900, 700))
    window.suggest(1, HELLO)
    folded = window.widgets["suggestion.1.send"].winfo_viewable()
    told = "Assisted · One suggestion is waiting" in window.all_texts

    window.press_button("wizard.fold")
    shown = window.widgets["suggestion.1.send"].winfo_viewable()
    window.press_button("wizard.fold")

    assert (folded, told, shown) == (0, True, 1)
    assert not window.widgets["suggestion.1.send"].winfo_viewable()


def test_another_appearance_keeps_what_is_edited(open_window: OPEN) -> None:
    window = open_window()
    window.suggest(1, HELLO)
    window.press_button("suggestion.1.edit")
    window.press("exclam")

    window.theme.apply_appearance(Appearance(theme="dark"))
    window.screen.rebuild()
    window.run(0.4)
    window.press_button("suggestion.1.send")

    assert window.answers == [AnswerSuggestion(1, send=True, steps=(SendMessage("Hello! How are you?!"),))]


def test_the_panel_is_covered_while_the_connection_is_lost(open_window: OPEN) -> None:
    window = open_window()
    window.screen.show_link(LinkState(is_lost=True))
    window.run()
    button = window.widgets["whole_state"]

    top = window.theme.root.winfo_containing(button.winfo_rootx() + 5, window.theme.root.winfo_rooty() + 300)

    assert str(top).startswith(str(window.screen._covers._lost.frame))  # type: ignore[union-attr]


def test_closing_the_window_of_a_wizard_does_not_end_the_game(open_window: OPEN) -> None:
    window = open_window()
    left: list[bool] = []

    window.screen.ask_to_leave(lambda: left.append(True))
    answer_yes(window)

    assert left == [True]
    assert window.table.state.ending is None


def test_a_wizard_saves_no_draft(open_window: OPEN) -> None:
    window = open_window()

    window.write("I would")
    window.run(0.5)

    assert window.session.drafts == []


def test_the_window_of_a_participant_loads_nothing_of_a_wizard() -> None:
    code = (
        "import sys, negoplatform.gui.shell.application, negoplatform.gui.table.table_screen;"
        "print([name for name in sys.modules if name.endswith(('gui.wizard', 'presentation.wizard'))])"
    )

    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert told.stdout.strip() == "[]"
