"""Templates of all kinds, voices and languages, and their random order."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import resources
from itertools import pairwise
from pathlib import Path
from random import Random
from string import Formatter
from typing import Any

import pytest

from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.language.generation import (
    VOICES,
    Words,
    called,
    forms,
    languages,
    offer_in_words,
    templates,
    title_in_words,
)
from negoplatform.strategies.dialogue.sentences import normalized_sentences
from tests.agents.seating import load

WORDS = resources.files("negoplatform.language") / "data" / "words"

CATALOGUE: dict[str, dict[str, Any]] = json.loads((WORDS / "kinds.json").read_text(encoding="utf-8"))
"""Kinds of message: the situation of each, its slots, and the least number of templates in each voice."""

LANGUAGES = languages()

CLAUSES = "clause_"
"""Prefix of kinds that are parts of sentences."""

SLOTS = {
    *("offer", "terms", "give", "want", "gain", "issue", "first", "second", "value"),
    *("why", "background", "name"),
}
"""Slots of templates; ``value`` is the remaining time, or the limit that the agent states."""

each_voice = pytest.mark.parametrize("voice", VOICES)
each_language = pytest.mark.parametrize("language", LANGUAGES)


@cache
def slots(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name is not None)


def every(language: str, *kinds: str) -> Iterator[tuple[str, str, str]]:
    """Yield the templates of a language, with the voice and the kind of each; of all kinds unless given."""
    for voice in VOICES:
        for kind, there in templates(language, voice).items():
            if not kinds or kind in kinds:
                yield from ((voice, kind, template) for template in there)


def filled(language: str, game: GameSpec) -> Iterator[tuple[str, str]]:
    """Yield all messages of a language with the kind of each, in the terms of a game."""
    outcome = list(game.outcomes())[-1]
    first, *_, last = game.issues
    whole, some, other = (
        offer_in_words(offer, game, game.seats[0], language=language)
        for offer in (outcome, *(Offer({one.name: dict(outcome.terms)[one.name]}) for one in (first, last)))
    )
    values = {
        "offer": whole,
        "terms": whole,
        "give": some,
        "want": other,
        "gain": other,
        "issue": title_in_words(first, language),
        "first": title_in_words(first, language),
        "second": title_in_words(last, language),
        "value": "4:30",
        "name": "Maya",
        "why": "I commute 50 km every day.",
        "background": "I work in a bank.",
    }
    rng = Random(1)
    for voice in VOICES:
        words = Words(language, voice)
        for kind, there in templates(language, voice).items():
            yield from ((kind, words.say(kind, rng, **values)) for _ in there)


# Words


def test_the_same_words_never_come_twice_in_a_row_and_all_come_before_one_returns() -> None:
    words, rng = Words(voice="warm"), Random(1)
    there = templates("en", "warm")["greeting"]

    said = [words.say("greeting", rng) for _ in range(4 * len(there))]

    assert all(first != second for first, second in pairwise(said))
    assert set(said[: len(there)]) == set(there)
    assert words.count("greeting") == len(there)


def test_equal_seeds_say_the_same() -> None:
    first, second = Words(), Words()
    chance, again = Random(3), Random(3)

    said = [first.say("greeting", chance) for _ in range(9)]
    repeated = [second.say("greeting", again) for _ in range(9)]

    assert said == repeated


@each_voice
def test_slots_are_filled_and_what_the_game_says_is_left_as_it_is(voice: str) -> None:
    said = Words(voice=voice).say("meaning_offer", Random(1), offer="2 {odd} food for me")

    assert "2 {odd} food for me" in said
    assert "{offer}" not in said


def test_a_slot_that_begins_a_sentence_gets_a_capital_letter() -> None:
    words, rng = Words(voice="warm"), Random(1)
    there = templates("en", "warm")["took_terms"]

    said = [words.say("took_terms", rng, terms="a leased car") for _ in there]

    opened = [text for text in said if re.search(r"(^|[.?!] )a leased car", text, re.IGNORECASE)]
    assert opened
    assert [text for text in opened if "A leased car" not in text] == []
    assert any("a leased car" in text for text in said)


def test_a_missing_slot_a_missing_kind_and_a_missing_voice_are_sentences() -> None:
    with pytest.raises(AgentError, match="no words for 'nonsense'"):
        Words().say("nonsense", Random(1))
    with pytest.raises(
        AgentError, match="one of the voices warm, neutral, tough, cheerful, formal, not 'rude'"
    ):
        Words(voice="rude")
    with pytest.raises(AgentError, match="no words in the language 'xx'"):
        Words("xx")
    with pytest.raises(AgentError, match="no words in the language"):
        Words("../words/en")
    with pytest.raises(AgentError, match="need 'offer'"):
        Words().say("send_as_offer_no", Random(1))


# Languages


def test_there_are_english_and_german() -> None:
    assert {"en", "de"} <= set(LANGUAGES)


@pytest.fixture
def with_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Data with an additional, unknown language."""
    data = tmp_path / "data"
    shutil.copytree(str(WORDS), data / "words")
    shutil.copytree(str(WORDS / ".." / "phrasing"), data / "phrasing")
    (data / "words" / "tlh").mkdir()
    for voice in VOICES:
        path = data / "words" / "tlh" / f"{voice}.json"
        path.write_text(json.dumps({"greeting": [f"nuqneH {voice}"]}), encoding="utf-8")
    own = {
        **json.loads((data / "phrasing" / "en.json").read_text(encoding="utf-8")),
        "share": "{who}: {things}",
    }
    own |= {"speaker": "jIH", "other": "SoH", "one_of_many": [["apples", "'epIl", 0]]}
    (data / "phrasing" / "tlh.json").write_text(json.dumps(own), encoding="utf-8")
    caches = (languages, templates, forms)
    monkeypatch.setattr(resources, "files", lambda _package: tmp_path)
    for each in caches:
        each.cache_clear()
    yield "tlh"
    monkeypatch.undo()
    for each in caches:
        each.cache_clear()


def test_a_language_is_added_by_data_alone(with_another: str, practice: GameSpec) -> None:
    offer = Offer({"apples": Allocation({"human": 1, "agent": 5})})
    apples = QuantityIssue("apples", 6, "Apples")
    titles = replace(practice, issues=(apples, practice.issue("day")))

    assert languages() == ("de", "en", with_another)
    assert [Words(with_another, voice).say("greeting", Random(1)) for voice in VOICES] == [
        f"nuqneH {voice}" for voice in VOICES
    ]
    said = offer_in_words(offer, titles, "human", language=with_another)
    assert said == "jIH: 1 'epIl, SoH: 5 apples"


def test_every_folder_of_words_is_a_language_that_an_agent_can_speak() -> None:
    folders = {folder.name for folder in WORDS.iterdir() if folder.is_dir()}

    assert folders == set(LANGUAGES), "a language needs a file in data/phrasing as well"


@each_language
def test_a_language_has_one_file_for_each_voice_and_no_other(language: str) -> None:
    files = {file.name for file in (WORDS / language).iterdir()}

    assert files == {f"{voice}.json" for voice in VOICES}


# The catalogue of kinds, and what every voice must have


def test_the_catalogue_documents_each_kind_and_names_known_slots() -> None:
    for kind, entry in CATALOGUE.items():
        assert set(entry) == {"situation", "slots", "minimum"}, kind
        assert len(entry["situation"].split()) > 1, kind
        assert set(entry["slots"]) <= SLOTS, kind
        assert entry["minimum"] >= 3, kind


@each_language
@each_voice
def test_every_voice_has_all_kinds_with_enough_templates(language: str, voice: str) -> None:
    there = templates(language, voice)

    assert set(there) == set(CATALOGUE)
    few = {kind: len(told) for kind, told in there.items() if len(told) < CATALOGUE[kind]["minimum"]}
    assert few == {}


@each_language
def test_a_template_has_exactly_the_slots_of_its_kind(language: str) -> None:
    """Ensure that an agent can fill the slots of a kind, whichever template is drawn."""
    wrong = [
        (voice, kind, template)
        for voice, kind, template in every(language)
        if slots(template) != set(CATALOGUE[kind]["slots"])
    ]

    assert wrong == []


@each_language
@each_voice
def test_no_kind_stands_in_a_file_twice(language: str, voice: str) -> None:
    """Prevent a later one from silently replacing an earlier one."""
    kinds: Counter[str] = Counter()

    def count(pairs: list[tuple[str, object]]) -> dict[str, object]:
        kinds.update(key for key, _ in pairs)
        return dict(pairs)

    json.loads((WORDS / language / f"{voice}.json").read_text(encoding="utf-8"), object_pairs_hook=count)

    assert [kind for kind, times in kinds.items() if times > 1] == []


@each_language
def test_no_sentence_stands_in_two_templates_of_whatever_voice_or_kind(language: str) -> None:
    """Ensure that two agents with different voices share no sentence, and one says none twice."""
    where: defaultdict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for voice, kind, template in every(language):
        for sentence in normalized_sentences(re.sub(r"\{\w+\}", "slot", template)):
            if set(sentence.split()) != {"slot"}:  # "{why}" alone is no sentence of a voice
                where[sentence].append((voice, kind, template))

    assert {sentence: places for sentence, places in where.items() if len(places) > 1} == {}


def test_no_sentence_of_one_language_is_one_of_another() -> None:
    sentences = [{template for _, _, template in every(language)} for language in LANGUAGES]

    shared = {
        template
        for i, one in enumerate(sentences)
        for other in sentences[i + 1 :]
        for template in one & other
        if re.search(r"\w", re.sub(r"\{\w+\}", "", template))
    }
    assert shared == set()


# How sentences are built


@pytest.mark.parametrize("name", ["job_candidate", "campsite"])
@each_language
def test_every_message_has_an_end_mark_and_no_two(language: str, name: str) -> None:
    told = [text for kind, text in filled(language, load(name)) if not kind.startswith(CLAUSES)]

    assert [text for text in told if not re.search(r"[.?!…]$", text)] == []
    assert [text for text in told if re.search(r"[.?!:,;] ?[.?!:,;]|  | [.?!,]", text.replace("…", ""))] == []


@each_language
def test_clauses_have_no_end_mark_and_begin_within_a_sentence(language: str) -> None:
    clauses = [template for _, kind, template in every(language) if kind.startswith(CLAUSES)]

    assert clauses
    assert [clause for clause in clauses if re.search(r"[.?!:]$", clause)] == []
    assert [
        clause for clause in clauses if clause[0].isupper() and not clause.startswith(("Sie", "Ihnen", "Ihr"))
    ] == []


@each_language
def test_no_template_has_a_straight_apostrophe_or_quotation_mark(language: str) -> None:
    assert [template for _, _, template in every(language) if re.search(r"['\"`]", template)] == []


UNCONTRACTED = re.compile(
    r"\b(I am|I will|I would|I have (?!to|no|a\b|some|time|nothing|my)|do not|does not|did not|can ?not|"
    r"could not|should not|it is|that is|what is|(?<!problem )(?<!concern )here is|let us|"
    r"you are|you will|you have (?!to|a\b|no|my|the)|we are|we will|they are|there is|"
    r"is not|are not|was not|were not|will not|would not|has not|have not)\b",
    re.IGNORECASE,
)
"""Words that people contract in a chat; "I have to" and "I have no" stay as they are."""


def test_english_uses_contractions() -> None:
    told = [(voice, kind, template) for voice, kind, template in every("en")]

    assert [each for each in told if UNCONTRACTED.search(each[2])] == []
    for voice in VOICES:
        share = sum("’" in template for each, _, template in told if each == voice)
        assert share > 0.2 * sum(each == voice for each, _, _ in told), voice


def test_no_english_verb_agrees_with_an_issue_whose_title_may_be_plural_or_not() -> None:
    slot = r"\{(issue|first|second)\}"
    verbs = r"(is|are|was|were|has|have|comes?|matters?|counts?|goes|go|pleases?)"
    agreeing = re.compile(
        rf"(?<!about )(?<!would )\b[Tt]he {slot} {verbs}\b|(^|[.?!,] )([Ii]s|[Aa]re|[Dd]oes|[Dd]o) the {slot}"
    )
    several = re.compile(r"the \{first\} and the \{second\}", re.IGNORECASE)

    told = [several.sub("they", template) for _, _, template in every("en")]

    assert [template for template in told if agreeing.search(template)] == []


@each_language
def test_no_verb_agrees_with_terms_a_time_or_an_amount_that_may_be_plural_or_not(language: str) -> None:
    slot = r"\{(terms|give|want|gain|offer|value)\}"
    verbs = {
        "en": r"is|are|was|were|has|have|does|works?|suits?|seems?|sounds?",
        "de": r"ist|sind|war|waren|hat|haben|passt|passen|geht|gehen",
    }[language]
    modal = r"(?<!\bto )(?<!\bwould )(?<!\bcould )"  # the verb belongs to another word
    agreeing = re.compile(rf"^({verbs}) {slot}|{modal}{slot} ({verbs})\b(?! (wir|Sie|ich)\b)", re.IGNORECASE)

    assert [template for _, _, template in every(language) if agreeing.search(template)] == []


# What sentences say


SECRETS = {
    "en": (
        r"experiment|condition(?! for)|treatment|strateg|utilit|reservation|algorithm|robot|\bbot\b|\bAI\b|"
        r"researcher|opponent|\bagent|simulat|\brandom"
    ),
    "de": (
        r"Experiment|Bedingung\b(?! für)|Strategie|Nutzen(funktion|wert)|Reservation|Algorithm|"
        r"Roboter|\bBot\b|\bKI\b|Forsch|Versuchs|Gegner|\bAgent|Simul|Zufall"
    ),
}
"""Words for what a participant must not know: the type of the agent, the condition, and how it decides."""

ONLY_IN = {
    "en": {
        r"\b(program|computer)": {"person_program"},
        r"\bmy (own )?points\b|\bscore": {"rules_points"},
    },
    "de": {
        r"Programm|Computer": {"person_program"},
        r"\b[Mm]eine(n|r)? (eigenen )?Punkte\b": {"rules_points"},
    },
}
"""Words that may occur only in the answer to a question that asks for them."""


@each_language
def test_no_template_names_what_a_participant_must_not_know(language: str) -> None:
    secret = re.compile(SECRETS[language], re.IGNORECASE if language == "en" else re.NOFLAG)

    assert [each for each in every(language) if secret.search(each[2])] == []
    for words, kinds in ONLY_IN[language].items():
        found = [each for each in every(language) if re.search(words, each[2])]
        assert {kind for _, kind, _ in found} <= kinds, found


@each_language
def test_templates_name_no_figure_and_no_points_but_the_limit_that_is_stated(language: str) -> None:
    for voice, kind, template in every(language):
        assert not re.search(r"\d", template), (voice, kind, template)
        assert "value" not in slots(template) or kind in ("batna_info", "timing_answer"), (kind, template)


@each_language
def test_no_template_claims_to_be_a_person(language: str) -> None:
    claims = {
        "en": r"\bI(’m| am) (a |an )?(real |actual )?(person|human|man|woman|guy)\b|\bas human as",
        "de": r"\bIch bin (ein |eine )?(echte[rs]? )?(Mensch|Person|Mann|Frau)\b",
    }

    found = [t for _, _, t in every(language) if re.search(claims[language], t, re.IGNORECASE)]
    assert [template for template in found if re.search(r"\b(not|nicht|kein)", template) is None] == []


@each_language
def test_no_words_say_that_time_runs_out_but_those_for_the_end(language: str) -> None:
    runs = re.compile(
        r"out of time|[Tt]ime(’s| is) (running|short|getting short|nearly|almost)|clock’s ticking|"
        r"Die Zeit läuft|läuft ab|Zeit ist (fast|beinahe|knapp)|kaum noch Zeit"
    )

    kinds = {kind for _, kind, template in every(language) if runs.search(template)}

    assert kinds
    assert kinds <= {"final_whole", "hurry_standing", "timing", "hurried"}


def test_who_takes_back_what_was_offered_says_so_and_why() -> None:
    says_so = re.compile(
        r"chang|go(ing)? back|back to|tak(e|ing) something back|correct|gave (away )?too much|mistake|"
        r"too quick|(say|said) something (else|different)|Forget what|return to|give way here, but|"
        r"\{want\} again",
        re.IGNORECASE,
    )
    reason = re.compile(r"too little|enough|too low|end up short|gave away too much")

    told = [template for _, _, template in every("en", "take_back")]

    assert [template for template in told if not says_so.search(template)] == []
    assert [template for template in told if not reason.search(template)] == []


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("That’s good.", "Robin, that’s good."),
        ("I like it.", "Robin, I like it."),
        ("Saturday suits me.", "Robin – Saturday suits me."),
        ("2 apples, then.", "Robin, 2 apples, then."),
    ],
)
def test_behind_a_name_only_words_that_are_never_small_keep_their_capital(text: str, meant: str) -> None:
    assert called("Robin", text, "en", VOICES[0]) == meant


def test_who_asks_for_the_formal_accept_names_the_button() -> None:
    told = [template for _, _, template in every("en", "offer_agreed")]

    assert [template for template in told if not re.search(r"[Aa]ccept", template)] == []


def test_english_speaks_of_no_sharing_as_many_games_have_nothing_to_share() -> None:
    told = [template for _, _, template in every("en")]

    assert [template for template in told if re.search(r"\b(sharing|share of|split|divid)", template)] == []


@each_language
def test_only_a_reason_or_a_fact_may_follow_words_that_end_with_its_slot(language: str) -> None:
    bare = {kind for _, kind, template in every(language) if re.fullmatch(r"\{\w+\}", template)}

    assert bare <= {"reason", "why_told", "about_told"}


def test_german_keeps_a_polite_distance() -> None:
    familiar = re.compile(r"\b(du|dich|dir|dein\w*|euch|euer|eure\w*)\b", re.IGNORECASE)

    assert [template for _, _, template in every("de") if familiar.search(template)] == []
