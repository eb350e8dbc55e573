from __future__ import annotations

import time

import pytest

from negoplatform.domain.errors import NegoError
from negoplatform.formats.games import load_game
from negoplatform.language.parsing.grammar.pattern_matcher import Match, PatternSet
from negoplatform.language.parsing.grammar.pattern_syntax import (
    Grammar,
    Pattern,
    PatternToken,
    pattern_tokens,
)
from negoplatform.language.parsing.words.language_vocabulary import load_parsing_data
from negoplatform.language.parsing.words.lexicon import lexicon_of
from negoplatform.language.parsing.words.tokenizer import split_sentences
from negoplatform.plugins.program_and_user_folders import bundled

WORDS: dict[str, list[str]] = {
    "filler": ["really", "the", "some"],
    "joining": [",", "and"],
    "not": ["not"],
    "want": ["want", "would like"],
}
GRAMMAR = Grammar(WORDS)
LEXICON = lexicon_of(load_game(bundled("games") / "campsite.json"), "en")


def spans(text: str) -> tuple[PatternToken, ...]:
    tokens = LEXICON.tokenize(text)
    return pattern_tokens(
        tokens, split_sentences(tokens)[0], LEXICON.mentions(tokens), LEXICON.numbers(tokens)
    )


def match(pattern: str, text: str) -> Match | None:
    found = matches(text, pattern)
    return found[0][1] if found else None


def matches(text: str, *patterns: str) -> list[tuple[int, Match]]:
    numbered = [(Pattern(pattern, GRAMMAR), number) for number, pattern in enumerate(patterns)]
    return PatternSet(numbered, GRAMMAR.function_words).find_matches(spans(text))


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("i need", "well i need that"),
        ("i need", "i really need the"),
        ("i need|want it", "i want it"),
        ("i get_by|manage", "i get by"),
        ("i <want> it", "i would like it"),
        ("i <want> <issue>", "i would like the water"),
        ("i .. need", "i have what we need"),
        ("^ deal $", "deal"),
        ("^ deal ?", "deal?"),
        ("deal it? now", "deal now"),
        ("deal it? now", "deal it now"),
        ("take <number>", "take 3"),
        ("which one", "which one"),
        ("take <number>|<issue>", "take water"),
    ],
)
def test_a_pattern_fits_what_it_describes(pattern: str, text: str) -> None:
    assert match(pattern, text) is not None


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("i need", "i not need"),
        ("i .. need", "i do not need"),
        ("^ deal $", "no deal"),
        ("^ deal $", "deal breaker"),
        ("^ deal $ ", "well deal"),
        ("deal ?", "deal"),
        ("i .. need", "i have four words between and need"),
        ("take <number>", "take water"),
        ("<issue> and <issue>", "water and something"),
    ],
)
def test_a_pattern_fits_nothing_else(pattern: str, text: str) -> None:
    assert match(pattern, text) is None


def test_slots_tell_what_stands_in_them() -> None:
    found = match("<issue> over <issue>", "food over the water")

    assert found is not None
    assert found.bound == (("food",), ("water",))


def test_a_slot_for_issues_takes_the_whole_list() -> None:
    found = match("want <issues>", "want food, some water and the wood")

    assert found is not None
    assert found.bound == (("food", "water", "firewood"),)


def test_a_list_that_is_too_long_for_the_rest_is_cut() -> None:
    found = match("want <issues> and <issue>", "want food and water and wood")

    assert found is not None
    assert found.bound == (("food", "water"), ("firewood",))


def test_the_number_of_a_slot_is_told() -> None:
    found = match("get <number> points", "get 20 points")

    assert found is not None
    assert found.number == 20


def test_a_pattern_that_names_an_unknown_category_is_refused() -> None:
    with pytest.raises(NegoError, match="no category <wish> of words"):
        Pattern("i <wish>", GRAMMAR)


def test_patterns_that_begin_alike_are_told_apart() -> None:
    found = matches(
        "i need the water", "i need", "i need <number>", "i need <issue>", "i want", "^ i .. <issue> $"
    )

    assert [(number, fits.end) for number, fits in found] == [(0, 2), (2, 4), (4, 4)]


def test_what_fits_is_told_in_the_order_of_the_places() -> None:
    found = matches("you want it but i need it", "need", "i need it", "want")

    assert [number for number, _ in found] == [2, 1, 0]


def test_of_several_ways_through_a_pattern_the_one_with_the_shortest_gap_counts() -> None:
    ((_, found),) = matches("take food or water", "take ... <issue>")

    assert (found.end, found.bound) == (2, (("food",),))


def test_a_step_that_may_be_missing_is_taken_where_it_is_there() -> None:
    ((_, found),) = matches("deal 3 now", "deal <number>? ... now")

    assert found.number == 3


def test_the_words_of_a_pattern_stand_in_its_order() -> None:
    assert matches("want water and food", "<issue> ... want") == []


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("<issue> .. <issues> and <issues> ..", "food, "),
        ("i ... i ... i ... i ... i ... i ... i ...", "i "),
        ("the the? the? the? the? want", "the "),
    ],
)
def test_a_sentence_made_to_be_slow_is_given_up(pattern: str, text: str) -> None:
    patterns = [(Pattern(f"{pattern} {end}", GRAMMAR), 0) for end in ("really", "want", "or", "not")]
    found = PatternSet(patterns, GRAMMAR.function_words)
    sentence = spans(text * 390 + "really want or not")
    began = time.process_time()

    found.find_matches(sentence)

    assert time.process_time() - began < 0.3


@pytest.mark.parametrize("text", ["", "..", "maybe? yes", "^"])
def test_a_pattern_has_to_begin_with_something(text: str) -> None:
    with pytest.raises(NegoError, match="has to begin with something"):
        Pattern(text, GRAMMAR)


def test_no_pattern_stands_in_the_data_twice() -> None:
    rules = load_parsing_data("en", "acts")["rules"]

    for rule in rules:
        assert len(rule["patterns"]) == len(set(rule["patterns"])), rule["act"]
