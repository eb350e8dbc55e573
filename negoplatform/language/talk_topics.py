"""Topics of typed messages: what a text asks or remarks beyond its dialogue acts and terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.language.parsing.dialogue_context import DialogueContext
from negoplatform.language.parsing.slots.slot_detection import game_vocabulary
from negoplatform.language.topic_rules import TopicMatch, topic_rules
from negoplatform.language.topic_terms import TopicTerms, stated_terms
from negoplatform.language.topic_text import TopicText, topic_text


class Topic(StrEnum):
    """Subject of a question or a remark."""

    # That of the text: an enumeration's own hash is computed in Python at each look-up in a set.
    __hash__ = str.__hash__

    WHY = "WHY"
    """A request for a reason: "why do you need so much?"."""
    PERSON = "PERSON"
    """A question whether the other side is a person or a program."""
    NAME = "NAME"
    """A question about the name of the other side."""
    ABOUT_YOU = "ABOUT_YOU"
    """A question about the life or work of the other side."""
    HOW_ARE_YOU = "HOW_ARE_YOU"
    PRESENCE = "PRESENCE"
    """A question whether the other side is still there."""
    MEANING = "MEANING"
    """A request for an explanation."""
    WANTS = "WANTS"
    """A question about what the other side wants."""
    TAKE = "TAKE"
    """A question about what the other side would accept, or want for an issue: "what would it take?"."""
    GIVE = "GIVE"
    """A question about what the speaker would get: "what's in it for me?"."""
    FAIRER = "FAIRER"
    """A request for a better or fairer offer."""
    SWAP = "SWAP"
    """A proposal to trade one issue for another."""
    RATHER = "RATHER"
    """A question about which of several issues the other side prefers."""
    LOWEST = "LOWEST"
    """A question about the limit of the other side: "what's the least you'd take?"."""
    LIMIT = "LIMIT"
    """A limit of the speaker: "8 hours max"."""
    FINAL = "FINAL"
    """A question whether an offer is final."""
    ULTIMATUM = "ULTIMATUM"
    """A statement that an offer is final: "take it or leave it"."""
    REPORT = "REPORT"
    """A report about what others offer or pay."""
    HONEST = "HONEST"
    """A doubt or a question whether something is true or serious."""
    CONTRADICTION = "CONTRADICTION"
    """A statement that the other side contradicts an earlier statement or offer."""
    PROMISE_BROKEN = "PROMISE_BROKEN"
    """A statement that the other side has not kept a promise or returned a favour."""
    NOT_AGREED = "NOT_AGREED"
    """A denial of having agreed to, or meant, something."""
    UNFAIR = "UNFAIR"
    """A complaint that the other side or an offer is unfair."""
    INSULT = "INSULT"
    """An insult, or swearing at the other side or its offer."""
    JOKE = "JOKE"
    LAUGH = "LAUGH"
    COMPLIMENT = "COMPLIMENT"
    STATUS = "STATUS"
    """A question whether there is a deal already."""
    AS_YOURS = "AS_YOURS"
    """A reference to the other side's own offer for the terms that are not named: "rest as you said"."""
    OBJECTION = "OBJECTION"
    """A question about what the other side does not like in the speaker's offer."""
    OPINION = "OPINION"
    """A question about what the other side thinks, without saying of what: "thoughts?"."""
    UNSURE = "UNSURE"
    """A statement that the speaker does not know what to do or say."""
    NOT_ANSWERED = "NOT_ANSWERED"
    """A complaint that a question has not been answered."""
    ABOUT_ME = "ABOUT_ME"
    """A remark about the speaker's own life, or the weather."""
    LIKES = "LIKES"
    """A statement that the speaker likes or needs an issue."""
    HURRY = "HURRY"
    """A request to be quick."""
    RULES = "RULES"
    """A question about the rules, points or time of the game."""
    ORDERS = "ORDERS"
    """An attempt to give a program orders that have nothing to do with the negotiation."""
    MOOD = "MOOD"
    """A statement about how the speaker feels, or what the negotiation is like."""
    QUESTION = "QUESTION"
    """Any other question."""
    OK = "OK"
    """An acknowledgement without agreement: "i see", "hmm"."""


@dataclass(frozen=True, slots=True)
class TopicMention:
    """Topic of a part of a text.

    Args:
        topic: The topic.
        issues: The issues that this part names, in text order; for ``SWAP``, those that the speaker would
            give first, then those that the speaker wants. Empty for topics that are not about the deal.
        terms: The terms that this part states, as far as they are certain: for ``LIMIT`` the limit, for
            ``SWAP`` and ``GIVE`` what the speaker would give or take, for ``REPORT`` what others offer. With
            two seats, units that the text does not give to one seat go to the other. Otherwise the empty
            offer.
        more: For ``SWAP``, the terms that the speaker wants in return; the empty offer otherwise.
        detail: For ``RULES``, ``points``, ``no_deal``, ``time`` or ``turns`` where the question is about
            these; for ``MOOD``, ``good`` for a good one. Empty otherwise.
    """

    topic: Topic
    issues: tuple[str, ...] = ()
    terms: Offer = EMPTY_OFFER
    more: Offer = EMPTY_OFFER
    detail: str = ""


_ABOUT_DEAL = frozenset(
    {
        *(Topic.WHY, Topic.WANTS, Topic.TAKE, Topic.GIVE, Topic.FAIRER, Topic.SWAP, Topic.RATHER),
        *(Topic.LOWEST, Topic.LIMIT, Topic.FINAL, Topic.ULTIMATUM, Topic.REPORT, Topic.CONTRADICTION),
        *(Topic.PROMISE_BROKEN, Topic.NOT_AGREED, Topic.UNFAIR, Topic.MEANING, Topic.QUESTION, Topic.LIKES),
    }
)
"""Topics whose mentions name issues."""
_WITH_TERMS = frozenset({Topic.LIMIT, Topic.SWAP, Topic.GIVE, Topic.REPORT})
"""Topics whose mentions state terms."""


def find_topics(text: str, context: DialogueContext) -> tuple[TopicMention, ...]:
    """Return the topics of a text.

    Args:
        text: The text as it was typed.
        context: Its context; the language, the issues and the seats of its game are used.

    Returns:
        The topics in text order, each once; of several that begin at the same word, the more specific one
        first. Empty if there are none, as in a plain offer.

    Raises:
        NegoError: If there are no rules of topics in the language of the context.
    """
    rules = topic_rules(context.language)
    words = game_vocabulary(context.game, context.language)
    read = topic_text(text, words.lexicon, rules)
    found: dict[Topic, TopicMention] = {}
    for match in rules.find_matches(read):
        topic = Topic(match.rule.topic)
        if topic not in found or (match.rule.detail and not found[topic].detail):
            found[topic] = _mention(topic, match, read, context)
    return tuple(found.values())


def _mention(topic: Topic, match: TopicMatch, text: TopicText, context: DialogueContext) -> TopicMention:
    if topic not in _ABOUT_DEAL:
        return TopicMention(topic, detail=match.rule.detail)
    words = game_vocabulary(context.game, context.language)
    if topic not in _WITH_TERMS:
        issues = stated_terms(text, match.start, match.end, words, context).issues
        return TopicMention(topic, issues, detail=match.rule.detail)
    if topic != Topic.SWAP:
        stated = stated_terms(text, match.start, match.end, words, context)
        return TopicMention(topic, stated.issues, stated.terms)
    before = stated_terms(text, match.start, match.pivot, words, context, gives=match.rule.gives_first)
    after = stated_terms(text, match.pivot, match.end, words, context, gives=not match.rule.gives_first)
    given, wanted = (before, after) if match.rule.gives_first else (after, before)
    return TopicMention(topic, tuple(_distinct((given, wanted))), given.terms, wanted.terms)


def _distinct(parts: Sequence[TopicTerms]) -> Iterator[str]:
    yield from dict.fromkeys(name for part in parts for name in part.issues)
