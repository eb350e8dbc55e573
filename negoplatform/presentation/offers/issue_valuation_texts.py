"""Texts about a seat's preferences: issues, values and combinations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Offer
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility, Points
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.issue_number_text import is_unit_prefixed, number_text
from negoplatform.presentation.localized_names import displayable, join_names, localized_text
from negoplatform.presentation.noun_forms import (
    is_self_explanatory,
    singular,
    title_in_sentence,
    unit_for,
    value_in_sentence,
)
from negoplatform.presentation.time_and_points_text import format_difference, format_number, points_text

MAX_LISTED = 5
"""Largest number of values of a number issue that are listed one by one; more are shown as a range."""


@dataclass(frozen=True, slots=True)
class IssueValuation:
    """Worth of a single issue to one side.

    Args:
        title: Title of the issue.
        text: Worth in a few words; empty if ``levels`` has it.
        levels: Values or numbers with their points.
        weight: Importance of the issue, 0 to 1, where 1 is the most important issue; None if it is unknown.
        picture: Name of the issue's picture; empty without one.
    """

    title: str
    text: str
    levels: tuple[tuple[str, str], ...] = ()
    weight: float | None = None
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Priorities:
    """Preferences of one side, in words.

    Args:
        issues: Worth of each issue by itself.
        interactions: Combinations and the points that they add, one line each.
    """

    issues: tuple[IssueValuation, ...]
    interactions: tuple[str, ...] = ()


def issue_valuation(issue: Issue, preferences: Preferences, translate: Language) -> IssueValuation:
    """Return the worth of an issue by itself; only its title if the worth is unknown."""
    title, table = localized_text(issue.title, translate), _table(issue, preferences)
    if table is None:
        return IssueValuation(title, "")
    match issue:
        case QuantityIssue(quantity=quantity):
            if all(table[units] == table[1] * units for units in range(quantity + 1)):
                return IssueValuation(
                    title, translate("{points} each", points=points_text(table[1], translate))
                )
            worths = ", ".join(format_number(table[units], translate) for units in range(quantity + 1))
            return IssueValuation(title, translate("0, 1, 2 … units: {worths}", worths=worths))
        case CategoricalIssue(values=values):
            return IssueValuation(
                title,
                "",
                tuple(
                    (localized_text(value, translate), format_number(table[value], translate))
                    for value in values
                ),
            )
        case NumberIssue():
            return IssueValuation(
                title, *_numbers_points_text(issue, [table[value] for value in issue.values], translate)
            )


def worth_in_short(issue: Issue, preferences: Preferences, translate: Language) -> str:
    """Return the worth of an issue by itself in a few words; empty if it is unknown."""
    table = _table(issue, preferences)
    if table is None:
        return ""
    if isinstance(issue, QuantityIssue):
        text = issue_valuation(issue, preferences, translate).text
        if all(table[units] == table[1] * units for units in range(issue.quantity + 1)):
            return text
    low, high = min(table.values()), max(table.values())
    return translate(
        "{low} to {points}", low=format_number(low, translate), points=points_text(high, translate)
    )


def utility_share(points: Points, preferences: Preferences) -> float:
    """Return points as a share, 0 to 1, of the seat's best outcome.

    The scale begins at 0 points, or at the worst outcome if even the best one is not above 0.
    """
    lowest, highest = preferences.utility.lowest, preferences.utility.highest
    start = 0 if highest > 0 else lowest
    if highest == start:
        return 1.0 if points >= highest else 0.0
    return max(0.0, min(1.0, (points - start) / (highest - start)))


def priorities(game: GameSpec, preferences: Preferences, translate: Language) -> Priorities:
    """Return a seat's preferences: issues and combinations."""
    # If all issues are quantities, people compare single units; else they compare whole issues.
    by_unit = all(isinstance(issue, QuantityIssue) for issue in game.issues)
    spans = [_span_of_points(issue, preferences, by_unit=by_unit) for issue in game.issues]
    widest = max((span for span in spans if span is not None), default=0)
    return Priorities(
        tuple(
            replace(
                issue_valuation(issue, preferences, translate),
                weight=span / widest if span is not None and widest else None,
                picture=issue.picture,
            )
            for issue, span in zip(game.issues, spans, strict=True)
        ),
        interaction_lines(game, preferences, translate),
    )


def value_choices(issue: CategoricalIssue, preferences: Preferences, translate: Language) -> tuple[str, ...]:
    """Return an issue's values with the points of each by itself: ``Saturday (5 points)``."""
    table = _table(issue, preferences)
    if table is None:
        return tuple(localized_text(value, translate) for value in issue.values)
    return tuple(
        f"{localized_text(value, translate)} ({points_text(table[value], translate)})"
        for value in issue.values
    )


def term_points_text(issue: Issue, level: object, preferences: Preferences, translate: Language) -> str:
    """Return the points of one level of an issue by itself: ``25 points``; empty if unknown."""
    table = _table(issue, preferences)
    return "" if table is None or level not in table else points_text(table[level], translate)


def term_difference_text(issue: Issue, level: object, preferences: Preferences, translate: Language) -> str:
    """Return the points that a level of an issue adds by itself: ``+25``, ``-2``, ``0``; empty if unknown."""
    table = _table(issue, preferences)
    if table is None or level not in table:
        return ""
    return format_difference(table[level], translate) if table[level] else format_number(0, translate)


def interaction_lines(game: GameSpec, preferences: Preferences, translate: Language) -> tuple[str, ...]:
    """Return the combinations and their points, and the limit of all points, if any.

    A line is such as ``Bonus for car with and 8 hours: +5``.
    """
    lines = []
    for interaction in _interactions(preferences):
        parts = [_level_text(game.issue(name), levels, translate) for name, levels in interaction.when]
        points = format_difference(interaction.points, translate)
        if interaction.points > 0:
            lines.append(
                translate("Bonus for {parts}: {points}", parts=join_names(parts, translate), points=points)
            )
        else:
            lines.append(
                translate("Penalty for {parts}: {points}", parts=join_names(parts, translate), points=points)
            )
    utility = preferences.utility
    if isinstance(utility, InteractionUtility) and utility.at_most is not None:
        lines.append(translate("Altogether at most {points}", points=points_text(utility.at_most, translate)))
    return tuple(lines)


def linked_issue_titles(issue: Issue, game: GameSpec, preferences: Preferences, translate: Language) -> str:
    """Return a list of the titles of issues that form combinations with an issue; empty if there are none."""
    partners = {
        name
        for interaction in _interactions(preferences)
        if issue.name in dict(interaction.when)
        for name, _ in interaction.when
    }
    others = [other for other in game.issues if other.name in partners and other != issue]
    return join_names(
        [title_in_sentence(localized_text(other.title, translate), translate) for other in others], translate
    )


def interaction_effect_text(offer: Offer, preferences: Preferences, translate: Language) -> str:
    """Return the points that combinations add to an offer, or take from it, in words; empty if none."""
    utility = preferences.utility
    if not isinstance(utility, InteractionUtility):
        return ""
    extra = utility(offer) - utility.additive(offer)
    if not round(extra, 9):
        return ""
    return translate("including {points} for combinations", points=format_difference(extra, translate))


def _table(issue: Issue, preferences: Preferences) -> Mapping[object, Points] | None:
    """Return the points of an issue's levels; None for a utility function of an unknown type."""
    utility = preferences.utility
    if not isinstance(utility, AdditiveUtility | InteractionUtility):
        return None
    return utility.additive.tables[issue.name]


def _span_of_points(issue: Issue, preferences: Preferences, *, by_unit: bool) -> float | None:
    """Return the range of points of an issue by itself, per unit with ``by_unit``; None if unknown."""
    table = _table(issue, preferences)
    if table is None:
        return None
    span = float(max(table.values()) - min(table.values()))
    return span / issue.quantity if by_unit and isinstance(issue, QuantityIssue) else span


def _interactions(preferences: Preferences) -> tuple[Interaction, ...]:
    utility = preferences.utility
    if not isinstance(utility, InteractionUtility):
        return ()
    return tuple(interaction for interaction in utility.interactions if interaction.points)


def _numbers_points_text(
    issue: NumberIssue, points: Sequence[Points], translate: Language
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the points in words, or by number: each of up to 5, both ends, or the best and the worst."""
    if len(points) <= MAX_LISTED:
        pairs = zip(issue.values, points, strict=True)
        return "", tuple(
            (_amount(issue, value, translate), format_number(worth, translate)) for value, worth in pairs
        )
    low, high = min(points), max(points)
    if low == high:
        return translate("{points} at any number", points=points_text(low, translate)), ()
    if list(points) in (sorted(points), sorted(points, reverse=True)):
        first, last = _amount(issue, issue.low, translate), _amount(issue, issue.high, translate)
        return "", (
            (first, format_number(points[0], translate)),
            (f"… {last}", format_number(points[-1], translate)),
        )
    worst, best = issue.values[points.index(low)], issue.values[points.index(high)]
    return "", (
        (translate("best: {number}", number=_amount(issue, best, translate)), format_number(high, translate)),
        (
            translate("worst: {number}", number=_amount(issue, worst, translate)),
            format_number(low, translate),
        ),
    )


def _amount(issue: NumberIssue, value: int | float, translate: Language) -> str:
    return displayable(number_text(value, translate, issue.unit))


def _level_text(issue: Issue, levels: frozenset[object], translate: Language) -> str:
    """Return levels of an issue: ``at least 2 bananas``, ``car with or without``, ``price 120 €``."""
    title = title_in_sentence(localized_text(issue.title, translate), translate)
    match issue:
        case QuantityIssue(quantity=quantity):
            counts = range(quantity + 1)
            amount = _span(counts, [units for units in counts if units in levels], translate)
            return f"{amount} {singular(title) if _is_singular(amount, translate) else title}"
        case CategoricalIssue(values=values):
            chosen = [
                value_in_sentence(localized_text(value, translate), translate)
                for value in values
                if value in levels
            ]
            return _titled(title, _any_of(chosen, translate))
        case NumberIssue(values=values, unit=unit):
            wanted = [value for value in values if value in levels]
            if is_unit_prefixed(unit, translate):
                return _titled(title, _span(values, wanted, translate, unit))
            amount = _span(values, wanted, translate)
            unit_name = (
                unit_for(1, unit, translate)
                if _is_singular(amount, translate)
                else translate.translate_plugin_text(unit)
            )
            return _titled(title, f"{amount} {displayable(unit_name)}".strip())


def _is_singular(preceding: str, translate: Language) -> bool:
    """Return whether English uses the singular after these words: ``1``, ``at most 1``."""
    return translate.code == "en" and preceding.split(" ")[-1] == "1"


def _span(
    allowed: Sequence[int | float], wanted: Sequence[int | float], translate: Language, unit: str = ""
) -> str:
    """Return some of an issue's numbers in words, as a range if they are consecutive."""
    first, last = number_text(wanted[0], translate, unit), number_text(wanted[-1], translate, unit)
    start = allowed.index(wanted[0])
    if len(wanted) == 1:
        return first
    if list(allowed[start : start + len(wanted)]) != list(wanted):
        return _any_of([number_text(level, translate, unit) for level in wanted], translate)
    if wanted[-1] == allowed[-1]:
        return translate("at least {number}", number=first)
    if start == 0:
        return translate("at most {number}", number=last)
    return translate("{first} to {last}", first=first, last=last)


def _titled(title: str, words: str) -> str:
    """Return words after their title, unless they include it: ``8 hours`` needs no ``Hours`` before it."""
    return words if is_self_explanatory(title, words) else f"{title} {words}"


def _any_of(words: Sequence[str], translate: Language) -> str:
    """Return ``a``, ``a or b``, or ``a, b or c``."""
    if len(words) < 2:
        return "".join(words)
    return translate("{some} or {last}", some=", ".join(words[:-1]), last=words[-1])
