"""Statements about preferences and about the value of no deal, built from issues and a number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from negoplatform.core.action_rules import MAX_STATED_POINTS
from negoplatform.core.events import Message, Preference, Relation
from negoplatform.domain.errors import Refused
from negoplatform.domain.offer import number_from_decimal
from negoplatform.presentation.chat.phrases import M
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.noun_forms import title_in_sentence

COMPARISONS = (Relation.GREATER, Relation.LESS, Relation.EQUAL)
"""Relations that need a second issue."""


POINTS_PATTERN = re.compile(r"[+-]?\d+([.,]\d{1,2})?", re.ASCII)


MAX_POINTS_LENGTH = 24
"""Maximum length of typed text that a sentence quotes, in characters."""


@dataclass(frozen=True, slots=True)
class PreferenceStatement:
    """State of the preference builder; always a valid sentence.

    Args:
        issues: Names of all issues of the game.
        first: First issue.
        relation: Relation between the issues.
        second: Issue for comparison; equal to ``first`` if the game has only one issue.
    """

    issues: tuple[str, ...]
    first: str
    relation: Relation
    second: str

    @classmethod
    def default_for(cls, issues: tuple[str, ...]) -> PreferenceStatement:
        """Return the builder's initial state: the first two issues, or the only one by itself."""
        relation = relations_for(len(issues))[0]
        return cls(issues, issues[0], relation, issues[1] if len(issues) > 1 else issues[0])

    @property
    def has_second_issue(self) -> bool:
        """Whether the second issue is part of the sentence."""
        return self.relation in COMPARISONS

    def with_first(self, name: str) -> PreferenceStatement:
        """Return the state with another first issue; if it was the second, the two are exchanged."""
        return replace(self, first=name, second=self.first if name == self.second else self.second)

    def with_second(self, name: str) -> PreferenceStatement:
        """Return the state with another second issue; if it was the first, the two are exchanged."""
        return replace(self, second=name, first=self.second if name == self.first else self.first)

    def with_relation(self, relation: Relation) -> PreferenceStatement:
        """Return the state with another relation; the second issue is kept for later."""
        return replace(self, relation=relation)

    def preference(self, *, is_question: bool) -> Preference:
        """Return the stated or requested preference."""
        return Preference(
            self.first, self.relation, self.second if self.has_second_issue else None, is_question
        )


@dataclass(frozen=True, slots=True)
class ParsedPoints:
    """Typed number of points.

    Args:
        points: The number; None if there is none or it cannot be stated.
        problem: Sentence about an invalid number; empty if it is valid or nothing was typed.
    """

    points: float | None = None
    problem: str = ""


def relations_for(issues: int) -> tuple[Relation, ...]:
    """Return the relations possible with a number of issues; comparisons need at least two."""
    return (*COMPARISONS, Relation.BEST, Relation.WORST) if issues > 1 else (Relation.BEST, Relation.WORST)


def relation_words(relation: Relation, translate: Language) -> str:
    """Return the words for a relation between the builder's two issues."""
    match relation:
        case Relation.GREATER:
            return translate("more than")
        case Relation.LESS:
            return translate("less than")
        case Relation.EQUAL:
            return translate("as much as")
        case Relation.BEST:
            return translate("most of all")
        case Relation.WORST:
            return translate("least of all")


def preference_message(preference: Preference, titles: Mapping[str, str], translate: Language) -> Message:
    """Return a message about a preference, worded for both one thing and many: salary, bananas.

    Args:
        preference: The preference, stated or requested.
        titles: Displayed titles by issue name.
        translate: Translation into the window's language.

    Raises:
        Refused: If an issue is unknown, or is compared with nothing or with itself.
    """
    second = preference.issue2
    if preference.relation in COMPARISONS and (second is None or second == preference.issue1):
        raise Refused(translate("Choose two different things to compare."))
    if any(name not in titles for name in (preference.issue1, *((second,) if second is not None else ()))):
        raise Refused(translate("Choose what is negotiated in this game."))
    # Titles are data and may contain braces, so they are passed as values.
    names = {
        "first": title_in_sentence(titles[preference.issue1], translate),
        "second": title_in_sentence(titles[second], translate) if second is not None else "",
    }
    if preference.is_question:
        return Message(_question(preference.relation, names, translate), M.PREF_SPECIFIC_REQUEST, preference)
    return Message(_statement(preference.relation, names, translate), M.PREF_INFO, preference)


def _statement(relation: Relation, names: Mapping[str, str], translate: Language) -> str:
    match relation:
        case Relation.GREATER:
            return translate("I care more about {first} than about {second}.", **names)
        case Relation.LESS:
            return translate("I care less about {first} than about {second}.", **names)
        case Relation.EQUAL:
            return translate("I care as much about {first} as about {second}.", **names)
        case Relation.BEST:
            return translate("I care most about {first}.", **names)
        case Relation.WORST:
            return translate("I care least about {first}.", **names)


def _question(relation: Relation, names: Mapping[str, str], translate: Language) -> str:
    match relation:
        case Relation.GREATER:
            return translate("Do you care more about {first} than about {second}?", **names)
        case Relation.LESS:
            return translate("Do you care less about {first} than about {second}?", **names)
        case Relation.EQUAL:
            return translate("Do you care as much about {first} as about {second}?", **names)
        case Relation.BEST:
            return translate("Do you care most about {first}?", **names)
        case Relation.WORST:
            return translate("Do you care least about {first}?", **names)


def batna_message(points: float, translate: Language) -> Message:
    """Return a message that states the sender's value of no deal.

    Raises:
        Refused: If the number is outside the session's limits.
    """
    # In this form the comparison is also false for NaN.
    if not abs(points) <= MAX_STATED_POINTS:
        raise Refused(_too_large(translate))
    text = translate.plural(
        "Without a deal I get {n} point.",
        "Without a deal I get {n} points.",
        points,
        n=translate.localize_number(points_entry_text(points)),
    )
    return Message(text, M.BATNA_INFO, batna=points)


def points_entry_text(points: float) -> str:
    """Return points as shown in the field, to two decimals: ``12``, ``2.5``."""
    return f"{number_from_decimal(round(Decimal(str(points)), 2))}"


def parse_points(text: str, own: float | None, translate: Language) -> ParsedPoints:
    """Parse typed points; the own value, unchanged from the field, gives exactly the own value."""
    bare = "".join(text.split()).replace("\N{MINUS SIGN}", "-")
    if not bare:
        return ParsedPoints()
    if own is not None and bare == points_entry_text(own):
        return ParsedPoints(own)
    if not POINTS_PATTERN.fullmatch(bare):
        typed = text.strip()[:MAX_POINTS_LENGTH]
        return ParsedPoints(
            problem=translate("“{typed}” isn’t a number of points, such as 12 or 7.5.", typed=typed)
        )
    points = Decimal(bare.replace(",", "."))
    if abs(points) > MAX_STATED_POINTS:
        return ParsedPoints(problem=_too_large(translate))
    return ParsedPoints(number_from_decimal(points))


def _too_large(translate: Language) -> str:
    return translate("The points can be from -{most} to {most}.", most=f"{MAX_STATED_POINTS:,}")
