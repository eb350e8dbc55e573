"""Forms and quizzes, filled in by keyboard and mouse."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from negoplatform.gui.study import step_frame
from negoplatform.presentation.study.step_page import StepPage, timing_key
from tests.gui.study.conftest import Desk
from tests.gui.study.sample_pages import ITEMS, MATRIX, MORE_ITEMS, pages, sample_item, with_entries

pytestmark = pytest.mark.window

SCALE = {"points": 11, "from": "low", "to": "high"}


def form(desk: Desk, *documents: dict[str, Any], **more: Any) -> StepPage:
    """Return a page of a form with these items."""
    items = tuple(sample_item(document, desk.theme.translate) for document in documents)
    return StepPage("form", "form", title="Questions", items=items, **more)


def sent(desk: Desk) -> dict[str, Any]:
    """Return the answers that were sent; once."""
    ((kind, values, *_rest),) = desk.actions.done
    assert kind in ("answer_page", "try_quiz")
    return dict(values)


def test_a_scale_has_no_preset_and_is_answered_by_a_digit(desk: Desk) -> None:
    screen = desk.show(form(desk, ITEMS[0]))
    assert "liked" not in screen.entered()

    desk.press("Tab", "5")
    desk.click("continue")

    assert sent(desk) == {"liked": 5}


def test_a_scale_of_eleven_points_is_answered_by_digits_arrows_and_mouse(desk: Desk) -> None:
    screen = desk.show(form(desk, {"id": "a", "ask": "?", "likert": SCALE}))

    desk.press("Tab", "0")
    assert screen.entered()["a"] == 10
    desk.press("Right", "space")
    assert screen.entered()["a"] == 11
    desk.click("a.2")
    assert screen.entered()["a"] == 2
    assert desk.focused == "a.2"


def test_moving_along_a_scale_answers_nothing(desk: Desk) -> None:
    screen = desk.show(form(desk, ITEMS[0]))

    desk.press("Tab", "Right", "Right")

    assert desk.focused == "liked.3"
    assert "liked" not in screen.entered()


def test_before_tab_no_control_has_the_focus(desk: Desk) -> None:
    desk.show(form(desk, ITEMS[0]))
    assert desk.focused == ""

    desk.press("Tab")

    assert desk.focused == "liked.1"


def test_a_choice_is_made_by_digit_arrows_and_mouse(desk: Desk) -> None:
    screen = desk.show(form(desk, ITEMS[1]))

    desk.press("Tab", "2")
    assert screen.entered()["again"] == 2
    desk.press("Up", "Down", "Down", "space")
    assert screen.entered()["again"] == 3
    desk.click("again.1")
    assert screen.entered()["again"] == 1


def test_several_options_are_chosen_and_left_out_again(desk: Desk) -> None:
    screen = desk.show(form(desk, ITEMS[3]))

    desk.press("Tab", "3", "1")
    desk.click("felt.8")
    assert screen.entered()["felt"] == [1, 3, 8]
    desk.click("felt.3")
    desk.click("continue")

    assert sent(desk) == {"felt": [1, 8]}


def test_an_item_that_may_be_skipped_can_stay_empty(desk: Desk) -> None:
    desk.show(form(desk, ITEMS[3]))

    desk.click("continue")

    assert sent(desk) == {"felt": None}


def test_a_number_is_typed_with_a_comma_or_a_point(desk: Desk) -> None:
    screen = desk.show(form(desk, {"id": "a", "ask": "?", "number": {"whole": False}}))

    desk.press("2", "comma", "5")

    assert screen.entered()["a"] == 2.5


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ("", "Please answer this question."),
        ("x", "Please type a whole number."),
        ("9", "Please type at least 16."),
        ("999", "Please type at most 120."),
    ],
)
def test_a_number_that_does_not_fit_is_pointed_at(desk: Desk, keys: str, sentence: str) -> None:
    screen: Any = desk.show(form(desk, MORE_ITEMS[0]))

    desk.press(*keys)
    desk.click("continue")

    assert desk.actions.done == []
    assert screen._blocks["age"]._fault.logical_text == sentence
    assert desk.focused == "age"


def test_a_slider_is_empty_until_a_key_or_a_click_sets_it(desk: Desk) -> None:
    screen = desk.show(form(desk, MORE_ITEMS[1]))
    assert "sure" not in screen.entered()

    desk.press("Tab", "Right")
    assert screen.entered()["sure"] == 50
    desk.press("Right", "Right", "Prior")
    assert screen.entered()["sure"] == 62
    desk.press("Home")
    assert screen.entered()["sure"] == 0
    desk.click("sure", x=desk.widget("sure").winfo_width() - 2)
    assert screen.entered()["sure"] == 100


def test_in_hebrew_a_slider_grows_to_the_left(desk: Desk) -> None:
    desk.appear(language="he")
    screen = desk.show(form(desk, MORE_ITEMS[1]))

    desk.click("sure", x=2)
    assert screen.entered()["sure"] == 100
    desk.press("Right")
    assert screen.entered()["sure"] == 99


def test_a_text_of_several_lines_breaks_them_at_enter(desk: Desk) -> None:
    screen = desk.show(form(desk, {"id": "a", "ask": "?", "text": {"lines": 3}}))

    desk.press("a", "Return", "b")

    assert screen.entered()["a"] == "a\nb"
    assert desk.actions.done == []


def test_things_get_their_places_in_the_order_of_the_presses(desk: Desk) -> None:
    screen = desk.show(form(desk, MORE_ITEMS[3]))

    desk.click("order.3")
    desk.click("order.1")
    assert screen.entered()["order"] is None
    desk.click("order.2")
    assert screen.entered()["order"] == [3, 1, 2]
    desk.click("order.3")
    assert screen.entered()["order"] is None


def test_an_order_that_was_begun_is_not_sent_but_kept(desk: Desk) -> None:
    page = form(desk, MORE_ITEMS[3])
    screen = desk.show(page)
    desk.click("order.3")
    desk.click("order.1")
    desk.click("continue")
    assert desk.actions.done == []

    desk.show(with_entries(page, screen.entered()))
    desk.click("order.2")
    desk.click("continue")

    assert sent(desk) == {"order": [3, 1, 2]}


def test_places_are_given_and_changed_by_keys(desk: Desk) -> None:
    screen = desk.show(form(desk, MORE_ITEMS[3]))

    desk.press("Tab", "space", "Down", "1", "Down", "space")
    assert screen.entered()["order"] == [2, 1, 3]
    desk.widget("order.3").event_generate("<Shift-Up>")

    assert screen.entered()["order"] == [2, 3, 1]


def test_a_division_of_points_is_chosen(desk: Desk) -> None:
    divisions = [[85, 85], [85, 76], [85, 68]]
    screen = desk.show(form(desk, {"id": "a", "ask": "?", "allocation": {"divisions": divisions}}))

    desk.press("Tab", "3")

    assert screen.entered()["a"] == 3


def test_missing_rows_of_a_matrix_are_pointed_at_and_reached(desk: Desk) -> None:
    screen: Any = desk.show(form(desk, MATRIX))
    for n in (*range(1, 9), 10):
        desk.widget(f"m_r{n}.1").focus_set()
        desk.press("4")

    screen.scrolled.canvas.yview_moveto(0)
    desk.click("continue")

    assert desk.actions.done == []
    assert screen._blocks["m"]._fault.logical_text == "Please answer this question."
    assert desk.focused == "m_r9.1"
    canvas, row = screen.scrolled.canvas, desk.widget("m_r9.1")
    assert canvas.winfo_rooty() <= row.winfo_rooty()
    assert row.winfo_rooty() + row.winfo_height() <= canvas.winfo_rooty() + canvas.winfo_height()
    desk.press("2")
    assert not screen._blocks["m"].is_marked
    desk.click("continue")
    assert sent(desk) == {f"m_r{n}": 2 if n == 9 else 4 for n in range(1, 11)}


def test_an_item_appears_and_disappears_with_the_answer_that_it_depends_on(desk: Desk) -> None:
    desk.show(form(desk, *ITEMS[1:3]))
    assert not desk.widget("why").winfo_viewable()

    desk.click("again.2")
    assert desk.widget("why").winfo_viewable()
    desk.widget("why").focus_set()
    desk.press("n", "o")
    desk.click("again.1")
    assert not desk.widget("why").winfo_viewable()
    desk.click("continue")

    assert sent(desk) == {"again": 1}


def test_an_item_that_was_hidden_comes_back_with_what_was_typed(desk: Desk) -> None:
    desk.show(form(desk, *ITEMS[1:3]))
    desk.click("again.2")
    desk.widget("why").focus_set()
    desk.press("n", "o")

    desk.click("again.1")
    desk.click("again.2")
    desk.click("continue")

    assert sent(desk) == {"again": 2, "why": "no"}


def test_answers_carry_the_number_of_changes_after_the_first(desk: Desk) -> None:
    desk.show(form(desk, ITEMS[0], ITEMS[1]))

    desk.click("liked.1")
    desk.click("liked.1")
    desk.click("liked.4")
    desk.click("liked.5")
    desk.click("again.1")
    desk.click("continue")

    (_kind, _values, given) = desk.actions.done[0]
    assert [(one.item, one.changes) for one in given] == [("liked", 2), ("again", 0)]
    assert 0 <= given[0].ms <= given[1].ms


def test_enter_in_a_field_goes_on_only_when_nothing_is_missing(desk: Desk) -> None:
    desk.show(form(desk, MORE_ITEMS[0], MORE_ITEMS[2]))
    assert desk.focused == "age"

    desk.press("2", "0", "Return")
    assert desk.focused == "field"
    assert desk.actions.done == []
    desk.press("Return")
    assert desk.actions.done == []
    desk.widget("field").focus_set()
    desk.press("x", "Return")

    assert sent(desk) == {"age": 20, "field": "x"}


def test_enter_on_a_scale_chooses_and_never_goes_on(desk: Desk) -> None:
    screen = desk.show(form(desk, ITEMS[0]))

    desk.press("Tab", "Return", "Return", "Return")

    assert screen.entered()["liked"] == 1
    assert desk.actions.done == []


def test_a_page_is_sent_once(desk: Desk) -> None:
    desk.show(form(desk, ITEMS[3]))

    desk.click("continue")
    desk.click("continue")
    desk.widget("continue").focus_set()
    desk.press("Return", "space")

    assert len(desk.actions.done) == 1


def test_a_refusal_is_shown_and_the_answers_stay(desk: Desk) -> None:
    screen: Any = desk.show(form(desk, ITEMS[0]))
    desk.press("Tab", "3")
    desk.actions.refusal = "The disk is full."

    desk.click("continue")
    assert ("study_problem", {"text": "The disk is full."}) in desk.named.announced
    assert screen.entered()["liked"] == 3
    desk.actions.refusal = ""
    desk.click("continue")

    assert sent(desk) == {"liked": 3}


def test_what_was_entered_is_kept_and_fills_a_screen_that_is_built_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_frame, "DRAFT_MS", 1)
    page = form(desk, *ITEMS, *MORE_ITEMS, MATRIX)
    screen = desk.show(page)
    desk.click("liked.6")
    desk.click("liked.7")
    desk.click("again.2")
    desk.click("felt.2")
    desk.widget("age").focus_set()
    desk.press("3", "3")
    desk.click("order.2")
    desk.click("m_r4.5")
    desk.wait_until(lambda: bool(desk.actions.drafts) and "m_r4" in desk.actions.drafts[-1])
    entered = dict(screen.entered())

    desk.appear(text_size=1.5)
    again = desk.show(with_entries(page, entered))

    filled = again.entered()
    wanted = {"liked": 7, "again": 2, "felt": [2], "age": 33, "m_r4": 5}
    assert {name: filled.get(name) for name in wanted} == wanted
    assert filled[timing_key("liked")] == entered[timing_key("liked")]
    assert filled["ms:"] >= entered["ms:"]


def test_an_answer_that_was_taken_back_stays_empty_on_a_screen_that_is_built_again(desk: Desk) -> None:
    page = form(desk, ITEMS[3], answers={"felt": [1]})
    screen = desk.show(page)
    desk.click("felt.1")

    again = desk.show(with_entries(page, screen.entered()))
    desk.click("continue")

    assert "felt" in again.entered()
    assert sent(desk) == {"felt": None}


def test_what_is_no_number_is_filled_in_as_it_was_typed(desk: Desk) -> None:
    desk.appear(language="de")
    page = form(desk, MORE_ITEMS[0])
    screen = desk.show(page)
    desk.press("1", "period", "2", "comma", "3")

    desk.show(with_entries(page, screen.entered()))

    assert desk.widget("age").get() == "1.2,3"


def test_back_keeps_the_answers_and_shows_the_page_before(desk: Desk) -> None:
    desk.show(form(desk, ITEMS[0], page=1, pages=3, can_go_back=True))

    desk.press("Tab", "2")
    desk.click("back")

    assert desk.actions.done == [("show_page", 0)]
    assert desk.actions.drafts[-1]["liked"] == 2


def test_tab_goes_from_item_to_item_and_to_the_buttons(desk: Desk) -> None:
    desk.show(form(desk, *ITEMS[:2], ITEMS[3], page=1, pages=2, can_go_back=True))

    stops = []
    for _ in range(5):
        desk.press("Tab")
        stops.append(desk.focused)

    assert stops == ["liked.1", "again.1", "felt.1", "continue", "back"]


def test_a_quiz_says_why_an_answer_was_wrong_until_it_is_changed(desk: Desk) -> None:
    page = pages(desk.theme.translate)["quiz"]
    screen: Any = desk.show(page)
    assert screen._blocks["no_deal"].is_marked
    assert not screen._blocks["binding"].is_marked
    assert screen._hint.logical_text == "2 attempts left"

    desk.widget("no_deal").delete(0, "end")
    desk.widget("no_deal").insert(0, "5")
    desk.theme.root.update()
    assert not screen._blocks["no_deal"].is_marked
    desk.click("continue")

    assert sent(desk) == {"no_deal": 5, "binding": 1}


def test_a_quiz_needs_every_answer(desk: Desk) -> None:
    page = replace(pages(desk.theme.translate)["quiz"], answers={}, faults={})
    screen: Any = desk.show(page)

    desk.click("continue")

    assert desk.actions.done == []
    assert screen._blocks["binding"].is_marked
    assert desk.focused == "no_deal"


def test_after_the_last_attempt_only_the_experimenter_goes_on(desk: Desk) -> None:
    desk.show(pages(desk.theme.translate)["quiz_failed"])

    desk.click("experimenter")

    assert "continue" not in desk.named.found
    assert desk.actions.done == [("ask_experimenter",)]


def test_after_the_last_question_tab_goes_to_continue_before_the_help(desk: Desk) -> None:
    desk.show(form(desk, ITEMS[0], has_help=True))

    stops = []
    for _ in range(3):
        desk.press("Tab")
        stops.append(desk.focused)

    assert stops == ["liked.1", "continue", "help"]


def test_the_message_about_marked_questions_is_gone_once_all_are_answered(desk: Desk) -> None:
    screen: Any = desk.show(form(desk, *ITEMS[:2]))
    desk.click("continue")
    below = desk.widget("again.1").winfo_rooty()

    desk.click("liked.1")
    assert screen._problem.logical_text
    assert desk.widget("again.1").winfo_rooty() == below
    desk.click("again.1")

    assert screen._problem.logical_text == ""


def test_answers_that_were_checked_use_up_no_other_attempt(desk: Desk) -> None:
    page = replace(pages(desk.theme.translate)["quiz"], tried={"no_deal": 3, "binding": 1})
    screen: Any = desk.show(page)

    desk.click("continue")
    assert desk.actions.done == []
    assert "already been checked" in screen._problem.logical_text
    desk.widget("no_deal").insert("end", "0")
    desk.theme.root.update()
    desk.click("continue")

    assert sent(desk) == {"no_deal": 30, "binding": 1}


@pytest.mark.parametrize(
    ("ask", "shown"),
    [
        ("Anything else?", "Anything else? (optional)"),
        ("Anything else? You can leave this empty.", "Anything else? You can leave this empty."),
    ],
)
def test_a_question_that_says_that_it_is_optional_is_not_marked_again(
    desk: Desk, ask: str, shown: str
) -> None:
    document = {"id": "more", "ask": {"en": ask}, "text": {"lines": 1}, "may_skip": True}
    screen: Any = desk.show(form(desk, document))

    assert screen._blocks["more"]._ask.logical_text == shown
