"""What keeps a text from being confirmed by one key: words that may change what its terms mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from negoplatform.language.parsing.interpretation import Part, PartKind
from negoplatform.language.parsing.slot_filling import Interpretation
from negoplatform.language.parsing.tagger import Tag
from negoplatform.language.parsing.vocabulary import understanding_data

_BREAKS = frozenset({Tag.END, Tag.SEP, Tag.BUT, Tag.SO, Tag.IF})
_ASKED = frozenset({Tag.SPEAKER, Tag.OTHER, Tag.WE, Tag.DET, Tag.MY, Tag.YOUR})
_NO_WORDS = frozenset({Tag.SKIP, Tag.SIGN, Tag.AND, Tag.NEUTRAL})


class PlainWords:
    """The words of a language that a plain text may have, and those that it may not.

    Args:
        language: The language's folder.
    """

    def __init__(self, language: str) -> None:
        read = understanding_data(language, "plain")
        self.harmless = frozenset(read["harmless"])
        """Words that may stand in a clause with terms."""
        self.closing = frozenset(read["closing"])
        """What a question at the end may consist of that only asks for a yes."""
        self.asking = frozenset(read["asking"])
        """Words that open a question before "I", "you" and the like."""
        self.against = _pattern(read["against"])
        """What takes back, weakens or mocks what is said, wherever it stands."""
        self.ascribed = _pattern(read["ascribed"])
        """What tells terms as the other side's."""
        self.proposing = _pattern(read["proposing"])
        """What opens a proposal, and would be a question or a doubt word by word."""


@cache
def plain_words(language: str) -> PlainWords:
    """The words of a language, read once.

    Raises:
        NegoError: If typed words are not read in the language.
    """
    return PlainWords(language)


def _pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(phrases, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def strange_parts(text: str, said: Interpretation, language: str) -> Iterator[Part]:
    """The words of a text that may change what its terms mean.

    Args:
        text: The text, as it was typed.
        said: What it says.
        language: Its language.
    """
    words = plain_words(language)
    written = text.lower().replace("’", "'")
    proposing = [match.span() for match in words.proposing.finditer(written)]
    if len(written) != len(text):
        return  # A letter that is longer in small: its places cannot be told.
    patterns = [(words.against, PartKind.UNREAD)]
    if said.composed.terms:
        patterns.append((words.ascribed, PartKind.REPORT))
    for pattern, kind in patterns:
        for match in pattern.finditer(written):
            if not any(start <= match.start() < end for start, end in proposing):
                yield Part(*match.span(), kind)
    yield from _of_clauses(said, words, proposing)


def _of_clauses(said: Interpretation, words: PlainWords, proposing: list[tuple[int, int]]) -> Iterator[Part]:
    """Words in clauses with terms that are not known to be harmless, and clauses that begin as questions."""
    pieces, tokens = said.cut.pieces, said.cut.tokens
    inside = {i for slot in said.cut.slots for i in range(slot.start, slot.end)}
    begun = 0
    for end in (*(i for i, piece in enumerate(pieces) if piece.tag in _BREAKS), len(pieces)):
        clause = range(begun, end)
        begun = end + 1
        if inside.isdisjoint(clause):
            continue
        for i in clause:
            token = tokens[pieces[i].start] if pieces[i].start < len(tokens) else None
            if i in inside or token is None or pieces[i].tag != Tag.WORD or not token.is_word:
                continue
            if token.norm not in words.harmless and token.text.lower() not in words.harmless:
                yield Part(token.start, tokens[pieces[i].end - 1].end, PartKind.UNREAD)
        first = next((i for i in clause if pieces[i].tag not in _NO_WORDS), None)
        if first is None or first + 1 >= end or pieces[first + 1].tag not in _ASKED:
            continue
        opening = tokens[pieces[first].start]
        opens = (
            pieces[first].tag == Tag.MODAL
            or opening.norm in words.asking
            or opening.text.lower() in words.asking
        )
        if opens and not any(start <= opening.start < last for start, last in proposing):
            yield Part(opening.start, tokens[pieces[first + 1].end - 1].end, PartKind.QUESTION)


def is_closing(text: str, language: str) -> bool:
    """Whether the words of a question only ask for a yes: "deal", "ok with you".

    Args:
        text: The words, without the question mark.
        language: Their language.
    """
    return " ".join(re.findall(r"[\w']+", text.lower().replace("’", "'"))) in plain_words(language).closing
