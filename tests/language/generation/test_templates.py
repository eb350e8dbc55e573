"""Templates of all kinds, styles and languages, and their random order."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from itertools import pairwise
from pathlib import Path
from random import Random
from string import Formatter

import pytest

from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.language.generation import STYLES, Words, forms, languages, offer_in_words, templates

WORDS = resources.files("negoplatform.language") / "data" / "words"

LANGUAGES = languages()

SLOTS = {"offer", "terms", "taken", "issue", "value", "first", "second"}
"""Slots of templates; ``value`` is the remaining time, or the limit that the agent states."""


def test_the_same_words_never_come_twice_in_a_row_and_all_come_before_one_returns() -> None:
    words, rng = Words(style="warm"), Random(1)
    there = templates("en")["greeting"]["warm"]

    said = [words.say("greeting", rng) for _ in range(4 * len(there))]

    assert all(first != second for first, second in pairwise(said))
    assert set(said[: len(there)]) == set(there)


def test_equal_seeds_say_the_same() -> None:
    first, second = Words(), Words()
    chance, again = Random(3), Random(3)

    said = [first.say("greeting", chance) for _ in range(9)]
    repeated = [second.say("greeting", again) for _ in range(9)]

    assert said == repeated


def test_slots_are_filled_and_what_the_game_says_is_left_as_it_is() -> None:
    said = Words(style="neutral").say("introduce_offer", Random(1), offer="2 {odd} food for me")

    assert "{offer}" not in said


def test_a_slot_that_begins_a_sentence_gets_a_capital_letter() -> None:
    words, rng = Words(style="warm"), Random(1)
    there = templates("en")["issue_first"]["warm"]

    said = [words.say("issue_first", rng, terms="a leased car") for _ in there]

    opened = [text for text in said if re.search(r"(^|[.?!] )a leased car", text, re.IGNORECASE)]
    assert opened
    assert [text for text in opened if "A leased car" not in text] == []
    assert any("a leased car" in text for text in said)


def test_a_missing_slot_a_missing_kind_and_a_missing_style_are_sentences() -> None:
    with pytest.raises(AgentError, match="no words for 'nonsense'"):
        Words().say("nonsense", Random(1))
    with pytest.raises(AgentError, match="one of the styles warm, neutral, tough, not 'rude'"):
        Words(style="rude")
    with pytest.raises(AgentError, match="no words in the language 'xx'"):
        Words("xx")
    with pytest.raises(AgentError, match="no words in the language"):
        Words("../words/en")
    with pytest.raises(AgentError, match="need 'offer'"):
        Words().say("send_as_offer", Random(1))


def slots(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name is not None)


def every(language: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the templates of a language, by kind and style."""
    for kind, styles in templates(language).items():
        for style, there in styles.items():
            yield kind, style, there


def test_there_are_english_and_german() -> None:
    assert {"en", "de"} <= set(LANGUAGES)


@pytest.fixture
def with_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Data with an additional, unknown language."""
    data = tmp_path / "data"
    shutil.copytree(str(WORDS), data / "words")
    shutil.copytree(str(WORDS / ".." / "phrasing"), data / "phrasing")
    (data / "words" / "tlh").mkdir()
    kinds = {"greeting": {style: ["nuqneH"] for style in STYLES}}
    (data / "words" / "tlh" / "common.json").write_text(json.dumps(kinds), encoding="utf-8")
    own = {**json.loads((data / "phrasing" / "en.json").read_text()), "share": "{who}: {things}"}
    own |= {"speaker": "jIH", "other": "SoH", "one_of_many": [["apples", "'epIl", 0]]}
    (data / "phrasing" / "tlh.json").write_text(json.dumps(own), encoding="utf-8")
    caches = (languages, templates, forms)
    monkeypatch.setattr(resources, "files", lambda _package: tmp_path)
    for cache in caches:
        cache.cache_clear()
    yield "tlh"
    monkeypatch.undo()
    for cache in caches:
        cache.cache_clear()


def test_a_language_is_added_by_data_alone(with_another: str, practice: GameSpec) -> None:
    offer = Offer({"apples": Allocation({"human": 1, "agent": 5})})
    apples = QuantityIssue("apples", 6, "Apples")
    titles = replace(practice, issues=(apples, practice.issue("day")))

    assert languages() == ("de", "en", with_another)
    assert Words(with_another).say("greeting", Random(1)) == "nuqneH"
    said = offer_in_words(offer, titles, "human", language=with_another)
    assert said == "jIH: 1 'epIl, SoH: 5 apples"


def test_every_folder_of_words_is_a_language_that_an_agent_can_speak() -> None:
    folders = {folder.name for folder in WORDS.iterdir() if folder.is_dir()}

    assert folders == set(LANGUAGES), "a language needs a file in data/phrasing as well"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_speaks_in_every_style_with_at_least_four_templates(language: str) -> None:
    for kind, styles in templates(language).items():
        assert tuple(styles) == STYLES, kind
    for kind, style, there in every(language):
        assert len(there) >= 4, (kind, style)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_template_is_there_twice(language: str) -> None:
    counted = Counter(template for _, _, there in every(language) for template in there)

    assert [template for template, times in counted.items() if times > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_templates_name_only_what_everybody_may_know(language: str) -> None:
    for kind, _, there in every(language):
        for template in there:
            assert slots(template) <= SLOTS, (kind, template)
            assert "value" not in slots(template) or kind in ("batna_info", "timing_answer"), (kind, template)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_templates_of_a_kind_need_the_same_slots(language: str) -> None:
    """Ensure that an agent can fill the slots of a kind, whichever template is drawn."""
    for kind, styles in templates(language).items():
        needed = {slots(template) for there in styles.values() for template in there}
        assert len(needed) == 1, (kind, needed)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_files_the_kinds_and_the_slots_of_english(language: str) -> None:
    def shape(file: str, language: str) -> dict[str, frozenset[str]]:
        kinds = json.loads((WORDS / language / file).read_text(encoding="utf-8"))
        return {kind: slots(styles["neutral"][0]) for kind, styles in kinds.items()}

    files = sorted(file.name for file in (WORDS / "en").iterdir())

    assert sorted(file.name for file in (WORDS / language).iterdir()) == files
    assert {file: shape(file, language) for file in files} == {file: shape(file, "en") for file in files}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_kind_stands_in_two_files_or_twice_in_one(language: str) -> None:
    """Prevent a later one from silently replacing an earlier one."""
    kinds: Counter[str] = Counter()

    def count(pairs: list[tuple[str, object]]) -> dict[str, object]:
        kinds.update(key for key, _ in pairs if key not in STYLES)
        return dict(pairs)

    for file in (WORDS / language).iterdir():
        json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=count)

    assert [kind for kind, times in kinds.items() if times > 1] == []


@pytest.mark.parametrize("kind", ["greeting", "reject_offer", "idle_prompt"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_often_has_six_ways_in_every_language(language: str, kind: str) -> None:
    """Prevent an agent from repeating a sentence twice in a game."""
    assert all(len(there) >= 6 for there in templates(language)[kind].values())


def test_no_sentence_of_german_is_one_of_english() -> None:
    english = {template for _, _, there in every("en") for template in there}
    german = {template for _, _, there in every("de") for template in there}

    assert english & german == set()


def test_german_names_nothing_that_a_participant_must_not_know() -> None:
    secret = re.compile(r"Punkte|Bedingung\b|Experiment|Strategie|Algorithm|Roboter|Programm|Computer")

    assert [text for _, _, there in every("de") for text in there if secret.search(text)] == []


def test_german_keeps_a_polite_distance() -> None:
    familiar = re.compile(r"\b(du|dich|dir|dein\w*|euch|euer|eure\w*)\b", re.IGNORECASE)

    assert [text for _, _, there in every("de") for text in there if familiar.search(text)] == []
