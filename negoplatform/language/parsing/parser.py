"""From typed words to speech acts and offers: deterministic and offline."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product
from typing import Protocol

from negoplatform.core.events import Message, MessageSubtype
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer, Term
from negoplatform.domain.seat import Seat
from negoplatform.language.parsing.ambiguities import find_ambiguity
from negoplatform.language.parsing.consistency_checks import find_inconsistency
from negoplatform.language.parsing.contextual_acts import ContextualActs, contextual_acts
from negoplatform.language.parsing.dialogue_act_rules import utterance_acts
from negoplatform.language.parsing.dialogue_context import DialogueContext, DialogueTurn
from negoplatform.language.parsing.dialogue_state import DialogueState, InterpretedTurn
from negoplatform.language.parsing.interpretation import (
    CONFIDENCE_THRESHOLD,
    Ambiguity,
    AnnotationKind,
    DialogueAct,
    Interpretation,
)
from negoplatform.language.parsing.slot_filling import SlotFillingResult, fill_slots
from negoplatform.language.parsing.slots import CandidateKind, GameVocabulary, game_vocabulary
from negoplatform.language.parsing.tagger import Tag
from negoplatform.language.parsing.text_annotations import annotate_text, is_plain, is_plain_yes
from negoplatform.language.parsing.trained_models import load_models

_MAX_AMBIGUOUS_CONFIDENCE = 0.6
"""How sure a reading is at most that has alternatives or contradicts itself."""
_STATED_CERTAINTY = 0.5
"""From here on terms count as said, for what is said after them."""
_MODEL_ACTS = {
    MessageSubtype.OFFER_REJECT: ("refuse", 0.5),
    MessageSubtype.OFFER_ACCEPT: ("accept", 0.75),
}
"""The class of an act, and the probability from which on it is one that no pattern finds."""
_LIKELY, _UNLIKELY = 0.5, 0.3
"""An act is there from ``_LIKELY`` on; one that a pattern finds is dropped below ``_UNLIKELY``."""
_UNAMBIGUOUS_KINDS = frozenset({AnnotationKind.TERM, AnnotationKind.QUESTION, AnnotationKind.REPORT})
"""Words of other kinds in what the other side asks for keep a yes from confirming it."""
_MAX_AGREEMENT_TOKENS, _AGREEMENT_PROBABILITY = 20, 0.85
"""A text of no more words and signs accepts what is on the table if the models are so sure of it."""
_MOST_OFFERS = 4
_KEPT_STATES = 40

M = MessageSubtype


class Parser(Protocol):
    """Interface of a parser: ``parse``, or another one that can stand in for it.

    A parser is deterministic, so that a session that is resumed or run again sees the same interpretations,
    and it reads nothing of the game but its issues and seats. Several threads may call it.
    """

    def __call__(self, text: str, context: DialogueContext, /) -> Interpretation:
        """Return the interpretation of a text that the speaker of a context has typed."""
        ...


def parse(text: str, context: DialogueContext) -> Interpretation:
    """Return the interpretation of a text.

    Args:
        text: What somebody typed.
        context: Where they said it.

    Returns:
        The reading; empty, with the text alone, if nothing was recognised.

    Raises:
        NegoError: If typed words are not read in the situation's language.
    """
    words = game_vocabulary(context.game, context.language)
    speech = contextual_acts(words.lexicon.tokenize(text), context, words.lexicon)
    other = _other(context)
    state = track_dialogue_state(context, words)
    said = _fill_slots(text, words, state, context.speaker, other)
    offers, parts = _offers(said, context), annotate_text(text, said, words)
    bare = not offers and (speech.is_yes or (_is_agreement(said, speech) and not speech.accepts))
    asked_for = _requested_confirmation(context, state, other) if bare else None
    if asked_for is not None and asked_for.terms and asked_for.confident and asked_for.unambiguous:
        # A yes may also be meant for an own offer that the other side has accepted.
        plain = is_plain_yes(parts, said, speech, words) and not context.accepted
        return _confirmation_of(asked_for.terms, text, plain=plain)
    failed = find_inconsistency(said, words, state, other) if said.composed.terms else None
    if failed is None and said.composed.terms and not offers:
        failed = Ambiguity.WHO
    sure = _confidence(said, offers, context, is_consistent=failed is None)
    doubt = (failed or _ambiguity(said, offers, words)) if sure < CONFIDENCE_THRESHOLD else None
    soft = bool(offers) and _states_wish(said)
    acts = _acts(speech, said, sure if offers and not soft else 0.0)
    reading = Interpretation(
        text,
        # A yes to terms that were not surely read agrees to nothing, for agents either.
        acts=tuple(act for act in acts if asked_for is None or act.subtype != M.OFFER_ACCEPT),
        offers=offers,
        sure=sure,
        doubt=doubt,
        about=said.named,
        accepts=asked_for is None
        and doubt is None
        and _is_acceptance(speech, said, offers, context.on_table),
        conditional=bool(offers) and any(piece.tag == Tag.IF for piece in said.segmented.spans),
        soft=soft,
        adapts=speech.adapts and bool(offers),
        hedged=speech.hedged,
        refuses=not offers and said.acts["refuse"] >= _LIKELY and "refuses" in speech.cues,
        halfway="halfway" in speech.cues,
        parts=parts,
    )
    return replace(reading, plain=is_plain(reading, said, speech, words))


def track_dialogue_state(context: DialogueContext, words: GameVocabulary) -> DialogueState:
    """The state of the talk before a situation; what was said before is read in turn, and kept."""
    talk = context.history
    known = len(talk)
    state: DialogueState | None = None
    while known and state is None:
        state = _states.get(_key(words, talk[:known]))
        known -= state is None
    state = state or DialogueState()
    for i in range(known, len(talk)):
        state = _advance_state(state, talk[i], words, context)
        _states[_key(words, talk[: i + 1])] = state
        if len(_states) > _KEPT_STATES:
            _states.popitem(last=False)
    maker = context.maker
    if maker is not None and (state.on_table != context.on_table or state.maker != maker):
        state = state.after_turn(
            maker, InterpretedTurn(context.on_table, context.on_table.issues, formal=True)
        )
    return state


# Every message is followed by others: each is read once, where it was said.
_states: OrderedDict[tuple[object, ...], DialogueState] = OrderedDict()


def _key(words: GameVocabulary, talk: Sequence[DialogueTurn]) -> tuple[object, ...]:
    return (words, *talk)


def _advance_state(
    state: DialogueState, said: DialogueTurn, words: GameVocabulary, situation: DialogueContext
) -> DialogueState:
    if said.offer is not None:
        return state.after_turn(said.sender, InterpretedTurn(said.offer, said.offer.issues, formal=True))
    other = next(seat for seat in situation.game.seats if seat != said.sender)
    read = _fill_slots(said.text, words, state, said.sender, other)
    utterance = utterance_acts(read.segmented.tokens, words.lexicon, words.language)
    turn = InterpretedTurn(
        read.composed.terms if read.certainty >= _STATED_CERTAINTY else EMPTY_OFFER,
        read.named,
        is_question="?" in said.text,
        accepted=read.acts["accept"] >= _LIKELY,
        confident=read.certainty >= CONFIDENCE_THRESHOLD and not read.composed.choices,
        unambiguous=bool(read.composed.terms)
        and all(part.kind in _UNAMBIGUOUS_KINDS for part in annotate_text(said.text, read, words)),
        requests_offer=any(
            saying.act.subtype == M.OFFER_REQUEST_POS for saying in utterance.conditional_acts
        ),
    )
    return state.after_turn(said.sender, turn)


# A state is made once for each turn; states are compared by identity.
@lru_cache(maxsize=64)
def _fill_slots(
    text: str, words: GameVocabulary, state: DialogueState, speaker: Seat, other: Seat
) -> SlotFillingResult:
    return fill_slots(text, words, state, speaker, other, load_models())


def _other(situation: DialogueContext) -> Seat:
    """The seat across the table; of several, the first."""
    return situation.game.others(situation.speaker)[0]


# Offers


def _offers(filled: SlotFillingResult, situation: DialogueContext) -> tuple[Offer, ...]:
    """The offers that a text may mean: one, or one for each of its alternatives."""
    seats = situation.game.seats
    alternatives = [
        _visible_terms(terms, filled, seats, situation.speaker) for terms in _alternatives(filled)
    ]
    return tuple(dict.fromkeys(offer for offer in alternatives if offer))[:_MOST_OFFERS]


def _alternatives(filled: SlotFillingResult) -> Iterator[Offer]:
    if len(filled.alternatives) > 1:
        yield from filled.alternatives
        return
    terms = dict(filled.composed.terms.terms)
    choices = [[(name, term) for term in options] for name, options in filled.composed.choices]
    for picked in islice(product(*choices), _MOST_OFFERS):
        yield Offer({**terms, **dict(picked)})


def _visible_terms(offer: Offer, filled: SlotFillingResult, seats: Sequence[Seat], speaker: Seat) -> Offer:
    """With more than two seats only the speaker's own share of units is told, or the same for each seat."""
    if len(seats) == 2:
        return offer
    alike = {one.issue for one in filled.chosen if one.kind == CandidateKind.EACH}
    kept: dict[str, Term] = {}
    for name, term in offer.terms:
        if not isinstance(term, Allocation):
            kept[name] = term
        elif name in alike and term.of(speaker) * len(seats) <= term.total:
            units = term.of(speaker)
            kept[name] = Allocation(dict.fromkeys(seats, units), term.total - units * len(seats))
        elif name in filled.speaker_share_issues:
            kept[name] = Allocation({speaker: term.of(speaker)}, term.total - term.of(speaker))
    return Offer(kept)


def _states_wish(filled: SlotFillingResult) -> bool:
    """Return whether a text states a wish or a limit rather than a proposal."""
    acts = filled.acts
    return acts["wish"] + acts["limit"] > acts["offer"] or any(
        piece.bound is not None or piece.tag in (Tag.AT_LEAST, Tag.AT_MOST)
        for piece in filled.segmented.spans
    )


def _confidence(
    filled: SlotFillingResult, offers: Sequence[Offer], situation: DialogueContext, *, is_consistent: bool
) -> float:
    if not offers:
        return 0.0
    seated = any(piece.tag == Tag.SEAT for piece in filled.segmented.spans)
    dropped = len(situation.game.seats) > 2 and len(offers[0]) < len(filled.composed.terms)
    unsure = len(offers) > 1 or bool(filled.composed.choices) or seated or dropped or not is_consistent
    return min(filled.certainty, _MAX_AMBIGUOUS_CONFIDENCE) if unsure else filled.certainty


def _ambiguity(filled: SlotFillingResult, offers: Sequence[Offer], words: GameVocabulary) -> Ambiguity | None:
    if len(offers) > 1:
        return Ambiguity.EITHER
    return find_ambiguity(filled, words)


# A yes


def _requested_confirmation(
    situation: DialogueContext, state: DialogueState, other: Seat
) -> InterpretedTurn | None:
    """The other side's last turn if it asked for a yes to other terms than are on the table.

    A yes does not confirm such terms if their reading was itself unsure, and it accepts nothing else either.
    """
    last = situation.history[-1] if situation.history else None
    if last is None or last.sender == situation.speaker or last.offer is not None:
        return None
    turn = state.last.get(other)
    if turn is None or not (turn.is_question or turn.requests_offer):
        return None
    if not turn.terms:
        return turn if turn.requests_offer and turn.issues else None
    stands = all(situation.on_table.get(name) == term for name, term in turn.terms.terms)
    return None if stands else turn


def _confirmation_of(offer: Offer, text: str, *, plain: bool) -> Interpretation:
    acts = (
        DialogueAct(M.CONFIRMATION, CONFIDENCE_THRESHOLD),
        DialogueAct(M.OFFER_PROPOSE, CONFIDENCE_THRESHOLD),
    )
    about = tuple(name for name, _ in offer.terms)
    return Interpretation(text, acts, (offer,), CONFIDENCE_THRESHOLD, about=about, echoes=True, plain=plain)


def _is_agreement(filled: SlotFillingResult, speech: ContextualActs) -> bool:
    """Whether the models are sure that a short text agrees, in whatever words."""
    short = (
        not filled.segmented.slots
        and len(filled.segmented.tokens) <= _MAX_AGREEMENT_TOKENS
        and not speech.hedged
    )
    return short and filled.acts["accept"] >= _AGREEMENT_PROBABILITY


def _is_acceptance(
    speech: ContextualActs, filled: SlotFillingResult, offers: tuple[Offer, ...], on_table: Offer
) -> bool:
    """Whether a text agrees to the offer on the table: without terms, with its own, or with others."""
    if filled.acts["refuse"] >= _LIKELY or filled.acts["jest"] >= _LIKELY:
        return False
    if not offers or offers == (on_table,):
        return speech.accepts or _is_agreement(filled, speech)
    adds = bool(on_table) and all(on_table.get(name) is None for offer in offers for name, _ in offer.terms)
    return speech.agrees and adds


# Acts


def _acts(speech: ContextualActs, filled: SlotFillingResult, proposed: float) -> Iterator[DialogueAct]:
    """The acts of the patterns and of the models; a text that puts terms forward proposes, whatever else."""
    there = set()
    for act in speech.acts:
        name, _ = _MODEL_ACTS.get(act.subtype, ("", 0.0))
        if filled.acts.get(name, 1.0) >= _UNLIKELY:
            there.add(act.subtype)
            yield act
    for subtype, (name, least) in _MODEL_ACTS.items():
        if subtype not in there and filled.acts[name] >= least:
            yield DialogueAct(subtype, filled.acts[name])
    if proposed and M.OFFER_PROPOSE not in there:
        yield DialogueAct(M.OFFER_PROPOSE, proposed)


def parse_message(message: Message, context: DialogueContext, parser: Parser = parse) -> Interpretation:
    """Return the interpretation of a message: typed text is parsed, a chosen phrase has a fixed meaning."""
    if message.subtype == M.GENERIC:
        return parser(message.text, context)
    stated = message.preference
    about = () if stated is None else tuple(filter(None, (stated.issue1, stated.issue2)))
    if stated is None and message.subtype == M.PREF_REQUEST:
        # Whether it asks for what matters most or least is in its words alone.
        stated = next((each for each in parser(message.text, context).preferences if each.is_question), None)
    act = DialogueAct(message.subtype, 1.0, stated, message.batna)
    return Interpretation(message.text, (act,), about=about, accepts=message.subtype == M.OFFER_ACCEPT)
