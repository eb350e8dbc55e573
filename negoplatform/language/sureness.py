"""Reasons to doubt what was understood of a text: what it says besides, and nobody has accounted for.

A grammar goes wrong on new talk where it passes over words. So what an offer was not made of is looked at:
numbers, kinds, alternatives. Each reason has a name, and a data file says how sure a reading may be at most
that has it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from negoplatform.language.amounts import How
from negoplatform.language.claims import Claim, Claims, Side, Verb, lie_close
from negoplatform.language.clause import WHY_LOOSE
from negoplatform.language.hearing import is_rest
from negoplatform.language.vocabulary import understanding_data

_GRANTS = frozenset({Verb.GET, Verb.GIVE})
_NUMBERED = frozenset({How.COUNT, How.ALL, How.HALF, How.BOTH, How.OTHERS, How.MORE})


class Reason(StrEnum):
    """Why a reading may be wrong, whatever its words say."""

    OWNER = "owner"
    """Who gets a part of it is not said, where it is said of other parts."""
    NUMBER = "number"
    """A number of an issue that the offer says nothing of."""
    KIND = "kind"
    """An issue is named beside others, and the offer says nothing of it."""
    SUPPOSED = "supposed"
    """All that is said of the other is supposed: what would be bad, as a rule."""
    REST = "rest"
    """What is left is spoken of, and the offer says nothing of it."""
    OR = "or"
    """An "or" that no alternative was made of."""
    JEST = "jest"
    """What was said is taken back: "just kidding"."""
    ASCRIBED = "ascribed"
    """The other is told that they want it, and nothing more: "you want all food, but I need food"."""
    STALE = "stale"
    """Somebody else is named between a verb and its amount, with no verb of their own."""


def reasons_of(claims: Claims, divided: Collection[str]) -> tuple[Reason, ...]:
    """The reasons to doubt an offer that claims were made into.

    Args:
        claims: The claims; those that the offer was made of are marked.
        divided: The issues that the offer divides, by name.
    """
    used = [claim for claim in claims.found if claim.used]
    if not used:
        return ()
    found = set(_of_owners(used))
    if claims.jest:
        found.add(Reason.JEST)
    if all(map(_is_ascribed, used)):
        found.add(Reason.ASCRIBED)
    for claim in claims.found:
        if not claim.used and not claim.negated and is_rest(claim):
            found.add(Reason.REST)
        elif not claim.used and claim.amount.issue:
            found.update(_of_unused(claim, divided, used))
    if any(name not in divided for name in claims.unread):
        found.add(Reason.NUMBER)
    return tuple(reason for reason in Reason if reason in found)


def _of_owners(used: Sequence[Claim]) -> Iterator[Reason]:
    unsaid = sum(claim.verb == Verb.NONE and not (claim.amount.each or claim.own) for claim in used)
    if 0 < unsaid < len(used):
        yield Reason.OWNER
    if all(
        claim.supposed and not claim.proposed and claim.receiver == Side.OTHER and claim.verb in _GRANTS
        for claim in used
    ):
        yield Reason.SUPPOSED
    if any(claim.stale for claim in used):
        yield Reason.STALE


def _is_ascribed(claim: Claim) -> bool:
    """Whether the other is told that they want it, which gives them nothing."""
    wanted = claim.verb == Verb.WANT and claim.receiver == Side.OTHER
    return wanted and not (claim.asked or claim.conditional or claim.proposed)


def _of_unused(claim: Claim, divided: Collection[str], used: Sequence[Claim]) -> Iterator[Reason]:
    here = any(claim.sentence == other.sentence for other in used)
    if claim.either and here:
        yield Reason.OR
    if claim.negated or claim.amount.issue in divided:
        return
    if claim.amount.how in _NUMBERED:
        yield Reason.NUMBER
    elif claim.amount.how == How.SOME and claim.flipped and here:
        yield Reason.KIND  # "1 food for a couple of packages of water"
    elif claim.amount.how == How.SOME or claim.told or claim.sure <= WHY_LOOSE:
        return
    elif (claim.verb in _GRANTS and here) or any(here and lie_close(claim, other) for other in used):
        yield Reason.KIND


def surest(reasons: Sequence[Reason], language: str) -> float:
    """How sure an offer may be at most, 0 to 1, by the least of its reasons for doubt."""
    most = _most(language)
    return min((most[reason] for reason in reasons), default=1.0)


@cache
def _most(language: str) -> Mapping[str, float]:
    return MappingProxyType(dict(understanding_data(language, "sureness")["at_most"]))
