"""Claims: statements of a receiver and an amount."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from negoplatform.language.parsing.grammar.amount_phrases import Amount

MAX_LIST_GAP = 2
"""Maximum number of spans between two parts of a list: a comma, an "and", or both."""


class DialogueParty(StrEnum):
    """Receiver of an amount, from the speaker's point of view."""

    SPEAKER = "speaker"
    OTHER = "other"
    BOTH = "both"
    UNSPECIFIED = "nobody"
    """Not stated."""

    @property
    def opposite(self) -> DialogueParty:
        """The other side of the table."""
        return {DialogueParty.SPEAKER: DialogueParty.OTHER, DialogueParty.OTHER: DialogueParty.SPEAKER}.get(
            self, self
        )


class Verb(StrEnum):
    """Verb that governs an amount."""

    NONE = "none"
    GET = "get"
    GIVE = "give"
    NEED = "need"
    WANT = "want"
    HAVE = "have"
    """A state, not a proposal."""


@dataclass(slots=True)
class Claim:
    """Statement that a party gets an amount.

    Args:
        amount: The amount and its issue.
        receiver: The party that gets it.
        verb: The verb that governs it.
        negated: Whether it is negated.
        told: Whether it reports the past or describes a possession.
        asked: Whether its sentence is a question.
        conditional: Whether its sentence contains a condition.
        proposed: Whether its sentence opens as a proposal: how about.
        option: The number of the alternative that it belongs to; 0 before the first alternative.
        flipped: Whether it follows "for", as the return for something whose receiver is not stated.
        confidence: How explicitly its receiver is stated, 0 to 1.
        loose: Whether it is in a position where no list of a proposal would begin.
        ultimatum: Whether it is a condition that must not fail: "if I cannot get 2".
        gap: The number of unknown words between it and what it depends on.
        supposed: Whether it is part of the condition itself: "if you get 2".
        either: Whether an "or" precedes or follows it.
        own: Whether it names what the speaker could do: "I can do 2 food".
        stale: Whether another person was named since the verb that determines the receiver.
        floor: Whether it is a minimum: "at least 2".
        ceiling: Whether it is a maximum: "up to 2".
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
    """Return whether two claims may belong to one list, in either order."""
    first, second = sorted((one, other), key=lambda claim: claim.amount.start)
    return second.amount.start - first.amount.end <= MAX_LIST_GAP


def tail_without_repeats(run: Sequence[Claim]) -> list[Claim]:
    """Return the end of a list that names no issue twice: "3 food for you and 1 water, 2 water for me"."""
    for i in range(len(run) - 1, -1, -1):
        if run[i].amount.issue and any(run[i].amount.issue == claim.amount.issue for claim in run[i + 1 :]):
            return list(run[i + 1 :])
    return list(run)
