"""Rules derived from real texts, each with sentences written for it."""

import pytest

from negoplatform.domain.game import GameSpec
from negoplatform.language.parsing.parser import parse
from tests.language.parsing.test_offers import campsite as campsite
from tests.language.parsing.test_offers import is_safe, shares, situation

READ = [
    # "Have a" before an issue, "the woods" as an issue, "no" before a sentence of its own.
    ("You may have a food", "food 2:1"),
    ("Take one of the woods", "firewood 2:1"),
    ("No the food is what I came for. I take 2 food", "food 2:1"),
    # A stock is not a proposal.
    ("There are 3 food, so I take 2 and you take 1", "food 2:1"),
    # "In exchange" between two sentences, and verbs of getting or giving.
    ("I take 2 food and in exchange you can have all the water", "food 2:1 water 0:3"),
    ("I can get you 2 food if I keep all the water", "food 1:2 water 3:0"),
    ("I will share with you 1 water", "water 2:1"),
    ("I can do with 1 water", "water 1:2"),
    ("If you can do 2 food, I give you 1 water", "food 2:1 water 2:1"),
    ("I'll do 2 food and 1 water", "food 2:1 water 1:2"),
    ("I insist on 2 firewood", "firewood 2:1"),
    # The number of the remaining units; a repeated number.
    ("I take 2 food and you could have the remaining 1", "food 2:1"),
    ("I'll give you two 2 food", "food 1:2"),
    ("I take 2 of the remaining food", "food 2:1"),
    # A number is more specific than "the food".
    ("You can have the food, but I need at least 1 food", "food 1:2"),
    ("I could give up the water, so I take 1 water and 2 food", "food 2:1 water 1:2"),
    # A list of what the shares before it leave.
    ("Is 2 food 1 water okay for you while I get 1 food 2 water", "food 1:2 water 2:1"),
    ("I need 2 food and 1 water, what about 1 food and 2 water?", "food 2:1 water 1:2"),
    ("2 food for you and 1 water, 2 water for me", "food 1:2 water 2:1"),
    # Some of an issue is not left for the rest.
    ("I take all the firewood and some water. You can have the rest", "firewood 3:0 food 0:3"),
    # More of an unnamed issue is not all of it.
    ("I'd give you all of the water if you give me more of the other items", "water 0:3"),
    # "It all" refers to the last name.
    ("I take 2 food and I don't care about the water, you can have it all", "food 2:1 water 0:3"),
    # A proposal ends a report or a wish.
    ("You said I would like all the water, how about I take 2 water?", "water 2:1"),
    # An amount that is asked to be enough is the other's.
    ("Would 2 food be enough?", "food 1:2"),
    ("Would 1 firewood suffice?", "firewood 2:1"),
    # Empathy, questions for a reason, complaints.
    ("I understand you need all the food, but I take all the water", "water 3:0"),
    ("Why would I only get 2 food?", ""),
    ("I forgot the 3 water for myself", ""),
    ("I would really like more then 1 water", ""),
    ("I need water more than I need 2 firewood", ""),
    ("I take the offer minus 1 food", ""),
    # A condition ends before its consequence; the rest of another issue.
    ("If you like food you can have 2 food", "food 1:2"),
    ("I take 2 food for the rest of the trip", "food 2:1"),
]

ASKED = [
    "We will both get at least one of everything",
    "I take all the marshmallows and you get 2 food",
    "I give you 1 food for a couple of packages of water",
    "I would trade you my water for food",
    "I take 2 food for it",
    "We need all the food and water we can get",
    "I can do 2 food and 1 water",
    "Would you be fine with taking the extra food and water?",
]

BEFORE = [
    (("You get 2 food and 1 water. What about the firewood?",), "I take 2 and you take 1", "firewood 2:1"),
    (("Could I get 2 food?",), "I take one if you give me 1 water", "food 1:2 water 1:2"),
    (("I take 2 food, you get 1",), "I'd like another food", "food 2:1"),
]


@pytest.mark.parametrize(("text", "expected"), READ)
def test_a_sentence_says_who_gets_how_much(campsite: GameSpec, text: str, expected: str) -> None:
    assert is_safe(parse(text, situation(campsite)), expected)


def test_most_of_these_sentences_are_read(campsite: GameSpec) -> None:
    right, sure = shares([(parse(text, situation(campsite)), expected) for text, expected in READ])

    assert right >= 0.85
    assert sure >= 0.7


@pytest.mark.parametrize("text", ASKED)
def test_what_may_mean_several_things_is_not_confirmed_by_enter(campsite: GameSpec, text: str) -> None:
    assert not parse(text, situation(campsite)).plain


@pytest.mark.parametrize(("before", "text", "expected"), BEFORE)
def test_the_talk_before_says_what_is_meant(
    campsite: GameSpec, before: tuple[str, ...], text: str, expected: str
) -> None:
    assert is_safe(parse(text, situation(campsite, before)), expected)


def test_a_number_of_an_unknown_thing_is_not_confirmed_by_enter(campsite: GameSpec) -> None:
    reading = parse("I take the extra food for all 3 packages", situation(campsite))

    assert not reading.plain


def test_a_condition_that_changes_what_was_offered_is_not_confirmed_by_enter(campsite: GameSpec) -> None:
    before = ("I could give you 1 food",)

    assert not parse("If you make it two food, we have a deal", situation(campsite, before)).plain
