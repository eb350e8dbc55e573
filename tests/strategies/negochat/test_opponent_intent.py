"""Requests of a text to an agent that discusses a deal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negoplatform.core.events import Message, MessageSubtype, Preference, Relation
from negoplatform.domain.offer import Offer
from negoplatform.formats.games import load_game
from negoplatform.language import (
    Ambiguity,
    DialogueAct,
    DialogueContext,
    Interpretation,
    parse,
    parse_message,
)
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.strategies.negochat.opponent_intent import OpponentIntent, interpret_message

GAME = load_game(bundled("games") / "campsite.json")
SITUATION = DialogueContext(GAME, GAME.seats[0])


@pytest.mark.parametrize("text", ["no", "No.", "No, thanks!", "nope", "Sorry, no."])
def test_a_bare_no_is_a_no_also_where_nothing_is_proposed(text: str) -> None:
    assert interpret_message(parse(text, SITUATION)).intent is OpponentIntent.REJECT


@pytest.mark.parametrize(
    "text", ["Let's compromise.", "Can we meet half-way?", "What about the middle, halfway?"]
)
def test_a_wish_to_meet_in_the_middle_is_heard(text: str) -> None:
    assert interpret_message(parse(text, SITUATION)).intent is OpponentIntent.COMPROMISE


def test_a_yes_that_asks_for_more_is_none() -> None:
    stated = DialogueAct(MessageSubtype.OFFER_ACCEPT)
    asks = Interpretation("I like it, but more food", acts=(stated,), doubt=Ambiguity.HOW_MANY)

    assert interpret_message(asks).intent is OpponentIntent.INFORMAL_OFFER
    assert interpret_message(replace(asks, doubt=None)).intent is OpponentIntent.ACCEPT


def test_a_no_with_an_offer_in_words_is_an_offer_in_words() -> None:
    reject = DialogueAct(MessageSubtype.OFFER_REJECT)
    told = Interpretation("No, Friday.", acts=(reject,), offers=(Offer({"day": "Friday"}),))

    assert interpret_message(told).intent is OpponentIntent.INFORMAL_OFFER
    assert interpret_message(Interpretation("No deal.", acts=(reject,))).intent is OpponentIntent.REJECT


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

    phrase = interpret_message(parse_message(Message(text, MessageSubtype.PREF_REQUEST, asked), SITUATION))

    assert (phrase.intent, phrase.least) == (OpponentIntent.QUERY, least)


@pytest.mark.parametrize(
    ("text", "least"), [("What matters least to you?", True), ("What do you need most?", False)]
)
def test_the_same_is_told_from_typed_words(text: str, least: bool) -> None:
    typed = interpret_message(parse(text, SITUATION))

    assert (typed.intent, typed.least) == (OpponentIntent.QUERY, least)
