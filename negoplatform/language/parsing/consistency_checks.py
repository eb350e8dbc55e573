"""Checks that a sure reading has to pass: rules for texts that the models rarely met in training."""

from __future__ import annotations

from collections.abc import Iterator

from negoplatform.domain.seat import Seat
from negoplatform.language.parsing.dialogue_state import TalkState
from negoplatform.language.parsing.grammar.claims import Side
from negoplatform.language.parsing.grammar.quantifiers import How
from negoplatform.language.parsing.interpretation import Doubt
from negoplatform.language.parsing.slot_filling import Interpretation
from negoplatform.language.parsing.slots import Candidate, Form, GameWords, Kind, Slot
from negoplatform.language.parsing.tagger import Tag

_COUNTS = frozenset({How.COUNT, Form.FIGURE})
_SIGNS_OF_RATIO = frozenset({"-", ":", "/"})
_SIDES = {Side.SPEAKER: Kind.MINE, Side.OTHER: Kind.YOURS}


def failed_check(said: Interpretation, words: GameWords, state: TalkState, other: Seat) -> Doubt | None:
    """What is doubtful about the terms of a text by rule; None if nothing is.

    Args:
        said: The text.
        words: The words of its game.
        state: The talk before.
        other: The other side.
    """
    if _gives_too_much(said, words) or _has_odd_ratio(said):
        return Doubt.IMPOSSIBLE
    if _is_excepted(said):
        return Doubt.WHICH_VALUE
    if _is_open(said, words, state, other):
        return Doubt.WHICH_ISSUE
    return Doubt.WHO if _contradicts_grammar(said) or _is_what_can_be_done(said) else None


def _is_open(said: Interpretation, words: GameWords, state: TalkState, other: Seat) -> bool:
    """Whether a number or a name that was read as a term may as well be of another issue."""
    used = [
        slot
        for slot, one in zip(said.cut.slots, said.chosen, strict=True)
        if one.kind != Kind.NONE and one.issue
    ]
    if any("/" in slot.issue for slot in used):
        return True
    bare = [
        slot for slot in used if slot.form in _COUNTS and not (slot.issue or slot.meanings or slot.of_each)
    ]
    if any(_counts_the_unknown(slot, said, words) for slot in bare):
        return True
    return any(_fits_several(slot, words) for slot in bare) and not _has_one_topic(said, words, state, other)


def _counts_the_unknown(slot: Slot, said: Interpretation, words: GameWords) -> bool:
    """Whether a number stands before an unknown word: "4 grapes" where there are none."""
    piece = said.cut.pieces[slot.end] if slot.end < len(said.cut.pieces) else None
    if piece is None or piece.tag != Tag.WORD or slot.unit:
        return False
    token = said.cut.tokens[piece.start]
    return token.is_word and not words.lexicon.knows(token.norm)


def _fits_several(slot: Slot, words: GameWords) -> bool:
    figure = slot.figure
    if figure is not None and (figure.money or figure.percent or slot.unit):
        return False
    return slot.number is not None and sum(slot.number <= units for units in words.units.values()) > 1


def _has_one_topic(said: Interpretation, words: GameWords, state: TalkState, other: Seat) -> bool:
    """Whether the text, or else what was said last, names just one quantity issue."""
    if any(slot.issue in words.units for slot in said.cut.slots):
        return True
    turn = state.last.get(other)
    before = {name for name in turn.issues if name in words.units} if turn is not None else set()
    return len(before) == 1


def _contradicts_grammar(said: Interpretation) -> bool:
    """Whether the grammar plainly gives units to another side than the models."""
    return any(
        candidate.kind in _SIDES.values() and candidate.kind != kind
        for _, kind, candidate in _plain_claims(said)
    )


def _has_odd_ratio(said: Interpretation) -> bool:
    """Whether two shares are written as a ratio that no issue has: "apples 3-1" of six."""
    ratios = {slot.start for slot in said.cut.slots if slot.form == Form.RATIO}
    inside = {i for slot in said.cut.slots if slot.form == Form.RATIO for i in range(slot.start, slot.end)}
    pieces, tokens = said.cut.pieces, said.cut.tokens
    for i, piece in enumerate(pieces):
        if piece.tag != Tag.NUMBER or i in ratios or i in inside:
            continue
        following = next((k for k in (i + 1, i + 2) if k < len(pieces) and pieces[k].tag == Tag.NUMBER), None)
        if following is not None:
            between = "".join(token.norm for token in tokens[piece.end : pieces[following].start])
            if between in _SIGNS_OF_RATIO:
                return True
    return False


def _is_excepted(said: Interpretation) -> bool:
    """Whether a term is just what is taken out: "everything apart from the pension"."""
    pieces = said.cut.pieces
    for slot, candidate in zip(said.cut.slots, said.chosen, strict=True):
        before = slot.start - 1
        while before >= 0 and pieces[before].tag in (Tag.DET, Tag.MY, Tag.YOUR):
            before -= 1
        if candidate.kind != Kind.NONE and before >= 0 and pieces[before].tag == Tag.EXCEPT:
            return True
    return False


def _is_what_can_be_done(said: Interpretation) -> bool:
    """Whether units are what the speaker "can do": to give or to take?"""
    claims = [said.claims.get(slot.start) for slot in said.cut.slots]
    return any(
        claim is not None and claim.own and candidate.kind in _SIDES.values()
        for claim, candidate in zip(claims, said.chosen, strict=True)
    )


def _gives_too_much(said: Interpretation, words: GameWords) -> bool:
    """Whether the grammar plainly gives away more units of an issue than there are."""
    given: dict[str, dict[Kind, int]] = {}
    for slot, kind, _ in _plain_claims(said):
        if slot.issue in words.units and slot.form == How.COUNT:
            given.setdefault(slot.issue, {})[kind] = int(slot.number or 0)
    return any(sum(shares.values()) > words.units[name] for name, shares in given.items())


def _plain_claims(said: Interpretation) -> Iterator[tuple[Slot, Kind, Candidate]]:
    """The slots of which the grammar says plainly who gets them: the side, and what the models chose."""
    for slot, candidate in zip(said.cut.slots, said.chosen, strict=True):
        claim = said.claims.get(slot.start)
        if claim is None or claim.receiver not in _SIDES or claim.sure < 1:
            continue
        if not (claim.negated or claim.told or claim.stale or claim.flipped):
            yield slot, _SIDES[claim.receiver], candidate
