"""Sentences that agents say: without early repetition, and as a participant would understand them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.core.events import EventType
from negoplatform.domain.offer import Offer
from negoplatform.language import DialogueContext, DialogueTurn, parse
from negoplatform.language.generation import Words, languages, offer_in_words, templates, title_in_words
from negoplatform.strategies.conversation_helpers import MIN_REPEAT_DISTANCE, Sentences
from negoplatform.testing import TrialTable
from tests.agents.seating import of, shipped

CLAUSES = "clause_"
"""Prefix of kinds that are parts of sentences."""


ASKING = [s for some in templates("en")["send_as_offer"].values() for s in some]


@pytest.mark.parametrize("name", ["campsite", "job_candidate"])
def test_a_yes_to_being_asked_for_an_offer_is_that_offer(name: str) -> None:
    read = [offer for sentence in ASKING for offer in _confirmed(name, sentence)]

    # A yes to words that were not surely read confirms nothing; it never confirms another offer.
    assert all(confirmed in (None, asked) for confirmed, asked in read)
    assert sum(confirmed is not None for confirmed, _ in read) >= 0.7 * len(read)


def _confirmed(name: str, sentence: str) -> Iterator[tuple[Offer | None, Offer]]:
    """Yield the offer that a yes to a sentence confirms, and the sentence's offer: complete, then partial."""
    game = find_game(name, Path("no such folder"))
    asker, asked = game.seats
    outcomes = list(game.outcomes())
    whole = outcomes[len(outcomes) // 3]
    part = Offer(dict(list(whole.terms)[:2]))

    for offer in (whole, part):
        words = sentence.format(offer=offer_in_words(offer, game, asker))
        said = (DialogueTurn(asked, "I have a proposal."), DialogueTurn(asker, words))
        yield parse("Yes, please.", DialogueContext(game, asked, history=said)).offer, offer


def filled(language: str, game: str) -> Iterator[tuple[str, str]]:
    """Yield all sentences of a language by kind, in the terms of a game."""
    there = find_game(game, Path("no such folder"))
    outcomes = list(there.outcomes())[-1:]
    first, *_, last = there.issues
    whole = offer_in_words(outcomes[0], there, there.seats[0], language=language)
    part = Offer({first.name: dict(outcomes[0].terms)[first.name]})
    slots = {
        "offer": whole,
        "terms": whole,
        "taken": offer_in_words(part, there, there.seats[0], language=language),
        "issue": title_in_words(first, language),
        "first": title_in_words(first, language),
        "second": title_in_words(last, language),
        "value": "4:30",
    }
    for kind, styles in templates(language).items():
        for told in styles.values():
            for template in told:
                yield kind, template.format_map(slots)


@pytest.mark.parametrize("game", ["job_candidate", "campsite"])
@pytest.mark.parametrize("language", languages())
def test_every_sentence_has_an_end_mark_and_no_two(language: str, game: str) -> None:
    told = [text for kind, text in filled(language, game) if not kind.startswith(CLAUSES)]

    assert [text for text in told if not re.search(r"[.?!:]$", text)] == []
    assert [text for text in told if re.search(r"[.?!:,;] ?[.?!:,;]|  | [.?!,]", text.replace("…", ""))] == []


def test_english_terms_stand_for_themselves_as_titles_come_in_capitals() -> None:
    told = [text for styles in templates("en").values() for there in styles.values() for text in there]

    apart = re.compile(r"(– |\? |: |\()\{(terms|taken)\}[.)]")
    found = [text for text in told if ("{terms}" in text or "{taken}" in text)]
    assert [text for text in found if len(apart.findall(text)) != text.count("{t")] == []


@pytest.mark.parametrize("language", languages())
def test_no_words_say_that_time_runs_out_but_those_for_the_end(language: str) -> None:
    runs = re.compile(r"Time is running|[Tt]ime is short|clock is running out|Die Zeit läuft|läuft ab")

    kinds = {kind for kind, text in filled(language, "campsite") if runs.search(text)}

    assert kinds <= {"hurry", "hurry_standing"}


@pytest.mark.parametrize("kind", ["issue_taken_up_again", "issue_reopened"])
def test_who_takes_back_what_was_agreed_says_so(kind: str) -> None:
    says_so = re.compile(
        r"take .*back|[Bb]ack to a point|(come|go) back|change what we said|open again|"
        r"[Ff]orget|too kind|no longer keep"
    )

    told = [text for there in templates("en")[kind].values() for text in there]

    assert [text for text in told if not says_so.search(text)] == []


def test_a_sentence_does_not_come_again_within_the_last_few() -> None:
    sentences, rng = Sentences(Words("en", "warm")), Random(2)

    told = [sentences.draw("issue_stands", rng, terms="this") for _ in range(20)]

    for n, text in enumerate(told):
        assert text is None or text not in told[max(0, n - MIN_REPEAT_DISTANCE) : n]
    assert any(text is None for text in told)


@pytest.mark.parametrize("name", ["linear", "tit_for_tat", "micro", "fair"])
def test_refusals_in_a_row_are_not_the_same(name: str) -> None:
    table = TrialTable(find_game("campsite", Path("no such folder")), seed=2)
    table.seat(shipped(name))
    table.wait(3)

    for n in range(4):
        table.human.offers(food=(3, 0), water=(3, 0), firewood=(3 - n % 2, n % 2))
        table.wait(5)

    told = [event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent")]
    assert len(told) > 3
    assert all(first != second for first, second in pairwise(told))
