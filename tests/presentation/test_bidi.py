"""Hebrew and Arabic: wrapped into lines in reading order, then each line converted to drawing order."""

from __future__ import annotations

import unicodedata

import pytest

from negoplatform.presentation.bidi import (
    RIGHT_TO_LEFT,
    has_rtl,
    left_to_right,
    to_visual_order,
    wrap_lines,
)

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


def forms_of(line: str) -> list[str]:
    """Return each drawn letter's code point and form (in, me, fi, is) in reading order; "" between words."""
    drawn = to_visual_order(line, rtl=True)[::-1]
    pairs = [(char, unicodedata.decomposition(char).split()) for char in drawn]
    assert [char for char, parts in pairs if not parts] == [" "] * line.count(" "), "a letter is not joined"
    return ["-".join([*parts[1:], parts[0][1:3]]) if parts else "" for _, parts in pairs]


@pytest.mark.parametrize(
    ("line", "forms"),
    [
        # Arabic: peace upon you. Alef joins on its right only; lam and alef are one character.
        ("سلام عليكم", "0633-in 0644-0627-fi 0645-is  0639-in 0644-me 064A-me 0643-me 0645-fi"),
        # Persian: four books. Peh, tcheh and keheh are not in Arabic; reh joins on its right only.
        ("چهار کتاب", "0686-in 0647-me 0627-fi 0631-is  06A9-in 062A-me 0627-fi 0628-is"),
        # Urdu: very well. Tteh, heh doachashmee and heh goal are not in Persian.
        ("بہت ٹھیک", "0628-in 06C1-me 062A-fi  0679-in 06BE-me 06CC-me 06A9-fi"),
        ("ڈر گئے", "0688-is 0631-is  06AF-in 0626-me 06D2-fi"),
        # A word that has a character of its own, which common fonts do not have.
        ("الله", "0627-is 0644-in 0644-me 0647-fi"),
    ],
)  # fmt: skip
def test_each_arabic_letter_has_the_form_of_its_place_in_the_word(line: str, forms: str) -> None:
    assert forms_of(line) == forms.split(" ")


def test_vowel_marks_are_not_drawn() -> None:
    assert to_visual_order("كَتَبَ") == to_visual_order("كتب")


def test_letters_apart_in_a_persian_word_stay_apart() -> None:
    assert "\ufbfd" in to_visual_order("می\u200cخواهم", rtl=True)  # farsi yeh, final form


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


def test_each_line_of_a_wrapped_path_is_drawn_from_left_to_right_among_hebrew_ones() -> None:
    path = left_to_right("/home/ab/x/agent.py")

    whole, narrow = (wrap_lines(f"{HEBREW}\n{path}", width, len) for width in (100, 9))

    drawn = [to_visual_order(RIGHT_TO_LEFT + line, rtl=True) for line in (*whole[1:], *narrow[-3:])]
    assert drawn == ["/home/ab/x/agent.py", "/home/ab/", "x/agent.p", "y"]


def test_a_line_of_digits_between_marks_keeps_the_order_of_its_groups() -> None:
    line = "0123 4567 89ab"

    assert to_visual_order(RIGHT_TO_LEFT + line, rtl=True) != line, "or the marks would not be needed"
    assert to_visual_order(RIGHT_TO_LEFT + left_to_right(line), rtl=True) == line
