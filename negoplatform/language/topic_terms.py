"""Issues and terms that a part of a text states, for topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from negoplatform.domain.offer import EMPTY_OFFER, Offer, Term
from negoplatform.language.parsing.dialogue_context import DialogueContext
from negoplatform.language.parsing.slots.slot_detection import GameVocabulary
from negoplatform.language.parsing.words.language_vocabulary import Phrase
from negoplatform.language.parsing.words.lexicon import Mention, NumberMention
from negoplatform.language.topic_rules import topic_rules
from negoplatform.language.topic_text import TopicText

_MOST_BETWEEN = 3
"""Maximum number of tokens between a number and the issue whose units it counts."""
_MOST_BEFORE = 4
"""Maximum number of tokens between a word such as "without" and the issue that it affirms or denies."""


@dataclass(frozen=True, slots=True)
class TopicTerms:
    """Issues and terms of a part of a text.

    Args:
        issues: The names of the issues that it names, in text order.
        terms: The terms that it states.
    """

    issues: tuple[str, ...] = ()
    terms: Offer = EMPTY_OFFER


def stated_terms(
    text: TopicText,
    start: int,
    end: int,
    words: GameVocabulary,
    context: DialogueContext,
    *,
    gives: bool = False,
) -> TopicTerms:
    """Return the issues and terms of a part of a text.

    Args:
        text: The text.
        start: The index of the first token of the part.
        end: The index behind its last token.
        words: The vocabulary of the game.
        context: The context of the text.
        gives: Whether units go to the other side rather than to the speaker.
    """
    mentions = [one for one in text.mentions if start <= one.start and one.end <= end]
    covered = {i for one in mentions for i in range(one.start, one.end)}
    numbers = [n for n in text.numbers if start <= n.start and n.end <= end and n.start not in covered]
    found: dict[int, tuple[str, Term | None]] = {}
    used: set[int] = set()
    for mention in mentions:
        named = _mentioned(mention, text, numbers, used, words, context, gives=gives)
        if named is not None:
            found[mention.start] = named
    for number in numbers:
        if number.start not in used:
            value = _numeric_term(number, text, mentions, words)
            if value is not None:
                found[number.start] = value
    ordered = [found[at] for at in sorted(found)]
    terms = {issue: term for issue, term in ordered if term is not None}
    return TopicTerms(tuple(dict.fromkeys(issue for issue, _ in ordered)), Offer(terms))


def _mentioned(
    mention: Mention,
    text: TopicText,
    numbers: Sequence[NumberMention],
    used: set[int],
    words: GameVocabulary,
    context: DialogueContext,
    *,
    gives: bool,
) -> tuple[str, Term | None] | None:
    """Return the issue of a mention with the term that is stated; None if the issue is not certain."""
    issue = mention.issue
    if issue is None:
        return None
    if len(mention.referents) == 1 and mention.referents[0].value:
        return issue, mention.referents[0].value
    if issue not in words.units:
        return issue, _polar_term(mention, issue, text, words)
    for number in numbers:
        units = number.value
        near = 0 <= mention.start - number.end <= _MOST_BETWEEN and number.start not in used
        if near and isinstance(units, int) and 0 <= units <= words.units[issue]:
            used.add(number.start)
            return issue, _units_term(issue, units, words, context, gives=gives)
    return issue, None


def _units_term(
    issue: str, units: int, words: GameVocabulary, context: DialogueContext, *, gives: bool
) -> Term | None:
    others = context.game.others(context.speaker)
    if len(others) != 1:
        return None
    receiver, rest = (others[0], context.speaker) if gives else (context.speaker, others[0])
    return words.allocation(issue, receiver, units, rest)


def _polar_term(mention: Mention, issue: str, text: TopicText, words: GameVocabulary) -> Term | None:
    """Return the value with or without an issue's item if words before the mention say which."""
    rules = topic_rules(words.language)
    before = [token.norm for token in text.tokens[max(0, mention.start - _MOST_BEFORE) : mention.start]]
    for phrases, yes in ((rules.takes_away, False), (rules.adds, True)):
        if any(_contains(before, phrase) for phrase in phrases):
            return words.values.polar_value(issue, yes=yes)
    return None


def _contains(norms: Sequence[str], phrase: Phrase) -> bool:
    size = len(phrase)
    return any(tuple(norms[i : i + size]) == phrase for i in range(len(norms) - size + 1))


def _numeric_term(
    number: NumberMention, text: TopicText, mentions: Sequence[Mention], words: GameVocabulary
) -> tuple[str, Term] | None:
    """Return the issue and value that a number names; None if none or several fit."""
    values = words.values
    unit = text.tokens[number.end].norm if number.end < len(text.tokens) else ""
    near = dict.fromkeys(one.issue for one in mentions if one.issue in values.issues)
    fits = [
        (issue, term)
        for issue in values.issues
        if (term := values.value_for_number(issue, number, named=issue in near or len(near) == 0)) is not None
    ]
    for issue, term in fits:
        if values.is_unit_of(issue, unit) or issue in near:
            return issue, term
    return fits[0] if len(fits) == 1 else None
