"""Ambiguities: information that a text about a deal lacks before it can become an offer."""

from __future__ import annotations

from negoplatform.language.parsing.grammar.amount_phrases import Quantifier
from negoplatform.language.parsing.interpretation import Ambiguity
from negoplatform.language.parsing.slots.slot_detection import GameVocabulary
from negoplatform.language.parsing.slots.slot_filling import SlotFillingResult
from negoplatform.language.parsing.slots.slots import CandidateKind, Slot, SlotForm

_PROPOSING_ACTS = ("offer", "wish", "limit", "several", "vague")
_MIN_PROPOSING_PROBABILITY = 0.5


def find_ambiguity(filled: SlotFillingResult, words: GameVocabulary) -> Ambiguity | None:
    """Return the ambiguity of a text; None if it has none or is not about a deal.

    Args:
        filled: The text with its filled slots.
        words: The vocabulary of its game.
    """
    if filled.composed.impossible:
        return Ambiguity.IMPOSSIBLE
    if filled.composed.conflicts:
        return Ambiguity.EITHER
    if sum(filled.acts[name] for name in _PROPOSING_ACTS) < _MIN_PROPOSING_PROBABILITY:
        return None
    doubts = [
        doubt
        for slot, candidate in zip(filled.segmented.slots, filled.chosen, strict=True)
        if candidate.kind == CandidateKind.NONE
        and (doubt := _slot_ambiguity(slot, filled, words)) is not None
    ]
    return doubts[0] if doubts else None


def _slot_ambiguity(slot: Slot, filled: SlotFillingResult, words: GameVocabulary) -> Ambiguity | None:
    if slot.issue and slot.issue in filled.composed.terms:
        return None
    match slot.form:
        case Quantifier.COUNT | Quantifier.ALL | Quantifier.OTHERS | Quantifier.MORE if (
            slot.issue in words.units
        ):
            most = words.units[slot.issue]
            return Ambiguity.IMPOSSIBLE if slot.number is not None and slot.number > most else Ambiguity.WHO
        case Quantifier.COUNT | Quantifier.OTHERS | Quantifier.MORE | SlotForm.FIGURE:
            return Ambiguity.WHICH_ISSUE if len(words.issues) > 1 else Ambiguity.WHO
        case Quantifier.SOME | Quantifier.BARE | Quantifier.DEFINITE | SlotForm.EVEN:
            return Ambiguity.HOW_MANY
        case SlotForm.VALUE | SlotForm.TOPIC:
            settled = all(meaning.issue in filled.composed.terms for meaning in slot.referents)
            return None if settled else Ambiguity.WHICH_VALUE
        case _:
            return None
