"""Terms of a text in a game of more than two seats, where the trained models know two sides only.

The grammar of :mod:`.seat_shares` says who gets how many units where it explains every word. Elsewhere the
models' terms are kept as far as they concern the speaker alone, and asked about if others are mentioned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.language.parsing.grammar.amount_phrases import Quantifier
from negoplatform.language.parsing.seats.seat_items import Item, ItemKind, SpeakerContext, read_items
from negoplatform.language.parsing.seats.seat_shares import read_shares
from negoplatform.language.parsing.seats.value_phrases import ValuePhrase, numbers_as_values
from negoplatform.language.parsing.slots.offer_composition import ComposedTerms
from negoplatform.language.parsing.slots.slot_detection import GameVocabulary
from negoplatform.language.parsing.slots.slot_filling import SlotFillingResult
from negoplatform.language.parsing.slots.slots import (
    AS_PROPOSED,
    NO_TERM,
    CandidateKind,
    Slot,
    SlotForm,
    TermCandidate,
)

EXPLAINED_CERTAINTY = 0.9
"""Certainty of shares that the grammar explains completely."""
ASKED_CERTAINTY = 0.6
"""Maximum certainty of terms of a text that says more about other seats."""
_MIN_VALUE_PROBABILITY = 0.5
"""Minimum probability of each value in a text with shares that the grammar explains. The models give values
too low a probability there, because names are unknown words to them."""
_MIN_ACT_PROBABILITY = 0.5
_CONTRARY_ACTS = ("refuse", "ask", "report", "jest")
_PARTIES = frozenset({ItemKind.PARTY, ItemKind.STRANGER})
_AMOUNTS = frozenset(
    {
        *(Quantifier.COUNT, Quantifier.ALL, Quantifier.REST, Quantifier.MORE, Quantifier.OTHERS),
        *(Quantifier.DEFINITE, Quantifier.HALF, Quantifier.THIRD, SlotForm.FIGURE, SlotForm.RATIO),
    }
)
_BETWEEN_SIDES = frozenset({SlotForm.SWAPPED, SlotForm.MIDDLE})
_RELATIVE_NOTES = frozenset({AS_PROPOSED, "+theirs"})
"""Notes of candidates that refer to the other side's proposal; here there are several others."""


def fill_for_several(
    filled: SlotFillingResult, words: GameVocabulary, where: SpeakerContext
) -> SlotFillingResult:
    """Return the slots of a text as they are in a game of more than two seats.

    Args:
        filled: The slots as the models have filled them.
        words: The vocabulary of the game.
        where: Who speaks to whom.
    """
    shares = read_shares(filled.segmented, words, where)
    if shares is not None:
        return _explained(filled, shares, words)
    return _speakers_own(filled, words, where)


def _explained(
    filled: SlotFillingResult, shares: Mapping[str, Allocation], words: GameVocabulary
) -> SlotFillingResult:
    """Return the shares and numbers that the grammar explains, with the values that the models chose."""
    phrases = tuple(numbers_as_values(filled.segmented, words))
    stated: dict[str, Term] = {phrase.issue: phrase.term for phrase in phrases if phrase.term is not None}
    valued = {
        candidate.issue
        for slot, candidate in zip(filled.segmented.slots, filled.chosen, strict=True)
        if candidate.kind != CandidateKind.NONE and not _counts(slot)
    }
    values: dict[str, Term] = {
        name: term
        for name, term in filled.composed.terms.terms
        if name in valued and name not in stated and not isinstance(term, Allocation)
    }
    chosen, likely = _chosen(filled, shares, phrases)
    least = min(
        (
            chance
            for one, chance in zip(chosen, likely, strict=True)
            if one.issue in values and one.kind != CandidateKind.NONE
        ),
        default=1.0,
    )
    sure = (
        least >= _MIN_VALUE_PROBABILITY
        and all(phrase.term == stated[phrase.issue] for phrase in phrases)
        and not _leaves_value_out(filled, {**values, **stated})
        and all(filled.acts[name] < _MIN_ACT_PROBABILITY for name in _CONTRARY_ACTS)
    )
    return replace(
        filled,
        chosen=chosen,
        probabilities=likely,
        composed=ComposedTerms(
            Offer({**values, **stated, **shares}),
            tuple((name, terms) for name, terms in filled.composed.choices if name in values),
        ),
        named=tuple(dict.fromkeys((*filled.named, *stated, *shares))),
        certainty=EXPLAINED_CERTAINTY if sure else ASKED_CERTAINTY,
        alternatives=(),
        explained=True,
    )


def _leaves_value_out(filled: SlotFillingResult, terms: Mapping[str, Term]) -> bool:
    """Return whether a text names a value of an issue that has no term."""
    return any(
        slot.form == SlotForm.VALUE and not any(each.issue in terms for each in slot.referents)
        for slot in filled.segmented.slots
    )


def _chosen(
    filled: SlotFillingResult, shares: Mapping[str, Allocation], phrases: Sequence[ValuePhrase]
) -> tuple[tuple[TermCandidate, ...], tuple[float, ...]]:
    """Return the candidate and probability of each slot: those of the grammar where it explains the slot."""
    numbers = {phrase.figure: phrase for phrase in phrases}
    chosen: list[TermCandidate] = []
    likely: list[float] = []
    issue = next(iter(shares))
    for slot, candidate, chance in zip(
        filled.segmented.slots, filled.chosen, filled.probabilities, strict=True
    ):
        if slot.start in numbers:
            number = numbers[slot.start]
            chosen.append(TermCandidate(CandidateKind.VALUE, number.issue, number.term))
            likely.append(EXPLAINED_CERTAINTY)
        elif _counts(slot):
            issue = slot.issue if slot.issue in shares else issue
            chosen.append(TermCandidate(CandidateKind.VALUE, issue, shares[issue]))
            likely.append(EXPLAINED_CERTAINTY)
        else:
            chosen.append(candidate)
            likely.append(chance)
    return tuple(chosen), tuple(likely)


def _counts(slot: Slot) -> bool:
    """Return whether a slot is an amount, or an issue that is divided, rather than a value."""
    return slot.form in _AMOUNTS or slot.form in (Quantifier.BARE, Quantifier.BOTH, SlotForm.EVEN)


def _speakers_own(
    filled: SlotFillingResult, words: GameVocabulary, where: SpeakerContext
) -> SlotFillingResult:
    """Return the terms without the shares of other seats; less certain if the text says more of these."""
    items = read_items(filled.segmented, words, where)
    stranger = [_is_anothers(slot, items, where.speaker) for slot in filled.segmented.slots]
    pairs = list(zip(filled.chosen, stranger, strict=True))
    unread = {
        candidate.issue
        for candidate, other in pairs
        if other and isinstance(candidate.term, Allocation) and candidate.kind != CandidateKind.YOURS
    }
    chosen = tuple(
        NO_TERM
        if candidate.issue in unread or (other and candidate.kind == CandidateKind.YOURS)
        else candidate
        for candidate, other in pairs
    )

    def own(offer: Offer) -> Offer:
        return _own_terms(offer, filled, where.game.seats, where.speaker, unread)

    composed = ComposedTerms(
        own(filled.composed.terms),
        tuple((name, terms) for name, terms in filled.composed.choices if name not in unread),
        filled.composed.impossible,
    )
    excludes = any(item.kind == ItemKind.UNLESS for item in items)
    unexplained = _leaves_units_out(filled, items, where.speaker)
    says_more = any(stranger) or excludes or unexplained or len(composed.terms) < len(filled.composed.terms)
    refers = any(candidate.note in _RELATIVE_NOTES for candidate in filled.chosen) or any(
        slot.form in _BETWEEN_SIDES for slot in filled.used_slots
    )
    certainty = min(filled.certainty, ASKED_CERTAINTY) if says_more or refers else filled.certainty
    return replace(
        filled,
        chosen=chosen,
        composed=composed,
        certainty=certainty if composed.terms else 0.0,
        alternatives=tuple(own(offer) for offer in filled.alternatives),
    )


def _own_terms(
    offer: Offer, filled: SlotFillingResult, seats: Sequence[Seat], speaker: Seat, unread: set[str]
) -> Offer:
    """Return the terms that are certain: values, the speaker's own units, and equal units of all."""
    alike = {one.issue for one in filled.chosen if one.kind == CandidateKind.EACH}
    kept: dict[str, Term] = {}
    for name, term in offer.terms:
        if not isinstance(term, Allocation):
            kept[name] = term
        elif name in unread:
            continue
        elif name in alike and term.of(speaker) * len(seats) <= term.total:
            units = term.of(speaker)
            kept[name] = Allocation(dict.fromkeys(seats, units), term.total - units * len(seats))
        elif name in filled.speaker_share_issues:
            kept[name] = Allocation({speaker: term.of(speaker)}, term.total - term.of(speaker))
    return Offer(kept)


def _is_anothers(slot: Slot, items: Sequence[Item], speaker: Seat) -> bool:
    """Return whether a slot's amount or value is said of another seat than the speaker.

    That is the seat behind "for", or else the nearest one before it in its clause.
    """
    following = next((i for i, item in enumerate(items) if item.start >= slot.end), len(items))
    if following < len(items) and items[following].kind == ItemKind.FOR and not items[following].seats:
        behind = [item for item in items[following + 1 :] if item.kind != ItemKind.FILLER]
        if behind and behind[0].kind in _PARTIES:
            return _is_another(behind[0], speaker) or _joins(behind[1:])
    before = [item for item in items if item.start < slot.start]
    for i in range(len(before) - 1, -1, -1):
        if before[i].kind in (ItemKind.END, ItemKind.BREAK):
            return False
        if before[i].kind in _PARTIES or (before[i].kind == ItemKind.VERB and before[i].seats):
            return _is_another(before[i], speaker) or _joins(before[:i][::-1])
    return False


def _joins(items: Sequence[Item]) -> bool:
    """Return whether "and" joins a seat to other ones: "2 for me and Kim", "Kim and I take 2"."""
    return len(items) > 1 and items[0].kind == ItemKind.CONNECT and items[1].kind in _PARTIES


def _leaves_units_out(filled: SlotFillingResult, items: Sequence[Item], speaker: Seat) -> bool:
    """Return whether a text with another seat has a number without a meaning: "4 barrows for Kim"."""
    others = any(item.kind in _PARTIES and _is_another(item, speaker) for item in items)
    return others and any(
        slot.form == SlotForm.FIGURE and slot.figure is not None and slot.figure.digits
        for slot, candidate in zip(filled.segmented.slots, filled.chosen, strict=True)
        if candidate.kind == CandidateKind.NONE
    )


def _is_another(item: Item, speaker: Seat) -> bool:
    return item.kind == ItemKind.STRANGER or (speaker not in item.seats)
