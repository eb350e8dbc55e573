"""Favours, questions about one term, requests for an offer, and shares after a counter-offer."""

from __future__ import annotations

from itertools import product

import pytest

from negoplatform.core.events import MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.language.parsing.dialogue_context import DialogueContext, DialogueTurn
from negoplatform.language.parsing.interpretation import Interpretation
from negoplatform.language.parsing.parser import parse


def shares(me: Seat, mine: int, other: Seat, day: str) -> Offer:
    """Return an offer of apples and a day."""
    return Offer({"apples": Allocation({me: mine, other: 6 - mine}), "day": day})


def countered(game: GameSpec, mine: int = 4, theirs: int = 2, day: str = "Saturday") -> DialogueContext:
    """Return a context in which the other side has countered an offer of the first seat."""
    me, other = game.seats
    first, counter = shares(me, mine, other, "Saturday"), shares(me, theirs, other, day)
    said = DialogueTurn(other, f"How about this? {6 - theirs} apples for me, {theirs} apples for you.")
    history = (DialogueTurn(me, offer=first), said, DialogueTurn(other, offer=counter))
    return DialogueContext(game, me, counter, other, history)


def test_a_counter_offer_does_not_swap_the_sides_of_the_next_text(practice: GameSpec) -> None:
    me, other = practice.seats
    wanted = shares(me, 4, other, "Sunday")

    for mine, theirs, day in product(range(7), range(7), ("Saturday", "Sunday")):
        reading = parse("OK: I take 4 apples, you get 2, on Sunday", countered(practice, mine, theirs, day))

        assert all(offer.get("apples") == wanted.get("apples") for offer in reading.offers), (mine, theirs)


@pytest.mark.parametrize(
    "text",
    ["Yes, I will do you a favour", "ok I'll do you a favor", "Yes. I can help you.", "sure, glad to help"],
)
def test_a_yes_to_a_favour_does_not_accept_the_offer_on_the_table(practice: GameSpec, text: str) -> None:
    reading = parse(text, countered(practice))

    assert reading.subtype == MessageSubtype.FAVOR_ACCEPT
    assert not reading.has(MessageSubtype.OFFER_ACCEPT)
    assert not reading.accepts


def test_a_deal_with_a_favour_accepts_the_offer(practice: GameSpec) -> None:
    assert parse("Deal! I'll do you that favour.", countered(practice)).accepts


@pytest.mark.parametrize(
    "text",
    [
        "What do you think about Saturday?",
        "what do u think of saturday",
        "whats your opinion on the day",
        "How would you feel about Saturday?",
    ],
)
def test_a_question_about_a_value_proposes_nothing(practice: GameSpec, text: str) -> None:
    reading = parse(text, countered(practice))

    assert (reading.offers, reading.doubt) == ((), None)
    assert reading.has(MessageSubtype.PREF_SPECIFIC_REQUEST)
    assert not reading.has(MessageSubtype.OFFER_PROPOSE)


def test_a_question_about_a_whole_deal_still_proposes_it(practice: GameSpec) -> None:
    me, other = practice.seats

    reading = parse("What do you think about 4 apples for me and Saturday?", countered(practice))

    assert reading.offer == shares(me, 4, other, "Saturday")


@pytest.mark.parametrize(
    ("text", "subtype"),
    [
        ("what would it take", MessageSubtype.OFFER_REQUEST_POS),
        ("What would you give me for this?", MessageSubtype.OFFER_REQUEST_POS),
        ("what would make you say yes", MessageSubtype.OFFER_REQUEST_POS),
        ("what do i have to do to get saturday", MessageSubtype.OFFER_REQUEST_POS),
        ("make this fairer", MessageSubtype.OFFER_REQUEST_NEG),
        ("can you do better", MessageSubtype.OFFER_REQUEST_NEG),
        ("throw me a bone", MessageSubtype.OFFER_REQUEST_NEG),
        ("come down a bit", MessageSubtype.OFFER_REQUEST_NEG),
    ],
)
def test_a_request_for_an_offer_is_recognised(practice: GameSpec, text: str, subtype: MessageSubtype) -> None:
    reading: Interpretation = parse(text, countered(practice))

    assert reading.has(subtype)
