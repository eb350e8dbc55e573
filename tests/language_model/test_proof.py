"""A model's words are said only if they say what was to be said."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from negoplatform.core.events import MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer
from negoplatform.language.reading import Act, Reading
from negoplatform.language.situation import Situation
from negoplatform.language_model import proof as module
from negoplatform.language_model.proof import LONGEST, Meant, Proof
from tests.games import make_game

GREETING = Meant("Hello! Shall we find a split that suits us both?", MessageSubtype.GREETING)
OPENING = Meant("How about this?", MessageSubtype.OFFER_PROPOSE)
TERMS = Meant(
    "That leaves me with too little. I take 2 food, and you get the leased car.", MessageSubtype.OFFER_PROPOSE
)
YES = Meant("That works for me. I accept!", MessageSubtype.OFFER_ACCEPT)

OFFER = Offer({"food": Allocation({"human": 1, "agent": 2}), "car": "Leased car"})

PROMPT = "You lend your voice to a person who negotiates. What is offered is decided elsewhere."


@pytest.fixture
def game() -> GameSpec:
    issues = (
        QuantityIssue("food", 3, "Food", ("groceries",)),
        CategoricalIssue(
            "car", ("Leased car", "No car", "No"), "Car", value_synonyms=(("Leased car", ("limousine",)),)
        ),
    )
    tables: dict[str, dict[str, object]] = {
        seat: {"food": [0, 1, 2, 3], "car": dict.fromkeys(("Leased car", "No car", "No"), 1)}
        for seat in ("human", "agent")
    }
    return make_game(tables, issues=issues)


@pytest.fixture
def proof(game: GameSpec) -> Proof:
    return Proof(game, "agent", language="en", prompt=PROMPT, secrets=("my-very-own-key", ""))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Hello! I hope that we can find something good for both of us.", GREETING),
        ("Hi there! Let's see what works for us.", GREETING),
        ("I hear you. What would you think of this?", OPENING),
        ("Here is what I would like; have a look.", OPENING),
        ("I see.", Meant("I see.")),
        ("The food seems to be close to your heart. What do you think of this?", OPENING),
        ("Sorry, this is too little. I take 2 food, and you get the leased car.", TERMS),
        ("I am happy with that. I accept your offer, agreed!", YES),
        ("All right, let's have another look at this one.", OPENING),
    ],
)
def test_good_words_may_be_said(proof: Proof, text: str, meant: Meant) -> None:
    assert proof.fault(text, meant) == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "nothing"),
        ("   ", "nothing"),
        ("This is good. " * 40, f"more than {LONGEST}"),
        ("What would\x1b you think of this?", "no plain sentence"),
        ("What would\u202e you think of this?", "no plain sentence"),
        ("**What** would you think of this?", "no plain sentence"),
        ('{"text": "What would you think of this?"}', "no plain sentence"),
        ("Have a look at https://example.org for this.", "no plain sentence"),
        ("Is it my-very-own-KEY that you want?", "what nobody may be told"),
        ("I lend my voice to a person who negotiates. What is offered is that.", "repeated"),
        ("This is good for 12 points.", "not spoken of"),
        ("That is my bottom line.", "not spoken of"),
        ("I am only a language model, you know.", "not spoken of"),
        ("I accept your offer.", "committed itself"),
        ("It is good, and I quit.", "committed itself"),
        ("You can have it, and that is that.", "of its own about the deal (you can have)"),
        ("Was hältst du davon?", "another language"),
        ("Что ты думаешь?", "another language"),
        ("¿Y si lo hacemos así?", "another language"),
        ("What do you think of this? Ich nehme das.", "another language"),
        ("What do you think of 3 of them for you?", "of its own about the deal (3)"),
        ("What do you think of three of them for you?", "of its own about the deal (three)"),
        ("What do you think of ３ of them for you?", "of its own about the deal (3)"),
        ("What do you think of ½ of it for you?", "of its own about the deal"),
        ("Would you like the limousine?", "of its own about the deal (limousine)"),
        ("Would you like the LEASED CAR?", "of its own about the deal (leased car)"),
        ("It is all for you.", "of its own about the deal (all)"),
        ("I need the food very much.", "a wish of its own"),
        ("The groceries are what I want.", "a wish of its own"),
    ],
)
def test_other_words_may_not(proof: Proof, text: str, reason: str) -> None:
    assert reason in proof.fault(text, OPENING)


def test_when_it_agrees_it_still_gives_nothing_up(proof: Proof) -> None:
    assert "committed itself (i give up)" in proof.fault("I give up. I accept it.", YES)
    assert "of its own about the deal (2)" in proof.fault("I accept, and I have it for 2.", YES)


def test_a_sentence_with_terms_stays_as_it_is(proof: Proof) -> None:
    for text in (
        "I take 1 food, and you get the leased car.",
        "You take 2 food, and I get the leased car.",
        "I take 2 food, and you get the leased car, and more if you like.",
    ):
        assert proof.fault(text, TERMS)


def reads(monkeypatch: pytest.MonkeyPatch, readings: Mapping[str, Reading]) -> None:
    """Understands these texts so, and no others."""

    def understand(text: str, _situation: Situation) -> Reading:
        return readings.get(text, Reading(text))

    monkeypatch.setattr(module, "understand", understand)


def test_terms_in_other_words_are_said_if_they_are_understood_as_the_offer(
    proof: Proof, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "So I have 2 of the food."
    meant = Meant("How about this?", MessageSubtype.OFFER_PROPOSE, OFFER)
    food = Offer({"food": Allocation({"human": 1, "agent": 2})})

    reads(monkeypatch, {text: Reading(text, offers=(food,), sure=0.95)})
    assert proof.fault(text, meant) == ""

    reads(monkeypatch, {text: Reading(text, offers=(food,), sure=0.5)})
    assert "of its own" in proof.fault(text, meant)

    swapped = Offer({"food": Allocation({"human": 2, "agent": 1})})
    reads(monkeypatch, {text: Reading(text, offers=(swapped,), sure=1.0)})
    assert "of its own" in proof.fault(text, meant)

    reads(monkeypatch, {text: Reading(text, offers=(food,), sure=1.0, conditional=True)})
    assert "of its own" in proof.fault(text, meant)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("You get 1 food, and I get 2 food.", True),
        ("Let me have two food.", True),
        ("You get 2 food, and I get 1 food.", False),
        ("You get two food.", False),
    ],
)
def test_who_gets_what_is_understood(proof: Proof, text: str, said: bool) -> None:
    fault = proof.fault(text, Meant("How about this?", MessageSubtype.OFFER_PROPOSE, OFFER))

    assert (fault == "") is said


def test_a_number_that_is_not_the_offers_is_never_said(proof: Proof, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "So I have 2 of the food, or 7."
    reads(monkeypatch, {text: Reading(text, offers=(OFFER,), sure=1.0)})

    assert "of its own" in proof.fault(text, Meant("How about this?", MessageSubtype.OFFER_PROPOSE, OFFER))


@pytest.mark.parametrize(
    "reading",
    [
        Reading("", (Act(MessageSubtype.PROMISE),)),
        Reading("", (Act(MessageSubtype.PREF_INFO, issue="food"),)),
        Reading("", (Act(MessageSubtype.THREAT),)),
        Reading("", accepts=True),
    ],
)
def test_words_that_are_understood_as_more_than_was_meant_are_not_said(
    proof: Proof, monkeypatch: pytest.MonkeyPatch, reading: Reading
) -> None:
    text = "Is it good for you like this?"
    assert proof.fault(text, OPENING) == ""

    reads(monkeypatch, {text: reading})

    assert proof.fault(text, OPENING)
    own = Meant(text, OPENING.subtype, EMPTY_OFFER)
    assert proof.fault(text, own) == ""  # the agent itself said so
