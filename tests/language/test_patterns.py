from __future__ import annotations

import pytest

from negoplatform.app.folders import bundled
from negoplatform.domain.errors import NegoError
from negoplatform.formats.games import load_game
from negoplatform.language.lexicon import lexicon_of
from negoplatform.language.patterns import Grammar, Match, Pattern, PatternSet, Span, spans_of
from negoplatform.language.tokens import sentences
from negoplatform.language.vocabulary import understanding_data

WORDS: dict[str, list[str]] = {
    "filler": ["really", "the", "some"],
    "joining": [",", "and"],
    "not": ["not"],
    "want": ["want", "would like"],
}
GRAMMAR = Grammar(WORDS)
LEXICON = lexicon_of(load_game(bundled("games") / "campsite.json"), "en")


def spans(text: str) -> tuple[Span, ...]:
    tokens = LEXICON.tokens(text)
    return spans_of(tokens, sentences(tokens)[0], LEXICON.mentions(tokens), LEXICON.numbers(tokens))


def match(pattern: str, text: str) -> Match | None:
    found = PatternSet([(Pattern(pattern, GRAMMAR), 0)]).matches(spans(text))
    return found[0][1] if found else None


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


@pytest.mark.parametrize("text", ["", "..", "maybe? yes", "^"])
def test_a_pattern_has_to_begin_with_something(text: str) -> None:
    with pytest.raises(NegoError, match="has to begin with something"):
        Pattern(text, GRAMMAR)


def test_no_pattern_stands_in_the_data_twice() -> None:
    rules = understanding_data("en", "acts")["rules"]

    for rule in rules:
        assert len(rule["patterns"]) == len(set(rule["patterns"])), rule["act"]
