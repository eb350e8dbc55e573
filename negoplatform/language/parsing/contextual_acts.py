"""What words do where they are said: "yes" is an answer, and to what depends on what was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from negoplatform.core.events import MessageSubtype, Preference, Relation
from negoplatform.language.parsing.dialogue_act_rules import Utterance, utterance_of
from negoplatform.language.parsing.dialogue_context import Situation
from negoplatform.language.parsing.interpretation import Act, Need
from negoplatform.language.parsing.lexicon import Lexicon
from negoplatform.language.parsing.tokenizer import Token

_M = MessageSubtype
_PLAIN = 0.92
"""An acceptance that is at least so sure may be meant to bind."""
_AGREES = 0.8
"""The same beside further terms: "ok" alone may be a mere sound, "ok, and I would like …" goes on from it."""
_ANSWER = 0.9
_LIKELY = 0.6
_AGAINST = (
    *(_M.OFFER_REJECT, _M.OFFER_REQUEST_POS, _M.OFFER_REQUEST_NEG, _M.CONFUSION),
    *(_M.THREAT, _M.THREAT_POS, _M.THREAT_NEG, _M.TIMING_INFO, _M.PREF_WITHHOLD),
)
"""What takes an acceptance in the same text back, or puts it off."""
_AGREEING = frozenset({_M.OFFER_ACCEPT, _M.CONFIRMATION, _M.THANKS, _M.GENERIC_POS})
_OFFER, _FAVOUR, _WISHES, _WISH, _OTHER = "offer", "favour", "wishes", "wish", "other"


@dataclass(frozen=True, slots=True)
class Speech:
    """What a text does where it is said.

    Args:
        acts: The acts, in the order of the words.
        accepts: Whether it agrees to the other's offer plainly, without a condition of any kind. It may speak
            of terms besides: who reads those has to see whether they are the offer's.
        agrees: The same where it need not be plain: "ok, and I would like …".
        about: The issues that are spoken of, by name.
        short: What it says in short; see `Utterance`.
        is_yes: Whether it is a yes and little more, whatever to.
        adapts: Whether it agrees with a change.
        hedged: Whether it asks, or puts a condition or an objection somewhere.
    """

    acts: tuple[Act, ...] = ()
    accepts: bool = False
    agrees: bool = False
    about: tuple[str, ...] = ()
    short: frozenset[str] = frozenset()
    is_yes: bool = False
    adapts: bool = False
    hedged: bool = False


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the other side asked last, and about what."""

    what: str = ""
    act: Act | None = None
    least: bool = False


def speech_in(tokens: Sequence[Token], situation: Situation, lexicon: Lexicon) -> Speech:
    """The speech acts of a text.

    Args:
        tokens: The text, cut by the lexicon.
        situation: Where it is said.
        lexicon: The words of the game.
    """
    said = utterance_of(tokens, lexicon, situation.language)
    asked = _asked(situation, lexicon)
    acts = _joined([*_answers(said, asked), *_counting(said, asked)])
    if not acts and "yes" in said.short:
        acts = (Act(_M.CONFIRMATION, _ANSWER if asked.what else _LIKELY),)
    plain, agrees = (_accepts(said, acts, sure) for sure in (_PLAIN, _AGREES))
    is_yes = "yes" in said.short and not said.hedged and all(act.subtype in _AGREEING for act in acts)
    adapts = "changes" in said.short and not any(act.subtype in _AGAINST for act in acts)
    return Speech(
        acts, plain, agrees, said.about, said.short, is_yes=is_yes, adapts=adapts, hedged=said.hedged
    )


def _counting(said: Utterance, asked: _Asked) -> Iterator[Act]:
    """The acts whose conditions are met."""
    stated = False
    for saying in said.sayings:
        act = saying.act
        stated = stated or act.subtype == _M.PREF_INFO
        if saying.answers and asked.what != _OFFER:
            continue
        if saying.follows and not (stated or said.about or asked.what == _WISHES):
            yield replace(act, subtype=_M.GENERIC_POS, sure=_LIKELY)
            continue
        yield act


def _answers(said: Utterance, asked: _Asked) -> Iterator[Act]:
    """What short answers say: "yes", "no", "food"."""
    yes, no = "yes" in said.short, "no" in said.short
    issue = None if asked.act is None else asked.act.issue
    if asked.what in {_WISHES, _WISH} and "names" in said.short and said.named:
        yield from _names(said, asked)
    elif asked.what == _WISH and issue is not None and yes != no:
        yield Act(_M.PREF_INFO, _ANSWER, need=Need.SELF if yes else Need.NONE, issue=issue)
    elif asked.what == _FAVOUR and yes != no:
        yield Act(_M.FAVOR_ACCEPT if yes else _M.FAVOR_REJECT, _ANSWER)


def _names(said: Utterance, asked: _Asked) -> Iterator[Act]:
    """Issues as an answer to what matters most, or to which of two matters more."""
    first = said.named[0]
    compared = None if asked.act is None else asked.act.preference
    if asked.least:
        yield Act(_M.PREF_INFO, _ANSWER, Preference(first, Relation.WORST), need=Need.NONE, issue=first)
    elif compared is not None and compared.issue2 is not None and first in {compared.issue1, compared.issue2}:
        less = compared.issue2 if first == compared.issue1 else compared.issue1
        yield Act(_M.PREF_INFO, _ANSWER, Preference(first, Relation.GREATER, less), issue=first)
    else:
        best = Preference(first, Relation.BEST) if len(said.named) == 1 else None
        for issue in said.named:
            yield Act(_M.PREF_INFO, _ANSWER, best, need=Need.SELF, issue=issue)


def _asked(situation: Situation, lexicon: Lexicon) -> _Asked:
    """What the other side asked or proposed since the speaker spoke last."""
    for said in reversed(situation.talk):
        if said.sender == situation.speaker:
            break
        if said.offer is not None:
            return _Asked(_OFFER)
        found = _asked_by(utterance_of(lexicon.tokens(said.text), lexicon, situation.language))
        if found.what:
            return found
        if "?" in said.text:
            return _Asked(_OTHER)  # A yes to "May I think about it?" accepts nothing.
    made = situation.maker is not None and situation.maker != situation.speaker
    return _Asked(_OFFER) if situation.on_table and (made or situation.accepted) else _Asked()


_ASKING = {
    _M.OFFER_PROPOSE: _OFFER,
    _M.FAVOR_REQUEST: _FAVOUR,
    _M.PREF_REQUEST: _WISHES,
    _M.PREF_SPECIFIC_REQUEST: _WISH,
    _M.TIMING_REQUEST: _OTHER,
    _M.CLARIFICATION: _OFFER,
}


def _asked_by(said: Utterance) -> _Asked:
    """What a text asks: the last thing that it does and that can be answered."""
    if "asks_yes" in said.short:
        return _Asked(_OFFER)
    for saying in reversed(said.sayings):
        what = _ASKING.get(saying.act.subtype)
        if saying.act.subtype == _M.CLARIFICATION and not said.counts:
            what = _OTHER  # "Which one do you mean?"
        if what is not None:
            return _Asked(what, saying.act, "least" in said.short)
    return _Asked(_OFFER) if said.counts else _Asked()


def _accepts(said: Utterance, acts: Sequence[Act], sure: float) -> bool:
    plain = any(act.subtype == _M.OFFER_ACCEPT and act.sure >= sure for act in acts)
    return plain and not said.hedged and not any(act.subtype in _AGAINST for act in acts)


def _joined(acts: Sequence[Act]) -> tuple[Act, ...]:
    """Each act once, as sure as it is anywhere; a need of nothing in particular only where none is named."""
    found: dict[Act, Act] = {}
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
