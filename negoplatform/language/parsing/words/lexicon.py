"""Lexicon of a game: finds mentions of issues and values, and numbers, among the tokens of a text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TypeVar

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.language.parsing.words.language_vocabulary import (
    Phrase,
    Vocabulary,
    known_words,
    load_parsing_data,
    vocabulary_for,
)
from negoplatform.language.parsing.words.tokenizer import Token, tokenize

MentionT = TypeVar("MentionT", "Mention", "NumberMention")

_MIN_MISSPELT_LENGTH = 5
"""Minimum length of a word of the game that is recognised despite one wrong letter."""
_MIN_PREFIX_LENGTH = 3
"""Minimum length of an abbreviated word of the game: "mics" for "microphones"."""
_MIN_LETTERS_CUT = 3
"""Minimum number of letters that an abbreviation leaves out."""


@dataclass(frozen=True, slots=True, order=True)
class Referent:
    """Referent of a word of the game.

    Args:
        issue: The name of the issue.
        value: The value of a categorical issue; empty if the word names the issue itself.
    """

    issue: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """Range of tokens that names an issue or a value.

    Args:
        start: The index of its first token.
        end: The index behind its last token.
        referents: Its possible referents in the order of the game's issues; several where issues share a
            word ("No agreement" of the car or of the pension).
        is_partial: Whether it is only a part or a form of a name: "rooms" for "Dressing rooms".
    """

    start: int
    end: int
    referents: tuple[Referent, ...]
    is_partial: bool = False

    @property
    def issue(self) -> str | None:
        """The issue that it names or whose value it is; None if there are several."""
        issues = {meaning.issue for meaning in self.referents}
        return issues.pop() if len(issues) == 1 else None


@dataclass(frozen=True, slots=True)
class NumberMention:
    """Range of tokens that is a number.

    Args:
        start: The index of its first token, including a currency sign before the digits.
        end: The index behind its last token, including a currency or percent sign behind the digits.
        value: The number; 90,000 for "90k", 20 for "20 %", -5 for "minus 5".
        percent: Whether it is a percentage.
        money: Whether it is an amount of money.
        digits: Whether it was written in digits.
    """

    start: int
    end: int
    value: int | float
    percent: bool = False
    money: bool = False
    digits: bool = True


class Lexicon:
    """Words of a game's issues and values, and number words of a language.

    Get one by ``lexicon_of``, which caches it.

    Args:
        issues: The game's issues.
        language: The language of the words.
        seats: The names of the seats in a game of more than two; with two they are ordinary words.
    """

    def __init__(self, issues: tuple[Issue, ...], language: str, seats: tuple[str, ...] = ()) -> None:
        self.vocabulary: Vocabulary = vocabulary_for(language, chain.from_iterable(map(_issue_texts, issues)))
        self.language = language
        self.issues = issues
        self._seats = tuple(_normalized_phrase(seat.replace("_", " "), self.vocabulary) for seat in seats)
        self._known = known_words(language)
        self._game_phrases: dict[str, list[tuple[Phrase, tuple[Referent, ...]]]] = {}
        self._corrections: dict[str, str] = {}
        synonyms = load_parsing_data(language, "synonyms")
        named = _referents_by_phrase(issues, self.vocabulary, synonyms["named"])
        counted = _referents_by_phrase(issues, self.vocabulary, synonyms["counted"])
        self._needs_number = frozenset(counted.keys() - named.keys())
        standalone = _standalone_values(issues, self.vocabulary)
        self._standalone = frozenset(standalone.keys() - named.keys()) | _embedding_names(
            issues, named, self.vocabulary
        )
        named = {**counted, **standalone, **named}
        loose = {
            phrase: meanings
            for phrase, meanings in _partial_names(issues, self.vocabulary).items()
            if phrase not in named and phrase[0] not in self._known
        }
        self._partial_phrases = frozenset(loose)
        named |= loose
        for phrase, meanings in sorted(named.items(), key=lambda pair: (-len(pair[0]), pair[0])):
            self._game_phrases.setdefault(phrase[0], []).append((phrase, tuple(meanings)))
        words = sorted({word for phrase in named for word in phrase if word.isalpha()})
        for word in words:
            for wrong in _misspellings(word):
                self._corrections.setdefault(wrong, word)
        self._prefixes = _unique_prefixes(words)

    def tokenize(self, text: str) -> tuple[Token, ...]:
        """Return the tokens of a text, with words of the game corrected if one letter is wrong."""
        return _tokenize(self, text)

    def tokenize_uncached(self, text: str) -> tuple[Token, ...]:
        """Return the same without the cache of ``tokenize``."""
        return tuple(self._correct_spelling(token) for token in tokenize(text, self.vocabulary.spellings))

    def is_known_word(self, word: str) -> bool:
        """Return whether a word belongs to the language: a common word, or one with a function."""
        return word in self._known

    def is_game_word(self, word: str) -> bool:
        """Return whether a name of the game begins with a word."""
        return word in self._game_phrases

    def mentions(self, tokens: Sequence[Token]) -> tuple[Mention, ...]:
        """Return the mentions of issues and values in order, without overlaps, the longest first."""
        return _mentions(self, tuple(tokens))

    def numbers(self, tokens: Sequence[Token]) -> tuple[NumberMention, ...]:
        """Return the numbers in order, without overlaps: "2", "twenty five", "90k", "$90,000", "10 %"."""
        return _numbers(self, tuple(tokens))

    def mention_at(self, tokens: Sequence[Token], i: int) -> Mention | None:
        """Return the mention that begins at a token; None if there is none."""
        for phrase, meanings in self._game_phrases.get(tokens[i].norm, ()):
            end = i + len(phrase)
            if phrase in self._needs_number and not self._is_number(tokens, i - 1):
                continue
            if phrase in self._standalone and not self._is_list_item(tokens, i, end):
                continue
            if end <= len(tokens) and all(tokens[i + k].norm == word for k, word in enumerate(phrase)):
                return Mention(i, end, meanings, phrase in self._partial_phrases)
        return None

    def seats(self, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
        """Yield the token ranges that name seats in a game of more than two."""
        norms = tuple(token.norm for token in tokens) if self._seats else ()
        for i in range(len(norms)):
            for seat in self._seats:
                if norms[i : i + len(seat)] == seat:
                    yield i, i + len(seat)

    def _is_number(self, tokens: Sequence[Token], i: int) -> bool:
        """Return whether a token is a number: "2 fire" is firewood, "the fire" is not."""
        return i >= 0 and (tokens[i].number is not None or tokens[i].norm in self.vocabulary.numbers)

    def _is_list_item(self, tokens: Sequence[Token], start: int, end: int) -> bool:
        """Return whether tokens are an item of a list, or the whole sentence."""
        before, after = tokens[max(0, start - 1) : start], tokens[end : end + 1]
        return all(
            not (token.is_word or token.number is not None)
            or _is_tagged((token.norm,), self.vocabulary, "AND")
            for token in (*before, *after)
        )

    def _correct_spelling(self, token: Token) -> Token:
        word = token.norm
        if not token.is_word or len(word) < _MIN_MISSPELT_LENGTH - 1 or word in self._game_phrases:
            return token
        if word in self._known or self.vocabulary.has(word, "never_misspelt"):
            return token
        owned = word.removesuffix("'s")
        if owned in self._game_phrases:
            return Token(token.text, owned, token.start, token.end)
        keys = (word, *single_deletions(word))
        right = next((self._corrections[key] for key in keys if key in self._corrections), None)
        if right is None or not is_one_edit_apart(word, right):
            right = self._prefixes.get(word)
        if right is None or right == word:
            return token
        return Token(token.text, right, token.start, token.end)

    def number_at(self, tokens: Sequence[Token], i: int) -> NumberMention | None:
        """Return the number that begins at a token; None if there is none."""
        start, minus = i, self.vocabulary.has(tokens[i].norm, "minus")
        i += minus
        money = i < len(tokens) and self.vocabulary.has(tokens[i].norm, "money")
        i += money
        if i >= len(tokens):
            return None
        value: int | float | None = tokens[i].number
        digits = value is not None
        if digits:
            i += 1
            if (
                i < len(tokens)
                and _is_adjacent(tokens, i)
                and self.vocabulary.has(tokens[i].norm, "ordinal_endings")
            ):
                return None
        else:
            value, i = self._number_words(tokens, i)
        if value is None:
            return None
        value, i = self._apply_multipliers(tokens, i, value)
        percent = i < len(tokens) and self.vocabulary.has(tokens[i].norm, "percent")
        after = i < len(tokens) and self.vocabulary.has(tokens[i].norm, "money")
        value = -abs(value) if minus else value
        return NumberMention(start, i + (percent or after), value, percent, money or after, digits)

    def _number_words(self, tokens: Sequence[Token], i: int) -> tuple[int | None, int]:
        """Return the value of number words such as "twenty five", and the index behind them."""
        first = self.vocabulary.numbers.get(tokens[i].norm)
        if first is None:
            return None, i
        i += 1
        k = i + (i < len(tokens) and tokens[i].norm == "-")
        if first >= 20 and first % 10 == 0 and k < len(tokens):
            ones = self.vocabulary.numbers.get(tokens[k].norm, 0)
            if 0 < ones < 10:
                return first + ones, k + 1
        return first, i

    def _apply_multipliers(
        self, tokens: Sequence[Token], i: int, value: int | float
    ) -> tuple[int | float, int]:
        while i < len(tokens) and tokens[i].norm in self.vocabulary.multipliers and abs(value) < 10**9:
            value *= self.vocabulary.multipliers[tokens[i].norm]
            i += 1
        return value, i


def _scan(
    tokens: Sequence[Token], at: Callable[[Sequence[Token], int], MentionT | None]
) -> tuple[MentionT, ...]:
    """Return all mentions from left to right, without overlaps."""
    found: list[MentionT] = []
    i = 0
    while i < len(tokens):
        one = at(tokens, i)
        if one is not None:
            found.append(one)
        i = one.end if one is not None else i + 1
    return tuple(found)


# Several modules tokenize a text, and it is tokenized again as history of the next ones.
@lru_cache(maxsize=512)
def _tokenize(lexicon: Lexicon, text: str) -> tuple[Token, ...]:
    return lexicon.tokenize_uncached(text)


@lru_cache(maxsize=64)
def _mentions(lexicon: Lexicon, tokens: tuple[Token, ...]) -> tuple[Mention, ...]:
    return _scan(tokens, lexicon.mention_at)


@lru_cache(maxsize=64)
def _numbers(lexicon: Lexicon, tokens: tuple[Token, ...]) -> tuple[NumberMention, ...]:
    return _scan(tokens, lexicon.number_at)


def lexicon_of(game: GameSpec, language: str) -> Lexicon:
    """Return the lexicon of a game; it is created once.

    Raises:
        NegoError: If the language does not exist.
    """
    return _lexicon(game.issues, language, game.seats if len(game.seats) > 2 else ())


@lru_cache(maxsize=32)
def _lexicon(issues: tuple[Issue, ...], language: str, seats: tuple[str, ...]) -> Lexicon:
    return Lexicon(issues, language, seats)


def _issue_texts(issue: Issue) -> Iterator[str]:
    """Yield the names of an issue and of its values, without what is said of them."""
    yield from (issue.name, issue.title, *issue.synonyms)
    if isinstance(issue, CategoricalIssue):
        yield from issue.values
        yield from (word for _, words in issue.value_synonyms for word in words)


def _referents_by_phrase(
    issues: Iterable[Issue], vocabulary: Vocabulary, synonyms: Mapping[str, Sequence[str]]
) -> dict[Phrase, list[Referent]]:
    """Return the referents of every phrase that names something in the game."""
    found: dict[Phrase, list[Referent]] = {}
    owned = {
        issue.name: {_normalized_phrase(issue.name, vocabulary), _normalized_phrase(issue.title, vocabulary)}
        for issue in issues
    }
    taken = set().union(*owned.values())
    for issue in issues:
        for phrase, meaning in _issue_phrases(issue, vocabulary, synonyms):
            own = phrase in owned[issue.name]
            # A name from the game file is never a synonym of another issue.
            if phrase and (own or meaning.value or phrase not in taken):
                meanings = found.setdefault(phrase, [])
                if meaning not in meanings:
                    meanings.append(meaning)
    return found


def _issue_phrases(
    issue: Issue, vocabulary: Vocabulary, synonyms: Mapping[str, Sequence[str]]
) -> Iterator[tuple[Phrase, Referent]]:
    names = [issue.name.replace("_", " "), issue.title]
    more = [word for name in names for word in synonyms.get(name.lower(), ())]
    for name in (*names, *issue.synonyms, *more):
        phrase = _normalized_phrase(name, vocabulary)
        yield phrase, Referent(issue.name)
        if phrase and isinstance(issue, QuantityIssue):
            for other in _other_number_forms(phrase[-1]):
                yield (*phrase[:-1], other), Referent(issue.name)
    if isinstance(issue, CategoricalIssue):
        for value in issue.values:
            yield _normalized_phrase(value, vocabulary), Referent(issue.name, value)
        for value, words in issue.value_synonyms:
            for word in words:
                yield _normalized_phrase(word, vocabulary), Referent(issue.name, value)
    yield from _spoken_phrases(issue, vocabulary)


def _spoken_phrases(issue: Issue, vocabulary: Vocabulary) -> Iterator[tuple[Phrase, Referent]]:
    """Yield the phrases with which an issue's terms are said inside a sentence, without their articles."""
    match issue:
        case CategoricalIssue(values=values, spoken=spoken):
            names = _issue_names(issue, vocabulary)
            for value, said in zip(values, spoken, strict=False):
                phrase = _without_article(_normalized_phrase(said, vocabulary), vocabulary)
                if phrase not in names:
                    yield phrase, Referent(issue.name, value)
        case QuantityIssue(spoken=spoken):
            for said in spoken:
                yield _without_article(_normalized_phrase(said, vocabulary), vocabulary), Referent(issue.name)
        case NumberIssue(spoken=said):
            before = _without_article(
                _normalized_phrase(said.partition("{value}")[0], vocabulary), vocabulary
            )
            while before and _is_tagged(before[-1:], vocabulary, "OF"):
                before = before[:-1]
            yield before, Referent(issue.name)


def _standalone_values(issues: Iterable[Issue], vocabulary: Vocabulary) -> dict[Phrase, list[Referent]]:
    """Return the spoken values that begin with an article, such as "a leased car".

    With their article they are names only as items of a list: in "without a leased car" the issue is meant.
    """
    found: dict[Phrase, list[Referent]] = {}
    for issue in issues:
        if isinstance(issue, CategoricalIssue):
            for value, said in zip(issue.values, issue.spoken, strict=False):
                phrase = _normalized_phrase(said, vocabulary)
                if _without_article(phrase, vocabulary) != phrase:
                    found.setdefault(phrase, []).append(Referent(issue.name, value))
    return found


def _embedding_names(
    issues: Iterable[Issue], named: Mapping[Phrase, Sequence[Referent]], vocabulary: Vocabulary
) -> frozenset[Phrase]:
    """Return the synonyms of values that add two words or more to another name: "picking on Sunday".

    They are names only as items of a list; elsewhere, as in "without picking on Sunday", the shorter name is.
    """
    found: set[Phrase] = set()
    for issue in issues:
        for value, words in issue.value_synonyms if isinstance(issue, CategoricalIssue) else ():
            others = [phrase for phrase, meanings in named.items() if Referent(issue.name, value) in meanings]
            longer = [_normalized_phrase(word, vocabulary) for word in words]
            found |= {p for p in longer if any(len(q) + 1 < len(p) and _contains(p, q) for q in others)}
    return frozenset(found)


def _contains(longer: Phrase, shorter: Phrase) -> bool:
    starts = range(len(longer) - len(shorter) + 1)
    return any(longer[i : i + len(shorter)] == shorter for i in starts)


def _issue_names(issue: Issue, vocabulary: Vocabulary) -> set[Phrase]:
    names = (issue.name.replace("_", " "), issue.title, *issue.synonyms)
    return {_normalized_phrase(name, vocabulary) for name in names}


def _without_article(phrase: Phrase, vocabulary: Vocabulary) -> Phrase:
    return phrase[1:] if len(phrase) > 1 and _is_tagged(phrase[:1], vocabulary, "A", "DET") else phrase


def _is_tagged(phrase: Phrase, vocabulary: Vocabulary, *tags: str) -> bool:
    return any(found == phrase and tag in tags for found, tag in vocabulary.phrases_from(phrase[0]))


def _partial_names(issues: Iterable[Issue], vocabulary: Vocabulary) -> dict[Phrase, list[Referent]]:
    """Return the single words of longer names that only one name contains: "rooms" of "Dressing rooms"."""
    found: dict[Phrase, list[Referent]] = {}
    for issue in issues:
        names = {_normalized_phrase(name, vocabulary): "" for name in (issue.title, *issue.synonyms)}
        if isinstance(issue, CategoricalIssue):
            names |= {_normalized_phrase(value, vocabulary): value for value in issue.values}
        for phrase, value in names.items():
            words = [word for word in phrase if word.isalpha() and len(word) > _MIN_PREFIX_LENGTH]
            if len(phrase) > 1:
                for word in words:
                    for form in (word, *_other_number_forms(word)):
                        found.setdefault((form,), []).append(Referent(issue.name, value))
    return {phrase: meanings for phrase, meanings in found.items() if len(set(meanings)) == 1}


def _unique_prefixes(words: Iterable[str]) -> dict[str, str]:
    """Return the words of the game by their unambiguous prefixes; an "s" may follow."""
    found: dict[str, set[str]] = {}
    for word in words:
        for end in range(_MIN_PREFIX_LENGTH, len(word) - _MIN_LETTERS_CUT + 1):
            for cut in (word[:end], f"{word[:end]}s"):
                found.setdefault(cut, set()).add(word)
    plain = {cut: min(some, key=len) for cut, some in found.items() if len({w[:-1] for w in some}) <= 2}
    return {cut: word for cut, word in plain.items() if len({w.rstrip("s") for w in found[cut]}) == 1}


@lru_cache(maxsize=4096)
def _normalized_phrase(name: str, vocabulary: Vocabulary) -> Phrase:
    return tuple(token.norm for token in tokenize(name, vocabulary.spellings))


def _other_number_forms(word: str) -> tuple[str, ...]:
    """Return the singular of a plural and the plurals of a singular, by the usual endings."""
    if word.endswith("s") and len(word) > 3:
        return (word[:-1],)
    return (f"{word}s", f"{word}es") if word.endswith(("x", "ch", "sh")) else (f"{word}s",)


def _misspellings(word: str) -> Iterator[str]:
    if len(word) >= _MIN_MISSPELT_LENGTH and word.isalpha():
        yield word
        yield from single_deletions(word)


def single_deletions(word: str) -> Iterator[str]:
    """Yield the word with each letter left out in turn."""
    for i in range(1, min(len(word), 24)):
        yield word[:i] + word[i + 1 :]


def is_one_edit_apart(wrong: str, right: str) -> bool:
    """Return whether one letter is added, left out or replaced, or two adjacent letters are swapped."""
    if wrong[0] != right[0]:
        return False
    i = 0
    while i < min(len(wrong), len(right)) and wrong[i] == right[i]:
        i += 1
    rest_wrong, rest_right = wrong[i:], right[i:]
    return (
        rest_wrong[1:] == rest_right
        or rest_wrong == rest_right[1:]
        or rest_wrong[1:] == rest_right[1:]
        or (rest_wrong[:2] == rest_right[:2][::-1] and rest_wrong[2:] == rest_right[2:])
    )


def _is_adjacent(tokens: Sequence[Token], i: int) -> bool:
    return i < len(tokens) and tokens[i - 1].end == tokens[i].start
