"""What words ask of an agent that talks about a deal: the speech acts, brought down to what it does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from negoplatform.core.events import MessageSubtype, Relation
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.language import Ambiguity, Interpretation

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


class OpponentIntent(IntEnum):
    """What words ask for, the weightier the higher."""

    NOTHING = 0
    """No answer: they think, or confirm or explain what they said."""
    SMALL_TALK = 1
    TIME_LEFT = 2
    EXPLANATION = 3
    """They have not understood."""
    QUERY = 4
    """What the agent wants at an issue."""
    PROPOSAL = 5
    INFORMAL_OFFER = 6
    """They speak of a deal, and have not sent it."""
    COMPROMISE = 7
    CONDITIONAL_ACCEPT = 8
    """A yes with an if or a but that says no terms."""
    REJECT = 9
    ACCEPT = 10


@dataclass(frozen=True, slots=True)
class OpponentMessage:
    """What was said, as far as it matters.

    Args:
        intent: What it asks for.
        subtype: What it does.
        about: The issues that it is about, by name.
        offers: The offers that the words may mean; never taken for a formal one.
        doubt: What is missing before they could be one.
        least: Whether they ask for what matters least, and not for what matters most.
        agent_terms: All that the agent stood for when they were said: a yes counts for nothing that came later.
    """

    intent: OpponentIntent
    subtype: MessageSubtype = M.GENERIC
    about: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    doubt: Ambiguity | None = None
    least: bool = False
    agent_terms: Offer = EMPTY_OFFER


def interpret_message(reading: Interpretation, agent_terms: Offer = EMPTY_OFFER) -> OpponentMessage:
    """What a message asks for, by what was understood of it; a chosen phrase says itself what it does.

    Args:
        reading: What was understood.
        agent_terms: All that the agent stands for as they are said.
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
    """What words ask for by more than what they do in the main; None if that says it all."""
    if reading.offers:
        return OpponentIntent.INFORMAL_OFFER
    if reading.refuses or reading.has(M.OFFER_REJECT):
        return OpponentIntent.REJECT
    if reading.doubt is not None or (reading.about and reading.subtype is M.CLARIFICATION):
        return OpponentIntent.INFORMAL_OFFER  # "I said 4 apples"
    asks = reading.subtype is M.GENERIC and reading.text.rstrip().endswith("?")
    return OpponentIntent.QUERY if reading.about and asks else None
