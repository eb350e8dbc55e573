"""Doubts: what is missing before a text that speaks of a deal could be an offer."""

from __future__ import annotations

from negoplatform.language.parsing.grammar.quantifiers import How
from negoplatform.language.parsing.interpretation import Doubt
from negoplatform.language.parsing.slot_filling import Interpretation
from negoplatform.language.parsing.slots import Form, GameWords, Kind, Slot

_PROPOSING = ("offer", "wish", "limit", "several", "vague")
_SPEAKS_OF_A_DEAL = 0.5


def doubt_of(said: Interpretation, words: GameWords) -> Doubt | None:
    """What is missing; None if nothing is, or if the text does not speak of a deal.

    Args:
        said: The text.
        words: The words of its game.
    """
    if said.composed.impossible:
        return Doubt.IMPOSSIBLE
    if said.composed.conflicts:
        return Doubt.EITHER
    if sum(said.acts[name] for name in _PROPOSING) < _SPEAKS_OF_A_DEAL:
        return None
    doubts = [
        doubt
        for slot, candidate in zip(said.cut.slots, said.chosen, strict=True)
        if candidate.kind == Kind.NONE and (doubt := _of_slot(slot, said, words)) is not None
    ]
    return doubts[0] if doubts else None


def _of_slot(slot: Slot, said: Interpretation, words: GameWords) -> Doubt | None:
    if slot.issue and slot.issue in said.composed.terms:
        return None
    match slot.form:
        case How.COUNT | How.ALL | How.OTHERS | How.MORE if slot.issue in words.units:
            most = words.units[slot.issue]
            return Doubt.IMPOSSIBLE if slot.number is not None and slot.number > most else Doubt.WHO
        case How.COUNT | How.OTHERS | How.MORE | Form.FIGURE:
            return Doubt.WHICH_ISSUE if len(words.issues) > 1 else Doubt.WHO
        case How.SOME | How.BARE | How.THE | Form.EVEN:
            return Doubt.HOW_MANY
        case Form.VALUE | Form.TOPIC:
            settled = all(meaning.issue in said.composed.terms for meaning in slot.meanings)
            return None if settled else Doubt.WHICH_VALUE
        case _:
            return None
