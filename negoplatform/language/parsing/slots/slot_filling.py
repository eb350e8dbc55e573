"""Slot filling: the models choose a term for each slot of a message and estimate the certainty."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log, prod

from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.language.parsing.dialogue_state import DialogueState
from negoplatform.language.parsing.grammar.allocation_claim_types import Claim, DialogueParty
from negoplatform.language.parsing.grammar.amount_phrases import Quantifier
from negoplatform.language.parsing.slots.message_features import message_features
from negoplatform.language.parsing.slots.offer_composition import ComposedTerms, compose_terms
from negoplatform.language.parsing.slots.slot_detection import GameVocabulary
from negoplatform.language.parsing.slots.slot_features import (
    FeatureContext,
    candidate_features,
    slot_features,
)
from negoplatform.language.parsing.slots.slot_term_candidates import term_candidates
from negoplatform.language.parsing.slots.slots import (
    CandidateKind,
    SegmentedText,
    Slot,
    SlotForm,
    TermCandidate,
)
from negoplatform.language.parsing.trained_models import ParserModels, SlotNetwork, softmax
from negoplatform.language.parsing.words.lexical_tagger import Tag

_FILLERS = 2
"""Maximum number of words between a "no" and the value that it negates."""
_RELATIVE = frozenset(
    {
        Quantifier.REST,
        Quantifier.MORE,
        Quantifier.OTHERS,
        Quantifier.HALF,
        Quantifier.DEFINITE,
        Quantifier.BARE,
        SlotForm.SWAPPED,
        SlotForm.MIDDLE,
    }
)
_EXCLUDED_SIDE = {Tag.SPEAKER: CandidateKind.YOURS, Tag.OTHER: CandidateKind.MINE}
"""Side that does not get the units of an amount with this subject."""
_COUNTED = frozenset({Quantifier.COUNT, Quantifier.ALL, SlotForm.RATIO, SlotForm.FIGURE})
_NAMED = frozenset({Quantifier.BARE, Quantifier.DEFINITE, SlotForm.TOPIC})


@dataclass(frozen=True, slots=True)
class SlotFillingResult:
    """Message with filled slots.

    Args:
        segmented: The message with its slots.
        chosen: The candidate of each slot.
        probabilities: The probability of each, 0 to 1.
        composed: The terms that they compose.
        named: The issues that are named or meant, in order.
        acts: The probability of each act.
        certainty: The probability that the terms are what the message proposes, 0 to 1.
        alternatives: The offers between which the message leaves a choice; none without a choice.
        speaker_share_issues: The issues for which the message states the speaker's own share.
        claims: The claims of the clause grammar, by the index of their first span.
        explained: Whether the grammar of the shares of several seats explains every word.
    """

    segmented: SegmentedText
    chosen: tuple[TermCandidate, ...]
    probabilities: tuple[float, ...]
    composed: ComposedTerms
    named: tuple[str, ...]
    acts: Mapping[str, float]
    certainty: float
    alternatives: tuple[Offer, ...] = ()
    speaker_share_issues: frozenset[str] = frozenset()
    claims: Mapping[int, Claim] = field(default_factory=dict)
    explained: bool = False

    @property
    def used_slots(self) -> tuple[Slot, ...]:
        """The slots that name a term, in order."""
        pairs = zip(self.segmented.slots, self.chosen, strict=True)
        return tuple(slot for slot, one in pairs if one.kind != CandidateKind.NONE)


def fill_slots(
    written: str,
    words: GameVocabulary,
    state: DialogueState,
    speaker: Seat,
    other: Seat,
    models: ParserModels,
) -> SlotFillingResult:
    """Return a message with filled slots.

    Args:
        written: The message as it was typed.
        words: The vocabulary of the game.
        state: The dialogue before the message.
        speaker: The speaker's seat.
        other: The other side.
        models: The trained models.
    """
    text = FeatureContext(words.segment(written), words, state, speaker, other)
    probabilities = choose_candidates(text, models.slots)
    composed = compose_terms(text.segmented.slots, text.chosen, words, speaker, other)
    acts = models.acts.probabilities(message_features(text, composed.terms, written))
    certainty = 0.0
    if composed.terms:
        values = certainty_features(text, probabilities, composed, acts, written)
        certainty = models.certainty.probability(values)
    return SlotFillingResult(
        text.segmented,
        tuple(text.chosen),
        tuple(probabilities),
        composed,
        tuple(dict.fromkeys(text.named)),
        acts,
        certainty,
        tuple(_alternatives(text)),
        frozenset(one.issue for one in text.chosen if one.kind == CandidateKind.MINE),
        text.claims,
    )


def choose_candidates(text: FeatureContext, network: SlotNetwork) -> list[float]:
    """Choose a candidate for each slot of a text, in order.

    Args:
        text: The text; the candidates are added to its ``chosen``.
        network: The network that scores them.

    Returns:
        The probability of each chosen candidate's term, 0 to 1.
    """
    probabilities: list[float] = []
    for k in range(len(text.segmented.slots)):
        options = slot_candidates(text, k)
        best, probability = _most_probable(options, _candidate_probabilities(text, k, options, network))
        record_choice(text, k, options[best])
        probabilities.append(probability)
    return probabilities


def slot_candidates(text: FeatureContext, k: int) -> list[TermCandidate]:
    """Return the candidates of the k-th slot of a text, "no term" last."""
    slot = text.segmented.slots[k]
    options = term_candidates(slot, text.words, text.state, text.speaker, text.other)
    return _without_other_side(text, slot, _without_negated(text, slot, options))


def _without_other_side(
    text: FeatureContext, slot: Slot, options: list[TermCandidate]
) -> list[TermCandidate]:
    """Return the candidates that a subject with its verb just before the slot leaves: "I take 4" is mine."""
    spans, before = text.segmented.spans, slot.start - 1
    if slot.form not in (Quantifier.COUNT, SlotForm.FIGURE) or slot.of_each or slot.each:
        return options
    if before < 1 or spans[before].tag != Tag.GET:
        return options
    before -= 1 + (spans[before - 1].tag == Tag.MODAL)
    excluded = _EXCLUDED_SIDE.get(spans[before].tag) if before >= 0 else None
    return [one for one in options if one.kind != excluded]


def _without_negated(text: FeatureContext, slot: Slot, options: list[TermCandidate]) -> list[TermCandidate]:
    """Return the candidates that a "no" just before the slot leaves: "no damn car" means no car."""
    denying = next((one for one in options if one.kind == CandidateKind.WITHOUT), None)
    if denying is None:
        return options
    spans, before = text.segmented.spans, slot.start - 1
    for _ in range(_FILLERS):
        if before >= 0 and spans[before].tag in (Tag.WORD, Tag.A, Tag.DET, Tag.MY, Tag.YOUR):
            before -= 1
    denied = before >= 0 and (
        spans[before].tag in (Tag.NONE_OF, Tag.WITHOUT)
        or (spans[before].tag == Tag.NUMBER and spans[before].number == 0)
    )
    if not denied:
        return options
    return [one for one in options if one.issue != denying.issue or one.term == denying.term]


def _alternatives(text: FeatureContext) -> Iterator[Offer]:
    """Yield one offer for each part of an "either … or", with the terms common to all parts."""
    claims = [text.claims.get(slot.start) for slot in text.segmented.slots]
    options = [0 if claim is None else claim.option for claim in claims]
    used = {
        option
        for option, candidate in zip(options, text.chosen, strict=True)
        if option and candidate.kind != CandidateKind.NONE
    }
    for option in sorted(used) if len(used) > 1 else ():
        kept = [i for i, mine in enumerate(options) if mine in (0, option)]
        slots, chosen = [text.segmented.slots[i] for i in kept], [text.chosen[i] for i in kept]
        yield compose_terms(slots, chosen, text.words, text.speaker, text.other).terms


def record_choice(text: FeatureContext, k: int, candidate: TermCandidate) -> None:
    """Record the candidate of a slot for the features of the next ones."""
    slot = text.segmented.slots[k]
    text.chosen.append(candidate)
    if slot.issue in text.words.issues:
        text.named.append(slot.issue)
    elif slot.referents:
        text.named.append(slot.referents[0].issue)
    elif candidate.issue in text.words.issues:
        text.named.append(candidate.issue)


def _most_probable(options: Sequence[TermCandidate], likely: Sequence[float]) -> tuple[int, float]:
    """Return the index of the likeliest candidate, and the total probability of its term."""
    best = max(range(len(options)), key=likely.__getitem__)
    chosen = options[best]
    if chosen.term is None:
        return best, likely[best]
    same = (one.issue == chosen.issue and one.term == chosen.term for one in options)
    return best, sum(chance for chance, is_same in zip(likely, same, strict=True) if is_same)


def _candidate_probabilities(
    text: FeatureContext, k: int, options: Sequence[TermCandidate], network: SlotNetwork
) -> list[float]:
    """Return the probability of each candidate of a slot."""
    fitting = [(option.kind.value, candidate_features(text, k, option)) for option in options]
    return softmax(network.scores(slot_features(text, k), fitting))


def _contradicts_claim(claim: Claim | None, candidate: TermCandidate) -> bool:
    """Return whether the grammar assigns units to another side than a candidate does."""
    sides = {DialogueParty.SPEAKER: CandidateKind.MINE, DialogueParty.OTHER: CandidateKind.YOURS}
    return claim is not None and claim.receiver in sides and candidate.kind != sides[claim.receiver]


def certainty_features(
    text: FeatureContext,
    probabilities: Sequence[float],
    composed: ComposedTerms,
    acts: Mapping[str, float],
    written: str,
) -> list[float]:
    """Return the features by which the certainty of the composed terms is estimated, in a fixed order."""
    return [
        *_choice_features(text, probabilities, composed),
        len(text.segmented.tokens),
        len(text.words.issues),
        written.count("?"),
        *_proposal_features(text, composed.terms),
        *_unknown_word_features(text),
        *_claim_features(text),
        *acts.values(),
    ]


def _choice_features(
    text: FeatureContext, probabilities: Sequence[float], composed: ComposedTerms
) -> list[float]:
    """Return how certain the chosen candidates are, and what kinds of slots are used and unused."""
    slots, terms = text.segmented.slots, composed.terms
    used = [i for i, candidate in enumerate(text.chosen) if candidate.kind != CandidateKind.NONE]
    unused = [i for i, candidate in enumerate(text.chosen) if candidate.kind == CandidateKind.NONE]
    of_used = [probabilities[i] for i in used] or [1.0]
    of_unused = [probabilities[i] for i in unused] or [1.0]
    least = min(probabilities, default=1.0)
    mentioned = {slots[i].issue for i in unused if slots[i].issue} | {
        meaning.issue for i in unused for meaning in slots[i].referents[:1]
    }
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
        sum(slots[i].form == SlotForm.VALUE for i in unused),
        sum(not (slots[i].issue or slots[i].referents) for i in used),
        sum(bool(text.chosen[i].note) for i in used),
        sum(slots[i].form in _RELATIVE for i in used),
        sum(slots[i].loose for i in used),
        len(mentioned - set(terms.issues)),
    ]


def _proposal_features(text: FeatureContext, terms: Offer) -> list[float]:
    """Return how many terms repeat, change or add to what each side proposed last."""
    theirs = [(text.state.last_proposal(text.other, name), term) for name, term in terms.terms]
    mine = [(text.state.last_proposal(text.speaker, name), term) for name, term in terms.terms]
    return [
        sum(before == term for before, term in theirs),
        sum(before is not None and before != term for before, term in theirs),
        sum(before is None for before, _ in theirs),
        sum(before == term for before, term in mine),
    ]


def _unknown_word_features(text: FeatureContext) -> list[float]:
    unknown = sum(span.tag == Tag.WORD for span in text.segmented.spans)
    return [unknown, unknown / max(1, len(text.segmented.spans))]


def _claim_features(text: FeatureContext) -> list[float]:
    """Return how many claims of the clause grammar contradict the choice, or are not plain."""
    slots = text.segmented.slots
    claimed = [claim for slot in slots if (claim := text.claims.get(slot.start)) is not None]
    return [
        sum(
            _contradicts_claim(text.claims.get(slot.start), candidate)
            for slot, candidate in zip(slots, text.chosen, strict=True)
            if candidate.kind != CandidateKind.NONE
        ),
        sum(claim.receiver == DialogueParty.UNSPECIFIED for claim in claimed),
        sum(claim.negated for claim in claimed),
        sum(claim.told for claim in claimed),
        min((claim.confidence for claim in claimed), default=1.0),
        sum(claim.conditional for claim in claimed),
        sum(claim.asked for claim in claimed),
    ]
