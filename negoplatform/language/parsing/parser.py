"""From typed words to speech acts and offers: deterministic and offline."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product

from negoplatform.core.events import Message, MessageSubtype
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer, Term
from negoplatform.domain.seat import Seat
from negoplatform.language.parsing.ambiguities import doubt_of
from negoplatform.language.parsing.consistency_checks import failed_check
from negoplatform.language.parsing.contextual_acts import Speech, speech_in
from negoplatform.language.parsing.dialogue_act_rules import utterance_of
from negoplatform.language.parsing.dialogue_context import Said, Situation
from negoplatform.language.parsing.dialogue_state import TalkState, Turn
from negoplatform.language.parsing.interpretation import SURE, Act, Doubt, PartKind, Reading
from negoplatform.language.parsing.slot_filling import Interpretation, interpret
from negoplatform.language.parsing.slots import GameWords, Kind, game_words
from negoplatform.language.parsing.tagger import Tag
from negoplatform.language.parsing.text_annotations import is_plain, is_plain_yes, parts_of
from negoplatform.language.parsing.trained_models import models

_UNSURE = 0.6
"""How sure a reading is at most that has alternatives or contradicts itself."""
_SAID = 0.5
"""From here on terms count as said, for what is said after them."""
_ACTS = {
    MessageSubtype.OFFER_REJECT: ("refuse", 0.5),
    MessageSubtype.OFFER_ACCEPT: ("accept", 0.75),
}
"""The class of an act, and the probability from which on it is one that no pattern finds."""
_LIKELY, _UNLIKELY = 0.5, 0.3
"""An act is there from ``_LIKELY`` on; one that a pattern finds is dropped below ``_UNLIKELY``."""
_CLEAR = frozenset({PartKind.TERM, PartKind.QUESTION, PartKind.REPORT})
"""Words of other kinds in what the other side asks for keep a yes from confirming it."""
_LONGEST_YES, _AGREES = 20, 0.85
"""A text of no more words and signs accepts what is on the table if the models are so sure of it."""
_MOST_OFFERS = 4
_KEPT_STATES = 40

M = MessageSubtype


def understand(text: str, situation: Situation) -> Reading:
    """Read a text where it is said.

    Args:
        text: What somebody typed.
        situation: Where they said it.

    Returns:
        The reading; empty, with the text alone, if nothing was recognised.

    Raises:
        NegoError: If typed words are not read in the situation's language.
    """
    words = game_words(situation.game, situation.language)
    speech = speech_in(words.lexicon.tokens(text), situation, words.lexicon)
    other = _other(situation)
    state = talk_state(situation, words)
    said = _interpreted(text, words, state, situation.speaker, other)
    offers, parts = _offers(said, situation), parts_of(text, said, words)
    bare = not offers and (speech.is_yes or (_agrees(said, speech) and not speech.accepts))
    asked_for = _asked_for(situation, state, other) if bare else None
    if asked_for is not None and asked_for.terms and asked_for.sure and asked_for.clear:
        # A yes may also be meant for an own offer that the other side has accepted.
        plain = is_plain_yes(parts, said, speech, words) and not situation.accepted
        return _yes_to(asked_for.terms, text, plain=plain)
    sure, doubt = _sure(said, offers, situation), _doubt(said, offers, words)
    failed = failed_check(said, words, state, other) if said.composed.terms else None
    if failed is not None or (said.composed.terms and not offers):
        sure, doubt = min(sure, _UNSURE), failed or Doubt.WHO
    soft = bool(offers) and (_is_bound(said) or said.acts["wish"] + said.acts["limit"] > said.acts["offer"])
    acts = _acts(speech, said, sure if offers and not soft else 0.0)
    reading = Reading(
        text,
        # A yes to terms that were not surely read agrees to nothing, for agents either.
        acts=tuple(act for act in acts if asked_for is None or act.subtype != M.OFFER_ACCEPT),
        offers=offers,
        sure=sure,
        doubt=doubt if sure < SURE else None,
        about=said.named,
        accepts=asked_for is None
        and not (doubt and sure < SURE)
        and _accepts(speech, said, offers, situation.on_table),
        conditional=bool(offers) and any(piece.tag == Tag.IF for piece in said.cut.pieces),
        soft=soft,
        adapts=speech.adapts and bool(offers),
        hedged=speech.hedged,
        refuses=not offers and said.acts["refuse"] >= _LIKELY and "refuses" in speech.short,
        halfway="halfway" in speech.short,
        parts=parts,
    )
    return replace(reading, plain=is_plain(reading, said, speech, words))


def talk_state(situation: Situation, words: GameWords) -> TalkState:
    """The state of the talk before a situation; what was said before is read in turn, and kept."""
    talk = situation.talk
    known = len(talk)
    state: TalkState | None = None
    while known and state is None:
        state = _states.get(_key(words, talk[:known]))
        known -= state is None
    state = state or TalkState()
    for i in range(known, len(talk)):
        state = _after(state, talk[i], words, situation)
        _states[_key(words, talk[: i + 1])] = state
        if len(_states) > _KEPT_STATES:
            _states.popitem(last=False)
    maker = situation.maker
    if maker is not None and (state.on_table != situation.on_table or state.maker != maker):
        state = state.after(maker, Turn(situation.on_table, situation.on_table.issues, formal=True))
    return state


# Every message is followed by others: each is read once, where it was said.
_states: OrderedDict[tuple[object, ...], TalkState] = OrderedDict()


def _key(words: GameWords, talk: Sequence[Said]) -> tuple[object, ...]:
    return (words, *talk)


def _after(state: TalkState, said: Said, words: GameWords, situation: Situation) -> TalkState:
    if said.offer is not None:
        return state.after(said.sender, Turn(said.offer, said.offer.issues, formal=True))
    other = next(seat for seat in situation.game.seats if seat != said.sender)
    read = _interpreted(said.text, words, state, said.sender, other)
    utterance = utterance_of(read.cut.tokens, words.lexicon, words.language)
    turn = Turn(
        read.composed.terms if read.certainty >= _SAID else EMPTY_OFFER,
        read.named,
        asked="?" in said.text,
        accepted=read.acts["accept"] >= _LIKELY,
        sure=read.certainty >= SURE and not read.composed.choices,
        clear=bool(read.composed.terms)
        and all(part.kind in _CLEAR for part in parts_of(said.text, read, words)),
        requests=any(saying.act.subtype == M.OFFER_REQUEST_POS for saying in utterance.sayings),
    )
    return state.after(said.sender, turn)


# A state is made once for each turn; states are compared by identity.
@lru_cache(maxsize=64)
def _interpreted(text: str, words: GameWords, state: TalkState, speaker: Seat, other: Seat) -> Interpretation:
    return interpret(text, words, state, speaker, other, models())


def _other(situation: Situation) -> Seat:
    """The seat across the table; of several, the first."""
    return situation.game.others(situation.speaker)[0]


# Offers


def _offers(said: Interpretation, situation: Situation) -> tuple[Offer, ...]:
    """The offers that a text may mean: one, or one for each of its alternatives."""
    seats = situation.game.seats
    alternatives = [_for_seats(terms, said, seats, situation.speaker) for terms in _alternatives(said)]
    return tuple(dict.fromkeys(offer for offer in alternatives if offer))[:_MOST_OFFERS]


def _alternatives(said: Interpretation) -> Iterator[Offer]:
    if len(said.alternatives) > 1:
        yield from said.alternatives
        return
    terms = dict(said.composed.terms.terms)
    choices = [[(name, term) for term in options] for name, options in said.composed.choices]
    for picked in islice(product(*choices), _MOST_OFFERS):
        yield Offer({**terms, **dict(picked)})


def _for_seats(offer: Offer, said: Interpretation, seats: Sequence[Seat], speaker: Seat) -> Offer:
    """With more than two seats only the speaker's own share of units is told, or the same for each seat."""
    if len(seats) == 2:
        return offer
    alike = {one.issue for one in said.chosen if one.kind == Kind.EACH}
    kept: dict[str, Term] = {}
    for name, term in offer.terms:
        if not isinstance(term, Allocation):
            kept[name] = term
        elif name in alike and term.of(speaker) * len(seats) <= term.total:
            units = term.of(speaker)
            kept[name] = Allocation(dict.fromkeys(seats, units), term.total - units * len(seats))
        elif name in said.own:
            kept[name] = Allocation({speaker: term.of(speaker)}, term.total - term.of(speaker))
    return Offer(kept)


def _is_bound(said: Interpretation) -> bool:
    """Whether a text speaks of the most or the least that somebody would have."""
    return any(
        piece.bound is not None or piece.tag in (Tag.AT_LEAST, Tag.AT_MOST) for piece in said.cut.pieces
    )


def _sure(said: Interpretation, offers: Sequence[Offer], situation: Situation) -> float:
    if not offers:
        return 0.0
    seated = any(piece.tag == Tag.SEAT for piece in said.cut.pieces)
    dropped = len(situation.game.seats) > 2 and len(offers[0]) < len(said.composed.terms)
    unsure = len(offers) > 1 or bool(said.composed.choices) or seated or dropped
    return min(said.certainty, _UNSURE) if unsure else said.certainty


def _doubt(said: Interpretation, offers: Sequence[Offer], words: GameWords) -> Doubt | None:
    if len(offers) > 1:
        return Doubt.EITHER
    return doubt_of(said, words)


# A yes


def _asked_for(situation: Situation, state: TalkState, other: Seat) -> Turn | None:
    """The other side's last turn if it asked for a yes to other terms than are on the table.

    A yes does not confirm such terms if their reading was itself unsure, and it accepts nothing else either.
    """
    last = situation.talk[-1] if situation.talk else None
    if last is None or last.sender == situation.speaker or last.offer is not None:
        return None
    turn = state.last.get(other)
    if turn is None or not (turn.asked or turn.requests):
        return None
    if not turn.terms:
        return turn if turn.requests and turn.issues else None
    stands = all(situation.on_table.get(name) == term for name, term in turn.terms.terms)
    return None if stands else turn


def _yes_to(offer: Offer, text: str, *, plain: bool) -> Reading:
    acts = (Act(M.CONFIRMATION, SURE), Act(M.OFFER_PROPOSE, SURE))
    about = tuple(name for name, _ in offer.terms)
    return Reading(text, acts, (offer,), SURE, about=about, echoes=True, plain=plain)


def _agrees(said: Interpretation, speech: Speech) -> bool:
    """Whether the models are sure that a short text agrees, in whatever words."""
    short = not said.cut.slots and len(said.cut.tokens) <= _LONGEST_YES and not speech.hedged
    return short and said.acts["accept"] >= _AGREES


def _accepts(speech: Speech, said: Interpretation, offers: tuple[Offer, ...], on_table: Offer) -> bool:
    """Whether a text agrees to the offer on the table: without terms, with its own, or with others."""
    if said.acts["refuse"] >= _LIKELY or said.acts["jest"] >= _LIKELY:
        return False
    if not offers or offers == (on_table,):
        return speech.accepts or _agrees(said, speech)
    adds = bool(on_table) and all(on_table.get(name) is None for offer in offers for name, _ in offer.terms)
    return speech.agrees and adds


# Acts


def _acts(speech: Speech, said: Interpretation, proposed: float) -> Iterator[Act]:
    """The acts of the patterns and of the models; a text that puts terms forward proposes, whatever else."""
    there = set()
    for act in speech.acts:
        name, _ = _ACTS.get(act.subtype, ("", 0.0))
        if said.acts.get(name, 1.0) >= _UNLIKELY:
            there.add(act.subtype)
            yield act
    for subtype, (name, least) in _ACTS.items():
        if subtype not in there and said.acts[name] >= least:
            yield Act(subtype, said.acts[name])
    if proposed and M.OFFER_PROPOSE not in there:
        yield Act(M.OFFER_PROPOSE, proposed)


def read_message(message: Message, situation: Situation) -> Reading:
    """Read a message: typed words are understood; a phrase that was chosen has its meaning by itself."""
    if message.subtype == M.GENERIC:
        return understand(message.text, situation)
    stated = message.preference
    about = () if stated is None else tuple(filter(None, (stated.issue1, stated.issue2)))
    if stated is None and message.subtype == M.PREF_REQUEST:
        # Whether it asks for what matters most or least is in its words alone.
        stated = next(
            (each for each in understand(message.text, situation).preferences if each.is_question), None
        )
    act = Act(message.subtype, 1.0, stated, message.batna)
    return Reading(message.text, (act,), about=about, accepts=message.subtype == M.OFFER_ACCEPT)
