"""Words that may change what a text's terms mean, and so prevent its confirmation by one key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from negoplatform.language.parsing.interpretation import AnnotationKind, TextAnnotation
from negoplatform.language.parsing.slots.slot_filling import SlotFillingResult
from negoplatform.language.parsing.words.language_vocabulary import load_parsing_data
from negoplatform.language.parsing.words.lexical_tagger import Tag

_BREAKS = frozenset({Tag.END, Tag.SEP, Tag.BUT, Tag.SO, Tag.IF})
_AFTER_QUESTION_OPENER = frozenset({Tag.SPEAKER, Tag.OTHER, Tag.WE, Tag.DET, Tag.MY, Tag.YOUR})
_SKIPPED = frozenset({Tag.SKIP, Tag.SIGN, Tag.AND, Tag.NEUTRAL})


class PlainTextRules:
    """Words of a language that a plain text may or may not contain.

    Args:
        language: The language's folder.
    """

    def __init__(self, language: str) -> None:
        read = load_parsing_data(language, "plain")
        self.harmless = frozenset(read["harmless"])
        """Words that may occur in a clause with terms."""
        self.closing = frozenset(read["closing"])
        """Texts of closing questions that only ask for a yes."""
        self.question_openers = frozenset(read["asking"])
        """Words that open a question before "I", "you" and the like."""
        self.disqualifying = _phrase_regex(read["against"])
        """Phrases that retract, weaken or mock a statement, in any position."""
        self.attributing = _phrase_regex(read["ascribed"])
        """Phrases that attribute terms to the other side."""
        self.proposing = _phrase_regex(read["proposing"])
        """Phrases that open a proposal although single words of them suggest a question or doubt."""


@cache
def plain_text_rules(language: str) -> PlainTextRules:
    """Return the rules of a language; they are loaded once.

    Raises:
        NegoError: If texts of the language cannot be parsed.
    """
    return PlainTextRules(language)


def _phrase_regex(phrases: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(phrases, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def annotate_disqualifiers(text: str, filled: SlotFillingResult, language: str) -> Iterator[TextAnnotation]:
    """Yield the words of a text that may change what its terms mean.

    Args:
        text: The text as it was typed.
        filled: The text with its filled slots.
        language: Its language.
    """
    words = plain_text_rules(language)
    written = text.lower().replace("’", "'")
    proposing = [match.span() for match in words.proposing.finditer(written)]
    if len(written) != len(text):
        return  # Lower case changed the length, so positions in the text are unknown.
    patterns = [(words.disqualifying, AnnotationKind.UNREAD)]
    if filled.composed.terms:
        patterns.append((words.attributing, AnnotationKind.REPORT))
    for pattern, kind in patterns:
        for match in pattern.finditer(written):
            if not any(start <= match.start() < end for start, end in proposing):
                yield TextAnnotation(*match.span(), kind)
    yield from _clause_annotations(filled, words, proposing)


def _clause_annotations(
    filled: SlotFillingResult, words: PlainTextRules, proposing: list[tuple[int, int]]
) -> Iterator[TextAnnotation]:
    """Yield words next to terms that are not known to be harmless, and clauses that begin as questions."""
    spans, tokens = filled.segmented.spans, filled.segmented.tokens
    inside = {i for slot in filled.segmented.slots for i in range(slot.start, slot.end)}
    begun = 0
    for end in (*(i for i, span in enumerate(spans) if span.tag in _BREAKS), len(spans)):
        clause = range(begun, end)
        begun = end + 1
        if inside.isdisjoint(clause):
            continue
        for i in clause:
            token = tokens[spans[i].start] if spans[i].start < len(tokens) else None
            if (
                filled.explained
                or i in inside
                or token is None
                or spans[i].tag != Tag.WORD
                or not token.is_word
            ):
                continue
            if token.norm not in words.harmless and token.text.lower() not in words.harmless:
                yield TextAnnotation(token.start, tokens[spans[i].end - 1].end, AnnotationKind.UNREAD)
        first = next((i for i in clause if spans[i].tag not in _SKIPPED), None)
        if first is None or first + 1 >= end or spans[first + 1].tag not in _AFTER_QUESTION_OPENER:
            continue
        opening = tokens[spans[first].start]
        opens = (
            spans[first].tag == Tag.MODAL
            or opening.norm in words.question_openers
            or opening.text.lower() in words.question_openers
        )
        if opens and not any(start <= opening.start < last for start, last in proposing):
            yield TextAnnotation(opening.start, tokens[spans[first + 1].end - 1].end, AnnotationKind.QUESTION)


def is_closing_question(text: str, language: str) -> bool:
    """Return whether a question only asks for a yes: "deal", "ok with you".

    Args:
        text: The question without the question mark.
        language: Its language.
    """
    return (
        " ".join(re.findall(r"[\w']+", text.lower().replace("’", "'"))) in plain_text_rules(language).closing
    )
