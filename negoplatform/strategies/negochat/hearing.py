"""What words ask of an agent that talks about a deal: the speech acts, brought down to what it does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from negoplatform.core.events import Message, MessageSubtype, Preference, Relation
from negoplatform.domain.offer import Offer
from negoplatform.language.reading import Doubt, Reading

M = MessageSubtype

HALFWAY = ("compromis", "halfway", "half way", "half-way", "in the middle")
"""Pieces of words that ask for a compromise."""

NO = {"no", "nope", "nah", "never", "no thanks", "no thank you", "no sorry", "sorry no"}
"""What is a no to what the agent proposed, also while an offer of the other is on the table."""

LEAST = (
    "matters least",
    "matter least",
    "least important",
    "need least",
    "want least",
    "care least",
    "care about least",
)
"""Pieces of a question about what matters little; "the least you would take" is none."""

COURTESIES = {M.GREETING, M.FAREWELL, M.THANKS, M.APOLOGY, M.GENERIC_POS}
"""What may be left without an answer after some rounds of it."""

ANSWERS = {
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
    NO = 8
    YES = 9


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
    """

    wish: Wish
    subtype: MessageSubtype = M.GENERIC
    about: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    doubt: Doubt | None = None
    least: bool = False


def hear(message: Message, reading: Reading | None) -> Heard:
    """What a message asks for.

    Args:
        message: The message; a chosen phrase says itself what it does.
        reading: What was understood of one that was typed; None for a phrase.
    """
    if reading is None:
        stated = message.preference
        issues = (stated.issue1, stated.issue2) if stated is not None else ()
        about = tuple(issue for issue in issues if issue is not None)
        wish = _wish(message.subtype, message.text, None)
        return Heard(wish, message.subtype, about, least=_asks_for_least(message.text, stated))
    wish = _wish(reading.subtype, message.text, reading)
    asked = next((each for each in reading.preferences if each.is_question), None)
    least = _asks_for_least(message.text, asked)
    return Heard(wish, reading.subtype, reading.about, reading.offers, reading.doubt, least)


def _asks_for_least(text: str, asked: Preference | None) -> bool:
    if asked is not None and asked.relation in (Relation.BEST, Relation.WORST):
        return asked.relation is Relation.WORST
    return any(piece in text.lower() for piece in LEAST)


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalpha() else " " for letter in text.lower()).split()


def _wish(subtype: MessageSubtype, text: str, reading: Reading | None) -> Wish:
    if subtype is M.OFFER_ACCEPT or (reading is not None and reading.accepts):
        return Wish.YES
    if any(piece in text.lower() for piece in HALFWAY):
        return Wish.COMPROMISE
    if reading is not None and (typed := _typed_wish(subtype, text, reading)) is not None:
        return typed
    match subtype:
        case M.OFFER_REJECT:
            return Wish.NO
        case M.OFFER_PROPOSE:
            return Wish.IN_WORDS
        case M.OFFER_REQUEST_POS | M.OFFER_REQUEST_NEG | M.TIMING | M.GREETING:
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


def _typed_wish(subtype: MessageSubtype, text: str, reading: Reading) -> Wish | None:
    """What typed words ask for by more than what they do; None if that says it all."""
    if reading.offers:
        return Wish.IN_WORDS
    if reading.has(M.OFFER_REJECT) or " ".join(_words(text)) in NO:
        return Wish.NO
    if reading.doubt is not None or (reading.about and subtype is M.CLARIFICATION):
        return Wish.IN_WORDS  # "I said 4 apples"
    return Wish.QUERY if reading.about and subtype is M.GENERIC and text.rstrip().endswith("?") else None
