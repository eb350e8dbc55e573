"""Annotations of a text: its terms, its unparsed words, and words that speak against an offer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from negoplatform.language.parsing.confirmation_blocking_words import (
    annotate_disqualifiers,
    is_closing_question,
)
from negoplatform.language.parsing.grammar.amount_phrases import Quantifier
from negoplatform.language.parsing.interpretation import AnnotationKind, TextAnnotation
from negoplatform.language.parsing.slots.slot_detection import GameVocabulary
from negoplatform.language.parsing.slots.slot_filling import SlotFillingResult
from negoplatform.language.parsing.slots.slots import CandidateKind, Slot, SlotForm
from negoplatform.language.parsing.words.lexical_tagger import Tag, TaggedSpan

_KINDS = {
    Tag.NOT: AnnotationKind.REFUSAL,
    Tag.NONE_OF: AnnotationKind.REFUSAL,
    Tag.DENY: AnnotationKind.REFUSAL,
    Tag.REFUSE: AnnotationKind.REFUSAL,
    Tag.WITHOUT: AnnotationKind.REFUSAL,
    Tag.LESS: AnnotationKind.REFUSAL,
    Tag.REPORT: AnnotationKind.REPORT,
    Tag.JEST: AnnotationKind.IRONY,
    Tag.MORE: AnnotationKind.UNREAD,
    Tag.ANOTHER: AnnotationKind.UNREAD,
    Tag.FEWER: AnnotationKind.UNREAD,
    Tag.SAME: AnnotationKind.UNREAD,
    Tag.PART: AnnotationKind.UNREAD,
    Tag.RATIO: AnnotationKind.UNREAD,
    Tag.EXCEPT: AnnotationKind.UNREAD,
    Tag.SOME: AnnotationKind.UNREAD,
}
"""Annotation of each tag outside of slots; amounts without a number are unread."""
_NEUTRAL = frozenset({SlotForm.EVEN, Quantifier.SOME, Quantifier.BARE, Quantifier.DEFINITE, SlotForm.TOPIC})
"""Slot forms that carry no information if their issue has a term anyway: "the salary: 90k"."""
_JOINS = frozenset({Tag.END, Tag.SEP, Tag.AND})
SHORTEST_LIST = 2
"""Minimum number of terms of a list."""


def annotate_text(text: str, filled: SlotFillingResult, words: GameVocabulary) -> tuple[TextAnnotation, ...]:
    """Return the parts of a text that are terms or may speak against them, in text order."""
    found = [
        *_slot_annotations(filled, words),
        *_tag_annotations(filled),
        *_question_annotations(text, filled, words.language),
        *_unknown_word_annotations(filled, words),
        *_condition_annotations(filled),
        *annotate_disqualifiers(text, filled, words.language),
    ]
    return tuple(_without_overlaps(sorted(dict.fromkeys(found), key=lambda part: (part.start, -part.end))))


def _without_overlaps(parts: Sequence[TextAnnotation]) -> Iterator[TextAnnotation]:
    """Yield the parts that are not inside another one."""
    last = 0
    for part in parts:
        if part.end > last:
            yield part
            last = part.end


def _span(filled: SlotFillingResult, first: int, last: int) -> tuple[int, int]:
    tokens = filled.segmented.tokens
    return tokens[first].start, tokens[last - 1].end


def _slot_annotations(filled: SlotFillingResult, words: GameVocabulary) -> Iterator[TextAnnotation]:
    for slot, candidate in zip(filled.segmented.slots, filled.chosen, strict=True):
        start, end = _span(filled, slot.token_start, slot.token_end)
        if candidate.kind != CandidateKind.NONE:
            issue = candidate.issue if candidate.issue in words.issues else ""
            yield TextAnnotation(start, end, AnnotationKind.TERM, issue)
        elif not _is_neutral(slot, filled):
            issue = slot.issue or (slot.referents[0].issue if slot.referents else "")
            yield TextAnnotation(start, end, AnnotationKind.UNREAD, issue)


def _is_neutral(slot: Slot, filled: SlotFillingResult) -> bool:
    """Return whether a slot without a term leaves nothing unread: its issue has a term, or it names none."""
    names = {slot.issue} if slot.issue else {meaning.issue for meaning in slot.referents}
    if slot.form in _NEUTRAL:
        return all(name in filled.composed.terms for name in names)
    return False


def _tag_annotations(filled: SlotFillingResult) -> Iterator[TextAnnotation]:
    inside = {i for slot in filled.segmented.slots for i in range(slot.start, slot.end)}
    for i, span in enumerate(filled.segmented.spans):
        kind = _KINDS.get(span.tag)
        if kind is not None and i not in inside and not _is_term(filled, i, span):
            start, end = _span(filled, span.start, span.end)
            yield TextAnnotation(start, end, kind)
        elif _is_unnamed_exchange(filled, i):
            start, end = _span(filled, span.start, span.end)
            yield TextAnnotation(start, end, AnnotationKind.UNREAD)


def _is_unnamed_exchange(filled: SlotFillingResult, i: int) -> bool:
    """Return whether a sentence ends with "for it": a return for something that is not named."""
    tags = [span.tag for span in filled.segmented.spans[max(i - 1, 0) : i + 2]]
    return tags in ([Tag.FOR, Tag.DET, Tag.END], [Tag.FOR, Tag.DET])


def _is_term(filled: SlotFillingResult, i: int, span: TaggedSpan) -> bool:
    """Return whether a "no" or "without" belongs to the value behind it."""
    if span.tag not in (Tag.NONE_OF, Tag.WITHOUT, Tag.NOT):
        return False
    following = next(
        (
            candidate
            for slot, candidate in zip(filled.segmented.slots, filled.chosen, strict=True)
            if i < slot.start <= i + 2
        ),
        None,
    )
    return following is not None and following.kind == CandidateKind.WITHOUT


def _unknown_word_annotations(filled: SlotFillingResult, words: GameVocabulary) -> Iterator[TextAnnotation]:
    """Yield unknown words that are items of a list of terms: "programmer; blue; 10 hours"."""
    spans, tokens = filled.segmented.spans, filled.segmented.tokens
    if filled.explained or len(filled.used_slots) < SHORTEST_LIST:
        return  # names of seats are no unknown words
    for i, span in enumerate(spans):
        if span.tag != Tag.WORD or words.lexicon.is_known_word(tokens[span.start].norm):
            continue
        before = i == 0 or spans[i - 1].tag in _JOINS
        behind = i + 1 == len(spans) or spans[i + 1].tag in _JOINS
        if before and behind and tokens[span.start].is_word:
            start, end = _span(filled, span.start, span.end)
            yield TextAnnotation(start, end, AnnotationKind.UNREAD)


def _condition_annotations(filled: SlotFillingResult) -> Iterator[TextAnnotation]:
    """Yield conditions without a term: "150k if you clear it"."""
    spans = filled.segmented.spans
    used = {slot.start for slot in filled.used_slots}
    for i, span in enumerate(spans):
        if span.tag == Tag.IF:
            end = next((k for k in range(i, len(spans)) if spans[k].tag in (Tag.END, Tag.SEP)), len(spans))
            if not used & set(range(i, end)):
                start, last = _span(filled, span.start, spans[end - 1].end)
                yield TextAnnotation(start, last, AnnotationKind.UNREAD)


def _question_annotations(text: str, filled: SlotFillingResult, language: str) -> Iterator[TextAnnotation]:
    """Yield the question marks, except behind a closing request for a yes: "Deal?", ", ok?"."""
    spans, tokens = filled.segmented.spans, filled.segmented.tokens
    ends = [i for i, span in enumerate(spans) if span.tag == Tag.END]
    for i in ends:
        span = spans[i]
        if not span.question or span.end > len(tokens) or span.end == span.start:
            continue
        breaks = [k for k in range(i) if spans[k].tag in (Tag.END, Tag.SEP)]
        if i == ends[-1] and breaks:
            words = text[tokens[spans[breaks[-1]].end - 1].end : tokens[span.start].start]
            if is_closing_question(words, language):
                continue
        start, end = _span(filled, span.start, span.end)
        yield TextAnnotation(start, end, AnnotationKind.QUESTION)
