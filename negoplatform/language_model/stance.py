"""Whether words agree to something or refuse it, told only of sentences whose every word is known.

A list of what must not be said is never complete. So it is the other way round: a sentence may consist of
words that say nothing about a deal, and of *weighty* ones, which do, where they are plainly turned down,
asked about or sought. What has any other word in it is not said.
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
"""Words after a "not" that it may still be about."""

_SPLIT = re.compile(r"[,;:.!?…()–—\"]+|\s-+\s")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|_")
_PLACEHOLDER = " _ "
"""What stands for a phrase that says nothing about a deal."""

AGREEING_SUBTYPES = frozenset({MessageSubtype.OFFER_ACCEPT, MessageSubtype.FAVOR_ACCEPT})
REFUSING_SUBTYPES = frozenset(
    {MessageSubtype.OFFER_REJECT, MessageSubtype.OFFER_REQUEST_NEG, MessageSubtype.FAVOR_REJECT}
)


@dataclass(frozen=True, slots=True)
class StanceLexicon:
    """A language's words by what they do; a data file has the lists.

    Args:
        words: What any sentence may have.
        words_by_subtype: What a sentence may have besides, by what it does.
        idioms: Phrases in which no word counts by itself.
        weighty: What agrees, gives or likes, unless it is turned down, asked about or sought.
        harmless: Weighty words that are not, by what is done with them.
        harmless_in_terms: Weighty words that are not where a sentence has the terms of an offer.
        subjects: What claims something of a deal, unless the clause turns it down, asks or seeks.
        auxiliaries: Words that agree where a clause ends in them ("I will").
        trailing: What may follow them ("I will then").
        negators: What turns down the weighty word that follows.
        reversing: With a negator these may agree after all ("I could not want more").
        refusals: What refuses by itself, and turns down what follows in the clause.
        bare_refusals: What refuses as a clause of its own.
        search_phrases: After these, weighty words speak of something that is not there yet.
        question_openers: What a question begins with.
        clause_openers: What a new clause begins with.
        terms: What a sentence with the terms of an offer may have besides.
        vague: What such a sentence may not have: how much of something, and not how many.
        not_reusable: What is not borrowed from the agent's own words: it gives, takes or promises.
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
    """The phrases of a language."""
    file = resources.files("negoplatform.language_model") / "data" / language / "stance.json"
    lists = json.loads(file.read_text(encoding="utf-8"))

    def longest_first(name: str) -> tuple[str, ...]:
        return tuple(sorted(set(lists[name]), key=len, reverse=True))

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
    """What a sentence says of a deal.

    Args:
        agrees: The words that agree, give or like something.
        refuses: Whether it refuses something.
        unknown: Words that are not known, and a refusal that may be none.
    """

    agrees: list[str] = field(default_factory=list)
    refuses: bool = False
    unknown: list[str] = field(default_factory=list)


def detect_stance(
    sentence: str, phrases: StanceLexicon, also: Collection[str] = (), harmless: Collection[str] = ()
) -> Stance:
    """Where a sentence stands.

    Args:
        sentence: In lower case, with plain apostrophes and blanks.
        phrases: The language's.
        also: Words that it may have besides those that any sentence may have.
        harmless: Words that are not weighty here.
    """
    asked = sentence.rstrip(" \"')").endswith("?")
    bare = _mask_idioms(sentence, phrases.idioms)
    weighty = [phrase for phrase in phrases.weighty if phrase not in harmless]
    subjects = [phrase for phrase in phrases.subjects if phrase not in harmless]
    known = {*phrases.words, *also, "_", *(word for phrase in harmless for word in phrase.split())}
    # What is weighty is judged, and so need not be known.
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
    """A phrase and the place of its first word; far behind everything where there is none."""

    at: int = 10_000
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _StanceClause:
    words: list[str]
    refusal: _PhraseMatch

    def all_places(self, phrases: Iterable[str]) -> Iterator[tuple[str, int]]:
        """Each phrase and where it begins, counted in words."""
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
    """Adds to a stance what a clause says; ``counting`` are the weighty phrases and the subjects."""
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
        # "Is that not good?" denies nothing.
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
    """A clause without the words that only join it to another; "if" stays."""
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
