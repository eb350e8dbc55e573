"""The words of a game among the tokens of a text: mentions of its issues and values, and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, QuantityIssue
from negoplatform.language.parsing.tokenizer import Token, tokenize
from negoplatform.language.parsing.vocabulary import (
    Phrase,
    Vocabulary,
    known_words,
    load_parsing_data,
    vocabulary_of,
)

MentionT = TypeVar("MentionT", "Mention", "NumberMention")

_MIN_MISSPELT_LENGTH = 5
"""From so many letters on, one wrong letter still leaves a word of the game known."""
_MIN_PREFIX_LENGTH = 3
"""So many letters a word of the game keeps where its end is left out: "mics" for "microphones"."""
_MIN_LETTERS_CUT = 3
"""So many letters are left out then, or more."""


@dataclass(frozen=True, slots=True, order=True)
class Referent:
    """What a word of the game stands for.

    Args:
        issue: The issue, by name.
        value: The value of a categorical issue; empty where the words name the issue itself.
    """

    issue: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of tokens that names something of the game.

    Args:
        start: The index of its first token.
        end: Behind the index of its last one.
        referents: What it may stand for, in the order of the game's issues; several where issues share a
            word ("No agreement" of the car or of the pension).
        is_partial: Whether it is only a part or a form of a name: "rooms" of "Dressing rooms".
    """

    start: int
    end: int
    referents: tuple[Referent, ...]
    is_partial: bool = False

    @property
    def issue(self) -> str | None:
        """The issue that it names or that the value belongs to; None if there are several."""
        issues = {meaning.issue for meaning in self.referents}
        return issues.pop() if len(issues) == 1 else None


@dataclass(frozen=True, slots=True)
class NumberMention:
    """A stretch of tokens that is a number.

    Args:
        start: The index of its first token, a sign of money before the digits included.
        end: Behind the index of its last one, a unit of money or a percent sign included.
        value: The number; 90,000 for "90k", 20 for "20 %", -5 for "minus 5".
        percent: Whether it counts percent.
        money: Whether it counts money.
        digits: Whether it was written in digits.
    """

    start: int
    end: int
    value: int | float
    percent: bool = False
    money: bool = False
    digits: bool = True


class Lexicon:
    """The words of a game's issues and values, and the numbers of a language.

    Get one by ``lexicon_of``: it is kept for the game.

    Args:
        issues: The game's issues.
        language: The language of the words.
        seats: The names of the game's seats, where there are more than two: then they name somebody.
    """

    def __init__(self, issues: tuple[Issue, ...], language: str, seats: tuple[str, ...] = ()) -> None:
        self.vocabulary: Vocabulary = vocabulary_of(language)
        self.issues = issues
        self._seats = tuple(_normalized_phrase(seat.replace("_", " "), self.vocabulary) for seat in seats)
        self._known = known_words(language)
        self._game_phrases: dict[str, list[tuple[Phrase, tuple[Referent, ...]]]] = {}
        self._corrections: dict[str, str] = {}
        synonyms = load_parsing_data(language, "synonyms")
        named = _referents_by_phrase(issues, self.vocabulary, synonyms["named"])
        counted = _referents_by_phrase(issues, self.vocabulary, synonyms["counted"])
        self._needs_number = frozenset(counted.keys() - named.keys())
        named = {**counted, **named}
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
        """The tokens of a text, with words of the game that are misspelt by one letter mended."""
        return _tokenize(self, text)

    def tokenize_uncached(self, text: str) -> tuple[Token, ...]:
        """The same, cut anew; ``tokens`` keeps what it has cut."""
        return tuple(self._correct_spelling(token) for token in tokenize(text, self.vocabulary.spellings))

    def is_known_word(self, word: str) -> bool:
        """Whether a word is one of the language's own: a common word, or one that does something."""
        return word in self._known

    def mentions(self, tokens: Sequence[Token]) -> tuple[Mention, ...]:
        """What names an issue or a value, in order, without overlap, the longest first."""
        return _mentions(self, tuple(tokens))

    def numbers(self, tokens: Sequence[Token]) -> tuple[NumberMention, ...]:
        """The numbers, in order, without overlap: "2", "two", "twenty five", "90k", "$90,000", "10 %"."""
        return _numbers(self, tuple(tokens))

    def mention_at(self, tokens: Sequence[Token], i: int) -> Mention | None:
        """What names an issue or a value from a token on; None if nothing does."""
        for phrase, meanings in self._game_phrases.get(tokens[i].norm, ()):
            end = i + len(phrase)
            if phrase in self._needs_number and not self._is_number(tokens, i - 1):
                continue
            if end <= len(tokens) and all(tokens[i + k].norm == word for k, word in enumerate(phrase)):
                return Mention(i, end, meanings, phrase in self._partial_phrases)
        return None

    def seats(self, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
        """Where seats are named at a table of more than two: from which token to behind which."""
        norms = tuple(token.norm for token in tokens) if self._seats else ()
        for i in range(len(norms)):
            for seat in self._seats:
                if norms[i : i + len(seat)] == seat:
                    yield i, i + len(seat)

    def _is_number(self, tokens: Sequence[Token], i: int) -> bool:
        """Whether a token is a number: "2 fire" is firewood, "the fire" is none."""
        return i >= 0 and (tokens[i].number is not None or tokens[i].norm in self.vocabulary.numbers)

    def _correct_spelling(self, token: Token) -> Token:
        word = token.norm
        if not token.is_word or len(word) < _MIN_MISSPELT_LENGTH - 1 or word in self._game_phrases:
            return token
        if word in self._known or self.vocabulary.has(word, "never_misspelt"):
            return token
        owned = word.removesuffix("'s")
        if owned in self._game_phrases:
            return Token(token.text, owned, token.start, token.end)
        keys = (word, *_deletions(word))
        right = next((self._corrections[key] for key in keys if key in self._corrections), None)
        if right is None or not _is_one_edit_apart(word, right):
            right = self._prefixes.get(word)
        if right is None or right == word:
            return token
        return Token(token.text, right, token.start, token.end)

    def number_at(self, tokens: Sequence[Token], i: int) -> NumberMention | None:
        """The number that begins with a token; None if none does."""
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
        """Words such as "twenty five": tens, then ones."""
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
    """What is found from the first token on, each after the end of the one before."""
    found: list[MentionT] = []
    i = 0
    while i < len(tokens):
        one = at(tokens, i)
        if one is not None:
            found.append(one)
        i = one.end if one is not None else i + 1
    return tuple(found)


# A text is looked at by several parts, and again when the next ones are understood.
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
    """The lexicon of a game, made once.

    Raises:
        NegoError: If there is no such language.
    """
    return _lexicon(game.issues, language, game.seats if len(game.seats) > 2 else ())


@lru_cache(maxsize=32)
def _lexicon(issues: tuple[Issue, ...], language: str, seats: tuple[str, ...]) -> Lexicon:
    return Lexicon(issues, language, seats)


def _referents_by_phrase(
    issues: Iterable[Issue], vocabulary: Vocabulary, synonyms: Mapping[str, Sequence[str]]
) -> dict[Phrase, list[Referent]]:
    """Every phrase that names something of the game."""
    found: dict[Phrase, list[Referent]] = {}
    owned = {
        issue.name: {_normalized_phrase(issue.name, vocabulary), _normalized_phrase(issue.title, vocabulary)}
        for issue in issues
    }
    taken = set().union(*owned.values())
    for issue in issues:
        for phrase, meaning in _issue_phrases(issue, vocabulary, synonyms):
            own = phrase in owned[issue.name]
            # What names an issue in the game file is never another's synonym.
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


def _partial_names(issues: Iterable[Issue], vocabulary: Vocabulary) -> dict[Phrase, list[Referent]]:
    """Single words of longer names, where only one name has them: "rooms" of "Dressing rooms"."""
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
    """The words of the game by what they begin with, where nothing else begins so; an "s" may follow."""
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
    """Singular for plural and plural for singular, by the usual endings."""
    if word.endswith("s") and len(word) > 3:
        return (word[:-1],)
    return (f"{word}s", f"{word}es") if word.endswith(("x", "ch", "sh")) else (f"{word}s",)


def _misspellings(word: str) -> Iterator[str]:
    if len(word) >= _MIN_MISSPELT_LENGTH and word.isalpha():
        yield word
        yield from _deletions(word)


def _deletions(word: str) -> Iterator[str]:
    """The word with one letter left out, each in turn."""
    for i in range(1, min(len(word), 24)):
        yield word[:i] + word[i + 1 :]


def _is_one_edit_apart(wrong: str, right: str) -> bool:
    """Whether two words differ by one letter too many, too few or another, or by two that changed places."""
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
