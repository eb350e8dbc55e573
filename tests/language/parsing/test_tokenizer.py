"""Tokens and sentences of a text."""

from __future__ import annotations

import pytest

from negoplatform.language.parsing.words.tokenizer import (
    MAX_TEXT_LENGTH,
    MAX_TOKENS,
    split_sentences,
    tokenize,
)


def norms(text: str) -> list[str]:
    """Return the normal forms of a text's tokens."""
    return [token.norm for token in tokenize(text, {"i'd": "i would", "don't": "do not"})]


def test_words_become_small_and_contractions_are_written_out() -> None:
    assert norms("I’d TAKE it, don't I?") == ["i", "would", "take", "it", ",", "do", "not", "i", "?"]


def test_a_token_knows_its_place_in_the_text() -> None:
    text = "Well – I'd say 90,000!"

    places = [(token.text, text[token.start : token.end]) for token in tokenize(text, {"i'd": "i would"})]

    assert all(written == there for written, there in places)
    assert [written for written, _ in places] == ["Well", "–", "I'd", "I'd", "say", "90,000", "!"]


@pytest.mark.parametrize(
    ("text", "number"),
    [("90,000", 90_000), ("90.000", 90_000), ("1,234,567", 1_234_567), ("2.5", 2.5), ("2.0", 2), ("007", 7)],
)
def test_digits_are_numbers_in_the_ways_that_people_write_them(text: str, number: float) -> None:
    (token,) = tokenize(text)

    assert token.number == number


def test_a_number_that_no_game_holds_is_none() -> None:
    (token,) = tokenize("9" * 3_000)

    assert token.number is None


def test_a_number_and_the_word_behind_it_are_two_tokens() -> None:
    assert norms("2food 90k 3.I") == ["2", "food", "90", "k", "3", ".", "i"]


def test_accents_do_not_matter_and_other_letters_stay() -> None:
    assert norms("café מים") == ["cafe", "מים"]


def test_a_sentence_ends_with_its_sign_and_knows_a_question() -> None:
    tokens = tokenize("You take 2. And I? Fine")

    assert [(s.start, s.end, s.question) for s in split_sentences(tokens)] == [
        (0, 3, False),
        (4, 6, True),
        (7, 8, False),
    ]


def test_a_long_text_is_looked_at_in_part() -> None:
    assert len(tokenize("a " * 10_000)) == MAX_TOKENS
    assert tokenize("a" * 10_000)[0].end == MAX_TEXT_LENGTH
