"""What was understood of something that somebody said: a guess with its certainty, never an offer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from negoplatform.core.events import MessageSubtype, Preference
from negoplatform.domain.offer import Offer

CONFIDENCE_THRESHOLD = 0.85
"""From here on a reading may be told back as it is; below, it is asked about."""


class Need(StrEnum):
    """What a statement of preference says about wanting an issue."""

    SELF = "self"
    """The speaker wants it."""
    OTHERS = "others"
    """The speaker wants it for somebody who depends on them: children, friends."""
    NONE = "none"
    """The speaker has enough of it, or cares little."""


class Ambiguity(StrEnum):
    """What is missing before words that speak of a deal could be an offer."""

    WHO = "who"
    """Who is to get it."""
    HOW_MANY = "how_many"
    """How many units."""
    WHICH_ISSUE = "which_issue"
    """Which issue is meant."""
    WHICH_VALUE = "which_value"
    """Which of the issue's values."""
    EITHER = "either"
    """One of several offers, all of them in ``Interpretation.offers``."""
    IMPOSSIBLE = "impossible"
    """More units than there are, or a value that the issue does not have."""


@dataclass(frozen=True, slots=True)
class DialogueAct:
    """One thing that words do.

    Args:
        subtype: What it is.
        sure: How sure that is, 0 to 1.
        preference: The preference that it states or asks about.
        batna: The stated value of no deal, in points.
        need: What a PREF_INFO says about wanting ``issue``.
        issue: The issue that it is about, by name.
    """

    subtype: MessageSubtype
    sure: float = 1.0
    preference: Preference | None = None
    batna: float | None = None
    need: Need | None = None
    issue: str | None = None


class AnnotationKind(StrEnum):
    """What a part of a text is to its reading."""

    TERM = "term"
    """It was read as a term of the offer."""
    UNREAD = "unread"
    """An amount, an issue or a value that is no part of the offer."""
    REFUSAL = "refusal"
    QUESTION = "question"
    REPORT = "report"
    """It tells of others, or of the past."""
    IRONY = "irony"


@dataclass(frozen=True, slots=True)
class TextAnnotation:
    """A stretch of a text, and what it is to the reading.

    Args:
        start: Where it begins in the text, in characters.
        end: Where it ends, exclusive.
        kind: What it is.
        issue: The issue that it is about, by name; empty if it is about none.
    """

    start: int
    end: int
    kind: AnnotationKind
    issue: str = ""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What was understood of one text.

    Args:
        text: The words, as they were said.
        acts: What they do, in the order in which they were said; empty if nothing was recognised.
        offers: The offers that they may mean, the likeliest first: one if they speak of a deal plainly,
            several if they can be taken in several ways, none if they speak of none. In the game's own
            terms, complete or partial, and nobody's formal offer before the speaker has said so.
        sure: How sure it is that the first offer is what is meant, 0 to 1; 0 without offers.
        doubt: What is missing, where the words speak of a deal and no offer follows from them.
        about: The issues that are spoken of, by name, in the order of the words.
        accepts: Whether the words agree to the offer on the table.
        conditional: Whether the offer is put as a condition ("if you …, I …").
        soft: Whether it is put as a wish or a need rather than a proposal.
        adapts: Whether they agree to the other's offer with a change ("fine, but 9 hours").
        hedged: Whether they ask, or put a condition or an objection somewhere.
        refuses: Whether they say no and nothing more, whatever to.
        halfway: Whether they ask to meet in the middle.
        echoes: Whether they only say yes to an offer that the other has just put into words and asked for;
            the offer is that one.
        parts: The parts of the text that were read as terms, or that may speak against them.
        plain: Whether the reading is sure and leaves nothing of the text out of account: then one key may
            confirm it.
    """

    text: str
    acts: tuple[DialogueAct, ...] = ()
    offers: tuple[Offer, ...] = ()
    sure: float = 0.0
    doubt: Ambiguity | None = None
    about: tuple[str, ...] = ()
    accepts: bool = False
    conditional: bool = False
    soft: bool = False
    adapts: bool = False
    hedged: bool = False
    refuses: bool = False
    halfway: bool = False
    echoes: bool = False
    parts: tuple[TextAnnotation, ...] = ()
    plain: bool = False

    @property
    def offer(self) -> Offer | None:
        """The offer that the words plainly speak of; None if there is none or it is not sure."""
        return self.offers[0] if len(self.offers) == 1 and self.sure >= CONFIDENCE_THRESHOLD else None

    @property
    def subtype(self) -> MessageSubtype:
        """What the words do in the main; GENERIC if nothing was recognised.

        What they do to the deal goes before what they say about preferences, and that before courtesy.
        """
        if not self.acts:
            return MessageSubtype.GENERIC
        return min(self.acts, key=lambda act: (_rank(act.subtype), -act.sure)).subtype

    def has(self, *subtypes: MessageSubtype) -> bool:
        """Whether the words do one of these."""
        return any(act.subtype in subtypes for act in self.acts)

    @property
    def preferences(self) -> tuple[Preference, ...]:
        """The preferences that are stated or asked about."""
        return tuple(act.preference for act in self.acts if act.preference is not None)


_COURTESY = (
    MessageSubtype.GREETING,
    MessageSubtype.FAREWELL,
    MessageSubtype.THANKS,
    MessageSubtype.APOLOGY,
    MessageSubtype.GENERIC_POS,
    MessageSubtype.GENERIC_NEG,
    MessageSubtype.GENERIC,
)
_DEALS = (
    MessageSubtype.OFFER_ACCEPT,
    MessageSubtype.OFFER_REJECT,
    MessageSubtype.OFFER_PROPOSE,
    MessageSubtype.OFFER_REQUEST_POS,
    MessageSubtype.OFFER_REQUEST_NEG,
)


def _rank(subtype: MessageSubtype) -> int:
    if subtype in _DEALS:
        return 0
    return 2 + _COURTESY.index(subtype) if subtype in _COURTESY else 1
