"""Rules that a confident interpretation must pass, for texts that are rare in the training data."""

from __future__ import annotations

from collections.abc import Iterator

from negoplatform.domain.offer import Allocation
from negoplatform.domain.seat_map import Seat
from negoplatform.language.parsing.dialogue_state import DialogueState
from negoplatform.language.parsing.grammar.allocation_claim_types import DialogueParty
from negoplatform.language.parsing.grammar.amount_phrases import Quantifier
from negoplatform.language.parsing.interpretation import Ambiguity
from negoplatform.language.parsing.slots.slot_detection import GameVocabulary
from negoplatform.language.parsing.slots.slot_filling import SlotFillingResult
from negoplatform.language.parsing.slots.slots import CandidateKind, Slot, SlotForm, TermCandidate
from negoplatform.language.parsing.words.lexical_tagger import Tag

_COUNTS = frozenset({Quantifier.COUNT, SlotForm.FIGURE})
_RATIO_SIGNS = frozenset({"-", ":", "/"})
_OWN = frozenset({Tag.SPEAKER, Tag.WE})
_REFUSABLE = frozenset({Tag.DO, Tag.GET, Tag.GIVE, Tag.WANT, Tag.HAVE, Tag.NEED})
"""Tags of verbs behind "not" whose objects the speaker refuses."""
_OBJECTS = frozenset(
    {
        *(Tag.A, Tag.DET, Tag.MY, Tag.YOUR, Tag.OF, Tag.FOR, Tag.WITH, Tag.AND, Tag.UNIT),
        *(Tag.ISSUE, Tag.TOPIC, Tag.VALUE, Tag.NUMBER, Tag.FIGURE),
    }
)
"""Tags of the words of which such objects consist."""
_SIDES = {DialogueParty.SPEAKER: CandidateKind.MINE, DialogueParty.OTHER: CandidateKind.YOURS}


def find_inconsistency(
    filled: SlotFillingResult, words: GameVocabulary, state: DialogueState, other: Seat
) -> Ambiguity | None:
    """Return the ambiguity that the rules find in the terms of a text; None if they find none.

    Args:
        filled: The text with its filled slots.
        words: The vocabulary of its game.
        state: The dialogue before the text.
        other: The other side.
    """
    if _exceeds_quantity(filled, words) or _has_odd_ratio(filled):
        return Ambiguity.IMPOSSIBLE
    if _is_excepted(filled) or _is_refused(filled):
        return Ambiguity.WHICH_VALUE
    if _is_issue_ambiguous(filled, words, state, other):
        return Ambiguity.WHICH_ISSUE
    return Ambiguity.WHO if _contradicts_grammar(filled) or _is_direction_unclear(filled) else None


def _is_issue_ambiguous(
    filled: SlotFillingResult, words: GameVocabulary, state: DialogueState, other: Seat
) -> bool:
    """Return whether a number or name that was taken for a term fits another issue as well."""
    used = filled.used_slots
    if any("/" in slot.issue for slot in used):
        return True
    bare = [
        slot for slot in used if slot.form in _COUNTS and not (slot.issue or slot.referents or slot.of_each)
    ]
    if any(_counts_unknown_item(slot, filled, words) for slot in bare):
        return True
    return any(_fits_several(slot, words) for slot in bare) and not _has_one_topic(
        filled, words, state, other
    )


def _counts_unknown_item(slot: Slot, filled: SlotFillingResult, words: GameVocabulary) -> bool:
    """Return whether a number is followed by an unknown word: "4 grapes" in a game without grapes."""
    span = filled.segmented.spans[slot.end] if slot.end < len(filled.segmented.spans) else None
    if span is None or span.tag != Tag.WORD or slot.unit:
        return False
    token = filled.segmented.tokens[span.start]
    return token.is_word and not words.lexicon.is_known_word(token.norm)


def _fits_several(slot: Slot, words: GameVocabulary) -> bool:
    figure = slot.figure
    if figure is not None and (figure.money or figure.percent or slot.unit):
        return False
    return slot.number is not None and sum(slot.number <= units for units in words.units.values()) > 1


def _has_one_topic(
    filled: SlotFillingResult, words: GameVocabulary, state: DialogueState, other: Seat
) -> bool:
    """Return whether the text, or else the other side's last turn, names exactly one quantity issue."""
    if any(slot.issue in words.units for slot in filled.segmented.slots):
        return True
    turn = state.last.get(other)
    before = {name for name in turn.issues if name in words.units} if turn is not None else set()
    return len(before) == 1


def _contradicts_grammar(filled: SlotFillingResult) -> bool:
    """Return whether the grammar explicitly assigns units to another side than the models do."""
    return any(
        candidate.kind in _SIDES.values() and candidate.kind != kind
        for _, kind, candidate in _explicit_claims(filled)
    )


def _has_odd_ratio(filled: SlotFillingResult) -> bool:
    """Return whether two shares form a ratio that fits no issue: "apples 3-1" of six apples."""
    ratios = {slot.start for slot in filled.segmented.slots if slot.form == SlotForm.RATIO}
    inside = {
        i
        for slot in filled.segmented.slots
        if slot.form == SlotForm.RATIO
        for i in range(slot.start, slot.end)
    }
    spans, tokens = filled.segmented.spans, filled.segmented.tokens
    for i, span in enumerate(spans):
        if span.tag != Tag.NUMBER or i in ratios or i in inside:
            continue
        following = next((k for k in (i + 1, i + 2) if k < len(spans) and spans[k].tag == Tag.NUMBER), None)
        if following is not None:
            between = "".join(token.norm for token in tokens[span.end : spans[following].start])
            if between in _RATIO_SIGNS:
                return True
    return False


def _is_excepted(filled: SlotFillingResult) -> bool:
    """Return whether a term is what an exception names: "everything apart from the pension"."""
    spans = filled.segmented.spans
    for slot, candidate in zip(filled.segmented.slots, filled.chosen, strict=True):
        before = slot.start - 1
        while before >= 0 and spans[before].tag in (Tag.DET, Tag.MY, Tag.YOUR):
            before -= 1
        if candidate.kind != CandidateKind.NONE and before >= 0 and spans[before].tag == Tag.EXCEPT:
            return True
    return False


def _is_refused(filled: SlotFillingResult) -> bool:
    """Return whether a term is what the speaker refuses: "I can't do a fee of 80"."""
    spans = filled.segmented.spans
    for slot, candidate in zip(filled.segmented.slots, filled.chosen, strict=True):
        if not _is_named(slot, candidate) or any(one.bound is not None for one in spans):
            continue
        verb = slot.start - 1
        while verb >= 0 and spans[verb].tag in _OBJECTS:
            verb -= 1
        who, _, no, does = (one.tag for one in spans[verb - 3 : verb + 1]) if verb >= 3 else (Tag.END,) * 4
        if who in _OWN and no == Tag.NOT and does in _REFUSABLE:
            return True
    return False


def _is_named(slot: Slot, candidate: TermCandidate) -> bool:
    """Return whether a term is the number or value that its slot names: no division, and no other value."""
    if candidate.kind == CandidateKind.NONE or isinstance(candidate.term, Allocation):
        return False
    return slot.figure is not None or any(each.value == candidate.term for each in slot.referents)


def _is_direction_unclear(filled: SlotFillingResult) -> bool:
    """Return whether the direction is open, as in "I can do 2 food": to give or to take."""
    claims = [filled.claims.get(slot.start) for slot in filled.segmented.slots]
    return any(
        claim is not None and claim.own and candidate.kind in _SIDES.values()
        for claim, candidate in zip(claims, filled.chosen, strict=True)
    )


def _exceeds_quantity(filled: SlotFillingResult, words: GameVocabulary) -> bool:
    """Return whether the grammar explicitly assigns more units of an issue than there are."""
    given: dict[str, dict[CandidateKind, int]] = {}
    for slot, kind, _ in _explicit_claims(filled):
        if slot.issue in words.units and slot.form == Quantifier.COUNT:
            given.setdefault(slot.issue, {})[kind] = int(slot.number or 0)
    return any(sum(shares.values()) > words.units[name] for name, shares in given.items())


def _explicit_claims(filled: SlotFillingResult) -> Iterator[tuple[Slot, CandidateKind, TermCandidate]]:
    """Yield each slot with an explicit receiver: the slot, the receiver's side and the chosen candidate."""
    for slot, candidate in zip(filled.segmented.slots, filled.chosen, strict=True):
        claim = filled.claims.get(slot.start)
        if claim is None or claim.receiver not in _SIDES or claim.confidence < 1:
            continue
        if not (claim.negated or claim.told or claim.stale or claim.flipped):
            yield slot, _SIDES[claim.receiver], candidate
