"""The window's texts: sentences with values, numbers of things, and languages with missing sentences."""

from __future__ import annotations

import gettext

import pytest

from negoplatform.presentation.i18n import ENGLISH, LANGUAGES, Language, gettext_noop


class Backwards(gettext.NullTranslations):
    """Catalogue with every sentence, spelled backwards except for placeholders in braces."""

    def gettext(self, message: str) -> str:
        return " ".join(word if word.startswith("{") else word[::-1] for word in message.split(" "))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def test_a_sentence_is_said_with_its_values_in_their_places() -> None:
    assert ENGLISH("{name} left", name="Rowan") == "Rowan left"
    assert Language("xx", Backwards())("{name} left", name="Rowan") == "Rowan tfel"


def test_what_somebody_else_said_is_never_taken_for_a_sentence_of_the_windows_own() -> None:
    assert ENGLISH("{name} left", name="{other} {0} %s") == "{other} {0} %s left"
    assert Language("xx", Backwards())("{name} left", name="left") == "left tfel"


def test_braces_without_values_are_words() -> None:
    assert ENGLISH("a {b} c") == "a {b} c"


def test_nothing_is_said_as_nothing() -> None:
    """Look up the empty sentence, under which a catalogue stores its header."""
    german = Language.load("de")

    assert german("") == ""


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0 points"),
        (1, "1 point"),
        (2, "2 points"),
        (-1, "-1 point"),
        (1.0, "1.0 point"),
        (0.5, "0.5 points"),
        (1.5, "1.5 points"),
        (-2.5, "-2.5 points"),
    ],
)
def test_one_thing_is_said_otherwise_than_several(number: float, words: str) -> None:
    assert ENGLISH.plural("{n} point", "{n} points", number) == words


def test_how_a_number_is_written_is_for_the_caller_to_say() -> None:
    assert ENGLISH.plural("{n} point", "{n} points", 1.0, n="1") == "1 point"


def test_a_language_that_has_no_catalogue_speaks_english() -> None:
    assert Language.load("xx")("Send offer") == "Send offer"


def test_every_language_can_be_loaded_and_hebrew_alone_is_read_from_right_to_left() -> None:
    loaded = {code: Language.load(code) for code in LANGUAGES}

    assert [code for code, language in loaded.items() if language.rtl] == ["he"]
    assert all(language("{name} left", name="Rowan").count("Rowan") == 1 for language in loaded.values())


def test_a_marked_sentence_is_itself() -> None:
    assert gettext_noop("Looks calm") == "Looks calm"
