"""What words ask of an agent that talks about a deal."""

from __future__ import annotations

import pytest

from negoplatform.core.events import Message, MessageSubtype, Preference, Relation
from negoplatform.domain.offer import Offer
from negoplatform.language.reading import Act, Reading
from negoplatform.strategies.negochat.hearing import Wish, hear


@pytest.mark.parametrize("text", ["no", "No.", "No, thanks!", "nope"])
def test_a_bare_no_is_a_no_however_it_was_read(text: str) -> None:
    assert hear(Message(text), Reading(text)).wish is Wish.NO


def test_a_no_with_an_offer_in_words_is_an_offer_in_words() -> None:
    reject = Act(MessageSubtype.OFFER_REJECT)
    told = Reading("No, Friday.", acts=(reject,), offers=(Offer({"day": "Friday"}),))

    assert hear(Message(told.text), told).wish is Wish.IN_WORDS
    assert hear(Message("No deal."), Reading("No deal.", acts=(reject,))).wish is Wish.NO


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

    phrase = hear(Message(text, MessageSubtype.PREF_REQUEST, asked), None)
    typed = hear(Message(text), Reading(text, acts=(Act(MessageSubtype.PREF_REQUEST, preference=asked),)))

    assert (phrase.wish, typed.wish) == (Wish.QUERY, Wish.QUERY)
    assert (phrase.least, typed.least) == (least, least)
