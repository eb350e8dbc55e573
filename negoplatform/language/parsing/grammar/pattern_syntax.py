"""Patterns over the words of a sentence: defined in data files, matched without regular expressions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from negoplatform.domain.errors import NegoError
from negoplatform.language.parsing.words.language_vocabulary import Phrase
from negoplatform.language.parsing.words.lexicon import Mention, NumberMention
from negoplatform.language.parsing.words.tokenizer import Sentence, Token

ISSUE, VALUE, NUMBER, QUESTION = "<issue>", "<value>", "<number>", "?"
START, END = "^", "$"
_OF_GAME = frozenset({ISSUE, VALUE, NUMBER})
_SHORT_GAP, _LONG_GAP = 3, 7
_SIGNS = frozenset(",:-()%/&\"'")


@dataclass(frozen=True, slots=True)
class PatternToken:
    """Word of a sentence for matching; a mention of an issue or value, or a number, is one token.

    Args:
        word: Its normal form; ``<issue>``, ``<value>`` or ``<number>`` for a mention or number.
        issues: The issues that a mention may refer to.
        number: The number.
        start: The index of its first token.
    """

    word: str
    issues: tuple[str, ...] = ()
    number: int | float | None = None
    start: int = 0


# Compared by identity: a grammar creates each step once.
@dataclass(frozen=True, slots=True, eq=False)
class PatternStep:
    """Step of a pattern.

    Args:
        phrases: The phrases that match, by their first word.
        slot: ``issue``, ``issues``, ``value`` or ``number``; ``edge`` for the beginning or end of a sentence;
            or empty.
        gap: The maximum number of spans of any kind.
        optional: Whether it may be missing.
    """

    phrases: Mapping[str, tuple[Phrase, ...]]
    slot: str = ""
    gap: int = 0
    optional: bool = False


@dataclass(frozen=True, slots=True)
class FunctionWords:
    """Words that patterns need not mention.

    Args:
        fillers: Words that may occur anywhere without changing the meaning.
        joiners: Words between the parts of a list.
        negations: Words that no gap may skip.
    """

    fillers: frozenset[str]
    joiners: frozenset[str]
    negations: frozenset[str]


class Grammar:
    """Word categories that patterns use.

    Args:
        words: Words and phrases by category; ``filler`` are the fillers, ``joining`` the words that join a
            list, ``not`` the negations, which no gap skips.
    """

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        self._words = words
        self._steps: dict[str, PatternStep] = {}
        self.function_words = FunctionWords(
            *(frozenset(words[name]) for name in ("filler", "joining", "not"))
        )

    def step(self, part: str) -> PatternStep:
        """Return a step of a pattern; equal steps are one object.

        Raises:
            NegoError: If it names an unknown category.
        """
        if part not in self._steps:
            self._steps[part] = self._parse_step(part)
        return self._steps[part]

    def _parse_step(self, part: str) -> PatternStep:
        optional = len(part) > 1 and part.endswith("?")
        part = part[:-1] if optional else part
        match part:
            case "^" | "$":
                return PatternStep({part: ((part,),)}, "edge")
            case ".." | "...":
                return PatternStep({}, gap=_SHORT_GAP if part == ".." else _LONG_GAP)
            case "<issue>" | "<value>" | "<number>":
                return PatternStep({part: ((part,),)}, part[1:-1], optional=optional)
            case "<issues>":
                return PatternStep({ISSUE: ((ISSUE,),)}, "issues", optional=optional)
        return PatternStep(_by_first(self._options(part)), optional=optional)

    def _options(self, part: str) -> Iterator[str]:
        """Yield the words and phrases of one step: ``need|<wish>``."""
        for option in part.split("|"):
            if not option.startswith("<") or option in _OF_GAME:
                yield option.replace("_", " ")
            elif option[1:-1] in self._words:
                yield from self._words[option[1:-1]]
            else:
                raise NegoError(f"There is no category {option} of words for a pattern.")


class Pattern:
    """Sequence of words and gaps.

    Steps are separated by spaces: a word; ``this|that`` (``get_by`` for a phrase of two words);
    ``<category>`` of the data file; ``<issue>``, ``<issues>`` ("food and water"), ``<value>``,
    ``<number>``; ``..`` up to three and ``...`` up to seven words of any kind; ``^`` and ``$`` for the
    beginning and end of the sentence; ``?`` for the end of a question. A question mark behind a step makes
    it optional. Fillers may occur between any two steps.

    Args:
        text: The source text of the pattern.
        grammar: The categories that it may name.

    Raises:
        NegoError: If it names an unknown category, or has nothing to match.
    """

    def __init__(self, text: str, grammar: Grammar) -> None:
        self.steps = tuple(grammar.step(part) for part in text.split())
        sure = (step for step in self.steps if step.phrases and not step.optional)
        if all(step.slot == "edge" for step in sure) or self.steps[0].optional or self.steps[0].gap:
            raise NegoError(f"The pattern {text!r} has to begin with something that is always there.")


def pattern_tokens(
    tokens: Sequence[Token], sentence: Sentence, mentions: Sequence[Mention], numbers: Sequence[NumberMention]
) -> tuple[PatternToken, ...]:
    """Return a sentence for matching; a question has a question mark as its last token."""
    named = {mention.start: mention for mention in mentions}
    counted = {number.start: number for number in numbers}
    found: list[PatternToken] = []
    i = sentence.start
    while i < sentence.end:
        mention, number, token = named.get(i), counted.get(i), tokens[i]
        if mention is not None:
            issues = tuple(dict.fromkeys(meaning.issue for meaning in mention.referents))
            kind = VALUE if all(meaning.value for meaning in mention.referents) else ISSUE
            found.append(PatternToken(kind, issues, start=i))
            i = mention.end
        elif number is not None:
            # "one" is a number and a word: "which one".
            single = number.end == i + 1 and token.is_word
            found.append(PatternToken(token.norm if single else NUMBER, number=number.value, start=i))
            i = number.end
        else:
            if token.is_word or token.norm in _SIGNS:
                found.append(PatternToken(token.norm, start=i))
            i += 1
    if sentence.question:
        found.append(PatternToken(QUESTION, start=sentence.end))
    return tuple(found)


def _by_first(phrases: Iterable[str]) -> dict[str, tuple[Phrase, ...]]:
    found: dict[str, list[Phrase]] = {}
    for phrase in phrases:
        words = tuple(phrase.split(" "))
        found.setdefault(words[0], []).append(words)
    return {first: tuple(sorted(some, key=lambda words: -len(words))) for first, some in found.items()}
