"""Parser of typed messages: dialogue acts and offers, deterministic and offline."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product
from typing import Protocol

from negoplatform.core.events import Message, MessageSubtype
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.language.generation import read_requested_terms
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
from negoplatform.language.parsing.offer_ambiguities import find_ambiguity
from negoplatform.language.parsing.one_key_confirmation import is_plain, is_plain_yes
from negoplatform.language.parsing.seats.seat_items import SpeakerContext
from negoplatform.language.parsing.seats.seat_mentions import find_called, find_seats, seat_names
from negoplatform.language.parsing.seats.several_seats import fill_for_several
from negoplatform.language.parsing.slots.slot_detection import GameVocabulary, game_vocabulary
from negoplatform.language.parsing.slots.slot_filling import SlotFillingResult, fill_slots
from negoplatform.language.parsing.text_annotations import annotate_text
from negoplatform.language.parsing.trained_models import load_models
from negoplatform.language.parsing.words.lexical_tagger import Tag

M = MessageSubtype

_MAX_AMBIGUOUS_CONFIDENCE = 0.6
"""Maximum confidence of an interpretation that has alternatives or contradicts itself."""
_STATED_CERTAINTY = 0.5
"""Minimum certainty at which later texts may refer to a text's terms."""
_MODEL_ACTS = {
    MessageSubtype.OFFER_REJECT: ("refuse", 0.5),
    MessageSubtype.OFFER_ACCEPT: ("accept", 0.75),
}
"""Classifier of each act, and the minimum probability of an act that no pattern finds."""
_OTHER_AGREEMENTS = frozenset({M.FAVOR_ACCEPT, M.FAVOR_REJECT})
"""Acts that agree, or not, to something other than an offer."""
_OFFER_REQUESTS = frozenset({M.OFFER_REQUEST_POS, M.OFFER_REQUEST_NEG})
_LIKELY, _UNLIKELY = 0.5, 0.3
"""Minimum probabilities of an act that is only classified, and of one that a pattern finds."""
_UNAMBIGUOUS_KINDS = frozenset({AnnotationKind.TERM, AnnotationKind.QUESTION, AnnotationKind.REPORT})
"""Annotations that allow a yes to confirm the terms of the other side's request."""
_MAX_AGREEMENT_TOKENS, _AGREEMENT_PROBABILITY = 20, 0.85
"""Maximum length and minimum probability of a text that accepts what is on the table without a known yes."""
_MOST_OFFERS = 4
_KEPT_STATES = 40


class Parser(Protocol):
    """Interface of a parser: ``parse``, or another one that replaces it.

    A parser is deterministic, so that a resumed or repeated session yields the same interpretations. Of the
    game it uses only the issues and seats. Several threads may call it.
    """

    def __call__(self, text: str, context: DialogueContext, /) -> Interpretation:
        """Return the interpretation of a text that the speaker of a context has typed."""
        ...


def parse(text: str, context: DialogueContext) -> Interpretation:
    """Return the interpretation of a text.

    Args:
        text: The text as it was typed.
        context: Its context.

    Returns:
        The interpretation; empty except for the text if nothing was recognised.

    Raises:
        NegoError: If the language of the context cannot be parsed.
    """
    words = game_vocabulary(context.game, context.language)
    speech = contextual_acts(words.lexicon.tokenize(text), context, words.lexicon)
    other = _other(text, context, words)
    state = track_dialogue_state(context, words)
    filled = _fill_slots(text, words, state, context.speaker, other)
    if len(context.game.seats) > 2:
        filled = fill_for_several(filled, words, SpeakerContext(context.game, context.speaker, context.to))
    # "What do you think about Saturday?" asks about a term and proposes none.
    opinion = "opinion" in speech.cues and len(filled.used_slots) <= 1
    offers = () if opinion else _offers(filled)
    parts = annotate_text(text, filled, words)
    bare = not offers and (speech.is_yes or (_is_agreement(filled, speech) and not speech.accepts))
    asked_for = _requested_confirmation(text, context, state, words) if bare else None
    if asked_for is not None and asked_for.terms and asked_for.confident and asked_for.unambiguous:
        # A yes may also refer to the speaker's own offer that the other side has accepted.
        plain = is_plain_yes(parts, filled, speech, words) and not context.accepted
        return _confirmation_of(asked_for.terms, text, plain=plain)
    failed = _inconsistency(filled, offers, words, state, other)
    sure = _confidence(filled, offers, is_consistent=failed is None)
    asks = not opinion and sure < CONFIDENCE_THRESHOLD
    doubt = (failed or _ambiguity(filled, offers, words)) if asks else None
    soft = bool(offers) and _states_wish(filled)
    acts = _acts(speech, filled, sure if offers and not soft else 0.0)
    concerns_table = _concerns_table(filled, context, words)
    interpretation = Interpretation(
        text,
        # A yes to terms that were parsed without confidence accepts nothing, for agents either; nor does a
        # yes to another seat than the maker of the offer on the table.
        acts=tuple(
            act for act in acts if (asked_for is None and concerns_table) or act.subtype != M.OFFER_ACCEPT
        ),
        offers=offers,
        sure=sure,
        doubt=doubt,
        about=filled.named,
        accepts=asked_for is None
        and doubt is None
        and concerns_table
        and _is_acceptance(speech, filled, offers, context.on_table),
        conditional=bool(offers) and any(span.tag == Tag.IF for span in filled.segmented.spans),
        soft=soft,
        adapts=speech.adapts and bool(offers),
        hedged=speech.hedged,
        refuses=not offers and filled.acts["refuse"] >= _LIKELY and "refuses" in speech.cues,
        halfway="halfway" in speech.cues,
        parts=parts,
    )
    return replace(interpretation, plain=is_plain(interpretation, filled, speech, words))


def track_dialogue_state(context: DialogueContext, words: GameVocabulary) -> DialogueState:
    """Return the dialogue state before a text; each past turn is parsed once and cached."""
    talk = context.history
    known = len(talk)
    state: DialogueState | None = None
    while known and state is None:
        state = _states.get(_key(words, context, talk[:known]))
        known -= state is None
    state = state or DialogueState()
    for i in range(known, len(talk)):
        state = _advance_state(state, talk[i], words, context)
        _states[_key(words, context, talk[: i + 1])] = state
        if len(_states) > _KEPT_STATES:
            _states.popitem(last=False)
    maker = context.maker
    if maker is not None and (state.on_table != context.on_table or state.maker != maker):
        state = state.after_turn(
            maker, InterpretedTurn(context.on_table, context.on_table.issues, formal=True)
        )
    return state


# Every message becomes history of later ones: each is parsed once, in its own context.
_states: OrderedDict[tuple[object, ...], DialogueState] = OrderedDict()


def _key(words: GameVocabulary, context: DialogueContext, talk: Sequence[DialogueTurn]) -> tuple[object, ...]:
    return (words, context.game.names, *talk)


def _advance_state(
    state: DialogueState, past: DialogueTurn, words: GameVocabulary, context: DialogueContext
) -> DialogueState:
    if past.offer is not None:
        return state.after_turn(past.sender, InterpretedTurn(past.offer, past.offer.issues, formal=True))
    past_context = replace(context, speaker=past.sender, history=(), to=())
    other = _other(past.text, past_context, words)
    filled = _fill_slots(past.text, words, state, past.sender, other)
    if len(context.game.seats) > 2:
        filled = fill_for_several(filled, words, SpeakerContext(context.game, past.sender))
    utterance = utterance_acts(filled.segmented.tokens, words.lexicon, words.language)
    turn = InterpretedTurn(
        filled.composed.terms if filled.certainty >= _STATED_CERTAINTY else EMPTY_OFFER,
        filled.named,
        is_question="?" in past.text,
        accepted=filled.acts["accept"] >= _LIKELY,
        confident=filled.certainty >= CONFIDENCE_THRESHOLD and not filled.composed.choices,
        unambiguous=bool(filled.composed.terms)
        and all(part.kind in _UNAMBIGUOUS_KINDS for part in annotate_text(past.text, filled, words)),
        requests_offer=any(one.act.subtype == M.OFFER_REQUEST_POS for one in utterance.conditional_acts),
    )
    return state.after_turn(past.sender, turn)


# A state is created once per turn; states are compared by identity.
@lru_cache(maxsize=64)
def _fill_slots(
    text: str, words: GameVocabulary, state: DialogueState, speaker: Seat, other: Seat
) -> SlotFillingResult:
    return fill_slots(text, words, state, speaker, other, load_models())


def _other(text: str, context: DialogueContext, words: GameVocabulary) -> Seat:
    """Return the seat across the table; of several the one that is spoken to, or else who spoke last."""
    others = context.game.others(context.speaker)
    if len(others) == 1:
        return others[0]
    spoken_to = _spoken_to(text, context, words)
    if len(spoken_to) == 1:
        return spoken_to[0]
    return next((turn.sender for turn in reversed(context.history) if turn.sender in others), others[0])


def _spoken_to(text: str, context: DialogueContext, words: GameVocabulary) -> tuple[Seat, ...]:
    """Return the seats that a text is for: those that it calls by name, or else its recipients."""
    tokens = words.lexicon.tokenize(text)
    mentions = find_seats(tokens, seat_names(context.game, words.lexicon), words.lexicon)
    called = dict.fromkeys(each.seat for each in find_called(tokens, mentions, words.language))
    called.pop(context.speaker, None)
    return tuple(called) or context.to


def _concerns_table(filled: SlotFillingResult, context: DialogueContext, words: GameVocabulary) -> bool:
    """Return whether a yes may be to the offer on the table: with several others, to that of its maker.

    "I agree with Kim" is no yes to the offer of Robin, nor is a yes that only Kim can read.
    """
    if len(context.game.seats) == 2 or context.maker is None:
        return True
    names = seat_names(context.game, words.lexicon)
    named = {each.seat for each in find_seats(filled.segmented.tokens, names, words.lexicon)}
    named |= set(context.to)
    return not named - {context.speaker} or context.maker in named


# Offers


def _offers(filled: SlotFillingResult) -> tuple[Offer, ...]:
    """Return the offers that a text may mean: one, or one for each alternative."""
    return tuple(dict.fromkeys(offer for offer in _alternatives(filled) if offer))[:_MOST_OFFERS]


def _alternatives(filled: SlotFillingResult) -> Iterator[Offer]:
    if len(filled.alternatives) > 1:
        yield from filled.alternatives
        return
    terms = dict(filled.composed.terms.terms)
    choices = [[(name, term) for term in options] for name, options in filled.composed.choices]
    for picked in islice(product(*choices), _MOST_OFFERS):
        yield Offer({**terms, **dict(picked)})


def _states_wish(filled: SlotFillingResult) -> bool:
    """Return whether a text states a wish or a limit rather than a proposal."""
    acts = filled.acts
    return acts["wish"] + acts["limit"] > acts["offer"] or any(
        span.bound is not None or span.tag in (Tag.AT_LEAST, Tag.AT_MOST) for span in filled.segmented.spans
    )


def _confidence(filled: SlotFillingResult, offers: Sequence[Offer], *, is_consistent: bool) -> float:
    if not offers:
        return 0.0
    unsure = len(offers) > 1 or bool(filled.composed.choices) or not is_consistent
    return min(filled.certainty, _MAX_AMBIGUOUS_CONFIDENCE) if unsure else filled.certainty


def _inconsistency(
    filled: SlotFillingResult,
    offers: Sequence[Offer],
    words: GameVocabulary,
    state: DialogueState,
    other: Seat,
) -> Ambiguity | None:
    """Return why the terms of a text cannot be trusted; None if they can, or if there are none."""
    if filled.explained or not filled.composed.terms:
        return None
    found = find_inconsistency(filled, words, state, other)
    return Ambiguity.WHO if found is None and not offers else found


def _ambiguity(filled: SlotFillingResult, offers: Sequence[Offer], words: GameVocabulary) -> Ambiguity | None:
    if len(offers) > 1:
        return Ambiguity.EITHER
    return find_ambiguity(filled, words)


# A yes


def _requested_confirmation(
    text: str, context: DialogueContext, state: DialogueState, words: GameVocabulary
) -> InterpretedTurn | None:
    """Return the other side's last turn if it asked for a yes to terms that are not on the table.

    A yes does not confirm such terms if they were parsed without confidence, and accepts nothing else. Of
    several others, the last one to speak has asked, and a yes to another one by name is none to it.
    """
    last = context.history[-1] if context.history else None
    if last is None or last.sender == context.speaker or last.offer is not None:
        return None
    spoken_to = _spoken_to(text, context, words) if len(context.game.seats) > 2 else ()
    if spoken_to and last.sender not in spoken_to:
        return None
    turn = state.last.get(last.sender)
    if turn is None or not (turn.is_question or turn.requests_offer):
        return None
    if not turn.terms:
        return turn if turn.requests_offer and turn.issues else None
    stands = all(context.on_table.get(name) == term for name, term in turn.terms.terms)
    return None if stands else turn


def _confirmation_of(offer: Offer, text: str, *, plain: bool) -> Interpretation:
    acts = (
        DialogueAct(M.CONFIRMATION, CONFIDENCE_THRESHOLD),
        DialogueAct(M.OFFER_PROPOSE, CONFIDENCE_THRESHOLD),
    )
    about = tuple(name for name, _ in offer.terms)
    return Interpretation(text, acts, (offer,), CONFIDENCE_THRESHOLD, about=about, echoes=True, plain=plain)


def _is_agreement(filled: SlotFillingResult, speech: ContextualActs) -> bool:
    """Return whether the models are sure that a short text agrees, whatever its words."""
    if any(act.subtype in _OTHER_AGREEMENTS for act in speech.acts):
        return False
    short = (
        not filled.segmented.slots
        and len(filled.segmented.tokens) <= _MAX_AGREEMENT_TOKENS
        and not speech.hedged
    )
    return short and filled.acts["accept"] >= _AGREEMENT_PROBABILITY


def _is_acceptance(
    speech: ContextualActs, filled: SlotFillingResult, offers: tuple[Offer, ...], on_table: Offer
) -> bool:
    """Return whether a text accepts the offer on the table: without terms, with its own or more terms."""
    if filled.acts["refuse"] >= _LIKELY or filled.acts["jest"] >= _LIKELY:
        return False
    if not offers or offers == (on_table,):
        return speech.accepts or _is_agreement(filled, speech)
    adds = bool(on_table) and all(on_table.get(name) is None for offer in offers for name, _ in offer.terms)
    return speech.agrees and adds


# Acts


def _acts(speech: ContextualActs, filled: SlotFillingResult, proposed: float) -> Iterator[DialogueAct]:
    """Yield the acts of the patterns and the models; a text with terms proposes in any case."""
    there = set()
    for act in speech.acts:
        name, _ = _MODEL_ACTS.get(act.subtype, ("", 0.0))
        if filled.acts.get(name, 1.0) >= _UNLIKELY:
            there.add(act.subtype)
            yield act
    for subtype, (name, least) in _MODEL_ACTS.items():
        if subtype == M.OFFER_ACCEPT and not there.isdisjoint(_OTHER_AGREEMENTS):
            continue
        if subtype not in there and filled.acts[name] >= least:
            yield DialogueAct(subtype, filled.acts[name])
    if proposed and M.OFFER_PROPOSE not in there:
        yield DialogueAct(M.OFFER_PROPOSE, proposed)


def parse_message(message: Message, context: DialogueContext, parser: Parser = parse) -> Interpretation:
    """Return the interpretation of a message: typed text is parsed, a chosen phrase has a fixed meaning.

    A request for an offer may name terms, which are read exactly or not at all.
    """
    if message.subtype == M.GENERIC:
        return parser(message.text, context)
    stated = message.preference
    about = () if stated is None else tuple(filter(None, (stated.issue1, stated.issue2)))
    if stated is None and message.subtype == M.PREF_REQUEST:
        # Only the text says whether it asks for what matters most or least.
        stated = next((each for each in parser(message.text, context).preferences if each.is_question), None)
    act = DialogueAct(message.subtype, 1.0, stated, message.batna)
    if message.subtype in _OFFER_REQUESTS:
        terms = read_requested_terms(message.text, context.game, context.speaker, context.language)
        if terms is not None:
            about = tuple(name for name, _ in terms.terms)
            # Without confidence: the terms are asked about, and nothing is proposed.
            return Interpretation(message.text, (act,), (terms,), about=about)
    return Interpretation(message.text, (act,), about=about, accepts=message.subtype == M.OFFER_ACCEPT)
