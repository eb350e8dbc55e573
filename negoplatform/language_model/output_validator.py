"""Validation of a model's text: it may say what the agent intends, and nothing else."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources

from negoplatform.core.events import MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.language import DialogueAct, DialogueContext, parse
from negoplatform.language.generation import offer_in_words
from negoplatform.language_model.api_key_redaction import contains_secret
from negoplatform.language_model.deal_stance_detection import (
    AGREEING_SUBTYPES,
    REFUSING_SUBTYPES,
    Stance,
    detect_stance,
    load_stance_lexicon,
)

MAX_OUTPUT_LENGTH = 400
"""Maximum number of characters of a message."""

MAX_COPIED_WORDS = 6
"""Number of consecutive words that must not be copied from the prompt."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MARKUP = re.compile(r"[{}<>\[\]|\\`*#_=~]|https?:|www\.")
_SENTENCE_END = re.compile(r"(?<=[.!?…:;])\s+")

HARMLESS_SUBTYPES = frozenset(
    {
        MessageSubtype.GENERIC,
        MessageSubtype.GENERIC_POS,
        MessageSubtype.GREETING,
        MessageSubtype.THANKS,
        MessageSubtype.APOLOGY,
        MessageSubtype.CONFUSION,
        MessageSubtype.CLARIFICATION,
        MessageSubtype.CONFIRMATION,
        MessageSubtype.FAREWELL,
    }
)
"""Dialogue acts that may be added to the intended one: they leave the deal as it is."""

_QUESTION_SUBTYPES = frozenset({MessageSubtype.PREF_REQUEST, MessageSubtype.PREF_SPECIFIC_REQUEST})


@dataclass(frozen=True, slots=True)
class GuardPhrases:
    """Words of a language that need validation, from a data file.

    Args:
        script: The script of its letters, as in Unicode names.
        common: Words of which every sentence contains some.
        numbers: Number words.
        shares: Words for a share of something.
        idioms: Phrases in which such words have no such meaning.
        first_person: Pronouns of the speaker.
        never: Topics that must not be mentioned.
        commits: Phrases that commit the speaker.
        accepts: Phrases that accept an offer.
        gives: Phrases about a deal without an amount.
    """

    script: str
    common: frozenset[str]
    numbers: frozenset[str]
    shares: frozenset[str]
    idioms: tuple[str, ...]
    first_person: frozenset[str]
    never: tuple[str, ...]
    commits: tuple[str, ...]
    accepts: tuple[str, ...]
    gives: tuple[str, ...]


@cache
def load_guard_phrases(language: str) -> GuardPhrases:
    """Return the guard phrases of a language."""
    file = resources.files("negoplatform.language_model") / "data" / language / "guard.json"
    lists = json.loads(file.read_text(encoding="utf-8"))
    return GuardPhrases(
        script=lists["script"],
        common=frozenset(lists["common"]),
        numbers=frozenset(lists["numbers"]),
        shares=frozenset(lists["shares"]),
        idioms=tuple(lists["idioms"]),
        first_person=frozenset(lists["first_person"]),
        never=tuple(lists["never"]),
        commits=tuple(lists["commits"]),
        accepts=tuple(lists["accepts"]),
        gives=tuple(lists["gives"]),
    )


@dataclass(frozen=True, slots=True)
class IntendedMessage:
    """Message that the agent intends to send.

    Args:
        text: The agent's own words; empty if it has none.
        subtype: The subtype of the message.
        offer: The offer that it introduces; the empty offer if it introduces none.
    """

    text: str
    subtype: MessageSubtype = MessageSubtype.GENERIC
    offer: Offer = EMPTY_OFFER


class OutputValidator:
    """Validator of a model's text.

    A sentence with a number, value or share must be one of the agent's own, or be understood as nothing but
    the offer that follows.

    Args:
        game: The game; only its issues and seats are used.
        seat: The speaker's seat.
        language: The language.
        prompt: The instructions of the model, which must not be disclosed.
        secrets: Texts that must not be sent.
    """

    def __init__(
        self, game: GameSpec, seat: Seat, *, language: str, prompt: str, secrets: Iterable[str] = ()
    ) -> None:
        self._game = game
        self._seat = seat
        self._guard_phrases = load_guard_phrases(language)
        self._phrases = load_stance_lexicon(language)
        self._any_offer = _any_offer(game)
        self._prompt_ngrams = set(_word_ngrams(prompt, MAX_COPIED_WORDS))
        self._secrets = tuple(secrets)
        self._issues = tuple(
            word
            for issue in game.issues
            for name in (issue.name.replace("_", " "), issue.title, *issue.synonyms)
            for word in (name.casefold(), f"{name.casefold()}s")
        )
        self._values = tuple(
            value
            for issue in game.issues
            if isinstance(issue, CategoricalIssue)
            for value in _value_names(issue)
            if value not in self._guard_phrases.common
        )

    def find_violation(self, text: str, intended: IntendedMessage) -> str:
        """Return why a text must not be sent, in a sentence; empty if it may."""
        if not text.strip():
            return "It said nothing."
        if len(text) > MAX_OUTPUT_LENGTH:
            return f"It said more than {MAX_OUTPUT_LENGTH} characters."
        if any(not c.isprintable() for c in text) or (
            _MARKUP.search(text) and not _MARKUP.search(intended.text)
        ):
            return "It said something that is no plain sentence."
        if any(contains_secret(text, secret) for secret in self._secrets):
            return "It said a secret."
        if self._prompt_ngrams.intersection(_word_ngrams(text, MAX_COPIED_WORDS)):
            return "It repeated its instructions."
        known = _normalize(intended.text)
        for phrase in self._guard_phrases.never:
            if _contains_phrase(_normalize(text), phrase) and not _contains_phrase(known, phrase):
                return f"It spoke of what is not spoken of ({phrase})."
        accepting = intended.subtype == MessageSubtype.OFFER_ACCEPT
        for phrase in (*self._guard_phrases.commits, *(() if accepting else self._guard_phrases.accepts)):
            if _contains_phrase(_normalize(text), phrase) and not _contains_phrase(known, phrase):
                return f"It committed itself ({phrase})."
        own = {_strip_punctuation(sentence) for sentence in _sentences(intended.text)}
        new = [sentence for sentence in _sentences(text) if _strip_punctuation(sentence) not in own]
        violations = (self._sentence_violation(sentence, intended) for sentence in new)
        has_own_sentence = len(_sentences(text)) > len(new)
        return (
            next(filter(None, violations), "")
            or self._missing_stance(new, has_own_sentence, intended)
            or self._extra_act(text, intended)
        )

    def _sentence_violation(self, sentence: str, intended: IntendedMessage) -> str:
        """Return the violation of a sentence that is not the agent's own."""
        if not self._is_in_language(sentence):
            return "It spoke another language."
        numbers, shares = self._amounts(sentence)
        values = self._mentioned(sentence, (*self._values, *self._guard_phrases.gives))
        named = self._mentioned(sentence, self._issues)
        if not (numbers or shares or values or named):
            return self._stance_violation(sentence, intended)
        if (numbers or shares or values) and self._states_offer(sentence, numbers, intended.offer):
            vague = self._phrases.vague.intersection(_words(sentence))
            terms = [*numbers, *shares, *_words(" ".join(values + named))]
            return (
                "It was vague about the deal."
                if vague
                else self._stance_violation(sentence, intended, terms, offers=True)
            )
        if self._matches_intended_acts([*numbers, *shares, *values], sentence, intended):
            return self._stance_violation(sentence, intended, _words(" ".join([*shares, *values, *named])))
        parts = ", ".join([*numbers, *shares, *values]) or f"a wish of its own: {', '.join(named)}"
        return f"It said something of its own about the deal ({parts})."

    def _matches_intended_acts(self, amounts: list[str], sentence: str, intended: IntendedMessage) -> bool:
        """Return whether a sentence does the same with issues as the agent's own words, and nothing more.

        Needs, preferences and questions must be parsed alike in both.
        """
        if not set(amounts) <= set(self._mentioned(intended.text, amounts)):
            return False
        here = self._recipient_context()
        reading, own = parse(sentence, here), parse(intended.text, here)
        if reading.offers or reading.accepts or not set(reading.about) <= set(own.about):
            return False
        acts = {_act_key(act) for act in reading.acts if act.issue is not None}
        others = (
            {act.subtype for act in reading.acts if act.issue is None}
            - HARMLESS_SUBTYPES
            - _QUESTION_SUBTYPES
        )
        return bool(acts) and not others and acts <= {_act_key(act) for act in own.acts}

    def _stance_violation(
        self, sentence: str, intended: IntendedMessage, terms: Iterable[str] = (), *, offers: bool = False
    ) -> str:
        """Return the violation of a sentence with unknown words or a stance that the agent does not have."""
        phrases, subtype = self._phrases, intended.subtype
        lent = set(_words(intended.text)) - phrases.not_reusable
        also = {*phrases.words_by_subtype.get(subtype, ()), *lent, *terms, *(phrases.terms if offers else ())}
        harmless = {
            *(phrases.harmless.get(subtype, ()) if intended.text else ()),
            *(phrases.harmless_in_terms if offers else ()),
        }
        stance = detect_stance(_normalize(sentence), phrases, also, harmless)
        if stance.unknown:
            return f"It said more than the program can follow ({', '.join(dict.fromkeys(stance.unknown))})."
        if stance.agrees and subtype not in AGREEING_SUBTYPES:
            return f"It agreed to something ({', '.join(dict.fromkeys(stance.agrees))})."
        if (
            stance.refuses
            and subtype not in REFUSING_SUBTYPES
            and not self._intended_stance(intended).refuses
        ):
            return "It refused something."
        return ""

    def _missing_stance(self, new: list[str], has_own_sentence: bool, intended: IntendedMessage) -> str:
        """Return the violation of a text that omits the agent's agreement or refusal."""
        if has_own_sentence or intended.subtype not in {*AGREEING_SUBTYPES, MessageSubtype.OFFER_REJECT}:
            return ""
        stances = [detect_stance(_normalize(sentence), self._phrases) for sentence in new]
        if intended.subtype in AGREEING_SUBTYPES:
            return "" if any(stance.agrees for stance in stances) else "It did not agree."
        return "" if any(stance.refuses for stance in stances) else "It did not refuse."

    def _intended_stance(self, intended: IntendedMessage) -> Stance:
        return detect_stance(_normalize(intended.text), self._phrases)

    def _recipient_context(self) -> DialogueContext:
        """Return a context in which another seat's offer is on the table, so that a yes accepts."""
        other = next(seat for seat in self._game.seats if seat != self._seat)
        return DialogueContext(self._game, self._seat, self._any_offer, other)

    def _amounts(self, sentence: str) -> tuple[list[str], list[str]]:
        """Return the numbers of a sentence, and its words for shares."""
        plain = _normalize(sentence)
        for idiom in self._guard_phrases.idioms:
            plain = re.sub(rf"(?<!\w){re.escape(idiom)}(?!\w)", " ", plain)
        words = _words(plain)
        in_words = [word for word in words if word in self._guard_phrases.numbers]
        shares = [word for word in words if word in self._guard_phrases.shares]
        digits = [word for word in words if any(c.isdigit() or c.isnumeric() for c in word)]
        return [*digits, *in_words], shares

    def _states_offer(self, sentence: str, numbers: list[str], offer: Offer) -> bool:
        """Return whether a sentence is parsed as the offer, or a part of it, and has no other number."""
        if offer == EMPTY_OFFER:
            return False
        in_words = " ".join(offer_in_words(offer, self._game, seat) for seat in self._game.seats)
        allowed = {*_numerals(in_words), *(word for word in numbers if word in self._guard_phrases.numbers)}
        if not allowed.issuperset(_numerals(sentence)):
            return False
        reading = parse(sentence, DialogueContext(self._game, self._seat))
        return (
            reading.offer is not None
            and not reading.conditional
            and set(reading.about) <= {name for name, _ in reading.offer.terms}
            and all(offer.get(name) == term for name, term in reading.offer.terms)
        )

    def _extra_act(self, text: str, intended: IntendedMessage) -> str:
        """Return the violation of a text that is parsed as more acts than intended."""
        here = self._recipient_context()
        reading, own = parse(text, here), parse(intended.text, here)
        may = {intended.subtype, *(act.subtype for act in own.acts)}
        if intended.subtype in REFUSING_SUBTYPES or self._intended_stance(intended).refuses:
            may |= REFUSING_SUBTYPES | {MessageSubtype.GENERIC_NEG}
        if intended.offer != EMPTY_OFFER:
            may.add(MessageSubtype.OFFER_PROPOSE)
        if reading.accepts and not own.accepts and intended.subtype != MessageSubtype.OFFER_ACCEPT:
            return "It accepted."
        beyond = [act.subtype for act in reading.acts if _is_substantive(act) and act.subtype not in may]
        return f"It did something of its own ({beyond[0]})." if beyond else ""

    def _is_in_language(self, sentence: str) -> bool:
        letters = [c for c in sentence if c.isalpha()]
        if any(not unicodedata.name(c, "").startswith(self._guard_phrases.script) for c in letters):
            return False
        words = _words(sentence)
        phrases = self._phrases
        some = (
            self._guard_phrases.common,
            self._guard_phrases.first_person,
            phrases.words,
            phrases.weighty,
            phrases.terms,
        )
        known = sum(
            any(word in words for words in (*some, self._guard_phrases.numbers, self._issues))
            or word.isdecimal()
            for word in words
        )
        return bool(words) and known * 2 >= len(words)

    def _mentioned(self, sentence: str, names: Iterable[str]) -> list[str]:
        plain = _normalize(sentence)
        return list(dict.fromkeys(name for name in names if _contains_phrase(plain, name)))


def _is_substantive(act: DialogueAct) -> bool:
    """Return whether an act is more than a courtesy; a wish without an issue ("I hope we agree") is not."""
    if act.subtype == MessageSubtype.PREF_INFO:
        return act.issue is not None or act.preference is not None
    return act.subtype not in HARMLESS_SUBTYPES


def _act_key(act: DialogueAct) -> tuple[object, ...]:
    """Return a key of an act regardless of its confidence; all questions about an issue are alike."""
    return "asks" if act.subtype in _QUESTION_SUBTYPES else act.subtype, act.issue, act.need, act.preference


def _any_offer(game: GameSpec) -> Offer:
    """Return an offer that could be on the table."""
    return Offer({issue.name: next(iter(issue.terms(game.seats))) for issue in game.issues})


def _value_names(issue: CategoricalIssue) -> list[str]:
    others = [word for _, words in issue.value_synonyms for word in words]
    return [name.casefold() for name in (*issue.values, *others)]


def _normalize(text: str) -> str:
    """Return a text for comparison: lower case, one kind of apostrophe, one kind of space."""
    return " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").casefold().split())


def _contains_phrase(plain: str, phrase: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", plain) is not None


def _words(text: str) -> list[str]:
    return _WORD.findall(_normalize(text))


def _numerals(text: str) -> set[str]:
    return set(_NUMBER.findall(_normalize(text)))


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in _SENTENCE_END.split(text.strip()) if _words(sentence)]


def _strip_punctuation(sentence: str) -> str:
    """Return the words and figures of a sentence; punctuation between digits is kept."""
    return _normalize(sentence).strip(" .!?…:;,-–—\"'")


def _word_ngrams(text: str, length: int) -> list[tuple[str, ...]]:
    words = _words(text)
    return [tuple(words[i : i + length]) for i in range(len(words) - length + 1)]
