"""What is odd about the issues of a game: values that nobody would choose, issues that matter to nobody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from negoplatform.analysis.game_finding import Choices, GameFinding, note, warning
from negoplatform.domain.frontier import divisions
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.seat import Seat
from negoplatform.domain.utility import AdditiveUtility, InteractionUtility, Points

MANY_TERMS = 2_000
"""The terms of an issue are compared one by one up to so many."""

TOLD_ONE_BY_ONE = 6
"""So many dominated terms of an issue are named; beyond it, their number and an example."""


@dataclass(frozen=True, slots=True)
class _Interest:
    """One seat, with one of the profiles that it may have, at one issue."""

    seat: Seat
    profile: str
    table: Mapping[object, Points]


@dataclass(frozen=True, slots=True)
class _Term:
    """A way to settle an issue, with what it is worth to every interest."""

    shown: str
    worth: tuple[Points, ...]

    def beats(self, other: _Term) -> bool:
        """Whether it is better for some and worse for none."""
        return self.worth != other.worth and all(
            mine >= theirs for mine, theirs in zip(self.worth, other.worth, strict=True)
        )


def issue_findings(game: GameSpec, of_seats: Choices) -> Iterator[GameFinding]:
    """The findings about every issue, whatever profiles the seats have.

    A term is *dominated* if another of the same issue is never worse and sometimes better, for every seat
    with each of its profiles. Issues that interact with others are left out: their terms have no worth of
    their own.
    """
    interacting = _interacting(of_seats)
    for issue in game.issues:
        interests = list(_interests(issue.name, of_seats))
        place = f"issues.{issue.name}"
        if issue.name in interacting:
            yield note(
                place,
                f"{issue.title} and other issues interact, so its values are not compared one by one.",
            )
            continue
        yield from _indifference(issue, interests, place)
        if issue.count(game.seats) > MANY_TERMS:
            yield note(
                place, f"{issue.title} can be settled in more than {MANY_TERMS:,} ways, too many to compare."
            )
        else:
            yield from _comparison(issue, _terms(issue, game.seats, interests), place)


def _interacting(of_seats: Choices) -> set[str]:
    return {
        issue
        for profiles in of_seats.values()
        for profile in profiles
        if isinstance(profile.preferences.utility, InteractionUtility)
        for interaction in profile.preferences.utility.interactions
        for issue, _ in interaction.when
    }


def _interests(issue: str, of_seats: Choices) -> Iterator[_Interest]:
    for seat, profiles in of_seats.items():
        for profile in profiles:
            utility = profile.preferences.utility
            if isinstance(utility, AdditiveUtility | InteractionUtility):
                yield _Interest(seat, profile.name, utility.additive.tables[issue])


def _indifference(issue: Issue, interests: Sequence[_Interest], place: str) -> Iterator[GameFinding]:
    indifferent = [i for i in interests if min(i.table.values()) == max(i.table.values())]
    if len(indifferent) == len(interests):
        yield warning(place, f"However {issue.title} comes out, it is worth the same to everybody.")
        return
    for interest in indifferent:
        who = f"{interest.seat} ({interest.profile})" if interest.profile else interest.seat
        yield note(place, f"However {issue.title} comes out, it is worth the same to {who}.")


def _terms(issue: Issue, seats: tuple[Seat, ...], interests: Sequence[_Interest]) -> list[_Term]:
    if not isinstance(issue, QuantityIssue):
        return [_Term(str(v), tuple(i.table[v] for i in interests)) for v in issue.values]
    return [
        _Term(
            ", ".join(f"{n} {seat}" for n, seat in zip(units, seats, strict=True)),
            tuple(i.table[units[seats.index(i.seat)]] for i in interests),
        )
        for units in divisions(issue.quantity, len(seats))
    ]


def _comparison(issue: Issue, terms: Sequence[_Term], place: str) -> Iterator[GameFinding]:
    lowest = tuple(map(min, zip(*(term.worth for term in terms), strict=True)))
    beaten: list[str] = []
    kept: list[_Term] = []
    # What beats a term comes before it in this order, so it is among those that were kept.
    for term in sorted(terms, key=lambda term: term.worth, reverse=True):
        better = next((other for other in kept if other.beats(term)), None)
        if better is None:
            kept.append(term)
        elif term.worth == lowest:
            beaten.append(f"{term.shown!r} of {issue.title} is what every seat likes least.")
        else:
            beaten.append(
                f"{term.shown!r} of {issue.title} is dominated: {better.shown!r} is better for some seats "
                f"and worse for none."
            )
    if len(beaten) > TOLD_ONE_BY_ONE:
        count = f"{len(beaten):,} of the {len(terms):,} ways to settle {issue.title}"
        yield note(place, f"{count} are dominated. One of them: {beaten[0]}")
    else:
        yield from (note(place, text) for text in beaten)
    yield from _twins(issue, terms, place)


def _twins(issue: Issue, terms: Sequence[_Term], place: str) -> Iterator[GameFinding]:
    by_worth: dict[tuple[Points, ...], list[str]] = {}
    for term in terms:
        by_worth.setdefault(term.worth, []).append(term.shown)
    if len(by_worth) == 1:
        return
    for same in by_worth.values():
        if len(same) > 1:
            more = " …" if len(same) > TOLD_ONE_BY_ONE else ""
            shown = ", ".join(map(repr, same[:TOLD_ONE_BY_ONE])) + more
            yield note(place, f"{shown} of {issue.title} are worth the same to every seat.")
