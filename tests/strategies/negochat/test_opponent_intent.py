"""What words ask of an agent that talks about a deal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negoplatform.core.events import Message, MessageSubtype, Preference, Relation
from negoplatform.domain.offer import Offer
from negoplatform.formats.games import load_game
from negoplatform.language.parsing.dialogue_context import Situation
from negoplatform.language.parsing.interpretation import Act, Doubt, Reading
from negoplatform.language.parsing.parser import read_message, understand
from negoplatform.plugins.paths import bundled
from negoplatform.strategies.negochat.opponent_intent import Wish, hear

GAME = load_game(bundled("games") / "campsite.json")
SITUATION = Situation(GAME, GAME.seats[0])


@pytest.mark.parametrize("text", ["no", "No.", "No, thanks!", "nope", "Sorry, no."])
def test_a_bare_no_is_a_no_also_where_nothing_is_proposed(text: str) -> None:
    assert hear(understand(text, SITUATION)).wish is Wish.NO


@pytest.mark.parametrize(
    "text", ["Let's compromise.", "Can we meet half-way?", "What about the middle, halfway?"]
)
def test_a_wish_to_meet_in_the_middle_is_heard(text: str) -> None:
    assert hear(understand(text, SITUATION)).wish is Wish.COMPROMISE


def test_a_yes_that_asks_for_more_is_none() -> None:
    stated = Act(MessageSubtype.OFFER_ACCEPT)
    asks = Reading("I like it, but more food", acts=(stated,), doubt=Doubt.HOW_MANY)

    assert hear(asks).wish is Wish.IN_WORDS
    assert hear(replace(asks, doubt=None)).wish is Wish.YES


def test_a_no_with_an_offer_in_words_is_an_offer_in_words() -> None:
    reject = Act(MessageSubtype.OFFER_REJECT)
    told = Reading("No, Friday.", acts=(reject,), offers=(Offer({"day": "Friday"}),))

    assert hear(told).wish is Wish.IN_WORDS
    assert hear(Reading("No deal.", acts=(reject,))).wish is Wish.NO


@pytest.mark.parametrize(
    ("text", "relation", "least"),
    [
        ("What matters least to you?", None, True),
        ("What is the least you would take?", None, False),
        ("What matters most to you?", None, False),
        ("Which one?", Relation.WORST, True),
        ("Which one?", Relation.BEST, False),
    ],
)
def test_a_question_about_what_matters_little_is_told_from_one_about_what_matters_much(
    text: str, relation: Relation | None, least: bool
) -> None:
    asked = None if relation is None else Preference("food", relation, is_question=True)

    phrase = hear(read_message(Message(text, MessageSubtype.PREF_REQUEST, asked), SITUATION))

    assert (phrase.wish, phrase.least) == (Wish.QUERY, least)


@pytest.mark.parametrize(
    ("text", "least"), [("What matters least to you?", True), ("What do you need most?", False)]
)
def test_the_same_is_told_from_typed_words(text: str, least: bool) -> None:
    typed = hear(understand(text, SITUATION))

    assert (typed.wish, typed.least) == (Wish.QUERY, least)
