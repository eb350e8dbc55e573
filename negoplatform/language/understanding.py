"""From words to speech acts and offers: deterministic, offline, and rather silent than wrong."""

from __future__ import annotations

from dataclasses import replace

from negoplatform.core.events import Message, MessageSubtype
from negoplatform.domain.offer import Offer
from negoplatform.language.answers import Speech, speech_in
from negoplatform.language.division import divisions_of
from negoplatform.language.lexicon import lexicon_of
from negoplatform.language.reading import Act, Doubt, Reading
from negoplatform.language.situation import Situation
from negoplatform.language.values import values_in

_ECHOED = 0.95
"""How sure an offer is that the other side has put into words and asked for, and that gets a yes."""


def understand(text: str, situation: Situation) -> Reading:
    """What a text says where it is said.

    Args:
        text: What somebody typed.
        situation: Where they said it.

    Returns:
        The reading; empty, with the text alone, if nothing was recognised.
    """
    lexicon = lexicon_of(situation.game, situation.language)
    tokens = lexicon.tokens(text)
    ways = divisions_of(tokens, situation, lexicon)
    settled = values_in(tokens, situation, lexicon)
    speech = speech_in(tokens, situation, lexicon)
    alternatives = settled.alternatives()
    both = (Offer(way.terms | terms) for way in ways for terms in alternatives)
    offers = tuple(dict.fromkeys(offer for offer in both if offer))
    if not offers and speech.is_yes:
        asked_for = _asked_for(situation)
        if asked_for is not None:
            return _yes_to(asked_for, text)
    sure = min(settled.sure, *(way.sure for way in ways)) if offers else 0.0
    softly = [way.soft for way in ways if way.terms] + [settled.soft] * bool(settled.terms)
    soft = bool(softly) and all(softly)
    doubt = Doubt.EITHER if len(offers) > 1 else ways[0].open_doubt or settled.doubt
    return Reading(
        text,
        acts=_acts(speech, sure if offers and not soft else 0.0),
        offers=offers,
        sure=min(sure, 0.5) if len(ways) > 1 else sure,
        doubt=doubt,
        about=speech.about,
        accepts=not doubt and _accepts(speech, offers, situation.on_table),
        conditional=settled.conditional or any(way.conditional for way in ways),
        soft=soft,
        adapts=speech.adapts,
        hedged=speech.hedged,
        refuses="refuses" in speech.short,
        halfway="halfway" in speech.short,
    )


def _yes_to(offer: Offer, text: str) -> Reading:
    acts = (Act(MessageSubtype.CONFIRMATION, _ECHOED), Act(MessageSubtype.OFFER_PROPOSE, _ECHOED))
    about = tuple(name for name, _ in offer.terms)
    return Reading(text, acts, (offer,), _ECHOED, about=about, echoes=True)


def _asked_for(situation: Situation) -> Offer | None:
    """The offer in the other's last words that they ask the speaker to make; None if they ask for none.

    "So you are thinking of 2 food for you? Please send it as an offer": who says yes to that does not accept
    what the other has on the table.
    """
    said = situation.talk[-1] if situation.talk else None
    if said is None or said.sender == situation.speaker or said.offer is not None:
        return None
    before = replace(situation, speaker=said.sender, talk=situation.talk[:-1], accepted=False)
    reading = understand(said.text, before)
    asks = reading.has(MessageSubtype.OFFER_REQUEST_POS) or said.text.rstrip().endswith("?")
    if len(reading.offers) != 1 or not asks:
        return None
    (offer,) = reading.offers
    stands = all(situation.on_table.get(name) == term for name, term in offer.terms)
    return None if stands else offer


def _accepts(speech: Speech, offers: tuple[Offer, ...], on_table: Offer) -> bool:
    """Whether a text agrees to the offer on the table: without terms, with its own, or with others."""
    if not offers or offers == (on_table,):
        return speech.accepts
    adds = bool(on_table) and all(on_table.get(name) is None for offer in offers for name, _ in offer.terms)
    return speech.agrees and adds


def _acts(speech: Speech, proposed: float) -> tuple[Act, ...]:
    """The acts of a text; one that divides or settles something proposes, whatever else it does."""
    if not proposed or any(act.subtype == MessageSubtype.OFFER_PROPOSE for act in speech.acts):
        return speech.acts
    return (*speech.acts, Act(MessageSubtype.OFFER_PROPOSE, proposed))


def read_message(message: Message, situation: Situation) -> Reading:
    """What a message says: typed words are understood; a phrase that was chosen says itself what it is."""
    if message.subtype == MessageSubtype.GENERIC:
        return understand(message.text, situation)
    stated = message.preference
    about = () if stated is None else tuple(filter(None, (stated.issue1, stated.issue2)))
    if stated is None and message.subtype == MessageSubtype.PREF_REQUEST:
        # Whether it asks for what matters most or least is in its words alone.
        stated = next(
            (each for each in understand(message.text, situation).preferences if each.is_question), None
        )
    act = Act(message.subtype, 1.0, stated, message.batna)
    return Reading(message.text, (act,), about=about, accepts=message.subtype == MessageSubtype.OFFER_ACCEPT)
