"""Claims: who is to get how many of what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from negoplatform.language.parsing.grammar.quantifiers import Amount

MAX_LIST_GAP = 2
"""So many pieces join the parts of a list: a comma, an "and", or both."""


class DialogueParty(StrEnum):
    """Who gets something, as the speaker sees the table."""

    SPEAKER = "speaker"
    OTHER = "other"
    BOTH = "both"
    UNSPECIFIED = "nobody"
    """Not said."""

    @property
    def opposite(self) -> DialogueParty:
        """The other side of the table."""
        return {DialogueParty.SPEAKER: DialogueParty.OTHER, DialogueParty.OTHER: DialogueParty.SPEAKER}.get(
            self, self
        )


class Verb(StrEnum):
    """What a claim's sentence says with its amount."""

    NONE = "none"
    GET = "get"
    GIVE = "give"
    NEED = "need"
    WANT = "want"
    HAVE = "have"
    """A state, not a proposal."""


@dataclass(slots=True)
class Claim:
    """Somebody gets an amount.

    Args:
        amount: How many of what.
        receiver: Who gets it.
        verb: How it is said.
        negated: Whether it is denied.
        told: Whether it is told of the past, or of what somebody owns.
        asked: Whether its sentence is a question.
        conditional: Whether it stands in a sentence with a condition.
        proposed: Whether its sentence opens as a proposal: how about.
        option: The number of the alternative that it belongs to; 0 if there are none before it.
        flipped: Whether it stands behind "for", as what is got for something whose receiver is not said.
        confidence: How plainly its receiver is said, 0 to 1.
        loose: Whether it stands where no list of a proposal would begin.
        ultimatum: Whether it is what must not fail: "if I cannot get 2".
        gap: Words that nobody knows between it and what it hangs on.
        supposed: Whether it stands in the condition itself: "if you get 2".
        either: Whether an "or" stands beside it.
        own: Whether it is what the speaker would do: "I can do 2 food".
        stale: Whether somebody else was named since the verb that says who gets it.
        floor: Whether it is the least that somebody would have: "at least 2".
        ceiling: Whether it is the most: "up to 2".
    """

    amount: Amount
    receiver: DialogueParty
    verb: Verb
    negated: bool = False
    told: bool = False
    asked: bool = False
    conditional: bool = False
    proposed: bool = False
    option: int = 0
    flipped: bool = False
    confidence: float = 1.0
    loose: bool = False
    ultimatum: bool = False
    gap: int = 0
    supposed: bool = False
    either: bool = False
    own: bool = False
    stale: bool = False
    floor: bool = False
    ceiling: bool = False


def are_adjacent(one: Claim, other: Claim) -> bool:
    """Whether two claims may stand in one list, in either order."""
    first, second = sorted((one, other), key=lambda claim: claim.amount.start)
    return second.amount.start - first.amount.end <= MAX_LIST_GAP


def tail_without_repeats(run: Sequence[Claim]) -> list[Claim]:
    """The end of a list in which no issue is named twice: "3 food for you and 1 water, 2 water for me"."""
    for i in range(len(run) - 1, -1, -1):
        if run[i].amount.issue and any(run[i].amount.issue == claim.amount.issue for claim in run[i + 1 :]):
            return list(run[i + 1 :])
    return list(run)
