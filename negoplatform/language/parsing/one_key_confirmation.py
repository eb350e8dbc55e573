"""Rules for when one key may confirm an interpreted offer or acceptance."""

from __future__ import annotations

from collections.abc import Sequence

from negoplatform.language.parsing.contextual_acts import ContextualActs
from negoplatform.language.parsing.interpretation import AnnotationKind, Interpretation, TextAnnotation
from negoplatform.language.parsing.slots.slot_detection import GameVocabulary
from negoplatform.language.parsing.slots.slot_filling import SlotFillingResult
from negoplatform.language.parsing.slots.slots import CandidateKind, SlotForm, TermCandidate
from negoplatform.language.parsing.text_annotations import SHORTEST_LIST
from negoplatform.language.parsing.words.lexical_tagger import Tag

_MOST_OTHER_WORDS = 3
"""Maximum number of other words next to a single named value; with more, the text may be off topic."""

_MAX_CONFIRMATION_TOKENS = 8
"""Maximum length of an acceptance that one key may confirm, in tokens."""


_MIN_PLAIN_CONFIDENCE, _MIN_PLAIN_PROBABILITY = 0.9, 0.4
"""Minimum confidence of a plain text, and minimum probability that it proposes or accepts."""
_MIN_TERM_PROBABILITY = 0.8
"""Minimum probability of each chosen candidate of a plain text."""

_DISQUALIFYING_ACTS = {"refuse": 0.35, "report": 0.3, "jest": 0.2, "ask": 0.5, "several": 0.3, "vague": 0.35}
"""Probability of each of these acts from which on a text is not plain."""


def is_plain(
    reading: Interpretation, filled: SlotFillingResult, speech: ContextualActs, words: GameVocabulary
) -> bool:
    """Return whether Enter may confirm an interpretation.

    Every amount, issue and value must be part of a term, and nothing may refuse, ask, report or be ironic.

    Args:
        reading: The interpretation with its parts.
        filled: Its text with filled slots.
        speech: The acts of the text.
        words: The vocabulary of its game.
    """
    if any(part.kind != AnnotationKind.TERM for part in reading.parts):
        return False
    if not reading.offers:
        return reading.accepts and is_plain_yes(reading.parts, filled, speech, words)
    if any(filled.acts[name] >= most for name, most in _DISQUALIFYING_ACTS.items()) or _is_off_topic(filled):
        return False
    chosen: list[tuple[TermCandidate, float]] = list(zip(filled.chosen, filled.probabilities, strict=True))
    doubtful = any(
        chance < _MIN_TERM_PROBABILITY for candidate, chance in chosen if candidate.kind != CandidateKind.NONE
    )
    proposed = max(filled.acts["offer"], filled.acts["accept"]) >= _MIN_PLAIN_PROBABILITY
    sure = reading.sure >= _MIN_PLAIN_CONFIDENCE and len(reading.offers) == 1
    return sure and proposed and not (reading.soft or doubtful)


def is_plain_yes(
    parts: Sequence[TextAnnotation], filled: SlotFillingResult, speech: ContextualActs, words: GameVocabulary
) -> bool:
    """Return whether a text is a yes and nothing more: short, of known words, without doubt or game names."""
    if (
        parts
        or filled.segmented.slots
        or speech.hedged
        or len(filled.segmented.tokens) > _MAX_CONFIRMATION_TOKENS
    ):
        return False
    if any(filled.acts[name] >= most for name, most in _DISQUALIFYING_ACTS.items()):
        return False
    strange = (
        token
        for token in filled.segmented.tokens
        if token.is_word and not words.lexicon.is_known_word(token.norm)
    )
    return next(strange, None) is None and (speech.is_yes or filled.acts["accept"] >= _MIN_TERM_PROBABILITY)


def _is_off_topic(filled: SlotFillingResult) -> bool:
    """Return whether a text may only use a word of the game: "no car accidents", "see you next month"."""
    used = filled.used_slots
    spans = filled.segmented.spans
    named = [slot for slot in used if slot.form in (SlotForm.VALUE, SlotForm.TOPIC)]
    if any(slot.end < len(spans) and spans[slot.end].tag == Tag.WORD for slot in named):
        return True
    if any(slot.form == SlotForm.VALUE and slot.loose for slot in used) and len(used) < SHORTEST_LIST:
        return True
    others = sum(span.tag == Tag.WORD for span in spans)
    return len(used) == len(named) == 1 and others > _MOST_OTHER_WORDS
