"""Dialogue acts in context: "yes" is an answer whose meaning depends on the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from negoplatform.core.events import MessageSubtype, Preference, Relation
from negoplatform.language.parsing.dialogue_act_rules import UtteranceActs, utterance_acts
from negoplatform.language.parsing.dialogue_context import DialogueContext
from negoplatform.language.parsing.interpretation import DialogueAct, Need
from negoplatform.language.parsing.words.lexicon import Lexicon
from negoplatform.language.parsing.words.tokenizer import Token

_M = MessageSubtype
_BINDING_CONFIDENCE = 0.92
"""Minimum confidence of an acceptance that may be meant as binding."""
_AGREEMENT_CONFIDENCE = 0.8
"""The same next to further terms: "ok" alone may be a filler, "ok, and I would like …" builds on it."""
_ANSWER_CONFIDENCE = 0.9
_WEAK_CONFIDENCE = 0.6
_REVOKING = (
    *(_M.OFFER_REJECT, _M.OFFER_REQUEST_POS, _M.OFFER_REQUEST_NEG, _M.CONFUSION),
    *(_M.THREAT, _M.THREAT_POS, _M.THREAT_NEG, _M.TIMING_INFO, _M.PREF_WITHHOLD),
)
"""Acts that revoke or postpone an acceptance in the same text."""
_ABOUT_FAVORS = frozenset({_M.FAVOR_ACCEPT, _M.FAVOR_REJECT})
_AGREEING = frozenset({_M.OFFER_ACCEPT, _M.CONFIRMATION, _M.THANKS, _M.GENERIC_POS})
_OFFER, _FAVOUR, _WISHES, _WISH, _OTHER = "offer", "favour", "wishes", "wish", "other"


@dataclass(frozen=True, slots=True)
class ContextualActs:
    """Dialogue acts of a text in its context.

    Args:
        acts: The acts in text order.
        accepts: Whether the text accepts the other side's offer without any condition. It may also name
            terms; the caller checks whether they are the offer's.
        agrees: The same with a lower minimum confidence: "ok, and I would like …".
        cues: The short cues of the text; see `UtteranceActs`.
        is_yes: Whether the text is little more than a yes, to whatever question.
        adapts: Whether it agrees with a change.
        hedged: Whether it contains a question, a condition or an objection.
    """

    acts: tuple[DialogueAct, ...] = ()
    accepts: bool = False
    agrees: bool = False
    cues: frozenset[str] = frozenset()
    is_yes: bool = False
    adapts: bool = False
    hedged: bool = False


@dataclass(frozen=True, slots=True)
class _PendingQuestion:
    """The other side's last question and its topic."""

    topic: str = ""
    act: DialogueAct | None = None
    least: bool = False


def contextual_acts(tokens: Sequence[Token], context: DialogueContext, lexicon: Lexicon) -> ContextualActs:
    """Return the dialogue acts of a text in its context.

    Args:
        tokens: The text as tokenized by the lexicon.
        context: The context of the text.
        lexicon: The lexicon of the game.
    """
    utterance = utterance_acts(tokens, lexicon, context.language)
    question = _pending_question(context, lexicon)
    acts = _merge_acts([*_short_answer_acts(utterance, question), *_applicable_acts(utterance, question)])
    if any(act.subtype in _ABOUT_FAVORS for act in acts):
        # "Yes, I will do you a favour" says to what the yes is; "Deal, …" accepts all the same.
        acts = tuple(act for act in acts if act.subtype != _M.OFFER_ACCEPT or act.sure > _BINDING_CONFIDENCE)
    if not acts and "yes" in utterance.cues:
        acts = (DialogueAct(_M.CONFIRMATION, _ANSWER_CONFIDENCE if question.topic else _WEAK_CONFIDENCE),)
    plain, agrees = (_accepts(utterance, acts, sure) for sure in (_BINDING_CONFIDENCE, _AGREEMENT_CONFIDENCE))
    is_yes = (
        "yes" in utterance.cues and not utterance.hedged and all(act.subtype in _AGREEING for act in acts)
    )
    adapts = "changes" in utterance.cues and not any(act.subtype in _REVOKING for act in acts)
    return ContextualActs(
        acts, plain, agrees, utterance.cues, is_yes=is_yes, adapts=adapts, hedged=utterance.hedged
    )


def _applicable_acts(utterance: UtteranceActs, question: _PendingQuestion) -> Iterator[DialogueAct]:
    """Yield the acts whose conditions are met."""
    stated = False
    for one in utterance.conditional_acts:
        act = one.act
        stated = stated or act.subtype == _M.PREF_INFO
        if one.needs_proposal and question.topic != _OFFER:
            continue
        if one.needs_preference and not (stated or utterance.about or question.topic == _WISHES):
            yield replace(act, subtype=_M.GENERIC_POS, sure=_WEAK_CONFIDENCE)
            continue
        yield act


def _short_answer_acts(utterance: UtteranceActs, question: _PendingQuestion) -> Iterator[DialogueAct]:
    """Yield the acts of short answers: "yes", "no", "food"."""
    yes, no = "yes" in utterance.cues, "no" in utterance.cues
    issue = None if question.act is None else question.act.issue
    if question.topic in {_WISHES, _WISH} and "names" in utterance.cues and utterance.named:
        yield from _named_preferences(utterance, question)
    elif question.topic == _WISH and issue is not None and yes != no:
        yield DialogueAct(_M.PREF_INFO, _ANSWER_CONFIDENCE, need=Need.SELF if yes else Need.NONE, issue=issue)
    elif question.topic == _FAVOUR and yes != no:
        yield DialogueAct(_M.FAVOR_ACCEPT if yes else _M.FAVOR_REJECT, _ANSWER_CONFIDENCE)


def _named_preferences(utterance: UtteranceActs, question: _PendingQuestion) -> Iterator[DialogueAct]:
    """Yield the preferences in an answer that names issues: the most important one, or one of two."""
    first = utterance.named[0]
    compared = None if question.act is None else question.act.preference
    if question.least:
        yield DialogueAct(
            _M.PREF_INFO, _ANSWER_CONFIDENCE, Preference(first, Relation.WORST), need=Need.NONE, issue=first
        )
    elif compared is not None and compared.issue2 is not None and first in {compared.issue1, compared.issue2}:
        less = compared.issue2 if first == compared.issue1 else compared.issue1
        yield DialogueAct(
            _M.PREF_INFO, _ANSWER_CONFIDENCE, Preference(first, Relation.GREATER, less), issue=first
        )
    else:
        best = Preference(first, Relation.BEST) if len(utterance.named) == 1 else None
        for issue in utterance.named:
            yield DialogueAct(_M.PREF_INFO, _ANSWER_CONFIDENCE, best, need=Need.SELF, issue=issue)


def _pending_question(context: DialogueContext, lexicon: Lexicon) -> _PendingQuestion:
    """Return the other side's question or proposal since the speaker's last turn."""
    for turn in reversed(context.history):
        if turn.sender == context.speaker:
            break
        if turn.offer is not None:
            return _PendingQuestion(_OFFER)
        found = _question_in(utterance_acts(lexicon.tokenize(turn.text), lexicon, context.language))
        if found.topic:
            return found
        if "?" in turn.text:
            return _PendingQuestion(_OTHER)  # A yes to "May I think about it?" accepts nothing.
    made = context.maker is not None and context.maker != context.speaker
    return _PendingQuestion(_OFFER) if context.on_table and (made or context.accepted) else _PendingQuestion()


_ASKING = {
    _M.OFFER_PROPOSE: _OFFER,
    _M.FAVOR_REQUEST: _FAVOUR,
    _M.PREF_REQUEST: _WISHES,
    _M.PREF_SPECIFIC_REQUEST: _WISH,
    _M.TIMING_REQUEST: _OTHER,
    _M.CLARIFICATION: _OFFER,
}


def _question_in(utterance: UtteranceActs) -> _PendingQuestion:
    """Return the question that a text asks: its last act that can be answered."""
    if "asks_yes" in utterance.cues:
        return _PendingQuestion(_OFFER)
    for one in reversed(utterance.conditional_acts):
        what = _ASKING.get(one.act.subtype)
        if one.act.subtype == _M.CLARIFICATION and not utterance.mentions_terms:
            what = _OTHER  # "Which one do you mean?"
        if what is not None:
            return _PendingQuestion(what, one.act, "least" in utterance.cues)
    return _PendingQuestion(_OFFER) if utterance.mentions_terms else _PendingQuestion()


def _accepts(utterance: UtteranceActs, acts: Sequence[DialogueAct], sure: float) -> bool:
    plain = any(act.subtype == _M.OFFER_ACCEPT and act.sure >= sure for act in acts)
    return plain and not utterance.hedged and not any(act.subtype in _REVOKING for act in acts)


def _merge_acts(acts: Sequence[DialogueAct]) -> tuple[DialogueAct, ...]:
    """Return each act once with its highest confidence; drop needs without an issue if others name one."""
    found: dict[DialogueAct, DialogueAct] = {}
    for act in acts:
        key = replace(act, sure=0.0)
        if key not in found or found[key].sure < act.sure:
            found[key] = act
    stated = {(act.subtype, act.need) for act in found.values() if act.issue is not None}
    return tuple(
        act
        for act in found.values()
        if act.need is None or act.issue is not None or (act.subtype, act.need) not in stated
    )
