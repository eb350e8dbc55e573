"""What words do where they are said: "yes" is an answer, and to what depends on what was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from negoplatform.core.events import MessageSubtype, Preference, Relation
from negoplatform.language.parsing.dialogue_act_rules import UtteranceActs, utterance_acts
from negoplatform.language.parsing.dialogue_context import DialogueContext
from negoplatform.language.parsing.interpretation import DialogueAct, Need
from negoplatform.language.parsing.lexicon import Lexicon
from negoplatform.language.parsing.tokenizer import Token

_M = MessageSubtype
_BINDING_CONFIDENCE = 0.92
"""An acceptance that is at least so sure may be meant to bind."""
_AGREEMENT_CONFIDENCE = 0.8
"""The same beside further terms: "ok" alone may be a mere sound, "ok, and I would like …" goes on from it."""
_ANSWER_CONFIDENCE = 0.9
_WEAK_CONFIDENCE = 0.6
_REVOKING = (
    *(_M.OFFER_REJECT, _M.OFFER_REQUEST_POS, _M.OFFER_REQUEST_NEG, _M.CONFUSION),
    *(_M.THREAT, _M.THREAT_POS, _M.THREAT_NEG, _M.TIMING_INFO, _M.PREF_WITHHOLD),
)
"""What takes an acceptance in the same text back, or puts it off."""
_AGREEING = frozenset({_M.OFFER_ACCEPT, _M.CONFIRMATION, _M.THANKS, _M.GENERIC_POS})
_OFFER, _FAVOUR, _WISHES, _WISH, _OTHER = "offer", "favour", "wishes", "wish", "other"


@dataclass(frozen=True, slots=True)
class ContextualActs:
    """What a text does where it is said.

    Args:
        acts: The acts, in the order of the words.
        accepts: Whether it agrees to the other's offer plainly, without a condition of any kind. It may speak
            of terms besides: who reads those has to see whether they are the offer's.
        agrees: The same where it need not be plain: "ok, and I would like …".
        cues: What it says in short; see `UtteranceActs`.
        is_yes: Whether it is a yes and little more, whatever to.
        adapts: Whether it agrees with a change.
        hedged: Whether it asks, or puts a condition or an objection somewhere.
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
    """What the other side asked last, and about what."""

    topic: str = ""
    act: DialogueAct | None = None
    least: bool = False


def contextual_acts(tokens: Sequence[Token], context: DialogueContext, lexicon: Lexicon) -> ContextualActs:
    """The speech acts of a text.

    Args:
        tokens: The text, cut by the lexicon.
        context: Where it is said.
        lexicon: The words of the game.
    """
    said = utterance_acts(tokens, lexicon, context.language)
    asked = _pending_question(context, lexicon)
    acts = _merge_acts([*_short_answer_acts(said, asked), *_applicable_acts(said, asked)])
    if not acts and "yes" in said.cues:
        acts = (DialogueAct(_M.CONFIRMATION, _ANSWER_CONFIDENCE if asked.topic else _WEAK_CONFIDENCE),)
    plain, agrees = (_accepts(said, acts, sure) for sure in (_BINDING_CONFIDENCE, _AGREEMENT_CONFIDENCE))
    is_yes = "yes" in said.cues and not said.hedged and all(act.subtype in _AGREEING for act in acts)
    adapts = "changes" in said.cues and not any(act.subtype in _REVOKING for act in acts)
    return ContextualActs(acts, plain, agrees, said.cues, is_yes=is_yes, adapts=adapts, hedged=said.hedged)


def _applicable_acts(said: UtteranceActs, asked: _PendingQuestion) -> Iterator[DialogueAct]:
    """The acts whose conditions are met."""
    stated = False
    for saying in said.conditional_acts:
        act = saying.act
        stated = stated or act.subtype == _M.PREF_INFO
        if saying.needs_proposal and asked.topic != _OFFER:
            continue
        if saying.needs_preference and not (stated or said.about or asked.topic == _WISHES):
            yield replace(act, subtype=_M.GENERIC_POS, sure=_WEAK_CONFIDENCE)
            continue
        yield act


def _short_answer_acts(said: UtteranceActs, asked: _PendingQuestion) -> Iterator[DialogueAct]:
    """What short answers say: "yes", "no", "food"."""
    yes, no = "yes" in said.cues, "no" in said.cues
    issue = None if asked.act is None else asked.act.issue
    if asked.topic in {_WISHES, _WISH} and "names" in said.cues and said.named:
        yield from _named_preferences(said, asked)
    elif asked.topic == _WISH and issue is not None and yes != no:
        yield DialogueAct(_M.PREF_INFO, _ANSWER_CONFIDENCE, need=Need.SELF if yes else Need.NONE, issue=issue)
    elif asked.topic == _FAVOUR and yes != no:
        yield DialogueAct(_M.FAVOR_ACCEPT if yes else _M.FAVOR_REJECT, _ANSWER_CONFIDENCE)


def _named_preferences(said: UtteranceActs, asked: _PendingQuestion) -> Iterator[DialogueAct]:
    """Issues as an answer to what matters most, or to which of two matters more."""
    first = said.named[0]
    compared = None if asked.act is None else asked.act.preference
    if asked.least:
        yield DialogueAct(
            _M.PREF_INFO, _ANSWER_CONFIDENCE, Preference(first, Relation.WORST), need=Need.NONE, issue=first
        )
    elif compared is not None and compared.issue2 is not None and first in {compared.issue1, compared.issue2}:
        less = compared.issue2 if first == compared.issue1 else compared.issue1
        yield DialogueAct(
            _M.PREF_INFO, _ANSWER_CONFIDENCE, Preference(first, Relation.GREATER, less), issue=first
        )
    else:
        best = Preference(first, Relation.BEST) if len(said.named) == 1 else None
        for issue in said.named:
            yield DialogueAct(_M.PREF_INFO, _ANSWER_CONFIDENCE, best, need=Need.SELF, issue=issue)


def _pending_question(situation: DialogueContext, lexicon: Lexicon) -> _PendingQuestion:
    """What the other side asked or proposed since the speaker spoke last."""
    for said in reversed(situation.history):
        if said.sender == situation.speaker:
            break
        if said.offer is not None:
            return _PendingQuestion(_OFFER)
        found = _question_in(utterance_acts(lexicon.tokenize(said.text), lexicon, situation.language))
        if found.topic:
            return found
        if "?" in said.text:
            return _PendingQuestion(_OTHER)  # A yes to "May I think about it?" accepts nothing.
    made = situation.maker is not None and situation.maker != situation.speaker
    return (
        _PendingQuestion(_OFFER)
        if situation.on_table and (made or situation.accepted)
        else _PendingQuestion()
    )


_ASKING = {
    _M.OFFER_PROPOSE: _OFFER,
    _M.FAVOR_REQUEST: _FAVOUR,
    _M.PREF_REQUEST: _WISHES,
    _M.PREF_SPECIFIC_REQUEST: _WISH,
    _M.TIMING_REQUEST: _OTHER,
    _M.CLARIFICATION: _OFFER,
}


def _question_in(said: UtteranceActs) -> _PendingQuestion:
    """What a text asks: the last thing that it does and that can be answered."""
    if "asks_yes" in said.cues:
        return _PendingQuestion(_OFFER)
    for saying in reversed(said.conditional_acts):
        what = _ASKING.get(saying.act.subtype)
        if saying.act.subtype == _M.CLARIFICATION and not said.mentions_terms:
            what = _OTHER  # "Which one do you mean?"
        if what is not None:
            return _PendingQuestion(what, saying.act, "least" in said.cues)
    return _PendingQuestion(_OFFER) if said.mentions_terms else _PendingQuestion()


def _accepts(said: UtteranceActs, acts: Sequence[DialogueAct], sure: float) -> bool:
    plain = any(act.subtype == _M.OFFER_ACCEPT and act.sure >= sure for act in acts)
    return plain and not said.hedged and not any(act.subtype in _REVOKING for act in acts)


def _merge_acts(acts: Sequence[DialogueAct]) -> tuple[DialogueAct, ...]:
    """Each act once, as sure as it is anywhere; a need of nothing in particular only where none is named."""
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
