"""Typed text with marked parts, and sentences on why its interpretation is uncertain. No Tk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from negoplatform.language import AnnotationKind, Interpretation
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable, join_names

KEPT = 24
"""Characters kept at each side of an unmarked stretch in a long text."""

LONG = 120
"""Length in characters above which a text is shortened."""

MOST_NAMED = 3
"""Maximum number of parts quoted in a sentence."""


class SpanKind(StrEnum):
    """Style of a part of a text."""

    NONE = "none"
    TERM = "term"
    """Term of the offer."""
    UNREAD = "unread"
    """Possible term that was not interpreted."""
    AGAINST = "against"
    """Evidence against an offer: a refusal, a question, a report or irony."""


SPAN_KINDS = {
    AnnotationKind.TERM: SpanKind.TERM,
    AnnotationKind.UNREAD: SpanKind.UNREAD,
    AnnotationKind.REFUSAL: SpanKind.AGAINST,
    AnnotationKind.QUESTION: SpanKind.AGAINST,
    AnnotationKind.REPORT: SpanKind.AGAINST,
    AnnotationKind.IRONY: SpanKind.AGAINST,
}


@dataclass(frozen=True, slots=True)
class MarkedSpan:
    """Stretch of a text.

    Args:
        text: Characters, ready to be drawn.
        kind: Style of the characters.
    """

    text: str
    kind: SpanKind = SpanKind.NONE


def mark_spans(reading: Interpretation) -> tuple[MarkedSpan, ...]:
    """Return the typed text on one line, in stretches; a long text is shortened between its marks."""
    spans = list(_spans(reading))
    if sum(len(span.text) for span in spans) > LONG:
        last = len(spans) - 1
        spans = [
            _shortened(span, first=i == 0, last=i == last) if span.kind is SpanKind.NONE else span
            for i, span in enumerate(spans)
        ]
    return tuple(spans)


def interpretation_notes(
    reading: Interpretation, translate: Language, *, unread: bool = True
) -> tuple[str, ...]:
    """Return a sentence for each kind of part that keeps an interpretation from being plain.

    Args:
        reading: The interpretation.
        translate: Translation into the window's language.
        unread: Whether to include the parts that were not interpreted.
    """
    there = {part.kind for part in reading.parts}
    quoted = list(dict.fromkeys(_part_texts(reading, AnnotationKind.UNREAD)))
    found = []
    if quoted and unread:
        shown = [f"“{text}”" for text in quoted[:MOST_NAMED]]
        if len(quoted) > MOST_NAMED:
            shown.append("…")
        found.append(translate("Not read: {words}.", words=join_names(shown, translate)))
    if AnnotationKind.REFUSAL in there:
        found.append(translate("This sounds like a no."))
    if AnnotationKind.QUESTION in there:
        found.append(translate("This sounds like a question."))
    if AnnotationKind.REPORT in there:
        found.append(translate("This sounds like news about somebody else, or about the past."))
    if AnnotationKind.IRONY in there:
        found.append(translate("This may not be meant seriously."))
    return tuple(found)


def first_unparsed_part(reading: Interpretation) -> str:
    """Return the first part that was not interpreted; empty if there is none."""
    return next(_part_texts(reading, AnnotationKind.UNREAD), "")


def _part_texts(reading: Interpretation, kind: AnnotationKind) -> Iterator[str]:
    for part in reading.parts:
        if part.kind is kind and (text := _one_line(reading.text[part.start : part.end])):
            yield text


def _spans(reading: Interpretation) -> Iterator[MarkedSpan]:
    """Yield the stretches of a text; of overlapping parts, only the first."""
    at = 0
    for part in sorted(reading.parts, key=lambda part: (part.start, part.end)):
        if part.start < at or part.end <= part.start:
            continue
        if part.start > at:
            yield MarkedSpan(_drawn(reading.text[at : part.start]))
        yield MarkedSpan(_drawn(reading.text[part.start : part.end]), SPAN_KINDS[part.kind])
        at = part.end
    if at < len(reading.text):
        yield MarkedSpan(_drawn(reading.text[at:]))


def _shortened(span: MarkedSpan, *, first: bool, last: bool) -> MarkedSpan:
    """Return a stretch with only its ends next to marks."""
    text = span.text
    if len(text) <= 2 * KEPT:
        return span
    head = "" if first else text[:KEPT].rstrip()
    tail = "" if last else text[-KEPT:].lstrip()
    if first and last:
        head = text[:LONG].rstrip()
    return MarkedSpan(f"{head} … {tail}" if head and tail else f"{head} …" if head else f"… {tail}")


def _drawn(text: str) -> str:
    return displayable(text.replace("\n", " ").replace("\t", " "))


def _one_line(text: str) -> str:
    return " ".join(_drawn(text).split())
