"""Stance of a sentence: whether it agrees or refuses, decided only if every word is known.

A list of forbidden words is never complete. The rule is therefore the reverse: a sentence may consist of
words that say nothing about a deal, and of *weighty* words, which do, if they are plainly rejected, asked
about or sought. A sentence with any other word is not sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from negoplatform.core.events import MessageSubtype

NEGATION_SCOPE = 6
"""Maximum distance of a word that a "not" may negate, in words."""

_SPLIT = re.compile(r"[,;:.!?…()–—\"]+|\s-+\s")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|_")
_PLACEHOLDER = " _ "
"""Replacement of a phrase that says nothing about a deal."""

AGREEING_SUBTYPES = frozenset({MessageSubtype.OFFER_ACCEPT, MessageSubtype.FAVOR_ACCEPT})
REFUSING_SUBTYPES = frozenset(
    {MessageSubtype.OFFER_REJECT, MessageSubtype.OFFER_REQUEST_NEG, MessageSubtype.FAVOR_REJECT}
)


@dataclass(frozen=True, slots=True)
class StanceLexicon:
    """Words of a language by their function, from a data file.

    Args:
        words: Words that any sentence may contain.
        words_by_subtype: Further words that a sentence may contain, by its subtype.
        idioms: Phrases whose single words do not count.
        weighty: Phrases that agree, give or approve, unless they are rejected, asked about or sought.
        harmless: Weighty phrases that are harmless, by subtype.
        harmless_in_terms: Weighty phrases that are harmless in a sentence with the terms of an offer.
        subjects: Phrases that assert something of a deal, unless the clause rejects, asks about or seeks it.
        auxiliaries: Words that agree at the end of a clause ("I will").
        trailing: Words that may follow them ("I will then").
        negators: Words that reject the weighty phrase behind them.
        reversing: Words that may agree together with a negator ("I could not want more").
        refusals: Phrases that refuse on their own and reject what follows in the clause.
        bare_refusals: Words that refuse as a clause of their own.
        search_phrases: Phrases after which weighty words refer to something yet to be found.
        question_openers: Phrases that open a question.
        clause_openers: Words that open a clause.
        terms: Further words that a sentence with the terms of an offer may contain.
        vague: Words that such a sentence must not contain: indefinite quantities.
        not_reusable: Words that are not borrowed from the agent's own text: they give, take or promise.
    """

    words: frozenset[str]
    words_by_subtype: dict[str, list[str]]
    idioms: tuple[str, ...]
    weighty: tuple[str, ...]
    harmless: dict[str, list[str]]
    harmless_in_terms: tuple[str, ...]
    subjects: tuple[str, ...]
    auxiliaries: frozenset[str]
    trailing: frozenset[str]
    negators: frozenset[str]
    reversing: frozenset[str]
    refusals: tuple[str, ...]
    bare_refusals: frozenset[str]
    search_phrases: tuple[str, ...]
    question_openers: tuple[str, ...]
    clause_openers: frozenset[str]
    terms: frozenset[str]
    vague: frozenset[str]
    not_reusable: frozenset[str]


@cache
def load_stance_lexicon(language: str) -> StanceLexicon:
    """Return the phrases of a language."""
    file = resources.files("negoplatform.language_model") / "data" / language / "stance.json"
    lists = json.loads(file.read_text(encoding="utf-8"))

    def longest_first(name: str) -> tuple[str, ...]:
        # Not by a set: its order differs between processes, and reasons are recorded.
        return tuple(sorted(dict.fromkeys(lists[name]), key=len, reverse=True))

    def any_order(name: str) -> frozenset[str]:
        return frozenset(lists[name])

    return StanceLexicon(
        words=any_order("words"),
        words_by_subtype=lists["of"],
        idioms=longest_first("idioms"),
        weighty=longest_first("weighty"),
        harmless=lists["harmless"],
        harmless_in_terms=longest_first("harmless_in_terms"),
        subjects=longest_first("subjects"),
        auxiliaries=any_order("auxiliaries"),
        trailing=any_order("trailing"),
        negators=any_order("negators"),
        reversing=any_order("turns"),
        refusals=longest_first("refusals"),
        bare_refusals=any_order("no"),
        search_phrases=longest_first("seeks"),
        question_openers=longest_first("asks"),
        clause_openers=any_order("splits"),
        terms=any_order("terms"),
        vague=any_order("vague"),
        not_reusable=any_order("lends_not"),
    )


@dataclass(slots=True)
class Stance:
    """Stance of a sentence on a deal.

    Args:
        agrees: The words that agree, give or approve.
        refuses: Whether it refuses something.
        unknown: Unknown words, and a negator whose scope is unclear.
    """

    agrees: list[str] = field(default_factory=list)
    refuses: bool = False
    unknown: list[str] = field(default_factory=list)


def detect_stance(
    sentence: str, phrases: StanceLexicon, also: Collection[str] = (), harmless: Collection[str] = ()
) -> Stance:
    """Return the stance of a sentence.

    Args:
        sentence: The sentence in lower case, with plain apostrophes and blanks.
        phrases: The lexicon of the language.
        also: Further words that it may contain.
        harmless: Phrases that are not weighty here.
    """
    asked = sentence.rstrip(" \"')").endswith("?")
    bare = _mask_idioms(sentence, phrases.idioms)
    weighty = [phrase for phrase in phrases.weighty if phrase not in harmless]
    subjects = [phrase for phrase in phrases.subjects if phrase not in harmless]
    known = {*phrases.words, *also, "_", *(word for phrase in harmless for word in phrase.split())}
    # Weighty words are judged, so they need not be known.
    known |= {phrase for phrase in weighty if " " not in phrase}
    stance = Stance()
    for words in _clauses(bare, phrases.clause_openers):
        if len(words) == 1 and words[0] in phrases.bare_refusals:
            stance.refuses = True
            continue
        refusal = _first_match(" ".join(words), phrases.refusals)
        stance.unknown += [word for word in words if word not in known and word not in refusal.words]
        _add_clause_stance(_StanceClause(words, refusal), asked, phrases, (weighty, subjects), stance)
    return stance


@dataclass(frozen=True, slots=True)
class _PhraseMatch:
    """Phrase and the index of its first word; a very large index if there is no match."""

    at: int = 10_000
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _StanceClause:
    words: list[str]
    refusal: _PhraseMatch

    def all_places(self, phrases: Iterable[str]) -> Iterator[tuple[str, int]]:
        """Yield each phrase with the index of its first word."""
        for phrase in phrases:
            parts = phrase.split()
            for i in range(len(self.words) - len(parts) + 1):
                if self.words[i : i + len(parts)] == parts:
                    yield phrase, i


def _add_clause_stance(
    clause: _StanceClause,
    asked: bool,
    phrases: StanceLexicon,
    counting: tuple[list[str], list[str]],
    stance: Stance,
) -> None:
    """Add the stance of a clause; ``counting`` are the weighty phrases and the subjects."""
    weighty, subjects = counting
    words, refused = clause.words, clause.refusal.at
    text = " ".join(words)
    sought = _first_match(text, phrases.search_phrases).at
    open_ = words[0] == "if" or (
        asked and any(f"{text} ".startswith(f"{ask} ") for ask in phrases.question_openers)
    )
    nots = [i for i, word in enumerate(words) if word in phrases.negators]
    turned_down = False
    for phrase, at in clause.all_places(weighty):
        # "Is that not good?" negates nothing.
        denied = len(nots) == 1 and 0 < at - nots[0] <= NEGATION_SCOPE and not (asked and nots[0] == 0)
        turned_down |= denied
        if not (denied or open_ or refused <= at or sought <= at):
            stance.agrees.append(phrase)
    refuses = bool(clause.refusal.words)
    if not (open_ or turned_down or refuses):
        claims = ((claim, at, at + len(claim.split())) for claim, at in clause.all_places(subjects))
        stance.agrees += [claim for claim, at, end in claims if sought > at and words[end : end + 1] != ["_"]]
    last = next((word for word in reversed(words) if word not in phrases.trailing), "")
    if last in phrases.auxiliaries and not (open_ or refuses):
        stance.agrees.append(last)
    stance.refuses |= refuses or (bool(nots) and not open_)
    if refuses:
        turned_round = len(nots) > len(phrases.negators.intersection(clause.refusal.words))
    else:
        turned_round = bool(nots) and (not turned_down or not phrases.reversing.isdisjoint(words))
    if turned_round:
        stance.unknown.append(words[nots[0]])


def _clauses(text: str, splits: Collection[str]) -> list[list[str]]:
    clauses = []
    for part in _SPLIT.split(text):
        words: list[str] = []
        for word in _WORD.findall(part):
            if word in splits and words:
                clauses.append(words)
                words = []
            words.append(word)
        clauses.append(words)
    return [clause for clause in (_strip_conjunctions(words, splits) for words in clauses) if clause]


def _strip_conjunctions(words: list[str], splits: Collection[str]) -> list[str]:
    """Return a clause without its conjunctions; "if" is kept."""
    while words and words[0] in splits and words[0] != "if":
        words = words[1:]
    return words


def _mask_idioms(text: str, idioms: Iterable[str]) -> str:
    for idiom in idioms:
        if idiom in text:
            text = " ".join(re.sub(rf"(?<![\w']){re.escape(idiom)}(?![\w'])", _PLACEHOLDER, text).split())
    return text


def _first_match(text: str, phrases: Iterable[str]) -> _PhraseMatch:
    found = ((re.search(rf"(?<!\S){re.escape(phrase)}(?!\S)", text), phrase) for phrase in phrases)
    places = (
        _PhraseMatch(text[: match.start()].count(" "), tuple(phrase.split()))
        for match, phrase in found
        if match
    )
    return min(places, key=lambda place: (place.at, -len(place.words)), default=_PhraseMatch())
