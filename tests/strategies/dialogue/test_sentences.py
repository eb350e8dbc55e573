"""Sentences that agents say: none of them twice, and as a participant would understand them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from negoplatform.core.events import EventType, MessageSubtype
from negoplatform.domain.errors import AgentError
from negoplatform.domain.offer import Offer
from negoplatform.language import DialogueContext, DialogueTurn, parse
from negoplatform.language.generation import VOICES, Words, offer_in_words, templates
from negoplatform.strategies.dialogue.sentences import Sentences, normalized_sentences
from negoplatform.strategies.dialogue.speech_acts import subtype_of
from negoplatform.testing import TrialTable
from tests.agents.seating import TALKERS, load, of, shipped


def said_by(table: TrialTable, seat: str = "agent") -> list[str]:
    """Return the sentences of a seat, to compare them."""
    texts = [event.get_text() for event in of(table, EventType.SEND_MESSAGE, seat)]
    return [sentence for text in texts for sentence in normalized_sentences(text)]


def repeated(sentences: list[str]) -> list[str]:
    return [sentence for sentence, times in Counter(sentences).items() if times > 1]


# Drawing


@pytest.mark.parametrize("voice", VOICES)
def test_each_sentence_is_said_once_and_then_there_is_none_left(voice: str) -> None:
    sentences, rng = Sentences(Words("en", voice)), Random(5)
    ways = len(templates("en", voice)["thanks"])

    told = [sentences.draw("thanks", rng) for _ in range(ways + 3)]

    assert sorted(text for text in told if text) == sorted(templates("en", voice)["thanks"])
    assert told[ways:] == [None] * 3


def test_the_same_words_about_something_else_are_new() -> None:
    sentences, rng = Sentences(Words("en", "warm")), Random(5)
    ways = len(templates("en", "warm")["same_again"])

    told = [
        sentences.draw("same_again", rng, terms=terms)
        for terms in ("a car", "a bike")
        for _ in range(ways + 1)
    ]

    assert sum("a car" in (text or "") for text in told) == ways
    assert sum("a bike" in (text or "") for text in told) == ways


def test_a_text_of_which_one_sentence_was_said_is_not_said() -> None:
    sentences = Sentences(Words())

    assert sentences.add("I like it. Thank you!")
    assert not sentences.add("No. Thank you.")
    assert sentences.add("No."), "what was not said leaves no trace"


@pytest.mark.parametrize("again", ["thank you", "THANK YOU!", "Thank you.", "Well… Thank you!"])
def test_case_and_punctuation_make_no_new_sentence(again: str) -> None:
    sentences = Sentences(Words())

    sentences.add("Thank you.")

    assert sentences.contains(again)
    assert not sentences.contains("Thanks.")


def test_a_sentence_is_the_same_whatever_introduces_it() -> None:
    sentences = Sentences(Words())

    sentences.add("It’s like this: Hiking all day makes me hungry.")

    assert sentences.contains("Hiking all day makes me hungry.")
    assert not sentences.add("I’ll tell you why: Hiking all day makes me hungry.")
    assert sentences.add("It’s like this: We drink a lot in summer.")


def test_terms_after_a_colon_are_no_sentence_of_their_own() -> None:
    sentences = Sentences(Words())

    sentences.add("My proposal: Saturday.")

    assert sentences.add("My wish: Saturday.")
    assert not sentences.contains("Saturday.")


def test_a_text_that_was_dropped_may_be_said_after_all() -> None:
    sentences = Sentences(Words())
    sentences.add("It’s a deal. Bye.")

    sentences.discard("It’s a deal. Bye.")

    assert sentences.add("It’s a deal. Bye.")


def test_a_part_of_a_sentence_may_come_again() -> None:
    sentences, rng = Sentences(Words()), Random(1)

    parts = [sentences.part("clause_best", rng, issue="food") for _ in range(20)]

    assert all("food" in part for part in parts)
    assert len(set(parts)) < 20


@pytest.mark.parametrize("voice", VOICES)
def test_a_sentence_begins_with_a_capital_even_if_a_slot_comes_first(voice: str) -> None:
    told = [
        Sentences(Words("en", voice)).draw("took_terms", Random(seed), terms="a leased car")
        for seed in range(20)
    ]

    assert all(text is not None and text[0].isupper() for text in told)


def test_an_unknown_kind_and_a_missing_slot_are_errors_and_no_silence() -> None:
    sentences = Sentences(Words())

    with pytest.raises(AgentError, match="no words for 'nonsense'"):
        sentences.draw("nonsense", Random(1))
    with pytest.raises(AgentError, match="need 'terms'"):
        sentences.draw("same_again", Random(1))


# In games


@pytest.mark.parametrize("name", ["linear", "tit_for_tat", "micro"])
def test_refusals_in_a_row_are_not_the_same(name: str) -> None:
    table = TrialTable(load("campsite"), seed=2)
    table.seat(shipped(name))
    table.wait(3)

    for n in range(4):
        table.human.offers(food=(3, 0), water=(3, 0), firewood=(3 - n % 2, n % 2))
        table.wait(5)

    told = [event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent")]
    assert len(told) > 3
    assert all(first != second for first, second in pairwise(told))


@pytest.mark.parametrize("name", ["fair", *TALKERS])
def test_no_sentence_is_said_twice_in_a_game(name: str) -> None:
    table = TrialTable(load("campsite"), seed=2)
    table.seat(shipped(name))
    table.wait(3)

    for n in range(24):
        match n % 4:
            case 0:
                table.human.offers(food=(3, 0), water=(3, 0), firewood=(3 - n % 3, n % 3))
            case 1:
                table.human.says("No.", MessageSubtype.OFFER_REJECT)
            case 2:
                table.human.says("What do you like?", MessageSubtype.PREF_REQUEST)
            case _:
                table.human.says("Thank you!")
        table.wait(9)

    told = said_by(table)
    assert len(told) > 6
    assert repeated(told) == []


def test_two_agents_with_different_voices_share_no_sentence() -> None:
    game = load("campsite")
    table = TrialTable(game, seed=4)
    for seat, voice in zip(game.seats, ("cheerful", "formal"), strict=True):
        table.seat(shipped("conceding", persona=voice), seat)

    table.play_out()

    one, other = (said_by(table, seat) for seat in game.seats)
    assert len(one) > 2
    assert len(other) > 2
    assert set(one) & set(other) == set()


# As a participant would understand them

ASKING = [template for voice in VOICES for template in templates("en", voice)["send_as_offer_yes"]]

DEPENDING = [template for voice in VOICES for template in templates("en", voice)["send_as_offer_open"]]


@pytest.mark.parametrize("name", ["campsite", "job_candidate"])
def test_a_yes_to_being_asked_for_an_offer_is_that_offer(name: str) -> None:
    read = [offer for sentence in ASKING for offer in _confirmed(name, sentence)]

    # A yes to words that were not surely read confirms nothing; it never confirms another offer.
    assert all(confirmed in (None, asked) for confirmed, asked in read)
    assert sum(confirmed is not None for confirmed, _ in read) >= 0.65 * len(read)


def test_a_yes_to_words_that_depend_on_the_rest_is_no_offer() -> None:
    read = [confirmed for sentence in DEPENDING for confirmed, _ in _confirmed("campsite", sentence)]

    assert read == [None] * len(read)


def _confirmed(name: str, sentence: str) -> Iterator[tuple[Offer | None, Offer]]:
    """Yield the offer that a yes to a sentence confirms, and the sentence's offer: complete, then partial."""
    game = load(name)
    asker, asked = game.seats
    outcomes = list(game.outcomes())
    whole = outcomes[len(outcomes) // 3]
    part = Offer(dict(list(whole.terms)[:2]))

    for offer in (whole, part):
        words = sentence.format(offer=offer_in_words(offer, game, asker))
        said = (DialogueTurn(asked, "I have a proposal."), DialogueTurn(asker, words))
        yield parse("Yes, please.", DialogueContext(game, asked, history=said)).offer, offer


# Speech acts


@pytest.mark.parametrize(
    ("kind", "act"),
    [
        ("idle_prompt_offer", MessageSubtype.TIMING),
        ("pref_info_best", MessageSubtype.PREF_INFO),
        ("pref_withhold", MessageSubtype.PREF_WITHHOLD),
        ("meaning_none", MessageSubtype.CLARIFICATION),
        ("concede_back", MessageSubtype.OFFER_PROPOSE),
        ("send_as_offer_yes", MessageSubtype.OFFER_REQUEST_POS),
        ("send_as_offer_no", MessageSubtype.OFFER_REJECT),
        ("favor_reject_owed", MessageSubtype.FAVOR_REJECT),
        ("react_better", MessageSubtype.GENERIC),
        ("person_program", MessageSubtype.GENERIC),
        ("no_such_kind", MessageSubtype.GENERIC),
    ],
)
def test_a_kind_does_what_its_family_does_unless_it_says_otherwise(kind: str, act: MessageSubtype) -> None:
    assert subtype_of(kind) is act
