"""Interpretation: what a message says, slot by slot, chosen by the models; with how sure that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log, prod

from negoplatform.domain.offer import Offer
from negoplatform.domain.seat import Seat
from negoplatform.language.parsing.dialogue_state import TalkState
from negoplatform.language.parsing.features import (
    Text,
    candidate_features,
    message_features,
    slot_features,
)
from negoplatform.language.parsing.grammar.claims import Claim, Side
from negoplatform.language.parsing.grammar.quantifiers import How
from negoplatform.language.parsing.offer_composition import Composed, compose
from negoplatform.language.parsing.slots import Candidate, Cut, Form, GameWords, Kind, Slot
from negoplatform.language.parsing.tagger import Tag
from negoplatform.language.parsing.term_candidates import candidates
from negoplatform.language.parsing.trained_models import Models, softmax

_FILLERS = 2
"""So many words may stand between a "no" and what it denies."""
_RELATIVE = frozenset(
    {How.REST, How.MORE, How.OTHERS, How.HALF, How.THE, How.BARE, Form.SWAPPED, Form.MIDDLE}
)
_COUNTED = frozenset({How.COUNT, How.ALL, Form.RATIO, Form.FIGURE})
_NAMED = frozenset({How.BARE, How.THE, Form.TOPIC})


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What a message says.

    Args:
        cut: The message with its slots.
        chosen: The candidate of each slot.
        probabilities: How sure each of them is, 0 to 1.
        composed: The terms that they come to.
        named: The issues that are named or meant, in order.
        acts: The probability of each act.
        certainty: How sure it is that the terms are what the message puts forward, 0 to 1.
        alternatives: The offers between which the message leaves a choice; none without one.
        own: The issues of which the message tells the speaker's own share.
        claims: What the grammar says of slots, by the index of their first piece.
    """

    cut: Cut
    chosen: tuple[Candidate, ...]
    probabilities: tuple[float, ...]
    composed: Composed
    named: tuple[str, ...]
    acts: Mapping[str, float]
    certainty: float
    alternatives: tuple[Offer, ...] = ()
    own: frozenset[str] = frozenset()
    claims: Mapping[int, Claim] = field(default_factory=dict)


def interpret(
    written: str, words: GameWords, state: TalkState, speaker: Seat, other: Seat, models: Models
) -> Interpretation:
    """What a message says.

    Args:
        written: The message as it was typed.
        words: The words of the game.
        state: The talk before.
        speaker: Who says it.
        other: The other side.
        models: The trained models.
    """
    text = Text(words.cut(written), words, state, speaker, other)
    probabilities: list[float] = []
    for k, slot in enumerate(text.cut.slots):
        options = _without_denied(text, slot, candidates(slot, words, state, speaker, other))
        best, probability = likeliest(options, chances(text, k, options, models))
        decide(text, k, options[best])
        probabilities.append(probability)
    composed = compose(text.cut.slots, text.chosen, words, speaker, other)
    acts = models.acts.probabilities(message_features(text, composed.terms, written))
    certainty = 0.0
    if composed.terms:
        values = certainty_features(text, probabilities, composed, acts, written)
        certainty = models.certainty.probability(values)
    return Interpretation(
        text.cut,
        tuple(text.chosen),
        tuple(probabilities),
        composed,
        tuple(dict.fromkeys(text.named)),
        acts,
        certainty,
        tuple(_alternatives(text)),
        frozenset(one.issue for one in text.chosen if one.kind == Kind.MINE),
        text.claims,
    )


def _without_denied(text: Text, slot: Slot, options: list[Candidate]) -> list[Candidate]:
    """The candidates without those that a "no" just before the slot denies: "no damn car" is no car."""
    denying = next((one for one in options if one.kind == Kind.WITHOUT), None)
    if denying is None:
        return options
    pieces, before = text.cut.pieces, slot.start - 1
    for _ in range(_FILLERS):
        if before >= 0 and pieces[before].tag in (Tag.WORD, Tag.A, Tag.DET, Tag.MY, Tag.YOUR):
            before -= 1
    denied = before >= 0 and (
        pieces[before].tag in (Tag.NONE_OF, Tag.WITHOUT)
        or (pieces[before].tag == Tag.NUMBER and pieces[before].number == 0)
    )
    if not denied:
        return options
    return [one for one in options if one.issue != denying.issue or one.term == denying.term]


def _alternatives(text: Text) -> Iterator[Offer]:
    """One offer for each part of an "either … or", with what is common to all of them."""
    claims = [text.claims.get(slot.start) for slot in text.cut.slots]
    options = [0 if claim is None else claim.option for claim in claims]
    used = {
        option
        for option, candidate in zip(options, text.chosen, strict=True)
        if option and candidate.kind != Kind.NONE
    }
    for option in sorted(used) if len(used) > 1 else ():
        kept = [i for i, mine in enumerate(options) if mine in (0, option)]
        slots, chosen = [text.cut.slots[i] for i in kept], [text.chosen[i] for i in kept]
        yield compose(slots, chosen, text.words, text.speaker, text.other).terms


def decide(text: Text, k: int, candidate: Candidate) -> None:
    """Note which candidate a slot has, for the slots behind it."""
    slot = text.cut.slots[k]
    text.chosen.append(candidate)
    if slot.issue in text.words.issues:
        text.named.append(slot.issue)
    elif slot.meanings:
        text.named.append(slot.meanings[0].issue)
    elif candidate.issue in text.words.issues:
        text.named.append(candidate.issue)


def likeliest(options: Sequence[Candidate], likely: Sequence[float]) -> tuple[int, float]:
    """The likeliest candidate, and the probability of its term, by whichever candidate."""
    best = max(range(len(options)), key=likely.__getitem__)
    chosen = options[best]
    if chosen.term is None:
        return best, likely[best]
    same = (one.issue == chosen.issue and one.term == chosen.term for one in options)
    return best, sum(chance for chance, is_same in zip(likely, same, strict=True) if is_same)


def chances(text: Text, k: int, options: Sequence[Candidate], models: Models) -> list[float]:
    """The probability of each candidate of a slot."""
    fitting = [(option.kind.value, candidate_features(text, k, option)) for option in options]
    return softmax(models.slots.scores(slot_features(text, k), fitting))


def _differs(claim: Claim | None, candidate: Candidate) -> bool:
    """Whether the grammar gives units to another side than a candidate does."""
    said = {Side.SPEAKER: Kind.MINE, Side.OTHER: Kind.YOURS}
    return claim is not None and claim.receiver in said and candidate.kind != said[claim.receiver]


def certainty_features(
    text: Text, probabilities: Sequence[float], composed: Composed, acts: Mapping[str, float], written: str
) -> list[float]:
    """What tells whether a reading is right: one number for each feature, always in the same order."""
    slots = text.cut.slots
    used = [i for i, candidate in enumerate(text.chosen) if candidate.kind != Kind.NONE]
    unused = [i for i, candidate in enumerate(text.chosen) if candidate.kind == Kind.NONE]
    of_used = [probabilities[i] for i in used] or [1.0]
    of_unused = [probabilities[i] for i in unused] or [1.0]
    least = min(probabilities, default=1.0)
    terms = composed.terms
    mentioned = {slots[i].issue for i in unused if slots[i].issue} | {
        meaning.issue for i in unused for meaning in slots[i].meanings[:1]
    }
    theirs = [text.state.proposed(text.other, name) for name in terms.issues]
    mine = [text.state.proposed(text.speaker, name) for name in terms.issues]
    unknown = sum(piece.tag == Tag.WORD for piece in text.cut.pieces)
    claimed = [claim for slot in slots if (claim := text.claims.get(slot.start)) is not None]
    return [
        min(of_used),
        sum(of_used) / len(of_used),
        prod(of_used),
        min(of_unused),
        prod(of_unused),
        log(max(least, 1e-6) / max(1 - least, 1e-6)),
        prod(probabilities),
        len(used),
        len(unused),
        len(terms),
        len(composed.choices),
        sum(slots[i].form in _COUNTED for i in unused),
        sum(slots[i].form in _NAMED and slots[i].issue not in terms for i in unused),
        sum(slots[i].form == Form.VALUE for i in unused),
        sum(not (slots[i].issue or slots[i].meanings) for i in used),
        sum(bool(text.chosen[i].note) for i in used),
        sum(slots[i].form in _RELATIVE for i in used),
        sum(slots[i].loose for i in used),
        len(mentioned - set(terms.issues)),
        len(text.cut.tokens),
        len(text.words.issues),
        written.count("?"),
        sum(before == term for before, (_, term) in zip(theirs, terms.terms, strict=True)),
        sum(
            before is not None and before != term
            for before, (_, term) in zip(theirs, terms.terms, strict=True)
        ),
        sum(before is None for before in theirs),
        sum(before == term for before, (_, term) in zip(mine, terms.terms, strict=True)),
        unknown,
        unknown / max(1, len(text.cut.pieces)),
        sum(_differs(text.claims.get(slots[i].start), text.chosen[i]) for i in used),
        sum(claim.receiver == Side.NOBODY for claim in claimed),
        sum(claim.negated for claim in claimed),
        sum(claim.told for claim in claimed),
        min((claim.sure for claim in claimed), default=1.0),
        sum(claim.conditional for claim in claimed),
        sum(claim.asked for claim in claimed),
        *acts.values(),
    ]
