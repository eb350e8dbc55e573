"""Slots: parts of a text that may name a term of a deal.

A slot is a number with what it counts, an issue, a value, a ratio or a word such as "the rest". This module
decides nothing: :mod:`.slot_filling` chooses one of a slot's candidates, or none.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from negoplatform.domain.offer import Term
from negoplatform.language.parsing.grammar.amount_phrases import Quantifier
from negoplatform.language.parsing.words.lexical_tagger import TaggedSpan
from negoplatform.language.parsing.words.lexicon import NumberMention, Referent
from negoplatform.language.parsing.words.tokenizer import Token


class SlotForm(StrEnum):
    """Form of a slot that is not an amount of :class:`Quantifier`."""

    VALUE = "value"
    """A value of an issue: "Sunday"."""
    TOPIC = "topic"
    """An issue that takes a value: "the car"."""
    FIGURE = "figure"
    """A number without a counted issue: "650", "3"."""
    RATIO = "ratio"
    """Two shares: "3-1", "50/50"."""
    EVEN = "even"
    """A word for equal shares: "evenly", "half"."""
    SWAPPED = "swapped"
    """A word for swapped shares: "the other way round"."""
    MIDDLE = "middle"
    """A word for a value in between: "halfway"."""


class CandidateKind(StrEnum):
    """Kind of a candidate, from the speaker's point of view."""

    NONE = "none"
    """The slot names no term of the deal."""
    MINE = "mine"
    """The speaker gets the units, or is the one to act."""
    YOURS = "yours"
    """The other side gets the units, or is the one to act."""
    EACH = "each"
    """Both sides get the same number of units."""
    VALUE = "value"
    """The issue has this value."""
    WITH = "with"
    """The value that includes the issue's item."""
    WITHOUT = "without"
    """The value that excludes it."""


ALL_ISSUES = "*"
"""Issue of a candidate that concerns every quantity issue."""
AS_PROPOSED = "=theirs"
"""Note of a candidate that repeats the other side's proposal."""
REST = "rest"
"""Issue of a candidate that concerns the remaining units; ``rest:NAME`` for one issue."""


@dataclass(frozen=True, slots=True)
class TermCandidate:
    """Possible meaning of a slot.

    Args:
        kind: The kind of candidate.
        issue: The name of the issue; ``ALL_ISSUES`` or ``REST``.
        term: The term of that issue; None if it depends on other slots.
        units: For ``ALL_ISSUES``, the units of the party that ``kind`` names; None: all of them.
        note: The derivation, for features: ``+own`` for "one more than I asked for".
    """

    kind: CandidateKind
    issue: str = ""
    term: Term | None = None
    units: int | None = None
    note: str = ""


NO_TERM = TermCandidate(CandidateKind.NONE)


@dataclass(slots=True)
class Slot:
    """Part of a text that may name a term.

    Args:
        form: The form: a :class:`Quantifier` or a :class:`SlotForm`.
        start: The index of its first span.
        end: The index behind its last span.
        token_start: The index of its first token.
        token_end: The index behind its last token.
        number: The number, if any.
        second: The second number of a ratio.
        issue: The quantity issue that it names, if any.
        referents: The possible referents of words that name other issues or values.
        figure: The number with its unit and sign.
        each: Whether every seat is meant.
        of_each: Whether every issue is meant.
        owned: Whether it is called someone's: "your ovens".
        less: The excepted issues with their units; 0 for all of them.
        unit: The word behind the number if it is the unit of an issue: "days".
        loose: Whether its words are only a part or a misspelling of a name.
    """

    form: Quantifier | SlotForm
    start: int
    end: int
    token_start: int
    token_end: int
    number: int | float | None = None
    second: int = 0
    issue: str = ""
    referents: tuple[Referent, ...] = ()
    figure: NumberMention | None = None
    each: bool = False
    of_each: bool = False
    owned: bool = False
    less: tuple[tuple[str, int], ...] = ()
    unit: str = ""
    loose: bool = False


@dataclass(frozen=True, slots=True)
class SegmentedText:
    """Text with its tokens, tagged spans and slots.

    Args:
        tokens: The tokens.
        spans: The tagged spans.
        slots: The slots, in order.
    """

    tokens: tuple[Token, ...]
    spans: tuple[TaggedSpan, ...]
    slots: tuple[Slot, ...]
