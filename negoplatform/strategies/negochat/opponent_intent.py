"""What words ask of an agent that talks about a deal: the speech acts, brought down to what it does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from negoplatform.core.events import MessageSubtype, Relation
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.language.parsing.interpretation import Doubt, Reading

M = MessageSubtype

COURTESIES = {M.GREETING, M.FAREWELL, M.THANKS, M.APOLOGY, M.GENERIC_POS}
"""What may be left without an answer after some rounds of it."""

ANSWERS = {
    M.GREETING: "greeting",
    M.THANKS: "thanks",
    M.APOLOGY: "apology",
    M.PROMISE: "promise",
    M.FAREWELL: "farewell",
    M.GENERIC_POS: "small_talk_pos",
    M.GENERIC_NEG: "small_talk_neg",
    M.PREF_INFO: "pref_noted",
    M.PREF_WITHHOLD: "pref_withheld",
    M.BATNA_REQUEST: "batna_request_answer",
    M.BATNA_INFO: "batna_noted",
    M.FAVOR_REQUEST: "favor_reject",
    M.FAVOR_ACCEPT: "favor_taken",
    M.FAVOR_RETURN: "favor_taken",
    M.FAVOR_REJECT: "favor_refused",
    M.THREAT: "threat_answer",
    M.THREAT_POS: "threat_answer",
    M.THREAT_NEG: "threat_answer",
    M.GENERIC: "ask_for_offer",
}
"""The kind of words that answers what moves nothing; what is not understood is asked for as an offer."""


class Wish(IntEnum):
    """What words ask for, the weightier the higher."""

    NOTHING = 0
    """No answer: they think, or confirm or explain what they said."""
    TALK = 1
    TIME = 2
    MEANING = 3
    """They have not understood."""
    QUERY = 4
    """What the agent wants at an issue."""
    PROPOSAL = 5
    IN_WORDS = 6
    """They speak of a deal, and have not sent it."""
    COMPROMISE = 7
    HALF_YES = 8
    """A yes with an if or a but that says no terms."""
    NO = 9
    YES = 10


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said, as far as it matters.

    Args:
        wish: What it asks for.
        subtype: What it does.
        about: The issues that it is about, by name.
        offers: The offers that the words may mean; never taken for a formal one.
        doubt: What is missing before they could be one.
        least: Whether they ask for what matters least, and not for what matters most.
        to: All that the agent stood for when they were said: a yes counts for nothing that came later.
    """

    wish: Wish
    subtype: MessageSubtype = M.GENERIC
    about: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    doubt: Doubt | None = None
    least: bool = False
    to: Offer = EMPTY_OFFER


def hear(reading: Reading, to: Offer = EMPTY_OFFER) -> Heard:
    """What a message asks for, by what was understood of it; a chosen phrase says itself what it does.

    Args:
        reading: What was understood.
        to: All that the agent stands for as they are said.
    """
    asked = next((each for each in reading.preferences if each.is_question), None)
    least = asked is not None and asked.relation is Relation.WORST
    return Heard(_wish(reading), reading.subtype, reading.about, reading.offers, reading.doubt, least, to)


def _wish(reading: Reading) -> Wish:
    if reading.accepts:
        return Wish.YES
    if reading.subtype is M.OFFER_ACCEPT and reading.doubt is None:
        return Wish.HALF_YES if reading.hedged and not reading.offers else Wish.YES
    if reading.halfway:
        return Wish.COMPROMISE
    if (more := _wish_beyond(reading)) is not None:
        return more
    match reading.subtype:
        case M.OFFER_REJECT:
            return Wish.NO
        case M.OFFER_PROPOSE | M.OFFER_ACCEPT:
            return Wish.IN_WORDS
        case M.OFFER_REQUEST_POS | M.OFFER_REQUEST_NEG | M.TIMING:
            return Wish.PROPOSAL
        case M.PREF_REQUEST | M.PREF_SPECIFIC_REQUEST:
            return Wish.QUERY
        case M.CONFUSION:
            return Wish.MEANING
        case M.TIMING_REQUEST:
            return Wish.TIME
        case M.TIMING_INFO | M.CONFIRMATION | M.CLARIFICATION:
            return Wish.NOTHING
        case _:
            return Wish.TALK


def _wish_beyond(reading: Reading) -> Wish | None:
    """What words ask for by more than what they do in the main; None if that says it all."""
    if reading.offers:
        return Wish.IN_WORDS
    if reading.refuses or reading.has(M.OFFER_REJECT):
        return Wish.NO
    if reading.doubt is not None or (reading.about and reading.subtype is M.CLARIFICATION):
        return Wish.IN_WORDS  # "I said 4 apples"
    asks = reading.subtype is M.GENERIC and reading.text.rstrip().endswith("?")
    return Wish.QUERY if reading.about and asks else None
