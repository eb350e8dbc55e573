"""What issues, values and combinations of them are worth to somebody, in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Offer
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility, Points
from negoplatform.gui.numbers import number_text
from negoplatform.gui.texts import drawable, figure, points_text, signed
from negoplatform.gui.view import IssueWorth

MOST_LISTED = 5
"""A number issue with more numbers than this is told by its range of points."""


def worth_of_issue(issue: Issue, preferences: Preferences) -> IssueWorth:
    """What an issue is worth by itself; nothing but its title where that is not known."""
    title, table = drawable(issue.title), _table(issue, preferences)
    if table is None:
        return IssueWorth(title, "")
    match issue:
        case QuantityIssue(quantity=quantity):
            if all(table[units] == table[1] * units for units in range(quantity + 1)):
                return IssueWorth(title, f"{points_text(table[1])} each")
            listed = ", ".join(figure(table[units]) for units in range(quantity + 1))
            return IssueWorth(title, f"0, 1, 2 … units: {listed}")
        case CategoricalIssue(values=values):
            return IssueWorth(title, "", tuple((drawable(value), figure(table[value])) for value in values))
        case NumberIssue():
            return IssueWorth(title, *_worth_of_numbers(issue, [table[value] for value in issue.values]))


def value_choices(issue: CategoricalIssue, preferences: Preferences) -> tuple[str, ...]:
    """The values of an issue with what each is worth by itself: ``Saturday (5 points)``."""
    table = _table(issue, preferences)
    if table is None:
        return tuple(drawable(value) for value in issue.values)
    return tuple(f"{drawable(value)} ({points_text(table[value])})" for value in issue.values)


def worth_of_term(issue: Issue, level: object, preferences: Preferences) -> str:
    """What one level of an issue is worth by itself: ``25 points``; empty where nothing is known."""
    table = _table(issue, preferences)
    return "" if table is None or level not in table else points_text(table[level])


def together_lines(game: GameSpec, preferences: Preferences) -> tuple[str, ...]:
    """What goes together and what that adds: ``Car with and 8 hours together: +5``."""
    lines = []
    for interaction in _interactions(preferences):
        parts = [_level_text(game.issue(name), levels) for name, levels in interaction.when]
        line = f"{_listed(parts, 'and')} together: {signed(interaction.points)}"
        lines.append(line[:1].upper() + line[1:])
    return tuple(lines)


def counts_with(issue: Issue, game: GameSpec, preferences: Preferences) -> str:
    """The titles of the issues that an issue counts together with, as a list; empty if it stands alone."""
    partners = {
        name
        for interaction in _interactions(preferences)
        if issue.name in dict(interaction.when)
        for name, _ in interaction.when
    }
    titles = [drawable(other.title) for other in game.issues if other.name in partners and other != issue]
    return _listed(titles, "and")


def added_together(offer: Offer, preferences: Preferences) -> str:
    """What going together adds to an offer, or takes from it, in words; empty if nothing."""
    utility = preferences.utility
    if not isinstance(utility, InteractionUtility):
        return ""
    extra = utility(offer) - utility.additive(offer)
    return f"This includes {signed(extra)} for what goes together." if round(extra, 9) else ""


def _table(issue: Issue, preferences: Preferences) -> Mapping[object, Points] | None:
    """The points of an issue by itself; None for a utility of somebody else's making."""
    utility = preferences.utility
    if not isinstance(utility, AdditiveUtility | InteractionUtility):
        return None
    return utility.additive.tables[issue.name]


def _interactions(preferences: Preferences) -> tuple[Interaction, ...]:
    utility = preferences.utility
    if not isinstance(utility, InteractionUtility):
        return ()
    return tuple(interaction for interaction in utility.interactions if interaction.points)


def _worth_of_numbers(
    issue: NumberIssue, points: Sequence[Points]
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """In a few words, or by number: every one of a few, else both ends, else the best and the worst."""
    if len(points) <= MOST_LISTED:
        pairs = zip(issue.values, points, strict=True)
        return "", tuple((_amount(issue, value), figure(worth)) for value, worth in pairs)
    low, high = min(points), max(points)
    if low == high:
        return f"{points_text(low)} at any number", ()
    if list(points) in (sorted(points), sorted(points, reverse=True)):
        first, last = _amount(issue, issue.low), _amount(issue, issue.high)
        return "", ((first, figure(points[0])), (f"… {last}", figure(points[-1])))
    worst, best = issue.values[points.index(low)], issue.values[points.index(high)]
    return "", (
        (f"best: {_amount(issue, best)}", figure(high)),
        (f"worst: {_amount(issue, worst)}", figure(low)),
    )


def _amount(issue: NumberIssue, value: int | float) -> str:
    return drawable(number_text(value, issue.unit))


def _level_text(issue: Issue, levels: frozenset[object]) -> str:
    """Levels of an issue in words: ``at least 2 Bananas``, ``Car with or without``, ``Price 120 €``."""
    title = drawable(issue.title)
    match issue:
        case QuantityIssue(quantity=quantity):
            return f"{_span(range(quantity + 1), levels)} {title}"
        case CategoricalIssue(values=values):
            return _titled(title, _listed([drawable(value) for value in values if value in levels], "or"))
        case NumberIssue(values=values, unit=unit):
            return _titled(title, f"{_span(values, levels)} {drawable(unit)}".strip())


def _span(there: Sequence[int | float], levels: frozenset[object]) -> str:
    """Some of the numbers that there are, as a span where they are neighbours."""
    wanted = [level for level in there if level in levels]
    first, last = number_text(wanted[0]), number_text(wanted[-1])
    start = there.index(wanted[0])
    if len(wanted) == 1:
        return first
    if list(there[start : start + len(wanted)]) != wanted:
        return _listed([number_text(level) for level in wanted], "or")
    if wanted[-1] == there[-1]:
        return f"at least {first}"
    return f"at most {last}" if start == 0 else f"{first} to {last}"


def _titled(title: str, words: str) -> str:
    """A title before its words, unless they say it themselves: ``8 hours`` needs no ``Hours`` before it."""
    said = re.search(rf"\b{re.escape(title)}\b", words, re.IGNORECASE)
    return words if said else f"{title} {words}"


def _listed(words: Sequence[str], last: str) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " ".join([*([", ".join(words[:-1]), last] if words[:-1] else []), *words[-1:]])
