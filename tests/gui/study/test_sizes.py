"""Every screen of a study on a laptop, at several text sizes and in all languages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negoplatform.gui.study.screen_pictures import cut_off_controls
from negoplatform.presentation.i18n import Language
from tests.gui.study.conftest import Desk
from tests.gui.study.sample_pages import pages

pytestmark = pytest.mark.window


@pytest.mark.parametrize("size", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("language", ["en", "de", "he"])
def test_nothing_is_cut_off_on_a_laptop(desk: Desk, language: str, size: float) -> None:
    desk.appear(language=language, text_size=size)

    found = {
        name: faults
        for name, page in pages(desk.theme.translate).items()
        if (faults := cut_off_controls(desk.show(page).frame))
    }

    assert found == {}


@pytest.mark.parametrize("size", [1.0, 2.0])
def test_sentences_that_are_half_as_long_again_fit_too(
    desk: Desk, size: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.appear(text_size=size)
    say = Language.__call__

    def say_more(language: Language, text: str, /, **values: object) -> str:
        said = say(language, text, **values)
        return f"{said} {('abcdefg ' * 20)[: len(said) // 2]}"

    monkeypatch.setattr(Language, "__call__", say_more)

    found = {}
    for name, page in pages(desk.theme.translate).items():
        full = replace(page, is_test=True, timeout_seconds=600, pages=max(2, page.pages))
        if faults := cut_off_controls(desk.show(full).frame):
            found[name] = faults

    assert found == {}


def test_buttons_stay_where_they_are_from_page_to_page(desk: Desk) -> None:
    all_pages = pages(desk.theme.translate)

    places = []
    for name in ("form", "form_typed", "matrix", "page"):
        desk.show(all_pages[name])
        button = desk.widget("continue")
        places.append((button.winfo_rootx() + button.winfo_width(), button.winfo_rooty()))

    assert len(set(places)) == 1


def test_a_screen_that_is_resized_is_wrapped_again(desk: Desk) -> None:
    screen = desk.show(pages(desk.theme.translate)["consent"])
    root = desk.theme.root

    root.geometry("700x600")
    root.update()
    narrow = cut_off_controls(screen.frame)
    root.geometry("1366x744")
    root.update()

    assert narrow == []
    assert cut_off_controls(screen.frame) == []


def test_in_hebrew_everything_is_mirrored(desk: Desk) -> None:
    desk.appear(language="he")
    desk.show(pages(desk.theme.translate)["form"])

    first, last = desk.widget("liked.1"), desk.widget("liked.7")
    assert first.winfo_rootx() > last.winfo_rootx()
    assert desk.widget("continue").winfo_rootx() < desk.theme.root.winfo_width() // 2
    desk.widget("liked.1").focus_set()
    desk.press("Left")
    assert desk.focused == "liked.2"
