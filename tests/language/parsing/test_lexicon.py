"""The words of a game, found in typed text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, QuantityIssue
from negoplatform.formats.games import load_game
from negoplatform.language.parsing.words.lexicon import Lexicon, Referent, lexicon_of
from tests.games import categorical_only

GAMES = Path(__file__).parents[3] / "games"
CAMPSITE = load_game(GAMES / "campsite.json")
JOB = load_game(GAMES / "job_candidate.json")


def named(game: GameSpec, text: str) -> list[str]:
    """Return the names in a text, each with its words."""
    lexicon = lexicon_of(game, "en")
    tokens = lexicon.tokenize(text)
    return [
        f"{' '.join(token.norm for token in tokens[mention.start : mention.end])}: "
        + ", ".join(f"{meaning.issue}={meaning.value}".rstrip("=") for meaning in mention.referents)
        for mention in lexicon.mentions(tokens)
    ]


def numbers(text: str) -> list[float]:
    """Return the numbers in a text."""
    lexicon = lexicon_of(JOB, "en")
    return [number.value for number in lexicon.numbers(lexicon.tokenize(text))]


def game_of(*issues: Issue) -> GameSpec:
    """Return a game with these issues; the rest of it does not matter."""
    return replace(categorical_only(), issues=issues)


@pytest.mark.parametrize(
    ("text", "issue"),
    [
        ("Firewood", "firewood"),
        ("the fire wood", "firewood"),
        ("some wood", "firewood"),
        ("firewoods", "firewood"),
        ("waters", "water"),
        ("watre", "water"),
        ("watr", "water"),
        ("firewod", "firewood"),
    ],
)
def test_an_issue_is_known_by_its_name_plural_synonym_and_with_a_slip(text: str, issue: str) -> None:
    (found,) = named(CAMPSITE, text)

    assert found.endswith(f": {issue}")


@pytest.mark.parametrize(
    "text", ["waiter", "later", "whatever", "good", "weather", "I would", "forward", "fold"]
)
def test_another_word_is_not_taken_for_a_slip(text: str) -> None:
    assert named(CAMPSITE, text) == []


def test_a_word_of_the_game_is_no_misspelling_of_a_usual_one() -> None:
    neighbours = load_game(GAMES / "three_way.json")

    assert named(neighbours, "three shares") == ["shares: budget"]
    assert named(neighbours, "keep the tree") == ["keep the tree: tree=Keep the tree"]
    assert named(CAMPSITE, "tree waters") == ["waters: water"]
    assert [
        n.value for n in lexicon_of(CAMPSITE, "en").numbers(lexicon_of(CAMPSITE, "en").tokenize("tree"))
    ] == [3]


def test_the_longest_words_of_a_game_win() -> None:
    assert named(JOB, "the leased car") == ["leased car: car"]
    assert named(JOB, "With leased car.") == ["with leased car: car=With leased car"]


def test_words_that_several_issues_share_mean_all_of_them() -> None:
    (found,) = lexicon_of(JOB, "en").mentions(lexicon_of(JOB, "en").tokenize("no agreement"))

    assert [meaning.issue for meaning in found.referents] == ["car", "pension", "promotion"]
    assert found.issue is None


def test_a_synonym_of_the_game_file_names_its_issue_and_value() -> None:
    colour = CategoricalIssue("colour", ("red", "blue"), "", ("paint",), (("red", ("crimson", "dark red")),))
    game = game_of(colour, QuantityIssue("gold", 4, "", ("coins",)))

    assert named(game, "dark red paint for two coins") == [
        "dark red: colour=red",
        "paint: colour",
        "coins: gold",
    ]


def test_the_name_of_one_issue_is_never_another_s_synonym() -> None:
    game = game_of(QuantityIssue("firewood", 3), QuantityIssue("wood", 3))

    assert named(game, "wood, firewood") == ["wood: wood", "firewood: firewood"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two", [2]),
        ("twenty five", [25]),
        ("twenty-five", [25]),
        ("ninety thousand", [90_000]),
        ("90k or $90,000 or 90.000", [90_000, 90_000, 90_000]),
        ("10 % or ten percent", [10, 10]),
        ("the 1st and the 2nd", []),
        ("8 or 9 hours", [8, 9]),
        ("one two", [1, 2]),
        ("9" * 400, []),
    ],
)
def test_numbers_are_read_in_digits_and_words(text: str, expected: list[float]) -> None:
    assert numbers(text) == expected


def test_percent_and_money_are_told_apart() -> None:
    lexicon = lexicon_of(JOB, "en")
    found = lexicon.numbers(lexicon.tokenize("10 % of $90,000, 3 days"))

    assert [(number.value, number.percent, number.money) for number in found] == [
        (10, True, False),
        (90_000, False, True),
        (3, False, False),
    ]


def test_a_lexicon_is_made_once_for_a_game() -> None:
    assert lexicon_of(CAMPSITE, "en") is lexicon_of(load_game(GAMES / "campsite.json"), "en")


def test_a_language_that_is_not_there_is_told() -> None:
    with pytest.raises(NegoError, match="'xx'"):
        Lexicon(CAMPSITE.issues, "xx")


def test_a_meaning_without_a_value_is_the_issue() -> None:
    assert Referent("car").value == ""
