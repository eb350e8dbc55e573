"""Choice, wait, call, result, payment, end, and the screen for the code."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from negoplatform.gui.study.code_screen import CodeScreen
from tests.gui.study.conftest import Desk, NamedWidgets
from tests.gui.study.sample_pages import pages, with_entries

pytestmark = pytest.mark.window


def test_a_card_is_chosen_and_confirmed(desk: Desk) -> None:
    page = pages(desk.theme.translate)["choice"]
    screen = desk.show(page)

    desk.click("continue")
    assert desk.actions.done == []
    desk.press("2")
    entered = screen.entered()
    desk.show(with_entries(page, entered))
    desk.click("continue")

    assert desk.actions.done == [("choose", "robin")]


def test_a_wait_for_the_experimenter_has_the_time_so_far(desk: Desk) -> None:
    screen: Any = desk.show(pages(desk.theme.translate)["wait"])
    assert "01:05" in screen._waited.logical_text

    desk.click("experimenter")

    assert desk.actions.done == [("ask_experimenter",)]


def test_a_wait_for_a_time_ends_once_by_itself(desk: Desk) -> None:
    page = replace(pages(desk.theme.translate)["wait"], wait_seconds=60, elapsed_seconds=10.0)
    desk.show(page)
    assert desk.actions.done == []

    screen = desk.show(replace(page, elapsed_seconds=60.0))
    desk.wait_until(lambda: bool(desk.actions.done))
    screen.act_on_time()

    assert desk.actions.done == [("wait_is_over",)]
    assert "continue" not in desk.named.found


def test_a_call_is_opened_and_left_with_its_word(desk: Desk) -> None:
    desk.show(pages(desk.theme.translate)["call"])

    desk.click("open_call")
    desk.click("continue")
    assert desk.actions.done == [("open_call",)]
    assert desk.focused == "word"
    desk.press("o", "k", "Return")

    assert desk.actions.done == [("open_call",), ("return_from_call", "ok")]


def test_a_program_whose_exit_code_counts_has_no_button_to_go_on(desk: Desk) -> None:
    page = replace(pages(desk.theme.translate)["call"], target="program", returns="exit_code")

    desk.show(page)

    assert "continue" not in desk.named.found
    assert "word" not in desk.named.found


@pytest.mark.parametrize("kind", ["result", "payment", "end"])
def test_result_payment_and_end_are_left_by_the_button(desk: Desk, kind: str) -> None:
    desk.show(pages(desk.theme.translate)[kind])

    desk.click("continue")
    desk.click("continue")

    assert desk.actions.done == [("go_on",)]


def test_after_the_visit_there_is_no_button(desk: Desk) -> None:
    desk.show(pages(desk.theme.translate)["declined"])

    assert desk.named.found == {}


class TypedCode:
    """Screen for the code, with the codes that were given."""

    def __init__(self, desk: Desk, *, type_twice: bool) -> None:
        desk.close()
        self.codes: list[str] = []
        self.languages: list[str] = []
        desk.named = NamedWidgets()
        self.screen = CodeScreen(
            desk.theme,
            type_twice=type_twice,
            announcer=desk.named,
            on_code=self.codes.append,
            study_title="Bargaining",
            languages=("en", "he"),
            on_language=self.languages.append,
        )
        self.screen.frame.pack(fill="both", expand=True)
        desk.theme.root.update()
        desk.theme.root.focus_force()
        self.screen.focus_first()
        desk.theme.root.update()

    def __enter__(self) -> TypedCode:
        return self

    def __exit__(self, *_error: object) -> None:
        self.screen.frame.destroy()


def test_a_code_is_typed_twice(desk: Desk) -> None:
    with TypedCode(desk, type_twice=True) as typed:
        desk.press("P", "1", "Return", "P", "2", "Return")
        assert typed.codes == []
        assert ("study_problem", {"text": "The two codes are different. Please type your code twice."}) in (
            desk.named.announced
        )

        desk.widget("code.again").focus_set()
        desk.press("p", "1", "Return")

        assert typed.codes == ["P1"]


def test_a_code_that_cannot_be_used_can_be_corrected(desk: Desk) -> None:
    with TypedCode(desk, type_twice=False) as typed:
        desk.click("continue")
        assert typed.codes == []
        desk.press("P", "1", "Return")
        typed.screen.show_problem("There is no such code.")
        desk.press("P", "2", "Return")

        assert typed.codes == ["P1", "P2"]


def test_the_language_is_chosen_with_the_code(desk: Desk) -> None:
    with TypedCode(desk, type_twice=False) as typed:
        desk.click("language.he")

        assert typed.languages == ["he"]
