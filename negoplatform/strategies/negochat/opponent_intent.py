"""Intents of messages to an agent that negotiates in words: speech acts, reduced to those it acts on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from negoplatform.core.events import MessageSubtype, Relation
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.language import Ambiguity, Interpretation

M = MessageSubtype

COURTESIES = {M.GREETING, M.FAREWELL, M.THANKS, M.APOLOGY, M.GENERIC_POS}
"""Speech acts that may go unanswered after some rounds of them."""

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
"""Kinds of message that answer speech acts without a move; an offer is requested for all others."""


class OpponentIntent(IntEnum):
    """Intent of a message; a higher value takes precedence."""

    NOTHING = 0
    """No answer needed: the other thinks, or confirms or explains a message."""
    SMALL_TALK = 1
    TIME_LEFT = 2
    EXPLANATION = 3
    """The other has not understood."""
    QUERY = 4
    """A question about the agent's wishes on an issue."""
    PROPOSAL = 5
    INFORMAL_OFFER = 6
    """A deal in words that was not sent as an offer."""
    COMPROMISE = 7
    CONDITIONAL_ACCEPT = 8
    """A yes with an if or a but that names no terms."""
    REJECT = 9
    ACCEPT = 10


@dataclass(frozen=True, slots=True)
class OpponentMessage:
    """Message of the other, reduced to its relevant parts.

    Args:
        intent: Its intent.
        subtype: Its speech act.
        about: The issues that it is about, by name.
        offers: The offers that the words may mean; never taken for a formal one.
        doubt: The missing part of an offer.
        least: Whether it asks for the least important issue instead of the most important one.
        agent_terms: The agent's own terms at the time of the message: a yes does not count for later ones.
    """

    intent: OpponentIntent
    subtype: MessageSubtype = M.GENERIC
    about: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    doubt: Ambiguity | None = None
    least: bool = False
    agent_terms: Offer = EMPTY_OFFER


def interpret_message(reading: Interpretation, agent_terms: Offer = EMPTY_OFFER) -> OpponentMessage:
    """Return the other's message from its interpretation; a chosen phrase states its speech act itself.

    Args:
        reading: The interpretation.
        agent_terms: The agent's own terms at the time.
    """
    asked = next((each for each in reading.preferences if each.is_question), None)
    least = asked is not None and asked.relation is Relation.WORST
    return OpponentMessage(
        _main_intent(reading),
        reading.subtype,
        reading.about,
        reading.offers,
        reading.doubt,
        least,
        agent_terms,
    )


def _main_intent(reading: Interpretation) -> OpponentIntent:
    if reading.accepts:
        return OpponentIntent.ACCEPT
    if reading.subtype is M.OFFER_ACCEPT and reading.doubt is None:
        return (
            OpponentIntent.CONDITIONAL_ACCEPT
            if reading.hedged and not reading.offers
            else OpponentIntent.ACCEPT
        )
    if reading.halfway:
        return OpponentIntent.COMPROMISE
    if (more := _implied_intent(reading)) is not None:
        return more
    match reading.subtype:
        case M.OFFER_REJECT:
            return OpponentIntent.REJECT
        case M.OFFER_PROPOSE | M.OFFER_ACCEPT:
            return OpponentIntent.INFORMAL_OFFER
        case M.OFFER_REQUEST_POS | M.OFFER_REQUEST_NEG | M.TIMING:
            return OpponentIntent.PROPOSAL
        case M.PREF_REQUEST | M.PREF_SPECIFIC_REQUEST:
            return OpponentIntent.QUERY
        case M.CONFUSION:
            return OpponentIntent.EXPLANATION
        case M.TIMING_REQUEST:
            return OpponentIntent.TIME_LEFT
        case M.TIMING_INFO | M.CONFIRMATION | M.CLARIFICATION:
            return OpponentIntent.NOTHING
        case _:
            return OpponentIntent.SMALL_TALK


def _implied_intent(reading: Interpretation) -> OpponentIntent | None:
    """Return an intent beyond that of the main speech act; None if there is none."""
    if reading.offers:
        return OpponentIntent.INFORMAL_OFFER
    if reading.refuses or reading.has(M.OFFER_REJECT):
        return OpponentIntent.REJECT
    if reading.doubt is not None or (reading.about and reading.subtype is M.CLARIFICATION):
        return OpponentIntent.INFORMAL_OFFER  # "I said 4 apples"
    asks = reading.subtype is M.GENERIC and reading.text.rstrip().endswith("?")
    return OpponentIntent.QUERY if reading.about and asks else None
