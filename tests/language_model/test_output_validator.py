"""A model's text is sent only if it says what the agent intends."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from negoplatform.core.events import MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer
from negoplatform.language import DialogueAct, DialogueContext, Interpretation
from negoplatform.language_model import output_validator as module
from negoplatform.language_model.output_validator import MAX_OUTPUT_LENGTH, IntendedMessage, OutputValidator
from tests.games import make_game
from tests.language_model.wordings import BETRAYALS, HELD_OUT, HONEST, Honest

GREETING = IntendedMessage("Hello! Shall we find a split that suits us both?", MessageSubtype.GREETING)
OPENING = IntendedMessage("How about this?", MessageSubtype.OFFER_PROPOSE)
TERMS = IntendedMessage(
    "That leaves me with too little. I take 2 food, and you get the leased car.", MessageSubtype.OFFER_PROPOSE
)
YES = IntendedMessage("That works for me. I accept!", MessageSubtype.OFFER_ACCEPT)

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
def proof(game: GameSpec) -> OutputValidator:
    return OutputValidator(game, "agent", language="en", prompt=PROMPT, secrets=("my-very-own-key", ""))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Hello! I hope that we can find something good for both of us.", GREETING),
        ("Hi there! Let's see what works for us.", GREETING),
        ("I hear you. What would you think of this?", OPENING),
        ("Here is what I would like; have a look.", OPENING),
        ("I see.", IntendedMessage("I see.")),
        ("I hear you. I hope this works for you.", OPENING),
        ("Sorry, this is too little. I take 2 food, and you get the leased car.", TERMS),
        ("I am happy with that. I accept your offer, agreed!", YES),
        ("Well, let's have another look at this one.", OPENING),
    ],
)
def test_good_words_may_be_said(proof: OutputValidator, text: str, meant: IntendedMessage) -> None:
    assert proof.find_violation(text, meant) == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "nothing"),
        ("   ", "nothing"),
        ("This is good. " * 40, f"more than {MAX_OUTPUT_LENGTH}"),
        ("What would\x1b you think of this?", "no plain sentence"),
        ("What would\u202e you think of this?", "no plain sentence"),
        ("**What** would you think of this?", "no plain sentence"),
        ('{"text": "What would you think of this?"}', "no plain sentence"),
        ("Have a look at https://example.org for this.", "no plain sentence"),
        ("Is it my-very-own-KEY that you want?", "a secret"),
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
        ("Is the food close to your heart?", "a wish of its own: food"),
        ("I scrumble with you about this.", "more than the program can follow (scrumble)"),
        ("That could be so.", "agreed to something"),
        ("I can't do that for you.", "refused something"),
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
def test_other_words_may_not(proof: OutputValidator, text: str, reason: str) -> None:
    assert reason in proof.find_violation(text, OPENING)


def test_when_it_agrees_it_still_gives_nothing_up(proof: OutputValidator) -> None:
    assert "committed itself (i give up)" in proof.find_violation("I give up. I accept it.", YES)
    assert "of its own about the deal (2)" in proof.find_violation("I accept, and I have it for 2.", YES)


def test_a_sentence_with_terms_stays_as_it_is(proof: OutputValidator) -> None:
    for text in (
        "I take 1 food, and you get the leased car.",
        "You take 2 food, and I get the leased car.",
        "I take 2 food, and you get the leased car, and more if you like.",
    ):
        assert proof.find_violation(text, TERMS)


def reads(monkeypatch: pytest.MonkeyPatch, readings: Mapping[str, Interpretation]) -> None:
    """Parse these texts as given, and no others."""

    def understand(text: str, _situation: DialogueContext) -> Interpretation:
        return readings.get(text, Interpretation(text))

    monkeypatch.setattr(module, "parse", understand)


def test_terms_in_other_words_are_said_if_they_are_understood_as_the_offer(
    proof: OutputValidator, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "So I have 2 of the food."
    meant = IntendedMessage("How about this?", MessageSubtype.OFFER_PROPOSE, OFFER)
    food = Offer({"food": Allocation({"human": 1, "agent": 2})})

    reads(monkeypatch, {text: Interpretation(text, offers=(food,), sure=0.95)})
    assert proof.find_violation(text, meant) == ""

    reads(monkeypatch, {text: Interpretation(text, offers=(food,), sure=0.5)})
    assert "of its own" in proof.find_violation(text, meant)

    swapped = Offer({"food": Allocation({"human": 2, "agent": 1})})
    reads(monkeypatch, {text: Interpretation(text, offers=(swapped,), sure=1.0)})
    assert "of its own" in proof.find_violation(text, meant)

    reads(monkeypatch, {text: Interpretation(text, offers=(food,), sure=1.0, conditional=True)})
    assert "of its own" in proof.find_violation(text, meant)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("You get 1 food, and I get 2 food.", True),
        ("Let me have two food.", True),
        ("You get 2 food, and I get 1 food.", False),
        ("You get two food.", False),
    ],
)
def test_who_gets_what_is_understood(proof: OutputValidator, text: str, said: bool) -> None:
    fault = proof.find_violation(
        text, IntendedMessage("How about this?", MessageSubtype.OFFER_PROPOSE, OFFER)
    )

    assert (fault == "") is said


def test_a_number_that_is_not_the_offers_is_never_said(
    proof: OutputValidator, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "So I have 2 of the food, or 7."
    reads(monkeypatch, {text: Interpretation(text, offers=(OFFER,), sure=1.0)})

    assert "of its own" in proof.find_violation(
        text, IntendedMessage("How about this?", MessageSubtype.OFFER_PROPOSE, OFFER)
    )


@pytest.mark.parametrize(
    "reading",
    [
        Interpretation("", (DialogueAct(MessageSubtype.PROMISE),)),
        Interpretation("", (DialogueAct(MessageSubtype.PREF_INFO, issue="food"),)),
        Interpretation("", (DialogueAct(MessageSubtype.THREAT),)),
        Interpretation("", accepts=True),
    ],
)
def test_words_that_are_understood_as_more_than_was_meant_are_not_said(
    proof: OutputValidator, monkeypatch: pytest.MonkeyPatch, reading: Interpretation
) -> None:
    text = "Is it good for you like this?"
    assert proof.find_violation(text, OPENING) == ""

    reads(monkeypatch, {text: reading})

    assert proof.find_violation(text, OPENING)
    own = IntendedMessage(text, OPENING.subtype, EMPTY_OFFER)
    assert proof.find_violation(text, own) == ""  # the agent's own words


@pytest.fixture(scope="module")
def camp() -> OutputValidator:
    """Validator in a game of three issues with names that exist in every language."""
    issues = tuple(QuantityIssue(name, 3, name.title()) for name in ("food", "water", "wood"))
    tables: dict[str, dict[str, object]] = {
        seat: {issue.name: [0, 1, 2, 3] for issue in issues} for seat in ("human", "agent")
    }
    game = make_game(tables, issues=issues)
    return OutputValidator(game, "agent", language="en", prompt=PROMPT, secrets=("my-very-own-key",))


DOES_OTHERWISE = (
    IntendedMessage("Sorry, that does not work for me.", MessageSubtype.OFFER_REJECT),
    IntendedMessage(
        "How about this: 2 food and 3 water for me, 1 food for you?",
        MessageSubtype.OFFER_PROPOSE,
        Offer({"food": Allocation({"agent": 2, "human": 1}), "water": Allocation({"agent": 3, "human": 0})}),
    ),
    IntendedMessage("What do you propose?", MessageSubtype.OFFER_REQUEST_POS),
    IntendedMessage("Hello. Let us begin.", MessageSubtype.GREETING),
    IntendedMessage("", MessageSubtype.GENERIC_POS),
)
"""Intended messages of an agent whose model was talked round."""


@pytest.mark.parametrize("meant", DOES_OTHERWISE, ids=lambda meant: str(meant.subtype))
def test_no_betrayal_is_said(camp: OutputValidator, meant: IntendedMessage) -> None:
    said = [text for text in BETRAYALS if not camp.find_violation(text, meant)]

    assert said == []


@pytest.mark.parametrize("text", BETRAYALS)
def test_nor_after_the_agents_own_words(camp: OutputValidator, text: str) -> None:
    refusal = DOES_OTHERWISE[0]

    assert camp.find_violation(refusal.text, refusal) == ""
    assert camp.find_violation(f"{refusal.text} {text}", refusal)


def share_said(camp: OutputValidator, honest: tuple[Honest, ...]) -> float:
    faults = [
        camp.find_violation(text, IntendedMessage(own, does))
        for own, does, others in honest
        for text in others
    ]
    return faults.count("") / len(faults)


def test_most_honest_words_are_said(camp: OutputValidator) -> None:
    assert share_said(camp, HONEST) >= 0.9
    assert share_said(camp, HELD_OUT) >= 0.75


def test_where_the_agent_agrees_or_refuses_the_words_do_so_too(camp: OutputValidator) -> None:
    no = IntendedMessage("I cannot accept that.", MessageSubtype.OFFER_REJECT)

    assert (
        camp.find_violation("Thank you for the offer. Let's see what we can find together.", no)
        == "It did not refuse."
    )
    assert camp.find_violation("Thank you for the offer, but I can't accept that.", no) == ""
    assert camp.find_violation("Thank you for the talk.", YES) == "It did not agree."
    assert camp.find_violation("I'm sorry, but I can't accept that.", YES) == "It refused something."
    assert camp.find_violation("Wonderful, I accept that!", YES) == ""


WANTS = IntendedMessage("I care about the food most of all.", MessageSubtype.PREF_INFO)
ASKS = IntendedMessage("Do you care more about the food or about the water?", MessageSubtype.PREF_REQUEST)


@pytest.mark.parametrize(
    ("text", "meant", "said"),
    [
        ("The food matters most to me.", WANTS, True),
        ("The water matters most to me.", WANTS, False),
        ("I care about the food least of all.", WANTS, False),
        ("The food and the water matter most to me.", WANTS, False),
        ("Which is more important to you, the food or the water?", ASKS, True),
        ("Which is more important to you, the food or the wood?", ASKS, False),
        ("I care more about the food than about the water.", ASKS, False),
    ],
)
def test_issues_are_named_as_the_agent_names_them(
    camp: OutputValidator, text: str, meant: IntendedMessage, said: bool
) -> None:
    assert (camp.find_violation(text, meant) == "") is said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I get 2 food, and you get 1 food.", True),
        ("I keep 3 water and 2 food, and you get 1 food.", True),
        ("You get 2 food, and I get 1 food.", False),
        ("I get 2 food, you get 1 food, and the wood is for you.", False),
        ("I get 2 food, you get 1 food, and more of it when we meet again.", False),
        ("I get 2 food, you get 1 food, and I will pay you for it.", False),
        ("The water is for me.", False),
    ],
)
def test_terms_are_the_offers_and_nothing_beside_them(camp: OutputValidator, text: str, said: bool) -> None:
    assert (camp.find_violation(text, DOES_OTHERWISE[1]) == "") is said
