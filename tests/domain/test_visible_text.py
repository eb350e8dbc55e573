"""Characters that are not drawn or that reorder others: shown, except where emoji and scripts need them."""

from __future__ import annotations

import unicodedata

import pytest

from negoplatform.domain.visible_text import cut_text, reveal_invisible, visible_name
from negoplatform.formats.strict_json import single_line
from negoplatform.presentation.bidi import drawn_text

TAGS = "".join(chr(0xE0000 + ord(char)) for char in "hide")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ali\u202ecexe", "Ali\\u202ecexe"),
        ("Ali\u200b", "Ali\\u200b"),
        ("a\u2066b\u2069", "a\\u2066b\\u2069"),
        ("a\u200e\u200f\u061c", "a\\u200e\\u200f\\u061c"),
        ("red\x1b[31m\x9b", "red\\x1b[31m\\x9b"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("half \ud83d", "half \\ud83d"),
        (f"a{TAGS}", "a\\U000e0068\\U000e0069\\U000e0064\\U000e0065"),
        (f"\U0001f3f4{TAGS}\U000e007f", "\U0001f3f4\\U000e0068\\U000e0069\\U000e0064\\U000e0065\\U000e007f"),
        ("a\ufe0f\U000e0100", "a\\ufe0f\\U000e0100"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f\\ufe0f"),
        ("a\u200db", "a\\u200db"),
        ("👩\u200d\u200d💻", "👩\\u200d\\u200d💻"),
        ("\u0633\u200c", "\u0633\\u200c"),
        ("\u3164\u115f\u2800", "\\u3164\\u115f\\u2800"),
    ],
)
def test_invisible_characters_are_shown(text: str, shown: str) -> None:
    assert reveal_invisible(text) == shown
    assert reveal_invisible(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Ali, שלום, 你好, 1 100 €",
        "👨\u200d👩\u200d👧\u200d👦 👩🏽\u200d💻 ❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈 🏃\u200d♀\ufe0f",
        "1\ufe0f\u20e3 #\ufe0f\u20e3 ©\ufe0f ☎\ufe0e",
        "".join(["\U0001f3f4", *(chr(0xE0000 + ord(char)) for char in "gbsct"), "\U000e007f"]),
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian: I want
        "\u0915\u094d\u200d\u0937",  # Hindi: a half letter
        "\u0d28\u0d4d\u200d",  # Malayalam: a final consonant in its older spelling
        "\u1828\u180b",  # Mongolian: a variant of a letter
        "\u0600\u06f1",  # the Arabic number sign, which is drawn
    ],
)
def test_what_emoji_and_scripts_need_stays(text: str) -> None:
    assert reveal_invisible(text) == text


def test_an_invisible_character_is_shown_whatever_selector_or_joiner_follows_it() -> None:
    invisible = [chr(code) for code in range(0x110000) if reveal_invisible(chr(code)) != chr(code)]

    kept = [
        char
        for char in invisible
        for after in ("\ufe0e", "\ufe0f", "\u200d❤")
        if char in reveal_invisible(char + after)
    ]

    assert kept == []


def test_no_control_or_format_character_is_left_alone() -> None:
    drawn = {
        *range(0x600, 0x606),
        0x6DD,
        0x70F,
        0x890,
        0x891,
        0x8E2,
        0x110BD,
        0x110CD,
        *range(0x13430, 0x13440),
    }
    every = [chr(code) for code in range(0x110000)]

    left = [
        char
        for char in every
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        and ord(char) not in drawn
        and reveal_invisible(char) == char
    ]

    assert left == []


def test_names_that_differ_in_an_invisible_character_differ_where_they_are_shown() -> None:
    names = ["Ali", "Ali\u200b", "Ali\u200c", "\u2060Ali", "Ali\u200e", "A\u00adli", "Ali\x00"]

    assert len({visible_name(name) for name in names}) == len(names)
    assert len({single_line(name) for name in names}) == len(names)


def test_a_long_name_does_not_end_in_a_joiner_that_cannot_be_seen() -> None:
    assert visible_name("x" * 38 + "👨\u200d👩") == "x" * 38


def test_a_line_for_a_terminal_shows_unusual_spaces_and_is_no_longer_than_it_may_be() -> None:
    assert single_line("Ali\xa0B\u3000C D") == "Ali\\xa0B\\u3000C D"
    assert len(single_line("\u200b" * 1000, 90)) <= 90


def test_a_line_for_a_terminal_shows_characters_for_private_use_and_unknown_ones_as_escapes() -> None:
    assert single_line("\uf6ffrich \ufe6fHAPPY") == "\\uf6ffrich \\ufe6fHAPPY"
    assert single_line("👨\u200d👩\u200d👧 é שלום") == "👨\u200d👩\u200d👧 é שלום"


def test_marks_of_translated_texts_are_not_drawn_as_escapes() -> None:
    assert drawn_text("\u200f5 \u200e/home\u200e\n\u202e") == "\u200f5 \u200e/home\u200e\n\\u202e"


@pytest.mark.parametrize(
    ("text", "longest", "cut"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "abc"),
        ("a👩🏽\u200d💻", 4, "a"),
        ("ae\u0301", 2, "a"),
        ("a" + "\u0301" * 100, 90, "a" + "\u0301" * 89),
        ("abc", 0, ""),
    ],
)
def test_a_text_is_cut_between_characters_as_they_are_drawn(text: str, longest: int, cut: str) -> None:
    assert cut_text(text, longest) == cut
