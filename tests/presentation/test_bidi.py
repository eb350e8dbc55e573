"""Hebrew and Arabic: wrapped into lines in reading order, then each line converted to drawing order."""

from __future__ import annotations

import pytest

from negoplatform.presentation.bidi import has_rtl, to_visual_order, wrap_lines

HEBREW = "שלום לכולם, ההצעה היא 3 בננות ו-2 חיטה (25 points)"


def width(text: str) -> float:
    """Return a text's width with characters of width one."""
    return len(text)


@pytest.mark.parametrize("text", ["שלום", "price: مئة", "a b ש"])
def test_a_text_with_a_letter_from_right_to_left_is_known(text: str) -> None:
    assert has_rtl(text)


@pytest.mark.parametrize("text", ["", "café 120 €", "… – “”", "Zażółć", "日本", "1, 2, 3"])
def test_a_text_without_one_is_left_as_it_is(text: str) -> None:
    assert not has_rtl(text)
    assert to_visual_order(text) == text
    assert to_visual_order(text, rtl=True) == text


def test_a_hebrew_line_is_drawn_from_its_end_to_its_beginning() -> None:
    assert to_visual_order("שלום") == "םולש"
    assert to_visual_order("אב גד") == "דג בא"


def test_numbers_and_latin_words_stay_as_they_are_read() -> None:
    drawn = to_visual_order("מחיר 120 ל-Rowan", rtl=True)

    assert "120" in drawn
    assert "Rowan" in drawn
    assert drawn.index("Rowan") < drawn.index("120") < drawn.index("ריחמ")


def test_a_line_that_begins_with_a_latin_name_stands_among_hebrew_ones_as_they_do() -> None:
    text = "Rowan אמר כן"

    assert to_visual_order(text, rtl=True).endswith("Rowan")
    assert to_visual_order(text).startswith("Rowan")


def test_brackets_face_the_words_that_they_hold() -> None:
    assert to_visual_order("(שלום)", rtl=True) == "(םולש)"


def test_arabic_letters_are_joined() -> None:
    drawn = to_visual_order("سلام")

    assert drawn != "سلام"[::-1]
    assert all(char > "\ufb4f" for char in drawn)


@pytest.mark.parametrize(
    ("line", "drawn"),
    [
        ("אב גד.", ".גד אב"),
        ("אב (4) גד, 5", "5 ,גד (4) אב"),
        ("Rowan: אב גד!", "!גד אב :Rowan"),
        ("לֶחֶם וְחָלָב", "וְחָלָב לֶחֶם"),
        ("مرحبا، كيف؟", "كيف؟ ،مرحبا"),
    ],
)
def test_where_tk_draws_each_run_itself_runs_are_moved_and_their_letters_stay(line: str, drawn: str) -> None:
    assert to_visual_order(line, rtl=True, keeps_runs=True) == drawn


@pytest.mark.parametrize("room", [1, 2, 5, 9, 14, 30, 200])
@pytest.mark.parametrize(
    "text",
    [
        HEBREW,
        "The quick brown fox jumps over the lazy dog",
        "averylongwordwithoutanyplacetobreak and more",
        "two\nparagraphs of words",
        "",
        "   spaces   stay   ",
        "\n\n",
    ],
)
def test_no_line_is_too_wide_and_no_character_is_lost_whatever_the_room(text: str, room: int) -> None:
    lines = wrap_lines(text, room, width)

    assert all(width(line) <= room for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_words_stay_whole_where_they_fit_and_lines_come_in_reading_order() -> None:
    assert wrap_lines("אחת שתיים שלוש ארבע", 10, width) == ["אחת שתיים", "שלוש ארבע"]
    assert wrap_lines("one two\nthree", 8, width) == ["one two", "three"]


def test_a_word_that_is_too_wide_is_broken_and_the_others_are_not() -> None:
    assert wrap_lines("to abcdefghij be", 4, width) == ["to", "abcd", "efgh", "ij", "be"]


def test_an_empty_line_between_paragraphs_stays() -> None:
    assert wrap_lines("one\n\ntwo", 10, width) == ["one", "", "two"]


def test_breaking_before_drawing_keeps_the_first_words_in_the_first_line() -> None:
    first, second = (to_visual_order(line, rtl=True) for line in wrap_lines("אחת שתיים שלוש ארבע", 10, width))

    assert "תחא" in first
    assert "עברא" in second
