"""Interpretation of a text: a guess with a confidence, never an offer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from negoplatform.core.events import MessageSubtype, Preference
from negoplatform.core.message_readings import main_subtype
from negoplatform.domain.offer import Offer

CONFIDENCE_THRESHOLD = 0.85
"""Minimum confidence at which an offer is presented as understood; below it, the program asks."""


class Need(StrEnum):
    """Attitude of a preference statement towards an issue."""

    SELF = "self"
    """The speaker wants the issue."""
    OTHERS = "others"
    """The speaker wants it for dependants: children, friends."""
    NONE = "none"
    """The speaker has enough of it, or cares little."""


class Ambiguity(StrEnum):
    """Information that a text about a deal lacks before it can become an offer."""

    WHO = "who"
    """The receiver."""
    HOW_MANY = "how_many"
    """The number of units."""
    WHICH_ISSUE = "which_issue"
    """The issue."""
    WHICH_VALUE = "which_value"
    """The value of the issue."""
    EITHER = "either"
    """A choice between several offers, all of them in ``Interpretation.offers``."""
    IMPOSSIBLE = "impossible"
    """More units than there are, or a value that the issue does not have."""


@dataclass(frozen=True, slots=True)
class DialogueAct:
    """Dialogue act of a text.

    Args:
        subtype: The kind of act.
        sure: Its confidence, 0 to 1.
        preference: The preference that it states or asks about.
        batna: The stated value of no deal, in points.
        need: For PREF_INFO, the attitude towards ``issue``.
        issue: The name of its issue.
    """

    subtype: MessageSubtype
    sure: float = 1.0
    preference: Preference | None = None
    batna: float | None = None
    need: Need | None = None
    issue: str | None = None


class AnnotationKind(StrEnum):
    """Role of a part of a text in its interpretation."""

    TERM = "term"
    """Part of a term of the offer."""
    UNREAD = "unread"
    """An amount, an issue or a value that is not part of the offer."""
    REFUSAL = "refusal"
    QUESTION = "question"
    REPORT = "report"
    """A report about others or the past."""
    IRONY = "irony"


@dataclass(frozen=True, slots=True)
class TextAnnotation:
    """Part of a text with its role in the interpretation.

    Args:
        start: The index of its first character.
        end: The index behind its last character.
        kind: Its role.
        issue: The name of its issue; empty if it has none.
    """

    start: int
    end: int
    kind: AnnotationKind
    issue: str = ""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """Interpretation of one text.

    Args:
        text: The text as it was typed.
        acts: Its dialogue acts in text order; empty if none was recognised.
        offers: The offers that it may mean, the likeliest first: one if it states a deal plainly, several if
            it is ambiguous, none if it is not about a deal. In the game's own terms, complete or partial.
            None of them is a formal offer until the speaker confirms it.
        sure: The confidence that the first offer is meant, 0 to 1; 0 without offers, and for the terms of a
            request, which proposes none.
        doubt: The ambiguity of a text that is about a deal but yields no certain offer.
        about: The names of the issues that it mentions, in text order.
        accepts: Whether it accepts the offer on the table.
        conditional: Whether its offer is a condition ("if you …, I …").
        soft: Whether its offer is a wish or a need rather than a proposal.
        adapts: Whether it accepts the other side's offer with a change ("fine, but 9 hours").
        hedged: Whether it contains a question, a condition or an objection.
        refuses: Whether it is a plain no, to whatever question.
        halfway: Whether it asks to meet in the middle.
        echoes: Whether it is a plain yes to an offer that the other side has just worded and asked about;
            that offer is the only one in ``offers``.
        parts: The parts of the text that were parsed as terms, or that may contradict them.
        plain: Whether the confidence is high and all of the text is accounted for: one key may confirm it.
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
        """The offer that the text plainly states; None without one, or if the confidence is low."""
        return self.offers[0] if len(self.offers) == 1 and self.sure >= CONFIDENCE_THRESHOLD else None

    @property
    def subtype(self) -> MessageSubtype:
        """The main act; GENERIC if there is none.

        Acts about the deal precede statements of preference, and these precede courtesies.
        """
        return main_subtype((act.subtype, act.sure) for act in self.acts)

    def has(self, *subtypes: MessageSubtype) -> bool:
        """Return whether the text has an act of one of these kinds."""
        return any(act.subtype in subtypes for act in self.acts)

    @property
    def preferences(self) -> tuple[Preference, ...]:
        """The preferences that the text states or asks about."""
        return tuple(act.preference for act in self.acts if act.preference is not None)
