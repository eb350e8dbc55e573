"""Pages, consent, briefing and what all screens have in common."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from negoplatform.gui.shell.kiosk import ExperimenterCodeDialog
from negoplatform.gui.widgets import dialogs
from negoplatform.presentation import key_debounce
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.study.step_page import StepPage
from negoplatform.study.study_text import parse_text
from tests.gui.study.conftest import Desk
from tests.gui.study.sample_pages import pages, with_entries

pytestmark = pytest.mark.window

LONG = parse_text("\n\n".join(f"Paragraph {n} of a text." for n in range(80)))


def test_a_page_goes_on_by_enter(desk: Desk) -> None:
    desk.show(StepPage("page", "p", title="Welcome", blocks=LONG[:2]))

    desk.press("Return")

    assert desk.actions.done == [("go_on",)]


def test_enter_has_no_effect_before_a_page_can_have_been_read(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(key_debounce, "MIN_VISIBLE_SECONDS", 1000.0)
    desk.show(StepPage("page", "p", title="Welcome", blocks=LONG[:2]))

    desk.press("Return", "space", "KP_Enter")

    assert desk.actions.done == []


def test_a_key_that_is_held_down_leaves_no_page(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_debounce, "MIN_VISIBLE_SECONDS", 1000.0)
    screen = desk.show(StepPage("page", "p", title="Welcome", blocks=LONG[:2]))
    focused = desk.theme.root.focus_get()
    assert focused is not None
    focused.event_generate("<KeyPress-Return>", time=2000)
    monkeypatch.setattr(key_debounce, "MIN_VISIBLE_SECONDS", 0.0)

    for ms in range(2030, 3000, 30):
        # The system repeats a held key as a release and a press at the same time.
        screen.frame.focus_get().event_generate("<KeyRelease-Return>", time=ms)  # type: ignore[union-attr]
        screen.frame.focus_get().event_generate("<KeyPress-Return>", time=ms)  # type: ignore[union-attr]
    desk.theme.root.update()

    assert desk.actions.done == []


def test_pages_of_a_step_follow_each_other_and_go_back(desk: Desk) -> None:
    page = StepPage("page", "p", title="Welcome", blocks=LONG[:2], page=1, pages=3, can_go_back=True)

    desk.show(page)
    desk.click("continue")
    assert desk.actions.done == [("show_page", 2)]
    desk.show(page)
    desk.click("back")

    assert desk.actions.done == [("show_page", 0)]


def test_a_text_that_has_to_be_read_is_scrolled_to_its_end_first(desk: Desk) -> None:
    screen: Any = desk.show(StepPage("page", "p", title="Welcome", blocks=LONG, must_scroll=True))
    assert desk.widget("continue").instate(["disabled"])
    assert screen._hint.logical_text == "Please read to the end."

    for _ in range(40):
        desk.press("Next")
    assert desk.widget("continue").instate(["!disabled"])
    desk.press("Return")

    assert desk.actions.done == [("go_on",)]


def test_a_text_that_fits_has_been_read_at_once(desk: Desk) -> None:
    desk.show(StepPage("page", "p", title="Welcome", blocks=LONG[:2], must_scroll=True))

    assert desk.widget("continue").instate(["!disabled"])


def test_a_page_cannot_be_left_before_its_least_time(desk: Desk) -> None:
    page = StepPage("page", "p", title="Welcome", blocks=LONG[:2], at_least_seconds=60)
    screen: Any = desk.show(page)
    assert "You can continue in 01:00" in screen._hint.logical_text

    desk.press("Return")
    desk.click("continue")
    assert desk.actions.done == []
    desk.show(replace(page, elapsed_seconds=60.0))
    desk.press("Return")

    assert desk.actions.done == [("go_on",)]


def test_time_that_is_out_is_reported_once(desk: Desk) -> None:
    page = StepPage("page", "p", title="Welcome", blocks=LONG[:2], timeout_seconds=30)
    desk.show(page)
    assert desk.actions.done == []

    screen = desk.show(replace(page, elapsed_seconds=30.0))
    desk.wait_until(lambda: bool(desk.actions.done))
    screen.act_on_time()

    assert desk.actions.done == [("time_out",)]


def test_consent_needs_every_tick_and_the_code(desk: Desk) -> None:
    desk.show(pages(desk.theme.translate)["consent"])

    desk.click("tick.age")
    desk.click("agree")
    assert desk.focused == "tick.data"
    desk.press("space")
    desk.click("agree")
    assert desk.focused == "signature"
    desk.press("P", "1")
    desk.click("agree")

    assert desk.actions.done == [("consent", ["age", "data"], "P1")]


def test_nobody_consents_by_enter_while_reading(desk: Desk) -> None:
    page = replace(pages(desk.theme.translate)["consent"], ticks=(), wants_signature=False)
    desk.show(page)

    desk.press("Return", "Return")

    assert desk.actions.done == []


@pytest.mark.parametrize("shows_time", [True, False])
def test_the_time_that_is_left_is_shown_if_its_end_has_an_effect(desk: Desk, shows_time: bool) -> None:
    page = StepPage("page", "p", title="Welcome", blocks=LONG[:2], timeout_seconds=600, shows_time=shows_time)
    screen: Any = desk.show(page)

    assert screen._header._time.logical_text == ("10:00" if shows_time else "")


def test_declining_is_confirmed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogs, "UNARMED_CLICKS", 0.0)
    desk.show(pages(desk.theme.translate)["consent"])

    desk.click("decline")
    assert desk.actions.done == []
    desk.click("dialog.no")
    assert desk.actions.done == []
    desk.click("decline")
    desk.click("dialog.yes")

    assert desk.actions.done == [("decline",)]


def test_ticks_and_the_code_stay_when_the_screen_is_built_again(desk: Desk) -> None:
    page = pages(desk.theme.translate)["consent"]
    screen = desk.show(page)
    desk.click("tick.data")
    desk.widget("signature").focus_set()
    desk.press("P", "1")
    entered = screen.entered()

    again = desk.show(with_entries(page, entered))

    assert {**again.entered(), "ms:": 0} == {**entered, "ms:": 0}


def test_a_question_calls_the_experimenter(desk: Desk) -> None:
    desk.show(pages(desk.theme.translate)["page"])

    desk.click("help")
    desk.press("W", "h", "y")
    desk.click("dialog.yes")

    assert desk.actions.done == [("ask_for_help", "Why")]


def test_while_the_experimenter_is_called_the_button_is_for_the_code(desk: Desk) -> None:
    desk.show(replace(pages(desk.theme.translate)["page"], help_is_open=True))

    desk.click("experimenter")

    assert desk.actions.done == [("ask_experimenter",)]
    assert "help" not in desk.named.found


@pytest.mark.parametrize("is_test", [True, False])
def test_test_visits_are_marked(desk: Desk, is_test: bool) -> None:
    screen: Any = desk.show(StepPage("page", "p", title="Welcome", blocks=LONG[:2], is_test=is_test))

    header = screen._header.frame
    texts = [str(child.cget("text")) for child in header.winfo_children() if "label" in str(child).lower()]
    assert ("TEST" in texts) == is_test


def test_the_rules_of_a_game_are_left_by_the_button(desk: Desk) -> None:
    desk.show(pages(desk.theme.translate)["briefing"])

    desk.click("continue")

    assert desk.actions.done == [("go_on",)]


def test_a_long_title_scrolls_with_the_text_so_that_the_buttons_stay_visible(desk: Desk) -> None:
    screen = desk.show(StepPage("page", "p", title="Word " * 600, blocks=LONG[:2]))
    desk.theme.root.update()

    button = screen.continue_button
    assert button is not None
    assert (
        button.winfo_rooty() + button.winfo_height()
        <= screen.frame.winfo_rooty() + screen.frame.winfo_height()
    )


def test_tab_goes_from_the_statements_to_the_code_to_agreeing_and_then_to_declining(desk: Desk) -> None:
    desk.show(replace(pages(desk.theme.translate)["consent"], has_help=True))

    stops = []
    for _ in range(6):
        desk.press("Tab")
        stops.append(desk.focused)

    assert stops == ["tick.age", "tick.data", "signature", "agree", "decline", "help"]


def test_statements_stay_where_they_are_after_a_message(desk: Desk) -> None:
    desk.show(pages(desk.theme.translate)["consent"])
    desk.click("agree")
    before = desk.widget("tick.data").winfo_rooty()

    desk.click("tick.age")

    assert desk.widget("tick.data").winfo_rooty() == before


def test_after_a_wrong_code_the_next_one_can_be_typed_at_once(desk: Desk) -> None:
    desk.show(StepPage("page", "p", title="Welcome", blocks=LONG[:2]))
    done: list[str] = []
    dialog = ExperimenterCodeDialog(
        desk.theme,
        lambda code: code == "lab42",
        on_correct=lambda: done.append("continue"),
        announcer=desk.named,
        question=ConfirmationQuestion("Continue?", "For the experimenter.", "Continue", "Back"),
        further=("End", lambda: done.append("end")),
    )
    dialog.open()
    desk.theme.root.update()

    desk.click("dialog.further")
    assert done == []
    assert desk.focused == "code"
    desk.widget("code").insert(0, "lab42")
    desk.click("dialog.further")

    assert done == ["end"]
    assert not dialog.is_open
