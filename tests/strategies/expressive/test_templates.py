"""The sentences shared by all agents, and those of the expressive ones."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib import resources
from random import Random
from string import Formatter

import pytest

from negoplatform.language.generation import STYLES, Templates, Words, languages, templates
from negoplatform.strategies.conversation_helpers import MAX_REPETITIONS, Sentences
from negoplatform.strategies.expressive.message_builder import subtype_of

SLOTS = {"offer", "issue", "value", "name", "first", "second"}

OFTEN = (
    "greeting",
    "introduce_offer",
    "counter_offer",
    "reject_offer",
    "unclear",
    "idle_prompt",
    "pref_noted",
)

SECRETS = ("points", "condition", "experiment", "strategy", "utility", "reservation", "algorithm", "robot")


def read(name: str, language: str = "en") -> Templates:
    path = resources.files("negoplatform.language") / "data" / "words" / language / name
    found: Templates = json.loads(path.read_text(encoding="utf-8"))
    return found


KINDS = {**read("common.json"), **read("expressive.json")}


def slots(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_said_in_every_style_in_four_ways_and_more(kind: str) -> None:
    assert set(KINDS[kind]) == set(STYLES)
    assert min(map(len, KINDS[kind].values())) >= (6 if kind in OFTEN else 4)


@pytest.mark.parametrize("kind", KINDS)
def test_all_templates_of_a_kind_have_the_same_slots_and_known_ones(kind: str) -> None:
    needed = [slots(template) for style in STYLES for template in KINDS[kind][style]]

    assert all(some == needed[0] for some in needed)
    assert needed[0] <= SLOTS


def test_no_template_is_there_twice() -> None:
    all_of_them = Counter(text for kind in KINDS.values() for style in kind.values() for text in style)

    assert [text for text, times in all_of_them.items() if times > 1] == []


def test_no_template_names_what_a_participant_must_not_know() -> None:
    told = [text for kind in KINDS.values() for style in kind.values() for text in style]

    assert [text for text in told if any(secret in text.lower() for secret in SECRETS)] == []


def test_no_sentence_is_said_a_third_time() -> None:
    sentences = Sentences(Words("en", "tough"))
    rng = Random(5)

    told = [sentences.draw("thanks", rng) for _ in range(30)]

    ways = len(KINDS["thanks"]["tough"])
    assert Counter(told) == Counter(
        dict.fromkeys(KINDS["thanks"]["tough"], MAX_REPETITIONS) | {None: 30 - MAX_REPETITIONS * ways}
    )
    assert len(set(told[:ways])) == ways, "each once before any comes again"


def test_a_sentence_begins_with_a_capital_even_if_a_slot_comes_first() -> None:
    sentences = Sentences(Words("en", "neutral"))

    told = [sentences.draw("ask_either", Random(seed), first="this", second="that") for seed in range(20)]

    assert all(text is None or text[0].isupper() for text in told)
    assert any(text is not None and text.startswith("This") for text in told)


def test_a_kind_does_what_its_family_does_unless_it_says_otherwise() -> None:
    assert subtype_of("idle_prompt_offer") == "TIMING"
    assert subtype_of("pref_info_best") == "PREF_INFO"
    assert subtype_of("pref_request_answer") == "PREF_WITHHOLD"
    assert subtype_of("confusion_no_offer") == "CLARIFICATION"


WITH_AN_OFFER = {
    *("introduce_offer", "counter_offer", "complete_offer", "part_offer", "hurry", "take_yours"),
    *("threat_give_way", "threat_offer", "offer_same_again", "offer_giving_way", "offer_one_more"),
}
"""Kinds that are immediately followed by an offer."""


@pytest.mark.parametrize("language", languages())
def test_only_what_an_offer_follows_ends_with_a_colon_and_hurry_never_with_a_full_stop(language: str) -> None:
    there = templates(language)
    own = [kind for file in ("common.json", "expressive.json") for kind in read(file, language)]
    open_ended = {
        kind for kind in own for style in there[kind].values() for text in style if text.endswith(":")
    }

    assert open_ended <= WITH_AN_OFFER
    assert all(text[-1] in ":?" for style in there["hurry"].values() for text in style)
    assert all(text[-1] in ".?!" for style in there["hurry_standing"].values() for text in style)


def test_no_verb_agrees_with_an_issue_whose_title_may_be_plural_or_not() -> None:
    slot = r"\{(issue|first|second)\}"
    verbs = r"(is|are|was|were|has|have|comes?|matters?|counts?|goes|go|would|pleases?|will)"
    agreeing = re.compile(rf"(?<!about )(the|The) {slot} {verbs}\b|\b(is|are|Is|Are) the {slot}[ .,?]")

    told = [text for kind in KINDS.values() for style in kind.values() for text in style]

    found = [text for text in told if agreeing.search(text.replace("the {first} and the {second}", ""))]
    assert found == []


def test_no_time_agrees_with_a_verb() -> None:
    times = [text for style in KINDS["timing_answer"].values() for text in style]

    assert [text for text in times if re.search(r"\b(is|are) \{value\}|\{value\} (is|are)\b", text)] == []


def test_common_words_speak_of_no_sharing_as_many_games_have_nothing_to_share() -> None:
    told = [text for kind in KINDS.values() for style in kind.values() for text in style]

    assert [text for text in told if re.search(r"\b(share|sharing|split|divide)", text)] == []
