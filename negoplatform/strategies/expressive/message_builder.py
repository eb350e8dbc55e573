"""Messages of an expressive agent: from templates, and no sentence three times."""

from __future__ import annotations

from random import Random

from negoplatform.agent_api.actions import Action, SendMessage, ShowTyping
from negoplatform.core.events import MessageSubtype, Preference
from negoplatform.language.generation import Words
from negoplatform.strategies.conversation_helpers import Sentences

_SUBTYPES = {
    "greeting": MessageSubtype.GREETING,
    "greeting_back": MessageSubtype.GREETING,
    "farewell": MessageSubtype.FAREWELL,
    "thanks": MessageSubtype.THANKS,
    "apology": MessageSubtype.APOLOGY,
    "small_talk_pos": MessageSubtype.GENERIC_POS,
    "small_talk_neg": MessageSubtype.GENERIC_NEG,
    "promise": MessageSubtype.CONFIRMATION,
    "confusion": MessageSubtype.CLARIFICATION,
    "confirmation": MessageSubtype.CONFIRMATION,
    "clarification": MessageSubtype.CONFIRMATION,
    "unclear": MessageSubtype.CONFUSION,
    "think_it_over": MessageSubtype.TIMING_INFO,
    "take_time": MessageSubtype.CONFIRMATION,
    "yours_missing": MessageSubtype.TIMING,
    "accept_offer": MessageSubtype.OFFER_ACCEPT,
    "part_agreed": MessageSubtype.CONFIRMATION,
    "reject_offer": MessageSubtype.OFFER_REJECT,
    "ask_for_offer": MessageSubtype.OFFER_REQUEST_POS,
    "ask": MessageSubtype.CONFUSION,
    "ask_whether_yes": MessageSubtype.CLARIFICATION,
    "ask_what_to_change": MessageSubtype.OFFER_REQUEST_POS,
    "send_as_offer": MessageSubtype.OFFER_REQUEST_POS,
    "say_impossible": MessageSubtype.CONFUSION,
    "no_deal_here": MessageSubtype.OFFER_REJECT,
    "offer_agreed": MessageSubtype.CONFIRMATION,
    "threat_answer": MessageSubtype.CONFIRMATION,
    "face": MessageSubtype.GENERIC_POS,
    "pref_request": MessageSubtype.PREF_REQUEST,
    "pref_request_specific": MessageSubtype.PREF_SPECIFIC_REQUEST,
    "pref_request_answer": MessageSubtype.PREF_WITHHOLD,
    "pref_contradiction": MessageSubtype.PREF_SPECIFIC_REQUEST,
    "pref_info": MessageSubtype.PREF_INFO,
    "pref_noted": MessageSubtype.CONFIRMATION,
    "pref_withhold": MessageSubtype.PREF_WITHHOLD,
    "pref_withheld": MessageSubtype.CONFIRMATION,
    "batna_info": MessageSubtype.BATNA_INFO,
    "batna_request": MessageSubtype.BATNA_REQUEST,
    "batna_request_answer": MessageSubtype.CONFIRMATION,
    "batna_contradiction": MessageSubtype.BATNA_REQUEST,
    "batna_noted": MessageSubtype.CONFIRMATION,
    "favor_request": MessageSubtype.FAVOR_REQUEST,
    "favor_accept": MessageSubtype.FAVOR_ACCEPT,
    "favor_reject": MessageSubtype.FAVOR_REJECT,
    "favor_return": MessageSubtype.FAVOR_RETURN,
    "favor_taken": MessageSubtype.CONFIRMATION,
    "favor_refused": MessageSubtype.CONFIRMATION,
    "timing": MessageSubtype.TIMING_INFO,
    "idle_prompt": MessageSubtype.TIMING,
    "hurry": MessageSubtype.TIMING_INFO,
    "introduce_offer": MessageSubtype.OFFER_PROPOSE,
    "counter_offer": MessageSubtype.OFFER_PROPOSE,
    "complete_offer": MessageSubtype.OFFER_PROPOSE,
    "part_offer": MessageSubtype.OFFER_PROPOSE,
    "offer": MessageSubtype.OFFER_PROPOSE,
    "threat_give_way": MessageSubtype.OFFER_PROPOSE,
    "threat_offer": MessageSubtype.OFFER_PROPOSE,
    "take_yours": MessageSubtype.OFFER_PROPOSE,
    "stand_by": MessageSubtype.CONFIRMATION,
}
"""Speech acts by kind of message or by the beginning of its name; all others are GENERIC."""


class ExpressiveMessageBuilder:
    """Builder of one agent's messages in one game.

    Args:
        words: The templates to draw from.
    """

    def __init__(self, words: Words) -> None:
        self._sentences = Sentences(words)

    def clause(self, kind: str, rng: Random, /, **slots: object) -> str:
        """Return a part of a sentence, for the slot of another message."""
        return self._sentences.part(kind, rng, **slots)

    def say(
        self,
        kind: str,
        rng: Random,
        /,
        *,
        preference: Preference | None = None,
        batna: float | None = None,
        flushable: bool = True,
        **slots: object,
    ) -> list[Action]:
        """Return the typing sign and then a message of a kind, or nothing rather than a repetition.

        Args:
            kind: The kind of message.
            rng: The random numbers.
            preference: The preference that the message states or asks about.
            batna: The stated value of no deal.
            flushable: Dropped, if still waiting, when another seat speaks, offers, accepts or quits.
            slots: The slots of the templates.
        """
        text = self._sentences.draw(kind, rng, **slots)
        if text is None:
            return []
        typing = min(1500, 400 + 15 * len(text))
        words = SendMessage(
            text,
            subtype_of(kind),
            delay_ms=typing,
            preference=preference,
            batna=batna,
            flushable=flushable,
        )
        return [ShowTyping(typing), words]


def subtype_of(kind: str) -> MessageSubtype:
    """Return the speech act of a kind of message."""
    while kind not in _SUBTYPES and "_" in kind:
        kind = kind.rpartition("_")[0]
    return _SUBTYPES.get(kind, MessageSubtype.GENERIC)
